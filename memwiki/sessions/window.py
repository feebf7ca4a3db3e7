"""What of a session a model is shown: turns, the window that slides, what is compacted; pure."""

from __future__ import annotations

from collections.abc import Sequence

from memwiki.config.schema import SessionConfig
from memwiki.names import fold
from memwiki.nouns import Message
from memwiki.tokens import tokens

COMPACTED = "compacted"  # the field of a message whose text left; its value is how long that was
_SHORT = 200  # characters of a tool result that is not worth a line in its place


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


def windowed(messages: Sequence[Message], settings: SessionConfig) -> list[Message]:
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
