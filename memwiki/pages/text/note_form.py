"""What the notes of a folder have in common, so that a new one has no more and no less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from memwiki.errors import NotFoundError
from memwiki.index.cards.filters import Filters
from memwiki.markdown.describe import default_type, inner_path, is_subject
from memwiki.markdown.fields import canonical
from memwiki.nouns import Layers, Page
from memwiki.pages.page import page_now
from memwiki.scope import layers_at
from memwiki.sync.reading import Reading

_LATEST, _LOOKED_AT = 16, 64
_OTHERS = ("memory", "learning", "session")  # hold entries and messages, and are no notes


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
        frozenset(
            name for name in names if 2 * sum(name in fields for fields in own) >= len(pages)
        ),
        2 * sum(headings) >= len(pages),
    )


def form_near(view: Reading, folder: str) -> NoteForm | None:
    """What the latest notes of a folder have; where it has none, those of the vault. None where
    there are none, and in a workspace that is laid out as the template, whose types say it."""
    vault = layers_at(folder, view.context.layers).dialect.folder
    if view.context.layers.wiki and not vault:
        return None
    return form_of(list(_latest(view, folder))) or form_of(list(_latest(view, vault)))


def _latest(view: Reading, folder: str) -> Iterator[Page]:
    paths = Filters(view.stores.cards.db).latest(folder, _LOOKED_AT)
    notes = [path for path in paths if view.scope.sees(path) and _is_note(path, view)]
    for path in notes[:_LATEST]:
        with suppress(NotFoundError):
            yield page_now(view.context, path)


def _is_note(path: str, view: Reading) -> bool:
    layers: Layers = view.context.layers
    is_other = default_type(inner_path(path, layers), layers) in _OTHERS
    return not is_other and is_subject(path, "", layers, has_entries=False)
