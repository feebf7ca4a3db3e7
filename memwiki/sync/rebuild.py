"""A damaged index is built anew by itself: whoever asks gets an answer, and one warning."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from memwiki.errors import IndexDamagedError
from memwiki.index.damage import (
    DAMAGE,
    ClosedError,
    DiskError,
    ReplacedError,
    SqlError,
    disk_errors_named,
    is_damage,
)
from memwiki.sync.live import LiveIndex
from memwiki.sync.open_index import SWAPS
from memwiki.sync.swept_index import OtherSettingsError

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
        live = subject.live
        try:
            with live.refusing_old_settings():
                return rebuilt(subject, *args, **kwargs)
        except OtherSettingsError:
            _renew(subject, live)
            return rebuilt(subject, *args, **kwargs)
        except DiskError as error:
            if not (subject.live.is_synced and subject.live.go_on_in_memory(error.message)):
                raise
            return ask(subject, *args, **kwargs)

    def rebuilt(subject: W, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with disk_errors_named():
            try:
                return _of_one_build(subject.live, partial(ask, subject, *args, **kwargs))
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


def _renew(subject: Rebuildable, old: LiveIndex) -> None:
    """Ask the index under the settings of now, where the subject does not do so by itself."""
    new = old.renewed() if subject.live.unread_folders() else None
    if new:
        new = new.by(old.context.actor)
        subject.live = new.public() if old.context.is_public else new


def _of_one_build(live: LiveIndex, ask: Callable[[], T]) -> T:
    """Ask until no other build takes the place of the one that answers."""
    for _ in range(SWAPS):
        try:
            return ask()
        except (FileNotFoundError, DiskError, *DAMAGE) as error:
            if not (isinstance(error, ReplacedError) or live.is_replaced()):
                raise
    return ask()


def _named(error: Exception) -> IndexDamagedError:
    what = f"cards: {error}" if isinstance(error, SqlError) else str(error)
    return IndexDamagedError(what, hint="memwiki sync rebuilds it")
