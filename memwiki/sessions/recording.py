"""What a program says of a conversation while it goes on, made fit to be kept."""

from __future__ import annotations

from collections.abc import Sequence

from memwiki.change.plan import Plan
from memwiki.importing import ExportedConversation, ExportedMessage
from memwiki.secrets import without_secrets
from memwiki.sessions.importing import Importing

_MOST_OUTPUT = 1_000  # characters of what a tool gave


def recorded(conversations: Sequence[ExportedConversation], id_: str, importing: Importing) -> Plan:
    """All of it in one session, with one write that is neither noted nor undone."""
    messages = tuple(_fit(each) for one in conversations for each in one.messages)
    first = conversations[0]
    plan = importing.plan([first._replace(id=id_, messages=messages)]).plan
    edits = tuple(edit._replace(is_addition=bool(edit.base)) for edit in plan.edits)
    return Plan(edits)


def _fit(message: ExportedMessage) -> ExportedMessage:
    text = without_secrets(message.text)
    if message.role == "tool" and len(text) > _MOST_OUTPUT:
        text = f"{text[:_MOST_OUTPUT]}\n[{len(text) - _MOST_OUTPUT} more characters]"
    return message._replace(text=text)
