"""What sync and recall expect of every search backend; each test runs against all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path

import pytest
from postings import BACKENDS, terms_of

from memwiki.digest import text_hash
from memwiki.index.keyword.backend import SearchBackend
from memwiki.index.projection import EMPTY_TREE
from memwiki.index.stores import unit_numbers
from memwiki.index.units import UnitKey
from tests.memory_backend import MemoryBackend
from tests.third import tree_digest

ANIMALS = {
    "fox.md": "# Fox\n\nThe quick brown fox jumps.\n",
    "dog.md": "# Dog\n\nA lazy brown dog sleeps. The dog snores.\n",
    "zh.md": "# 数据库\n\n向量数据库很快。\n",
}
MEMORY = "# Memory\n\n- Likes tea. ^m-aaaaaa\n- Likes coffee. ^m-bbbbbb\n- Likes tea.\n"


@pytest.fixture(params=BACKENDS)
def make(request, tmp_path: Path) -> Callable[[], SearchBackend]:
    """Makes an empty backend."""
    number = iter(range(100))

    def new() -> SearchBackend:
        return BACKENDS[request.param](tmp_path / f"keyword-{next(number)}")

    return new


@pytest.fixture
def backend(make) -> Iterator[SearchBackend]:
    with closing(make()) as one:
        yield one


@pytest.fixture(params=["whoosh", "sqlite", "postgresql"])
def lasting(request, tmp_path: Path) -> Callable[[], SearchBackend]:
    """Opens the same folder again and again."""
    return lambda: BACKENDS[request.param](tmp_path / "keyword")


def found(backend: SearchBackend, term: str) -> dict[bytes, int]:
    """The units that hold a term, by key, with the term's weight."""
    with closing(backend.snapshot()) as snapshot:
        rows: dict[bytes, int] = {}
        for documents, weights in snapshot.postings(term):
            assert len(documents) == len(weights)
            assert list(documents) == sorted(documents)
            rows.update(zip(snapshot.keys(documents), weights, strict=True))
        return rows


def dump_of(backend: SearchBackend) -> dict[bytes, dict[str, int]]:
    with closing(backend.snapshot()) as snapshot:
        return terms_of(snapshot)


# --- what it holds -------------------------------------------------------------------------------


def test_a_new_backend_holds_nothing(backend):
    assert dict(backend.digests()) == {}
    assert backend.tree() == EMPTY_TREE
    assert found(backend, "fox") == {}
    with closing(backend.snapshot()) as snapshot:
        assert snapshot.unit_count == 0
        assert snapshot.frequency("fox") == 0
        assert snapshot.expand("f", 10) == []
        assert snapshot.keys([]) == []
        assert terms_of(snapshot) == unit_numbers(snapshot) == {}


def test_a_number_for_each_unit_says_what_it_holds(backend, puts):
    backend.apply(puts(ANIMALS), [])
    with closing(backend.snapshot()) as snapshot:
        assert unit_numbers(snapshot) == {
            key: sum(
                int.from_bytes(text_hash(term, 8), "big") * weight for term, weight in terms.items()
            )
            for key, terms in terms_of(snapshot).items()
        }


def test_a_page_without_units_is_held_all_the_same(backend, puts):
    given = puts({"empty.md": ""})
    backend.apply(given, [])
    assert dict(backend.digests()) == {"empty.md": given[0].page.digest}
    backend.apply([], ["empty.md"])
    assert dict(backend.digests()) == {}


def test_units_that_are_alike_are_told_apart_by_a_counter(backend, puts):
    given = puts({"memory.md": MEMORY.replace(" ^m-aaaaaa", "")})
    backend.apply(given, [])
    with closing(backend.snapshot()) as snapshot:
        assert snapshot.unit_count == len(given[0].page.units)
    assert len(found(backend, "tea")) == 2


def test_a_page_that_grew_keeps_what_was_there_and_gets_what_is_more(backend, puts):
    backend.apply(puts({**ANIMALS, "memory.md": MEMORY}), [])
    before = dump_of(backend)
    (grown,) = puts({"memory.md": f"{MEMORY}- likes walruses\n"})
    grown.terms = {key: terms for key, terms in grown.terms.items() if key not in before}
    grown.gone = frozenset()
    backend.apply([grown], [])
    assert {key: terms for key, terms in dump_of(backend).items() if key in before} == before
    assert backend.unit_count() == len(before) + len(grown.terms) == len(before) + 1
    assert backend.digests()["memory.md"] == grown.digest


