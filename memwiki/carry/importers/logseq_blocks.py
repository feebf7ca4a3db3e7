"""Pages of Logseq as text: properties above, ids of blocks, references to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from memwiki.carry.importers.new_fields import Field
from memwiki.markdown.fields import canonical
from memwiki.markdown.frontmatter import find_block
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch, Source
from memwiki.model import FieldValue

UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_PROPERTY = re.compile(r"[ \t]*([^\s\[\](){}`\"'#*+:-]\S*?)::(?:[ \t]+(.*))?\Z")
_ID = re.compile(rf"([ \t]*(?:[-*+][ \t]+)?)id::[ \t]+({UUID})[ \t]*\Z")
_BULLET = re.compile(r"[ \t]*[-*+](?:[ \t]+(.*))?\Z")
_HEADING = re.compile(r"#{1,6}[ \t]")
_CHILD = re.compile(r"\t+[-*+][ \t]")
_FENCE = re.compile(r"[ \t]*(?:[-*+][ \t]+)*(`{3,}|~{3,})")
# What a line may end in, or begin, to which nothing can be added.
_CLOSED = re.compile(r"```|~~~|#\+|\||\$\$|>|:[A-Z]+:\Z|\^[A-Za-z0-9-]+\Z|[^\s:]+::")
_NAMES = frozenset({"aliases", "tags"})
_ITEM = re.compile(r"\s*+\[\[([^\[\]]*)\]\]|[^,，]+")
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
    found = list[Field]()
    while end < len(source.lines) and (match := _PROPERTY.match(source.lines[end])):
        found.append(Field(match[1], _value(match[1], (match[2] or "").strip())))
        end += 1
    bounds = source.starts[first : end + 1]
    lines = tuple(text[start:stop] for start, stop in pairwise(bounds))
    return Head(text[: bounds[0]] + text[bounds[-1] :], tuple(found), lines, bounds[0])


def _value(key: str, text: str) -> FieldValue:
    """A list of names where the key means one: `[[a]], b`; a tag that is a link stays one, too."""
    known = canonical(key)
    if known == "title":
        return text.removeprefix("[[").removesuffix("]]")
    if known not in _NAMES:
        return text
    items: dict[str, None] = {}
    for match in _ITEM.finditer(text):
        name = (match[1] or match[0]).strip().lstrip("#")
        if match[1] and known == "tags":
            items[f"[[{name}]]"] = None
        items[name] = None
    return list(filter(None, items))


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
        found = None if fence else _ID.match(line)
        if found:
            ids.append(found[2])
            head = _with_anchor(lines, head, found, "\r" * raw.endswith("\r"))
            continue
        if not fence and _HEADING.match(line):
            head = len(lines)
            lines.append(f"- {raw}" if _has_children(given, i) else raw)
            continue
        if not fence and _BULLET.match(line):
            head = len(lines)
        fence = _fence_after(line, fence)
        lines.append(raw)
    return Outlined("\n".join(lines), tuple(ids))


def _has_children(lines: Sequence[str], at: int) -> bool:
    """Whether indented items follow a line, with nothing but its id between."""
    rest = (lines[i] for i in range(at + 1, len(lines)))
    below = (line for line in rest if line.strip() and not _ID.match(line))
    return _CHILD.match(next(below, "")) is not None


def _with_anchor(lines: list[str], head: int, found: re.Match[str], end: str) -> int:
    """Add an anchor to the first line of a block, else on the line where its id stood."""
    bullet = _BULLET.match(lines[head].removesuffix("\r")) if head >= 0 else None
    is_own = _BULLET.match(found[0])
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
