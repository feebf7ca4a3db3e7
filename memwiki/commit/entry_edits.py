"""Changing one entry: the one that is meant, and its plan made and carried out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Unpack

from memwiki.answers.pages import Edited
from memwiki.change.merge import merge
from memwiki.change.plan import Plan, expected_of
from memwiki.commit.carry_out import carry_out, page_bytes
from memwiki.commit.page_edits import EditOptions, tags_in_use
from memwiki.entry_fields import MODEL
from memwiki.errors import ConflictError, NotFoundError
from memwiki.files.read import current_bytes, exists
from memwiki.names import fold
from memwiki.numbers import share_of
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading

if TYPE_CHECKING:
    from memwiki.memory.plans import PageBytes
    from memwiki.memory.view import LocatedEntry
    from memwiki.pages.relink import BrokenLink


def update(
    live: LiveIndex,
    name: str,
    text: str | None,
    fields: Mapping[str, str],
    base: str | None = None,
    **how: Unpack[EditOptions],
) -> Edited:
    """Give an entry other words or fields; one of a model that a person rewords is a person's."""
    from memwiki.memory.plans import EntryChange, update_plan

    known = found_entry(live, name)
    if text is not None and base is not None:
        text = _merged_text(known, base, text)
    is_persons = not live.context.actor and text not in (None, known.entry.text)
    is_taken = is_persons and known.entry.fields.get("origin") == MODEL
    own = {"origin": "", "by": ""} if is_taken else {}
    change = EntryChange(dated_text(live, text), {**own, **fields})
    return carried_out(live, known, partial(update_plan, known, change), **how)


def _merged_text(known: LocatedEntry, base: str, text: str) -> str:
    """The words with what the entry became since those that they were made of."""
    made = merge(*(each.encode() for each in (base, known.entry.text, text)))
    if made is None:
        place = f"{known.path}:{known.entry.line_start}"
        raise ConflictError(f"{place}: the same words changed meanwhile", "look at it again")
    return made.decode()


def set_tags(live: LiveIndex, name: str, tags: Sequence[str], **how: Unpack[EditOptions]) -> Edited:
    """Give an entry these tags, as they are spelled in the workspace, and no others."""
    from memwiki.memory.plans import EntryChange, update_plan

    most = live.context.config.memory.max_tags
    spelled = tuple(map(tags_in_use(live).spelled, tags))[:most]
    known = found_entry(live, name)
    return carried_out(
        live, known, partial(update_plan, known, EntryChange(None, {}, spelled)), **how
    )


def supersede(
    live: LiveIndex, known: LocatedEntry, text: str, origin: str, **how: Unpack[EditOptions]
) -> Edited:
    """Strike an entry out and write what holds now below it, also where what did is gone."""
    from memwiki.index.cards.entries import EntryCards
    from memwiki.markdown.entries import ID_NAME
    from memwiki.memory.plans import supersede_plan

    by = known.entry.fields.get("superseded_by", "")
    with reading(live, is_making=True) as view:
        may_be_gone = ID_NAME.fullmatch(by) and not live.context.is_public
        is_known = not may_be_gone or EntryCards(view.stores.cards.db).has_id(by)
    gone = "" if is_known else by
    plan = partial(supersede_plan, known, text, new_ids(live, 2), origin=origin, gone=gone)
    return carried_out(live, known, plan, **how)


def delete(
    live: LiveIndex, known: LocatedEntry, *, is_final: bool, **how: Unpack[EditOptions]
) -> Edited:
    """Take an entry out of its page; if that is final, nothing is kept to undo it. Notes name the
    links that lead nowhere then."""
    from memwiki.memory.plans import HARD_NOTE, delete_plan
    from memwiki.pages.relink import broken_link_notes

    notes = [*broken_link_notes(_links_to(live, known)), *([HARD_NOTE] if is_final else ())]
    edited = carried_out(live, known, partial(delete_plan, known, is_final=is_final), **how)
    return edited._replace(notes=(*edited.notes, *notes))


