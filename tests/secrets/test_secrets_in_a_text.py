"""What is found in a text as a whole: one secret a line, in order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.secrets import Secret, secrets_in

KEY = "8fJ2kQ9xLw3ZrT7b" + "VnY5cHs1DgM4pA6e"
PASSWORD = "Wz" + "7!qR" + "4k#pL9"
LINES = {
    f"password: {PASSWORD}": "a password in `password`",
    f"my_token = {KEY}": f"a secret in `token`: {KEY[:4]}…",
    "AK" + "IA" + "Q7XD2MWLR5ZK3TVB": "a AWS access key: AKIAQ7XD",
    "nothing here": "",
    "\ud800\x00e\u0301令牌": "",
}


@given(st.lists(st.sampled_from(sorted(LINES)), max_size=30))
def test_every_line_with_a_secret_is_named_once_and_in_order(lines):
    found = list(secrets_in("\n".join(lines)))
    assert [each.line for each in found] == [n for n, x in enumerate(lines, 1) if LINES[x]]
    assert all(LINES[lines[each.line - 1]] in each.what for each in found)


def test_a_well_known_shape_says_more_than_the_name_before_it():
    (found,) = secrets_in("\nmy_api_key = " + "AK" + "IA" + "Q7XD2MWLR5ZK3TVB")
    assert found == Secret(2, "a AWS access key: AKIAQ7XD…")


@pytest.mark.parametrize("text", ["", "\n\n", "password:", "://", "\ud83d" * 50])
def test_a_text_without_secrets_has_none(text):
    assert list(secrets_in(text)) == []


@given(st.text(st.characters(exclude_categories=())))
def test_no_text_stops_the_search(text):
    assert all(1 <= each.line <= text.count("\n") + 1 for each in secrets_in(text))
