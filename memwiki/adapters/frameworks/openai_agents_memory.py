"""For the OpenAI Agents SDK: a `Session` that is a session of a workspace."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from memwiki.adapter_api import MissingExtraError
from memwiki.adapters.frameworks.bridge import (
    ChatSession,
    encodable,
    read_beside,
    split_block,
    with_block,
    write_beside,
)

if TYPE_CHECKING:
    from agents.memory import SessionABC, SessionSettings

    from memwiki import Workspace

_ROLES = {"user": "user", "assistant": "assistant", "system": "system", "developer": "system"}


def session(
    workspace: Workspace,
    session_id: str,
    session_settings: SessionSettings | dict[str, Any] | None = None,
) -> SessionABC:
    """A session for `Runner.run(..., session=...)`; items come back equal. Of its settings `limit`
    says how many of the last are given.

    Raises MissingExtraError where openai-agents is not installed.
    """
    try:
        from agents.memory import SessionABC, SessionSettings
    except ImportError as error:
        raise MissingExtraError("openai-agents", "openai-agents") from error
    made: Any = type("WorkspaceSession", (_Items, SessionABC), {})
    settings = SessionSettings().resolve(session_settings)
    return made(workspace, session_id, settings)


class _Items:
    """What the SDK asks of a session; all of it is done beside the loop."""

    def __init__(self, workspace: Workspace, session_id: str, session_settings: Any) -> None:  # noqa: ANN401 - types of what need not be installed
        self.session_id = session_id
        self.session_settings = session_settings
        self._workspace = workspace
        self._conversation = ChatSession(workspace, session_id)

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The items, or the last of them."""
        most = getattr(self.session_settings, "limit", None) if limit is None else limit
        messages = await read_beside(self._workspace, self._conversation.messages)
        if most is not None and most >= 0:
            messages = messages[len(messages) - min(most, len(messages)) :]
        return [_item(each.role, each.text) for each in messages]

    async def add_items(self, items: list[Any]) -> None:
        """Add items at the end, in their order."""
        messages = [_as_message(item) for item in items]
        await write_beside(self._workspace, partial(self._add, messages))

    async def pop_item(self) -> Any:  # noqa: ANN401 - an item of the SDK
        """Take the last item off, and give it; None where there is none."""
        message = await write_beside(self._workspace, self._conversation.pop)
        return _item(message.role, message.text) if message else None

    async def clear_session(self) -> None:
        """Move the session to the archive."""
        await write_beside(self._workspace, self._conversation.clear)

    def _add(self, messages: list[tuple[str, str]]) -> None:
        for role, text in messages:
            self._conversation.add(role, text)


def _item(role: str, text: str) -> dict[str, Any]:
    text, rest = split_block(text)
    if not isinstance(rest, dict) or not isinstance(rest.get("item"), dict):
        role = role.lower()
        # A result whose call nobody knows is refused by the API: it is told as a message.
        return {"role": role if role in ("assistant", "system") else "user", "content": text}
    item = dict(rest["item"])
    return {**item, rest["text"]: text} if isinstance(rest.get("text"), str) else item


def _as_message(item: dict[str, Any]) -> tuple[str, str]:
    """A role and a text of which the same item is made."""
    role, key, shown = _readable(item)
    text = encodable(shown)
    if key and item[key] == text:
        kept = {name: value for name, value in item.items() if name != key}
        rest = {} if kept == {"role": role} and key == "content" else {"text": key, "item": kept}
    else:
        rest = {"item": item}
    return role, with_block(text, rest)


def _readable(item: dict[str, Any]) -> tuple[str, str, str]:
    """The role of an item, the key of its text, if it is one text, and what people read of it."""
    if "role" in item:
        role = _ROLES.get(str(item["role"]), "user")
        return (role, *_text_of("content", item.get("content")))
    if "output" in item:
        return ("tool", *_text_of("output", item["output"]))
    name, arguments = item.get("name"), item.get("arguments", "")
    return "assistant", "", f"{name}({arguments})" if name else str(item.get("type", ""))


def _text_of(key: str, content: object) -> tuple[str, str]:
    """The key of a text and the text; of a list of parts "" and their texts."""
    if isinstance(content, str):
        return key, content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "", "\n\n".join(text for text in texts if isinstance(text, str))