def test_a_page_that_was_edited_loses_what_is_gone_and_gets_what_is_more(backend, puts):
    backend.apply(puts({**ANIMALS, "memory.md": MEMORY}), [])
    before, others = dump_of(backend), MEMORY.splitlines(keepends=True)[:-1]
    (edited,) = puts({"memory.md": f"{''.join(others)}- likes walruses\n"})
    (was,) = puts({"memory.md": MEMORY})
    edited.gone = was.terms.keys() - edited.terms.keys()
    edited.terms = {key: terms for key, terms in edited.terms.items() if key not in before}
    assert len(edited.gone) == len(edited.terms) == 1
    backend.apply([edited], [])
    after = dump_of(backend)
    assert before.keys() - after.keys() == edited.gone
    assert after.keys() - before.keys() == edited.terms.keys()
    assert backend.unit_count() == len(before)


def test_equal_units_of_two_pages_are_two_units(backend, puts):
    backend.apply(puts({"a.md": "same words\n", "b.md": "same words\n"}), [])
    assert len(found(backend, "same")) == 2
    backend.apply([], ["a.md"])
    assert len(found(backend, "same")) == 1


# --- postings ------------------------------------------------------------------------------------


def test_a_term_that_stands_twice_weighs_more(backend, puts):
    backend.apply(puts({"a.md": "# A\n\nowl lark\n\nlark\n"}), [])
    (owl,), (lark,) = found(backend, "owl").values(), found(backend, "lark").values()
    assert lark > owl


def test_frequency_is_never_less_than_the_number_of_living_units(backend, puts):
    backend.apply(puts(ANIMALS), [])
    backend.apply(puts({"fox.md": "# Fox\n\nbrown again\n"}), ["dog.md"])
    with closing(backend.snapshot()) as snapshot:
        assert snapshot.frequency("brown") >= 1
        assert snapshot.frequency("nothing") == 0


def test_terms_with_a_prefix_come_in_order_and_no_more_than_asked_for(backend, puts):
    backend.apply(puts({"a.md": "alpha alpine albatross beta\n", "b.md": "alto\n"}), [])
    with closing(backend.snapshot()) as snapshot:
        assert snapshot.expand("al", 10) == ["albatross", "alpha", "alpin", "alto"]
        assert snapshot.expand("al", 2) == ["albatross", "alpha"]
        assert snapshot.expand("x", 10) == []


def test_all_postings_are_those_of_each_term(backend, puts):
    backend.apply(puts(ANIMALS), [])
    for number in range(3):
        backend.apply(puts({f"{number}.md": f"word{number} word 末班车 brown\n"}), ["dog.md"])
    with closing(backend.snapshot()) as snapshot:
        every, each = set[tuple[str, int, int]](), set[tuple[str, int, int]]()
        for term, run in snapshot.all_postings():
            every |= {(term, *pair) for pair in zip(*run, strict=True)}
        for term in snapshot.expand("", 1_000):
            for run in snapshot.postings(term):
                each |= {(term, *pair) for pair in zip(*run, strict=True)}
        assert every == each
        assert {"brown", "word2"} <= {term for term, _, _ in every}


def test_cjk_and_odd_terms_survive_the_way_in_and_out(backend, puts):
    backend.apply(
        puts({"a.md": "向量数据库 ひらがな 한국어 naïve \U0001f600\U00020000 x\udcff\n"}), []
    )
    for term in ("数据", "ひら", "한국", "naiv"):
        assert len(found(backend, term)) == 1, term


def test_many_documents_for_one_term_come_back_whole(backend, puts):
    backend.apply(puts({f"{n}.md": f"common word {n}\n" for n in range(300)}), [])
    assert len(found(backend, "common")) == 300
    backend.apply([], [f"{n}.md" for n in range(0, 300, 3)])
    assert len(found(backend, "common")) == 200


def test_the_highest_weight_of_a_term_is_not_passed_by_any_unit(backend, puts):
    backend.apply(puts({"a.md": "owl lark lark\n", "b.md": "owl owl owl owl\n"}), [])
    backend.apply(puts({"c.md": "lark\n"}), [])
    with closing(backend.snapshot()) as snapshot:
        assert snapshot.highest("owl") == max(found(backend, "owl").values())
        assert snapshot.highest("lark") == max(found(backend, "lark").values())
        assert snapshot.highest("nothing") == 0
    backend.apply([], ["a.md", "b.md"])
    with closing(backend.snapshot()) as snapshot:
        assert snapshot.highest("lark") >= max(found(backend, "lark").values())


def test_more_terms_are_asked_for_than_a_snapshot_remembers(backend, puts):
    words = [f"x{number}" for number in range(600)]
    backend.apply(puts({"a.md": " ".join(words) + "\n"}), [])
    with closing(backend.snapshot()) as snapshot:
        (weights,) = terms_of(snapshot).values()
        for word in (*words, *words[::-1]):
            assert (snapshot.frequency(word), snapshot.highest(word)) == (1, weights[word])


