"""Who will answer to a name once some files have moved or changed: a plan laid over the names of
now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from posixpath import basename

from memwiki.index.names import NameKind, folded_number, name_number, names_of
from memwiki.index.resolve import Names
from memwiki.model import Page
from memwiki.names import fold


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
