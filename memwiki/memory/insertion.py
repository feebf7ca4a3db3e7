"""Drafts into the pages of their entries: one plan for all of one call, made under the lock."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from memwiki.change.plan import Plan, edit_of
from memwiki.dates import iso_date
from memwiki.entry_fields import FIELDS, Merge, OnNear, unit_interval
from memwiki.errors import AlreadyExistsError, UsageError
from memwiki.facts.identity import identity
from memwiki.markdown.edit.entries import item_of
from memwiki.markdown.outline import Outline, Outlines
from memwiki.markdown.units import entry_at
from memwiki.memory.addresses import (
    PageEntries,
    as_it_is,
    current_entry,
    day_if_event,
    free_id,
    new_entry,
    of_one_name,
)
from memwiki.memory.draft import AddOptions, EntryDraft
from memwiki.memory.patches import strike, with_fields, with_tags_of, with_text, without_old_object
from memwiki.memory.placement import EntryPage, page_for, spot_of, with_items
from memwiki.memory.view import LocatedEntry
from memwiki.names import fold
from memwiki.nouns import Entry, Layers
from memwiki.numbers import counted

_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"
_LENGTH = 6


class NearDuplicate(NamedTuple):
    """An entry that is like a draft, and how much; the same when nothing in it differs."""

    known: LocatedEntry
    similarity: float
    is_same: bool
    is_by_meaning: bool = False  # alone: told, and no reason to change anything


class ConflictingEntry(NamedTuple):
    """An entry that a draft may contradict."""

    known: LocatedEntry
    score: float
    reasons: tuple[str, ...]
    is_superseded: bool
    is_due: bool = False  # the draft plainly ends it, and may not
    is_later: bool = False  # it was said after the draft, and ends it


class RivalDraft(NamedTuple):
    """A draft before this one in the same call that says another value of the same thing."""

    draft: EntryDraft
    path: str
    score: float
    reasons: tuple[str, ...]
    is_over: bool  # the later one of the two plainly ends the other


class JudgedDraft(NamedTuple):
    """A draft, where it goes, and what the index knows about it."""

    draft: EntryDraft
    target: EntryPage
    near: tuple[NearDuplicate, ...] = ()
    conflicts: tuple[ConflictingEntry, ...] = ()
    keyed: tuple[LocatedEntry, ...] = ()  # entries with the same key
    rivals: tuple[RivalDraft, ...] = ()


class InsertionSettings(NamedTuple):
    """What holds for all drafts of one call."""

    options: AddOptions
    layers: Layers
    day: str
    max_bytes: int
    max_tags: int
    ids: Sequence[str]  # that no entry bears, more than are needed
    outlines: Outlines  # of the pages before and after


class DraftOutcome(NamedTuple):
    """What became of one draft: the id of its entry and the page that it is in."""

    path: str
    id: str
    line: int  # of one that was there without an id
    what: str  # added, repeated or replaced


class DraftClash(NamedTuple):
    """What became of two drafts of one call that say another value of the same thing."""

    earlier: DraftOutcome
    later: str  # the id of its entry
    rival: RivalDraft
    is_ended: bool


class InsertionPlan(NamedTuple):
    """The plan, and what becomes of each draft."""

    plan: Plan
    written: tuple[DraftOutcome, ...]
    pages: Mapping[str, Outline]
    made: tuple[str, ...]  # pages that were not there before
    clashes: tuple[DraftClash, ...] = ()


class Insertion:
    """The drafts of one call on their way into their pages; what is read is read under the lock."""

    def __init__(
        self,
        judged: Sequence[JudgedDraft],
        setting: InsertionSettings,
        read: Callable[[str], bytes | None],
    ) -> None:
        self._judged, self._setting, self._read = judged, setting, read
        self._ids = iter(setting.ids)
        self._before: dict[str, bytes | None] = {}
        self._pages: dict[str, Outline] = {}
        self._filled: set[str] = set()  # pages that take new entries
        self._known: dict[str, PageEntries | None] = {}
        self._waiting: dict[tuple[str, str], list[_PendingItem]] = {}
        self._new: dict[tuple[str, str], _PendingItem] = {}
        self._ended: set[tuple[str, int]] = set()  # entries that drafts of this call ended
        self._clashes: list[DraftClash] = []

    def plan(self) -> InsertionPlan:
        """What the pages become, made from their bytes as they are now."""
        written = [self._one(each) for each in self._judged]
        for (path, type_), items in self._waiting.items():
            if items:
                self._insert(path, type_, items)
        for page in self._pages.values():
            self._setting.outlines.keep(page)
        empty = [
            path for path in self._pages if self._before[path] is None and path not in self._filled
        ]
        for path in empty:  # all that was for it stands on other pages
            del self._pages[path], self._before[path]
        edits = tuple(
            edit_of(path, self._before[path], page.data, "entries")
            for path, page in self._pages.items()
            if self._before[path] != page.data
        )
        is_merge = self._setting.options.on_near is OnNear.MERGE
        is_noted = len(written) > 1 or (is_merge and written[0].what == "replaced")
        plan = Plan(edits, _title(written), "add", is_noted=is_noted)
        made = tuple(path for path, before in self._before.items() if before is None)
        return InsertionPlan(plan, tuple(written), self._pages, made, tuple(self._clashes))

    def _one(self, judged: JudgedDraft) -> DraftOutcome:
        draft = judged.draft
        page = self._page(judged.target.path, judged.target)
        if draft.key and (keyed := self._by_key(judged, page)):
            return keyed
        same = self._known_in(page).same(draft.text, happened=day_if_event(draft))
        if same and same.fields.get("key", "") == draft.key:
            return DraftOutcome(page.path, same.id, same.line_start, "repeated")
        if twin := self._new.get((page.path, _sameness(draft))):
            return DraftOutcome(page.path, twin.id, 0, "repeated")
        in_force = (each for each in judged.near if each.known.place not in self._ended)
        near = next((each for each in in_force if _is_repeated(each, judged.target)), None)
        options = self._setting.options
        on_near = options.on_near if options.may_end(draft) else OnNear.REPORT
        if near and on_near in (OnNear.REPLACE, OnNear.MERGE):
            is_merged = on_near is OnNear.MERGE
            return self._take_place(judged, near.known, page.path, is_merged=is_merged)
        if near and near.is_same and on_near in (OnNear.REPORT, OnNear.ASK):
            entry = as_it_is(self._page, near.known)[1]
            return DraftOutcome(near.known.path, entry.id, entry.line_start, "repeated")
        return self._add(judged, page)

    def _add(self, judged: JudgedDraft, page: Outline) -> DraftOutcome:
        if later := next((each.known for each in judged.conflicts if each.is_later), None):
            judged = self._as_past(judged, later)
            page = self._page(page.path)
        rivals = self._rivals(judged)
        may_end = self._setting.options.may_end(judged.draft)
        for rival, pending in rivals if may_end else ():
            if rival.is_over and is_before(judged.draft, pending.draft):
                judged = _ended(judged, pending.id, day_said(pending.draft))
        if "superseded_by" in judged.draft.fields and (told := self._told_before(judged, page)):
            return told
        own = judged.draft._replace(fields=dict(judged.draft.fields))
        waiting = _PendingItem(own, judged.target, free_id(self._ids, page))
        for each in judged.conflicts:
            if each.is_superseded and each.known.place not in self._ended:
                self._supersede(each.known, waiting)
        for rival, pending in rivals if "superseded_by" not in own.fields else ():
            self._succeed(rival, pending, waiting, is_ended=rival.is_over and may_end)
        self._waiting.setdefault((page.path, judged.draft.type), []).append(waiting)
        self._new[page.path, _sameness(judged.draft)] = waiting
        if judged.draft.key:
            self._new[page.path, f"key:{judged.draft.key}"] = waiting
        return DraftOutcome(page.path, waiting.id, 0, "added")

    def _by_key(self, judged: JudgedDraft, page: Outline) -> DraftOutcome | None:
        """What becomes of a draft whose key an entry has, or one that is to be added."""
        draft = judged.draft
        if existing := self._keyed(judged, page):
            return self._take_place(judged, existing, page.path)
        twin = self._new.get((page.path, f"key:{draft.key}"))
        if twin and is_before(draft, twin.draft):
            return self._add(_ended(judged, twin.id, day_said(twin.draft)), page)
        return self._restate(twin, draft, page.path) if twin else None

    def _restate(self, twin: _PendingItem, draft: EntryDraft, path: str) -> DraftOutcome:
        """Of two drafts with one key the later one is written, under the id of the first."""
        self._waiting[path, twin.draft.type].remove(twin)
        waiting = twin._replace(draft=draft._replace(fields=dict(draft.fields)))
        self._waiting.setdefault((path, draft.type), []).append(waiting)
        self._new[path, f"key:{draft.key}"] = waiting
        return DraftOutcome(path, waiting.id, 0, "replaced")

    def _rivals(self, judged: JudgedDraft) -> list[tuple[RivalDraft, _PendingItem]]:
        """Those of a draft that are to be written, each once, and hold still."""
        found = dict[str, tuple[RivalDraft, _PendingItem]]()
        for each in judged.rivals:
            pending = self._new.get((each.path, _sameness(each.draft)))
            if pending and "superseded_by" not in pending.draft.fields:
                found[pending.id] = each, pending
        return list(found.values())

    def _succeed(
        self, rival: RivalDraft, pending: _PendingItem, by: _PendingItem, *, is_ended: bool
    ) -> None:
        """Let a draft of this call be ended by a later one, or be told as what may be."""
        id_, fields = pending.id, pending.draft.fields
        self._clashes.append(
            DraftClash(DraftOutcome(rival.path, id_, 0, ""), by.id, rival, is_ended)
        )
        if is_ended:
            fields |= {"superseded_by": by.id, "valid_to": day_said(by.draft) or self._setting.day}
            by.draft.fields["supersedes"] = _join_ids(by.draft.fields.get("supersedes"), id_)
            del self._new[rival.path, _sameness(pending.draft)]

    def _supersede(self, known: LocatedEntry, by: _PendingItem) -> None:
        self._ended.add(known.place)
        page, entry = as_it_is(self._page, known)
        old = entry.id or free_id(self._ids, page)
        changes = {"superseded_by": by.id, "valid_to": day_said(by.draft) or self._setting.day}
        self._change(known.path, strike(page, entry, changes, id_=old))
        by.draft.fields["supersedes"] = _join_ids(by.draft.fields.get("supersedes"), old)

    def _take_place(
        self, judged: JudgedDraft, known: LocatedEntry, path: str, *, is_merged: bool = False
    ) -> DraftOutcome:
        """What becomes of a draft in the place of an entry: what was said before that is added as
        past."""
        if is_merged or not is_said_before(judged.draft, known):
            return self._replace(known, judged.draft, is_merged=is_merged)
        past = self._as_past(judged, known)
        return self._add(past, self._page(path))

    def _as_past(self, judged: JudgedDraft, later: LocatedEntry) -> JudgedDraft:
        """A draft as what held before an entry said otherwise; that one gets an id if it has
        none."""
        page, entry = as_it_is(self._page, later)
        id_ = entry.id or free_id(self._ids, page)
        if not entry.id:
            self._change(later.path, with_fields(page, entry, {}, id_=id_))
        return _ended(judged, id_, later.day)

    def _told_before(self, judged: JudgedDraft, page: Outline) -> DraftOutcome | None:
        """The same of the same day, that an entry has ended already."""
        draft = judged.draft
        if twin := self._new.get((page.path, _sameness(draft))):
            return DraftOutcome(page.path, twin.id, 0, "repeated")
        known = self._known_in(page).same(draft.text, day_said(draft))
        return DraftOutcome(page.path, known.id, known.line_start, "repeated") if known else None

    def _keyed(self, judged: JudgedDraft, page: Outline) -> LocatedEntry | None:
        """The entry with the key of a draft, in its page or where the index knows one."""
        key = judged.draft.key
        here = self._known_in(page).with_key(key)
        found = [LocatedEntry(page.path, page.type, each) for each in here]
        found += [each for each in judged.keyed if each.path != page.path]
        options, is_known = self._setting.options, (page.path, f"key:{key}") in self._new
        if (found or is_known) and (options.is_key_new or not options.may_end(judged.draft)):
            raise AlreadyExistsError(
                f"{key}: an entry has this key already", "memwiki entry get {}", key
            )
        if len(found) > 1:
            raise of_one_name(key, found, "delete all but one by path and line, as in memory.md:12")
        return next(iter(found), None)

    def _replace(
        self, known: LocatedEntry, draft: EntryDraft, *, is_merged: bool = False
    ) -> DraftOutcome:
        page, entry = as_it_is(self._page, known)
        if is_merged:
            both = merge_entries(
                entry, draft.text, draft.tags, draft.fields, max_tags=self._setting.max_tags
            )
            text, changes = both.text, dict(both.changes)
        else:
            text = with_tags_of(entry, draft.text)
            given = {k: v for k, v in draft.fields.items() if k not in ("created", "key")}
            changes = without_old_object(entry, text, given)
        if text == entry.text and all(entry.fields.get(k) == v for k, v in changes.items()):
            return DraftOutcome(page.path, entry.id, entry.line_start, "repeated")
        is_past = is_said_before(draft, known)  # merged with what was said after it
        changes["updated"] = (not is_past and day_said(draft)) or self._setting.day
        page = with_text(page, entry, text)
        entry = current_entry(page, entry._replace(text=text))
        page = with_fields(page, entry, changes, id_=entry.id or free_id(self._ids, page))
        self._change(known.path, page)
        now = entry_at(page, entry.line_start) or entry
        return DraftOutcome(page.path, now.id, now.line_start, "replaced")

    # --- pages ---

    def _insert(self, path: str, type_: str, items: Sequence[_PendingItem]) -> None:
        page = self._pages[path]
        spot = spot_of(page, type_, is_by_day=items[0].target.is_by_day)
        lines = [item_of(each.draft.written(each.id, type_above=spot.type)) for each in items]
        after = with_items(page, spot, "\n".join(lines), self._setting.max_bytes)
        for each in items:
            entry = new_entry(after, each.id)
            if entry is None or not _says(entry, each.draft):
                raise UsageError(
                    f"text: {each.draft.text[:40]!r} would be read otherwise than it is given",
                    "write it as one plain line",
                )
        self._pages[path] = after
        self._filled.add(path)

    def _page(self, path: str, target: EntryPage | None = None) -> Outline:
        page = self._pages.get(path)
        if page is None:
            self._before[path] = data = self._read(path)
            setting = self._setting
            page = self._pages[path] = page_for(
                target or EntryPage(path),
                data,
                setting.day,
                setting.layers,
                setting.max_bytes,
                setting.outlines,
            )
        return page

    def _change(self, path: str, page: Outline) -> None:
        self._pages[path] = page
        self._known[path] = None

    def _known_in(self, page: Outline) -> PageEntries:
        known = self._known.get(page.path)
        if known is None:
            # All are read once at most: a page that changed in between is searched.
            wanted = 1 if page.path in self._known else len(self._judged)
            known = self._known[page.path] = PageEntries(page, wanted)
        return known


def _sameness(draft: EntryDraft) -> str:
    """What two drafts share that say the same; events of two days do not."""
    return f"{day_if_event(draft)} {identity(draft.text)}"


def _is_repeated(near: NearDuplicate, target: EntryPage) -> bool:
    """Whether a draft may be what an entry says already: on another day it is not."""
    return not (near.is_by_meaning or (target.is_by_day and near.known.path != target.path))


def day_said(draft: EntryDraft) -> str:
    """The day on which a draft was said, if it is given; ISO 8601."""
    at = draft.asked.at
    return iso_date(draft.fields.get("created", ""))[:10] or (at.date().isoformat() if at else "")


def is_before(draft: EntryDraft, other: EntryDraft) -> bool:
    """Whether a draft was said on a day before that of another one."""
    return "" < day_said(draft) < day_said(other)


def _join_ids(ids: str | None, id_: str) -> str:
    return f"{ids}, {id_}" if ids else id_


def is_said_before(draft: EntryDraft, known: LocatedEntry) -> bool:
    """Whether a draft tells of a day before that of an entry. What is said now is not: clocks and
    time zones differ."""
    is_told = draft.asked.at is not None or "created" in draft.asked.fields
    return is_told and "" < day_said(draft) < known.day


def _ended(judged: JudgedDraft, by: str, day: str) -> JudgedDraft:
    """A draft that an entry ended before it was written; what has a later value has no key."""
    fields = {name: value for name, value in judged.draft.fields.items() if name != "key"}
    fields |= {"superseded_by": by, "valid_to": day}
    draft = judged.draft._replace(key="", fields=fields)
    return judged._replace(draft=draft, conflicts=())


def _says(entry: Entry, draft: EntryDraft) -> bool:
    """Whether an entry reads as it was given."""
    return (
        (entry.text, entry.type) == (draft.text, draft.type or entry.type)
        and draft.fields.items() <= entry.fields.items()
        and entry.is_superseded == ("superseded_by" in draft.fields)
    )


class _PendingItem(NamedTuple):
    """A draft that is written when all drafts of its kind are known."""

    draft: EntryDraft
    target: EntryPage
    id: str


def _title(written: Sequence[DraftOutcome]) -> str:
    """What the change is called."""
    if len(written) == 1:
        path, id_, line, what = written[0]
        return f"{what} {id_ or f'line {line}'} {'to' if what == 'added' else 'in'} {path}"
    parts = [
        f"{what} {counted(count, 'entry', 'entries')}"
        for what in ("added", "replaced", "repeated")
        if (count := sum(each.what == what for each in written))
    ]
    return ", ".join(parts)


def random_ids(is_taken: Callable[[str], bool]) -> Iterator[str]:
    """Ids that no entry bears that the index knows, without end."""
    while True:
        id_ = "m-" + "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
        if not is_taken(id_):
            yield id_


class MergedEntry(NamedTuple):
    """What an entry becomes when another one is merged into it."""

    text: str
    changes: Mapping[str, str | None]  # of its fields


def merge_entries(
    known: Entry, text: str, tags: tuple[str, ...], fields: Mapping[str, str], *, max_tags: int
) -> MergedEntry:
    """The fuller text, at most `max_tags` tags, the earliest `created`, the higher importance,
    the mean confidence (both from 0 to 1), and every field that only one of them has."""
    is_fuller = len(identity(text)) > len(identity(known.text))
    words, others = (text, known.tags) if is_fuller else (known.text, tags)
    own = tags if is_fuller else known.tags
    own_tags = {fold(tag) for tag in own}
    more = [tag for tag in others if fold(tag) not in own_tags][: max(0, max_tags - len(own_tags))]
    first, *rest = words.split("\n")
    joined = "\n".join([" ".join([first, *(f"#{tag}" for tag in more)]), *rest])
    return MergedEntry(joined, _changes(known.fields, fields))


def _changes(known: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str | None]:
    changes: dict[str, str | None] = {
        name: value for name, value in new.items() if name not in known and "\n" not in value
    }
    for name, choose in _CHOICES.items():
        if known.get(name) and new.get(name) and (value := choose(known[name], new[name])):
            changes[name] = value
    return {name: value for name, value in changes.items() if known.get(name) != value}


def _number(choose: Callable[[list[float]], float], one: str, other: str) -> str:
    numbers = [unit_interval(each) for each in (one, other)]
    return f"{choose(list(map(float, numbers))):g}" if all(numbers) else one


_RULES: Mapping[Merge, Callable[[list[float]], float]] = {
    Merge.HIGHER: max,
    Merge.MEAN: lambda numbers: round(sum(numbers) / len(numbers), 3),
}
_CHOICES: Mapping[str, Callable[[str, str], str]] = {
    "created": min,
    **{row.stored: partial(_number, _RULES[row.merge]) for row in FIELDS if row.merge in _RULES},
}
