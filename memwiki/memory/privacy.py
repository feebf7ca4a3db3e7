"""What of a workspace is private, and pages without it: what is left out leaves nothing behind."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from memwiki.change.journal import PRIVATE, cut_journal
from memwiki.change.plan import Edit
from memwiki.entry_fields import naming_fields
from memwiki.errors import MemwikiError
from memwiki.facts.value import entry_subject
from memwiki.files.read import read
from memwiki.files.usage_log import ENTITY, PAGE, Subject
from memwiki.markdown.describe import is_journal
from memwiki.markdown.outline import outline_of
from memwiki.markdown.parse import parse
from memwiki.markdown.private import hidden_lines, public_bytes
from memwiki.markdown.source import UTF16_CODECS
from memwiki.names import fold, is_page_name, stem_of
from memwiki.nouns import Entry, Layers, Message, Page
from memwiki.sync.live import LiveIndex


class PrivateTraces(NamedTuple):
    """What must not be told of what was left out."""

    subjects: frozenset[Subject] = frozenset()  # in usage
    marks: frozenset[str] = frozenset()  # in the journal and the catalogs

    def plus(self, other: PrivateTraces) -> PrivateTraces:
        """Both together."""
        return PrivateTraces(self.subjects | other.subjects, self.marks | other.marks)


class PublicPart(NamedTuple):
    """A page without what is private; `data` is None where all of it is."""

    data: bytes | None
    entries: int = 0  # how many were taken out
    hidden: PrivateTraces = PrivateTraces()


def public_part(path: str, data: bytes, layers: Layers) -> PublicPart:
    """A page as it may be given away; where it cannot be told what is private, not at all."""
    hidden = hidden_lines(path, data, layers)
    if not hidden:
        return PublicPart(data)
    page = parse(path, data, layers, max_bytes=len(data) + 1)
    kept = None
    if public_bytes(path, data, layers) is not None:
        kept = _without(data, hidden)
    if kept is None or hidden_lines(path, kept, layers):
        return PublicPart(None, 0, _hidden_page(page))
    found = _entries_on(page, hidden)
    alone = sum(not _entries_on(page, [run]) for run in hidden)
    return PublicPart(kept, len(found) + alone, _hidden_entries(page, found, hidden))


def _entries_on(page: Page, hidden: Iterable[range]) -> list[Entry | Message]:
    """The entries and messages that have one of these lines."""
    lines = {line for run in hidden for line in run}
    found: list[Entry | Message] = [*page.entries, *page.messages]
    return [
        each for each in found if not lines.isdisjoint(range(each.line_start, each.line_end + 1))
    ]


def _without(data: bytes, hidden: Iterable[range]) -> bytes:
    """The bytes without these lines."""
    gone = {number - 1 for run in hidden for number in run}
    lines = data.split(b"\n")
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") and 0 in gone else b""
    return mark + b"\n".join(line for number, line in enumerate(lines) if number not in gone)


def _hidden_page(page: Page) -> PrivateTraces:
    called = {page.title, *page.search_names, stem_of(page.path)}
    names = {*called, *page.aliases, *page.ids} - {""}
    linked = {link.written for link in page.links}
    entries = _hidden_entries(page, page.entries, ())
    subjects = {Subject(PAGE, page.path), *_entities({*names, *linked})}
    # A single letter stands everywhere; a single Chinese character may be a title.
    marks = {page.path, *(name for name in names if len(name) > 1 or not name.isascii())}
    return entries.plus(PrivateTraces(frozenset(subjects), frozenset(marks)))


def _hidden_entries(
    page: Page, found: Iterable[Entry | Message], hidden: Iterable[range]
) -> PrivateTraces:
    lines = {line for run in hidden for line in run}
    subjects = _entities(link.written for link in page.links if link.line in lines)
    marks: set[str] = set()
    for each in found:
        subjects |= {entry_subject(each.id, each.text), entry_subject("", each.text)}
        subjects |= _entities(_named_by(page, each))
        if each.id:
            marks.add(each.id)
    return PrivateTraces(frozenset(subjects), frozenset(marks))


def _named_by(page: Page, each: Entry | Message) -> set[str]:
    lines = range(each.line_start, each.line_end + 1)
    linked = {link.written for link in page.links if link.line in lines}
    values = (each.fields.get(name, "") for name in naming_fields())
    return linked | {part for value in values for part in (value, *re.split(r"[,，、]", value))}


def _entities(names: Iterable[str]) -> set[Subject]:
    return {Subject(ENTITY, fold(name.strip())) for name in names if name.strip()}


def hides_more(edit: Edit, layers: Layers) -> bool:
    """Whether an edit makes anything private."""
    before, after = (
        _hidden_text(edit.path, each or b"", layers) for each in (edit.base, edit.data)
    )
    return not after <= before


def _hidden_text(path: str, data: bytes, layers: Layers) -> set[bytes]:
    lines = data.split(b"\n")
    return {lines[number - 1] for run in hidden_lines(path, data, layers) for number in run}


def subjects_of(path: str, data: bytes, layers: Layers) -> Iterator[Subject]:
    """A page and its entries, as usage knows them."""
    page = parse(path, data, layers, max_bytes=len(data) + 1)
    yield Subject(PAGE, path)
    yield from (entry_subject(each.id, each.text) for each in page.entries)


def read_public(live: LiveIndex, path: str) -> bytes:
    """A file of the workspace; of one that lists others nothing that names what is private."""
    context = live.context
    data = read(context.root, path)
    if not (context.is_public and is_page_name(path)):
        return data
    is_catalog = outline_of(path, data, context.layers).is_catalog
    names = names_of_private(live) if is_catalog else ()
    return without_names(data, names, is_journal=is_journal(path, context.layers))


def without_names(data: bytes, names: Collection[str], *, is_journal: bool) -> bytes:
    """A catalog without the lines that have one of these names; a journal without the entries that
    do so, or say themselves that they are private."""
    marks = {*names, *map(quote, names), *([PRIVATE] if is_journal else ())}
    if not is_journal:
        found = [mark.encode("utf-8", "surrogateescape") for mark in marks]
        lines = data.split(b"\n") if found else [data]
        return b"\n".join(line for line in lines if not any(mark in line for mark in found))
    if data[:2] in UTF16_CODECS:
        return b"" if names or PRIVATE.encode() in data.replace(b"\0", b"") else data
    head, _, texts = cut_journal(data)
    kept = (text for text in texts if not any(mark in text for mark in marks))
    return "".join([head, *kept]).encode("utf-8", "surrogateescape")


def names_of_private(live: LiveIndex) -> frozenset[str]:
    """What private pages and entries are called: nothing is told of that has such a name in it."""
    root, context = Path(live.context.root), live.context
    found = frozenset[str]()
    for path in live.private_pages():
        with suppress(MemwikiError):  # it is gone, or cannot be read
            data = read(root, path, context.max_bytes)
            found |= public_part(path, data, context.layers).hidden.marks
    return found
