"""What was recalled, as JSON lines: read without trusting them, added up, written again."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from heapq import nlargest
from math import isfinite
from typing import Any, NamedTuple, TypeAlias

ENTRY, PAGE, ENTITY = KINDS = ("entry", "page", "entity")
MOST_TRAILS = 1000
MOST_TIMINGS = 1000
PER_POINT = 10_000  # scores are whole numbers on disk, so that sums do not depend on their order
_MOST_SUBJECTS = 50_000  # of a machine, after compaction; the last recalled stay
_MOST_IN_TRAIL = 50
_MOST_CHARACTERS = 1000  # of a name; longer ones are not counted, longer queries are cut
_MOST_RECALLS, _MOST_SCORE, _MOST_SECONDS = 10**9, 10**12, 10**11
_MOST_MS = 10**9


IsErased: TypeAlias = Callable[[str], bool]  # whether a text repeats what was deleted for good


class Subject(NamedTuple):
    """Who was recalled: an entry by its id or the hash of its text, a page by its path, an entity
    by its folded name."""

    kind: str
    name: str


class Sum(NamedTuple):
    """How often a subject was recalled, the sum of its scores, and when last (in seconds)."""

    recalls: int = 0
    score: int = 0
    at: int = 0

    def plus(self, other: Sum) -> Sum:
        """Both together; the later time counts, whatever the clocks said."""
        recalls, score, at = other
        return Sum(self.recalls + recalls, self.score + score, max(self.at, at))


class Trail(NamedTuple):
    """What a query recalled, the best first."""

    at: int
    query: str
    subjects: tuple[Subject, ...]


class RecallTiming(NamedTuple):
    """When a recall was answered, in how many milliseconds, and whether the answer was cached."""

    at: int
    ms: float
    is_cached: bool


class Tally:
    """Usage added up; the same whatever the order in which it came."""

    def __init__(self) -> None:
        self.sums: dict[Subject, Sum] = {}
        self.trails: list[Trail] = []
        self.timings: list[RecallTiming] = []

    def add(self, subject: Subject, more: Sum) -> None:
        """Count recalls of a subject."""
        self.sums[subject] = self.sums.get(subject, Sum()).plus(more)

    def _subjects(self) -> Iterator[Subject]:
        yield from self.sums
        yield from (subject for trail in self.trails for subject in trail.subjects)

    def lines(
        self, forgotten: Collection[Subject] = (), is_erased: IsErased = lambda _: False
    ) -> Iterator[bytes]:
        """The same as lines, one a subject, without those that are to be forgotten, and without
        questions and names that repeat what was deleted for good."""
        dropped = {*forgotten, *(each for each in self._subjects() if is_erased(each.name))}
        sums = ((subject, usage) for subject, usage in self.sums.items() if subject not in dropped)
        most = nlargest(_MOST_SUBJECTS, sums, key=lambda each: (each[1].at, each[1], each[0]))
        for subject, usage in sorted(most):
            yield _line(
                {"at": usage.at, "recalls": usage.recalls, "score": usage.score, "of": subject}
            )
        for trail in newest(self.trails):
            if dropped.isdisjoint(trail.subjects) and not is_erased(trail.query):
                yield _line({"at": trail.at, "query": trail.query, "of": trail.subjects})
        for timing in last_timings(self.timings):
            yield _line({"at": timing.at, **_timed(timing)})


def newest(trails: Iterable[Trail]) -> list[Trail]:
    """The trails that are kept, the oldest first."""
    return nlargest(MOST_TRAILS, trails)[::-1]


def last_timings(timings: Iterable[RecallTiming]) -> list[RecallTiming]:
    """The timings that are kept, the oldest first."""
    return nlargest(MOST_TIMINGS, timings)[::-1]


def record_line(
    at: int, query: str, found: Iterable[tuple[Subject, float]], timing: RecallTiming | None = None
) -> bytes:
    """The line that counts what one query recalled, and how long it took; b"" for nothing."""
    rows = [
        (kind, _clean(name), _points(score))
        for (kind, name), score in found
        if kind in KINDS and 0 < len(name) <= _MOST_CHARACTERS
    ]
    timed = _timed(timing) if timing else {}
    if not rows:
        return _line({"at": at, **timed}) if timed else b""
    return _line({"at": at, "query": _clean(query)[:_MOST_CHARACTERS], "of": rows, **timed})


def _timed(timing: RecallTiming) -> Mapping[str, object]:
    return {"ms": round(timing.ms, 3), "cached": timing.is_cached}


def whole_lines(data: bytes) -> bytes:
    """The data up to its last line end: what a crash cut short does not count."""
    return data[: data.rfind(b"\n") + 1]


def tally_of(data: bytes) -> Tally:
    """Everything that whole lines say; what is no line of ours counts nothing."""
    tally = Tally()
    for line in whole_lines(data).split(b"\n"):
        with suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
            fields = json.loads(line)
            if isinstance(fields, dict):
                _take(tally, fields)
    return tally


def _take(tally: Tally, fields: Mapping[str, Any]) -> None:
    at = _whole(fields.get("at"), _MOST_SECONDS)
    if "recalls" in fields:
        sum_ = Sum(_whole(fields["recalls"], _MOST_RECALLS), _whole(fields["score"], _MOST_SCORE))
        tally.add(_subject(fields["of"]), sum_._replace(at=at))
        return
    if "ms" in fields:
        tally.timings.append(
            RecallTiming(at, _milliseconds(fields["ms"]), fields["cached"] is True)
        )
        if len(tally.timings) > 2 * MOST_TIMINGS:
            tally.timings = last_timings(tally.timings)
    if "of" not in fields:
        return
    query = _clean(fields["query"])[:_MOST_CHARACTERS]
    rows = [
        (_subject(row[:2]), [_whole(each, PER_POINT) for each in row[2:3]]) for row in fields["of"]
    ]
    for subject, points in rows:
        for each in points:  # in a trail without points, they were counted elsewhere
            tally.add(subject, Sum(1, each, at))
    if query and rows:
        subjects = dict.fromkeys(subject for subject, _ in rows)
        tally.trails.append(Trail(at, query, tuple(subjects)[:_MOST_IN_TRAIL]))
        if len(tally.trails) > 2 * MOST_TRAILS:
            tally.trails = newest(tally.trails)


def _subject(row: list[object]) -> Subject:
    kind, name = row
    if kind not in KINDS or not isinstance(name, str) or not 0 < len(name) <= _MOST_CHARACTERS:
        raise ValueError(kind)
    return Subject(str(kind), _clean(name))


def _whole(value: object, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(value)
    return value


def _milliseconds(value: object) -> float:
    if type(value) not in (int, float) or not 0 <= value <= _MOST_MS:  # type: ignore[operator]
        raise ValueError(value)
    return float(value)  # type: ignore[arg-type]


def _clean(text: str) -> str:
    """Text without half characters, which no store takes."""
    return text.encode("utf-8", "replace").decode()


def _points(score: float) -> int:
    return round(min(max(score, 0.0), 1.0) * PER_POINT) if isfinite(score) else 0


def _line(fields: Mapping[str, object]) -> bytes:
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"
