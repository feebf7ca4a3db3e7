"""How much of what changed is taken in at once where somebody waits: portions that fit the time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import NamedTuple

from memwiki.files.scan import Scan
from memwiki.nouns import Signature
from memwiki.sync.removals import MANY

_PAGE_BYTES = 4_096  # what a page costs beside its text
_FIRST_PACE = 1_000_000  # bytes a second, before any was measured
_SHARE = 0.5  # of the time that is left: a commit takes longer than its pages
_LEAST_SECONDS = 0.1


class Behind(NamedTuple):
    """What the index lacks of the files: paths with what each costs, the smallest first."""

    paths: Sequence[str]
    bytes: Sequence[int]
    has_vanished: bool = False  # so many pages are gone that a person should look


def behind(seen: Scan, known: Mapping[str, Signature]) -> Behind:
    """Which files differ from what the index holds, by their signatures."""
    gone = [path for path in known if path not in seen.files]
    has_vanished = len(gone) > MANY and len(gone) > len(known) / 2
    costs = {path: each[0] for path, each in seen.files.items() if known.get(path) != each}
    costs |= {} if has_vanished else dict.fromkeys(gone, 0)
    paths = sorted(costs, key=lambda path: (costs[path], path))
    return Behind(paths, [costs[path] + _PAGE_BYTES for path in paths], has_vanished)


def take_in(
    lacking: Behind,
    until: float,
    take: Callable[[Sequence[str]], object],
    clock: Callable[[], float] = monotonic,
) -> int:
    """Take in portions that fit the time until a moment of the clock, each kept; gives how many
    paths are left. A page that alone takes longer is left."""
    pace, at = float(_FIRST_PACE), 0
    while at < len(lacking.paths):
        began = clock()
        if until - began < _LEAST_SECONDS:
            break
        stop = _stop(lacking.bytes, at, (until - began) * _SHARE * pace)
        if stop == at:
            break
        take(lacking.paths[at:stop])
        pace = sum(lacking.bytes[at:stop]) / max(clock() - began, 1e-3)
        at = stop
    return len(lacking.paths) - at


def _stop(costs: Sequence[int], at: int, most: float) -> int:
    """Behind the last of these, from one on, that together cost no more."""
    while at < len(costs) and costs[at] <= most:
        most -= costs[at]
        at += 1
    return at
