"""What is linked with a page or an entry: what an entry says leads from the entry, not from the
page that it stands on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from memwiki.index.cards.entry_lines import EntryLines, EntryLocation
from memwiki.index.meanings.lookup import Edge, Meanings, ResolvedLink, anchor
from memwiki.index.names import entry_id


class Surroundings:
    """The edges of pages and entries; those of the entries of a page are looked for once."""

    def __init__(self, meanings: Meanings, entries: EntryLines) -> None:
        self._meanings, self._entries = meanings, entries
        self._from: dict[str, Mapping[str, list[Edge]]] = {}
        self._to: dict[str, Mapping[str, list[Edge]]] = {}

    def edges_of(self, node: str) -> list[Edge]:
        """The edges from a page or entry and to it, but for those to itself; not joined."""
        if self._meanings.holds(node):
            return [*self._meanings.edges_of(node), *self._into(node).get(node, ())]
        entry = self._entries.named(node)
        return self._edges_of_entry(entry) if entry else []

    def _edges_of_entry(self, entry: EntryLocation) -> list[Edge]:
        path, address = entry.path, entry.address
        if path not in self._from:
            edges = self._edges(self._meanings.entry_links_on(path))
            self._from[path] = _grouped((edge.source, edge) for edge in edges)
        return [*self._from[path].get(address, ()), *self._into(path).get(address, ())]

    def _into(self, path: str) -> Mapping[str, list[Edge]]:
        """What entries say of a page and of the entries on it."""
        if path not in self._to:
            edges = self._edges(self._meanings.entry_links_to(path))
            self._to[path] = _grouped((edge.target, edge) for edge in edges)
        return self._to[path]

    def _edges(self, links: Iterable[ResolvedLink]) -> Iterator[Edge]:
        for source, link, found in links:
            entry = self._entries.at(source, link.line)
            if entry is None:
                continue
            end = found.target or link.written + anchor(link.heading, link.block)
            if found.target and (named := self._entries.with_id(end, entry_id(link))):
                end = named.address
            if end != entry.address:
                is_wanted = not found.target
                yield Edge(entry.address, end, link.relation, link.weight, is_wanted)


def _grouped(edges: Iterable[tuple[str, Edge]]) -> Mapping[str, list[Edge]]:
    found: dict[str, list[Edge]] = {}
    for node, edge in edges:
        found.setdefault(node, []).append(edge)
    return found
