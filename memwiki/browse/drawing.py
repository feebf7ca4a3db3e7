"""A page with the links, tags and blocks that the index reads in it, each where it is."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.answers.pages import MAX_DRAWN_CHARS, LinkSpan, PageAt, PageDrawing, TagSpan
from memwiki.change.plan import ETAG_DIGITS
from memwiki.files.paths import contain
from memwiki.markdown.outline import Outline, Outlines
from memwiki.markdown.parse import parse
from memwiki.markdown.structure import part_of
from memwiki.markdown.syntax import opens_code
from memwiki.nouns import LinkRow, Span
from memwiki.pages.page import page_now
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, linked_reading
from memwiki.text import line_starts

_MAX_BLOCK_LINES = 200


def drawing(live: LiveIndex, name: str, section: str, text: str | None) -> PageDrawing:
    """The page as the file is now, or the one at a path as it would be with another text."""
    with linked_reading(live) as view:
        path = view.find(name) if text is None else contain(live.context.root, name)
        return _draw(live, view, path, text, section)


def drawing_at(live: LiveIndex, past: PageAt) -> PageDrawing:
    """A page as it was; its links mean what they would mean now."""
    with linked_reading(live) as view:
        drawn = _draw(live, view, past.path, past.text, "")
        return drawn._replace(rev=past.rev, date=past.date)


def _draw(
    live: LiveIndex, view: Reading, given: str, text: str | None, section: str
) -> PageDrawing:
    """Without a text, the page as the file is now."""
    context, outlines = live.context, Outlines(live.context.layers)

    def look(path: str, text: str, _mark: str = "") -> Outline:
        return outlines(path, text, "")  # once for the page and for what is drawn of it

    if text is None:
        page = page_now(context, given, look)
    else:
        page = parse(
            given, text.encode(), context.layers, max_bytes=context.max_bytes, outlines=look
        )
    outline = look(page.path, page.text)
    block = page.block_ids.get(section.removeprefix("^")) if section else None
    if block:
        start, end = block, block_end(outline.lines, block)
    else:
        _, start, end = part_of(page, section, None)
    return PageDrawing(
        page.path,
        page.title,
        page.type,
        page.tags,
        page.aliases,
        page.fields,
        "\n".join(outline.lines) + "\n",
        page.digest,
        outline.text_start + 1,
        tuple(_links(view, outline)),
        tuple(_tags(outline)),
        page.block_ids,
        page.entries,
        bool(outline.heading) and outline.heading == page.title,
        outline.layers.dialect.name,
        page.digest[:ETAG_DIGITS],
        line_start=start,
        line_end=end,
        fresh=view.freshness.fresh,
        tagged_code=tuple(_tagged_code(outline)),
    )


class _Offsets:
    """From offsets in the masked text, whose blank lines are short, to those in the text."""

    def __init__(self, outline: Outline) -> None:
        self._masked, self._starts = outline.masked, line_starts(outline.lines)

    def __call__(self, offset: int) -> int:
        line, column = self._masked.place(offset)
        return self._starts[line] + column


def _links(view: Reading, outline: Outline) -> Iterator[LinkSpan]:
    """Each link of the text that means anything, the first of those that share a target."""
    found, done = [], -1
    for link, span in sorted(outline.found.pairs, key=lambda pair: pair[1]):
        if span[0] >= done and len(outline.lines[link.line - 1]) <= MAX_DRAWN_CHARS:
            found.append((link, span))
            done = span[1]
    place, links = _Offsets(outline), [link for link, _ in found]
    rows = view.graph.resolved(outline.path, links)
    meant: list[list[LinkRow]] = [[row] for row in rows]
    if len(rows) != len(links):  # what means nothing has no row, and is not named
        meant = [view.graph.resolved(outline.path, [link]) for link in links]
    for (link, (start, end)), each in zip(found, meant, strict=True):
        for row in each:
            yield LinkSpan(place(start), place(end), row, link.heading, link.block)


def _tagged_code(outline: Outline) -> Iterator[Span]:
    """The lines, from 1, of code between tags that stand on lines of their own."""
    lines = outline.lines
    for first, end in outline.structure.code:
        if opens_code(lines[first].lstrip(" \t")) and lines[end - 1].lstrip(" \t")[:1] == "{":
            yield first + 1, end


def _tags(outline: Outline) -> Iterator[TagSpan]:
    place = _Offsets(outline)
    for tag, at in outline.tags:
        start, (line, _) = place(at), outline.masked.place(at)
        if len(outline.lines[line]) <= MAX_DRAWN_CHARS:
            yield TagSpan(start, start + len(tag) + 1, tag)


def block_end(lines: list[str], start: int) -> int:
    """The last line of the block that begins on a line, both from 1: a list item with what is
    indented below it, else up to an empty line."""
    first = lines[start - 1].expandtabs(4)
    indent = len(first) - len(first.lstrip())
    is_item = first.lstrip()[:2] in ("- ", "* ", "+ ")
    for number in range(start, min(len(lines), start + _MAX_BLOCK_LINES)):
        line = lines[number].expandtabs(4)
        depth = len(line) - len(line.lstrip())
        if not line.strip() or (is_item and depth <= indent):
            return number
    return min(len(lines), start + _MAX_BLOCK_LINES)
