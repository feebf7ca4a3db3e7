"""The whole workspace as rules see it: cards, links, facts, and what day it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import cached_property

from memwiki.check.facts import Facts
from memwiki.index.graph import Graph
from memwiki.index.lookup import Card, Lookup
from memwiki.model import Layers, LinkRow


class Overview:
    """Everything that is known without reading pages, each part worked out when first asked for."""

    def __init__(
        self,
        lookup: Lookup,
        graph: Graph,
        layers: Layers,
        today: date,
        facts: Mapping[str, Facts],
        read: Callable[[str], bytes],
    ) -> None:
        self.lookup, self.graph, self.layers = lookup, graph, layers
        self.today, self.facts = today, facts
        self.read = read  # the bytes of a file, for the few pages of which the text is needed

    @cached_property
    def cards(self) -> Mapping[str, Card]:
        """The cards of all pages by path."""
        return {card.path: card for card in self.lookup.cards()}

    @cached_property
    def links(self) -> tuple[LinkRow, ...]:
        """Every link of every page, resolved; addresses elsewhere are none."""
        return tuple(self.graph.everything())
