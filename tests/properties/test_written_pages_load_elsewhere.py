"""Pages that memwiki writes load in python-frontmatter, and say there what they say here."""

from __future__ import annotations

import datetime

import frontmatter
from hypothesis import given
from hypothesis import strategies as st

from memwiki.errors import MemwikiError
from memwiki.markdown.edit.fields import set_field
from memwiki.markdown.edit.relations import with_item
from memwiki.markdown.edit.tags import added_tags
from memwiki.markdown.outline import outline_of
from memwiki.nouns import Dialect, Layers
from memwiki.pages.new import NewPage, PageRequest, page_bytes

ODD = ["yes", "1917", "4.20", "2026-01-02", "~", "null", "a: b", "# x", "- a", "'", '"', "{a}"]
ODD += ["[[x]]", "@me", "*x", "&a", "!t", "%", "文：字", "1e3", "0x1F", "1_000", ".inf", "12:30:45"]
ODD += ["=", "<<", "a #b", "a\tb", "\x85", "\u2028", "\ufeffa", "🍵", "\\n", "---", "..."]
texts = st.sampled_from(ODD) | st.text(max_size=15)
kinds = st.sampled_from([Layers(), Layers(dialect=Dialect("dendron"))])


def said(value: object) -> object:
    """A value as memwiki reads it: text, whatever YAML makes of it."""
    if isinstance(value, list):
        return [said(each) for each in value]
    if isinstance(value, dict):
        return {str(key): said(each) for key, each in value.items()}
    if isinstance(value, datetime.date | float | int) and not isinstance(value, bool):
        return str(value)
    return value


@given(kinds, texts, texts, st.lists(texts, max_size=3), st.lists(texts, max_size=2), texts)
def test_a_page_that_memwiki_writes_says_the_same_elsewhere(
    layers, title, description, tags, aliases, name
):
    try:
        asked = PageRequest(title, "concept", tags, description)
        data = page_bytes(NewPage("a.md", title, "concept"), asked, "2026-01-02", layers, 10_000)
        page = set_field(outline_of("a.md", data, layers), "aliases", aliases)
        page = set_field(page, "status", description)
        page = added_tags(page, ["green-tea"])
        page = with_item(page, "related", name, {})
        page = with_item(page, "relations", name, {"type": "works_on", "weight": "0.5"})
    except MemwikiError:
        return
    loaded = frontmatter.loads(page.data.decode())
    assert {key: said(value) for key, value in loaded.metadata.items()} == page.front.fields
    for key in ("title", "description", "desc", "status"):
        assert loaded.metadata.get(key, "") == page.front.fields.get(key, "")
