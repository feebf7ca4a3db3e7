"""The numbered lines that an operation rests on, without what is private or secret."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from memwiki.digest import digest_of
from memwiki.entry_fields import MODEL
from memwiki.errors import NotEditableError, NotFoundError, UsageError
from memwiki.fence import NAME
from memwiki.files.read import read
from memwiki.markdown.describe import is_in
from memwiki.markdown.fields import first_text
from memwiki.markdown.outline import Outline, outline_of
from memwiki.markdown.units import entries_of
from memwiki.scope import base_of, layers_below
from memwiki.secrets import without_secrets
from memwiki.sessions.page import SessionPage, not_found, paths_of, summary_of
from memwiki.sessions.stored import StoredSession
from memwiki.sessions.views import history_of
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading
from memwiki.text import pattern


class SourceLine(NamedTuple):
    """A line that can be cited: what was said, by whom, and where it is."""

    text: str
    speaker: str = ""  # the name of whoever said it, else the role; "" in a file
    role: str = ""  # user, assistant, tool ...; "" in a file
    line: int = 0  # of the file
    id: str = ""  # of the message
    time: str = ""  # when it was said, ISO 8601
    indent: int = 0  # characters before it in a file


class NumberedSource(NamedTuple):
    """A conversation or a file, cut into the lines that a model is shown from 1 on."""

    lines: Sequence[SourceLine]
    date: str = ""  # of the conversation, as it is shown
    path: str = ""
    digest: str = ""  # of the file
    title: str = ""  # of a page that is no conversation


_HEADING = pattern(r"(?:[-*+] )?(#{1,6}) \S")  # in an outline each is an item


def headings_over(lines: Sequence[SourceLine], number: int) -> Iterator[int]:
    """The numbers of the headings over a line, the nearest first; a conversation has none."""
    lowest = 7
    for at in range(number, 0, -1):
        line = lines[at - 1]
        found = None if line.role or line.speaker else _HEADING.match(line.text)
        if found and len(found[1]) < lowest:
            lowest = len(found[1])
            yield at


_FOOTNOTE = pattern(r"\[\^[a-z]\d+\](?:\s*\Z|: \[\[)")
_RECALLED = pattern(rf"<{NAME}\b.*?(?:</{NAME}>|\Z)", re.DOTALL)


def source_named(live: LiveIndex, name: str) -> NumberedSource:
    """The session with this id, or the page that is called so. Raises NotFoundError, and
    NotEditableError for a page that memwiki or a model wrote."""
    paths = paths_of(live.context, name) if live.context.layers.sessions else None
    if paths and StoredSession(live, paths).is_begun:
        return source_at(live, paths.path)
    with reading(live) as view:
        path = view.find(name)
    if not live.context.scope().reaches(path):
        raise NotFoundError.at(path, "is in a namespace", "name it with -n")
    return source_at(live, path)


def session_source(live: LiveIndex, id_: str) -> NumberedSource:
    """The messages of a session. Raises NotFoundError."""
    paths = paths_of(live.context, id_)
    if not StoredSession(live, paths).is_begun:
        raise not_found(paths)
    return source_at(live, paths.path)


def session_to_summarise(live: LiveIndex, id_: str) -> NumberedSource:
    """The same of one without a summary, which nothing replaces. Raises UsageError."""
    source = session_source(live, id_)
    page = StoredSession(live, paths_of(live.context, id_)).page()
    if summary_of(page.outline):
        raise UsageError(
            f"{source.path}: has a summary already",
            "memwiki session end {} --summary TEXT replaces it",
            id_,
        )
    return source


def source_at(live: LiveIndex, path: str, *, for_answer: bool = False) -> NumberedSource:
    """The file at a path, as `source_named`; an answer may rest on what a model wrote, too, as it
    is there because a person accepted it."""
    context = live.context
    data = read(context.root, path, context.max_bytes)
    sessions = layers_below(context.layers, base_of(path, context.layers)).sessions
    if sessions and is_in(path, sessions):
        page = SessionPage(path, data, context.layers)
        lines = tuple(_of_messages(page, _archived(live, path)))
        date = first_text(page.outline.front.fields.get("started", ""))
        return NumberedSource(lines, date, path, digest_of(data))
    outline = outline_of(path, data, context.layers)
    if not for_answer:
        require_written(outline)
    left = frozenset[int]() if for_answer else {*_of_models(outline), *_of_claims(outline)}
    lines = tuple(_of_lines(outline, left))
    return NumberedSource(lines, "", path, digest_of(data), _sendable(outline.title))


def _archived(live: LiveIndex, path: str) -> SessionPage | None:
    """What left a session; None where nothing did, and for one of another namespace."""
    own = live.context.own_layers().sessions
    if not (own and is_in(path, own)):
        return None
    stored = StoredSession(live, paths_of(live.context, path))
    return stored.archived() if stored.has_left else None


def source_of_text(text: str) -> NumberedSource:
    """A text that is no page, line by line."""
    lines = enumerate(_sendable(text).split("\n"), 1)
    found = (_line_of(line, number) for number, line in lines if line.strip())
    return NumberedSource(tuple(found), "", "", digest_of(text.encode("utf-8", "replace")))


def require_written(page: Outline, path: str = "") -> None:
    """Refuse a page that memwiki or a model made, called by its path where no other is given."""
    if page.is_catalog or "generated" in page.front.fields:
        raise NotEditableError.at(
            path or page.path,
            "was generated, so that nothing can rest on it",
            "name what it was made from",
        )


def _of_messages(page: SessionPage, archived: SessionPage | None) -> Iterator[SourceLine]:
    for each in history_of(page, archived):
        if text := _one_line(_sendable(each.text)):
            is_here = each.path == page.outline.path
            line = each.line_start if is_here else 0
            role = each.role.lower()
            yield SourceLine(text, each.name or each.role, role, line, each.id, each.time)


def _of_lines(page: Outline, left: Collection[int]) -> Iterator[SourceLine]:
    text = _sendable("\n".join(page.lines[page.text_start :]))
    for number, line in enumerate(text.split("\n"), page.text_start + 1):
        if line.strip() and number not in left:
            yield _line_of(line, number)


def _line_of(line: str, number: int) -> SourceLine:
    indent = len(line) - len(line.lstrip())
    return SourceLine(_one_line(line), line=number, indent=indent)


def _of_models(page: Outline) -> Iterator[int]:
    """The lines of entries that a model wrote: nothing rests on what one said before."""
    for entry in entries_of(page).entries:
        if entry.fields.get("origin") == MODEL:
            yield from range(entry.line_start, entry.line_end + 1)


def _of_claims(page: Outline) -> Iterator[int]:
    """The lines that memwiki wrote with a footnote, and these: another source says it."""
    for number, line in enumerate(page.lines, 1):
        if _FOOTNOTE.search(line):
            yield number


def _sendable(text: str) -> str:
    """A text without what was recalled into it and without secrets; it has the lines that it had.

    Looked at as a whole: no single line of a key block looks like a secret.
    """
    return without_secrets(_RECALLED.sub(lambda found: "\n" * found[0].count("\n"), text))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def number_lines(lines: Iterable[SourceLine], first: int = 1) -> str:
    """The lines as they are shown: a number, who speaks, and the text."""
    return "\n".join(
        f"{number} {each.speaker}: {each.text}" if each.speaker else f"{number} {each.text}"
        for number, each in enumerate(lines, first)
    )
