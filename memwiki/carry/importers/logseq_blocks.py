"""Pages of Logseq as text: properties above, ids of blocks, references to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from memwiki.carry.importers.new_fields import Field
from memwiki.markdown.dialects.blocks import BULLET, HEADING, ID, has_children
from memwiki.markdown.dialects.properties import UUID, read_properties, value_of
from memwiki.markdown.frontmatter import find_block
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch, Source

_FENCE = re.compile(r"[ \t]*(?:[-*+][ \t]+)*(`{3,}|~{3,})")
# What a line may end in, or begin, to which nothing can be added.
_CLOSED = re.compile(r"```|~~~|#\+|\||\$\$|>|:[A-Z]+:\Z|\^[A-Za-z0-9-]+\Z|[^\s:]+::")
_REFERENCE = re.compile(
    rf"\{{\{{embed[ \t]+(?:\(\((?P<embed>{UUID})\)\)|\[\[(?P<page>[^\[\]\n]+)\]\])[ \t]*\}}\}}"
    rf"|\[(?P<label>[^\[\]\n]*)\]\((?:\(\((?P<block>{UUID})\)\)|\[\[(?P<named>[^\[\]\n]+)\]\])\)"
    rf"|\(\((?P<plain>{UUID})\)\)"
)


class Head(NamedTuple):
    """The properties of a page and its text without their lines; `start` is where they were."""

    text: str
    fields: tuple[Field, ...] = ()
    lines: tuple[str, ...] = ()  # of the fields, as they stood there
    start: int = 0


def read_head(text: str) -> Head:
    """The properties on the first lines of a page, below a front matter if it has one."""
    source = Source("", text)
    block, _ = find_block(source.lines)
    first = end = block.line_end if block else 0
    found = read_properties(source.lines, end)
    end += len(found)
    bounds = source.starts[first : end + 1]
    lines = tuple(text[start:stop] for start, stop in pairwise(bounds))
    fields = tuple(Field(each.key, value_of(each.key, each.value)) for each in found)
    return Head(text[: bounds[0]] + text[bounds[-1] :], fields, lines, bounds[0])


class Outlined(NamedTuple):
    """The text of a page whose blocks are list items with anchors, and their ids."""

    text: str
    ids: tuple[str, ...] = ()


def outlined(text: str) -> Outlined:
    """Give each block with `id:: uuid` the anchor `^uuid` at the end of its first line.

    A heading without a bullet gets one where its blocks are indented: they would be code.
    """
    if "id:: " not in text and "\n\t" not in text:
        return Outlined(text)
    lines, ids, fence, head = list[str](), list[str](), "", -1
    given = text.split("\n")
    for i, raw in enumerate(given):
        line = raw.removesuffix("\r")
        found = None if fence else ID.match(line)
        if found:
            ids.append(found[2])
            head = _with_anchor(lines, head, found, "\r" * raw.endswith("\r"))
            continue
        if not fence and HEADING.match(line):
            head = len(lines)
            lines.append(f"- {raw}" if has_children(given, i) else raw)
            continue
        if not fence and BULLET.match(line):
            head = len(lines)
        fence = _fence_after(line, fence)
        lines.append(raw)
    return Outlined("\n".join(lines), tuple(ids))


def _with_anchor(lines: list[str], head: int, found: re.Match[str], end: str) -> int:
    """Add an anchor to the first line of a block, else on the line where its id stood."""
    bullet = BULLET.match(lines[head].removesuffix("\r")) if head >= 0 else None
    is_own = BULLET.match(found[0])
    if is_own or bullet is None or _CLOSED.search(bullet[1] or "|") is not None:
        lines.append(f"{found[1]}^{found[2]}{end}")
        return len(lines) - 1 if is_own else head
    lines[head] = f"{lines[head].removesuffix(chr(13)).rstrip()} ^{found[2]}{end}"
    return head


def _fence_after(line: str, fence: str) -> str:
    """The fence that is open after a line."""
    if fence:
        return "" if line.strip().startswith(fence) and not line.strip().strip(fence[0]) else fence
    found = _FENCE.match(line)
    return found[1] if found and found[1][0] not in line[found.end() :] else ""


class Block(NamedTuple):
    """Where a reference leads: a page, and an anchor in it unless all of it is meant."""

    path: str  # "" for a page that is not there
    name: str  # by which it is linked
    anchor: str = ""


Link = Callable[[Block, str, bool], "str | None"]


def with_references(
    page: Outline,
    blocks: Mapping[str, Block],
    pages: Callable[[str], Block],
    link: Link,
) -> tuple[str, int]:
    """The text with links to blocks, and the number of references to blocks that are unknown.

    `link` writes one: the block, a label or "", and whether it is embedded.
    """
    if not ("((" in page.text or "([[" in page.text or "{{embed" in page.text):
        return page.text, 0
    patches, lost = list[Patch](), 0
    for start, match in _references(page):
        id_ = match["embed"] or match["block"] or match["plain"]
        meant = blocks.get(id_.lower()) if id_ else pages(match["page"] or match["named"])
        label = (
            page.text[start + 1 : start + 1 + len(match["label"] or "")] if match["label"] else ""
        )
        is_embed = bool(match["embed"] or match["page"])
        new = link(meant, label, is_embed) if meant else None
        lost += new is None and bool(id_)
        if new is not None:
            patches.append(Patch(start, start + len(match[0]), new))
    return page.patched(patches).text, lost


def _references(page: Outline) -> Iterator[tuple[int, re.Match[str]]]:
    """References with their offsets in the text, code left out."""
    text, starts = page.masked
    line = 0
    for match in _REFERENCE.finditer(text):
        while line + 1 < len(starts) and starts[line + 1] <= match.start():
            line += 1
        yield page.offset(line, match.start() - starts[line]), match
