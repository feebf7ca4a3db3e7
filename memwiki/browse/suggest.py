"""Names for what somebody is typing, from sorted lists in memory, and what the shell offers for a
half-typed one, from the index as it is; no file is looked at."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from posixpath import basename
from typing import TypeAlias

from memwiki.answers.pages import Suggestion, SuggestionList
from memwiki.answers.workspaces import Completion, CompletionList
from memwiki.errors import ArgumentError
from memwiki.files.paths import namespaces_in
from memwiki.index.cards.entries import EntryCards
from memwiki.index.cards.lookup import Lookup
from memwiki.index.cards.store import Cards
from memwiki.memory.entities import naming_of
from memwiki.names import FOLDER_PAGES, fold, require_text, search_form, stem_of, without_suffix
from memwiki.scope import Scope
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, require_shown, unswept_reading
from memwiki.text import CJK, MARKS, NO_BLANKS, pattern

_UNSPACED_FROM = NO_BLANKS[0]
_LETTER = f"[^\\W_{CJK}{NO_BLANKS}]"
_WORD = pattern(f"{_LETTER}+(?:[{MARKS}]+{_LETTER}*)*|[{CJK}{NO_BLANKS}]+")  # of `green_tea` two
_LAST = "\U0010ffff"
_MAX_LISTS = 4  # of views and namespaces that are kept
_MAX_CHARACTERS = 32  # of Chinese that one key holds
_KINDS = ("title", "alias", "file name", "entity", "tag")


NameLists: TypeAlias = "dict[tuple[bool, str], tuple[str, NameList]]"


class _SortedKeys:
    """Keys in order, each once, with the numbers of its names."""

    def __init__(self, pairs: Iterable[tuple[str, int]]) -> None:
        found: dict[str, array[int]] = {}
        for key, number in pairs:
            found.setdefault(key, array("I")).append(number)
        self._keys = sorted(found)
        self._ends, self._numbers = array("I", [0]), array("I")
        for key in self._keys:
            self._numbers += found.pop(key)
            self._ends.append(len(self._numbers))

    def starting(self, start: str) -> array[int]:
        """The names under all keys that begin so."""
        return self._between(start, start + _LAST)

    def equal(self, key: str) -> array[int]:
        """The names under this key."""
        return self._between(key, key)

    def _between(self, first: str, last: str) -> array[int]:
        start, end = bisect_left(self._keys, first), bisect_right(self._keys, last)
        return self._numbers[self._ends[start] : self._ends[end]]


class NameList:
    """The names of one state of the index; the number of a name is its rank."""

    def __init__(self, names: Iterable[Suggestion]) -> None:
        self._names = sorted(names, key=_rank)
        folded = [_fold(each.name) for each in self._names]
        self._starts = _SortedKeys((name, at) for at, name in enumerate(folded))
        words = ((word, at) for at, name in enumerate(folded) for word in _keys(name))
        self._words = _SortedKeys(words)

    def find(self, text: str, limit: int) -> tuple[Suggestion, ...]:
        """Names that begin with the text, then those that hold its words, the last one as the
        beginning of a word; each page once."""
        found: dict[tuple[str, str], Suggestion] = {}
        for number in self._numbers(_fold(text.removeprefix("#"))):
            each = self._names[number]
            if text.startswith("#") and each.kind != "tag":
                continue
            key = ("", each.name) if each.kind in ("tag", "entity") else (each.path, "")
            found.setdefault(key, each)
            if len(found) == limit:
                break
        return tuple(found.values())

    def _numbers(self, start: str) -> Iterator[int]:
        if len(start) > 1 or start >= _UNSPACED_FROM:
            yield from sorted(self._starts.starting(start))
        yield from sorted(self._with_words(_WORD.findall(start)))

    def _with_words(self, words: Sequence[str]) -> set[int]:
        if not words:
            return set()
        found = set(self._begun(words[-1]))
        for word in words[:-1]:
            is_whole = word < _UNSPACED_FROM
            found &= set(self._words.equal(word) if is_whole else self._begun(word))
        return found

    def _begun(self, word: str) -> array[int]:
        is_whole = len(word) == 1 and word < _UNSPACED_FROM
        return self._words.equal(word) if is_whole else self._words.starting(_key(word))


def _rank(each: Suggestion) -> tuple[int, int, str, str]:
    return len(each.name), _KINDS.index(each.kind), fold(each.name), each.path


def _fold(text: str) -> str:
    return " ".join(search_form(text).split())


def _keys(name: str) -> set[str]:
    """The words of a name; Chinese, which has no blanks, from each of its characters on."""
    words = _WORD.findall(name)
    chinese = [word for word in words if word >= _UNSPACED_FROM]
    parts = (_key(word[at:]) for word in chinese for at in range(len(word)))
    return {*(word for word in words if word < _UNSPACED_FROM), *parts}


def _key(word: str) -> str:
    return word if word < _UNSPACED_FROM else word[:_MAX_CHARACTERS]


def _list_of(view: Reading, lists: NameLists) -> NameList:
    """The list of what is seen now, made when the index is another one."""
    key, tree = (view.context.is_public, view.scope.name), view.stores.cards.tree()
    known_tree, names = lists.pop(key, ("", None))
    if names is None or known_tree != tree:
        names = NameList(_names(view))
    lists[key] = tree, names
    for oldest in list(lists)[:-_MAX_LISTS]:
        lists.pop(oldest, None)
    return names


def suggest(live: LiveIndex, text: str, limit: int, lists: NameLists | None) -> SuggestionList:
    """What somebody may be about to type: names of pages, entities and tags.

    `lists` keeps them for the next question; without, only those are put in order that may answer.
    """
    require_text("suggest", text)
    with unswept_reading(live) as view:
        names = NameList(holding(text, _names(view))) if lists is None else _list_of(view, lists)
        found = names.find(text, limit)
        state = view.freshness
    return SuggestionList(found, text, *state)


def holding(text: str, names: Iterable[Suggestion]) -> Iterator[Suggestion]:
    """Those that hold every word of a text: what it finds, and more."""
    words = [_key(word) for word in _WORD.findall(_fold(text))]
    for each in names:
        name = search_form(each.name)
        if all(word in name for word in words):
            yield each


def _names(view: Reading) -> Iterator[Suggestion]:
    """Every name that is seen, of a page each of its own once."""
    known = set[str]()
    for path, title, aliases in view.lookup.all_spelled_names():
        if view.scope.sees(path):
            own = list(_names_of(path, title, aliases))
            known.update(fold(each.name) for each in own)
            yield from own
    tags = {fold(tag): tag for path, tag in view.lookup.all_tags() if view.scope.sees(path)}
    yield from (Suggestion(tag, "tag") for tag in tags.values())
    for folded, (name, path) in _entities(view).items():
        if folded not in known:
            yield Suggestion(name, "entity", path)


def _names_of(path: str, title: str, aliases: Sequence[str]) -> Iterator[Suggestion]:
    stem = stem_of(path)
    named = [(title, "title"), *((alias, "alias") for alias in aliases)]
    if fold(stem) not in FOLDER_PAGES:
        named.append((stem, "file name"))
    once = {fold(name): (name, kind) for name, kind in reversed(named) if name}
    yield from (Suggestion(name, kind, path) for name, kind in once.values())


def _entities(view: Reading) -> dict[str, tuple[str, str]]:
    """What entries say that they are about, with the page of the first that does."""
    attributes = view.context.config.memory.entity_attributes
    found: dict[str, tuple[str, str]] = {}
    for path, fields in EntryCards(view.stores.cards.db).all_fields():
        if view.scope.sees(path):
            naming = naming_of(path, 0, fields, attributes)
            for name in filter(None, (naming.subject, *naming.others)):
                found.setdefault(fold(name), (name, path))
    return found


def complete(live: LiveIndex, kind: str, typed: str) -> CompletionList:
    """Names of pages (`page`), tags (`tag`), types (`type`), entries (`entry`) or namespaces
    (`namespace`) that begin with what was typed."""
    if kind == "namespace":
        return _namespaces(live, typed)
    if kind not in _COMPLETED:
        raise ArgumentError(
            "kind", kind, "not a kind of names", f"use {', '.join((*_COMPLETED, 'namespace'))}"
        )
    scope = live.context.scope()
    with live.opened() as stores:
        require_shown(live, Lookup(stores.cards.db))
        offered = _COMPLETED[kind](stores.cards, typed, scope)
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


_COMPLETED = {"page": _pages, "tag": _tags, "type": _types, "entry": _entries}


def _can_be_typed(value: str) -> bool:
    """Leave out what no shell takes as one plain word: control characters, a leading minus."""
    return bool(value) and value.isprintable() and not value.startswith("-")
