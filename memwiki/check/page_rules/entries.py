"""Entries of one page: what a merge that keeps the lines of both sides has doubled."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.check.facts import is_outline_bullet
from memwiki.check.rule import CheckedPage, CheckRule, Family, Finding
from memwiki.nouns import Entry, Severity

_SHORTEST = 12  # characters of an item: `- Tea.` may well be written twice


def doubled_entries(sheet: CheckedPage) -> Iterator[Finding]:
    """Entries that stand twice in one section, letter for letter."""
    for entry in _doubled(sheet):
        text = entry.text.split("\n", 1)[0][:60]
        yield Finding("entry-duplicate", entry.line_start, f"appears twice in its section: {text}")


def _doubled(sheet: CheckedPage) -> list[Entry]:
    seen: set[tuple[str, str]] = set()
    doubled = []
    for entry in sheet.page.entries:
        if is_outline_bullet(sheet.inner, sheet.layers, entry.id, entry.fields):
            continue
        written = "\n".join(
            line.rstrip() for line in sheet.lines[entry.line_start - 1 : entry.line_end]
        )
        key = (entry.section, written)
        if len(written) >= _SHORTEST and key in seen:
            doubled.append(entry)
        seen.add(key)
    return doubled


def without_doubled(sheet: CheckedPage) -> bytes:
    """The lines without the second and any later copy of an entry."""
    lines = sheet.data.split(b"\n")
    if not sheet.is_plain:
        return sheet.data
    for entry in reversed(_doubled(sheet)):
        del lines[entry.line_start - 1 : entry.line_end]
    return b"\n".join(lines)


def doubled_ids(sheet: CheckedPage) -> Iterator[Finding]:
    """Two entries under one id, as when both sides of a merge changed the same entry."""
    seen: dict[str, Entry] = {}
    for entry in sheet.page.entries:
        first = seen.setdefault(entry.id, entry)
        if entry.id and first is not entry and first.text != entry.text:
            message = f"`^{entry.id}` is the id of two entries: keep one of them"
            yield Finding("entry-id-duplicate", entry.line_start, message)


RULES: tuple[CheckRule[CheckedPage], ...] = (
    CheckRule(
        "entry-duplicate",
        Family.CONTENT,
        Severity.WARNING,
        "An entry appears twice in a section, usually after a merge. The fix keeps the first.",
        doubled_entries,
        without_doubled,
    ),
    CheckRule(
        "entry-id-duplicate",
        Family.CONTENT,
        Severity.WARNING,
        "Two different entries have one id, usually after a merge. Keep one.",
        doubled_ids,
    ),
)
