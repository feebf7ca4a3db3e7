"""What texts hold."""

from hypothesis import given
from hypothesis import strategies as st

from memwiki.text import holds

SIGNS = st.text("[]:x", min_size=1, max_size=3)


@given(st.text("[]:x\n", max_size=12), st.lists(SIGNS, max_size=3))
def test_a_sign_is_found_wherever_it_stands(text, signs):
    assert holds(text, *signs) == any(sign in text for sign in signs)
