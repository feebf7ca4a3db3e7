"""What retrievers of frameworks say of a hit."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memwiki.model import Hit


def metadata_of(hit: Hit) -> dict[str, str | float | int]:
    """Where a passage stands and what is known of it, as plain values."""
    return {
        "path": hit.path,
        "line_start": hit.line_start,
        "line_end": hit.line_end,
        "score": hit.score,
        "date": hit.updated,
        "id": hit.id,
        "title": hit.title,
        "section": hit.section,
        "type": hit.type,
    }
