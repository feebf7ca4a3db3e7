"""What several frameworks need: exact values in texts, threads, metadata of hits, and sessions."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from memwiki.adapter_api import (
    ConflictError,
    NotFoundError,
)

if TYPE_CHECKING:
    from memwiki import Hit, Workspace
    from memwiki.adapter_api import MessageView

_OPENS = "```json exact\n"
_CLOSES = "\n```"
T = TypeVar("T")
_MAX_ATTEMPTS = 20


def with_block(text: str, rest: object) -> str:
    """A text with a block behind it; without one where nothing is left to say and none is read."""
    if not rest and split_block(text) == (text, None):
        return text
    block = f"{_OPENS}{json_text(rest)}{_CLOSES}"
    return f"{text}\n\n{block}" if text else block


def split_block(text: str) -> tuple[str, object]:
    """A text and what the block at its end says; None where there is none that can be read."""
    start = text.rfind(f"\n{_OPENS}") + 1
    if not text.startswith(_OPENS, start) or not text.endswith(_CLOSES):
        return text, None
    try:
        value = json.loads(text[start + len(_OPENS) : -len(_CLOSES)])
    except (ValueError, RecursionError):
        return text, None
    return text[:start].removesuffix("\n").removesuffix("\n"), value


def json_text(value: object) -> str:
    """JSON of several lines that any file holds, with what is not seen escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=1).replace("<!--", "\\u003c!--")
    if text.replace("\n", "").isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def encodable(text: str) -> str:
    """A text as it can be written: `?` for what is no character."""
    return text.encode("utf-8", "replace").decode()


async def read_beside(workspace: Workspace, ask: Callable[[], T]) -> T:
    """Ask something in a thread that reads, while the loop goes on."""
    from memwiki import AsyncWorkspace

    return await AsyncWorkspace(workspace).read(lambda _: ask())


async def write_beside(workspace: Workspace, do: Callable[[], T]) -> T:
    """Do something that may change files in the thread that writes; cancelled, it completes."""
    from memwiki import AsyncWorkspace

    return await AsyncWorkspace(workspace).write(lambda _: do())


def metadata_of(hit: Hit) -> dict[str, str | float | int]:
    """Where a passage stands and what is known of it, as plain values."""
    return {
        "path": hit.path,
        "line_start": hit.line_start,
        "line_end": hit.line_end,
        "score": hit.score,
        "date": hit.updated,
        "id": hit.id,
        "title": hit.title,
        "section": hit.section,
        "type": hit.type,
    }


class ChatSession:
    """The messages of a session as its page is now; one that is not there has none."""

    def __init__(self, workspace: Workspace, id_: str) -> None:
        self._workspace = workspace
        self._session = workspace.session(id_)

    def messages(self) -> tuple[MessageView, ...]:
        """What is in the session; texts that were compacted, as they were said."""
        try:
            messages = self._session.get().messages
            first_texts = {each.id: each.text for each in self._session.history() if each.id}
        except NotFoundError:
            return ()
        return tuple(each._replace(text=first_texts.get(each.id, each.text)) for each in messages)

    def add(self, role: str, text: str) -> None:
        """Add a message at the end."""
        self._session.add_message(role, text)

    def pop(self) -> MessageView | None:
        """Take the last message off the page, which undo brings back; None where there is none."""
        for _ in range(_MAX_ATTEMPTS):
            messages = self.messages()
            if not messages:
                return None
            try:
                self._cut(messages[-1])
            except ConflictError:
                continue
            return messages[-1]
        raise ConflictError(f"{messages[-1].path}: changes all the time", "try again")

    def clear(self) -> None:
        """Move the session to the archive."""
        if self.messages():
            self._session.purge()

    def _cut(self, message: MessageView) -> None:
        above, _, name = message.path.rpartition("/")
        folder = self._workspace.folder(above)
        file = folder.read(name)
        now = self.messages()[-1:]
        if not now or now[0].id != message.id or now[0].line_start != message.line_start:
            raise ConflictError(f"{message.path}: changed since it was read")
        lines = file.text.split("\n")
        kept = "\n".join(lines[: message.line_start - 1]).rstrip("\n")
        after = "\n".join(lines[message.line_end :]).strip("\n")
        text = f"{kept}\n\n{after}\n" if after else f"{kept}\n"
        folder.write(name, text, base=file, expect=file.digest)
