"""Putting other targets into links, and leaving every other byte of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote

from memwiki.markdown.mask import mask_inline
from memwiki.markdown.structure import structure_of

# What stands after the parenthesis, or after the colon of a definition, up to `#`, `?` or the
# title.
_TARGET = re.compile(
    r"\]\([ \t]*(?:<([^<>\n#?]+)(?=[>#?])|([^\s()<>#?]+)(?=[)#?\s]))"
    r"|^[ \t>]{0,8}\[[^\[\]\n]+\]:[ \t]*(?:<([^<>\n#?]+)(?=[>#?])|([^\s<>#?]+))",
    re.MULTILINE,
)


def swapped(data: bytes, swaps: Mapping[str, str]) -> bytes:
    """A file with these targets of links swapped, in all ways to write them; none in code."""
    text = data.decode("latin-1")  # a character a byte, so that places are the same
    wanted = {
        _as_bytes(write(old)): _as_bytes(write(new))
        for old, new in swaps.items()
        for write in (quote, str)
    }
    parts, done = [], 0
    for start, end in _targets(_without_code(text)):
        if text[start:end] in wanted:
            parts += [text[done:start], wanted[text[start:end]]]
            done = end
    return "".join([*parts, text[done:]]).encode("latin-1")


def _as_bytes(text: str) -> str:
    return text.encode().decode("latin-1")


def _without_code(text: str) -> str:
    lines = text.split("\n")
    for first, end in structure_of([line.rstrip("\r") for line in lines], 0).code:
        lines[first:end] = [" " * len(line) for line in lines[first:end]]
    return mask_inline("\n".join(lines))


def _targets(masked: str) -> Iterator[tuple[int, int]]:
    for match in _TARGET.finditer(masked):
        yield match.span(match.lastindex or 0)
