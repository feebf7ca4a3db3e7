"""What rules about the whole workspace ask of a page, worked out once per version of the page."""

from __future__ import annotations

import re
from typing import NamedTuple
from zlib import crc32

from memwiki.check.rule import Sheet
from memwiki.markdown.fields import canonical
from memwiki.model import Page

SKETCH_SIZE = 64
_SHINGLE = 4
# Words of spaced scripts as a whole, of unspaced ones by the character.
_WORD = re.compile(r"[぀-ヿ㐀-䶿一-鿿가-힣豈-﫿]|[^\W_぀-ヿ㐀-䶿一-鿿가-힣豈-﫿]+")
_DATES = ("created", "updated", "stale_after")


class Facts(NamedTuple):
    """The few facts of a page that its card does not hold."""

    size: int  # bytes
    words: int  # of the body
    sketch: tuple[int, ...]  # the smallest hashes of its runs of words: alike for pages alike
    block_ids: tuple[str, ...]
    dates: tuple[tuple[str, int, str], ...]  # (canonical key, line, ISO date) of the front matter
    is_described: bool | None  # by its own field; None for what needs no description


def facts_of(sheet: Sheet) -> Facts:
    """The facts of one page."""
    page = sheet.page
    words = _WORD.findall("\n".join(sheet.lines[sheet.body_start :]).lower())
    return Facts(
        len(sheet.data), len(words), sketch_of(words), tuple(page.block_ids), tuple(_dates(sheet)),
        bool(page.fields.get("description")) if sheet.is_subject and page.units else None,
    )  # fmt: skip


def sketch_of(words: list[str]) -> tuple[int, ...]:
    """The smallest distinct hashes of all runs of four words; equal shares of two sketches
    estimate the Jaccard index of the runs.

    Source: Broder, "On the resemblance and containment of documents", 1997.
    """
    runs = zip(*(words[i:] for i in range(_SHINGLE)), strict=False)
    return tuple(sorted({crc32(" ".join(run).encode("utf-8", "replace")) for run in runs}))[
        :SKETCH_SIZE
    ]


def _dates(sheet: Sheet) -> list[tuple[str, int, str]]:
    page = sheet.page
    return [
        (key, field_line(sheet, key), value)
        for key in _DATES
        if (value := _text(page, key)) and value[:4].isdigit()
    ]


def field_line(sheet: Sheet, key: str) -> int:
    """The line of the front matter on which a field stands, by its canonical name."""
    front = sheet.page.front_matter
    for number in range(front.line_start, front.line_end - 1):
        name, colon, _ = sheet.lines[number].partition(":")
        if colon and canonical(name.strip("\"'")) == key:
            return number + 1
    return max(front.line_start, 1)


def _text(page: Page, key: str) -> str:
    value = page.fields.get(key, "")
    return value if isinstance(value, str) else ""
