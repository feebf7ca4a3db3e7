"""What there is, as text."""

from __future__ import annotations

from memwiki.answers.browse import Browse
from memwiki.present.screen import Look, clean
from memwiki.present.text import text_of


@text_of.register(Browse)
def _(answer: Browse, look: Look) -> str:
    parts = (
        "\n".join([look.strong(f"## {part.title}"), *map(clean, part.lines)])
        for part in answer.sections
    )
    return "\n\n".join(parts)
