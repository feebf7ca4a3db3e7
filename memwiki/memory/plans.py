"""Verbs on one entry that is there: each a plan made from the bytes of its page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from posixpath import dirname, relpath
from textwrap import indent
from typing import NamedTuple

from memwiki.change.plan import Plan, edit_of
from memwiki.entry_fields import DATED, FIELDS, LEVELS, FieldKind, stored_names, unit_interval
from memwiki.errors import ConflictError, LineNotEditableError, NotFoundError, UsageError
from memwiki.index.cards.lookup import Lookup
from memwiki.index.find import meaning
from memwiki.markdown.describe import inner_path, is_in
from memwiki.markdown.edit.entries import EntrySpan, EntryText, item_of
from memwiki.markdown.entries import read_marks, type_of_trail
from memwiki.markdown.outline import Outline, outline_of
from memwiki.markdown.source import Patch
from memwiki.markdown.units import entries_of, entry_at, is_item
from memwiki.memory.addresses import as_it_is, current_entry, free_id, with_id
from memwiki.memory.draft import checked_key, date_of, field_value
from memwiki.memory.patches import (
    MAX_BYTES,
    about_to_leave,
    changed_here,
    content_of,
    is_hidden,
    item_lines,
    remove_entry,
    said_elsewhere,
    strike,
    taken_in,
    with_fields,
    with_tags_of,
    with_text,
    without_old_object,
)
from memwiki.memory.placement import EntryPage, is_private_spot, page_for, spot_of, with_items
from memwiki.memory.view import LocatedEntry, entry_name
from memwiki.names import fold, without_suffix
from memwiki.nouns import Entry, Layers, Link, LinkKind
from memwiki.numbers import number, share_of
from memwiki.pages.edit import ChangedLines
from memwiki.pages.elsewhere import Elsewhere
from memwiki.text import pattern

_INHERITED = tuple(row.stored for row in FIELDS if row.is_inherited)
_SHARES = stored_names(FieldKind.SHARE)
HARD_NOTE = (
    "usage forgot it; changes of its page before this cannot be undone; git may still have it"
)
_RELATED = pattern(r"\^?m-[A-Za-z0-9]+(?: [\d.]+)?\Z")
_TAG = pattern(r"(?<![^\s])#([^\s#]+)")


class PageBytes(NamedTuple):
    """How the pages of a workspace are read under the lock, and what is true there."""

    read: Callable[[str], bytes]
    layers: Layers
    day: str
    max_bytes: int
    exists: Callable[[str], bool] = lambda _: False

    def page(self, path: str) -> Outline:
        """A page as it is now."""
        return outline_of(path, self.read(path), self.layers)

    def elsewhere(self, path: str, new: str) -> Elsewhere:
        """How lines of one page are to stand on another."""
        return Elsewhere(self.layers, path, new, self.exists)


class EntryChange(NamedTuple):
    """What one call changes of an entry; None leaves the text as it is."""

    text: str | None
    fields: Mapping[str, str]  # "" removes one
    tags: Sequence[str] | None = None


def update_plan(known: LocatedEntry, change: EntryChange, pages: PageBytes) -> Plan:
    """A plan that gives an entry other words, tags or fields.

    Raises ConflictError where the entry is another one by now, LineNotEditableError where it would
    be read otherwise, and UsageError for a share that is out of range or a date that is none.
    """
    page, entry = as_it_is(pages.page, known)
    text = entry.text if change.text is None else with_tags_of(entry, change.text)
    if change.tags is not None:
        text = with_tags(text, change.tags)
        if set(map(fold, read_marks(text).tags)) != set(map(fold, change.tags)):
            raise LineNotEditableError(page.path, entry.line_start, "its tags cannot be changed")
    fields = without_old_object(entry, text, _checked(change.fields, pages.day))
    after = page
    if text != entry.text:
        after = with_text(page, entry, text)
        entry = _at(after, entry)
    if any(entry.fields.get(key) != value for key, value in fields.items()) or after is not page:
        after = with_fields(after, entry, {**fields, "updated": pages.day})
    return _plan("update", f"updated {entry_name(page.path, entry)} in {page.path}", (page, after))


def _checked(fields: Mapping[str, str], day: str) -> dict[str, str | None]:
    checked = {}
    for name, given in fields.items():
        key = checked_key(name)
        value = (
            date_of(key, given, datetime.fromisoformat(day)) if given and key in DATED else given
        )
        checked[key] = field_value(key, value) if value else None
        if value and key in _SHARES and fold(value) not in LEVELS:
            share = number(value)
            share_of(key, -1 if share is None else share)
    return checked


def with_tags(text: str, tags: Sequence[str]) -> str:
    """A text with these tags and no others: those inside a sentence become words."""
    wanted = {fold(tag): tag for tag in tags}
    present = {fold(tag) for tag in read_marks(text).tags}
    gone = present - wanted.keys()

    def kept(found: re.Match[str]) -> str:
        return found[1] if fold(found[1]) in gone else found[0]

    first, *rest = (_TAG.sub(kept, _without_last(line, gone)) for line in text.split("\n"))
    new = [f"#{tag}" for name, tag in wanted.items() if name not in present]
    return "\n".join([" ".join([first, *new]), *rest])


def _without_last(line: str, gone: set[str]) -> str:
    """A line without some of the tags that end it."""
    words, last = line.split(" "), list[str]()
    while len(words) > 1 and (not words[-1] or words[-1][0] == "#"):
        last += filter(lambda word: fold(word[1:]) not in gone, [words.pop()])
    return " ".join([*words, *reversed(last)])


def supersede_plan(
    known: LocatedEntry,
    text: str,
    ids: Sequence[str],
    pages: PageBytes,
    *,
    origin: str = "",
    gone: str = "",
) -> Plan:
    """A plan that strikes an entry out and writes the new one below it; its title names both.

    `ids` are two that no entry bears, and so is `gone`, by which it may have been superseded.
    Raises UsageError where the new words would be read otherwise, ConflictError where the entry is
    another one by now, or over.
    """
    page, entry = _in_force(known, pages, gone)
    free = iter(ids)
    old, new = entry.id or free_id(free, page), free_id(free, page)
    marks = read_marks(text)
    # What takes the place of a heading with its text stands under that of its type.
    known_fields = entry.fields if is_item(page, entry) else said_elsewhere(page, entry).fields
    fields = {key: known_fields[key] for key in _INHERITED if key in known_fields} | marks.fields
    if origin:
        fields["origin"] = origin
    fields |= {"created": pages.day, "supersedes": old}
    after = strike(page, entry, {"superseded_by": new, "valid_to": pages.day}, id_=old)
    above = _at(after, entry)
    words = with_tags_of(entry, marks.text)
    trail = tuple(above.section.split(" > ")) if above.section else ()
    usual = type_of_trail(trail) or after.entry_type  # of an entry there that says none
    type_ = marks.type or (entry.type if usual != entry.type else "")
    after = with_item_below(after, above, item_of(EntryText(words, type_, fields, new)))
    if (now := with_id(after, new)) is None or now.text != words:
        raise UsageError("text: would be read otherwise", "write it as one plain line")
    title = f"superseded {old} by {new} in {page.path}"
    return _plan("update", title, (page, after))


def _in_force(known: LocatedEntry, pages: PageBytes, gone: str = "") -> tuple[Outline, Entry]:
    """An entry in its page as it is. Ended twice, it would have two that hold in its place."""
    page, entry = as_it_is(pages.page, known)
    if (by := entry.fields.get("superseded_by", gone)) != gone:
        name = entry_name(page.path, entry)
        raise ConflictError(f"{name}: was superseded by {by}", "memwiki entry get {}", by)
    return page, entry


def succeed_plan(
    known: LocatedEntry, new: LocatedEntry, ids: Sequence[str], pages: PageBytes
) -> Plan:
    """A plan that strikes an entry out for one that is there, and says so of both; it held until
    that was said, if not before itself.

    `ids` are two that no entry bears. Raises UsageError where both are one, ConflictError where
    either is another one by now, or the first is over.
    """
    page, entry = _in_force(known, pages)
    other, successor = as_it_is(pages.page, new)
    if known.place == new.place:
        raise UsageError(f"{entry_name(page.path, entry)}: cannot supersede itself")
    free = (each for each in ids if f"^{each}" not in page.text)
    old, named = entry.id or free_id(free, other), successor.id or free_id(free, other)
    day = pages.day if new.day < known.day else new.day or pages.day
    after = strike(page, entry, {"superseded_by": named, "valid_to": day}, id_=old)
    if other.path == page.path:
        other = after
    successor = current_entry(other, new.entry)
    ended = ", ".join(filter(None, (successor.fields.get("supersedes"), old)))
    begun = with_fields(other, successor, {"supersedes": ended}, id_=named)
    title = f"superseded {old} by {named} in {page.path}"
    last = {page.path: after, other.path: begun}
    return _plan("update", title, *((pages.page(path), made) for path, made in last.items()))


def join_plan(
    known: Sequence[LocatedEntry], text: str, ids: Sequence[str], pages: PageBytes, *, origin: str
) -> Plan:
    """A plan that strikes entries out and writes what says all of them below the first, with the
    mean of their confidence.

    `ids` are more than twice as many as the entries, and no entry bears them. Raises what
    `supersede_plan` raises.
    """
    first, *others = known
    begun = supersede_plan(first, text, ids, pages, origin=origin)
    after = {first.path: outline_of(first.path, begun.edits[0].data or b"", pages.layers)}
    new = next(each for each in ids if f" by {each} in " in begun.title)
    old = list[str]()
    for other, id_ in zip(others, reversed(ids), strict=False):
        page = after.get(other.path) or pages.page(other.path)
        entry = current_entry(page, other.entry)
        old.append(entry.id or id_)
        changes = {"superseded_by": new, "valid_to": pages.day}
        after[other.path] = strike(page, entry, changes, id_=old[-1])
    page = after[first.path]
    if joined := with_id(page, new):
        changes = {"supersedes": ", ".join([joined.fields["supersedes"], *old])}
        if any(is_hidden(*as_it_is(pages.page, each)) for each in known):
            changes |= {} if is_hidden(page, joined) else {"private": "true"}
        said = [unit_interval(each.entry.fields.get("confidence", "")) for each in known]
        if all(said):
            changes["confidence"] = f"{round(sum(map(float, said)) / len(said), 3):g}"
        after[first.path] = with_fields(page, joined, changes)
    title = f"joined {len(known)} entries as {new} in {first.path}"
    return _plan("update", title, *((pages.page(path), page) for path, page in after.items()))


def retire_plan(known: LocatedEntry, pages: PageBytes) -> Plan:
    """A plan that strikes an entry out as what holds no longer; upkeep archives it."""
    page, entry = as_it_is(pages.page, known)
    after = strike(page, entry, {"valid_to": pages.day})
    title = f"retired {entry_name(page.path, entry)} in {page.path}"
    return _plan("update", title, (page, after))


def with_item_below(page: Outline, entry: Entry, item: str) -> Outline:
    """The page with an item right below an entry, or under its type where that is a section."""
    lines = EntrySpan(page, entry)
    if not lines.is_item:
        return with_items(page, spot_of(page, entry.type, is_by_day=False), item, MAX_BYTES)
    at = page.end_of(lines.stop - 1)
    # With another marker, or less far in, it would begin another list.
    sign = lines.marker.lstrip()
    before = lines.marker.removesuffix(sign) + " " * (len(sign) - len("- "))
    item = lines.marker + indent(item, before).removeprefix(f"{before}- ")
    stop = lines.stop + item.count("\n") + 1
    return changed_here(
        page, [Patch(at, at, f"\n{item}")], ChangedLines(lines.stop, lines.stop, stop)
    )


def delete_plan(known: LocatedEntry, pages: PageBytes, *, is_final: bool) -> Plan:
    """A plan that takes an entry out; `is_final` keeps nothing of its bytes to undo it."""
    page, entry = as_it_is(pages.page, known)
    after = remove_entry(page, entry)
    title = f"deleted {entry_name(page.path, entry)} from {page.path}"
    return _plan("delete", title, (page, after))._replace(is_final=is_final)


def relate_plan(
    one: LocatedEntry,
    other: LocatedEntry,
    word: str,
    weight: float | None,
    ids: Sequence[str],
    pages: PageBytes,
) -> Plan:
    """A plan that notes in one entry how it stands to another, which gets an id if it has none.

    `weight` is from 0 to 1, None for none. Raises UsageError where both are one, ConflictError
    where one of them is another one by now.
    """
    if one.place == other.place:
        what = f"{entry_name(one.path, one.entry)}: cannot be related to itself"
        raise UsageError(what, "name another entry")
    before = {path: pages.page(path) for path in dict.fromkeys([one.path, other.path])}
    entry, there = (
        current_entry(before[one.path], one.entry),
        current_entry(before[other.path], other.entry),
    )
    target = there.id or free_id(ids, before[other.path])
    others = [
        each for each in _related_ids(entry, word) if each.split(" ")[0].lstrip("^") != target
    ]
    named = target if weight is None else f"{target} {weight:g}"
    wanted = [(one.path, entry, {word: ", ".join([*others, named])}, "")]
    if not there.id:
        wanted.append((other.path, there, {}, target))
    after = dict(before)
    # From below: a line more would move what is below it.
    for path, each, fields, id_ in sorted(wanted, key=lambda row: -row[1].line_start):
        after[path] = with_fields(after[path], each, fields, id_=id_)
    title = f"related {entry_name(one.path, entry)} {word} {target}"
    return _plan("update", title, *((page, after[path]) for path, page in before.items()))


def unrelate_plan(one: LocatedEntry, other: LocatedEntry, word: str, pages: PageBytes) -> Plan:
    """A plan that takes relations of a type, or of any, from one entry to another.

    Raises NotFoundError where there is none.
    """
    page, entry = as_it_is(pages.page, one)
    changes: dict[str, str | None] = {}
    for field in [word] if word else list(entry.fields):
        related = _related_ids(entry, field)
        kept = [each for each in related if each.split(" ")[0].lstrip("^") != other.entry.id]
        if len(kept) < len(related):
            changes[field] = ", ".join(kept) or None
    name = entry_name(page.path, entry)
    if not (changes and other.entry.id):
        raise NotFoundError(
            f"{name}: has no such relation to {other.entry.id or 'that entry'}",
            "memwiki entry get ID shows the fields of an entry",
        )
    title = f"unrelated {name} and {other.entry.id}"
    return _plan("update", title, (page, with_fields(page, entry, changes)))


def _related_ids(entry: Entry, word: str) -> list[str]:
    value = entry.fields.get(word, "")
    found = [each.strip() for each in value.split(",") if each.strip()]
    return found if all(map(_RELATED.match, found)) else []


def _at(page: Outline, entry: Entry) -> Entry:
    return entry_at(page, entry.line_start) or entry


def _plan(op: str, title: str, *changed: tuple[Outline, Outline]) -> Plan:
    edits = tuple(
        edit_of(page.path, page.data, after.data, title)
        for page, after in changed
        if after.text != page.text
    )
    return Plan(edits, title if edits else "nothing to change", op, is_noted=False)


def linking_pages(known: LocatedEntry, lookup: Lookup, layers: Layers) -> list[str]:
    """The pages with a link that names an entry by its page and id."""
    ids = ids_of(known.entry)
    found = pages_naming([known.path], lookup, layers) if ids else {}
    return list(dict.fromkeys(source for id_ in ids for source in found.get(id_, ())))


def ids_of(entry: Entry) -> list[str]:
    """What links may call an entry by, folded."""
    return [fold(each) for each in (entry.id, entry.block) if each]


def pages_naming(
    paths: Iterable[str], lookup: Lookup, layers: Layers
) -> Mapping[str, Sequence[str]]:
    """By folded id of an entry of some pages, the pages with a link that names it by its page and
    id."""
    found: dict[str, dict[str, None]] = {}
    links: dict[str, list[Link]] = {}
    for path in paths:
        for source in lookup.linking(lookup.target_numbers(path)):
            if source not in links:
                links_of_page = (link for link in lookup.links_of(source) if link.written)
                links[source] = [link for link in links_of_page if link.block]
            for link in links[source]:
                if meaning(lookup, layers, source, link) == path:
                    found.setdefault(fold(link.block), {})[source] = None
    return {id_: list(sources) for id_, sources in found.items()}


def move_plan(
    known: LocatedEntry,
    target: EntryPage,
    data: bytes | None,
    sources: Sequence[str],
    pages: PageBytes,
) -> Plan:
    """A plan that takes an entry out of its page and writes it under the heading of its type,
    staged no longer outside the inbox; `data` is the page it goes to, and `sources` are the pages
    that name it by its page.

    Raises UsageError for the page it is on, LineNotEditableError where it would be read otherwise.
    """
    if target.path == known.path:
        raise UsageError(f"{target.path}: the entry is there already", "name another page")
    page, entry = as_it_is(pages.page, known)
    there = page_for(target, data, pages.day, pages.layers, pages.max_bytes)
    spot = spot_of(there, entry.type, is_by_day=target.is_by_day)
    leaving, entry = (page, entry) if is_private_spot(there, spot) else about_to_leave(page, entry)
    if not is_in(inner_path(there.path, pages.layers), pages.layers.inbox):
        leaving, entry = taken_in(leaving, entry)
    at = pages.elsewhere(page.path, there.path)
    item, says = _item(leaving, entry, spot.type), at.entry(entry)
    after = with_items(there, spot, at.text(item), pages.max_bytes)
    here, moved = ([content_of(e) for e in entries_of(p).entries] for p in (there, after))
    if moved.count(content_of(says)) != here.count(content_of(says)) + 1:
        what = "the entry cannot be moved: it would be read otherwise there"
        raise LineNotEditableError(page.path, entry.line_start, what)
    changed = {page.path: (page, remove_entry(leaving, entry)), there.path: (there, after)}
    for source in sources:
        before, now = changed.get(source) or (pages.page(source),) * 2
        patches = list(renamed_links(now, dict.fromkeys(ids_of(entry), there.path)))
        changed[source] = before, now.edited(patches) if patches else now
    based_on = {path: before.data for path, (before, _) in changed.items()} | {there.path: data}
    edits = tuple(
        edit_of(path, based_on[path], after.data, "entry moved")
        for path, (_, after) in changed.items()
        if based_on[path] != after.data
    )
    what = entry_name(known.path, entry)
    return Plan(edits, f"moved {what} to {there.path}", "move", is_noted=False)


def _item(page: Outline, entry: Entry, type_above: str) -> str:
    """The lines of an entry as they are written; its type where the new heading says another."""
    lines = item_lines(page, entry, "move its lines in an editor")
    return lines.typed(entry.type) if entry.type != type_above else lines.text


def renamed_links(page: Outline, moved: Mapping[str, str]) -> Iterator[Patch]:
    """Links to entries that name their pages, with the name of the new page of each folded id."""
    found = page.found
    for link, (start, end) in zip(found.links, found.targets, strict=True):
        new = moved.get(fold(link.block), "")
        if not (new and link.written):
            continue
        at = page.offset(*page.masked.place(start))
        is_path = link.kind in (LinkKind.MARKDOWN, LinkKind.IMAGE)
        name = relpath(new, dirname(page.path)) if is_path else without_suffix(new)
        yield Patch(at, at + end - start, f"{name}#^{link.block}")
