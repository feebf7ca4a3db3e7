"""What retires goes to the archive: entries to a page a month, what summaries speak for among them,
and conversations as they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from posixpath import splitext
from typing import NamedTuple, TypeAlias

from memwiki.answers.entries import CompressionGroup, CompressionGroups, UpkeepStep
from memwiki.answers.index import CollectionCount
from memwiki.clock import local_day
from memwiki.config import Config
from memwiki.dates import iso_date, named_day
from memwiki.errors import ConfigError, MemwikiError, UsageError
from memwiki.facts.value import CONVERSATION, CORE, age_days, category_of
from memwiki.markdown.describe import inner_path, is_kept
from memwiki.markdown.units import is_item, section_at
from memwiki.memory.page_edits import PageEdits
from memwiki.memory.patches import about_to_leave
from memwiki.memory.view import entry_name
from memwiki.names import first_free
from memwiki.nouns import Layers
from memwiki.numbers import counted
from memwiki.records import grouped
from memwiki.sync.live import LiveIndex
from memwiki.text import pattern
from memwiki.upkeep.put_away import (
    Leaver,
    Origin,
    fill_pages,
    follow_links,
    mark_lines,
    move_entries,
)
from memwiki.upkeep.relating import SOURCES, ids_in
from memwiki.upkeep.work import (
    SHARE,
    CollectionMember,
    Done,
    Retirement,
    StoredEntry,
    UpkeepWork,
    all_done,
    home_of,
    leaving,
    pages_now,
    rule_of,
    stored_entries,
    work_of,
)

Retiring: TypeAlias = "tuple[StoredEntry, str]"
_IDLE_DAYS = 90
_FEW_RECALLS = 5
_MIN_GROUP = 3  # entries of a type that are worth a summary
_MAX_SUMMARIES = 3
MEMORY, SESSIONS = "memory", "sessions"  # in the archive
NO_ARCHIVE = "nothing can retire: memwiki config set layers.archive archive"
_ID = pattern(rb"\^(m-[A-Za-z0-9]+)")


def compression_groups(live: LiveIndex) -> CompressionGroups:
    """Entries that hardly anybody recalls, in groups that a summary could stand for."""
    work = work_of(live)
    held = stored_entries(work, pages_now(live), work.paths)
    found = compressible(held, work.now_ns, live.context.layers).items()
    groups = (CompressionGroup(type_, tuple(each.view for each in group)) for type_, group in found)
    return CompressionGroups(tuple(groups))


def compressible(
    entries: Iterable[StoredEntry], now_ns: int, layers: Layers
) -> dict[str, list[StoredEntry]]:
    """By type the entries outside of core that nobody recalled for 90 days and that were recalled
    under five times; only types with three of them or more."""
    groups = defaultdict[str, list[StoredEntry]](list)
    for each in entries:
        if _is_idle(each, now_ns, layers):
            groups[each.view.type].append(each)
    return {type_: found for type_, found in sorted(groups.items()) if len(found) >= _MIN_GROUP}


def _is_idle(entry: StoredEntry, now_ns: int, layers: Layers) -> bool:
    view = entry.view
    return (
        view.status == "active"
        and view.category != CORE
        and view.recalls < _FEW_RECALLS
        and SOURCES not in view.fields
        and not is_kept(view.path, layers)
        and _idle_days(entry, now_ns) >= _IDLE_DAYS
    )


def _idle_days(entry: StoredEntry, now_ns: int) -> float:
    """Days since the last recall, else since creation; -1 when neither is known."""
    view = entry.view
    if not view.last_recalled:
        days = age_days(view.created, view.path, now_ns)
        return days if days < float("inf") else -1
    today = local_day(now_ns)
    day = named_day(iso_date(view.last_recalled)[:10], today, is_end=False)
    return (today - day).days if day else -1


def summarised_entries(
    entries: Sequence[StoredEntry], now_ns: int, layers: Layers
) -> list[Retiring]:
    """The entries that could be summed up and that one to three others name as their sources, with
    these; also when fewer of their type are left than are worth a summary."""
    summaries = defaultdict[str, list[str]](list)
    for each in entries:
        if each.view.status == "active":
            name = entry_name(each.view.path, each.located.entry)
            for id_ in set(ids_in(each.view.fields.get(SOURCES, ""))):
                summaries[id_].append(name)
    return [
        (each, f"summed up in {', '.join(sorted(names))}")
        for each in entries
        if (names := summaries.get(each.view.id, []))
        and len(names) <= _MAX_SUMMARIES
        and _is_idle(each, now_ns, layers)
    ]


def retire_entries(work: UpkeepWork, pages: PageEdits) -> Done:
    """Let go what the policies let go."""
    if not has_rules(work.config):
        return Done()
    if not work.config.layers.archive:
        return Done(notes=(NO_ARCHIVE,))
    parts = [_entries_of(each, paths, work, pages) for each, paths in _collections(work, pages)]
    if work.conversations and rule_of(CONVERSATION, work.config).is_on:
        parts.append(_conversations(work, pages))
    return all_done(parts)


def require_rules(config: Config) -> None:
    """Raise UsageError where nothing is set by which memories retire, ConfigError where there is no
    archive."""
    if not has_rules(config):
        raise UsageError(
            "upkeep retain: no policy is set, so nothing retires",
            "memwiki config set retention.daily.policy ttl; then retention.daily.ttl_days",
        )
    if not config.layers.archive:
        raise ConfigError(
            "upkeep retain: this workspace has no archive for what retires",
            "memwiki config set layers.archive archive",
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
    entries = list(stored_entries(work, pages, paths))
    items = [each for each in entries if _is_item(each, pages)]
    by_place = {each.located.place: each for each in items}
    found = leaving([_member(each, work) for each in items], rule_of(category, work.config))
    going = [(by_place[member.place], reason) for member, reason in found]
    going += _summed_up(items, going, work)
    done = put_away(home, going, work, pages)
    left = _notes(category, len(entries) - len(items), len(going) - len(done.steps))
    count = CollectionCount(home + category, len(entries), len(done.steps))
    return Done(done.steps, (*done.notes, *left), (count,))


def compress_entries(work: UpkeepWork, pages: PageEdits) -> Done:
    """Let go what summaries speak for, where no policy does: of each collection a tenth at
    most."""
    layers, parts = work.config.layers, list[Done]()
    if not (layers.archive and work.has_summaries):
        return Done()
    collections = grouped(
        (_Collection(home_of(each.located.path, layers), each.view.category), each)
        for each in stored_entries(work, pages, work.paths)
        if not rule_of(each.view.category, work.config).is_on
    )
    for one, entries in sorted(collections.items()):
        items = [each for each in entries if _is_item(each, pages)]
        parts.append(put_away(one.home, _summed_up(items, (), work), work, pages))
    return all_done(parts)


def _summed_up(
    items: Sequence[StoredEntry], going: Sequence[Retiring], work: UpkeepWork
) -> list[Retiring]:
    """What summaries speak for, as far as there is room beside what leaves already."""
    if not work.has_summaries:
        return []
    room = max(1, len(items) // SHARE) - len(going)
    gone = {each.located.place for each, _ in going}
    found = summarised_entries(items, work.now_ns, work.config.layers)
    return [(each, why) for each, why in found if each.located.place not in gone][: max(room, 0)]


def _is_item(entry: StoredEntry, pages: PageEdits) -> bool:
    return is_item(pages.page(entry.located.path), entry.located.entry)


def put_away(home: str, found: Sequence[Retiring], work: UpkeepWork, pages: PageEdits) -> Done:
    """Move entries into the archive of their namespace, each for its reason."""
    found = [each for each in found if work.takes("retired", each[0].located)]
    month = f"{home}{work.config.layers.archive}/{MEMORY}/{pages.day[:7]}"
    most = work.config.memory.max_entries_a_page
    fill = partial(fill_pages, stem=month, most=most, pages=pages)
    steps = move_entries(list(_leavers(found, month, work, pages)), fill, "retired", pages)
    gone = {(step.path, step.line) for step in steps}
    entries = (each.located for each, _ in found if each.located.place in gone)
    texts = ((pages.elsewhere(each.path, month), each.entry.text) for each in entries)
    notes = (note for there, text in texts for note in there.notes(text))
    return Done(tuple(steps), (*follow_links(steps, work.links, pages), *notes))


def _notes(category: str, whole: int, refused: int) -> Iterator[str]:
    if whole:
        what = counted(whole, "entry that is a heading", "entries that are headings")
        yield f"{category}: {what} with text below do not retire"
    if refused:
        what = counted(refused, "entry", "entries")
        yield f"{category}: {what} cannot be moved safely and stayed"


def _member(entry: StoredEntry, work: UpkeepWork) -> CollectionMember:
    (path, line), view = entry.located.place, entry.view
    layers = work.config.layers
    is_apart = inner_path(path, layers) in (layers.memory, layers.learnings)
    return CollectionMember(
        path,
        line,
        age_days=age_days(view.created, path, work.now_ns),
        value=view.value,
        is_over=view.status == "superseded",
        is_core=view.category == CORE,
        page=path if is_apart else "",
    )


def _leavers(
    found: Sequence[Retiring], month: str, work: UpkeepWork, pages: PageEdits
) -> Iterator[Leaver]:
    """The entries that leave, as the archive has them, those aside whose lines would be read
    otherwise there."""
    paths = dict.fromkeys(each.located.path for each, _ in found)
    texts = [pages.page(path).data for path in paths]
    # What earlier steps have drawn is not in the index yet.
    texts += [edit.data for edit in pages.edits() if edit.data]
    borne = {id_.decode() for text in texts for id_ in _ID.findall(text)}
    free = (each for each in work.ids if each not in borne)
    for stored, reason in found:
        path, _, entry = stored.located
        page = pages.page(path)
        section = section_at(page, entry.line_start)
        try:
            page, entry = about_to_leave(page, entry)
        except MemwikiError:
            continue  # it stays
        id_ = entry.id or next(free, "")
        origin = Origin(path, section.trail if section else ())
        if text := mark_lines(page, entry, origin, id_) if id_ else "":
            there = pages.elsewhere(path, month)
            yield Leaver(stored, there.entry(entry._replace(id=id_)), there.text(text), reason)


# --- conversations ---


def _conversations(work: UpkeepWork, pages: PageEdits) -> Done:
    layers = work.config.layers
    by_home = grouped((home_of(each.path, layers), each) for each in work.conversations)
    parts = list[Done]()
    for home, members in sorted(by_home.items()):
        going = leaving(members, rule_of(CONVERSATION, work.config))
        going = [each for each in going if work.takes_file("retired", each.member.path)]
        gone = tuple(_move_steps(going, layers, pages))
        count = CollectionCount(home + CONVERSATION, len(members), len(gone))
        parts.append(Done(gone, (), (count,)))
    return all_done(parts)


def _move_steps(
    going: Iterable[Retirement], layers: Layers, pages: PageEdits
) -> Iterator[UpkeepStep]:
    """Whole files, byte for byte, under their names below the folder of sessions."""
    for member, reason in going:
        data = pages.data(member.path)
        if data is None or member.path in pages.left:
            continue
        home = home_of(member.path, layers)
        name = member.path[len(f"{home}{layers.sessions}/") :]
        wanted = splitext(f"{home}{layers.archive}/{SESSIONS}/{name}")
        to = first_free(*wanted, lambda each: pages.data(each) is not None)
        if to in pages.left:
            continue
        pages.write(member.path, None, "retired")
        pages.write(to, data, "retired")
        yield UpkeepStep("retired", member.path, 0, "", name, to, reason)
