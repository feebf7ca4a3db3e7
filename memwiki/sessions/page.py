"""The page of a session: where it is, and what is in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from memwiki.change.plan import Edit, Plan
from memwiki.config import Config
from memwiki.errors import (
    AlreadyExistsError,
    ConfigError,
    NotEditableError,
    NotFoundError,
    OutsideError,
    UsageError,
)
from memwiki.files.paths import clash, contain, real_path
from memwiki.files.read import exists
from memwiki.markdown.edit.fields import set_field
from memwiki.markdown.edit.sections import splice_at_end, splice_instead
from memwiki.markdown.fields import is_private
from memwiki.markdown.messages import plain_body, plain_text, read_messages
from memwiki.markdown.outline import Outline, PageKind, outline_of
from memwiki.names import first_free, fold, is_in_folder, require_text
from memwiki.nouns import Layers, Message, Section, Span
from memwiki.pages.edit import clean_text
from memwiki.pages.page import checked_line, file_name, page_plan, require_findable
from memwiki.sessions import SUMMARY
from memwiki.sync.context import Context
from memwiki.text import pattern

_ID = pattern(r"[^\W_][\w.-]*")
_MAX_ID_CHARS = 120  # of a new id
_MAX_MADE_CHARS = 100  # of one that is made here; a number may follow
_TAKEN = pattern(r"index(?:\..*)?|log", re.IGNORECASE)  # catalogs, which are no sessions


class SessionPaths(NamedTuple):
    """The page of a session, and that in the archive; "" where there is no archive."""

    id: str
    path: str
    archived: str


def paths_of(context: Context, id_: str) -> SessionPaths:
    """The paths of a session, which may not be there yet."""
    require_text("session", id_)
    layers = context.own_layers()
    given = id_.strip().removeprefix(f"{layers.sessions}/").removesuffix(".md")
    folder = sessions_folder(layers)
    if not given:
        raise UsageError("session: the id is empty", "memwiki session list names them")
    path = contain(context.root, f"{folder}/{given}.md")
    if not is_in_folder(path, folder):
        raise OutsideError(given, f"is not in {folder}/")
    inner = path.removeprefix(f"{folder}/")
    archived = f"{layers.archive}/sessions/{inner}" if layers.archive else ""
    return SessionPaths(inner.removesuffix(".md"), real_path(context.root, path), archived)


def sessions_folder(layers: Layers) -> str:
    """The folder of sessions; ConfigError when the workspace has none."""
    if not layers.sessions:
        raise ConfigError(
            "session: this workspace has no folder of sessions",
            "memwiki config set layers.sessions sessions",
        )
    return layers.sessions


def require_archive(paths: SessionPaths, what: str) -> None:
    """Refuse to let something leave where there is no archive."""
    if not paths.archived:
        raise ConfigError(
            f"{what}: this workspace has no archive, so nothing leaves a session",
            "memwiki config set layers.archive archive",
        )


def require_new(context: Context, paths: SessionPaths) -> None:
    """Refuse an id that no new session may have."""
    if not _is_id(paths.id):
        raise UsageError(
            f"{paths.id!r}: not an id for a session",
            "use letters, digits, - . and _, such as 2026-11-21-design",
        )
    require_findable(paths.path, context.ignore())
    if (found := clash(context.root, paths.path)) and found != paths.path:
        raise UsageError(f"{paths.path}: {found} exists, which some systems take for the same file")


def not_found(paths: SessionPaths) -> NotFoundError:
    """The error of a session that is not there."""
    return NotFoundError(
        f"{paths.id}: no session has this id",
        "memwiki session list; memwiki session start {} begins it",
        paths.id,
        path=paths.path,
    )


def fitting_id(*parts: str) -> str:
    """An id made of what another program calls a conversation."""
    name = "-".join(filter(None, parts))
    return name if _is_id(name) and len(name) <= _MAX_MADE_CHARS else file_name(name)


def _is_id(text: str) -> bool:
    """Whether a new session may have this id."""
    is_name = len(text) <= _MAX_ID_CHARS and _ID.fullmatch(text) is not None
    return is_name and not _TAKEN.fullmatch(text)


def is_windowed(config: Config) -> bool:
    """Whether messages leave sessions by themselves."""
    return config.session.is_sliding and bool(config.layers.archive)


_NUMBERED = pattern(rb"^### .*\^s-(\d{1,9})[ \t\r]*$", re.MULTILINE)
_BORDER = 3  # headings of this level and above end a message


class SessionPage:
    """A session's page that is looked over."""

    def __init__(self, path: str, data: bytes, layers: Layers) -> None:
        self.outline = outline_of(path, data, layers)
        if self.outline.is_catalog or self.outline.kind is not PageKind.SESSION:
            raise NotEditableError.at(
                path, "is not the page of a session", "its front matter needs `type: session`"
            )
        self.data = data

    @cached_property
    def messages(self) -> tuple[Message, ...]:
        """Its messages, in order."""
        return read_messages(self.outline.lines, self.outline.structure)

    @cached_property
    def _ends(self) -> dict[int, int]:
        """The line, from 0, that follows what a heading begins, by the line of the heading."""
        headings = self.outline.structure.headings
        lines = [each.line for each in headings if each.level <= _BORDER]
        return dict(pairwise([*lines, len(self.outline.lines)]))

    def span(self, message: Message) -> Span:
        """The offsets of all that a message takes up, with the blank lines below it."""
        first = message.line_start - 1
        return self.outline.starts[first], self.outline.starts[self._ends[first]]

    def written(self, message: Message) -> str:
        """A message as it stands, without the blank lines below it."""
        start, _ = self.span(message)
        return self.outline.text[start : self.outline.end_of(message.line_end - 1)] + "\n"

    @property
    def ids(self) -> frozenset[str]:
        """The ids of its messages."""
        return frozenset(each.id for each in self.messages if each.id)


