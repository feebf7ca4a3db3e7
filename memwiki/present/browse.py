"""What there is, as text."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.answers.browse import Browse
from memwiki.present.rows import Heading, Line, Row, Text, rows_of
from memwiki.present.screen import Look, clean
from memwiki.present.text import text_of


@text_of.register(Browse)
def _(answer: Browse, look: Look) -> str:
    parts = (
        "\n".join([look.strong(f"## {part.title}"), *map(clean, part.lines)])
        for part in answer.sections
    )
    return "\n\n".join(parts)


@rows_of.register(Browse)
def _(answer: Browse) -> Iterator[Row]:
    for section in answer.sections:
        yield Heading(section.title)
        yield from (Line((Text(each),)) for each in section.lines)
