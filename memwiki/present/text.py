"""What the texts of all answers share: the dispatch by type, tables, sizes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch

from memwiki.present.screen import Look, as_path, columns, cut, line, pad

_GAP = "  "
_LEAST_COLUMNS = 8  # of a cell that is cut
_INDENT_COLUMNS = 4


@singledispatch
def text_of(answer: object, look: Look) -> str:
    """Give an answer as lines of text without the final newline, "" when there is nothing."""
    raise TypeError(f"{type(answer).__name__} has no text for {look}")


def table(
    rows: Iterable[Sequence[str]],
    look: Look,
    *,
    whole: Sequence[int] = (),
    paths: Sequence[int] = (),
) -> str:
    """Columns aligned for a screen, separated by tabs for a pipe; `paths` says which are paths.

    Where the screen is too narrow, cells are cut, but for those of the `whole` columns: what people
    copy. Such a cell may stick out; what follows it then stands on the next line, indented.
    """
    cleaned = [
        [as_path(cell) if number in paths else line(cell) for number, cell in enumerate(row)]
        for row in rows
    ]
    if look.width is None:
        return "\n".join("\t".join(row).rstrip("\t") for row in cleaned)
    if not cleaned:
        return ""
    widths = _widths(
        [max(map(columns, column)) for column in zip(*cleaned, strict=True)], look.width, whole
    )
    return "\n".join(_laid_out(row, widths, whole) for row in cleaned)


def _widths(widest: list[int], width: int, whole: Sequence[int]) -> list[int]:
    """What each column gets: narrow ones what they need, whole ones up to half of the screen, the
    wide ones the same of the rest."""
    room = width - len(_GAP) * (len(widest) - 1)
    half = room // 2 // max(len(whole), 1)
    limit = max(widest)
    widths = widest
    while sum(widths) > room and limit > _LEAST_COLUMNS:
        limit -= 1
        limits = (max(limit, half) if n in whole else limit for n in range(len(widest)))
        widths = list(map(min, widest, limits))
    return [*widths[:-1], max(room - sum(widths[:-1]), widths[-1])]


def _laid_out(row: Sequence[str], widths: Sequence[int], whole: Sequence[int]) -> str:
    """One row; from a cell on that sticks out, the cells are strung together on a line of their
    own."""
    text = ""
    for number, (cell, width) in enumerate(zip(row, widths, strict=True)):
        if number in whole and columns(cell) > width:
            rest = _GAP.join(filter(None, row[number + 1 :]))
            if number == max(whole):
                rest = cut(rest, max(sum(widths), _INDENT_COLUMNS) - _INDENT_COLUMNS)
            return f"{text}{cell}\n{' ' * _INDENT_COLUMNS}{rest}".rstrip()
        text += pad(cell, width) + _GAP
    return text.rstrip()


def size(count: int) -> str:
    """A number of bytes as people read it."""
    if count < 1_000_000:
        return f"{count / 1000:.0f} kB"
    return f"{count / 1_000_000:.1f} MB"