def new_page(path: str, started: str, participants: Sequence[str], layers: Layers) -> bytes:
    """The page of a session in which nothing was said yet."""
    text = f"---\ntype: session\nstarted: {started}\n---\n"
    page = outline_of(path, text.encode(), layers)
    return (set_field(page, "participants", participants) if participants else page).data


def archive_page(page: Outline) -> bytes:
    """The page of what leaves a session, before anything left it."""
    started = page.fields.text("started")
    lines = ["---", "type: session", *([f"started: {started}"] if started else [])]
    return "\n".join([*lines, "---", ""]).encode()


def as_private_as(page: Outline, origin: Outline) -> Outline:
    """A page that takes messages of another one, private where that one is."""
    if not is_private(origin.front.fields) or is_private(page.front.fields):
        return page
    return set_field(page, "private", "true")


def last_number(data: bytes) -> int:
    """The highest number that an id on a page has, 0 when there is none; the page is not parsed."""
    return max(map(int, _NUMBERED.findall(data)), default=0)


def start_plan(
    context: Context, id_: str, participants: Sequence[str], now: str
) -> tuple[Plan, SessionPaths]:
    """A plan that begins a session, and where it will be."""
    require_text("session start", *participants)
    names = [checked_line("participant", each) for each in participants]
    paths = paths_of(context, id_) if id_ else _by_time(context, now)
    if exists(context.root, paths.path):
        raise AlreadyExistsError(
            f"{paths.id}: a session has this id already",
            "memwiki session add {} TEXT",
            paths.id,
            path=paths.path,
        )
    require_new(context, paths)
    data = new_page(paths.path, now, names, context.layers)
    return Plan((Edit(paths.path, "", data, "session"),)), paths


def _by_time(context: Context, now: str) -> SessionPaths:
    """The first free id that the time gives: 2026-11-21-100000, then with -2 and so on."""
    name = now.replace("T", "-").replace(":", "").removesuffix("Z")
    id_ = first_free(name, "", lambda each: exists(context.root, paths_of(context, each).path))
    return paths_of(context, id_)


def end_plan(path: str, data: bytes, layers: Layers, ended: str, summary: str | None) -> Plan:
    """A plan that notes when a session ended, "" where it goes on, and its summary."""
    page = SessionPage(path, data, layers)
    after = page.outline if summary is None else _summarised(page.outline, summary)
    if ended:
        after = set_field(after, "ended", ended)
    messages = [(each.id, each.text) for each in SessionPage(path, after.data, layers).messages]
    is_read = summary is None or summary_of(after) == clean_text(summary).strip()
    if messages != [(each.id, each.text) for each in page.messages] or not is_read:
        raise NotEditableError.at(
            path,
            "a summary at its end would be read as part of a message",
            "close the code or HTML that its last message opens",
        )
    return page_plan(page.outline, after, "ended" if ended else "summarised", "end")


def summary_of(page: Outline) -> str:
    """What a session says it was about, "" when it does not."""
    section = summary_section(page)
    lines = page.lines[section.line_start : section.line_end] if section else []
    return plain_text(lines).strip()


def _summarised(page: Outline, summary: str) -> Outline:
    text, section = plain_body(clean_text(summary)), summary_section(page)
    new = (
        splice_instead(page, text, section)
        if section
        else splice_at_end(page, f"## {SUMMARY}\n\n{text}")
    )
    return page.edited([new.patch])


def summary_section(page: Outline) -> Section | None:
    """The last section of that name, without the messages below it."""
    end = len(page.lines)
    for each in reversed(page.sections):
        if each.level == 2 and fold(each.title) == fold(SUMMARY):
            return each._replace(line_end=end)
        end = each.line_start - 1
    return None
