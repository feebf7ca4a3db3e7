"""The names of the pages of entities, as the index knows them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from memwiki.index.cards.lookup import Lookup
from memwiki.index.names import NameKind, name_number
from memwiki.memory.knowledge.graph import folder_of
from memwiki.memory.knowledge.items import shown_label, shown_name
from memwiki.memory.knowledge.pages import moment_of
from memwiki.names import fold, is_in_folder, stem_of, without_suffix
from memwiki.nouns import Layers


class EntityNames:
    """Read once, and asked without the index."""

    def __init__(self, lookup: Lookup, layers: Layers) -> None:
        self._folder = folder_of(layers)
        self._titled: dict[str, list[str]] = {}
        self.digests: dict[str, str] = {}
        self.latest = ""
        for card in lookup.cards():
            if is_in_folder(card.path, self._folder):
                self.digests[card.path] = card.digest
                for name in {fold(card.title), fold(stem_of(card.path))}:
                    self._titled.setdefault(name, []).append(card.path)
                self.latest = max(self.latest, moment_of(card.created))
        self._aliased: dict[int, list[str]] = {}
        for number, _, path in lookup.all_names(NameKind.ALIAS):
            if path in self.digests:
                self._aliased.setdefault(number, []).append(path)

    def paths(self, name: str) -> list[str]:
        """The pages with this title, file name or alias."""
        aliased = self._aliased.get(name_number(name), ()) if self._aliased else ()
        return sorted({*self._titled.get(fold(name), ()), *aliased})

    def linking(self, names: Collection[str], lookup: Lookup) -> Iterator[str]:
        """The pages of entities with a typed link that may mean one of these names."""
        wanted = {fold(form) for name in names for form in (name, *self._written(name))}
        found: dict[str, None] = {}
        for path, link in lookup.all_links():
            if link.relation and path in self.digests and path not in found:
                last = without_suffix(link.written).rpartition("/")[2]
                if fold(link.text) in wanted or fold(last) in wanted or link.written in names:
                    found[path] = None
        yield from found

    def _written(self, name: str) -> Iterator[str]:
        """How links to an entity may end."""
        shown = shown_name(name)
        yield from (shown, shown_label(name))
        yield from map(stem_of, self.paths(shown))
