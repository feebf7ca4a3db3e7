"""What retires goes to the archive: entries to a page a month, conversations as they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from posixpath import splitext

from memwiki.answers.upkeep import CollectionCount, UpkeepStep
from memwiki.config import Config
from memwiki.errors import MemwikiError
from memwiki.markdown.describe import is_kept
from memwiki.markdown.page_entries import is_item, section_at
from memwiki.memory.category import CONVERSATION, CORE, category_of
from memwiki.memory.usage_facts import age_days
from memwiki.model import Layers
from memwiki.numbers import counted
from memwiki.upkeep.origin import Origin, marked
from memwiki.upkeep.page_edits import PageEdits
from memwiki.upkeep.put_away import Going, Item, filled, follow_links, moved
from memwiki.upkeep.retention import Leaving, Member, leaving, rule_of
from memwiki.upkeep.work import Done, HeldEntry, Work, held_entries

MEMORY, SESSIONS = "memory", "sessions"  # in the archive
NO_ARCHIVE = "nothing can retire: memwiki config set layers.archive archive"
_ID = re.compile(rb"\^(m-[A-Za-z0-9]+)")


def retired(work: Work, pages: PageEdits) -> Done:
    """Let go what the policies let go."""
    if not has_rules(work.config):
        return Done()
    if not work.config.layers.archive:
        return Done(notes=(NO_ARCHIVE,))
    parts = [_entries_of(each, paths, work, pages) for each, paths in _collections(work, pages)]
    if work.conversations and rule_of(CONVERSATION, work.config).is_on:
        parts.append(_conversations(work, pages))
    return Done(
        tuple(step for each in parts for step in each.steps),
        tuple(note for each in parts for note in each.notes),
        tuple(number for each in parts for number in each.collections),
    )


def has_rules(config: Config) -> bool:
    """Whether anything is set by which memories retire."""
    names = [*config.retention, *(("daily", CONVERSATION) if config.memory.has_hygiene else ())]
    return any(rule_of(name, config).is_on for name in names)


# --- entries ---


def _collections(work: Work, pages: PageEdits) -> Iterator[tuple[str, list[str]]]:
    """The collections of entries that have a policy, with their pages."""
    found: dict[str, list[str]] = {}
    layers = work.config.layers
    for path in work.paths:
        if is_kept(path, layers):
            continue
        try:
            type_ = pages.page(path).type
        except MemwikiError:
            continue
        found.setdefault(category_of(path, layers, type_), []).append(path)
    for category, paths in sorted(found.items()):
        if category != CONVERSATION and rule_of(category, work.config).is_on:
            yield category, sorted(paths)


def _entries_of(category: str, paths: Sequence[str], work: Work, pages: PageEdits) -> Done:
    held = list(held_entries(work, pages, paths))
    items = [each for each in held if is_item(pages.page(each.located.path), each.located.entry)]
    going, refused = _going(category, items, work, pages)
    fill = partial(filled, stem=_stem(work, pages), most=_most(work), pages=pages)
    steps = moved(going, fill, "retired", pages)
    notes = follow_links(steps, work.links, pages)
    notes += tuple(_notes(category, len(held) - len(items), refused + len(going) - len(steps)))
    return Done(tuple(steps), notes, (CollectionCount(category, len(held), len(steps)),))


def _stem(work: Work, pages: PageEdits) -> str:
    """The pages of this month, without the ends of their names."""
    return f"{work.config.layers.archive}/{MEMORY}/{pages.day[:7]}"


def _most(work: Work) -> int:
    return work.config.memory.max_entries_a_page


def _notes(category: str, whole: int, refused: int) -> Iterator[str]:
    if whole:
        what = counted(whole, "entry that is a heading", "entries that are headings")
        yield f"{category}: {what} with text below do not retire"
    if refused:
        what = counted(refused, "entry", "entries")
        yield f"{category}: {what} cannot be moved safely and stayed"


def _member(held: HeldEntry, work: Work) -> Member:
    path, view = held.located.path, held.view
    layers = work.config.layers
    is_apart = path in (layers.memory, layers.learnings)
    return Member(
        path,
        held.located.entry.line_start,
        age_days=age_days(view.created, path, work.now_ns),
        value=view.value,
        is_over=view.status == "superseded",
        is_core=view.category == CORE,
        page=path if is_apart else "",
    )


def _going(
    category: str, items: Sequence[HeldEntry], work: Work, pages: PageEdits
) -> tuple[list[Going], int]:
    """The entries that leave, as the archive has them, and how many cannot be written so."""
    by_place = {(each.located.path, each.located.entry.line_start): each for each in items}
    found = leaving([_member(each, work) for each in items], rule_of(category, work.config))
    held = [by_place[each.member.place] for each in found]
    paths = dict.fromkeys(each.located.path for each in held)
    texts = [pages.page(path).data for path in paths]
    # What earlier steps have drawn is not in the index yet.
    texts += [edit.data for edit in pages.edits() if edit.data]
    borne = {id_.decode() for text in texts for id_ in _ID.findall(text)}
    free = (each for each in work.ids if each not in borne)
    going = [
        Going(each, item, left.reason)
        for each, left in zip(held, found, strict=True)
        if (item := _item(each, free, pages))
    ]
    return going, len(found) - len(going)


def _item(held: HeldEntry, free: Iterator[str], pages: PageEdits) -> Item | None:
    """An entry as the archive has it, None where its lines would be read otherwise there."""
    path, _, entry = held.located
    page = pages.page(path)
    section = section_at(page, entry.line_start)
    origin = Origin(path, section.trail if section else ())
    id_ = entry.id or next(free, "")
    text = marked(page, entry, origin, id_) if id_ else ""
    return Item(entry._replace(id=id_), text) if text else None


# --- conversations ---


def _conversations(work: Work, pages: PageEdits) -> Done:
    held = work.conversations
    members = [Member(each.path, age_days=each.age_days, value=each.value) for each in held]
    going = leaving(members, rule_of(CONVERSATION, work.config))
    steps = list(_moved(going, work.config.layers, pages))
    return Done(tuple(steps), (), (CollectionCount(CONVERSATION, len(held), len(steps)),))


def _moved(going: Iterable[Leaving], layers: Layers, pages: PageEdits) -> Iterator[UpkeepStep]:
    """Whole files, byte for byte, under their names below the folder of sessions."""
    for member, reason in going:
        data = pages.data(member.path)
        if data is None:
            continue
        name = member.path[len(layers.sessions) + 1 :]
        to = _free_path(f"{layers.archive}/{SESSIONS}/{name}", pages)
        pages.write(member.path, None, "retired")
        pages.write(to, data, "retired")
        yield UpkeepStep("retired", member.path, 0, "", name, to, reason)


def _free_path(path: str, pages: PageEdits) -> str:
    """A path at which there is no file: with a number behind its name when there is one."""
    stem, suffix = splitext(path)
    names = (f"{stem}-{number}{suffix}" for number in count(2))
    return path if pages.data(path) is None else next(n for n in names if pages.data(n) is None)
