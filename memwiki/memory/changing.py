"""Changing one entry of a page: each function gives the page as it is to become."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from memwiki.errors import LineNotEditableError, UsageError, shell_word
from memwiki.markdown.edit.entries import EntryLines
from memwiki.markdown.entries import read_marks
from memwiki.markdown.outline import Outline
from memwiki.markdown.page_entries import entry_at
from memwiki.markdown.source import Patch
from memwiki.model import Entry
from memwiki.pages.text.safeguards import ChangedLines, patched

LAST_TAGS = re.compile(r"(?:[ \t]+#[^\s#]+)+\Z")
MAX_BYTES = 1 << 40  # what is changed in place is as long as before, but for its own line


def with_text(page: Outline, entry: Entry, text: str) -> Outline:
    """Other words for an entry; tags of the old ones stay where the new ones have none."""
    lines = EntryLines(page, entry)
    if not lines.is_item:
        section = entry.section.rpartition(" > ")[2]
        raise UsageError(
            f"{page.path}:{entry.line_start}: this entry is a heading with the text below it",
            hint=f"memwiki replace {shell_word(page.path)} --section {shell_word(section)} TEXT",
            path=page.path,
            line=entry.line_start,
        )
    return _changed(page, entry, lines.with_text(text), {"text": text})


def with_tags_of(entry: Entry, text: str) -> str:
    """New words for an entry: where they have no tag, those that ended the old ones stay."""
    if read_marks(text).tags or not (found := LAST_TAGS.search(entry.text)):
        return text
    first, *rest = text.split("\n")
    return "\n".join([f"{first} {found[0].strip()}", *rest])


def with_fields(
    page: Outline, entry: Entry, changes: Mapping[str, str | None], *, id_: str = ""
) -> Outline:
    """Other fields for an entry, each patched where it is written; None removes one."""
    patches = EntryLines(page, entry).with_fields(changes, id_)
    return _changed(page, entry, patches, {}, changes) if patches else page


def struck(
    page: Outline, entry: Entry, changes: Mapping[str, str | None], *, id_: str = ""
) -> Outline:
    """An entry that holds no longer: struck out, with fields that say since when and why."""
    page = with_fields(page, entry, changes, id_=id_)
    now = entry_at(page, entry.line_start) or entry
    patches = EntryLines(page, now).struck()
    return _changed(page, now, patches, {"text": now.text}) if patches else page


def without(page: Outline, entry: Entry) -> Outline:
    """The page without an entry."""
    lines = EntryLines(page, entry)
    after = ChangedLines(lines.first, lines.stop, lines.first)
    return patched(page, lines.removed(), after, MAX_BYTES)


def raw(page: Outline, entry: Entry) -> str:
    """The lines of an entry as they are written, less the indentation of the first."""
    return EntryLines(page, entry).text


def _changed(
    page: Outline,
    entry: Entry,
    patches: Sequence[Patch],
    wanted: Mapping[str, str],
    fields: Mapping[str, str | None] | None = None,
) -> Outline:
    """The patched page, when the entry reads as it should and nothing else reads otherwise."""
    grown = sum(each.text.count("\n") - _ends(page, each) for each in patches)
    stop = entry.line_end
    after = patched(
        page, patches, ChangedLines(entry.line_start - 1, stop, stop + grown), MAX_BYTES
    )
    now = entry_at(after, entry.line_start)
    is_read = now is not None and all(
        now.fields.get(name) == value for name, value in (fields or {}).items()
    )
    if not (now and is_read and now.text == wanted.get("text", entry.text)):
        what = "the entry cannot be changed safely: it would be read otherwise"
        raise LineNotEditableError(page.path, entry.line_start, what)
    return after


def _ends(page: Outline, patch: Patch) -> int:
    return page.text.count("\n", patch.start, patch.end)
