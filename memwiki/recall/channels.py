"""What channels are handed and what they find: one generation of the index, opened for one
question, with the texts that are looked at meanwhile; and the units that may answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from heapq import nlargest
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

from memwiki.clock import local_day
from memwiki.dates import iso_date
from memwiki.digest import digest_of
from memwiki.errors import MemwikiError
from memwiki.files.read import SharedRoot, read
from memwiki.index.cards.filters import Filters
from memwiki.index.cards.locations import UnitLocation
from memwiki.index.cards.lookup import Card, Lookup
from memwiki.index.units import UnitKey, hit_of, hits_of
from memwiki.markdown.source import decode
from memwiki.nouns import UnitKind
from memwiki.recall.filters import FilterEvaluator
from memwiki.records import NamedTuple
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Freshness, Reading

if TYPE_CHECKING:
    from memwiki.answers.recall import Recall, SearchAnswer
    from memwiki.index.graph import LinkGraph


LOOKED_AT = 50  # best hits by their words, of which all scores are worked out
_FIRST = 256  # units that are put in order at first; nearly always enough
Scores: TypeAlias = Mapping[bytes, float]  # of units, by their keys as they are stored


class Channel(Protocol):
    """One way to find what may answer a question: by words, by names, along the graph ..."""

    def find(self, found: Scores) -> Scores:
        """The units of this channel with their scores, given what the channels before it found.

        A channel that only changes what others found, as a conversation does, gives all of it.
        """


class RankedUnit(NamedTuple):
    """A unit that answers, how well (0..1), and why if that is known already."""

    key: UnitKey
    score: float
    reason: str = ""


class HitCount(NamedTuple):
    """How many hits there are, or so many and perhaps more."""

    hits: int
    is_exact: bool = True


class Candidates(dict[bytes, float]):
    """The units that hold the words of a question, with their scores; `highest` is the best of all,
    also of those that may not be shown."""

    def __init__(self, scores: Scores, highest: float) -> None:
        super().__init__(scores)
        self.highest = highest

    def best(self, *, besides: Collection[bytes] = (), reach: float = 0) -> Iterator[RankedUnit]:
        """The best unit of each hit but those `besides`, its score as a share of `reach`."""
        seen = set(besides)
        for row in self.units(reach):
            hit = row.key.hit
            if hit not in seen:
                seen.add(hit)
                yield row

    def units(self, reach: float = 0) -> Iterator[RankedUnit]:
        """All units, best first; equal scores go by key, so that an answer does not depend on the
        order of commits."""
        for key, score in self._in_order():
            yield RankedUnit(UnitKey(key), score / (reach or self.highest))

    def hits(self) -> set[bytes]:
        """All hits."""
        return hits_of(self)

    def _in_order(self) -> Iterator[tuple[bytes, float]]:
        top = nlargest(_FIRST, self.values())
        least = top[-1] if len(top) == _FIRST else 0.0
        first = [row for row in self.items() if row[1] >= least]
        yield from _sort(first)
        if len(first) < len(self):
            yield from _sort([row for row in self.items() if row[1] < least])


def best_by_hit(scores: Scores) -> dict[bytes, float]:
    """The best score of each hit."""
    best: dict[bytes, float] = {}
    for key, score in scores.items():
        hit = hit_of(key)
        best[hit] = max(best.get(hit, 0.0), score)
    return best


def _sort(rows: list[tuple[bytes, float]]) -> list[tuple[bytes, float]]:
    rows.sort()
    rows.sort(key=itemgetter(1), reverse=True)
    return rows


_BLOCK = 4096  # bytes that a file costs at least


class PageText:
    """A page's text by lines."""

    def __init__(self, text: str) -> None:
        self.text, self._has_returns = text, "\r" in text
        self._lines: list[str] = []
        self._cut = 0  # so many lines are cut off; what follows them is one piece

    def part(self, start: int, stop: int) -> list[str]:
        """Lines `start` to `stop`, 1-based and inclusive."""
        if stop > self._cut:
            # The first time no more is cut than is asked for, the second time all of it.
            self._lines = self.text.split("\n", -1 if self._cut else stop)
            self._cut = len(self.text) if self._cut else stop
        lines = self._lines[start - 1 : stop]
        return [line.rstrip("\r") for line in lines] if self._has_returns else lines


class _Described(PageText):
    """A page whose text is nowhere to be had: what it says of itself stands for every part."""

    def part(self, start: int, stop: int) -> list[str]:  # noqa: ARG002 - of any lines
        """The description."""
        return [self.text]


