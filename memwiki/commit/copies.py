"""What pages of days repeat of a session: it goes with the session, and becomes private with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memwiki.change.plan import Plan, edit_of
from memwiki.commit.carry_out import page_bytes
from memwiki.files.read import exists
from memwiki.index.cards.entries import EntryCards
from memwiki.markdown.describe import inner_path
from memwiki.markdown.edit.fields import set_field
from memwiki.markdown.outline import Outline, outline_of
from memwiki.markdown.units import entries_of
from memwiki.memory.patches import remove_entries, with_fields
from memwiki.memory.privacy import hides_more
from memwiki.names import is_in_folder
from memwiki.nouns import Entry, Layers
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading


def with_copies_gone(live: LiveIndex, session: str, plan: Plan) -> Plan:
    """A plan that deletes a session, with what days repeat of it."""
    return _with_copies(live, session, plan, lambda page, own: remove_entries(page, own).page)


def with_copies_private(live: LiveIndex, session: str, plan: Plan) -> Plan:
    """A plan that changes a session; where it makes anything private, so is what days repeat, and
    what of it is in the archive."""
    if not any(hides_more(edit, live.context.layers) for edit in plan.edits):
        return plan
    made = _with_copies(live, session, plan, _hidden)
    layers = live.context.layers
    inner = inner_path(session, layers)
    archived = f"{session.removesuffix(inner)}{layers.archive}/sessions/{_id_of(inner, layers)}.md"
    if not layers.archive or not exists(live.context.root, archived):
        return made
    page = outline_of(archived, page_bytes(live.context, archived), layers)
    hidden = set_field(page, "private", "true")
    return made._replace(
        edits=(*made.edits, edit_of(archived, page.data, hidden.data, made.edits[0].reason))
    )


def _id_of(inner: str, layers: Layers) -> str:
    """The id of the session at a path within its namespace."""
    return inner.removeprefix(f"{layers.sessions}/").removesuffix(".md")


def _hidden(page: Outline, own: Sequence[Entry]) -> Outline:
    for entry in reversed(own):  # the lines above stay where they are
        page = with_fields(page, entry, {"private": "true"})
    return page


def _with_copies(
    live: LiveIndex,
    session: str,
    plan: Plan,
    change: Callable[[Outline, Sequence[Entry]], Outline],
) -> Plan:
    """A plan with what becomes of the entries of a session on the pages of days, in its
    namespace."""
    layers, edits = live.context.layers, [*plan.edits]
    inner = inner_path(session, layers)
    id_ = _id_of(inner, layers)
    folder = session.removesuffix(inner) + layers.daily
    with reading(live) as view:
        said = [*EntryCards(view.stores.cards.db).all_fields()]
    paths = {path for path, fields in said if fields.get("session") == id_}
    for path in sorted(path for path in paths if layers.daily and is_in_folder(path, folder)):
        page = outline_of(path, page_bytes(live.context, path), layers)
        own = [each for each in entries_of(page).entries if each.fields.get("session") == id_]
        edits.append(edit_of(path, page.data, change(page, own).data, edits[0].reason))
    return plan._replace(edits=tuple(edits))
