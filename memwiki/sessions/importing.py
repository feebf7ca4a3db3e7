"""Conversations from elsewhere into sessions: what is there already is not added again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count
from typing import NamedTuple

from memwiki.answers.entries import ImportedSession, SessionImport
from memwiki.change.plan import Edit, Plan, edit_of
from memwiki.clock import iso_of
from memwiki.commit.carry_out import carry_out
from memwiki.digest import text_hash
from memwiki.files.read import current_bytes
from memwiki.importing import ConversationExport, ExportedConversation, ExportedMessage, adapter
from memwiki.markdown.edit.fields import set_field
from memwiki.markdown.messages import WrittenMessage, with_gap
from memwiki.markdown.outline import outline_of
from memwiki.numbers import counted
from memwiki.secrets import without_secrets
from memwiki.sessions.page import (
    SessionPage,
    SessionPaths,
    as_private_as,
    new_page,
    paths_of,
    require_new,
)
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.text import pattern

_OURS = pattern(r"s-[A-Za-z0-9-]{1,40}")
_ID_BYTES = 5
_ROOM = 0.9  # of what is indexed of a page an import fills; the rest is for what is said later
_MAX_OUTPUT_CHARS = 1_000  # characters of what a tool gave


class Imported(NamedTuple):
    """One plan for all conversations of an export, and what becomes of each."""

    plan: Plan
    sessions: tuple[ImportedSession, ...]
    notes: tuple[str, ...] = ()


class _ImportedPage:
    """The page that takes messages: as it was, and as it becomes."""

    def __init__(self, paths: SessionPaths, before: bytes | None, start: bytes) -> None:
        self.paths, self.before = paths, before
        self.parts = [start if before is None else before]
        self.size, self.added = len(self.parts[0]), 0

    def add(self, block: str) -> None:
        data = with_gap(self.parts[-1], block).encode()
        self.parts.append(data)
        self.size += len(data)
        self.added += 1

    @property
    def edit(self) -> Edit:
        data, before = b"".join(self.parts), self.before
        return edit_of(self.paths.path, before, data, "imported")


class Importing:
    """An export on its way into its sessions; what is read is read under the lock."""

    def __init__(self, context: Context) -> None:
        self._context, self._now = context, iso_of(context.clock())
        self._read = partial(current_bytes, context.root)
        self._notes: list[str] = []

    def plan(self, conversations: Sequence[ExportedConversation]) -> Imported:
        """What the sessions become, made from their bytes as they are now."""
        edits: list[Edit] = []
        sessions: list[ImportedSession] = []
        for each in _unite(conversations):
            pages, known = self._one(each)
            for page in pages:
                if page.added:
                    edits.append(page.edit)
                if page.added or page is pages[-1]:
                    row = ImportedSession(page.paths.id, page.paths.path, page.added, known)
                    sessions.append(row)
        total = sum(each.added for each in sessions)
        files = counted(len(edits), "session")
        title = f"imported {counted(total, 'message')} into {files}" if total else "nothing new"
        notes = tuple(dict.fromkeys(self._notes))
        return Imported(Plan(tuple(edits), title, "import"), tuple(sessions), notes)

    def _one(self, conversation: ExportedConversation) -> tuple[list[_ImportedPage], int]:
        """The pages of a conversation, of which the last ones take what is new, and how many of its
        messages are known."""
        pages, existing = self._existing(conversation)
        known, time = 0, conversation.started or self._now
        room = int(self._context.max_bytes * _ROOM)
        for message in conversation.messages:
            time = message.time or time
            id_ = _id_of(message, existing)
            if id_ in existing:
                known += 1
                continue
            existing[id_] = message.text
            block = WrittenMessage(message.role, message.text, time, id_, message.name).block
            size = len(block.encode()) + 2
            if size > room:
                self._notes.append(f"{pages[-1].paths.id}: left out a message of {size} bytes")
                continue
            if pages[-1].size + size > room:
                pages.append(self._next_page(conversation, pages))
            if pages[-1].before is None and not pages[-1].added:
                require_new(self._context, pages[-1].paths)
            pages[-1].add(block)
        return pages, known

    def _existing(
        self, conversation: ExportedConversation
    ) -> tuple[list[_ImportedPage], dict[str, str]]:
        """The pages that hold a conversation so far, at least one, and its messages by id."""
        pages: list[_ImportedPage] = []
        messages: dict[str, str] = {}
        for number in count(1):
            suffix = f"-{number}" if pages else ""
            paths = paths_of(self._context, f"{conversation.id}{suffix}")
            before = self._read(paths.path)
            archived = self._read(paths.archived) if paths.archived else None
            if pages and before is None and archived is None:
                break
            new = self._new_page(conversation, paths) if before is None else b""
            pages.append(_ImportedPage(paths, before, new))
            for path, data in ((paths.archived, archived), (paths.path, before)):
                if data is not None:
                    page = SessionPage(path, data, self._context.layers)
                    messages |= {each.id: each.text for each in page.messages if each.id}
        return pages, messages

    def _new_page(self, conversation: ExportedConversation, paths: SessionPaths) -> bytes:
        layers, started = self._context.layers, conversation.started or self._now
        page = outline_of(paths.path, new_page(paths.path, started, (), layers), layers)
        for name, value in (("title", conversation.title), ("origin", conversation.origin)):
            if value:
                page = set_field(page, name, value)
        return page.data

    def _next_page(
        self, conversation: ExportedConversation, pages: Sequence[_ImportedPage]
    ) -> _ImportedPage:
        """A further page, private where the first one is."""
        layers, first = self._context.layers, pages[0]
        paths = paths_of(self._context, f"{conversation.id}-{len(pages) + 1}")
        page = outline_of(paths.path, self._new_page(conversation, paths), layers)
        page = as_private_as(page, outline_of(first.paths.path, first.parts[0], layers))
        return _ImportedPage(paths, None, page.data)


def _unite(conversations: Sequence[ExportedConversation]) -> Iterator[ExportedConversation]:
    """Conversations that become one session, together."""
    found: dict[str, ExportedConversation] = {}
    for each in conversations:
        first = found.setdefault(each.id, each._replace(messages=()))
        found[each.id] = first._replace(messages=(*first.messages, *each.messages))
    yield from found.values()


def _id_of(message: ExportedMessage, existing: dict[str, str]) -> str:
    """The id of a message: its own if it has one of ours, else one that follows from its key."""
    key, text = message.key, message.text
    if _OURS.fullmatch(key) and existing.get(key, text) == text:
        return key
    return f"s-{text_hash(key, _ID_BYTES).hex()}"


def import_export(live: LiveIndex, text: str, name: str, *, dry_run: bool) -> SessionImport:
    """Add the conversations of an export; what is there already is not added again."""
    export: ConversationExport = adapter("conversations").read_export(text, name)
    planned: list[Imported] = []

    def make() -> Plan:
        planned[:] = [Importing(live.context).plan(export.conversations)]
        return planned[0].plan

    edited = carry_out(live, make, dry_run=dry_run)
    notes = (*export.notes, *planned[0].notes, *edited.notes)
    return SessionImport(planned[0].sessions, edited._replace(notes=notes))


def record_transcript(live: LiveIndex, id_: str, transcript: str, wait_ms: int | None) -> None:
    """All of a transcript in one session, with one write that is neither noted nor undone."""
    export: ConversationExport = adapter("conversations").read_export(transcript, id_)
    one, *_ = export.conversations
    messages = tuple(_fit(each) for part in export.conversations for each in part.messages)

    def make() -> Plan:
        plan = Importing(live.context).plan([one._replace(id=id_, messages=messages)]).plan
        return Plan(tuple(edit._replace(is_addition=bool(edit.base)) for edit in plan.edits))

    carry_out(live, make, is_brief=True, wait_ms=wait_ms)


def _fit(message: ExportedMessage) -> ExportedMessage:
    text = without_secrets(message.text)
    if message.role == "tool" and len(text) > _MAX_OUTPUT_CHARS:
        text = f"{text[:_MAX_OUTPUT_CHARS]}\n[{len(text) - _MAX_OUTPUT_CHARS} more characters]"
    return message._replace(text=text)
