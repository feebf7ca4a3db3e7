"""What a check found, packed where there are very many problems, as answers."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import merge
from itertools import chain, islice
from typing import Any, TypeAlias

from memwiki.answers.lists import ListAnswer, PackedList
from memwiki.answers.pages import Edited
from memwiki.digest import digest_of_parts
from memwiki.nouns import Problem, Severity
from memwiki.records import NamedTuple


class Counts(NamedTuple):
    """How many problems of each severity."""

    error: int = 0
    warning: int = 0
    info: int = 0


class CheckReport(ListAnswer[Problem]):
    """The problems that are left, and with `--fix` what was changed.

    Of a check they are `Problems`, which are made when they are walked.
    """

    problems: Sequence[Problem]
    counts: Counts
    pages: int  # checked
    known: int = 0  # left out because the baseline holds them
    ignored: int = 0  # left out because the setting check.ignore names their code
    fixed: Edited | None = None
    fresh: bool = True
    reason: str = ""


PART = 1_000  # problems that are packed together
_RUN = 50_000  # that are sorted at once
Tally: TypeAlias = Mapping[tuple[str, bool], int]  # by severity and whether they can be fixed


class Problems(PackedList[Problem]):
    """Problems in their order."""

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

    def at(self, place: int) -> Problem:
        """The problem at a place."""
        return _unpacked(self.parts[place // PART])[place % PART]

    def __repr__(self) -> str:
        return f"<{len(self)} problems>"


def pack_problems(problems: Iterable[Problem]) -> Problems:
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
        runs.append(pack_problems(sorted(run)))
    return merge_runs(runs)


def merge_runs(runs: Sequence[Problems]) -> Problems:
    """Problems of several runs, each sorted, as one."""
    held = [run for run in runs if run.parts]
    return held[0] if len(held) == 1 else pack_problems(_once(merge(*held)))


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


def rows_of(problems: Sequence[Problem]) -> Iterable[Sequence[Any]]:
    """The fields of each problem, for those who write them down."""
    if isinstance(problems, Problems):
        return chain.from_iterable(map(_rows, problems.parts))
    return problems


_SEVERITIES = {str(each): each for each in Severity}


def _unpacked(part: bytes) -> list[Problem]:
    return [
        Problem(path, line, code, _SEVERITIES[severity], message, fixable)
        for path, line, code, severity, message, fixable in _rows(part)
    ]


def _rows(part: bytes) -> Iterator[list[Any]]:
    return iter(json.loads(zlib.decompress(part)))
