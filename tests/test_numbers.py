"""Counts are written as people write them."""

import pytest

from memwiki.numbers import counted, plural


@pytest.mark.parametrize(
    ("count", "said"), [(0, "0 pages"), (1, "1 page"), (2, "2 pages"), (1000, "1000 pages")]
)
def test_one_is_not_many(count, said):
    assert counted(count, "page") == said


def test_a_noun_may_have_a_plural_of_its_own():
    assert [plural(n, "entry", "entries") for n in (1, 2)] == ["entry", "entries"]
