"""Entries as the numbered lines that a model is shown, and from a number back to its entry."""

from __future__ import annotations

from memwiki.curation.jobs import Shown
from memwiki.proposals.numbering import source_of_text
from memwiki.proposals.proposing import KnownEntry
from memwiki.proposals.wording import MAX_CHARACTERS


def words_shown(text: str) -> str:
    """The words of an entry on one line, as a model may see them; "" of what is no sentence."""
    words = " ".join(each.text for each in source_of_text(text).lines)
    return words if len(words) <= MAX_CHARACTERS else ""


def entry_line(words: str, about: str) -> str:
    """The line of an entry, with what is known of it."""
    return f"{words} [{about}]"


def entry_at(shown: Shown, number: int) -> KnownEntry | None:
    """The entry of a line, if it is there and says what was shown."""
    line, at = shown.portion.line(number), number - shown.portion.first
    known = shown.known[at] if line and at < len(shown.known) else None
    said = line.text.rpartition(" [")[0] if line else ""
    return known if known and words_shown(known.text) == said else None
