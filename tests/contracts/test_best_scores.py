"""What is left out while scoring changes no answer: the best hits are those of scoring all units.

Random pages over random words, in every backend, with sources, filters, named pages, and units
that were deleted since the last merge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import groupby, islice
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from postings import BACKENDS

from memwiki.index.cards.lookup import Lookup
from memwiki.index.cards.store import CardFile
from memwiki.index.keyword.backend import SearchBackend, Snapshot
from memwiki.index.units import UnitKey, hits_of
from memwiki.recall import bm25
from memwiki.recall.bm25 import BM25
from memwiki.recall.channels import Candidates
from memwiki.recall.filters import Conditions, Matches, Undated
from memwiki.recall.words import WordsChannel
from tests.effort import tries

WORDS = [f"word{n}" for n in range(40)]
PAGES = 700


@pytest.fixture(scope="module", params=BACKENDS)
def backend(request, tmp_path_factory) -> Iterator[SearchBackend]:
    folder: Path = tmp_path_factory.mktemp("best") / "keyword"
    with closing(BACKENDS[request.param](folder)) as one:
        yield one


@pytest.fixture(scope="module")
def snapshot(backend: SearchBackend) -> Iterator[Snapshot]:
    from memwiki.index.prepare import prepared
    from memwiki.index.projection import Put
    from memwiki.markdown.parse import parse
    from memwiki.nouns import Layers

    rng = Random(0)
    pages = world(rng)
    for names in (list(pages)[:300], list(pages)[300:], rng.sample(list(pages), 80)):
        parsed = (parse(name, pages[name].encode(), Layers()) for name in names)
        backend.apply([prepared(Put(page, (1, 1, 1, 1), False)) for page in parsed], [])
        pages = world(rng)
    backend.apply([], [f"{n}.md" for n in range(0, PAGES, 9)])
    with closing(backend.snapshot()) as one:
        yield one


@pytest.fixture
def lookup() -> Iterator[Lookup]:
    with closing(CardFile(":memory:")) as cards:
        yield Lookup(cards.db)


def world(rng: Random) -> Mapping[str, str]:
    """Pages in which a few words are common and most are rare; some with entries, some long."""
    weights = [1 / (n + 1) for n in range(len(WORDS))]
    pages = {}
    for number in range(PAGES):
        words = rng.choices(WORDS, weights, k=rng.choice((3, 12, 40)))
        pages[f"{number}.md"] = f"# P{number}\n\n{' '.join(words)}\n"
    entries = "".join(f"- {' '.join(rng.choices(WORDS, weights, k=5))}\n" for _ in range(60))
    return pages | {"memory.md": f"# Memory\n\n## Facts\n\n{entries}"}


def index(snapshot: Snapshot, lookup: Lookup, sources: frozenset[int] = frozenset()) -> object:
    filters = SimpleNamespace(raw_pages=lambda: sources)
    return SimpleNamespace(snapshot=snapshot, lookup=lookup, filters=filters)


def ranked(found: Candidates, limit: int) -> list[tuple[bytes, float]]:
    return [(row.key, row.score) for row in islice(found.best(), limit)]


def blocks_of(found: Candidates, pages: Sequence[int]) -> Mapping[bytes, float]:
    return {key: found[key] for key in found if UnitKey(key).page in pages}


@pytest.mark.parametrize("seed", range(tries(12)))
def test_the_best_hits_are_those_of_scoring_every_unit(snapshot, lookup, seed, monkeypatch):
    rng = Random(seed)
    monkeypatch.setattr(bm25, "_MANY", rng.choice((0, 100, bm25._MANY)))
    monkeypatch.setattr(bm25, "_FIRST", rng.choice((3, 30, bm25._FIRST)))
    terms = rng.sample(WORDS, rng.choice((1, 2, 3, 5, 12)))
    weights = {term: rng.choice((1.0, 1.0, 0.3, 2.5)) for term in terms}
    numbers = sorted({UnitKey(key).page for key in snapshot.keys(range(snapshot.unit_count))})
    sources = frozenset(rng.sample(numbers, rng.choice((0, 200))))
    only = Matches(frozenset(rng.sample(numbers, rng.choice((5, 400)))))
    conditions = Conditions(wanted=rng.choice(((), (only,))))
    named, limit = rng.sample(numbers, rng.choice((0, 1, 20))), rng.choice((1, 5, 20, 100))
    units = WordsChannel(
        index(snapshot, lookup, sources), weights, conditions, limit=limit, named=named
    )
    every, best = units.holding(()), units.find({})
    assert ranked(best, limit) == ranked(every, limit)
    assert blocks_of(best, named) == blocks_of(every, named)
    assert units.count((), None) == (len(every.hits()), True)


def test_of_many_units_few_are_kept(snapshot, lookup):
    units = WordsChannel(
        index(snapshot, lookup), dict.fromkeys(WORDS[:3], 1.0), Conditions(), limit=5
    )
    assert len(units.find({}).hits()) < 50 < len(units.holding(()).hits())


def test_few_units_are_looked_up_among_those_of_a_common_word(snapshot, lookup, monkeypatch):
    looked_up: list[int] = []
    raised = BM25._raise
    monkeypatch.setattr(bm25, "_MANY", 50)
    monkeypatch.setattr(bm25, "_FIRST", 20)

    def counted(scoring: BM25, total: dict[int, float], term: object) -> None:
        looked_up.append(len(total))
        raised(scoring, total, term)

    monkeypatch.setattr(BM25, "_raise", counted)
    weights = dict.fromkeys((*WORDS[:3], WORDS[9]), 1.0)
    units = WordsChannel(index(snapshot, lookup), weights, Conditions(), limit=5)
    units.find({})
    assert 0 < sum(looked_up) < 120


def test_no_common_word_takes_a_unit_in_that_cannot_matter(snapshot):
    scoring = BM25(snapshot, [WORDS[0], WORDS[-1], WORDS[-2]])
    seen: list[int] = []

    def least(scores: Mapping[int, float]) -> float:
        seen.append(len(scores))
        return 1e9

    assert scoring.best(least) == {}
    assert 0 < seen[0] < len(scoring.every())


def test_scores_of_some_units_are_those_of_all(snapshot):
    scoring = BM25(snapshot, WORDS[5:9])
    every = scoring.every()
    some = [*list(every)[::7], 10**9]
    assert scoring.of(some) == {unit: every[unit] for unit in some[:-1]}


def test_hits_are_counted_up_to_a_bound_and_besides_those_that_are_known(snapshot, lookup):
    units = WordsChannel(index(snapshot, lookup), dict.fromkeys(WORDS[:2], 1.0), Conditions())
    hits = units.holding(()).hits()
    assert units.count((), len(hits)) == (len(hits), True)
    assert units.count((), len(hits) - 1) == (len(hits) - 1, False)
    assert units.count({b"another"}, None) == (len(hits) + 1, True)
    assert units.count({next(iter(hits))}, None) == (len(hits), True)


def test_filters_by_date_look_at_every_unit(snapshot, lookup):
    dated = Conditions(undated=Undated(frozenset(), frozenset()))
    units = WordsChannel(index(snapshot, lookup), dict.fromkeys(WORDS[:2], 1.0), dated, limit=1)
    assert hits_of(row.key for row in units.find({}).units()) == units.holding(()).hits()


@pytest.mark.parametrize("seed", range(tries(10)))
def test_units_in_order_are_all_units_by_their_scores(snapshot, seed, monkeypatch):
    monkeypatch.setattr(bm25, "_FEW_POSTINGS", seed % 2 * bm25._FEW_POSTINGS)
    scoring = BM25(snapshot, Random(seed).sample(WORDS, 1 + seed))
    every = scoring.every()
    by_score = groupby(sorted(every, key=every.__getitem__, reverse=True), every.__getitem__)
    assert [set(each) for each in scoring.ranked()] == [set(alike) for _, alike in by_score]


def test_no_bounds_are_made_for_the_units_of_a_small_memory(snapshot, monkeypatch):
    monkeypatch.delattr(bm25, "_Bounds")
    scoring = BM25(snapshot, WORDS[:4])
    assert sum(map(len, scoring.ranked())) == len(scoring.every()) < bm25._FEW_POSTINGS
