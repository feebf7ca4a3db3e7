"""Which entry of a page says the same as a text, or has its key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import compress, count, repeat
from operator import contains

from memwiki.dates import iso_date
from memwiki.facts.identity import identity
from memwiki.facts.value import is_current
from memwiki.markdown.outline import Outline
from memwiki.markdown.units import entries_of, entry_at, lines_of_entry
from memwiki.memory.draft import EntryDraft
from memwiki.names import bare_line
from memwiki.nouns import Entry
from memwiki.text import pattern

_PROBE = pattern(r"[a-z0-9]+|[^\W_]")
_COUNTED = 16  # longest of them, of which the rarest are looked for
_STEP = 64  # one line in so many tells how rare they are
_PROBES = 8  # rarest words and signs of a text that an item must hold before it is read
_MANY = 8  # texts from which on all entries of a page are read once


class PageEntries:
    """The entries of one page, asked for by what they say or by key; of a long page only the lines
    that may be meant are read, unless many are asked for."""

    def __init__(self, page: Outline, wanted: int) -> None:
        self._page = page
        self._all: dict[str, list[Entry]] | None = None
        if wanted > _MANY:
            self._all = {}
            for entry in entries_of(page).entries:
                self._all.setdefault(identity(entry.text), []).append(entry)

    def same(self, text: str, day: str = "", *, happened: str = "") -> Entry | None:
        """The entry that says the same and holds still, or of a day one that is superseded; of an
        event that `happened` on a day none of another day."""
        wanted = identity(text)
        if self._all is not None:
            found: Iterable[Entry] = self._all.get(wanted, ())
        else:
            found = (entry for entry in self._holding(wanted) if identity(entry.text) == wanted)
        for entry in found:
            is_meant = not happened or day_if_event(entry) in ("", happened)
            if is_meant and _day_if_ended(entry) == day:
                return entry
        return None

    def with_key(self, key: str) -> Entry | None:
        """The entry that has a key and still holds."""
        for match in re.finditer(r"\bkey::", self._page.text):
            entry = entry_at(self._page, self._page.line_at(match.start()) + 1)
            if entry and entry.fields.get("key") == key and _holds_still(entry):
                return entry
        return None

    def _holding(self, wanted: str) -> Iterator[Entry]:
        """The entries whose lines hold what a text is made of."""
        probes = sorted(set(_PROBE.findall(bare_line(wanted))), key=len, reverse=True)
        if not probes:
            yield from entries_of(self._page).entries
            return
        lines, done = self._page.bare_lines, 0  # the line up to which entries were looked at
        probes = sorted(probes[:_COUNTED], key=partial(_count_in, lines[::_STEP]))[:_PROBES]
        for line in compress(count(1), map(contains, lines, repeat(probes[0]))):
            if line <= done:
                continue
            first, done = lines_of_entry(self._page, line) or (line - 1, line)
            text = "\n".join(lines[first:done])
            is_meant = all(probe in text for probe in probes)
            if is_meant and (entry := entry_at(self._page, line)):
                yield entry


def _count_in(lines: Iterable[str], part: str) -> int:
    return sum(part in line for line in lines)


def _holds_still(entry: Entry) -> bool:
    return is_current(entry.fields, is_struck=entry.is_superseded)


def day_if_event(entry: Entry | EntryDraft) -> str:
    """The day of an event, as far as it is known; "" of all else, and where its words say a day:
    it is the same whenever it is told."""
    if entry.type != "event":
        return ""
    from memwiki.times.days import says_year_and_month  # few entries are events

    if says_year_and_month(entry.text):
        return ""
    return iso_date(entry.fields.get("created", ""))[:10]


def _day_if_ended(entry: Entry) -> str:
    """The day of an entry that holds no more, as far as it is known; "" of one that does."""
    return "" if _holds_still(entry) else iso_date(entry.fields.get("created", ""))[:10] or "?"
