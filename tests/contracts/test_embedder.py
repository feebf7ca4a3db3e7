"""One suite for all that makes vectors: as many as texts, in their order, of one width, of length
1."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from math import hypot, isclose

import pytest

from memwiki.models.local_embed import SentenceEncoder, local_embedder
from memwiki.models.port import Embedder
from tests.recorded import RecordedEmbedder
from tests.scripted_server import ScriptedServer, answer

TEXTS = {"tea": [3.0, 4.0, 0.0], "": [0.0, 1.0, 0.0], "茶" * 50: [1.0, 1.0, 1.0]}


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    def step(connection, over) -> None:
        wanted = found.received[-1].json["input"]
        rows = [
            {"index": at, "embedding": TEXTS.get(text.strip(), [1, 0, 0])}
            for at, text in enumerate(wanted)
        ]
        answer(200, {"data": rows[::-1]})(connection, over)

    found = ScriptedServer(step)
    yield found
    found.close()


def recorded(run) -> Embedder:
    rows = ({"text": text, "vector": vector} for text, vector in TEXTS.items())
    return RecordedEmbedder(map(json.dumps, rows))


def http(run) -> Embedder:
    return run(batch=2).embedder()


def local(run) -> Embedder:
    if find_spec(SentenceEncoder.module) is None:
        pytest.skip("memwiki[embed] is not installed")
    return local_embedder("")


@pytest.fixture(params=[recorded, http, local])
def embedder(request: pytest.FixtureRequest, run: Callable) -> Embedder:
    return request.param(run)


def test_each_text_has_its_vector_in_order(embedder):
    texts = [*TEXTS, *reversed(TEXTS)]
    found = embedder.embed(texts)
    assert len(found) == len(texts)
    assert all(each.typecode == "f" and len(each) == embedder.width for each in found)
    assert all(isclose(hypot(*each), 1, rel_tol=1e-3) for each in found)
    for one, other in zip(found, found[::-1], strict=True):
        assert one.tolist() == pytest.approx(other.tolist(), abs=1e-3)
    assert found[0].tolist() != pytest.approx(found[2].tolist(), abs=1e-3)


@pytest.mark.parametrize("make", [recorded, http])
def test_what_was_given_is_given_on_with_length_1(make, run):
    found = make(run).embed([*TEXTS])
    assert found[0].tolist() == pytest.approx([0.6, 0.8, 0])
    assert all(isclose(hypot(*each), 1, rel_tol=1e-6) for each in found)


def test_no_texts_are_no_vectors(embedder):
    assert embedder.embed([]) == []


def test_the_key_is_one_word_that_names_the_width(embedder):
    assert " " not in embedder.key
    assert embedder.key.endswith(f":{embedder.width}")
