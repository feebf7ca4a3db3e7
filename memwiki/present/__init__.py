"""From answers to what a door prints: JSON for programs, text for people and pipes."""

from __future__ import annotations

from importlib import import_module

from memwiki.present.rows import Rows, rows_of
from memwiki.present.terminal import Look, as_path, clean, text_of

__all__ = [
    "Look",
    "as_path",
    "as_rows",
    "as_text",
    "clean",
]


def as_text(answer: object, look: Look) -> str:
    """Give an answer as lines of text without the final newline, "" when there is nothing."""
    _load(answer)
    return text_of(answer, look)


def as_rows(answer: object) -> Rows:
    """Give an answer as rows, for a door that fences them or a page that marks them up."""
    _load(answer)
    return rows_of(answer)


def _load(answer: object) -> None:
    """Import `present/x.py`, which has the rows and texts of `answers/x.py`, on first need."""
    home, _, area = type(answer).__module__.rpartition(".")
    if home == "memwiki.answers":
        import_module(f"{__name__}.{area}")
