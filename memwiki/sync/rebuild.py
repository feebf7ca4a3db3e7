"""A damaged index is built anew by itself: whoever asks gets an answer, and one warning."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from memwiki.errors import IndexDamagedError
from memwiki.index.damage import (
    DAMAGE,
    ClosedError,
    DiskError,
    SqlError,
    disk_errors_named,
    is_damage,
)
from memwiki.sync.live import LiveIndex

P = ParamSpec("P")
T = TypeVar("T")


class Rebuildable(Protocol):
    """Anything with an index that can be rebuilt."""

    live: LiveIndex


W = TypeVar("W", bound=Rebuildable)


def rebuilding(
    ask: Callable[Concatenate[W, P], T],
) -> Callable[Concatenate[W, P], T]:
    """Ask once more after building a damaged index anew; without sync the damage is the answer."""

    @wraps(ask)
    def asked(subject: W, /, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return rebuilt(subject, *args, **kwargs)
        except DiskError as error:
            if not (subject.live.is_synced and subject.live.go_on_in_memory(error.message)):
                raise
            return ask(subject, *args, **kwargs)

    def rebuilt(subject: W, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with disk_errors_named():
            try:
                return ask(subject, *args, **kwargs)
            except ClosedError:
                # Not damage: another build took the place of the one that was being read.
                return ask(subject, *args, **kwargs)
            except DAMAGE as error:
                if not is_damage(error):
                    raise
                if not subject.live.is_synced:
                    raise _named(error) from error
                subject.live.rebuild(str(error))
                return ask(subject, *args, **kwargs)

    return asked


def _named(error: Exception) -> IndexDamagedError:
    what = f"cards: {error}" if isinstance(error, SqlError) else str(error)
    return IndexDamagedError(what, hint="memwiki sync rebuilds it")
