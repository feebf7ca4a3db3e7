"""What a reading command does first, and what its answer then says about being fresh."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from memwiki.errors import NotFoundError
from memwiki.files.namespaces import namespaces_in
from memwiki.index.cards.lookup import Lookup
from memwiki.index.graph import LinkGraph
from memwiki.index.projection import Progress
from memwiki.index.stores import Stores
from memwiki.names import fold
from memwiki.scope import EVERY, Scope, scope_of
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex


class Freshness(NamedTuple):
    """Whether an answer is up to date, how many changes are pending if not, and why."""

    fresh: bool
    pending: int | None
    reason: str = ""


class Reading(NamedTuple):
    """The index opened for one answer."""

    stores: Stores
    lookup: Lookup
    graph: LinkGraph
    freshness: Freshness
    context: Context
    scope: Scope
    tell: list[str]  # what the person is told beside the answer, once

    def find(self, name: str, *, is_only: bool = False, or_file: bool = False) -> str:
        """The path of the page that a name means; NotFoundError or AmbiguousError otherwise.

        With `is_only` no other page may answer, not even a source behind the page that was made of
        it; with `or_file` another file may.
        """
        from memwiki.index.find import find  # not for a search

        root, ignore = self.context.root, self.context.ignore
        path = find(name, self.lookup, self.scope, root, ignore, is_only=is_only, or_file=or_file)
        self.note_outside(name, path)
        return path

    def find_own(self, name: str) -> str:
        """The same of a page that is to be changed: NotEditableError outside of the namespace."""
        from memwiki.index.find import find

        path = find(name, self.lookup, self.scope, self.context.root, self.context.ignore)
        self.scope.require_own(path)
        return path

    def note_outside(self, name: str, path: str) -> None:
        """Tell that what a name means is not in the namespace."""
        note = f"{name} is outside of namespace {self.scope.name}"
        if self.scope.is_outside(path) and note not in self.tell:
            self.tell.append(note)


def refresh(live: LiveIndex, progress: Progress | None = None) -> Freshness:
    """Bring the index up to date as a reader does, or say why not."""
    if not live.is_synced:
        return Freshness(fresh=False, pending=None, reason="not synced, as asked")
    changes = live.reader_sync(progress)
    if changes.fresh:
        return Freshness(fresh=True, pending=0, reason=changes.reason)
    if live.sweep_seconds is not None:
        return Freshness(fresh=False, pending=None, reason=changes.reason)  # a walk is too long
    pending = max(live.pending_now(), len(changes.failed))
    return Freshness(fresh=False, pending=pending, reason=changes.reason)


@contextmanager
def reading(
    live: LiveIndex, progress: Progress | None = None, *, is_making: bool = False
) -> Iterator[Reading]:
    """The cards, up to date, for one answer; with `is_making` for a verb that makes the namespace
    where it is missing."""
    scope = scope_there(live.context, is_making=is_making)
    freshness = refresh(live, progress)
    with _opened(live, freshness, scope) as view:
        yield view


@contextmanager
def whole_reading(live: LiveIndex) -> Iterator[Reading]:
    """The same for an answer about the workspace and all of its namespaces, whatever was asked
    for."""
    context = live.context
    known = namespaces_in(context.root, context.layers.namespaces)
    freshness = refresh(live)
    with _opened(live, freshness, scope_of(context.layers, EVERY, known)) as view:
        yield view


@contextmanager
def linked_reading(live: LiveIndex, progress: Progress | None = None) -> Iterator[Reading]:
    """The same for an answer about many links: what each means is brought up to date first."""
    scope = scope_there(live.context)
    freshness = refresh(live, progress)
    live.resolve_links()
    with _opened(live, freshness, scope) as view:
        yield view


@contextmanager
def used_reading(live: LiveIndex) -> Iterator[Reading]:
    """The same for an answer that says how entries are used: the usage files are added up first."""
    scope = scope_there(live.context)
    freshness = refresh(live)
    live.add_up_usage()
    with _opened(live, freshness, scope) as view:
        yield view


@contextmanager
def _opened(live: LiveIndex, freshness: Freshness, scope: Scope) -> Iterator[Reading]:
    with live.opened() as stores:
        lookup, graph = Lookup(stores.cards.db), LinkGraph(stores.cards, scope)
        yield Reading(stores, lookup, graph, freshness, live.context, scope, live.warnings)


def scope_there(context: Context, *, is_making: bool = False) -> Scope:
    """What is asked for; NotFoundError where it is a namespace that is not there."""
    scope = context.scope()
    if scope.base and not (is_making or (context.root / scope.base).is_dir()):
        raise no_namespace(context, scope.name)
    return scope


def no_namespace(context: Context, name: str) -> NotFoundError:
    """What is said of a namespace that is not there."""
    from difflib import get_close_matches

    known = {fold(each): each for each in namespaces_in(context.root, context.layers.namespaces)}
    near = [known[each] for each in get_close_matches(fold(name), known, cutoff=0.6)]
    hint = f"did you mean {near[0]}?" if near else "memwiki namespace list"
    return NotFoundError(f"namespace {name}: there is none of this name", hint=hint)
