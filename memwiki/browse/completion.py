"""What the shell offers for a half-typed name: from the index as it is, without looking at
files."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename

from memwiki.answers.workspaces import Completion, CompletionList
from memwiki.errors import ArgumentError
from memwiki.files.paths import namespaces_in
from memwiki.index.cards.entries import EntryCards
from memwiki.index.cards.lookup import Lookup
from memwiki.index.cards.store import Cards
from memwiki.names import fold, without_suffix
from memwiki.scope import Scope
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import require_shown


def complete(live: LiveIndex, kind: str, typed: str) -> CompletionList:
    """Names of pages (`page`), tags (`tag`), types (`type`), entries (`entry`) or namespaces
    (`namespace`) that begin with what was typed."""
    if kind == "namespace":
        return _namespaces(live, typed)
    if kind not in _KINDS:
        raise ArgumentError(
            "kind", kind, "not a kind of names", f"use {', '.join((*_KINDS, 'namespace'))}"
        )
    scope = live.context.scope()
    with live.opened() as stores:
        require_shown(live, Lookup(stores.cards.db))
        offered = _KINDS[kind](stores.cards, typed, scope)
        by_value = {each.value: each for each in offered if _can_be_typed(each.value)}
    return CompletionList(tuple(sorted(by_value.values(), key=lambda each: fold(each.value))))


def _pages(cards: Cards, typed: str, scope: Scope) -> Iterator[Completion]:
    """Titles, else file names; and paths, one folder at a time."""
    start, folder = fold(typed), typed.rpartition("/")[0]
    at = len(folder) + 1 if folder else 0
    for path, title in Lookup(cards.db).all_titles():
        if not scope.owns(path):
            continue
        stem = without_suffix(path)
        if fold(path).startswith(start):
            name, slash, _ = path[at:].partition("/")
            yield Completion(path[:at] + name + slash, "" if slash else title)
        if not typed:
            continue  # every title would be too much of an answer
        if fold(title).startswith(start):
            yield Completion(title, path)
        elif fold(basename(stem)).startswith(start):
            yield Completion(basename(stem), path)


def _tags(cards: Cards, typed: str, scope: Scope) -> Iterator[Completion]:
    start = fold(typed.lstrip("#"))
    return (
        Completion(tag)
        for path, tag in Lookup(cards.db).all_tags()
        if fold(tag).startswith(start) and scope.sees(path)
    )


def _types(cards: Cards, typed: str, scope: Scope) -> Iterator[Completion]:
    start = fold(typed)
    return (
        Completion(card.type)
        for card in Lookup(cards.db).cards()
        if fold(card.type).startswith(start) and scope.sees(card.path)
    )


def _entries(cards: Cards, typed: str, scope: Scope) -> Iterator[Completion]:
    """Keys; and ids, once something of one is typed."""
    for card in EntryCards(cards.db).all():
        if not scope.owns(card.path):
            continue
        key = card.fields.get("key", "")
        if key.startswith(typed):
            yield Completion(key, card.path)
        if typed and card.id.startswith(typed):
            yield Completion(card.id, card.path)


def _namespaces(live: LiveIndex, typed: str) -> CompletionList:
    context = live.context
    names = namespaces_in(context.root, context.layers.namespaces)
    found = (name for name in names if fold(name).startswith(fold(typed)) and _can_be_typed(name))
    return CompletionList(tuple(map(Completion, found)))


_KINDS = {"page": _pages, "tag": _tags, "type": _types, "entry": _entries}


def _can_be_typed(value: str) -> bool:
    """Leave out what no shell takes as one plain word: control characters, a leading minus."""
    return bool(value) and value.isprintable() and not value.startswith("-")