def _links_to(live: LiveIndex, known: LocatedEntry) -> Iterator[BrokenLink]:
    """The links that mean an entry, but for its own."""
    from memwiki.index.find import meaning
    from memwiki.index.names import entry_number
    from memwiki.memory.plans import ids_of
    from memwiki.pages.relink import BrokenLink

    path, ids = known.path, ids_of(known.entry)
    own = range(known.entry.line_start, known.entry.line_end + 1)
    with reading(live) as view:
        numbers = [*view.lookup.target_numbers(path), *map(entry_number, ids)]
        for source in dict.fromkeys([path, *view.lookup.linking(numbers)]):
            for link in view.lookup.links_of(source):
                is_own = source == path and link.line in own
                named = link.block or link.written.removeprefix("^")
                if is_own or fold(named) not in ids:
                    continue
                if meaning(view.lookup, live.context.layers, source, link) == path:
                    yield BrokenLink(source, link.line, f"^{named}", path, "")


def move(live: LiveIndex, name: str, page: str, **how: Unpack[EditOptions]) -> Edited:
    """Move an entry to another page, or to where one of its type belongs."""
    from memwiki.memory.addition import page_named
    from memwiki.memory.draft import TARGETS
    from memwiki.memory.placement import entry_page_of
    from memwiki.memory.plans import linking_pages, move_plan

    context = live.context
    known = found_entry(live, name)
    with reading(live) as view:
        to = page if page in ("", *TARGETS) else page_named(page, view)
        sources = linking_pages(known, view.lookup, context.layers)
    layers = context.own_layers()
    target = entry_page_of(to, known.entry.type, context.today, layers, is_staged=False)

    notes = list[str]()

    def plan(pages: PageBytes) -> Plan:
        notes[:] = pages.elsewhere(known.path, target.path).notes(known.entry.text)
        data = current_bytes(context.root, target.path)
        return move_plan(known, target, data, sources, pages)

    edited = carried_out(live, known, plan, **how)
    return edited._replace(notes=(*edited.notes, *notes))


def relate(
    live: LiveIndex,
    name: str,
    other: str,
    relation: str,
    weight: float | None,
    **how: Unpack[EditOptions],
) -> Edited:
    """Note in an entry how it stands to another one."""
    from memwiki.memory.draft import relation_key
    from memwiki.memory.plans import relate_plan

    word = relation_key(relation)
    share = None if weight is None else share_of("weight", weight)
    known, named = found_entry(live, name), found_entry(live, other, is_changed=False)
    plan = partial(relate_plan, known, named, word, share, new_ids(live, 1))
    return carried_out(live, known, plan, **how)


def unrelate(
    live: LiveIndex, name: str, other: str, relation: str, **how: Unpack[EditOptions]
) -> Edited:
    """Take relations of a type, or of any, from one entry to another."""
    from memwiki.memory.draft import relation_key
    from memwiki.memory.plans import unrelate_plan

    word = relation_key(relation) if relation else ""
    known, named = found_entry(live, name), found_entry(live, other, is_changed=False)
    return carried_out(live, known, partial(unrelate_plan, known, named, word), **how)


def found_entry(live: LiveIndex, name: str, *, is_changed: bool = True) -> LocatedEntry:
    """The entry of an id or key; one that is to be changed must be of the own namespace."""
    from memwiki.memory.addresses import find_entry, find_own_entry

    find = find_own_entry if is_changed else find_entry
    with reading(live) as view:
        is_fresh = view.freshness.fresh or not live.is_synced
        try:
            return find(name, view)
        except NotFoundError:
            if is_fresh:
                raise
    # Another process was writing the index: the entry may be newer than what was read.
    live.sync()
    with reading(live) as view:
        return find(name, view)


def new_ids(live: LiveIndex, count: int) -> tuple[str, ...]:
    """Ids that no entry bears."""
    from memwiki.index.cards.entries import EntryCards
    from memwiki.memory.known_facts import free_ids

    with reading(live) as view:
        return free_ids(EntryCards(view.stores.cards.db), count)


def dated_text(live: LiveIndex, text: str | None) -> str | None:
    """A text as it is written down: times in words are dates."""
    from memwiki.memory.draft import words_of_text

    return None if text is None else words_of_text(text, live.context.clock())


def carried_out(
    live: LiveIndex,
    known: LocatedEntry,
    plan: Callable[[PageBytes], Plan],
    *,
    expect: str = "",
    dry_run: bool = False,
) -> Edited:
    """A plan made under the lock, from the pages as they are then."""
    from memwiki.memory.plans import PageBytes

    context = live.context
    pages = PageBytes(
        partial(page_bytes, context),
        context.layers,
        context.today,
        context.max_bytes,
        partial(exists, context.root),
    )
    made, expected = partial(plan, pages), expected_of(known.path, expect)
    return carry_out(live, made, dry_run=dry_run, expected=expected)
