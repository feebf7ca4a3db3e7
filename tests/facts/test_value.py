"""The value of a memory, its numbers worked out by hand."""

import pytest

from memwiki.facts.value import value_of
from tests.effort import for_each


@for_each(
    ("recalls", "mean", "days", "value"),
    [
        (0, 0.0, 0, 0.2),
        (0, 0.0, 1, 0.1),
        (1, 1.0, 0, 0.3 * 0.693147 + 0.5 + 0.2),
        (3, 0.5, 3, 0.3 * 1.386294 + 0.25 + 0.05),
        (19, 0.8, 99, 0.3 * 2.995732 + 0.4 + 0.002),
        (0, 0.0, float("inf"), 0.0),
    ],
)
def test_value_is_often_well_and_lately(recalls, mean, days, value):
    assert value_of(recalls, mean, days) == pytest.approx(value, abs=1e-6)


def test_weights_are_those_of_the_settings():
    assert value_of(0, 0.5, 3, (0, 1, 4)) == pytest.approx(0.5 + 1)


def test_a_recall_in_the_future_counts_as_one_of_today():
    assert value_of(1, 0, -5) == value_of(1, 0, 0)
