"""What the graph adds to a question: the pages it names, and what is linked with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import NamedTuple

from memwiki.index.cards.entry_lines import EntryLines
from memwiki.index.cards.lookup import Lookup
from memwiki.index.graph import Graph
from memwiki.index.keyword.tokens import is_cjk
from memwiki.index.unit_key import UnitKey
from memwiki.names import fold, slug
from memwiki.recall.keywords import is_asking

# Relations, as entries name them.
CAUSES = ("because", "therefore", "causes", "based-on", "因为", "所以", "导致", "基于")
_SPAN = 4  # words of a name at most
_CJK_SPAN = range(2, 9)  # characters of one that stands in a run without blanks
_MOST_NAMES = 200
ENTITIES = frozenset(("entity", "person", "project", "concept"))  # types of pages
_START, _CJK_START = 3, 2  # characters with which a title has to begin
_MOST_STARTS = 32
_WHOLE_WORD, _BEGINNING = 0.8, 0.5  # of what the whole name says
_FEW = 5  # pages: a name or tag of more says nothing
_SEEDS = 8
_FRONTIER = 50  # nodes that a walk goes on from, so that a hub does not lead everywhere
_MARKS = ",.;:!?()[]{}'\"，。；：！？、（）《》"


class Seed(NamedTuple):
    """Where a walk starts, how much that counts, and whether the question itself names it."""

    node: str
    weight: float
    is_named: bool = True


def named_in(words: Sequence[str], lookup: Lookup) -> dict[str, str]:
    """The paths of the pages that a question names, by title, alias, file name or tag; each with
    the longest name that it has there."""
    found: dict[str, str] = {}
    for name in list(dict.fromkeys(_spans(words)))[:_MOST_NAMES]:
        paths = lookup.slugs(slug(name))
        tagged = lookup.tagged(name.lstrip("#"), _FEW + 1)
        if len(tagged) <= _FEW:
            paths = [*paths, *(card.path for card in lookup.by_number(tagged).values())]
        if len(paths) <= _FEW:
            for path in sorted(paths):
                found.setdefault(path, name)
    return dict(islice(found.items(), _SEEDS))


def beginning(words: Sequence[str], lookup: Lookup) -> dict[str, tuple[str, float]]:
    """The paths of the entities whose title begins with a word of a question, each with that word
    and how well it fits: a whole word better than the beginning of one. A word with which the
    titles of many begin names none."""
    starts = list(dict.fromkeys(_starts(words)))[:_MOST_STARTS]
    forms = dict.fromkeys(form for start in starts for form in (start, start.capitalize()))
    titles = [(path, fold(title)) for path, title in lookup.titles_starting(list(forms), ENTITIES)]
    found: dict[str, tuple[str, float]] = {}
    for start in sorted(starts, key=len, reverse=True):
        named = sorted((path, title) for path, title in titles if title.startswith(start))
        for path, title in named if len(named) <= _FEW else ():
            is_whole = not title[len(start) : len(start) + 1].isalnum()
            found.setdefault(path, (start, _WHOLE_WORD if is_whole else _BEGINNING))
    return dict(islice(found.items(), _SEEDS))


def _starts(words: Sequence[str]) -> Iterator[str]:
    for word in (fold(word.strip(_MARKS).removesuffix("'s")) for word in words):
        if is_cjk(word):
            yield from (word[i : i + _CJK_START] for i in range(len(word) - _CJK_START + 1))
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
        for length in reversed(_CJK_SPAN):
            yield from (word[i : i + length] for i in range(len(word) - length + 1))


def walked(
    graph: Graph, seeds: Iterable[Seed], depth: int, relations: Sequence[str]
) -> Mapping[str, float]:
    """Pages and entries around the seeds: weight of the path / (1 + distance), the best of all."""
    found: dict[str, float] = {}
    with graph.walking() as walk:
        for seed, relation in product(seeds, relations or ("",)):
            reached, _ = walk(seed.node, depth, relation, _FRONTIER)
            for each in reached:
                if each.distance or seed.is_named:
                    score = min(each.score * seed.weight, 1.0)
                    found[each.target] = max(found.get(each.target, 0.0), score)
    return found


def unit_of(node: str, lookup: Lookup, lines: EntryLines) -> UnitKey | None:
    """The unit of an entry, or the first one of a page."""
    card = lookup.card(node)
    if card:
        return next((key for key in lookup.unit_keys(card.number) if key.is_block), None)
    entry = lines.named(node)
    page = lookup.card(entry.path) if entry else None
    return lookup.unit_at(page.number, entry.line_start) if entry and page else None
