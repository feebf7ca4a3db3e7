"""Every file of the cache, harmed in every way, met by every command: the answer is the right one.

A sample of what `benchmarks/damage.py` runs at length: each file with each harm once, every column
of every store once, each command about as often as any other. The seed is fixed.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from damage import COMMANDS, HARMS, READS, VALUES, Case, Field

pytestmark = [
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.usefixtures("collected"),
]
_SHARE = 12  # of so many files and harms one is met in each of the parts of the sweep
_UNSYNCED = ("search", "list", "tags", "links", "graph", "get")


@pytest.fixture(scope="module")
def field(tmp_path_factory) -> Iterator[Field]:
    one = Field(tmp_path_factory.mktemp("damage"))
    yield one
    one.close()


def met(field: Field, cases: list[Case], dice: random.Random) -> list[str]:
    wrong = []
    for case in cases:
        what = field.run(case, dice)
        field.restore()
        wrong += [f"{case}: {what}"] if what else []
    return wrong


def commands(dice: random.Random) -> Iterator[str]:
    """Each as often as any other, the slow ones seldom."""
    while True:
        names = [name for name in COMMANDS if name not in ("history", "verify")]
        dice.shuffle(names)
        yield from names


@pytest.mark.parametrize("harm", HARMS)
def test_a_file_that_was_harmed_gives_no_wrong_answer(field, harm):
    dice = random.Random(harm)
    asked = commands(dice)
    files = field.files()
    dice.shuffle(files)
    chosen = sorted(files[: len(files) // _SHARE])
    cases = [Case(where, harm, next(asked), dice.random() < 0.3) for where in chosen]
    assert met(field, cases, dice) == []


@pytest.mark.parametrize("value", VALUES)
def test_an_odd_value_in_a_row_gives_no_wrong_answer(field, value):
    dice = random.Random(value)
    asked = commands(dice)
    columns = list(field.columns())
    dice.shuffle(columns)
    chosen = columns[: len(columns) // (5 * _SHARE)]
    cases = [Case(where, value, next(asked), dice.random() < 0.3) for where in chosen]
    assert met(field, cases, dice) == []


@pytest.mark.parametrize("harm", ["empty", "an older copy", "zeroes in the middle", "missing"])
def test_without_a_sync_a_harmed_store_gives_the_right_answer_or_an_error(field, harm):
    dice = random.Random(harm)
    for ending in (".sqlite", ".seg", ".toc", "current", "stamp.json", "stores.json"):
        where = next(each for each in field.files() if each.endswith(ending))
        case = Case(where, harm, dice.choice(_UNSYNCED), False)
        wrong = field.run_unsynced(case, dice)
        field.restore()
        assert not wrong, case


@pytest.mark.parametrize("command", READS)
def test_an_emptied_store_of_cards_is_noticed_by(field, command):
    (cards,) = (each for each in field.files() if each.endswith("cards.sqlite"))
    assert met(field, [Case(cards, "empty", command, False)], random.Random(1)) == []


def test_the_sweep_notices_an_index_that_believes_everything(field, monkeypatch):
    """With the look at what lies in the cache taken away, harm is met and not noticed."""
    from memwiki.sync import builds

    monkeypatch.setattr(builds, "is_intact", lambda *_: True)
    cards = next(each for each in field.files() if each.endswith("cards.sqlite"))
    wrong = met(field, [Case(cards, "an older copy", "list", False)], random.Random(1))
    assert len(wrong) == 1
