"""What the tests of this room share: a page from text, in a workspace with all layers."""

import textwrap

import pytest

from memwiki.markdown.parse import parse
from memwiki.nouns import Layers, Page

LAYERS = Layers(
    daily="daily",
    sessions="sessions",
    wiki="wiki",
    raw="raw",
    inbox="inbox",
    archive="archive",
    namespaces="namespaces",
    log="log.md",
)


@pytest.fixture
def read():
    def read_page(text: str, path: str = "wiki/page.md", layers: Layers = LAYERS) -> Page:
        return parse(path, textwrap.dedent(text).encode(), layers)

    return read_page
