"""For LangChain: a retriever over a workspace, and chat histories that are its sessions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from memwiki.adapter_api import MissingExtraError
from memwiki.adapters.frameworks.bridge import (
    ChatSession,
    encodable,
    metadata_of,
    read_beside,
    split_block,
    with_block,
    write_beside,
)

if TYPE_CHECKING:
    from langchain_core.chat_history import BaseChatMessageHistory
    from langchain_core.messages import BaseMessage
    from langchain_core.retrievers import BaseRetriever

    from memwiki import Workspace

_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool"}
_TYPES = {role: type_ for type_, role in _ROLES.items()}


def retriever(workspace: Workspace, k: int = 8, **asked: Any) -> BaseRetriever:  # noqa: ANN401 - of recall
    """A retriever whose documents are what `workspace.recall` answers, given `asked`; at most `k`.

    Raises MissingExtraError where langchain-core is not installed.
    """
    try:
        from langchain_core.documents import Document
        from langchain_core.retrievers import BaseRetriever
    except ImportError as error:
        raise MissingExtraError("langchain", "langchain-core") from error

    class LangChainRetriever(BaseRetriever):  # type: ignore[misc]
        """Documents with path, lines, score, date and id."""

        k: int

        def _get_relevant_documents(
            self,
            query: str,
            *,
            run_manager: object,  # noqa: ARG002 - the framework hands it over
            k: int | None = None,
        ) -> list[Document]:
            return [
                Document(page_content=hit.excerpt, metadata=metadata_of(hit), id=hit.id or None)
                for hit in workspace.recall(query, limit=k or self.k, **asked)
            ]

        async def _aget_relevant_documents(
            self, query: str, *, run_manager: object, k: int | None = None
        ) -> list[Document]:
            ask = partial(self._get_relevant_documents, query, run_manager=run_manager, k=k)
            return await read_beside(workspace, ask)

    return LangChainRetriever(k=k)


def chat_history(workspace: Workspace, session: str) -> BaseChatMessageHistory:
    """The history of a chat, a session of the workspace; messages come back equal.

    Raises MissingExtraError where langchain-core is not installed.
    """
    try:
        from langchain_core.chat_history import BaseChatMessageHistory
    except ImportError as error:
        raise MissingExtraError("langchain", "langchain-core") from error
    made: Any = type("WorkspaceHistory", (_History, BaseChatMessageHistory), {})
    return made(workspace, ChatSession(workspace, session))


class _History:
    """What the framework asks of a history."""

    def __init__(self, workspace: Workspace, conversation: ChatSession) -> None:
        self._workspace, self._conversation = workspace, conversation

    @property
    def messages(self) -> list[BaseMessage]:
        """The messages of the session, those that people or other programs wrote, too."""
        return [_message(each.role, each.text) for each in self._conversation.messages()]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Add messages at the end, in their order."""
        for role, text in [_as_message(message) for message in messages]:
            self._conversation.add(role, text)

    def clear(self) -> None:
        """Move the session to the archive."""
        self._conversation.clear()

    async def aget_messages(self) -> list[BaseMessage]:
        """The messages, while the loop goes on."""
        return await read_beside(self._workspace, lambda: self.messages)

    async def aadd_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Add messages, while the loop goes on."""
        await write_beside(self._workspace, partial(self.add_messages, messages))

    async def aclear(self) -> None:
        """Move the session to the archive, while the loop goes on."""
        await write_beside(self._workspace, self.clear)


def _message(role: str, text: str) -> BaseMessage:
    from langchain_core.messages import messages_from_dict

    text, rest = split_block(text)
    fields: dict[str, Any] = rest if isinstance(rest, dict) else {}
    type_ = fields.get("type", _TYPES.get(role.lower(), "human"))
    data = fields.get("data", {"tool_call_id": ""} if type_ == "tool" else {})
    return messages_from_dict([{"type": type_, "data": {"content": text, **data}}])[0]


def _as_message(message: BaseMessage) -> tuple[str, str]:
    """A role and a text of which the same message is made: short where that will do."""
    from langchain_core.messages import message_to_dict

    whole = message_to_dict(message)
    text, data = encodable(message.text), dict(whole["data"])
    if data["content"] == text:
        del data["content"]
    role = _ROLES.get(whole["type"], "assistant" if "AI" in whole["type"] else "user")
    short = {key: value for key, value in data.items() if value not in (None, [], {}, False)}
    short.pop("type", None)
    typed = {} if _TYPES.get(role) == whole["type"] else {"type": whole["type"]}
    for rest in (typed | ({"data": short} if short else {}), {**whole, "data": data}):
        written = with_block(text, rest)
        if _message(role, written) == message:
            break
    return role, written
