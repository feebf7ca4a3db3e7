"""Postings as bytes: what is written is read again, in little room, and damage is met."""

from __future__ import annotations

import zlib
from array import array
from random import Random

import pytest

from memwiki.errors import IndexDamagedError
from memwiki.index.keyword.backend import decode, encode
from memwiki.index.storage_sqlite import decoding
from tests.effort import for_each


def postings(count: int, widest: int, seed: int = 1) -> tuple[list[int], bytes]:
    """So many documents, with gaps up to a width, and weights as they are: most about the same."""
    rng, at = Random(seed), -1
    documents = [at := at + 1 + int(min(rng.expovariate(8 / widest), widest)) for _ in range(count)]
    return documents, bytes(min(max(int(rng.gauss(90, 30)), 1), 255) for _ in range(count))


@for_each("count", [1, 2, 30, 200, 5_000])
@for_each("widest", [1, 100, 3_000, 1_000_000])
def test_postings_are_read_as_they_were_written(count, widest):
    documents, weights = postings(count, widest)
    blob = encode(array("I", documents), bytearray(weights))
    assert decode(blob) == (documents, weights)
    assert decode(blob, 7)[0] == [document + 7 for document in documents]
    assert len(blob) <= 2 + count * (array("I").itemsize + 1)


@pytest.mark.parametrize("widest", [100, 3_000])
def test_documents_and_weights_take_less_room_apart(widest):
    documents, weights = postings(5_000, widest)
    gaps = [after - before for before, after in zip([0, *documents], documents, strict=False)]
    together = array("B" if widest < 256 else "H", gaps).tobytes() + weights
    blob = encode(array("I", documents), bytearray(weights))
    assert len(blob) < 0.93 * len(zlib.compress(together, 9))


@for_each("count", [1, 2, 30, 900])
@for_each("widest", [1, 3_000, 1_000_000])
def test_what_is_cut_off_is_damage(count, widest):
    documents, weights = postings(count, widest)
    blob = encode(array("I", documents), bytearray(weights))
    for damaged in (blob[:-1], blob[:2], blob[:1], b""):
        with pytest.raises(IndexDamagedError), decoding("postings"):
            decode(damaged)


def test_what_was_changed_is_damage():
    documents, weights = postings(900, 3_000)
    blob = encode(array("I", documents), bytearray(weights))
    with pytest.raises(IndexDamagedError), decoding("postings"):
        decode(blob[:40] + b"\0" + blob[41:])
