"""From answers to what a door prints: JSON for programs, text for people and pipes."""

from __future__ import annotations

from importlib import import_module

from memwiki.present.plain import as_json, error_as_json, json_parts
from memwiki.present.screen import Look, as_path, clean
from memwiki.present.text import text_of

__all__ = ["Look", "as_json", "as_path", "as_text", "clean", "error_as_json", "json_parts"]


def as_text(answer: object, look: Look) -> str:
    """Give an answer as lines of text without the final newline, "" when there is nothing.

    The texts of `answers/x.py` are in `present/x.py`, imported when one of them is first needed.
    """
    home, _, area = type(answer).__module__.rpartition(".")
    if home == "memwiki.answers":
        import_module(f"{__name__}.{area}")
    return text_of(answer, look)
