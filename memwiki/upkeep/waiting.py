"""Which entries wait for a consolidation, and what may become of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from memwiki.config import Config
from memwiki.dates import date_in, iso_date
from memwiki.entry_fields import unit_interval
from memwiki.errors import ConflictError, MemwikiError
from memwiki.facts.identity import identity, without_last_tags
from memwiki.facts.value import (
    CORE,
    DAILY,
    PROMOTED_TO,
    category_of,
    importance_of,
    is_current,
    status_of,
)
from memwiki.index.cards.entries import EntryCard
from memwiki.markdown.describe import inner_path, is_in, is_kept
from memwiki.markdown.edit.entries import EntrySpan
from memwiki.markdown.entries import read_marks
from memwiki.markdown.fields import is_private
from memwiki.markdown.outline import Outline
from memwiki.markdown.syntax import is_step
from memwiki.markdown.units import entry_at, is_item
from memwiki.memory.addresses import PageOutlines, as_it_is, free_id, with_id
from memwiki.memory.draft import why_noise
from memwiki.memory.insertion import merge_entries
from memwiki.memory.listing import date_of_card
from memwiki.memory.page_edits import PageEdits
from memwiki.memory.patches import (
    content_of,
    is_hidden,
    remove_entry,
    strike,
    with_fields,
    with_text,
)
from memwiki.memory.placement import EntryPage, is_private_spot, spot_of, with_items
from memwiki.memory.view import LocatedEntry
from memwiki.names import fold, stem_of
from memwiki.nouns import STAGED, Entry, Layers
from memwiki.records import grouped
from memwiki.text import pattern

CONSOLIDATED = "consolidated"  # the day on which an entry was looked at

_TRUSTED = frozenset(("", "user", "agent"))  # origins; what others bring in is data
_STANDING, _MORE = frozenset(("preference", "convention", "rule", "instruction")), 0.1
_MIN_CHARACTERS = 10
_MIN_LETTERS = 2  # beside the figures of a time
_NO_LETTER = pattern(r"[\W\d_]+")
_BLOCK = pattern(r"[`~]{3}|[|>#<]")  # code, tables, quotes
_ASKING = ("?", "？")
MERGED = "merged"  # the ids of the entries that are part of this one

_EVENTS = frozenset(("event", "事件"))
# What may differ between two entries that say the same; all else tells them apart.
_OF_KEEPING = frozenset(
    "created updated importance confidence status origin source session consolidated merged "
    "entities supersedes".split()
)
_OWN = ("status", CONSOLIDATED, "superseded_by", "valid_to")
_IDS = pattern(r"\^?m-[A-Za-z0-9]+(?: [\d.]+)?(?:, ?\^?m-[A-Za-z0-9]+(?: [\d.]+)?)*\Z")


class Waiting(NamedTuple):
    """An entry that nobody has looked at yet."""

    located: LocatedEntry
    key: bytes  # of its unit in the index
    is_day: bool  # in a daily note, which keeps its lines
    matters: bool  # enough to become core


def is_trusted(fields: Mapping[str, str]) -> bool:
    """Whether a person or an agent said it: what a page or tool says is never promoted by itself,
    nor does it change what they said."""
    return fields.get("origin", "") in _TRUSTED


def matters(entry: Entry, config: Config) -> bool:
    """Whether an entry is to be promoted."""
    written = unit_interval(entry.fields.get("importance", ""))
    is_one = is_trusted(entry.fields) and _is_fact(entry.text, is_weighed=bool(written))
    return is_one and _is_enough(written, entry.text, entry.type, config)


def _is_enough(written: str, text: str, type_: str, config: Config) -> bool:
    """Whether the importance that is written, else that of a text in core, is that of core."""
    if written:
        return float(written) >= config.consolidation.promote_at
    words, more = config.memory.boost_words, _MORE * (type_ in _STANDING)  # holds each time
    own = importance_of(text, category=CORE, is_structured=False, boost_words=words)
    return round(own + more, 2) >= config.consolidation.promote_at


def _is_fact(text: str, *, is_weighed: bool) -> bool:
    """Whether a text can be a memory; a question is one only when somebody gave it a weight."""
    words = without_last_tags(text)[0].strip()
    return not (
        len(words) < _MIN_CHARACTERS
        or len(_NO_LETTER.sub("", words)) < _MIN_LETTERS
        or _BLOCK.match(words)
        or (words.endswith(_ASKING) and not is_weighed)
        or why_noise(words)
    )


class Queue(NamedTuple):
    """The cards of what may wait, staged entries first, the oldest first."""

    staged: list[EntryCard]
    days: list[EntryCard]


def queue(cards: Iterator[EntryCard], config: Config) -> Queue:
    """What waits as far as the index tells."""
    layers, found = config.layers, Queue([], [])
    for card in cards:
        path = inner_path(card.path, layers)
        if is_kept(card.path, layers) or not is_current(card.fields, is_struck=False):
            continue
        is_staged = status_of(card.fields, is_struck=False) == STAGED
        is_day = is_in(path, layers.daily)
        if is_staged or (is_in(path, layers.inbox) and CONSOLIDATED not in card.fields):
            found.staged.append(card)
        # The first words of what was said in a session are a note of that day, no memory.
        elif is_day and layers.memory and is_trusted(card.fields) and "session" not in card.fields:
            found.days.append(card)
    for each in found:
        each.sort(
            key=lambda card: (_rank(card, layers), date_of_card(card), card.path, card.line_start)
        )
    return found


def _rank(card: EntryCard, layers: Layers) -> int:
    """What others are joined to goes first: core, and lines of days last."""
    category = category_of(card.path, layers, card.page_type)
    return {CORE: 0, DAILY: 2}.get(category, 1)


def waiting(queue: Queue, config: Config, pages: PageOutlines) -> Iterator[Waiting]:
    """What waits, in order; of the days' lines only those that matter, as the others stay."""
    for card in queue.staged:
        located = pages.of(card)
        if located and not why_noise(located.entry.text):
            is_day = is_in(inner_path(card.path, config.layers), config.layers.daily)
            yield Waiting(located, card.key, is_day, matters(located.entry, config))
    for card in queue.days:
        located = pages.of(card) if _may_matter(card, pages, config) else None
        # A heading with its prose stays as it is.
        is_one = located and is_item(pages[card.path], located.entry)
        if located and is_one and matters(located.entry, config):
            yield Waiting(located, card.key, is_day=True, matters=True)


