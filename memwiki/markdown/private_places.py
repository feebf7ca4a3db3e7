"""Under which headings the private lines of a page are."""

from __future__ import annotations

from memwiki.markdown.outline import outline_of
from memwiki.markdown.private import hidden_lines
from memwiki.model import Layers


def private_places(path: str, data: bytes, layers: Layers) -> list[tuple[str, ...]]:
    """For each private part the kind of its page and the headings above it, from the top."""
    page = outline_of(path, data, layers)
    return [
        (page.kind, *(s.title for s in page.sections if s.line_start < lines.start <= s.line_end))
        for lines in hidden_lines(path, data, layers)
    ]
