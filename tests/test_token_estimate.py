"""How many tokens a model is likely to see."""

from hypothesis import given
from hypothesis import strategies as st

from memwiki.text import tokens
from tests.effort import for_each


@for_each(
    ("text", "count"),
    [("", 1), ("abc", 1), ("four" * 10, 11), ("记忆", 3), ("tea 茶 tea", 4), ("e\u0301", 2)],
)
def test_four_ascii_characters_or_one_other_are_a_token(text, count):
    assert tokens(text) == count


@given(st.text(st.characters(exclude_categories=())), st.text())
def test_a_longer_text_never_has_fewer_tokens(text, more):
    assert tokens(text) <= tokens(text + more) <= tokens(text) + tokens(more)
