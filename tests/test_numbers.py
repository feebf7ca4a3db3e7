"""Counts are written as people write them."""

from memwiki.numbers import counted, number, plural
from tests.effort import for_each


@for_each(("count", "said"), [(0, "0 pages"), (1, "1 page"), (2, "2 pages"), (1000, "1000 pages")])
def test_one_is_not_many(count, said):
    assert counted(count, "page") == said


def test_a_noun_may_have_a_plural_of_its_own():
    assert [plural(n, "entry", "entries") for n in (1, 2)] == ["entry", "entries"]


@for_each(
    ("text", "found"),
    [("0.6", 0.6), (" -2 ", -2.0), ("1e3", 1000.0), ("nan", None), ("1e999", None), ("１", None)],
)
def test_a_number_is_finite_and_of_plain_digits(text, found):
    assert number(text) == found


@for_each("text", ["", "x", "0,5", "9" * 100_000, "\ud800"])
def test_any_other_text_is_no_number(text):
    assert number(text) is None
