"""Adding entries: one plan for all that one call adds, made under the lock."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from memwiki.change.plan import Edit, Plan
from memwiki.digest import digest_if_any
from memwiki.entry_fields import OnNear
from memwiki.errors import AlreadyExistsError, UsageError, shell_word
from memwiki.markdown.edit.entries import item_of
from memwiki.markdown.outline import Outline
from memwiki.markdown.page_entries import entry_at
from memwiki.memory.changing import struck, with_fields, with_tags_of, with_text
from memwiki.memory.draft import EntryDraft
from memwiki.memory.finding import again, with_id
from memwiki.memory.judgement.fact import identity
from memwiki.memory.known import KnownEntries
from memwiki.memory.merging import merged
from memwiki.memory.placing import Target, page_for, spot_of, with_items
from memwiki.memory.request import AddOptions
from memwiki.memory.view import Located
from memwiki.model import Entry, Layers
from memwiki.numbers import counted

_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"
_LENGTH = 6


class Near(NamedTuple):
    """An entry that is like a draft, and how much; the same when nothing in it differs."""

    known: Located
    similarity: float
    is_same: bool


class Contradicted(NamedTuple):
    """An entry that a draft may contradict."""

    known: Located
    score: float
    reasons: tuple[str, ...]
    is_superseded: bool


class Judged(NamedTuple):
    """A draft, where it goes, and what the index knows about it."""

    draft: EntryDraft
    target: Target
    near: tuple[Near, ...] = ()
    conflicts: tuple[Contradicted, ...] = ()
    keyed: tuple[Located, ...] = ()  # entries with the same key


class AddSetting(NamedTuple):
    """What holds for all drafts of one call."""

    options: AddOptions
    layers: Layers
    day: str
    max_bytes: int
    max_tags: int
    ids: Sequence[str]  # that no entry bears, more than are needed


class Written(NamedTuple):
    """What became of one draft: the id of its entry and the page that it is in."""

    path: str
    id: str
    line: int  # of one that was there without an id
    what: str  # added, repeated or replaced


class AddedAll(NamedTuple):
    """The plan, and what becomes of each draft."""

    plan: Plan
    written: tuple[Written, ...]
    pages: Mapping[str, Outline]
    made: tuple[str, ...]  # pages that were not there before


class Adding:
    """The drafts of one call on their way into their pages; what is read is read under the lock."""

    def __init__(
        self, judged: Sequence[Judged], setting: AddSetting, read: Callable[[str], bytes | None]
    ) -> None:
        self._judged, self._setting, self._read = judged, setting, read
        self._ids = iter(setting.ids)
        self._before: dict[str, bytes | None] = {}
        self._pages: dict[str, Outline] = {}
        self._known: dict[str, KnownEntries | None] = {}
        self._waiting: dict[tuple[str, str], list[_Waiting]] = {}
        self._new: dict[tuple[str, str], _Waiting] = {}

    def plan(self) -> AddedAll:
        """What the pages become, made from their bytes as they are now."""
        written = [self._one(each) for each in self._judged]
        for (path, type_), items in self._waiting.items():
            if items:
                self._insert(path, type_, items)
        edits = tuple(
            Edit(path, digest_if_any(self._before[path]), page.data, "entries", self._before[path])
            for path, page in self._pages.items()
            if self._before[path] != page.data
        )
        is_merge = self._setting.options.on_near is OnNear.MERGE
        is_noted = len(written) > 1 or (is_merge and written[0].what == "replaced")
        plan = Plan(edits, _title(written), "add", is_noted=is_noted)
        made = tuple(path for path, before in self._before.items() if before is None)
        return AddedAll(plan, tuple(written), self._pages, made)

    def _one(self, judged: Judged) -> Written:
        draft = judged.draft
        page = self._page(judged.target.path, judged.target)
        if draft.key and (keyed := self._by_key(judged, page)):
            return keyed
        same = self._known_in(page).same(draft.text)
        if same and same.fields.get("key", "") == draft.key:
            return Written(page.path, same.id, same.line_start, "repeated")
        if twin := self._new.get((page.path, identity(draft.text))):
            return Written(page.path, twin.id, 0, "repeated")
        near = judged.near[0] if judged.near else None
        on_near = self._setting.options.on_near
        if near and on_near in (OnNear.REPLACE, OnNear.MERGE):
            return self._replace(near.known, draft, is_merged=on_near is OnNear.MERGE)
        if near and near.is_same and on_near is OnNear.REPORT:
            entry = near.known.entry
            return Written(near.known.path, entry.id, entry.line_start, "repeated")
        return self._add(judged, page)

    def _add(self, judged: Judged, page: Outline) -> Written:
        own = judged.draft._replace(fields=dict(judged.draft.fields))
        waiting = _Waiting(own, judged.target, self._draw(page))
        for each in judged.conflicts:
            if each.is_superseded:
                self._supersede(each.known, waiting)
        self._waiting.setdefault((page.path, judged.draft.type), []).append(waiting)
        self._new[page.path, identity(judged.draft.text)] = waiting
        if judged.draft.key:
            self._new[page.path, f"key:{judged.draft.key}"] = waiting
        return Written(page.path, waiting.id, 0, "added")

    def _by_key(self, judged: Judged, page: Outline) -> Written | None:
        """What becomes of a draft whose key an entry has, or one that is to be added."""
        draft = judged.draft
        if existing := self._keyed(judged, page):
            return self._replace(existing, draft)
        twin = self._new.get((page.path, f"key:{draft.key}"))
        return self._restate(twin, draft, page.path) if twin else None

    def _restate(self, twin: _Waiting, draft: EntryDraft, path: str) -> Written:
        """Of two drafts with one key the later one is written, under the id of the first."""
        self._waiting[path, twin.draft.type].remove(twin)
        waiting = twin._replace(draft=draft._replace(fields=dict(draft.fields)))
        self._waiting.setdefault((path, draft.type), []).append(waiting)
        self._new[path, f"key:{draft.key}"] = waiting
        return Written(path, waiting.id, 0, "replaced")

    def _supersede(self, known: Located, by: _Waiting) -> None:
        page = self._page(known.path)
        entry = again(page, known.entry)
        old = entry.id or self._draw(page)
        changes = {"superseded_by": by.id, "valid_to": self._setting.day}
        self._change(known.path, struck(page, entry, changes, id_=old))
        existing = by.draft.fields.get("supersedes")
        by.draft.fields["supersedes"] = f"{existing}, {old}" if existing else old

    def _keyed(self, judged: Judged, page: Outline) -> Located | None:
        """The entry with the key of a draft, in its page or where the index knows one."""
        key = judged.draft.key
        here = self._known_in(page).with_key(key)
        found = Located(page.path, page.type, here) if here else None
        found = found or next(iter(judged.keyed), None)
        if self._setting.options.is_key_new and (found or (page.path, f"key:{key}") in self._new):
            raise AlreadyExistsError(
                f"{key}: an entry has this key already", hint=f"memwiki entry get {shell_word(key)}"
            )
        return found

    def _replace(self, known: Located, draft: EntryDraft, *, is_merged: bool = False) -> Written:
        page = self._page(known.path)
        entry = again(page, known.entry)
        if is_merged:
            both = merged(
                entry, draft.text, draft.tags, draft.fields, max_tags=self._setting.max_tags
            )
            text, changes = both.text, dict(both.changes)
        else:
            text = with_tags_of(entry, draft.text)
            changes = {k: v for k, v in draft.fields.items() if k not in ("created", "key")}
        if text == entry.text and all(entry.fields.get(k) == v for k, v in changes.items()):
            return Written(page.path, entry.id, entry.line_start, "repeated")
        changes["updated"] = self._setting.day
        page = with_text(page, entry, text)
        entry = again(page, entry._replace(text=text))
        page = with_fields(page, entry, changes, id_=entry.id or self._draw(page))
        self._change(known.path, page)
        now = entry_at(page, entry.line_start) or entry
        return Written(page.path, now.id, now.line_start, "replaced")

    # --- pages ---

    def _insert(self, path: str, type_: str, items: Sequence[_Waiting]) -> None:
        page = self._pages[path]
        spot = spot_of(page, type_, is_by_day=items[0].target.is_by_day)
        lines = [item_of(each.draft.written(each.id, type_above=spot.type)) for each in items]
        after = with_items(page, spot, "\n".join(lines), self._setting.max_bytes).page
        for each in items:
            entry = with_id(after, each.id)
            if entry is None or not _says(entry, each.draft):
                raise UsageError(
                    f"text: {each.draft.text[:40]!r} would be read otherwise than it is given",
                    hint="write it as one plain line",
                )
        self._pages[path] = after

    def _page(self, path: str, target: Target | None = None) -> Outline:
        page = self._pages.get(path)
        if page is None:
            self._before[path] = data = self._read(path)
            setting = self._setting
            page = self._pages[path] = page_for(
                target or Target(path), data, setting.day, setting.layers, setting.max_bytes
            )
        return page

    def _change(self, path: str, page: Outline) -> None:
        self._pages[path] = page
        self._known[path] = None

    def _known_in(self, page: Outline) -> KnownEntries:
        known = self._known.get(page.path)
        if known is None:
            # All are read once at most: a page that changed in between is searched.
            wanted = 1 if page.path in self._known else len(self._judged)
            known = self._known[page.path] = KnownEntries(page, wanted)
        return known

    def _draw(self, page: Outline) -> str:
        """An id that no entry bears."""
        return next(each for each in self._ids if f"^{each}" not in page.text)


def _says(entry: Entry, draft: EntryDraft) -> bool:
    """Whether an entry reads as it was given."""
    return (
        (entry.text, entry.type) == (draft.text, draft.type or entry.type)
        and draft.fields.items() <= entry.fields.items()
        and entry.is_superseded == ("superseded_by" in draft.fields)
    )


class _Waiting(NamedTuple):
    """A draft that is written when all drafts of its kind are known."""

    draft: EntryDraft
    target: Target
    id: str


def _title(written: Sequence[Written]) -> str:
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


def drawn_ids(is_taken: Callable[[str], bool]) -> Iterator[str]:
    """Ids that no entry bears that the index knows, without end."""
    while True:
        id_ = "m-" + "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
        if not is_taken(id_):
            yield id_
