"""Doubles in other words: found by what is embedded already, where a model is set for that."""

from __future__ import annotations

import pytest

from memwiki.errors import NotFoundError
from tests.embedding import WordEmbedder, with_vectors
from tests.proposals.conftest import SETTINGS

MEMORY = (
    SETTINGS
    + """
--- memory.md ---
# Memory

- The physician bought an automobile. ^m-aaaaaa
- Tea is green. ^m-bbbbbb
- A doctor bought the car. ^m-cccccc
- The physician bought no automobile. ^m-dddddd
- The physician bought 3 automobile. ^m-eeeeee
"""
)


@pytest.fixture
def space(opened, write_blocks):
    pytest.importorskip("numpy")
    write_blocks(MEMORY)
    return opened()


def test_what_says_the_same_in_other_words_is_shown_together(space):
    with pytest.raises(NotFoundError):
        space.curation.curate_brief("doubles")
    embedder = WordEmbedder()
    vectors = with_vectors(space, embedder, is_local=False)
    vectors.fill(space.live, seconds=1e9)
    embedder.given.clear()
    asked = space.curation.curate_brief("doubles").text
    assert "1 The physician bought an automobile." in asked
    assert "2 A doctor bought the car." in asked
    assert "Tea" not in asked and "bought no" not in asked and "bought 3" not in asked
    assert embedder.given == [], "what is embedded is compared, and nothing is asked"


def test_where_nothing_is_embedded_words_alone_tell(space):
    with_vectors(space, WordEmbedder())
    with pytest.raises(NotFoundError):
        space.curation.curate_brief("doubles")
