"""What a page is, is decided once: the parser, every edit and a page that moves see the same."""

import random
import re
import sys
from itertools import islice
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st
from test_text_leaves_the_rest_alone import HEADS, LINES, OPENERS

from memwiki.errors import MemwikiError
from memwiki.markdown.edit.links import sites_of
from memwiki.markdown.edit.tags import field_tags, inline_tags
from memwiki.markdown.outline import Outline, Outlines, PageKind, outline_of
from memwiki.markdown.parse import parse
from memwiki.markdown.structure import open_block
from memwiki.markdown.tags import distinct_tags
from memwiki.nouns import Layers
from memwiki.pages.edit import append_text

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from fuzz import documents

LAYERS = Layers(
    sessions="sessions", daily="daily", inbox="inbox", namespaces="spaces", log="log.md"
)
PATHS = st.sampled_from(
    [
        "a.md",
        "memory.md",
        "wiki/x.md",
        "sessions/s.md",
        "daily/2026-11-21.md",
        "spaces/b/memory.md",
        "log.md",
    ]
)
LINKS = [
    "[[b]]",
    "![[b#H]]",
    "[t](../b.md)",
    "[t][r]",
    "[r]: c.md",
    "- made_of [[b]]",
    "`[[code]]`",
]
ENTRIES = [
    "- Likes tea. ^m-7k2f9a",
    "- x [subject:: b] [entities:: a, [[b]]] [因为:: m-7k2f9a 0.5]",
    "  - topic:: [[b]]",
    "- a ^m-1 b",
    "`x ^m-1`",
    "text ^block",
    "    ^m-2",
    "### user",
]
FIELDS = [
    "type: memory",
    "kind: session",
    "type: [a, b]",
    "tags: [x, y]",
    "related: '[[b]]'",
    "x: [",
]
LINE = st.one_of(st.sampled_from(LINES + OPENERS), st.sampled_from(LINKS + ENTRIES))
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
LOOKED_FOR = (
    "lines",
    "front",
    "fields",
    "type",
    "title",
    "kind",
    "structure",
    "sections",
    "masked",
    "found",
    "links",
    "tags",
    "is_catalog",
    "start",
    "loaded",
    "block_ids",
    "path",
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Lines of every kind, or a document of the fuzzer, below any front matter."""
    if draw(st.booleans()):
        chance = random.Random(draw(st.integers(0, 10**6)))
        (body,) = islice(documents(chance), 1)
        body = [_CONTROL.sub("", line) for line in body]  # many of them make a file binary
    else:
        body = draw(st.lists(LINE, max_size=12))
    fields = draw(st.lists(st.sampled_from(FIELDS), max_size=3))
    head = "\n".join(["---", *fields, "---", ""]) if fields else draw(st.sampled_from(HEADS))
    end = draw(st.sampled_from(["\n", "\r\n", "\r\r\n"]))
    return (head + "\n".join(body)).replace("\n", end) + draw(st.sampled_from(["", end]))


def seen(page: Outline) -> list[object]:
    return [getattr(page, name) for name in LOOKED_FOR]


@given(texts(), PATHS, st.sampled_from([b"", b"\xef\xbb\xbf"]))
@example("- Likes tea. ^m-7k2f9a\n", "wiki/x.md", b"")
def test_the_parser_and_the_edits_agree_on_any_page(text: str, path: str, mark: bytes) -> None:
    data = mark + text.encode("utf-8", "replace")
    outline, page = outline_of(path, data, LAYERS), parse(path, data, LAYERS)
    assert outline.data == data
    assert page.is_catalog == outline.is_catalog
    if page.is_catalog:
        return
    assert (page.front_matter, page.fields) == (outline.front, outline.fields.values)
    assert (page.title, page.type, page.sections) == (outline.title, outline.type, outline.sections)
    assert page.links == outline.links
    assert page.entries == () or outline.kind is PageKind.COLLECTING
    assert page.messages == () or outline.kind is PageKind.SESSION
    inline = [tag.name for tag in inline_tags(outline)]
    assert page.tags == distinct_tags((*outline.fields.tags, *inline))
    placed = {(site.link.written, site.link.heading) for site in sites_of(outline)}
    below = [link for link in page.links if link.line > outline.start]
    assert {(link.written, link.heading) for link in below} <= placed
    if not outline.front.fields:
        assert field_tags(outline) == ()


@given(texts(), PATHS, PATHS)
def test_a_page_that_moves_is_what_it_would_be_if_it_had_always_been_there(text, old, new):
    outlines = Outlines(LAYERS)
    seen(outlines(old, text, ""))
    moved, fresh = outlines(new, text, ""), Outline(LAYERS, new, text)
    assert seen(moved) == seen(fresh)


@given(texts(), PATHS, st.sampled_from(["- A memory.\n\nWith a paragraph.", "1. a\nb"]))
@example("- Likes tea. ^m-7k2f9a\n", "wiki/x.md", "- A memory.\n\nWith a paragraph.")
def test_an_item_added_where_entries_are_collected_is_one_entry(text, path, added):
    try:
        page = outline_of(path, text.encode("utf-8", "replace"), LAYERS)
        if page.kind is not PageKind.COLLECTING or page.is_catalog:
            return
        plan = append_text(page, added, section="", max_bytes=1_000_000)
    except MemwikiError:
        return
    before, after = (parse(path, data, LAYERS).entries for data in (page.data, plan.edits[0].data))
    assert len(after) <= len(before) + 1
    written = [line.strip() for line in added.split("\n") if line.strip()]
    assert all(line.lstrip("-1. ") in after[-1].text for line in written)


@given(texts(), PATHS)
def test_code_and_html_that_go_on_are_blocks_of_the_page(text, path):
    page = Outline(LAYERS, path, text)
    blocks = (*page.structure.code, *page.structure.html)
    for at in range(page.start, len(page.lines) + 1):
        if open_block(page.lines[:at], page.start) and page.structure.is_certain:
            assert any(first < at <= end for first, end in blocks)
