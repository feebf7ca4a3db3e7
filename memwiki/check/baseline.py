"""A baseline: findings that are known and not to be reported again, whatever line they move to."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from memwiki.digest import blake2b
from memwiki.errors import ConfigError, shell_word
from memwiki.nouns import Problem

Known: TypeAlias = Counter[tuple[str, str, str]]


def known_of(problems: Iterable[Problem]) -> Known:
    """How often each finding stands in each page, by path, code and digest of the message."""
    return Counter(map(_key, problems))


def as_json(known: Known) -> bytes:
    """A baseline as a file: one finding a line, sorted, so that it can be read and merged."""
    rows = [
        json.dumps({"path": path, "code": code, "message": digest, "count": known[key]})
        for key in sorted(known)
        for path, code, digest in (key,)
    ]
    body = ",\n".join(f"  {row}" for row in rows)
    return f'{{"version": 1, "known": [\n{body}\n]}}\n'.encode()


def read_baseline(name: str, data: bytes) -> Known:
    """The findings of a baseline file; ConfigError when it is none."""
    try:
        rows = json.loads(data)["known"]
        return Counter({(r["path"], r["code"], r["message"]): int(r["count"]) for r in rows})
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise ConfigError(
            f"{name}: not a baseline of memwiki",
            hint=f"memwiki check --baseline {shell_word(name)} --write-baseline writes one",
            path=name,
        ) from error


def is_baseline(data: bytes) -> bool:
    """Whether a file holds a baseline, and may be written over by one."""
    try:
        read_baseline("", data)
    except ConfigError:
        return False
    return True


def unknown(problems: Iterable[Problem], known: Known) -> Iterator[Problem]:
    """The problems that a baseline does not hold; of more equal ones than it holds, the last."""
    left = known.copy()
    for problem in problems:
        key = _key(problem)
        if left[key] > 0:
            left[key] -= 1
        else:
            yield problem


def _key(problem: Problem) -> tuple[str, str, str]:
    digest = blake2b(problem.message.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return problem.path, problem.code, digest
