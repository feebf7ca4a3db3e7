"""Sessions as they are read: one with its messages, its whole history, and the list of all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memwiki.answers.sessions import MessageView, SessionList, SessionRow, SessionView
from memwiki.index.cards.lookup import Card
from memwiki.names import is_in_folder, without_suffix
from memwiki.nouns import Message
from memwiki.sessions.page import SessionPage, summary_of
from memwiki.sessions.window import COMPACTED


def session_view(id_: str, page: SessionPage, limit: int | None) -> SessionView:
    """A session with its messages, or the last ones of them."""
    fields = page.outline.fields
    participants = fields.values.get("participants", [])
    names = [participants] if isinstance(participants, str) else participants
    return SessionView(
        id_,
        page.outline.path,
        fields.text("started"),
        fields.text("ended"),
        tuple(each for each in names if isinstance(each, str)),
        summary_of(page.outline),
        last(message_views(page.messages, page.outline.path), limit),
    )


def message_views(messages: Iterable[Message], path: str) -> tuple[MessageView, ...]:
    """Messages of a page, as answers."""
    return tuple(
        MessageView(
            each.id,
            each.role,
            each.fields.get("name", ""),
            each.time,
            each.text,
            path,
            each.line_start,
            each.line_end,
        )
        for each in messages
    )


def history_of(page: SessionPage, archived: SessionPage | None) -> tuple[MessageView, ...]:
    """All messages that were ever said: those that left the session first, then those in it, with
    the text that a compacted one had."""
    if archived is None:
        return message_views(page.messages, page.outline.path)
    earlier = message_views(archived.messages, archived.outline.path)
    texts = {each.id: each for each in earlier if each.id}
    inside = message_views(page.messages, page.outline.path)
    compacted = {each.id for each in page.messages if COMPACTED in each.fields}
    current = [texts.get(e.id, e) if e.id in compacted else e for e in inside]
    return (*(each for each in earlier if each.id not in compacted), *current)


def last(views: Sequence[MessageView], limit: int | None) -> tuple[MessageView, ...]:
    """The last ones, or all."""
    return tuple(views if limit is None else views[-limit:])


def list_of(cards: Iterable[Card], folder: str, limit: int | None, *, fresh: bool) -> SessionList:
    """The sessions in a folder, the last changed first."""
    found = [card for card in cards if is_in_folder(card.path, folder)]
    found.sort(key=lambda card: (-card.mtime_ns, card.path))
    rows = []
    for card in found[:limit]:
        id_ = without_suffix(card.path.removeprefix(f"{folder}/"))
        rows.append(SessionRow(id_, card.path, card.title, card.created, card.changed))
    return SessionList(tuple(rows), len(found), fresh)
