"""An answer keeps to its budget, and says what it leaves out."""

import re

from hypothesis import given
from hypothesis import strategies as st

from memwiki.fence import CLOSING
from memwiki.text import tokens
from memwiki.tools.packing import (
    PLAIN,
    AnswerPart,
    AnswerParts,
    IndexState,
    beginning,
    compose_answer,
)

TEXT = st.text(alphabet=st.sampled_from("ab \n茶é"), max_size=400)
FENCE = st.sampled_from(["", PLAIN, '<stored-memory path="a.md">'])
PARTS = st.lists(st.builds(AnswerPart, TEXT, FENCE, st.booleans()), max_size=12)


@given(PARTS, st.integers(300, 900), st.integers(0, 99), st.booleans(), TEXT)
def test_no_answer_is_over_its_budget_and_every_fence_is_closed(
    parts, budget, total, has_offset, reason
):
    state = IndexState(is_fresh=not reason, pending=total, reason=reason)
    answer = compose_answer(AnswerParts(parts, state, total, 0, has_offset=has_offset), budget)
    assert tokens(answer) <= budget
    assert len(re.findall("<stored-memory", answer)) == answer.count(CLOSING)


def test_the_first_line_counts_and_the_last_one_says_how_to_read_on():
    parts = [AnswerPart(f"{number} " + "x" * 400, PLAIN, is_item=True) for number in range(10)]
    answer = compose_answer(AnswerParts(parts, IndexState(), 41, 5, has_offset=True), 500)
    lines = answer.split("\n")
    assert lines[0] == "memwiki: fresh · 4 of 41 · next offset 9"
    assert lines[-1] == "cut at 500 tokens: 32 more; offset=9"
    assert lines[1] == PLAIN
    assert lines[-2] == CLOSING


def test_what_is_not_fresh_says_why_and_how_much_is_pending():
    state = IndexState(is_fresh=False, pending=1_200, reason="another process\nis writing it")
    assert compose_answer(AnswerParts([], state), 500) == (
        "memwiki: not fresh: another process is writing it, 1,200 pending"
    )
    assert str(IndexState(is_fresh=False)).endswith("behind the files, unknown pending")


def test_a_line_that_is_longer_than_the_budget_is_cut_at_a_character():
    answer = compose_answer(
        AnswerParts([AnswerPart("茶" * 9_999, PLAIN, is_item=True)], total=1), 300
    )
    assert 150 < answer.count("茶") < 300
    assert answer.endswith(
        "cut at 300 tokens, within this one: read it for the rest: 0 more; ask for fewer"
    )


def test_the_beginning_of_a_text_ends_with_a_line_where_it_can():
    text = "\n".join(["a line of some words"] * 100)
    assert beginning(text, 100).endswith("\na line of some words")
    assert tokens(beginning("茶" * 100, 20)) <= 20
    assert beginning("short", 100) == "short"
