"""What retires goes to the archive: entries to a page a month, conversations as they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from posixpath import splitext
from typing import NamedTuple

from memwiki.answers.upkeep import CollectionCount, UpkeepStep
from memwiki.config import Config
from memwiki.errors import MemwikiError
from memwiki.facts.usage import age_days
from memwiki.facts.value import CONVERSATION, CORE, category_of
from memwiki.markdown.describe import inner_path, is_kept
from memwiki.markdown.page_entries import is_item, section_at
from memwiki.nouns import Layers
from memwiki.numbers import counted
from memwiki.upkeep.compress import summarised
from memwiki.upkeep.origin import Origin, marked
from memwiki.upkeep.page_edits import PageEdits
from memwiki.upkeep.put_away import Going, LeavingItem, filled, follow_links, moved
from memwiki.upkeep.retention import SHARE, CollectionMember, Retirement, leaving, rule_of
from memwiki.upkeep.work import Done, StoredEntry, UpkeepWork, held_entries, home_of

MEMORY, SESSIONS = "memory", "sessions"  # in the archive
NO_ARCHIVE = "nothing can retire: memwiki config set layers.archive archive"
_ID = re.compile(rb"\^(m-[A-Za-z0-9]+)")


def retired(work: UpkeepWork, pages: PageEdits) -> Done:
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


class _Collection(NamedTuple):
    """The entries of one category, in the workspace or in one namespace of it."""

    home: str
    category: str


def _collections(work: UpkeepWork, pages: PageEdits) -> Iterator[tuple[_Collection, list[str]]]:
    """The collections of entries that have a policy, with their pages."""
    found: dict[_Collection, list[str]] = {}
    layers = work.config.layers
    for path in work.paths:
        if is_kept(path, layers) or path in pages.left:
            continue
        try:
            type_ = pages.page(path).type
        except MemwikiError:
            continue
        one = _Collection(home_of(path, layers), category_of(path, layers, type_))
        found.setdefault(one, []).append(path)
    for one, paths in sorted(found.items()):
        if one.category != CONVERSATION and rule_of(one.category, work.config).is_on:
            yield one, sorted(paths)


def _entries_of(one: _Collection, paths: Sequence[str], work: UpkeepWork, pages: PageEdits) -> Done:
    home, category = one
    entries = list(held_entries(work, pages, paths))
    items = [each for each in entries if _is_item(each, pages)]
    by_place = {_place(each): each for each in items}
    found = leaving([_member(each, work) for each in items], rule_of(category, work.config))
    going = [(by_place[member.place], reason) for member, reason in found]
    going += _summed_up(items, going, work)
    done = _put_away(home, going, work, pages)
    notes = (
        *done.notes,
        *_notes(category, len(entries) - len(items), len(going) - len(done.steps)),
    )
    count = CollectionCount(home + category, len(entries), len(done.steps))
    return Done(done.steps, notes, (count,))


def compressed(work: UpkeepWork, pages: PageEdits) -> Done:
    """Let go what summaries speak for, where no policy does: of each collection a tenth at
    most."""
    layers, steps, notes = work.config.layers, list[UpkeepStep](), list[str]()
    if not (layers.archive and work.has_summaries):
        return Done()
    of: dict[_Collection, list[StoredEntry]] = {}
    for each in held_entries(work, pages, work.paths):
        one = _Collection(home_of(each.located.path, layers), each.view.category)
        if not rule_of(one.category, work.config).is_on:
            of.setdefault(one, []).append(each)
    for one, entries in sorted(of.items()):
        items = [each for each in entries if _is_item(each, pages)]
        done = _put_away(one.home, _summed_up(items, (), work), work, pages)
        steps += done.steps
        notes += done.notes
    return Done(tuple(steps), tuple(notes))


def _summed_up(
    items: Sequence[StoredEntry], going: Sequence[tuple[StoredEntry, str]], work: UpkeepWork
) -> list[tuple[StoredEntry, str]]:
    """What summaries speak for, as far as there is room beside what leaves already."""
    if not work.has_summaries:
        return []
    room = max(1, len(items) // SHARE) - len(going)
    gone = {_place(each) for each, _ in going}
    found = summarised(items, work.now_ns, work.config.layers)
    return [(each, why) for each, why in found if _place(each) not in gone][: max(room, 0)]


def _place(entry: StoredEntry) -> tuple[str, int]:
    return entry.located.path, entry.located.entry.line_start


def _is_item(entry: StoredEntry, pages: PageEdits) -> bool:
    return is_item(pages.page(entry.located.path), entry.located.entry)


def _put_away(
    home: str, found: Sequence[tuple[StoredEntry, str]], work: UpkeepWork, pages: PageEdits
) -> Done:
    """Move entries into the archive of their namespace, each for its reason."""
    fill = partial(filled, stem=_stem(home, work, pages), most=_most(work), pages=pages)
    steps = moved(_going(found, work, pages), fill, "retired", pages)
    return Done(tuple(steps), follow_links(steps, work.links, pages))


def _stem(home: str, work: UpkeepWork, pages: PageEdits) -> str:
    """The pages of this month, without the ends of their names."""
    return f"{home}{work.config.layers.archive}/{MEMORY}/{pages.day[:7]}"


def _most(work: UpkeepWork) -> int:
    return work.config.memory.max_entries_a_page


def _notes(category: str, whole: int, refused: int) -> Iterator[str]:
    if whole:
        what = counted(whole, "entry that is a heading", "entries that are headings")
        yield f"{category}: {what} with text below do not retire"
    if refused:
        what = counted(refused, "entry", "entries")
        yield f"{category}: {what} cannot be moved safely and stayed"


def _member(entry: StoredEntry, work: UpkeepWork) -> CollectionMember:
    path, view = entry.located.path, entry.view
    layers = work.config.layers
    is_apart = inner_path(path, layers) in (layers.memory, layers.learnings)
    return CollectionMember(
        path,
        entry.located.entry.line_start,
        age_days=age_days(view.created, path, work.now_ns),
        value=view.value,
        is_over=view.status == "superseded",
        is_core=view.category == CORE,
        page=path if is_apart else "",
    )


def _going(
    found: Sequence[tuple[StoredEntry, str]], work: UpkeepWork, pages: PageEdits
) -> list[Going]:
    """The entries that leave, as the archive has them, those aside that cannot be written so."""
    paths = dict.fromkeys(each.located.path for each, _ in found)
    texts = [pages.page(path).data for path in paths]
    # What earlier steps have drawn is not in the index yet.
    texts += [edit.data for edit in pages.edits() if edit.data]
    borne = {id_.decode() for text in texts for id_ in _ID.findall(text)}
    free = (each for each in work.ids if each not in borne)
    items = ((each, _item(each, free, pages), reason) for each, reason in found)
    return [Going(each, item, reason) for each, item, reason in items if item]


def _item(stored: StoredEntry, free: Iterator[str], pages: PageEdits) -> LeavingItem | None:
    """An entry as the archive has it, None where its lines would be read otherwise there."""
    path, _, entry = stored.located
    page = pages.page(path)
    section = section_at(page, entry.line_start)
    origin = Origin(path, section.trail if section else ())
    id_ = entry.id or next(free, "")
    text = marked(page, entry, origin, id_) if id_ else ""
    return LeavingItem(entry._replace(id=id_), text) if text else None


# --- conversations ---


def _conversations(work: UpkeepWork, pages: PageEdits) -> Done:
    layers = work.config.layers
    by_home: dict[str, list[CollectionMember]] = {}
    for path, age, value in work.conversations:
        member = CollectionMember(path, age_days=age, value=value)
        by_home.setdefault(home_of(path, layers), []).append(member)
    steps, counts = list[UpkeepStep](), list[CollectionCount]()
    for home, members in sorted(by_home.items()):
        gone = list(_moved(leaving(members, rule_of(CONVERSATION, work.config)), layers, pages))
        counts.append(CollectionCount(home + CONVERSATION, len(members), len(gone)))
        steps += gone
    return Done(tuple(steps), (), tuple(counts))


def _moved(going: Iterable[Retirement], layers: Layers, pages: PageEdits) -> Iterator[UpkeepStep]:
    """Whole files, byte for byte, under their names below the folder of sessions."""
    for member, reason in going:
        data = pages.data(member.path)
        if data is None or member.path in pages.left:
            continue
        home = home_of(member.path, layers)
        name = member.path[len(f"{home}{layers.sessions}/") :]
        to = _free_path(f"{home}{layers.archive}/{SESSIONS}/{name}", pages)
        if to in pages.left:
            continue
        pages.write(member.path, None, "retired")
        pages.write(to, data, "retired")
        yield UpkeepStep("retired", member.path, 0, "", name, to, reason)


def _free_path(path: str, pages: PageEdits) -> str:
    """A path at which there is no file: with a number behind its name when there is one."""
    stem, suffix = splitext(path)
    names = (f"{stem}-{number}{suffix}" for number in count(2))
    return path if pages.data(path) is None else next(n for n in names if pages.data(n) is None)
