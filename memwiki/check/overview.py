"""The whole workspace as rules see it: cards, links, facts, and what day it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from memwiki.check.facts import Facts
from memwiki.index.cards.lookup import Card, Lookup
from memwiki.index.graph import FOUND, Graph, ResolvedLink
from memwiki.markdown.describe import inner_path, is_in
from memwiki.model import Layers
from memwiki.names import fold


class TagLocation(NamedTuple):
    """Where a tag stands first on a page."""

    path: str
    line: int
    is_meant: bool  # as a tag: `#define` in a sentence looks like one


class Catalogs(NamedTuple):
    """The catalogs that are there and not as they should be, by path; whether they are known to
    list the pages as they are."""

    is_settled: bool = True
    stale: tuple[str, ...] = ()
    large: tuple[str, ...] = ()


class CheckEnvironment(NamedTuple):
    """What rules may know besides the index and the facts."""

    today: date
    read: Callable[[str], bytes]  # the bytes of a file, for the few of which the text is needed
    exists: Callable[[str], bool]  # whether there is a file or folder, seen by the index or not
    first_seen: Mapping[str, tuple[str, str]] = MappingProxyType({})  # source -> (digest, day)
    out_of_step: str = ""  # why the index could not follow the files
    catalogs: Catalogs = Catalogs()


class WorkspaceOverview:
    """Everything that is known without reading pages, each part worked out when first asked for."""

    def __init__(
        self,
        lookup: Lookup,
        graph: Graph,
        layers: Layers,
        facts: Mapping[str, Facts],
        around: CheckEnvironment,
    ) -> None:
        self.lookup, self.graph, self.layers = lookup, graph, layers
        self.facts, self.around = facts, around

    @cached_property
    def cards(self) -> Mapping[str, Card]:
        """The cards of all pages by path."""
        return {card.path: card for card in sorted(self.lookup.cards(), key=lambda each: each.path)}

    @cached_property
    def attachments(self) -> frozenset[str]:
        """The paths of the files that are no pages."""
        return frozenset(path for _, path in self.lookup.all_attachments())

    @cached_property
    def folders(self) -> frozenset[str]:
        """The folders at the root that hold a page or another file."""
        paths = (*self.cards, *self.attachments)
        return frozenset(path.partition("/")[0] for path in paths if "/" in path)

    @cached_property
    def links(self) -> tuple[ResolvedLink, ...]:
        """Every link that a reader sees of every page that is not retired, with what it means;
        addresses elsewhere are none."""
        # By path, not as they were indexed: what is reported once is reported at the first page.
        meanings = sorted(self.graph.meanings(), key=lambda each: each.source)
        commented = {path: each.commented for path, each in self.facts.items() if each.commented}
        return tuple(
            each
            for each in meanings
            if each.link.line not in commented.get(each.source, ())
            and each.source not in self.retired
        )

    @cached_property
    def unresolved(self) -> tuple[ResolvedLink, ...]:
        """The links that mean no page and no other file."""
        return tuple(each for each in self.links if each.found.status not in FOUND)

    @cached_property
    def edges(self) -> frozenset[tuple[str, str]]:
        """The pairs of different pages of which one links to the other."""
        cards = self.cards
        pairs = {(source, found.target) for source, _, found in self.links if found.target}
        return frozenset(pair for pair in pairs if pair[0] != pair[1] and pair[1] in cards)

    @cached_property
    def tags(self) -> Mapping[str, Mapping[str, list[TagLocation]]]:
        """The places of each tag, by its folded form and by the way it is written there."""
        found: dict[str, dict[str, list[TagLocation]]] = {}
        for path, facts in self.facts.items():
            for tag, line, is_meant in facts.tags if path not in self.retired else ():
                ways = found.setdefault(fold(tag), {})
                ways.setdefault(tag, []).append(TagLocation(path, line, is_meant))
        return found

    @cached_property
    def retired(self) -> frozenset[str]:
        """The pages in the archive, where nothing is put right any more."""
        archive = self.layers.archive
        return frozenset(
            path for path in self.cards if archive and is_in(inner_path(path, self.layers), archive)
        )

    @cached_property
    def subjects(self) -> frozenset[str]:
        """The pages about something, that somebody wrote to be read and found by way of links."""
        return frozenset(path for path, each in self.facts.items() if each.is_described is not None)


def locations(paths: Iterable[str], limit: int = 3) -> str:
    """A few paths as a sentence names them."""
    paths = list(paths)
    shown = ", ".join(paths[:limit])
    return shown if len(paths) <= limit else f"{shown} and {len(paths) - limit} more"
