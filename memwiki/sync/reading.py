"""What a reading command does first, and what its answer then says about being fresh."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property, partial, wraps
from types import FunctionType
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar

from memwiki.clock import iso_of
from memwiki.errors import IndexDamagedError, NotFoundError, PrivateError, UnreachableError
from memwiki.index.cards.lookup import Lookup
from memwiki.index.projection import Progress
from memwiki.index.storage_sqlite import (
    DAMAGE,
    ClosedError,
    DiskError,
    ReplacedError,
    SqlError,
    disk_errors_named,
    is_damage,
)
from memwiki.index.stores import Stores
from memwiki.names import fold
from memwiki.records import NamedTuple
from memwiki.scope import EVERY, Scope, scope_of
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.open_index import SWAPS, OtherSettingsError
from memwiki.sync.sweeps import known_until

if TYPE_CHECKING:
    from memwiki.index.graph import LinkGraph

P = ParamSpec("P")
T = TypeVar("T")


class Freshness(NamedTuple):
    """Whether an answer is up to date, how many changes are pending if not, and why; `as_of` is
    when it was so where a watcher says it, and "" where the files were looked at."""

    fresh: bool
    pending: int | None
    reason: str = ""
    as_of: str = ""

    @property
    def is_swept(self) -> bool:
        """Whether the files were looked at, so that all stores have to agree."""
        return self.fresh and not self.as_of


class _NowPrivateError(PrivateError):
    """Something is private now, and this view is of an index in which nothing was."""


def require_shown(live: LiveIndex, lookup: Lookup) -> None:
    """PrivateError where something is private now in what a view shows as nothing was; `rebuilding`
    then asks the index of what is not."""
    if live.masked and lookup.has_private():
        raise _NowPrivateError("something became private meanwhile", "ask again")


class Reading:
    """The index opened for one answer."""

    def __init__(self, live: LiveIndex, stores: Stores, freshness: Freshness, scope: Scope) -> None:
        self.stores, self.lookup = stores, Lookup(stores.cards.db)
        require_shown(live, self.lookup)
        self.freshness, self.context, self.scope = freshness, live.context, scope
        self.tell = live.warnings  # what the person is told beside the answer, once

    @cached_property
    def graph(self) -> LinkGraph:
        """What links mean, which few answers ask for."""
        from memwiki.index.graph import LinkGraph

        return LinkGraph(self.stores.cards, self.scope)

    def find(self, name: str, *, is_only: bool = False, or_file: bool = False) -> str:
        """The path of the page that a name means; NotFoundError or AmbiguousError otherwise.

        With `is_only` no other page may answer, not even a source behind the page that was made of
        it; with `or_file` another file may.
        """
        path = self._find(name, is_only=is_only, or_file=or_file)
        self.note_outside(name, path)
        return path

    def find_own(self, name: str) -> str:
        """The same of a page that is to be changed: NotEditableError outside of the namespace."""
        path = self._find(name)
        self.scope.require_own(path)
        return path

    def _find(self, name: str, *, is_only: bool = False, or_file: bool = False) -> str:
        from memwiki.index.find import find  # not for a search

        root, ignore = self.context.root, self.context.ignore
        return find(name, self.lookup, self.scope, root, ignore, is_only=is_only, or_file=or_file)

    def note_outside(self, name: str, path: str) -> None:
        """Tell that what a name means is not in the namespace."""
        note = f"{name} is outside of namespace {self.scope.name}"
        if self.scope.is_outside(path) and note not in self.tell:
            self.tell.append(note)


def refresh(live: LiveIndex, progress: Progress | None = None) -> Freshness:
    """Bring the index up to date as a reader does, or say why not; and why it is this one that
    answers, where another was asked for."""
    found = _refreshed(live, progress)
    reasons = filter(None, (live.stands_in, found.reason))
    return found._replace(reason="; ".join(reasons)) if live.stands_in else found


def _refreshed(live: LiveIndex, progress: Progress | None) -> Freshness:
    if fed := live.fed():
        return Freshness(fed.is_fresh, 0 if fed.is_fresh else None, fed.reason, fed.as_of)
    if live.is_awaiting or not live.is_synced:
        return unswept(live)
    changes = live.reader_sync(progress)
    if changes.fresh:
        return Freshness(fresh=True, pending=0, reason=changes.reason)
    if live.sweep_seconds is not None:
        return Freshness(fresh=False, pending=None, reason=changes.reason)  # a walk is too long
    pending = max(live.pending_now(), len(changes.failed))
    return Freshness(fresh=False, pending=pending, reason=changes.reason)


def unswept(live: LiveIndex) -> Freshness:
    """How fresh the index is where nobody looks at the files for the answer: a watcher may know."""
    if live.fed():
        return refresh(live)
    if known := known_until(live):
        return Freshness(fresh=True, pending=0, as_of=iso_of(known))
    why = "the files were not looked at" if live.is_synced else "not synced, as asked"
    return Freshness(fresh=False, pending=None, reason=why)


Opened: TypeAlias = AbstractContextManager[Reading]


def reading(
    live: LiveIndex, progress: Progress | None = None, *, is_making: bool = False
) -> Opened:
    """The cards, up to date, for one answer; with `is_making` for a verb that makes the namespace
    where it is missing."""
    scope = scope_there(live.context, is_making=is_making)
    return _open_reading(live, refresh(live, progress), scope)


def unswept_reading(live: LiveIndex) -> Opened:
    """The same without looking at the files, but where there is no index yet."""
    scope = scope_there(live.context)
    is_first = live.is_synced and not live.has_answers()
    return _open_reading(live, refresh(live) if is_first else unswept(live), scope)


def whole_reading(live: LiveIndex) -> Opened:
    """The same for an answer about the workspace and all of its namespaces, whatever was asked
    for."""
    scope = scope_of(live.context.layers, EVERY, live.context.namespaces())
    return _open_reading(live, refresh(live), scope)


def linked_reading(live: LiveIndex, progress: Progress | None = None) -> Opened:
    """The same for an answer about many links: what each means is brought up to date first."""
    scope = scope_there(live.context)
    freshness = refresh(live, progress)
    live.resolve_links()
    return _open_reading(live, freshness, scope)


def used_reading(live: LiveIndex) -> Opened:
    """The same for an answer that says how entries are used: the usage files are added up first."""
    scope = scope_there(live.context)
    freshness = refresh(live)
    live.add_up_usage()
    return _open_reading(live, freshness, scope)


@contextmanager
def _open_reading(live: LiveIndex, freshness: Freshness, scope: Scope) -> Iterator[Reading]:
    with live.opened() as stores:
        yield Reading(live, stores, freshness, scope)


def scope_there(context: Context, *, is_making: bool = False) -> Scope:
    """What is asked for; NotFoundError where it is a namespace that is not there."""
    scope = context.scope()
    if scope.base and not (is_making or (context.root / scope.base).is_dir()):
        raise no_namespace(context, scope.name)
    return scope


def no_namespace(context: Context, name: str) -> NotFoundError:
    """What is said of a namespace that is not there."""
    from difflib import get_close_matches

    known = {fold(each): each for each in context.namespaces()}
    near = [known[each] for each in get_close_matches(fold(name), known, cutoff=0.6)]
    hint = f"did you mean {near[0]}?" if near else "memwiki namespace list"
    return NotFoundError(f"namespace {name}: there is none of this name", hint)


class Rebuildable(Protocol):
    """Anything with an index that can be rebuilt."""

    live: LiveIndex


W = TypeVar("W", bound=Rebuildable)
Kind = TypeVar("Kind", bound=type)


def rebuilding(
    ask: Callable[Concatenate[W, P], T],
) -> Callable[Concatenate[W, P], T]:
    """Ask once more after building a damaged index anew; without sync the damage is the answer."""

    @wraps(ask)
    def asked(subject: W, /, *args: P.args, **kwargs: P.kwargs) -> T:
        live, once = subject.live, partial(ask, subject, *args, **kwargs)
        try:
            with live.refusing_old_settings():
                return _rebuilt(subject, live, once)
        except OtherSettingsError:
            new = live.renewed() if subject.live.unread_folders() else None
            if new:
                subject.live = _as_shown(new, live)
            return _rebuilt(subject, subject.live, once)
        except _NowPrivateError:
            subject.live = live.masked.public(is_current=True) if live.masked else live
            return _rebuilt(subject, subject.live, once)
        except DiskError as error:
            if not (subject.live.is_synced and subject.live.go_on_in_memory(error.message)):
                raise
            return once()
        except UnreachableError:
            if not _go_on_elsewhere(subject, live):
                raise
            return _rebuilt(subject, subject.live, once)

    return asked


def _rebuilt(subject: Rebuildable, live: LiveIndex, ask: Callable[[], T]) -> T:
    with disk_errors_named():
        try:
            return _of_one_build(live, ask)
        except ClosedError:
            # Not damage: another build took the place of the one that was being read.
            return ask()
        except DAMAGE as error:
            if not is_damage(error):
                raise
            if not subject.live.is_synced:
                raise _damage_error(error) from error
            subject.live.rebuild(str(error))
            return ask()


def rebuilding_at_once(
    ask: Callable[Concatenate[W, P], T],
) -> Callable[Concatenate[W, P], T]:
    """The same for what asks many things, which all rest on one look at the files until it changes
    some."""

    @wraps(ask)
    def asked(subject: W, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with subject.live.one_sweep():
            return ask(subject, *args, **kwargs)

    return rebuilding(asked)


def _go_on_elsewhere(subject: Rebuildable, old: LiveIndex) -> bool:
    """Ask what stands in for an index that cannot be reached; False where nothing does.

    A subject that does not follow by itself shows no more of it than it showed before.
    """
    new = old.instead()
    if new and subject.live is not new:
        subject.live = _as_shown(new, old)
    return new is not None


def _as_shown(new: LiveIndex, old: LiveIndex) -> LiveIndex:
    """An index for whoever asked another one, with no more in it than was shown of that."""
    mine = new.by(old.context.actor)
    return mine.public() if old.context.is_public else mine


def _of_one_build(live: LiveIndex, ask: Callable[[], T]) -> T:
    """Ask until no other build takes the place of the one that answers."""
    for _ in range(SWAPS):
        try:
            return ask()
        except (FileNotFoundError, DiskError, *DAMAGE) as error:
            if not (isinstance(error, ReplacedError) or live.is_replaced()):
                raise
    return ask()


def _damage_error(error: Exception) -> IndexDamagedError:
    what = f"cards: {error}" if isinstance(error, SqlError) else str(error)
    return IndexDamagedError(what, "memwiki sync rebuilds it")


class Facing:
    """What asks an index, and the environment of its user."""

    def __init__(self, live: LiveIndex, environ: Mapping[str, str] = {}) -> None:
        self.live, self._environ = live, environ


def rebuilding_verbs(facet: Kind) -> Kind:
    """Each verb of a facet asks once more after building a damaged index anew."""
    for name, verb in list(vars(facet).items()):
        if isinstance(verb, FunctionType) and not name.startswith("_"):
            setattr(facet, name, rebuilding(verb))
    return facet
