"""How long a watcher waits for what, in seconds."""

from __future__ import annotations

from typing import NamedTuple


class Timing(NamedTuple):
    """The defaults are what was agreed on; tests are less patient."""

    debounce: float = 0.05  # of silence, after which a change is looked at
    debounce_many: float = 0.25  # the same while many paths are pending
    longest: float = 0.5  # a change waits no longer than that
    many: int = 100
    burst: int = 500  # from so many paths on, a walk is cheaper and surer
    settle: float = (
        2.1  # after a change, until signatures are proof and a walk can note that all is up to date
    )
    scan: float = 60.0  # between walks that look for what no event told of
    poll: float = 1.0  # between walks where there are no events
    tidy: float = 10.0  # of silence, before what many small commits left is merged
    beat: float = 5.0  # between heartbeats
    check: float = 1.0  # between looks at whether the folder is there and events still come
    pause: float = 0.05  # between looks at whether git is done
    retry: float = 1.0  # after a failure, doubled up to `scan`
    keep: float = 600.0  # at most between looks at whether upkeep is due
