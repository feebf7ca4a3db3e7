"""What the notes of a folder have in common, so that a new one has no more and no less."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memwiki.markdown.fields import canonical
from memwiki.model import Page


class NoteForm(NamedTuple):
    """What at least half of some notes have: fields of their front matter, and a heading of level 1
    that they begin with."""

    fields: frozenset[str]
    has_heading: bool


def form_of(pages: Sequence[Page]) -> NoteForm | None:
    """The form of these notes, None where there are none."""
    if not pages:
        return None
    own = [{canonical(name) for name in page.fields} for page in pages]
    names = frozenset[str]().union(*own)
    headings = [bool(page.sections) and page.sections[0].level == 1 for page in pages]
    return NoteForm(
        frozenset(name for name in names if 2 * sum(name in held for held in own) >= len(pages)),
        2 * sum(headings) >= len(pages),
    )
