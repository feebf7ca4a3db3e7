"""Problems by the hundred thousand: held packed, and made one by one when they are walked."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import merge
from itertools import chain, islice
from typing import TypeAlias, overload

from memwiki.digest import digest_of_parts
from memwiki.model import Problem, Severity

PART = 1_000  # problems that are packed together
_RUN = 50_000  # that are sorted at once
Tally: TypeAlias = Mapping[tuple[str, bool], int]  # by severity and whether they can be fixed


class Problems(Sequence[Problem]):
    """Problems in their order; equal to any sequence of the same problems."""

    __slots__ = ("parts", "tally")

    def __init__(self, parts: Sequence[bytes], tally: Tally) -> None:
        self.parts, self.tally = parts, tally

    @property
    def digest(self) -> str:
        """What names these problems: others have another."""
        return digest_of_parts(self.parts)

    def __len__(self) -> int:
        return sum(self.tally.values())

    def __iter__(self) -> Iterator[Problem]:
        return chain.from_iterable(map(_unpacked, self.parts))

    @overload
    def __getitem__(self, at: int) -> Problem: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Problem]: ...
    def __getitem__(self, at: int | slice) -> Problem | Sequence[Problem]:
        if isinstance(at, slice):
            return tuple(self[i] for i in range(*at.indices(len(self))))
        place = range(len(self))[at]
        return _unpacked(self.parts[place // PART])[place % PART]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{len(self)} problems>"


def packed(problems: Iterable[Problem]) -> Problems:
    """Problems that are in their order, in little space."""
    tally: Counter[tuple[str, bool]] = Counter()
    parts, rest = [], iter(problems)
    while part := list(islice(rest, PART)):
        tally.update((each.severity, each.fixable) for each in part)
        parts.append(zlib.compress(json.dumps(part).encode(), 1))
    return Problems(parts, tally)


def sorted_problems(problems: Iterable[Problem]) -> Problems:
    """All of them, each once, by path, line and code."""
    rest = iter(problems)
    runs = []
    while run := set(islice(rest, _RUN)):
        runs.append(packed(sorted(run)))
    return merged(runs)


def merged(runs: Sequence[Problems]) -> Problems:
    """Problems of several runs, each sorted, as one."""
    held = [run for run in runs if run.parts]
    return held[0] if len(held) == 1 else packed(_once(merge(*held)))


def _once(problems: Iterable[Problem]) -> Iterator[Problem]:
    last = None
    for each in problems:
        if each != last:
            yield each
        last = each


def tally_of(problems: Sequence[Problem]) -> Tally:
    """How many there are of each severity, by whether they can be fixed."""
    if isinstance(problems, Problems):
        return problems.tally
    return Counter((each.severity, each.fixable) for each in problems)


_SEVERITIES = {str(each): each for each in Severity}


def _unpacked(part: bytes) -> list[Problem]:
    return [
        Problem(path, line, code, _SEVERITIES[severity], message, fixable)
        for path, line, code, severity, message, fixable in json.loads(zlib.decompress(part))
    ]
