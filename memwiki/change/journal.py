"""The journal, log.md: what an entry looks like, and reading entries of any shape people write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from memwiki.change.plan import actor_of
from memwiki.markdown.source import UTF16_CODECS
from memwiki.records import NamedTuple
from memwiki.text import pattern

HEADER = "# Log\n"
PRIVATE = " [private:: true]"  # behind the title of what concerns nothing else
_BY = "by: "
_DATED = pattern(r"\[?(\d{4}-\d\d-\d\d)\]?[ \t]*(?:—|–|--?|:)?[ \t]*(.*)")
_OP = pattern(r"([^|]{1,60}?)[ \t]*\|[ \t]*(.*)")
_HEADING = pattern(r"(#{1,6})[ \t]++(.*)")
_ITEM = pattern(r"[ \t]*[-*+][ \t]+(.*)")


class JournalEntry(NamedTuple):
    """One entry of the journal; `day` is ISO 8601, `line` 1-based, 0 for one not yet written."""

    day: str
    op: str  # what was done: create, update, move ...; "" when nobody says
    title: str
    details: tuple[str, ...] = ()
    line: int = 0
    by: str = ""  # who did it, where somebody said so


def entry_text(entry: JournalEntry) -> str:
    """An entry as memwiki writes it, without a blank line before it."""
    heading = f"## [{entry.day}] {_one_line(entry.op).replace('|', '/')} | {_one_line(entry.title)}"
    details = (f"{_BY}{entry.by}", *entry.details) if entry.by else entry.details
    return "\n".join([heading, *(f"- {_one_line(each)}" for each in details), ""])


def addition(existing: bytes, entry: JournalEntry) -> bytes:
    """The bytes that add an entry to the end of a journal, with the line ends it has."""
    start = "" if existing.endswith((b"\n", b"\n\0")) or not existing else "\n"
    text = f"{start}\n{entry_text(entry)}" if existing else f"{HEADER}\n{entry_text(entry)}"
    if b"\r\n" in existing[-4096:].replace(b"\0", b""):
        text = text.replace("\n", "\r\n")
    return text.encode(UTF16_CODECS.get(existing[:2], "utf-8"))


class JournalCut(NamedTuple):
    """A journal as its head and its entries, each with its day and its bytes."""

    head: str
    days: Sequence[str]
    texts: Sequence[str]


def cut_journal(data: bytes) -> JournalCut:
    """A journal as it is kept, entry by entry."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    text = [f"{line}\n" for line in lines[:-1]] + lines[-1:]
    entries = list(read_entries(lines))
    bounds = [0, *(entry.line - 1 for entry in entries), len(text)]
    head, *texts = ["".join(text[start:stop]) for start, stop in pairwise(bounds)]
    return JournalCut(head, [entry.day for entry in entries], texts)


def rotated_folder(path: str) -> str:
    """The folder that a journal which grew too long is moved to: `log` for log.md."""
    return path.rpartition(".")[0] or f"{path}.d"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def read_entries(lines: Sequence[str]) -> Iterator[JournalEntry]:
    """The entries of a journal in the order of its lines.

    `## [D] op | title`, `## D op | title`, `## D — op | title`, `## D` with items below, and items
    `- D — title`; what stands below an entry up to the next one are its details.
    """
    entry: JournalEntry | None = None
    details: list[str] = []
    for number, text in enumerate(map(str.rstrip, lines), 1):
        heading, item = _HEADING.fullmatch(text), _ITEM.fullmatch(text)
        begun = _begun(heading, item, entry, number)
        if heading or begun:
            if entry:
                yield _finished(entry, details)
            entry, details = begun, []
        elif entry and text.strip():
            details.append(item[1] if item else text.strip())
    if entry:
        yield _finished(entry, details)


def _finished(entry: JournalEntry, details: Sequence[str]) -> JournalEntry:
    """An entry with what stands below it; the first line may say who did it."""
    by = details[0].removeprefix(_BY) if entry.op and details else ""
    is_said = bool(by) and by != details[0] and by == actor_of(by)
    return entry._replace(details=tuple(details[is_said:]), by=by if is_said else "")


def _begun(
    heading: re.Match[str] | None,
    item: re.Match[str] | None,
    entry: JournalEntry | None,
    number: int,
) -> JournalEntry | None:
    """The entry that a line begins; below an entry that says what was done, items are details."""
    if heading:
        return _dated(_title_of(heading), number)
    return _dated(item[1], number) if item and not (entry and entry.op) else None


def _title_of(heading: re.Match[str]) -> str:
    """What a heading says, without the marks that may close it."""
    return heading[2].rstrip(" \t").rstrip("#").rstrip(" \t")


def _dated(text: str, number: int) -> JournalEntry | None:
    match = _DATED.fullmatch(text)
    if not match:
        return None
    op = _OP.fullmatch(match[2])
    named, title = (op[1], op[2]) if op else ("", match[2])
    return JournalEntry(match[1], named.strip(), title.strip(), line=number)


def unread_lines(lines: Sequence[str]) -> Iterator[int]:
    """The lines of headings that look like entries and name no day."""
    for number, text in enumerate(map(str.rstrip, lines), 1):
        heading = _HEADING.fullmatch(text)
        if heading and len(heading[1]) > 1 and not _DATED.fullmatch(_title_of(heading)):
            yield number
