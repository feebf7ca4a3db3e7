"""Pages, as text."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.answers.pages import PageList, PageOutline, PageRow, PageView, SectionSize
from memwiki.numbers import counted
from memwiki.present.rows import Line, Place, Quote, Row, Words, rows_of
from memwiki.present.screen import Look, clean, name
from memwiki.present.text import table, text_of


@text_of.register(PageView)
def _(answer: PageView, _look: Look) -> str:
    return clean(answer.text).removesuffix("\n")


@text_of.register(PageOutline)
def _(answer: PageOutline, look: Look) -> str:
    size = _size(answer.tokens, answer.characters)
    whole = (f"1-{max(answer.lines, 1)}", name(answer.title), *size)
    return table((whole, *map(_heading_cells, answer.sections)), look, whole=[0])


def _heading_cells(row: SectionSize) -> tuple[str, ...]:
    heading = f"{'#' * row.level} {name(row.title)}"
    return f"{row.line_start}-{row.line_end}", heading, *_size(row.tokens, row.characters)


def _size(tokens: int, characters: int) -> tuple[str, str]:
    return counted(tokens, "token"), counted(characters, "character")


@text_of.register(PageList)
def _(answer: PageList, look: Look) -> str:
    return table((_page_cells(row) for row in answer.pages), look, whole=[0], paths=[0])


def _page_cells(row: PageRow) -> tuple[str, ...]:
    return row.path, name(row.title), row.type, " ".join(f"#{tag}" for tag in row.tags)


@rows_of.register(PageView)
def _(answer: PageView) -> Iterator[Row]:
    named = {"title": answer.title, "type": answer.type, "tags": ", ".join(answer.tags)}
    about = (Line((f"{key}: {value}",), is_item=False) for key, value in named.items() if value)
    dates = [answer.fields.get(name) for name in ("updated", "created", "origin")]
    updated, created, origin = (each if isinstance(each, str) else "" for each in dates)
    yield Quote(
        answer.text,
        Place(answer.path, answer.line_start, answer.line_end),
        {"date": updated or created, "origin": origin},
        (Words(f"etag {answer.digest[:16]}"), *about),
    )
