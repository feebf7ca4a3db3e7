"""What a search found, as text."""

from __future__ import annotations

from collections.abc import Iterable

from memwiki.answers.search import SearchAnswer
from memwiki.model import Hit
from memwiki.present.screen import Look, as_path, fold, line, name
from memwiki.present.text import text_of


@text_of.register(SearchAnswer)
def _(answer: SearchAnswer, look: Look) -> str:
    return hits_text(answer.hits, look)


def hits_text(hits: Iterable[Hit], look: Look) -> str:
    """Each hit: where it is, what is there, and why it was found if that was asked."""
    return "\n".join(_hit(hit, look) for hit in hits)


def _hit(hit: Hit, look: Look) -> str:
    lines = [f"{look.faint(f'{as_path(hit.path)}:{hit.line_start}')}  {look.strong(heading(hit))}"]
    lines += _indented(line(hit.excerpt), look)
    if hit.reasons:
        lines += _indented(f"{hit.score:.3f}: {line('; '.join(hit.reasons))}", look)
    if hit.scores:
        lines += _indented(", ".join(f"{name} {s:.3f}" for name, s in hit.scores.items()), look)
    return "\n".join(lines)


def heading(hit: Hit) -> str:
    """Title and section; most pages repeat their title as the first heading."""
    title, section = name(hit.title), name(hit.section)
    if section == title or section.startswith(f"{title} > "):
        return section
    return " > ".join(filter(None, (title, section)))


def _indented(text: str, look: Look) -> list[str]:
    parts = [text] if look.width is None else fold(text, max(look.width - 4, 20))
    return [f"    {part}" for part in parts if part]
