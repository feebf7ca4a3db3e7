"""Who answers to a name: all names of the cards in dictionaries, and those that there will be once
some files have moved or changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from posixpath import basename

from memwiki.index.cards.lookup import Lookup
from memwiki.index.names import NameKind, folded_number, name_number, names_of
from memwiki.index.resolve import Names
from memwiki.index.sql import grouped
from memwiki.names import fold, without_suffix
from memwiki.nouns import Page


class NamesInMemory:
    """All names in dictionaries: for questions about every link at once."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._exact: dict[str, Sequence[str]] = {path: (path,) for path in lookup.all_paths()}
        self._paths: dict[str, list[str]] = {}
        self._stems: dict[str, list[str]] = {}
        for path in self._exact:
            bare = without_suffix(path)
            for name in {fold(path), fold(bare)}:
                self._paths.setdefault(name, []).append(path)
            self._stems.setdefault(fold(basename(bare)), []).append(path)
        files = (path for _, path in lookup.all_attachments())
        self._attachments = grouped((fold(basename(path)), path) for path in files)

    def pages(self, kind: NameKind, name: str) -> Sequence[str]:
        """Paths of the pages that have this name of this kind."""
        if kind is NameKind.PATH:
            exact = self._exact.get(name)  # nearly always, and it is the one meant
            return self._paths.get(fold(name), ()) if exact is None else exact
        if kind is NameKind.STEM:
            return self._stems.get(fold(name), ())
        return self._others.get((self._number(fold(name)), kind), ())

    def slugs(self, form: str) -> Sequence[str]:
        """Paths of the pages one of whose names has this slug form."""
        return self._others.get((self._number(form), NameKind.SLUG), ()) if form else ()

    def attachments(self, name: str) -> Sequence[str]:
        """Paths of the other files with this file name."""
        return self._attachments.get(fold(name), ())

    def entries(self, id_: str) -> Sequence[str]:
        """Paths of the pages that hold an entry with this id; few links ask."""
        return self._lookup.entries(id_)

    @cached_property
    def _number(self) -> Callable[[str], int]:
        return cache(folded_number)  # a name is asked for as an alias, a title and a slug

    @cached_property
    def _others(self) -> Mapping[tuple[int, int], Sequence[str]]:
        """Names that are no paths, only known as numbers; few links get this far."""
        names = self._lookup.all_names(NameKind.ALIAS, NameKind.TITLE, NameKind.SLUG)
        return grouped(((number, kind), path) for number, kind, path in names)


class NamesTogether:
    """Names of which many are asked with one question: who looks for them looks again, and again,
    until nothing is asked that is not known yet. At first nobody answers, so that nearly all that
    may be asked is asked at once."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._named: dict[int, dict[int, list[str]]] = {}
        self._attached: dict[int, list[str]] = {}
        self._asked: dict[bool, set[int]] = {True: set(), False: set()}  # by whether of pages

    def pages(self, kind: NameKind, name: str) -> Sequence[str]:
        """Paths of the pages that have this name of this kind, as far as they are known."""
        return self._pages(name_number(name)).get(kind, ())

    def slugs(self, form: str) -> Sequence[str]:
        """Paths of the pages one of whose names has this slug form, as far as they are known."""
        return self._pages(folded_number(form)).get(NameKind.SLUG, ()) if form else ()

    def attachments(self, name: str) -> Sequence[str]:
        """Paths of the other files with this file name, as far as they are known."""
        number = name_number(name)
        self._asked[False].add(number)
        return self._attached.get(number, ())

    def entries(self, id_: str) -> Sequence[str]:
        """Paths of the pages that hold an entry with this id; few links ask."""
        return self._lookup.entries(id_)

    def _pages(self, number: int) -> Mapping[int, Sequence[str]]:
        self._asked[True].add(number)
        return self._named.get(number, {})

    def learn(self) -> bool:
        """Find out what was asked and is not known; whether there was anything."""
        pages = self._asked[True] - self._named.keys()
        files = self._asked[False] - self._attached.keys()
        self._named.update((number, {}) for number in pages)
        self._attached.update((number, []) for number in files)
        for number, kind, path in self._lookup.named_among(pages):
            self._named[number].setdefault(kind, []).append(path)
        for number, path in self._lookup.attached_among(files):
            self._attached[number].append(path)
        return bool(pages or files)


class NamesOverlay:
    """The names of the workspace with some pages replaced by what they will be."""

    def __init__(
        self, names: Names, moves: Mapping[str, str], pages: Iterable[tuple[str, Page]]
    ) -> None:
        """`pages` are (path now, page as it will be); files in `moves` that are no pages move too,
        and what moves to "" is gone."""
        self._names = names
        self._gone = set(moves)
        self._named: dict[tuple[int, int], list[str]] = {}
        self._attached: dict[int, list[str]] = {}
        self._entries: dict[str, list[str]] = {}
        paged = set()
        for path, page in pages:
            paged.add(path)
            self._gone.add(path)
            if page.is_catalog:
                continue
            for kind, number in names_of(page):
                self._named.setdefault((number, kind), []).append(page.path)
            for id_ in {fold(unit.id) for unit in page.units if unit.id}:
                self._entries.setdefault(id_, []).append(page.path)
        for old, new in moves.items():
            if new and old not in paged:
                self._attached.setdefault(name_number(basename(new)), []).append(new)

    def pages(self, kind: NameKind, name: str) -> Sequence[str]:
        """Paths of the pages that will have this name of this kind."""
        return self._with_changes(self._names.pages(kind, name), name_number(name), kind)

    def slugs(self, form: str) -> Sequence[str]:
        """Paths of the pages one of whose names will have this slug form."""
        if not form:
            return ()
        return self._with_changes(self._names.slugs(form), folded_number(form), NameKind.SLUG)

    def attachments(self, name: str) -> Sequence[str]:
        """Paths of the other files that will have this file name."""
        kept = [path for path in self._names.attachments(name) if path not in self._gone]
        return kept + self._attached.get(name_number(name), [])

    def entries(self, id_: str) -> Sequence[str]:
        """Paths of the pages that will hold an entry with this id."""
        kept = [path for path in self._names.entries(id_) if path not in self._gone]
        return kept + self._entries.get(fold(id_), [])

    def _with_changes(self, paths: Sequence[str], number: int, kind: NameKind) -> list[str]:
        kept = [path for path in paths if path not in self._gone]
        return kept + self._named.get((number, kind), [])
