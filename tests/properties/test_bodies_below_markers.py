"""The links in admonitions, details and tabs are those that MkDocs' own parser makes of them."""

import re

import markdown
from hypothesis import given, settings
from hypothesis import strategies as st

from memwiki.markdown.parse import parse
from memwiki.nouns import Layers

EXTENSIONS = ("admonition", "pymdownx.details", "pymdownx.superfences", "pymdownx.tabbed")
MARKERS = (
    *("!!! note", '!!! tip "A | b"', "!!!warning", '!!! note inline end "T"', "??? note"),
    *('???+ "Open"', "???+ tip", '=== "C"', '===! "New"', '===+ "Chosen"', "!!! a-b c"),
)
LEAVES = ("[t](@.md)", "more [t](@.md) text", "- [t](@.md)", "1. [t](@.md)", "# [t](@.md)")
CODE = ("    [t](@.md)", "```\n[t](@.md)\n```")


def _indented(block):
    return "\n".join(f"    {line}" if line else "" for line in block.split("\n"))


def _container(marker, gap, blocks):
    return f"{marker}\n{gap}{_indented(_joined(blocks))}"


def _joined(blocks):
    """Blocks with an empty line between; a paragraph before code, which would belong to a list."""
    return "\n\n".join(f"text\n\n{each}" if each in CODE else each for each in blocks)


BLOCKS = st.recursive(
    st.sampled_from((*LEAVES, *CODE)),
    lambda inner: st.builds(
        _container,
        st.sampled_from(MARKERS),
        st.sampled_from(("", "\n")),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)


@settings(max_examples=max(settings().max_examples, 100))
@given(st.lists(BLOCKS, min_size=1, max_size=4))
def test_links_in_indented_bodies_are_those_of_mkdocs(blocks):
    parts = "\n\n".join(f"text\n\n{each}\n\nend" for each in blocks).split("@")
    text = "".join(
        part + str(number) * (number < len(parts)) for number, part in enumerate(parts, 1)
    )
    html = markdown.markdown(text, extensions=EXTENSIONS)
    page = parse("a.md", text.encode(), Layers())
    assert [link.written for link in page.links] == re.findall(r'href="([^"]*)"', html)
    lines = text.split("\n")
    assert all(f"]({link.written})" in lines[link.line - 1] for link in page.links)
