"""The tree digest, unit keys and weights: small numbers that the law rests on."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from memwiki.index.keyword.tokens import packed, weights_of
from memwiki.index.projection import EMPTY_TREE, changed_tree
from memwiki.index.units import KEY_BYTES, UnitKey, hits_of, page_of
from memwiki.nouns import Unit, UnitKind
from tests.effort import for_each
from tests.third import tree_digest

trees = st.dictionaries(st.text(max_size=4), st.text(max_size=4), max_size=6)


@given(trees)
def test_the_order_of_pages_does_not_matter(pages):
    assert tree_digest(dict(reversed(pages.items()))) == tree_digest(pages)


@given(trees, trees)
def test_different_trees_have_different_digests(one, other):
    assert (tree_digest(one) == tree_digest(other)) == (one == other)


@given(trees, trees)
def test_a_tree_is_kept_up_to_date_by_what_changed_alone(before, after):
    gone = [pair for pair in before.items() if after.get(pair[0]) != pair[1]]
    new = [pair for pair in after.items() if before.get(pair[0]) != pair[1]]
    assert changed_tree(tree_digest(before), gone, new) == tree_digest(after)


def test_no_pages_are_the_empty_tree():
    assert tree_digest({}) == EMPTY_TREE
    assert changed_tree(tree_digest({"a": "1"}), [("a", "1")], []) == EMPTY_TREE


def test_a_path_is_not_mistaken_for_a_digest():
    assert tree_digest({"ab": "c"}) != tree_digest({"a": "bc"})


# --- unit keys -----------------------------------------------------------------------------------


def test_a_key_says_page_unit_and_counter(puts):
    (one,) = puts({"memory.md": "- tea\n- tea\n- coffee\n"})
    (other,) = puts({"other/memory.md": "---\ntype: memory\n---\n- tea\n"})
    keys = list(one.keyed.read)
    assert len(set(keys)) == 3
    assert all(len(key) == KEY_BYTES for key in keys)
    assert {key[:8] for key in keys} != {key[:8] for key in other.keyed.read}


def test_entries_are_hits_of_their_own_and_blocks_count_for_their_page(puts):
    (page, memory) = puts({"a.md": "# A\n\ntext\n", "memory.md": "- tea\n- coffee\n"})
    (block,), entries = page.keyed.read, memory.keyed.read
    assert hits_of([block]) == {UnitKey(block).hit} == {block[:8]}
    assert hits_of(entries) == {UnitKey(key).hit for key in entries} == set(entries)
    assert [UnitKey(key).is_block for key in (block, *entries)] == [True, False, False]


def test_a_key_that_stands_for_a_page_is_of_that_page_and_of_no_unit(puts):
    (one,) = puts({"memory.md": "- tea\n- coffee\n"})
    page = UnitKey.of_page(page_of(next(iter(one.keyed.read))))
    assert {UnitKey(key).page for key in one.keyed.read} == {page.page}
    assert page.is_block and page not in one.keyed.read


def test_a_unit_keeps_its_key_when_lines_move_above_it(puts):
    before, after = puts({"memory.md": "- tea\n"}), puts({"memory.md": "\n\n\n- tea\n"})
    assert before[0].keyed.read.keys() == after[0].keyed.read.keys()


# --- weights -------------------------------------------------------------------------------------


@dataclass
class Text:
    text: str
    kind: UnitKind = UnitKind.BLOCK
    names: str = ""

    def weight(self, term: str) -> int:
        unit = Unit(self.kind, self.text, self.names, "", 1, 1, "")
        return dict(weights_of(packed(unit))).get(term.encode(), 0)


@for_each("kind", UnitKind)
def test_a_longer_unit_weighs_a_term_less(kind):
    short, long = Text("heron " + "x " * 20, kind), Text("heron " + "x " * 2000, kind)
    assert short.weight("heron") > long.weight("heron") >= 1


@for_each("kind", UnitKind)
def test_a_term_that_stands_more_often_weighs_more_and_less_and_less_so(kind):
    filler = "x " * 100
    weights = [Text("heron " * n + filler, kind).weight("heron") for n in (1, 2, 4, 8, 64)]
    assert weights == sorted(weights)
    assert weights[1] - weights[0] > weights[3] - weights[2]
    assert weights[-1] <= 255


def test_the_names_of_a_page_are_searched_with_its_text():
    assert Text("stork", names="Heron").weight("heron") > 0


def test_a_cjk_character_counts_for_more_than_a_letter():
    cjk, latin = Text("苍鹭 " + "一" * 500), Text("苍鹭 " + "a" * 500)
    assert cjk.weight("苍鹭") < latin.weight("苍鹭")


@given(st.text(max_size=200))
def test_weights_fit_into_a_byte(text):
    unit = Unit(UnitKind.BLOCK, text, "", "", 1, 1, "")
    assert all(1 <= weight <= 255 for _, weight in weights_of(packed(unit)))