def _may_matter(card: EntryCard, pages: PageOutlines, config: Config) -> bool:
    """Whether the lines of an entry, unread as yet, hold what makes it important."""
    written = unit_interval(card.fields.get("importance", ""))
    lines = pages[card.path].lines[card.line_start - 1 : card.line_end]
    return _is_enough(written, "\n".join(lines), card.type, config)


def can_join(one: LocatedEntry, into: LocatedEntry) -> bool:
    """Whether the first can become part of the second: an event of another day is another one."""
    is_event = _is_event(one) and _is_event(into)
    is_other = is_event and day_of_entry(one) != day_of_entry(into)
    return not is_other and keeps_all(one.entry, into.entry)


def keeps_all(one: Entry, into: Entry) -> bool:
    """Whether nothing that either says is lost when the first becomes part of the second."""
    existing, fields = into.fields, one.fields
    if fold(fields.get("private", "")) != fold(existing.get("private", "")):
        return False
    # A list below its entry would not be the same in a line.
    if any(
        ("\n" in value or value.startswith("- ")) and existing.get(name) != value
        for name, value in fields.items()
    ):
        return False
    if not is_trusted(fields) and is_trusted(existing):
        return identity(one.text) == identity(into.text)
    return is_trusted(fields) == is_trusted(existing) and _agree(fields, existing)


def _agree(fields: Mapping[str, str], existing: Mapping[str, str]) -> bool:
    both = (fields.keys() & existing.keys()) - _OF_KEEPING
    return all(
        fields[name] == existing[name] or _are_ids(fields[name], existing[name]) for name in both
    )


def _are_ids(*values: str) -> bool:
    return all(map(_IDS.match, values))


def _is_event(located: LocatedEntry) -> bool:
    return fold(located.entry.type) in _EVENTS


def day_of_entry(located: LocatedEntry) -> str:
    """The day on which an entry was made: as it says, else by the name of its page."""
    return iso_date(located.entry.fields.get("created", ""))[:10] or date_in(stem_of(located.path))


def join_entries(known: Entry, one: Entry, *, max_tags: int) -> Entry:
    """What an entry says when another one becomes part of it."""
    fields = {name: value for name, value in one.fields.items() if name not in _OWN}
    if not is_trusted(one.fields) and is_trusted(known.fields):
        return _naming(known, one, known.fields)
    new = merge_entries(known, one.text, one.tags, fields, max_tags=max_tags)
    joined_fields = {**known.fields, **{k: v for k, v in new.changes.items() if v is not None}}
    for name in fields.keys() & known.fields.keys():
        if name == "entities" or _are_ids(fields[name], known.fields[name]):
            joined_fields[name] = unite_lists(known.fields[name], fields[name])
    return _naming(
        known._replace(text=new.text, tags=read_marks(new.text).tags), one, joined_fields
    )


def _naming(known: Entry, one: Entry, fields: Mapping[str, str]) -> Entry:
    """The entry with the id of what became part of it."""
    named = unite_lists(fields.get(MERGED, ""), unite_lists(one.id, one.fields.get(MERGED, "")))
    return known._replace(fields={**fields, MERGED: named} if named else fields)


