"""Stored text stays between its marks, whatever it says."""

import re

from hypothesis import given
from hypothesis import strategies as st

from memwiki.fence import CLOSING, NAME, inside, one_line, opening, visible

READS_AS_A_MARK = re.compile(r"<\s*/?\s*stored-memory", re.IGNORECASE)
SIGNS = '<＜/／ \n\u200b\u2060>x\x00\x1b\u202e\U000e0041\ud800"\r'
PIECES = st.lists(st.sampled_from([*SIGNS, "&lt;", NAME, NAME.upper()])).map("".join)


@given(PIECES | st.text())
def test_no_text_closes_or_opens_a_fence(text):
    assert not READS_AS_A_MARK.search(re.sub("[\u00ad\u200b-\u200f\u2060\ufeff]", "", inside(text)))


@given(PIECES | st.text(), st.text())
def test_an_opening_mark_is_one_line_that_ends_where_it_ends(path, date):
    mark = opening(path=path, date=date)
    assert re.fullmatch(r'<stored-memory( path="[^"<>\n]*")?( date="[^"<>\n]*")?>', mark)


@given(st.text(alphabet=st.characters(), max_size=50))
def test_what_is_cleaned_can_be_written_and_read(text):
    assert visible(text).encode().decode() == visible(visible(text))


def test_what_hides_or_turns_text_is_shown():
    assert visible("a\u202eb\U000e0041c\ud800") == r"a\u{202e}b\u{e0041}c\u{d800}"
    assert visible("a\x00b\x1b[31mc\x9bd\te\nf") == "ab[31mcd\te\nf"
    assert one_line(" a\n\u2028b ") == "a b"


def test_the_marks_themselves_are_escaped_in_any_disguise():
    assert inside(CLOSING) == "&lt;/stored-memory>"
    assert inside("< / STORED-memory>") == "&lt; / STORED-memory>"
    assert inside("<\u200b/stored-memory>") == "&lt;\u200b/stored-memory>"
    assert inside("a < b </stored-") == "a < b </stored-"


def test_many_blanks_after_a_bracket_take_linear_time():
    text = "<" + " " * 1_000_000
    assert inside(text) == text
