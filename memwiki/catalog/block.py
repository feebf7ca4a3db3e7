"""The part of an index.md that is ours, between two markers; all around it belongs to people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memwiki.markdown.border import contain_errors
from memwiki.markdown.frontmatter import find_block
from memwiki.markdown.scanner import Heading, scan
from memwiki.markdown.syntax import CATALOG_BEGIN
from memwiki.text import pattern

END = "<!-- memwiki:catalog:end -->"
# A shard is no index.md, which other readers of such folders know, so it says what it is.
SHARD_HEAD = "---\ntype: index\n---\n"
_BEGIN = pattern(rf"[ \t]*{CATALOG_BEGIN}[ \t\r]*\Z")
_END = pattern(rf"[ \t]*{END}[ \t\r]*\Z")
_CONFLICT = pattern(r"(?:<{7}|>{7}|\|{7})(?:[ \t\r]|\Z)|={7}\r?\Z")
_BOM = "\ufeff"
_COUNTS = pattern(
    r"[\d,]+ (?:pages?|entry|entries|lists?)(?: in [\d,]+ folders?)?\."
    r"(?: Up: \[the (?:whole folder|folder above)\]\((?:\.\./)?index\.md\)\.)?\Z"
)
_LINE = pattern(r"\Z|## |(?:  )?- ")


class CatalogBlock(NamedTuple):
    """The lines `start` to `stop` of a file, the markers among them."""

    start: int
    stop: int


class IndexFile(NamedTuple):
    """An index.md cut into lines, with where its blocks are."""

    lines: tuple[str, ...]
    blocks: tuple[CatalogBlock, ...]
    problems: tuple[tuple[int, str], ...]  # (line, what is wrong outside of the first block)

    @property
    def outside(self) -> str:
        """What is not in a block."""
        kept = list(self.lines)
        for block in reversed(self.blocks):
            del kept[block.start : block.stop]
        return "\n".join(kept)


def shape_of(text: str) -> IndexFile:
    """Find the blocks of a text; markers in code are no markers."""
    lines = text.split("\n")
    opened, blocks, stray = -1, list[CatalogBlock](), list[int]()
    for number, line in _outside_code(lines):
        if _BEGIN.match(line.removeprefix(_BOM)):
            if opened >= 0:
                stray.append(opened)
            opened = number
        elif _END.match(line):
            if opened < 0:
                stray.append(number)
            else:
                blocks.append(CatalogBlock(opened, number + 1))
            opened = -1
    if opened >= 0:
        stray.append(opened)
    return IndexFile(tuple(lines), tuple(blocks), tuple(_problems(lines, blocks, stray)))


def _outside_code(lines: Sequence[str]) -> list[tuple[int, str]]:
    found = list(enumerate(lines))
    if not any("```" in line or "~~~" in line or line.startswith(("    ", "\t")) for line in lines):
        return found
    plain = [line.removesuffix("\r") for line in lines]
    # Where code cannot be told from text, nothing is ours.
    code = contain_errors(lambda: scan(plain).code, lambda _: ((0, len(plain)),))
    hidden = {number for start, stop in code for number in range(start, stop)}
    return [(number, line) for number, line in found if number not in hidden]


def _problems(
    lines: Sequence[str], blocks: Sequence[CatalogBlock], stray: Sequence[int]
) -> Iterator[tuple[int, str]]:
    inside = {number for block in blocks for number in range(block.start, block.stop)}
    alone = set(stray)
    for number, line in enumerate(lines):
        if number in inside:
            continue
        if number in alone:
            yield number + 1, "a marker of the catalog without its counterpart"
        elif _CONFLICT.match(line):
            yield number + 1, "a conflict marker outside the catalog's block"


def is_ours(text: str) -> bool:
    """Whether a text has a block to write into."""
    return CATALOG_BEGIN in text and bool(shape_of(text).blocks)


def is_bare(text: str) -> bool:
    """Whether nothing in a file was written by hand."""
    outside = shape_of(text).outside.removeprefix(_BOM).replace("\r", "")
    return outside.strip() in ("", SHARD_HEAD.strip())


def is_untitled(text: str) -> bool:
    """Whether nothing but an older version wrote a file: now the block of such a file has a
    title."""
    first, *others = block_lines(text) or [""]
    is_ours = bool(_COUNTS.match(first)) and all(_LINE.match(line) for line in others)
    return is_ours and is_bare(text)


def is_titled(text: str) -> bool:
    """Whether people wrote a title, a heading of level 1, around the block."""
    lines = [
        line.removesuffix("\r") for line in shape_of(text).outside.removeprefix(_BOM).split("\n")
    ]
    front, _ = find_block(lines)
    start = front.line_end if front else 0
    # Where headings cannot be told from text, none is added.
    found = contain_errors(lambda: scan(lines, start).headings, lambda _: (Heading("", 1, 0, 1),))
    # The middle mark of a conflict makes a heading of the line above it.
    is_clean = not any(_CONFLICT.match(line) for line in lines)
    return any(each.level == 1 and (is_clean or each.line_end == each.line + 1) for each in found)


def block_lines(text: str) -> list[str] | None:
    """What the one block of a text says; None when there is not just one."""
    shape = shape_of(text)
    if len(shape.blocks) != 1:
        return None
    block = shape.blocks[0]
    return [line.removesuffix("\r") for line in shape.lines[block.start + 1 : block.stop - 1]]


def fill_block(text: str, lines: Sequence[str]) -> str:
    """The text with its first block saying these lines; further blocks, left by a merge, are
    gone."""
    shape = shape_of(text)
    first = shape.blocks[0]
    kept = list(shape.lines)
    for block in reversed(shape.blocks[1:]):
        del kept[block.start : block.stop]
    end = "\r" if kept[first.start].endswith("\r") else ""
    mark = _BOM if kept[first.start].startswith(_BOM) else ""
    last = kept[first.stop - 1]
    closing = END + (end if first.stop < len(kept) or last.endswith("\r") else "")
    ours = [f"{mark}{CATALOG_BEGIN}{end}", *(f"{line}{end}" for line in lines), closing]
    return "\n".join([*kept[: first.start], *ours, *kept[first.stop :]])


def fresh(lines: Sequence[str], *, is_shard: bool) -> str:
    """A new file with nothing but its block."""
    head = SHARD_HEAD if is_shard else ""
    return head + "\n".join([CATALOG_BEGIN, *lines, END, ""])


def with_block(text: str, lines: Sequence[str]) -> str:
    """A text of people's own with a block at its end."""
    end = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text else end if text.endswith("\n") else end * 2
    return text + gap + end.join([CATALOG_BEGIN, *lines, END, ""])


def hand_written(data: bytes) -> str | None:
    """What people wrote in a catalog, around the block that is ours; None for no catalog."""
    if CATALOG_BEGIN.encode() not in data:
        return None
    text = data.decode("utf-8", "surrogateescape")
    if not is_ours(text):
        return None
    return "" if is_bare(text) else shape_of(text).outside
