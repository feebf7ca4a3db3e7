"""All rows compared with one vector: the same order with numpy, by signs, and row by row."""

from __future__ import annotations

import random
from array import array
from contextlib import closing
from itertools import islice
from math import sqrt

import pytest

from memwiki.index.vectors.store import FILE, RowByRow, RowScan, VectorStore
from memwiki.index.vectors.units import RowFile, is_usable, pack_row, text_key

WIDTH, COUNT = 64, 700


def vector(seed: int) -> array:
    chance = random.Random(seed)
    numbers = [chance.gauss(0, 1) for _ in range(WIDTH)]
    length = sqrt(sum(number * number for number in numbers))
    return array("f", (number / length for number in numbers))


@pytest.fixture
def rows(tmp_path) -> RowFile:
    file = RowFile(tmp_path / "rows.bin", WIDTH)
    file.append([pack_row(text_key(str(i)), vector(i)) for i in range(COUNT)], 0)
    return file


def exact(asked) -> list[int]:
    cosines = [sum(a * b for a, b in zip(vector(i), asked, strict=True)) for i in range(COUNT)]
    return sorted(range(COUNT), key=lambda i: -cosines[i])


def test_the_nearest_rows_come_first(rows):
    pytest.importorskip("numpy")
    asked = vector(10_001)
    found = list(RowScan().near(rows, asked).nearest())
    assert sorted(found) == list(range(COUNT))
    assert len({*found[:20]} & {*exact(asked)[:20]}) >= 19


def test_a_row_is_nearest_to_itself_in_every_way(rows):
    pytest.importorskip("numpy")
    scan = RowScan()
    for number in (0, 255, 256, COUNT - 1):
        assert next(scan.near(rows, vector(number)).nearest()) == number
        assert next(scan.near(rows, vector(number), many=1).nearest()) == number


def test_signs_find_most_of_the_nearest_and_cosines_of_any_row(rows):
    pytest.importorskip("numpy")
    asked = vector(10_002)
    near = RowScan().near(rows, asked, many=1)
    assert len({*islice(near.nearest(), 10)} & {*exact(asked)[:10]}) >= 8
    assert near.cosines([3, 5]) == pytest.approx(RowByRow(rows, asked).cosines([3, 5]), abs=1e-5)


def test_rows_that_are_added_are_scanned_too(rows):
    pytest.importorskip("numpy")
    scan = RowScan()
    next(scan.near(rows, vector(1), many=1).nearest())
    rows.append([pack_row(text_key("new"), vector(20_000))], COUNT)
    assert next(scan.near(rows, vector(20_000), many=1).nearest()) == COUNT
    assert next(scan.near(rows, vector(20_000)).nearest()) == COUNT


def test_without_numpy_only_rows_that_are_named_are_compared(rows):
    asked = vector(3)
    near = RowByRow(rows, asked)
    assert list(near.nearest()) == []
    assert near.cosines([3]) == pytest.approx([1], abs=0.01)


def test_a_row_is_that_of_its_own_text_alone(rows):
    assert rows.holds(5, text_key("5"))
    assert not rows.holds(5, text_key("6"))
    assert not rows.holds(COUNT, text_key("5"))
    assert len(dict(rows.texts())) == COUNT


def test_only_numbers_of_the_right_width_are_a_vector():
    assert is_usable(vector(1), WIDTH)
    assert not is_usable(vector(1), WIDTH + 1)
    assert not is_usable(array("f", [0.0] * WIDTH), WIDTH)
    assert not is_usable(array("f", [float("inf")] * WIDTH), WIDTH)


def test_the_log_of_a_store_that_is_filled_for_long_stays_small(tmp_path):
    with closing(VectorStore(tmp_path, WIDTH, "x")) as store:
        store.prepare()
        for number in range(3):
            text = text_key(str(number))
            store.put_packed({text: pack_row(text, vector(number))})
            assert (tmp_path / f"{FILE}-wal").stat().st_size == 0
