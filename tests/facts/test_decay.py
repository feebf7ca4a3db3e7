"""What age leaves of a memory; the numbers are by hand."""

from math import inf

import pytest

from memwiki.config import MemoryConfig, load
from memwiki.errors import ConfigError
from memwiki.facts.value import decay_of, rates_of
from tests.effort import for_each

BY_TYPE = MemoryConfig(decay="by_type", decay_rates=("event 0.1", "rumour=0.5"))


@for_each(("age", "left"), [(0, 1), (7, 0.5), (14, 0.25), (3.5, 0.70710678), (-3, 1)])
def test_after_a_half_life_half_is_left(age, left):
    assert decay_of("daily", "", 1.0, age, 0, MemoryConfig()) == pytest.approx(left)


@for_each(
    ("importance", "rate", "age", "recalls", "left"),
    [
        (0.5, 0.05, 0, 0, 0.5),
        (0.5, 0.05, 20, 0, 0.18393972),  # 0.5 / e
        (1.0, 0.01, 100, 3, 0.87786864),  # (1 + ln 4) / e
        (0.8, 0.005, 0, 1, 1.35451774),  # 0.8 (1 + ln 2)
    ],
)
def test_by_type_importance_fades_and_use_brings_it_back(importance, rate, age, recalls, left):
    settings = MemoryConfig(decay="by_type", decay_rates=(f"own {rate}",))
    assert decay_of("daily", "own", importance, age, recalls, settings) == pytest.approx(left)


@for_each(
    ("type_", "left"),
    [("event", 0.36787944), ("opinion", 0.74081822), ("rumour", 0.00673795), ("other", 0.90483742)],
)
def test_each_type_has_its_rate(type_, left):
    assert decay_of("daily", type_, 1.0, 10, 0, BY_TYPE) == pytest.approx(left)


@pytest.mark.parametrize("settings", [MemoryConfig(), BY_TYPE])
def test_core_and_what_nobody_dates_never_decay(settings):
    assert decay_of("core", "event", 0.3, 9999, 0, settings) == 1
    assert decay_of("daily", "event", 0.3, inf, 0, settings) == 1


def test_rates_are_written_in_several_ways():
    assert rates_of(("a 1", "b: 0.5", "big idea=2")) == {"a": 1.0, "b": 0.5, "big idea": 2.0}


@pytest.mark.parametrize("written", ["event", "0.2", "event x", "event -1", "event nan"])
def test_what_is_no_rate_is_an_error_that_names_the_line(tmp_path, written):
    (tmp_path / "memwiki.toml").write_text(f"[memory]\ndecay_rates = ['{written}']\n")
    with pytest.raises(ConfigError, match=r"line 2: memory\.decay_rates is not a list of words"):
        load(tmp_path, {})
