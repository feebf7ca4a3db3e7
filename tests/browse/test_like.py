"""Pages that are like another one."""

from __future__ import annotations

import pytest

from memwiki.errors import NotFoundError
from tests.embedding import WordEmbedder, with_vectors

PAGES = {
    "physician.md": "# Physician\n\nThe physician wants more sleep.\n",
    "doctor.md": "# Doctor\n\nThe doctor wants more sleep.\n",
    "tea.md": "# Tea\n\nTea is green and has more caffeine.\n",
}


@pytest.fixture
def pages(put):
    for path, text in PAGES.items():
        put(path, text)


def test_pages_are_alike_by_their_words(ws, pages):
    answer = ws.graph.like("physician")
    assert answer.pages[0].path == "doctor.md"
    assert answer.by == "words"
    assert "physician.md" not in [each.path for each in answer.pages]
    assert len(ws.graph.like("physician", limit=1).pages) == 1


def test_with_a_model_they_are_so_by_what_they_mean(ws, pages):
    ws.sync()
    embedder = WordEmbedder()
    with_vectors(ws, embedder, "pages").fill(ws.live, seconds=1e9)
    answer = ws.graph.like("doctor")
    assert answer.pages[0].path == "physician.md"
    assert answer.by == "words 1"


def test_a_page_with_anything_private_is_compared_by_its_words(put, ws, pages):
    put("secret.md", "---\nprivate: true\n---\n# Secret\n\nThe doctor wants more sleep.\n")
    ws.sync()
    embedder = WordEmbedder()
    with_vectors(ws, embedder, "pages").fill(ws.live, seconds=1e9)
    embedder.given.clear()
    answer = ws.graph.like("secret")
    assert answer.pages[0].path == "doctor.md"
    assert (answer.by, embedder.given) == ("words", [])
    assert "secret.md" not in [each.path for each in ws.graph.like("doctor").pages]
    with pytest.raises(NotFoundError):
        ws.public().graph.like("secret")


def test_who_may_not_see_it_is_not_told_that_a_page_has_anything_private(put, ws, pages):
    put("doctor.md", PAGES["doctor.md"] + "\nThe code is 4711. [private:: true]\n")
    ws.sync()
    embedder = WordEmbedder()
    with_vectors(ws, embedder, "pages").fill(ws.live, seconds=1e9)
    assert ws.graph.like("doctor").by == "words"
    assert ws.public().graph.like("doctor").by == "words 1"
    assert not any("4711" in text for text in embedder.given)


def test_a_page_that_no_model_is_given_is_compared_by_its_words(put, opened, pages):
    put("memwiki.toml", '[models]\nwithhold = ["doctor.md"]\n')
    ws = opened()
    ws.sync()
    embedder = WordEmbedder()
    with_vectors(ws, embedder, "pages", is_local=False).fill(ws.live, seconds=1e9)
    assert not any("doctor" in text for text in embedder.given)
    embedder.given.clear()
    assert ws.graph.like("doctor").by == "words"
    assert embedder.given == []
    assert ws.graph.like("tea").by == "words 1"
    ws.recall("my token is ghp_16C7e42F292c6912E7710c838347Ae178B4a")
    assert not any("ghp_16C7" in text for text in embedder.given)
