"""The verb that adds entries: drafts made, judged by the index, planned under the lock."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from functools import partial
from itertools import chain
from typing import NamedTuple, TypeAlias

from memwiki.answers.curation import AddReport
from memwiki.answers.entries import EntryConflict, EntryView, NearEntry
from memwiki.answers.pages import Edited
from memwiki.clock import local_day, local_moment
from memwiki.entry_fields import OnNear
from memwiki.errors import UsageError
from memwiki.files.paths import as_there, contain, real_path
from memwiki.files.read import exists
from memwiki.index.cards.entries import EntryCards
from memwiki.index.names import NameKind
from memwiki.markdown.entries import BUILT_IN, type_of_heading
from memwiki.markdown.outline import Outlines
from memwiki.markdown.units import entry_at
from memwiki.memory.addresses import new_entry, with_id
from memwiki.memory.draft import TARGETS, AddOptions, AddRequest, EntryDraft, draft_of, each_told
from memwiki.memory.insertion import (
    ConflictingEntry,
    DraftOutcome,
    Insertion,
    InsertionPlan,
    InsertionSettings,
    JudgedDraft,
    RivalDraft,
)
from memwiki.memory.known_facts import KnownFacts, free_ids, judge_drafts
from memwiki.memory.placement import EntryPage, entry_page_of
from memwiki.memory.view import LocatedEntry, Views, views_of
from memwiki.names import fold, is_page_name, stem_of
from memwiki.pages.new import PageRequest, aim
from memwiki.pages.page import (
    require_editable,
    require_findable,
    require_free,
    require_linkable,
    require_parsed,
)
from memwiki.pages.tags import TagsInUse, tags_of
from memwiki.secrets import secrets_in
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading

ReadBytes: TypeAlias = Callable[[str], bytes | None]  # of a file, None where there is none
_BY_US = ("created", "status", "key")


class PreparedAddition(NamedTuple):
    """What is ready to be planned, and what the person should know."""

    plan: Callable[[ReadBytes], InsertionPlan]  # from the pages as they are when it is called
    drafts: Sequence[JudgedDraft]
    notes: tuple[str, ...]
    outlines: Outlines  # of the pages that it looks over


def prepare(
    live: LiveIndex, requests: Sequence[AddRequest], options: AddOptions
) -> PreparedAddition:
    """The entries that are asked for, judged by what the index knows."""
    if not requests:
        raise UsageError("add: nothing to add", "memwiki add 'Prefers tea.'")
    context = live.context
    layers, settings, outlines = context.layers, context.config.memory, Outlines(context.layers)
    day = local_day(context.clock()).isoformat()
    with reading(live, is_making=True) as view:
        tags = tags_of(view)
        draft = partial(_draft, live, view, tags, day)
        drafts = list(each_told(draft, requests))
        known = KnownFacts(live, view, outlines)
        found = judge_drafts(drafts, known, settings, options)
        ids = free_ids(EntryCards(view.stores.cards.db), len(drafts))
        is_fresh = view.freshness.fresh
        notes = [
            f"type {type_} is new; {near} is known"
            for type_ in dict.fromkeys(each.type for each, _ in drafts)
            if (near := near_type(type_, view))
        ]
        notes += chain.from_iterable(_unknown_ids(each, view) for each, _ in drafts)
    setting = InsertionSettings(
        options, layers, day, context.max_bytes, settings.max_tags, ids, outlines
    )
    notes += [note for each, _ in drafts for note in _notes(each, tags)]
    if not is_fresh and options.is_judged:
        notes.append("near entries and conflicts were looked for in an index that is out of date")
    return PreparedAddition(
        lambda read: Insertion(found, setting, read).plan(),
        found,
        tuple(dict.fromkeys(notes)),
        outlines,
    )


def _draft(
    live: LiveIndex, view: Reading, tags: TagsInUse, day: str, asked: AddRequest
) -> tuple[EntryDraft, EntryPage]:
    context = live.context
    now = local_moment(context.clock())
    moment = asked.at or now
    to = asked.to if asked.to in (*TARGETS, "") else page_named(asked.to, view)
    on = moment.date().isoformat() if asked.at and (asked.to == "daily") else day
    draft = draft_of(asked, now, tags.spelled, is_dated=to != "daily" or asked.is_staged)
    target = entry_page_of(to, draft.type, on, context.own_layers(), is_staged=asked.is_staged)
    require_findable(target.path, context.ignore())
    require_editable(target.path, context.layers)
    require_parsed(target.path, view.lookup.problems_of(target.path))
    return draft, target


def page_named(name: str, view: Reading) -> str:
    """The path of a page that is there, or of one that is to be made."""
    context = view.context
    if is_page_name(name):
        path = real_path(context.root, contain(context.root, view.scope.own_path(name)))
        view.scope.require_own(path)
        if not exists(context.root, path) and not _answers(name, view):
            made = aim(PageRequest(path), context.layers, "", lambda _: ()).path
            path = as_there(context.root, made)
            require_linkable(context.root, path)
            require_free(context.root, path)
            return path
    return view.find_own(name)


def _answers(name: str, view: Reading) -> bool:
    """Whether a page elsewhere is called so."""
    found = view.lookup.pages(NameKind.STEM, stem_of(name))
    return "/" not in name and any(map(view.scope.owns, found))


def _notes(draft: EntryDraft, tags: TagsInUse) -> Iterator[str]:
    yield from tags.notes(draft.asked.tags)
    for secret in secrets_in(draft.text):
        yield f"the text holds what looks like a secret: {secret.what}"


def _unknown_ids(draft: EntryDraft, view: Reading) -> Iterator[str]:
    """Ids of entries that are nowhere: what they supersede, or what supersedes them."""
    cards = EntryCards(view.stores.cards.db)
    for name in ("superseded_by", "supersedes"):
        for id_ in re.findall(r"\bm-[A-Za-z0-9]+", draft.fields.get(name, "")):
            if not any(view.scope.reaches(card.path) for card in cards.with_id(id_)):
                yield f"{name}: no entry has the id {id_}"


def report(
    live: LiveIndex,
    ready: PreparedAddition,
    added: InsertionPlan,
    edited: Edited,
    options: AddOptions,
) -> AddReport:
    """What became of the entries."""
    pairs = list(zip(ready.drafts, added.written, strict=True))
    new = [(each, written.id) for each, written in pairs if written.what == "added"]
    created = (f"created {path}" for path in added.made)
    with live.opened() as stores:
        views = views_of(live.context, stores)
        met = [*_conflicts(new, added, views), *_clashes(added, views)]
        notes = (*ready.notes, *created, *_repeats(pairs, added, views), *edited.notes)
        return AddReport(
            added=_became("added", added, views),
            repeated=_became("repeated", added, views),
            replaced=_became("replaced", added, views),
            near=tuple(_near(new, views)) if options.on_near is not OnNear.KEEP else (),
            conflicts=tuple(conflict for conflict, ended in met if not ended),
            superseded=tuple(ended for _, ended in met if ended),
            edited=edited._replace(notes=notes),
        )


def _became(what: str, added: InsertionPlan, views: Views) -> tuple[EntryView, ...]:
    found = (_entry(each, added) for each in added.written if each.what == what)
    return tuple(map(views.of, filter(None, found)))


def _near(new: Sequence[tuple[JudgedDraft, str]], views: Views) -> Iterator[NearEntry]:
    for draft, id_ in new:
        for one in draft.near:
            yield NearEntry(views.of(one.known), round(one.similarity, 4), id_)


def _conflicts(
    new: Sequence[tuple[JudgedDraft, str]], added: InsertionPlan, views: Views
) -> Iterator[tuple[EntryConflict, EntryView | None]]:
    """The conflicts with entries that were there, and these where they ended."""
    for draft, id_ in new:
        for one in draft.conflicts:
            conflict = _conflict(views.of(one.known), id_, one, is_due=one.is_due)
            ended = views.of(_as_left(one.known, added)) if one.is_superseded else None
            yield conflict, ended


def _clashes(
    added: InsertionPlan, views: Views
) -> Iterator[tuple[EntryConflict, EntryView | None]]:
    """The conflicts between entries of one call, and the earlier one where it ended."""
    for clash in added.clashes:
        if entry := _entry(clash.earlier, added):
            rival, view = clash.rival, views.of(entry)
            conflict = _conflict(view, clash.later, rival, is_due=rival.is_over)
            yield conflict, view if clash.is_ended else None


def _conflict(
    known: EntryView, later: str, judged: ConflictingEntry | RivalDraft, *, is_due: bool
) -> EntryConflict:
    return EntryConflict(known, later, round(judged.score, 4), judged.reasons, is_due)


def _repeats(
    pairs: Sequence[tuple[JudgedDraft, DraftOutcome]], added: InsertionPlan, views: Views
) -> Iterator[str]:
    for judged, written in pairs:
        if written.what == "repeated" and (known := _entry(written, added)):
            yield from _unwritten(judged.draft, views.of(known))


def _unwritten(draft: EntryDraft, known: EntryView) -> Iterator[str]:
    """What was given beside a text that was known already."""
    asked = ((name, text) for name, text in draft.fields.items() if name not in _BY_US)
    given = [name for name, text in asked if known.fields.get(name) != text]
    is_same = draft.asked.data is not None and draft.asked.data == known.data
    if draft.below and not is_same:
        given.append("data")
    if draft.type not in ("", known.type):
        given.append("type")
    has = {fold(tag) for tag in known.tags}
    given += [f"#{tag}" for tag in draft.tags if fold(tag) not in has]
    if given:
        name = known.id or f"{known.path}:{known.line_start}"
        yield f"{name} was known already; not written: {', '.join(given)} (entry update --set)"


def _entry(written: DraftOutcome, added: InsertionPlan) -> LocatedEntry | None:
    """An entry of a draft as the plan leaves it; None on a page that the plan leaves alone."""
    page = added.pages.get(written.path)
    if page is None:
        return None
    find = new_entry if written.what == "added" else with_id
    entry = find(page, written.id) if written.id else entry_at(page, written.line)
    return LocatedEntry(page.path, page.type, entry) if entry else None


def _as_left(known: LocatedEntry, added: InsertionPlan) -> LocatedEntry:
    """A known entry as the plan leaves it."""
    entry = known.entry
    found = _entry(DraftOutcome(known.path, entry.id, entry.line_start, ""), added)
    return known._replace(entry=found.entry) if found else known


_ALIKE = 0.85  # as tags are


def near_type(type_: str, view: Reading) -> str:
    """The known type that a new one is nearly spelled as; "" where it is known, or near none."""
    folded = fold(type_)
    if not folded or folded in BUILT_IN:
        return ""
    known = sorted({*BUILT_IN, *EntryCards(view.stores.cards.db).types(view.scope.sees)})
    if folded in known:
        return ""
    swapped = [each for each in known if sorted(each) == sorted(folded)]
    near = swapped or get_close_matches(folded, known, 1, _ALIKE)
    return type_of_heading(type_) or next(iter(near), "")
