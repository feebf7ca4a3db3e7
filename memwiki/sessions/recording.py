"""What a program says of a conversation while it goes on, made fit to be kept."""

from __future__ import annotations

from collections.abc import Sequence

from memwiki.change.plan import Plan
from memwiki.secrets import without_secrets
from memwiki.sessions.importing import Importing
from memwiki.sessions.imports.conversation import Conversation, Said

_MOST_OUTPUT = 1_000  # characters of what a tool gave


def recorded(conversations: Sequence[Conversation], id_: str, importing: Importing) -> Plan:
    """All of it in one session, with one write that is neither noted nor undone."""
    said = tuple(_fit(each) for one in conversations for each in one.said)
    first = conversations[0]
    plan = importing.plan([first._replace(id=id_, said=said)]).plan
    edits = tuple(edit._replace(is_addition=bool(edit.base)) for edit in plan.edits)
    return Plan(edits)


def _fit(said: Said) -> Said:
    text = without_secrets(said.text)
    if said.role == "tool" and len(text) > _MOST_OUTPUT:
        text = f"{text[:_MOST_OUTPUT]}\n[{len(text) - _MOST_OUTPUT} more characters]"
    return said._replace(text=text)
