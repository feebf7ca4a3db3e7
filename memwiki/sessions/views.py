"""Sessions as they are read: messages, the window of a model, history, and the list of all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memwiki.answers.entries import MessageView, SessionList, SessionRow, SessionView
from memwiki.config.schema import SessionConfig
from memwiki.index.cards.lookup import Card
from memwiki.names import fold, is_in_folder, without_suffix
from memwiki.nouns import Message
from memwiki.sessions.page import SessionPage, sessions_folder, summary_of
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading
from memwiki.text import tokens

COMPACTED = "compacted"  # the field of a message whose text left; its value is how long that was
_SHORT = 200  # characters of a tool result that is not worth a line in its place


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


def cards_in(folder: str, view: Reading) -> list[Card]:
    """The pages in a folder, the last changed first."""
    found = [card for card in view.lookup.cards() if is_in_folder(card.path, folder)]
    return sorted(found, key=lambda card: (-card.mtime_ns, card.path))


def list_of(live: LiveIndex, limit: int | None) -> SessionList:
    """The sessions of a workspace, the last changed first."""
    folder = sessions_folder(live.context.own_layers())
    with reading(live) as view:
        fresh, found = view.freshness.fresh, cards_in(folder, view)
    rows = []
    for card in found[:limit]:
        id_ = without_suffix(card.path.removeprefix(f"{folder}/"))
        rows.append(SessionRow(id_, card.path, card.title, card.created, card.changed))
    return SessionList(tuple(rows), len(found), fresh)


def is_user(message: Message) -> bool:
    """Whether a message begins a turn."""
    return fold(message.role) == "user"


def first_kept(messages: Sequence[Message], settings: SessionConfig) -> int:
    """How many of the oldest messages are past the window.

    A turn is a user message and what follows it; a window begins with a turn where it can.
    """
    turns = [i for i, each in enumerate(messages) if is_user(each)]
    start = turns[-settings.max_turns] if len(turns) > settings.max_turns else 0
    if settings.max_messages and len(messages) - start > settings.max_messages:
        start = len(messages) - settings.max_messages
        start = next((turn for turn in turns if turn >= start), start)
    return start


def compactable(messages: Sequence[Message], settings: SessionConfig) -> list[Message]:
    """The tool results whose text may become one line: all but the newest."""
    results = [each for each in messages if fold(each.role) == "tool"]
    old = results[: max(len(results) - settings.keep_recent, 0)]
    return [e for e in old if COMPACTED not in e.fields and len(e.text) > _SHORT]


def is_over(messages: Sequence[Message], settings: SessionConfig) -> bool:
    """Whether messages are likely to take more tokens than there is room for."""
    return sum(tokens(each.text) for each in messages) > settings.budget_tokens


def window_messages(messages: Sequence[Message], settings: SessionConfig) -> list[Message]:
    """The messages in the window, the text of old tool results cut where all are too long."""
    if not settings.is_sliding:
        return list(messages)
    kept = list(messages[first_kept(messages, settings) :])
    if not is_over(kept, settings):
        return kept
    old = {id(each) for each in compactable(kept, settings)}
    return [e._replace(text=in_a_line(e)) if id(e) in old else e for e in kept]


def in_a_line(message: Message, where: str = "") -> str:
    """What stands in the place of a tool result."""
    gone = f", moved to {where}" if where else ", left out"
    return f"Result of {len(message.text)} characters{gone}."