def test_the_units_of_a_page_are_found_by_its_number(backend, puts):
    for number in range(20):
        backend.apply(puts({f"{number}.md": f"# N{number}\n\ntext\n"}), [])
    given = {put.page.path: put for put in puts({"memory.md": MEMORY})}
    backend.apply(list(given.values()), [])
    keys = set(given["memory.md"].keyed.read)
    pages = {UnitKey(key).page for key in keys}
    with closing(backend.snapshot()) as snapshot:
        assert set(snapshot.keys(snapshot.documents_of(pages))) == keys
        runs = (documents for _, (documents, _) in snapshot.all_postings())
        everything = sorted(set(chain.from_iterable(runs)))
        every_page = {UnitKey(key).page for key in snapshot.keys(everything)}
        assert sorted(snapshot.documents_of(every_page)) == everything
        assert snapshot.documents_of([]) == []


def test_a_snapshot_knows_whether_any_unit_is_a_message(backend, puts):
    backend.apply(puts({**ANIMALS, "memory.md": MEMORY}), [])
    with closing(backend.snapshot()) as snapshot:
        assert not snapshot.has_messages
    session = "---\ntype: session\n---\n\n### 2025-01-01T00:00:00Z Bob ^s-0001\nold walrus\n"
    backend.apply(puts({"chat.md": session}), [])
    with closing(backend.snapshot()) as snapshot:
        assert snapshot.has_messages


# --- generations ---------------------------------------------------------------------------------


def test_each_commit_has_a_generation_of_its_own(backend, puts):
    seen = [backend.generation()]
    for page, text in ANIMALS.items():
        backend.apply(puts({page: text}), [])
        seen.append(backend.generation())
        with closing(backend.snapshot()) as snapshot:
            assert snapshot.generation == seen[-1]
    assert seen == sorted(set(seen))


def test_a_snapshot_stays_as_it_was_when_others_commit(backend, puts):
    backend.apply(puts(ANIMALS), [])
    with closing(backend.snapshot()) as snapshot:
        before = terms_of(snapshot)
        backend.apply(puts({"new.md": "brown\n"}), ["fox.md", "dog.md"])
        assert terms_of(snapshot) == before
        assert snapshot.generation != backend.generation()


def test_tidying_changes_no_answer(backend, puts):
    for page, text in ANIMALS.items():
        backend.apply(puts({page: text}), [])
    backend.apply([], ["fox.md"])
    before = dump_of(backend), dict(backend.digests()), backend.tree()
    backend.tidy()
    assert (dump_of(backend), dict(backend.digests()), backend.tree()) == before
    backend.tidy()
    backend.apply(puts({"fox.md": ANIMALS["fox.md"]}), [])
    assert len(found(backend, "fox")) == 1


# --- backends agree ------------------------------------------------------------------------------


def test_all_backends_hold_the_same_rows_after_the_same_changes(lasting, puts):
    with closing(lasting()) as one, closing(MemoryBackend()) as other:
        changes = [
            (puts({**ANIMALS, "memory.md": MEMORY}), []),
            (puts({"fox.md": "# Fox\n\nA vixen, brown.\n", "memory.md": MEMORY + "- New\n"}), []),
            (puts({"dog.md": "# Dog\n\nbrown\n"}), ["zh.md"]),
            (puts({"memory.md": MEMORY}), ["fox.md", "nowhere.md"]),
            ([], ["dog.md"]),
        ]
        for given, gone in changes:
            one.apply(given, gone)
            other.apply(given, gone)
            assert dump_of(one) == dump_of(other)
            assert dict(one.digests()) == dict(other.digests())
            assert one.tree() == other.tree()
            with closing(one.snapshot()) as a, closing(other.snapshot()) as b:
                assert a.unit_count == b.unit_count


def test_what_was_committed_is_there_when_the_folder_is_opened_again(lasting, puts):
    with closing(lasting()) as one:
        one.apply(puts(ANIMALS), [])
        one.apply([], ["fox.md"])
        before = dump_of(one), dict(one.digests()), one.tree(), one.generation()
    with closing(lasting()) as again:
        assert (dump_of(again), dict(again.digests()), again.tree(), again.generation()) == before


def test_two_openings_of_one_folder_see_each_others_commits(lasting, puts):
    with closing(lasting()) as one, closing(lasting()) as other:
        one.apply(puts({"fox.md": ANIMALS["fox.md"]}), [])
        assert len(found(other, "fox")) == 1
        other.apply(puts({"dog.md": ANIMALS["dog.md"]}), [])
        assert set(one.digests()) == {"fox.md", "dog.md"}
        one.apply(puts({"dog.md": "# Dog\n\nwolf\n"}), [])
        assert found(other, "lazi") == {}
        assert one.tree() == other.tree() == tree_digest(one.digests())
