"""Entries that a run changes, moves or takes out, each followed by its lines as pages change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memwiki.errors import ConflictError, MemwikiError
from memwiki.facts.value import PROMOTED_TO
from memwiki.markdown.edit.entries import EntrySpan
from memwiki.markdown.outline import Outline
from memwiki.markdown.page_entries import entry_at, is_item
from memwiki.memory.addresses import current_entry, with_id
from memwiki.memory.page_edits import PageEdits
from memwiki.memory.patches import content_of, remove_entry, strike, with_fields, with_text
from memwiki.memory.placement import EntryPage, spot_of, with_items
from memwiki.memory.view import LocatedEntry
from memwiki.nouns import Entry


class Way(StrEnum):
    """What becomes of an entry."""

    STAY = "stay"
    STRUCK = "struck"
    GONE = "gone"  # part of another one
    MOVE = "move"
    COPY = "copy"  # the line stays, and names the copy
    MARKED = "marked"  # the line stays, and names the entry that says the same


@dataclass(eq=False)
class Fate:
    """One entry: what it is to say, what becomes of it, and on which line it is by now."""

    path: str
    entry: Entry  # as it was when the lock was taken
    says: Entry
    line: int
    way: Way = Way.STAY
    id: str = ""  # by which others know it; "" when nobody asks
    target: EntryPage | None = None
    into: Fate | None = None  # what it became part of
    problem: str = ""  # why nothing became of it
    note: str = ""  # why not all did
    is_successor: bool = False  # takes the place of an entry of core
    is_day: bool = False  # a line of a daily note, which stays there

    def __str__(self) -> str:
        return self.id or f"{self.path}:{self.entry.line_start}"

    @property
    def is_done(self) -> bool:
        """Whether what was to become of it, did."""
        return not self.problem and (self.into is None or self.into.is_done)


class Fates:
    """The entries of one run, by where they stood."""

    def __init__(self, pages: PageEdits, ids: Sequence[str]) -> None:
        self.pages = pages
        self._ids = iter(ids)
        self._all: dict[tuple[str, int], Fate] = {}

    def of(self, located: LocatedEntry) -> Fate:
        """The fate of an entry; ConflictError when it is not what was judged any more."""
        self.pages.require_changeable(located.path)
        page = self.pages.page(located.path)
        entry = current_entry(page, located.entry)
        if (entry.text, entry.fields) != (located.entry.text, located.entry.fields):
            raise ConflictError(
                f"{located.path}:{entry.line_start}: the entry changed meanwhile",
                "memwiki upkeep consolidate looks at it again",
            )
        fate = Fate(located.path, entry, entry, entry.line_start, id=entry.id)
        return self._all.setdefault((fate.path, fate.line), fate)

    def is_item(self, fate: Fate) -> bool:
        """Whether an entry is a list item: what is a heading with prose stays where it is."""
        return is_item(self.pages.page(fate.path), fate.entry)

    def id_of(self, fate: Fate) -> str:
        """The id by which others name what an entry says."""
        if not fate.id:
            fate.id = self.draw(self.pages.page(fate.path))
        return fate.id

    def draw(self, page: Outline) -> str:
        """An id that no entry bears."""
        return next(each for each in self._ids if f"^{each}" not in page.text)

    # --- carrying out ---

    def carry_out(self) -> None:
        """Change the pages. What cannot be done leaves its entry as it was."""
        ordered = sorted(self._all.values(), key=lambda fate: (fate.path, -fate.line))
        for fate in ordered:
            if fate.way in (Way.STAY, Way.MOVE):
                self._try(fate, self._rewritten)
        for fate in ordered:
            if fate.way is Way.STRUCK and fate.is_done:
                self._try(fate, self._rewritten)
        self._place([fate for fate in ordered if fate.way in (Way.MOVE, Way.COPY)])
        for fate in ordered:
            if fate.way in (Way.MOVE, Way.GONE) and fate.is_done:
                self._try(fate, self._removed)
                if fate.way is Way.MOVE and fate.problem:
                    self._take_back(fate)
            elif fate.way in (Way.COPY, Way.MARKED) and fate.is_done:
                self._try(fate, self._marked)

    def _try(self, fate: Fate, make: Callable[[Fate, Outline], Outline]) -> None:
        try:
            self._put(fate, make(fate, self.pages.page(fate.path)))
        except MemwikiError as error:
            fate.problem = error.message

    def _put(self, fate: Fate, after: Outline) -> None:
        before = self.pages.page(fate.path)
        grown = len(after.lines) - len(before.lines)
        if after.text != before.text:
            self.pages.put(after, "consolidated")
        for each in self._all.values() if grown else ():
            if each.path == fate.path and each.line > fate.line:
                each.line += grown

    def _rewritten(self, fate: Fate, page: Outline) -> Outline:
        """The page where an entry says what it is to say."""
        entry = _at(page, fate)
        if fate.says.text != entry.text:
            page = with_text(page, entry, fate.says.text)
            entry = _at(page, fate)
        existing, wanted = entry.fields, fate.says.fields
        names = (name for name in (*existing, *wanted) if existing.get(name) != wanted.get(name))
        changes = {name: wanted.get(name) for name in names}
        change = strike if fate.way is Way.STRUCK else with_fields
        return change(page, entry, changes, id_=fate.id)

    def _removed(self, fate: Fate, page: Outline) -> Outline:
        entry = _at(page, fate)
        known = fate.says._replace(id=fate.id) if fate.way is Way.MOVE else fate.entry
        if content_of(entry) != content_of(known):
            raise ConflictError(f"{fate.path}:{fate.line}: is another entry by now")
        return remove_entry(page, entry)

    def _marked(self, fate: Fate, page: Outline) -> Outline:
        """The line of a day names the entry that says what it said."""
        into = fate.into or fate
        changes: dict[str, str | None] = {PROMOTED_TO: into.id}
        if "status" in fate.entry.fields:
            changes["status"] = None
        return with_fields(page, _at(page, fate), changes)

    # --- places in core ---

    def _place(self, fates: Sequence[Fate]) -> None:
        """Write what is promoted below the headings of its types."""
        groups: dict[tuple[EntryPage, str], list[Fate]] = {}
        for fate in sorted(fates, key=lambda each: (each.path, each.line)):
            if fate.target and not fate.problem:
                groups.setdefault((fate.target, fate.says.type), []).append(fate)
        for (target, type_), group in groups.items():
            try:
                self._insert(target, type_, group)
            except MemwikiError:
                for fate in group:
                    self._insert_alone(target, type_, fate)

    def _insert_alone(self, target: EntryPage, type_: str, fate: Fate) -> None:
        try:
            self._insert(target, type_, [fate])
        except MemwikiError as error:
            if fate.way is Way.MOVE:
                fate.way, fate.note = Way.STAY, error.message
            else:
                fate.problem = error.message

    def _take_back(self, fate: Fate) -> None:
        """What cannot leave its page is not in core, too."""
        if fate.target:
            page = self.pages.page(fate.target.path)
            if entry := with_id(page, fate.id):
                self.pages.put(remove_entry(page, entry), "taken back")
        fate.way, fate.note, fate.problem = Way.STAY, fate.problem, ""

    def _insert(self, target: EntryPage, type_: str, group: Sequence[Fate]) -> None:
        page = self.pages.page_for(target)
        spot = spot_of(page, type_, is_by_day=target.is_by_day)
        items = [self._item(fate, spot.type) for fate in group]
        after = with_items(page, spot, "\n".join(items), self.pages.max_bytes)
        for fate in group:
            entry = with_id(after, fate.id)
            if entry is None or content_of(entry) != content_of(fate.says._replace(id=fate.id)):
                where = f"{fate.path}:{fate.line}"
                raise ConflictError(f"{where}: would be read otherwise in {target.path}")
        self.pages.put(after, "promoted")

    def _item(self, fate: Fate, type_above: str) -> str:
        """The lines of an entry as they are to stand in core."""
        page = self.pages.page(fate.path)
        if fate.way is Way.COPY:
            page = self._rewritten(fate, page)
        lines = EntrySpan(page, _at(page, fate))
        text = lines.text if fate.says.type == type_above else lines.typed(fate.says.type)
        own = fate.entry.id
        return _with_id(text, own, fate.id) if own and own != fate.id else text

    def __iter__(self) -> Iterator[Fate]:
        return iter(self._all.values())


def _with_id(text: str, old: str, new: str) -> str:
    """The lines of an entry under another id."""
    start, mark, end = text.rpartition(f"^{old}")
    return f"{start}^{new}{end}" if mark else text


def _at(page: Outline, fate: Fate) -> Entry:
    entry = entry_at(page, fate.line)
    if entry is None or entry.line_start != fate.line:
        raise ConflictError(f"{fate.path}:{fate.line}: the entry is not there any more")
    return entry