class PageTexts:
    """Reads pages of one workspace and keeps them for the length of an answer."""

    def __init__(self, root: Path, max_bytes: int) -> None:
        self._root, self._max_bytes = root, max_bytes
        self._known: dict[str, PageText] = {}
        self.changed: set[str] = set()  # pages that are no longer what the cards say
        self.bytes_read = 0
        # Else nothing can be looked for in them, and descriptions stand in.
        self.are_there = not isinstance(root, SharedRoot) or root.has_texts

    def __getitem__(self, card: Card) -> PageText:
        """A page as it is now; empty when it cannot be read."""
        page = self._known.get(card.path)
        if page is None:
            page = self._known[card.path] = self.passing(card)
        return page

    def passing(self, card: Card) -> PageText:
        """A page as it is now, not kept: for looking at all of them."""
        if not self.are_there:
            return _Described(card.description or card.title)
        try:
            data = read(self._root, card.path, self._max_bytes)
        except MemwikiError:
            self.changed.add(card.path)
            return PageText("")
        self.bytes_read += max(len(data), _BLOCK)
        if len(data) < self._max_bytes and digest_of(data) != card.digest:
            self.changed.add(card.path)
        return PageText(decode(card.path, data).text)


class Passage(NamedTuple):
    """A unit that may answer."""

    key: UnitKey
    location: UnitLocation
    card: Card
    body: str

    @property
    def is_entry(self) -> bool:
        """Whether it is a memory."""
        return self.key.kind is UnitKind.ENTRY

    @property
    def fields(self) -> Mapping[str, str]:
        """What an entry says of itself."""
        return self.location.fields if self.is_entry else {}

    @property
    def text(self) -> str:
        """Its text, of a block with the title of its page."""
        return f"{self.card.title}\n\n{self.body}" if self.key.is_block else self.body

    @property
    def said(self) -> str:
        """Its text, of a message without the heading that says when and by whom."""
        has_heading = self.key.kind is UnitKind.MESSAGE and self.body.startswith("#")
        return self.body.partition("\n")[2] if has_heading else self.body

    @property
    def date(self) -> str:
        """When it was last written; the time of a file says something of pages alone, and nothing
        of one memory in it."""
        of_file = self.card.changed if self.location.kind == UnitKind.BLOCK else ""
        return date_of(self.card, self.location) or of_file


def located(keys: Iterable[UnitKey], lookup: Lookup) -> dict[UnitKey, tuple[UnitLocation, Card]]:
    """Where units are, and on which pages; without those that went meanwhile."""
    wanted = list(keys)
    cards = lookup.by_number(key.page for key in wanted)
    found = lookup.locations(wanted)
    known = (key for key in wanted if key in found and key.page in cards)
    return {key: (found[key], cards[key.page]) for key in known}


def first_block(path: str, lookup: Lookup) -> UnitKey | None:
    """The first unit that counts for a page; None where there is no such page, or it has none."""
    card = lookup.card(path)
    keys = lookup.unit_keys(card.number) if card else ()
    return next((key for key in keys if key.is_block), None)


def passages_of(
    keys: Iterable[UnitKey], lookup: Lookup, texts: PageTexts
) -> dict[UnitKey, Passage]:
    """The passages of some units; of one that went meanwhile there is none."""
    return {
        key: Passage(key, at, card, "\n".join(texts[card].part(at.line_start, at.line_end)))
        for key, (at, card) in located(keys, lookup).items()
    }


def date_of(card: Card, location: UnitLocation) -> str:
    """When a unit was last written, as it says or its page does; "" when neither does."""
    own = next(filter(None, map(location.fields.get, ("updated", "created", "time"))), "")
    return (iso_date(own) if own else "") or card.written


A = TypeVar("A", "SearchAnswer", "Recall")
_MAX_ATTEMPTS = 3


class AnswerIndex:
    """What all stages and channels of one answer ask."""

    def __init__(self, live: LiveIndex, view: Reading) -> None:
        self.context, self.view = live.context, view
        self.lookup, self.stores = view.lookup, view.stores
        self.snapshot = live.snapshot(view.stores, must_agree=view.freshness.is_swept)
        self.cards = Filters(view.stores.cards.db)
        self.filters = FilterEvaluator(self.cards, self._orphans, view.scope)
        self.texts = PageTexts(self.context.root, self.context.max_bytes)
        self.vectors = live.vectors
        self.today = local_day(self.context.clock())

    @property
    def graph(self) -> LinkGraph:
        """What links mean."""
        return self.view.graph

    def _orphans(self) -> Collection[str]:
        return self.graph.orphans()


def while_pages_change(ask: Callable[[], tuple[A, Freshness, int]], verb: str) -> A:
    """An answer, asked for again while pages changed as it was made: `ask` says how many did.

    After three times the last one is given as one that is not fresh.
    """
    for _ in range(_MAX_ATTEMPTS):
        answer, state, changed = ask()
        if not (state.fresh and changed):
            return answer._replace(**state._asdict())
    reason = f"pages change while they are {verb}"
    return answer._replace(fresh=False, pending=changed, reason=reason)
