"""The channel of the graph: the pages that a question names, and what is linked with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, product

from memwiki.facts.relation_words import canonical
from memwiki.index.cards.entries import EntriesByLine
from memwiki.index.cards.lookup import Lookup
from memwiki.index.keyword.tokens import query_terms
from memwiki.index.units import UnitKey
from memwiki.names import fold, parts_of, slug
from memwiki.options import RecallOptions
from memwiki.recall.channels import LOOKED_AT, AnswerIndex, Scores, first_block, located
from memwiki.recall.filters import Conditions
from memwiki.recall.parse import Question
from memwiki.recall.query import is_asking, text_terms
from memwiki.records import NamedTuple
from memwiki.text import is_cjk

# Relations, as entries name them.
CAUSES = ("because", "therefore", "causes", "based-on", "因为", "所以", "导致", "基于")
_SPAN = 4  # words of a name at most
_CJK_SPAN = range(2, 9)  # characters of one that stands in a run without blanks
_MAX_NAMES = 200
ENTITIES = frozenset(("entity", "person", "project", "concept"))  # types of pages
_START, _CJK_START = 3, 2  # characters with which a title has to begin
_MAX_STARTS = 32
_WHOLE_WORD, _BEGINNING = 0.8, 0.5  # of what the whole name says
_MAX_PAGES = 5  # pages: a name or tag of more says nothing
_SEEDS = 8
_BEST = 3  # hits from which a walk starts, too
_FRONTIER = 50  # nodes that a walk goes on from, so that a hub does not lead everywhere
_MARKS = ",.;:!?()[]{}'\"，。；：！？、（）《》"


class Seed(NamedTuple):
    """Where a walk starts, how much that counts, and whether the question itself names it."""

    node: str
    weight: float
    is_named: bool = True


class GraphChannel:
    """Walks from what the question names, and from the best hits where it asks what is linked."""

    def __init__(
        self, index: AnswerIndex, question: Question, options: RecallOptions, conditions: Conditions
    ) -> None:
        self._index, self._lookup = index, index.lookup
        self._question, self._conditions = question, conditions
        self._lines = EntriesByLine(index.stores.cards.db)
        relation, self._depth = options.relation, options.depth or 0
        self._asked = tuple(dict.fromkeys((relation, canonical(relation)))) if relation else ()

    @cached_property
    def named(self) -> Mapping[str, str]:
        """The paths of the pages that the question names, each with that name."""
        return named_in(self._question.query.words, self._lookup)

    def find(self, found: Scores) -> Scores:
        """The units that the graph leads to: weight of the path / (1 + distance), the best of
        all."""
        seeds = list(self._named_seeds())
        if self._question.is_deep or self._asked:
            seeds += self._seeds_of(dict(islice(found.items(), _BEST)))
        nodes = self._walked(seeds)
        best = sorted(nodes.items(), key=lambda row: (-row[1], row[0]))[:LOOKED_AT]
        rows = ((self._unit_of(node), score) for node, score in best)
        return {key: score for key, score in rows if key and self._conditions.passes(key)}

    def _walked(self, seeds: Sequence[Seed]) -> Mapping[str, float]:
        """Pages and entries around the seeds."""
        found: dict[str, float] = {}
        with self._index.graph.walking() as walk:
            for seed, relation in product(seeds, self._relations() or ("",)):
                reached, _ = walk(seed.node, self._depth, relation, _FRONTIER)
                for each in reached:
                    if each.distance or seed.is_named:
                        score = min(each.score * seed.weight, 1.0)
                        found[each.target] = max(found.get(each.target, 0.0), score)
        return found

    def _relations(self) -> Sequence[str]:
        """Which relations are followed: those asked for, causal ones for a why; () for all."""
        is_why = self._question.is_causal and not self._question.is_relational
        return self._asked or (CAUSES if is_why else ())

    def _named_seeds(self) -> Iterator[Seed]:
        """The pages that the question names; where it names none, those whose names it begins."""
        for path, name in self.named.items():
            yield Seed(path, self._share(name))
        words = () if self.named else self._question.query.words
        for path, (start, fit) in beginning(words, self._lookup).items():
            yield Seed(path, fit * self._share(start))

    def _share(self, name: str) -> float:
        """How much of the question a name is, so that a page called `list` is little of it; all
        where the question asks what is related."""
        if self._question.is_relational:
            return 1.0
        terms, own = text_terms(self._question.query), query_terms(name)
        return min(sum(term in own for term in terms) / max(len(terms), 1), 1.0)

    def _seeds_of(self, found: Scores) -> Iterator[Seed]:
        """Hits as nodes of the graph, each by its share of the best."""
        best = max(found.values(), default=0.0) or 1.0
        for key, (location, card) in located(map(UnitKey, found), self._lookup).items():
            entry = self._lines.at(card.path, location.line_start)
            node = card.path if key.is_block or not entry else entry.address
            yield Seed(node, found[key] / best, is_named=False)

    def _unit_of(self, node: str) -> UnitKey | None:
        """The unit of an entry, or the first one of a page."""
        block = first_block(node, self._lookup)
        entry = None if block else self._lines.named(node)
        page = self._lookup.card(entry.path) if entry else None
        return self._lookup.unit_at(page.number, entry.line_start) if entry and page else block


def named_in(words: Sequence[str], lookup: Lookup) -> dict[str, str]:
    """The paths of the pages that a question names, by title, alias, file name or tag; each with
    the longest name that it has there."""
    found: dict[str, str] = {}
    for name in list(dict.fromkeys(_spans(words)))[:_MAX_NAMES]:
        paths = lookup.slugs(slug(name))
        tagged = lookup.tagged(name.lstrip("#"), _MAX_PAGES + 1)
        if len(tagged) <= _MAX_PAGES:
            paths = [*paths, *(card.path for card in lookup.by_number(tagged).values())]
        if len(paths) <= _MAX_PAGES:
            for path in sorted(paths):
                found.setdefault(path, name)
    return dict(islice(found.items(), _SEEDS))


def beginning(words: Sequence[str], lookup: Lookup) -> dict[str, tuple[str, float]]:
    """The paths of the entities whose title begins with a word of a question, each with that word
    and how well it fits: a whole word better than the beginning of one. A word with which the
    titles of many begin names none."""
    starts = list(dict.fromkeys(_starts(words)))[:_MAX_STARTS]
    forms = dict.fromkeys(form for start in starts for form in (start, start.capitalize()))
    titles = [(path, fold(title)) for path, title in lookup.titles_starting(list(forms), ENTITIES)]
    found: dict[str, tuple[str, float]] = {}
    for start in sorted(starts, key=len, reverse=True):
        named = sorted((path, title) for path, title in titles if title.startswith(start))
        for path, title in named if len(named) <= _MAX_PAGES else ():
            is_whole = not title[len(start) : len(start) + 1].isalnum()
            found.setdefault(path, (start, _WHOLE_WORD if is_whole else _BEGINNING))
    return dict(islice(found.items(), _SEEDS))


def _starts(words: Sequence[str]) -> Iterator[str]:
    for word in (fold(word.strip(_MARKS).removesuffix("'s")) for word in words):
        if is_cjk(word):
            yield from parts_of(word, [_CJK_START])
        elif len(word) >= _START and not is_asking(word):
            yield word


def _spans(words: Sequence[str]) -> Iterator[str]:
    """The names that words may be, longer ones first."""
    bare = [word.strip(_MARKS).removesuffix("'s") for word in words]
    for length in range(min(_SPAN, len(bare)), 0, -1):
        for start in range(len(bare) - length + 1):
            span = bare[start : start + length]
            if not all(len(word) < 2 or is_asking(word.casefold()) for word in span):
                yield " ".join(span)
    for word in filter(is_cjk, bare):
        yield from parts_of(word, reversed(_CJK_SPAN))
