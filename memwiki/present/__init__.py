"""From answers to what a door prints: JSON for programs, text for people and pipes."""

from __future__ import annotations

from memwiki.present.answers import as_text
from memwiki.present.plain import as_json, error_as_json
from memwiki.present.screen import Look, clean

__all__ = ["Look", "as_json", "as_text", "clean", "error_as_json"]