def unite_lists(one: str, other: str) -> str:
    """Two lists as one, each part once."""
    parts = [each.strip() for value in (one, other) for each in value.split(",")]
    return ", ".join(dict.fromkeys(filter(None, parts)))


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
    is_hidden: bool = False  # private, by what it says or where it stands
    way: Way = Way.STAY
    id: str = ""  # by which others know it; "" when nobody asks
    target: EntryPage | None = None
    into: Fate | None = None  # what it became part of
    problem: str = ""  # why nothing became of it
    note: str = ""  # why not all did
    is_successor: bool = False  # takes the place of an entry of core
    is_rival: bool = False  # may do so: core that holds one alone would tell what is over
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
        self.ids = iter(ids)
        self._all: dict[tuple[str, int], Fate] = {}

    def of(self, located: LocatedEntry) -> Fate:
        """The fate of an entry; ConflictError when it is not what was judged any more."""
        self.pages.require_changeable(located.path)
        page, entry = as_it_is(self.pages.page, located)
        if (entry.text, entry.fields) != (located.entry.text, located.entry.fields):
            raise ConflictError(
                f"{located.path}:{entry.line_start}: the entry changed meanwhile",
                "memwiki upkeep consolidate looks at it again",
            )
        fate = Fate(
            located.path, entry, entry, entry.line_start, is_hidden(page, entry), id=entry.id
        )
        return self._all.setdefault((fate.path, fate.line), fate)

    def is_item(self, fate: Fate) -> bool:
        """Whether an entry is a list item: what is a heading with prose stays where it is."""
        return is_item(self.pages.page(fate.path), fate.entry)

    def may_leave(self, fate: Fate) -> bool:
        """Whether it may leave its place, which a step of a numbered list does not."""
        line = self.pages.page(fate.path).lines[fate.line - 1]
        return self.is_item(fate) and (fate.is_day or not is_step(line))

    def hide(self, fate: Fate, target: EntryPage) -> None:
        """Let what is private where it stands say so where it goes, unless all is private there."""
        if not fate.is_hidden or is_private(fate.says.fields):
            return
        page = self.pages.page_for(target)
        if not is_private_spot(page, spot_of(page, fate.says.type, is_by_day=target.is_by_day)):
            fate.says = fate.says._replace(fields={**fate.says.fields, "private": "true"})

    def id_of(self, fate: Fate) -> str:
        """The id by which others name what an entry says."""
        if not fate.id:
            fate.id = free_id(self.ids, self.pages.page(fate.path))
        return fate.id

    # --- carrying out ---

    def carry_out(self) -> None:
        """Change the pages. What cannot be done leaves its entry as it was."""
        ordered = sorted(self._all.values(), key=lambda fate: (fate.path, -fate.line))
        for fate in ordered:
            if fate.way in (Way.STAY, Way.MOVE):
                self._try(fate, self._rewrite)
        for fate in ordered:
            if fate.way is Way.STRUCK and fate.is_done:
                self._try(fate, self._rewrite)
        self._place([fate for fate in ordered if fate.way in (Way.MOVE, Way.COPY)])
        for fate in ordered:
            if fate.way in (Way.MOVE, Way.GONE) and fate.is_done:
                self._try(fate, self._remove)
                if fate.way is Way.MOVE and fate.problem:
                    self._take_back(fate)
            elif fate.way in (Way.COPY, Way.MARKED) and fate.is_done:
                self._try(fate, self._mark)

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

    def _rewrite(self, fate: Fate, page: Outline) -> Outline:
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

    def _remove(self, fate: Fate, page: Outline) -> Outline:
        entry = _at(page, fate)
        known = fate.says._replace(id=fate.id) if fate.way is Way.MOVE else fate.entry
        if content_of(entry) != content_of(known):
            raise ConflictError(f"{fate.path}:{fate.line}: is another entry by now")
        return remove_entry(page, entry)

    def _mark(self, fate: Fate, page: Outline) -> Outline:
        """The line of a day names the entry that says what it said."""
        into = fate.into or fate
        changes: dict[str, str | None] = {PROMOTED_TO: into.id}
        if "status" in fate.entry.fields:
            changes["status"] = None
        return with_fields(page, _at(page, fate), changes)

    # --- places in core ---

    def _place(self, fates: Sequence[Fate]) -> None:
        """Write what is promoted below the headings of its types."""
        groups = grouped(
            ((fate.target, fate.says.type), fate)
            for fate in sorted(fates, key=lambda each: (each.path, each.line))
            if fate.target and not fate.problem
        )
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
        items = [
            self.pages.elsewhere(fate.path, target.path).text(self._item(fate, spot.type))
            for fate in group
        ]
        after = with_items(page, spot, "\n".join(items), self.pages.max_bytes)
        for fate in group:
            entry = with_id(after, fate.id)
            says = self.pages.elsewhere(fate.path, target.path).entry(fate.says)
            if entry is None or content_of(entry) != content_of(says._replace(id=fate.id)):
                where = f"{fate.path}:{fate.line}"
                raise ConflictError(f"{where}: would be read otherwise in {target.path}")
            there = self.pages.elsewhere(fate.path, target.path)
            fate.note = "; ".join(there.notes(fate.says.text))
        self.pages.put(after, "promoted")

    def _item(self, fate: Fate, type_above: str) -> str:
        """The lines of an entry as they are to stand in core."""
        page = self.pages.page(fate.path)
        if fate.way is Way.COPY:
            page = self._rewrite(fate, page)
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
