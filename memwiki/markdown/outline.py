"""What stands where in a page: all that a change of its text has to know, at a fraction of a parse."""

from __future__ import annotations

from typing import NamedTuple

from memwiki.markdown import describe, frontmatter
from memwiki.markdown.fields import read_fields
from memwiki.markdown.scanner import Structure, scan
from memwiki.markdown.structure import sections_of, structure_of
from memwiki.model import Layers, Section


class Outline(NamedTuple):
    """The lines of a page, and which of them are what."""

    path: str
    lines: list[str]  # without their ends
    start: int  # the first line below the front matter, from 0
    structure: Structure
    sections: tuple[Section, ...]
    is_session: bool = False
    is_collecting: bool = False  # its list items are entries


def outline(path: str, lines: list[str], layers: Layers) -> Outline:
    """Look over the lines of a page as the parser does."""
    front = frontmatter.load(path, lines).front_matter
    inner = describe.inner_path(path, layers)
    fields = read_fields(path, front, lines[: front.line_end])
    type_ = fields.text("type") or describe.default_type(inner, layers)
    is_session = describe.is_session(inner, type_, layers)
    is_collecting = not is_session and describe.is_collecting(inner, type_, layers)
    find = scan if is_session or is_collecting else structure_of
    structure = find(lines, front.line_end)
    sections = sections_of(structure.headings, len(lines))
    return Outline(path, lines, front.line_end, structure, sections, is_session, is_collecting)


def open_block(lines: list[str], start: int = 0) -> int:
    """The line, from 1, of code or HTML that takes in whatever follows these lines; 0 when none does."""
    probed = structure_of([*lines, "", "# what follows"], start)
    blocks = (*probed.code, *probed.html)
    return next((first + 1 for first, end in blocks if end > len(lines) + 1), 0)
