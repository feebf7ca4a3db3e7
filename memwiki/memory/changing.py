"""Changing one entry of a page: each function gives the page as it is to become."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memwiki.errors import LineNotEditableError, UsageError, shell_word
from memwiki.markdown.edit.entries import EntryLines
from memwiki.markdown.entries import read_marks
from memwiki.markdown.outline import Outline
from memwiki.markdown.page_entries import entry_at, places_outside
from memwiki.markdown.source import Patch
from memwiki.memory.judgement.fact import without_last_tags
from memwiki.model import Entry
from memwiki.pages.text.safeguards import ChangedLines, patched

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
    return _changed(page, entry, lines.with_text(text), entry._replace(text=text))


def with_tags_of(entry: Entry, text: str) -> str:
    """New words for an entry: where they have no tag, those that ended the old ones stay."""
    _, tags = without_last_tags(entry.text)
    if not tags or read_marks(text).tags:
        return text
    first, *rest = text.split("\n")
    return "\n".join([" ".join([first, *tags]), *rest])


def with_fields(
    page: Outline, entry: Entry, changes: Mapping[str, str | None], *, id_: str = ""
) -> Outline:
    """Other fields for an entry, each patched where it is written; None removes one."""
    patches = EntryLines(page, entry).with_fields(changes, id_)
    fields = {**entry.fields, **changes}
    said = {name: value for name, value in fields.items() if value is not None}
    wanted = entry._replace(fields=said, id=entry.id or id_)
    return _changed(page, entry, patches, wanted) if patches else page


def struck(
    page: Outline, entry: Entry, changes: Mapping[str, str | None], *, id_: str = ""
) -> Outline:
    """An entry that holds no longer: struck out, with fields that say since when and why."""
    page = with_fields(page, entry, changes, id_=id_)
    now = entry_at(page, entry.line_start) or entry
    patches = EntryLines(page, now).struck()
    return _changed(page, now, patches, now) if patches else page


def without(page: Outline, entry: Entry) -> Outline:
    """The page without an entry."""
    lines = EntryLines(page, entry)
    after = ChangedLines(lines.first, lines.stop, lines.first)
    return changed_here(page, lines.removed(), after)


def raw(page: Outline, entry: Entry) -> str:
    """The lines of an entry as they are written, less the indentation of the first."""
    return EntryLines(page, entry).text


def _changed(page: Outline, entry: Entry, patches: Sequence[Patch], wanted: Entry) -> Outline:
    """The patched page, when the entry reads as it should and nothing else reads otherwise."""
    grown = sum(each.text.count("\n") - _ends(page, each) for each in patches)
    stop = entry.line_end
    after = changed_here(page, patches, ChangedLines(entry.line_start - 1, stop, stop + grown))
    now = entry_at(after, entry.line_start)
    if not (now and said(now) == said(wanted._replace(is_superseded=_is_over(wanted)))):
        what = "the entry cannot be changed safely: it would be read otherwise"
        raise LineNotEditableError(page.path, entry.line_start, what)
    return after


def said(entry: Entry) -> Entry:
    """What an entry says, wherever it is."""
    return entry._replace(section="", line_start=0, line_end=0)


def _is_over(entry: Entry) -> bool:
    return entry.is_superseded or "superseded_by" in entry.fields


def changed_here(page: Outline, patches: Sequence[Patch], lines: ChangedLines) -> Outline:
    """The page with patches made in some lines; refused when other entries would be read
    otherwise."""
    after = patched(page, patches, lines, MAX_BYTES)
    require_others(page, after, lines)
    return after


def require_others(page: Outline, after: Outline, lines: ChangedLines) -> None:
    """Refuse a change of some lines by which other entries would be read otherwise."""
    start, stop, stop_after = lines
    before = places_outside(page, start, stop, stop_after)
    if before != places_outside(after, start, stop_after, stop_after):
        raise UsageError(
            f"{page.path}: with this change other entries would be read otherwise",
            hint="change it in an editor",
            path=page.path,
        )


def _ends(page: Outline, patch: Patch) -> int:
    return page.text.count("\n", patch.start, patch.end)
