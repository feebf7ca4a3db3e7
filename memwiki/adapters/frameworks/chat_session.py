"""A session of a workspace as histories of frameworks see it: texts with roles, added and taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.adapter_api import (
    ConflictError,
    NotFoundError,
)

if TYPE_CHECKING:
    from memwiki import Workspace
    from memwiki.adapter_api import MessageView


_ATTEMPTS = 20


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
        for _ in range(_ATTEMPTS):
            messages = self.messages()
            if not messages:
                return None
            try:
                self._cut(messages[-1])
            except ConflictError:
                continue
            return messages[-1]
        raise ConflictError(f"{messages[-1].path}: changes all the time", hint="try again")

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
