"""What today's page keeps of a message: its first words, as an entry."""

from __future__ import annotations

from collections.abc import Mapping

from memwiki.answers.sessions import MessageView

_MOST = 50  # characters
_ORIGINS = {"user": "user", "assistant": "agent", "tool": "tool"}


def daily_request(said: MessageView, session: str, *, is_private: bool) -> Mapping[str, object]:
    """The entry that is asked for."""
    return {
        "text": first_words(said.text),
        "to": "daily",
        "session": session,
        "at": said.time,
        "private": is_private,
        "origin": _ORIGINS.get(said.role.lower(), ""),
    }


def first_words(text: str) -> str:
    """The beginning of a text on one line, cut at a word boundary."""
    whole = " ".join(text[: 20 * _MOST].split())
    if len(whole) <= _MOST:
        return whole
    head, blank, _ = whole[: _MOST + 1].rpartition(" ")
    return head if blank else whole[:_MOST]
