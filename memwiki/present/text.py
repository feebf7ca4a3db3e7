"""What the texts of all answers share: the dispatch by type, tables, sizes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch

from memwiki.present.screen import Look, columns, line, pad


@singledispatch
def text_of(answer: object, look: Look) -> str:
    """Give an answer as lines of text without the final newline, "" when there is nothing."""
    raise TypeError(f"{type(answer).__name__} has no text for {look}")


def table(rows: Iterable[Sequence[str]], look: Look) -> str:
    """Columns aligned for a screen, separated by tabs for a pipe; the last one takes what is left."""
    cleaned = [[line(cell) for cell in row] for row in rows]
    if look.width is None:
        return "\n".join("\t".join(row).rstrip("\t") for row in cleaned)
    if not cleaned:
        return ""
    widest = [max(columns(cell) for cell in column) for column in zip(*cleaned, strict=True)]
    limit = max(look.width // 2, 20)
    widths = [min(width, limit) for width in widest]
    widths[-1] = max(look.width - sum(widths[:-1]) - 2 * len(widths) + 2, 20)
    lines = ("  ".join(map(pad, row, widths)).rstrip() for row in cleaned)
    return "\n".join(lines)


def size(count: int) -> str:
    """A number of bytes as people read it."""
    if count < 1_000_000:
        return f"{count / 1000:.0f} kB"
    return f"{count / 1_000_000:.1f} MB"
