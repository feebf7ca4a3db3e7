"""What was recalled, as JSON lines in `.memwiki/state/`, one file a machine: read without trusting
them, added up, written again; where they cannot be written, nothing is."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from heapq import nlargest
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import Any, TypeAlias

from memwiki.errors import MemwikiError
from memwiki.files.lock import Lock, state_folder
from memwiki.files.read import NO_FOLLOW, READING, bytes_of
from memwiki.files.temporary import machine, sweep_temporaries, write_whole
from memwiki.names import STATE_FOLDER
from memwiki.records import NamedTuple
from memwiki.text import pattern

_NAME = pattern(r"usage-([0-9a-f]{1,32})\.jsonl")
_MAX_BYTES = 64_000_000
_GROWTH_BYTES = 512_000
_WAIT_MS = 5_000
_HEAD = pattern(rb'\{"compacted":([0-9]{1,12})\}\n')
_WRITING = (
    os.O_RDWR
    | os.O_CREAT
    | os.O_APPEND
    | NO_FOLLOW
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)
ENTRY, PAGE, ENTITY = KINDS = ("entry", "page", "entity")
MAX_TRAILS = 1000
MAX_TIMINGS = 1000
PER_POINT = 10_000  # scores are whole numbers on disk, so that sums do not depend on their order
_MAX_SUBJECTS = 50_000  # of a machine, after compaction; the last recalled stay
_MAX_IN_TRAIL = 50
_MAX_CHARACTERS = 1000  # of a name; longer ones are not counted, longer queries are cut
_MAX_RECALLS, _MAX_SCORE, _MAX_SECONDS = 10**9, 10**12, 10**11
_MAX_MS = 10**9


IsErased: TypeAlias = Callable[[str], bool]  # whether a text repeats what was deleted for good


class UsageLog:
    """What one machine recalled in a workspace."""

    def __init__(self, root: Path, name: str = "") -> None:
        self._root = root
        self._folder = root / STATE_FOLDER / "state"
        self.location = self._folder / f"usage-{name or machine()}.jsonl"

    def append(self, line: bytes) -> bool:
        """Add a line with one write, unflushed; False where that is not possible."""
        return self.append_made(lambda: line)

    def append_made(self, make: Callable[[], bytes]) -> bool:
        """The same with lines that are made under the lock of the file, from what is in it then."""
        with suppress(OSError, MemwikiError):
            state_folder(self._root)
            if not self._folder.is_symlink():
                self._folder.mkdir(exist_ok=True)
                with self._lock():
                    lines = make()
                    if lines and _append(self.location, lines):
                        self._rewrite()
                return True
        return False

    def forget(self, subjects: Collection[Subject], is_erased: IsErased | None = None) -> bool:
        """Rewrite the file without these subjects and the queries that found them, or that repeat
        what was deleted for good."""
        with suppress(OSError, MemwikiError):
            if not self.location.exists() or self._folder.is_symlink():
                return True
            with self._lock():
                self._rewrite(subjects, *filter(None, [is_erased]))
            return True
        return False

    def compact(self) -> None:
        """Leave one line a subject."""
        with self._lock():
            self._rewrite()

    def _lock(self) -> Lock:
        return Lock(self.location.with_suffix(".lock"), timeout_ms=_WAIT_MS)

    def _rewrite(self, dropped: Collection[Subject] = (), *is_erased: IsErased) -> None:
        lines = list(tally_of(bytes_of(self.location, _MAX_BYTES)).lines(dropped, *is_erased))
        head = b'{"compacted":%d}\n' % sum(map(len, lines))
        sweep_temporaries(self._root, [f"{STATE_FOLDER}/{self._folder.name}"])  # of killed ones
        write_whole(self.location, b"".join([head, *lines]), mode=0o666)


def usage_files(root: Path) -> Iterator[Path]:
    """The files of all machines, in order."""
    with suppress(OSError):
        folder = root / STATE_FOLDER / "state"
        if not (folder.is_symlink() or folder.parent.is_symlink()):
            yield from sorted(each for each in folder.iterdir() if _NAME.fullmatch(each.name))


def timings_of(root: Path) -> list[RecallTiming]:
    """How long the last recalls on all machines took, the oldest first."""
    parts = (tally_of(bytes_from(file, 0)).timings for file in usage_files(root))
    return last_timings(chain.from_iterable(parts))


def forget(root: Path, subjects: Collection[Subject], is_erased: IsErased | None = None) -> bool:
    """Clear subjects, and what repeats an erased text, from the files of all machines; whether
    nothing of them is left."""
    logs = [
        UsageLog(root, found[1]) for each in usage_files(root) if (found := _NAME.match(each.name))
    ]
    cleared = [log.forget(subjects, is_erased) for log in logs]
    return all(cleared)


def bytes_from(location: Path, offset: int, most: int = _MAX_BYTES) -> bytes:
    """A usage file from an offset on; b"" when it is no regular file of usual size."""
    with suppress(OSError):
        if location.lstat().st_size <= _MAX_BYTES and location.is_file():
            descriptor = os.open(location, READING | NO_FOLLOW)
            with os.fdopen(descriptor, "rb") as file:
                file.seek(offset)
                return file.read(most)
    return b""


def _append(location: Path, line: bytes) -> bool:
    """Write a line at the end, on a line of its own; tell whether the file grew much since it was
    last compacted."""
    descriptor = os.open(location, _WRITING, 0o600)
    try:
        size = os.lseek(descriptor, 0, os.SEEK_END)
        if size > _MAX_BYTES:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        is_torn = bool(size) and _read(descriptor, 1, size - 1) != b"\n"
        os.write(descriptor, b"\n" * is_torn + line)
        found = _HEAD.match(_read(descriptor, 40, 0))
    finally:
        os.close(descriptor)
    return size > (2 * int(found[1]) if found else 0) + _GROWTH_BYTES


def _read(descriptor: int, size: int, offset: int) -> bytes:
    os.lseek(descriptor, offset, os.SEEK_SET)
    return os.read(descriptor, size)


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
        most = nlargest(_MAX_SUBJECTS, sums, key=lambda each: (each[1].at, each[1], each[0]))
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
    return nlargest(MAX_TRAILS, trails)[::-1]


def last_timings(timings: Iterable[RecallTiming]) -> list[RecallTiming]:
    """The timings that are kept, the oldest first."""
    return nlargest(MAX_TIMINGS, timings)[::-1]


def record_line(
    at: int, query: str, found: Iterable[tuple[Subject, float]], timing: RecallTiming | None = None
) -> bytes:
    """The line that counts what one query recalled, and how long it took; b"" for nothing."""
    rows = [
        (kind, _clean(name), _points(score))
        for (kind, name), score in found
        if kind in KINDS and 0 < len(name) <= _MAX_CHARACTERS
    ]
    timed = _timed(timing) if timing else {}
    if not rows:
        return _line({"at": at, **timed}) if timed else b""
    return _line({"at": at, "query": _clean(query)[:_MAX_CHARACTERS], "of": rows, **timed})


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
    at = _whole(fields.get("at"), _MAX_SECONDS)
    if "recalls" in fields:
        sum_ = Sum(_whole(fields["recalls"], _MAX_RECALLS), _whole(fields["score"], _MAX_SCORE))
        tally.add(_subject(fields["of"]), sum_._replace(at=at))
        return
    if "ms" in fields:
        tally.timings.append(
            RecallTiming(at, _milliseconds(fields["ms"]), fields["cached"] is True)
        )
        if len(tally.timings) > 2 * MAX_TIMINGS:
            tally.timings = last_timings(tally.timings)
    if "of" not in fields:
        return
    query = _clean(fields["query"])[:_MAX_CHARACTERS]
    rows = [
        (_subject(row[:2]), [_whole(each, PER_POINT) for each in row[2:3]]) for row in fields["of"]
    ]
    for subject, points in rows:
        for each in points:  # in a trail without points, they were counted elsewhere
            tally.add(subject, Sum(1, each, at))
    if query and rows:
        subjects = dict.fromkeys(subject for subject, _ in rows)
        tally.trails.append(Trail(at, query, tuple(subjects)[:_MAX_IN_TRAIL]))
        if len(tally.trails) > 2 * MAX_TRAILS:
            tally.trails = newest(tally.trails)


def _subject(row: list[object]) -> Subject:
    kind, name = row
    if kind not in KINDS or not isinstance(name, str) or not 0 < len(name) <= _MAX_CHARACTERS:
        raise ValueError(kind)
    return Subject(str(kind), _clean(name))


def _whole(value: object, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(value)
    return value


def _milliseconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(value)
    if not 0 <= value <= _MAX_MS:
        raise ValueError(value)
    return float(value)


def _clean(text: str) -> str:
    """Text without half characters, which no store takes."""
    return text.encode("utf-8", "replace").decode()


def _points(score: float) -> int:
    return round(min(max(score, 0.0), 1.0) * PER_POINT) if isfinite(score) else 0


def _line(fields: Mapping[str, object]) -> bytes:
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"
