"""What leaves a session for the archive: old messages, long tool results, or all of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from memwiki.change.plan import Edit, Plan, edit_of
from memwiki.markdown.edit.fields import set_field
from memwiki.markdown.messages import WrittenMessage, with_gap
from memwiki.markdown.outline import Outline, outline_of
from memwiki.markdown.source import Patch
from memwiki.nouns import Layers, Message
from memwiki.numbers import counted
from memwiki.patterns import pattern
from memwiki.sessions.page import SessionPage, archive_page, as_private_as
from memwiki.sessions.paths import SessionPaths
from memwiki.sessions.views import COMPACTED, in_a_line

_LEFT = pattern(
    r"(\d+) earlier messages? \((\d+) characters\) moved to (.*)\.(?=\r?$)", re.MULTILINE
)
_NO_LINK = "[]|#^"


class Leaving:
    """A session and what of it is in the archive already, both as they are under the lock."""

    def __init__(
        self, paths: SessionPaths, data: bytes, archived: bytes | None, layers: Layers
    ) -> None:
        self.paths, self.archived, self._layers = paths, archived, layers
        self.page = SessionPage(paths.path, data, layers)

    @cached_property
    def earlier(self) -> SessionPage | None:
        """What is in the archive; NotEditableError when that is no session."""
        if self.archived is None:
            return None
        return SessionPage(self.paths.archived, self.archived, self._layers)

    def window_plan(self, count: int) -> Plan:
        """A plan that moves the oldest messages out."""
        gone = self.page.messages[:count]
        title = f"moved {_messages(gone)} of {self.paths.path} to {self.paths.archived}"
        return self._plan(gone, self._without(gone), title, "window")

    def compact_plan(self, results: Sequence[Message]) -> Plan:
        """A plan that leaves one line of each of these tool results; those without an id stay."""
        named = [each for each in results if each.id]
        patches = [Patch(*self.page.span(each), self._shortened(each)) for each in named]
        what = counted(len(named), "tool result")
        return self._plan(named, patches, f"compacted {what} of {self.paths.path}", "compact")

    def purge_plan(self, *, is_final: bool) -> Plan:
        """A plan that takes the session away: put together again in the archive, or for good."""
        page, archived = self.page, self.archived
        gone = edit_of(page.outline.path, page.data, None, "purged")
        data = None if is_final else self._whole()
        beside = edit_of(self.paths.archived, archived, data, "purged")
        if is_final:
            edits = (gone,) if archived is None else (gone, beside)
            return _purged_for_good(page, edits)
        if archived is None:
            beside = beside._replace(was=page.outline.path)
        title = f"moved {page.outline.path} to {beside.path}: {_messages(page.messages)}"
        return Plan((beside, gone), title, "purge")

    # --- the archive ---

    def _plan(self, gone: Sequence[Message], patches: Sequence[Patch], title: str, op: str) -> Plan:
        page, path = self.page, self.page.outline.path
        if not gone:
            return Plan((), f"{path}: nothing to move", op)
        after = page.outline.patched(patches).data
        kept = self._with(gone)
        edits = [edit_of(path, page.data, after, "moved out")]
        if kept != self.archived:
            before, path = self.archived, self.paths.archived
            moved = edit_of(path, before, kept, "moved in")._replace(is_addition=True)
            edits.insert(0, moved)
        return Plan(tuple(edits), title, op)

    def _with(self, gone: Sequence[Message]) -> bytes:
        """The archive with these messages, but for the line of one whose text is there."""
        parts = [self._archive_before()]
        for each in gone:
            if not self._is_there(each):
                block = self.page.written(each)
                parts.append(with_gap(parts[-1], block).encode())
        return b"".join(parts)

    def _archive_before(self) -> bytes:
        page, path, earlier = self.page.outline, self.paths.archived, self.earlier
        start = earlier.outline if earlier else outline_of(path, archive_page(page), self._layers)
        return as_private_as(start, page).data

    def _is_there(self, message: Message) -> bool:
        earlier = self.earlier if COMPACTED in message.fields else None
        return earlier is not None and message.id in earlier.ids

    def _whole(self) -> bytes:
        """The session as one page: its front matter and what stands above the messages, what had
        left, and what is there."""
        page, earlier = self.page, self.earlier
        if earlier is None:
            return page.data
        stubs = [page.span(e) for e in page.messages if self._is_there(e)]
        text, first, start = page.outline.text, _body(page.outline), len(page.outline.text)
        start = page.span(page.messages[0])[0] if page.messages else start
        below = page.outline.patched(Patch(*span, "") for span in stubs).text[start:]
        front = _united(page.outline, earlier.outline)
        inner = earlier.outline.text[_body(earlier.outline) :]
        parts = (front.text[: _body(front)], _LEFT.sub("", text[first:start]), inner, below)
        bare = (part.strip("\r\n") for part in parts)
        return (page.outline.mark + "\n\n".join(filter(None, bare)) + "\n").encode()

    # --- the session ---

    def _without(self, gone: Sequence[Message]) -> list[Patch]:
        """The patches that take messages out, and say in one line how many left so far."""
        page, text = self.page, self.page.outline.text
        size = sum(len(each.text) for each in gone)
        above = page.span(gone[0])[0] if gone else 0
        line = _LEFT.search(text, _body(page.outline), above) if gone else None
        count = len(gone) + (int(line[1]) if line else 0)
        size += int(line[2]) if line else 0
        new = f"{counted(count, 'earlier message')} ({size} characters) moved to {self._where}."
        patches = [Patch(*page.span(each), "") for each in gone]
        if line:
            return [Patch(line.start(), line.end(), new), *patches]
        gap = "" if not above or text[:above].endswith(("\n\n", "\r\n\r\n")) else "\n"
        return [Patch(above, above, f"{gap}{new}\n\n"), *patches]

    def _shortened(self, message: Message) -> str:
        fields = {**message.fields, COMPACTED: str(len(message.text))}
        name, text = fields.pop("name", ""), in_a_line(message, self._where)
        more = tuple(fields.items())
        role, time = message.role, message.time
        block = WrittenMessage(role, text, time, message.id, name, more).block
        is_last = self.page.span(message)[1] >= len(self.page.outline.text)
        return block if is_last else f"{block}\n"

    @property
    def _where(self) -> str:
        path = self.paths.archived
        return f"`{path}`" if set(_NO_LINK) & set(path) else f"[[{path.removesuffix('.md')}]]"


def left_plan(paths: SessionPaths, archived: SessionPage) -> Plan:
    """A plan that deletes for good what is left of a session that is in the archive alone."""
    gone = edit_of(paths.archived, archived.data, None, "purged")
    return _purged_for_good(archived, (gone,))


def _purged_for_good(page: SessionPage, edits: tuple[Edit, ...]) -> Plan:
    title = f"purged {page.outline.path} for good: {_messages(page.messages)}"
    return Plan(edits, title, "purge", is_final=True)


def _messages(gone: Sequence[Message]) -> str:
    return counted(len(gone), "message")


def _body(page: Outline) -> int:
    """Where the text below the front matter begins."""
    return page.starts[page.start]


def _united(page: Outline, earlier: Outline) -> Outline:
    """The page with the fields that only an earlier session of its name has, and its start."""
    for name, value in earlier.front.fields.items():
        is_simple = isinstance(value, str) or all(isinstance(each, str) for each in value)
        if is_simple and (name == "started" or name not in page.front.fields):
            page = set_field(page, name, value if isinstance(value, str) else list(map(str, value)))
    return page
