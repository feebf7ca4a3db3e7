"""What is asked of a recall beside its question, and what that lets through."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from math import inf
from typing import NamedTuple

from memwiki.answers.recall import Channel, RecallMode, Strategy
from memwiki.dates import named_day
from memwiki.errors import UsageError
from memwiki.index.cards.filters import Filters
from memwiki.index.unit_key import UnitKey
from memwiki.model import Layers, UnitKind
from memwiki.names import fold, stem_of
from memwiki.recall.filters import Conditions, Matches
from memwiki.recall.passages import Passage
from memwiki.recall.query import Filter, FilterKind
from memwiki.sync.reading import Reading

_KINDS = {
    Channel.PAGES: (UnitKind.BLOCK,),
    Channel.ENTRIES: (UnitKind.ENTRY,),
    Channel.SESSIONS: (UnitKind.MESSAGE, UnitKind.PART),
}


class Trust(NamedTuple):
    """What is known of a passage beside its text, handed in by who keeps memories."""

    importance: float = 0.5
    value: float = 0.0  # by use
    last_recall_days: float = inf
    is_superseded: bool = False
    is_low: bool = False  # staged, or nobody of ours said it


Know = Callable[[Passage], Trust]
KnowledgeOf = Callable[[Reading], Know]


class RecallOptions(NamedTuple):
    """How a question is answered, and what may answer it."""

    limit: int
    min_score: float
    weights: Mapping[str, float]
    budget: int | None = None  # tokens
    mode: RecallMode = RecallMode.AUTO
    strategy: Strategy = Strategy.HYBRID
    channel: Channel = Channel.ALL
    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    subject: str = ""
    relations: tuple[str, ...] = ()  # which links are followed; () for all
    depth: int = 2
    session: str = ""
    is_explained: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        """All that is looked up."""
        named = (self.since, self.until, self.subject, *self.relations, self.session)
        return (*self.types, *self.tags, *named)

    @property
    def is_deep(self) -> bool:
        """Whether it asks for the graph, whatever the question."""
        is_of_graph = self.strategy is Strategy.GRAPH or self.channel is Channel.GRAPH
        return is_of_graph or bool(self.relations) or self.mode is RecallMode.DEEP

    @property
    def needs_links(self) -> bool:
        """Whether what links mean has to be known."""
        return self.is_deep or self.is_explained or "reference" in self.weights

    def prefers(self, passage: Passage) -> bool:
        """Whether it is of the session that was asked for, or a memory."""
        is_own = passage.is_entry or is_session_named(passage.card.path, self.session)
        return bool(self.session) and is_own

    def filters(self, today: date) -> tuple[Filter, ...]:
        """The filters that can stand in a question, too."""
        found = [Filter(FilterKind.TAG, tag.lstrip("#")) for tag in self.tags]
        for kind, text in ((FilterKind.SINCE, self.since), (FilterKind.UNTIL, self.until)):
            if text:
                found.append(Filter(kind, _day(kind, text, today)))
        if self.subject:
            found.append(Filter(FilterKind.FIELD, self.subject, name="subject"))
        return tuple(found)

    def conditions(self, let_through: Conditions, cards: Filters, layers: Layers) -> Conditions:
        """What the filters let through, with what no question can say."""
        wanted, unwanted = list(let_through.wanted), list(let_through.unwanted)
        if self.types:
            wanted.append(_any_of_types(self.types, cards))
        if self.channel in _KINDS:
            wanted.append(OfKinds(_KINDS[self.channel]))
        if self.session:
            unwanted.append(_other_sessions(self.session, cards, layers))
        return let_through._replace(wanted=tuple(wanted), unwanted=tuple(unwanted))


class OfKinds(NamedTuple):
    """Lets blocks, entries or messages through."""

    kinds: tuple[UnitKind, ...]

    def passes(self, _page: int, unit: bytes) -> bool:
        """Whether a unit is of one of these kinds."""
        return UnitKey(unit).kind in self.kinds


def is_session_named(path: str, session: str) -> bool:
    """Whether a page is the session of this name: its path, or its file name."""
    return fold(session) in (fold(path), fold(stem_of(path)))


def _other_sessions(session: str, cards: Filters, layers: Layers) -> Matches:
    below = cards.in_folder(layers.sessions) if layers.sessions else frozenset()
    others = cards.of_type("session") | below
    return Matches(others - cards.at(lambda path: is_session_named(path, session)))


def _any_of_types(types: Sequence[str], cards: Filters) -> Matches:
    pages = (cards.of_type(name) for name in types)
    units = (cards.units_having("type", name) for name in types)
    return Matches(frozenset().union(*pages), frozenset().union(*units))


def _day(kind: FilterKind, text: str, today: date) -> str:
    day = named_day(text, today, is_end=kind is FilterKind.UNTIL)
    if day is None:
        raise UsageError(
            f"{kind.value}: {text} is not a day", hint=f"for example --{kind.value} 2w"
        )
    return day.isoformat()
