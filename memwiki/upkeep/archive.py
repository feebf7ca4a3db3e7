"""What is kept apart from the pages: what retired, listed, purged and put back; and the snapshot
of the core memories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import partial

from memwiki.answers.entries import ArchivedItem, ArchiveList, UpkeepReport, UpkeepStep
from memwiki.answers.index import CollectionCount
from memwiki.clock import local_day
from memwiki.dates import named_day
from memwiki.errors import (
    AlreadyExistsError,
    ConfigError,
    LineNotEditableError,
    ManyMatchesError,
    MemwikiError,
    NotFoundError,
    UnsafePathError,
    UsageError,
)
from memwiki.facts.value import CORE, category_of
from memwiki.files.paths import contain, real_path
from memwiki.files.read import exists
from memwiki.markdown.describe import SNAPSHOT, SNAPSHOT_MARK, inner_path, is_in, is_kept, shorten
from memwiki.markdown.edit.sections import splice_at_end
from memwiki.markdown.entries import indent_of
from memwiki.markdown.outline import Outline, PageKind
from memwiki.markdown.units import entries_of, is_item
from memwiki.memory.addresses import PageOutlines, as_it_is, find_entry
from memwiki.memory.page_edits import PageEdits
from memwiki.memory.patches import about_to_leave, remove_entry
from memwiki.memory.placement import EntryPage, Spot, own_lines
from memwiki.memory.snapshot import SnapshotPage, held_part, snapshot_of
from memwiki.memory.view import LocatedEntry
from memwiki.names import fold, is_page_name, stem_of
from memwiki.nouns import Entry, Layers, Section
from memwiki.numbers import counted
from memwiki.pages.edit import splice_page
from memwiki.pages.new import PageRequest, aim
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading
from memwiki.text import pattern
from memwiki.times.asked import asked_day
from memwiki.upkeep.put_away import FIELD, Origin, follow_links, statements, unmark_entry
from memwiki.upkeep.retire import MEMORY, SESSIONS
from memwiki.upkeep.work import Done, UpkeepWork, day_of_session, execute, home_of, links_to

_MONTH = pattern(r"(\d{4}-\d\d)(?:-\d+)?")
_MAX_SHOWN = 60


def archived_paths(view: Reading) -> Iterator[tuple[str, bool]]:
    """The pages of retired entries and the retired conversations, and whether each is one of
    these."""
    layers = view.context.layers
    for path in view.lookup.all_paths() if layers.archive else ():
        inner = inner_path(path, layers) if view.scope.owns(path) else ""
        if is_in(inner, f"{layers.archive}/{SESSIONS}"):
            yield path, True
        elif is_in(inner, f"{layers.archive}/{MEMORY}"):
            yield path, False


# --- list ---


def archive_list(live: LiveIndex, query: str, most: int | None) -> ArchiveList:
    """What retired, the newest month first; with a query what has all its words."""
    words, context, found = fold(query).split(), live.context, list[ArchivedItem]()
    with reading(live) as view:
        rows = sorted(archived_paths(view), key=lambda row: (row[1], _newest_first(row[0])))
        for path, is_session in rows:
            pages = PageOutlines(context)
            for each in [_session(path, view)] if is_session else _entries(path, pages):
                text = fold(f"{each.id} {each.type} {each.was} {each.text}")
                if all(word in text for word in words):
                    shown = shorten(" ".join(each.text.split()), _MAX_SHOWN)
                    found.append(each._replace(text=shown))
        return ArchiveList(tuple(found[:most]), len(found), view.freshness.fresh)


def _newest_first(path: str) -> tuple[list[int], str]:
    return [-ord(sign) for sign in month_of(path)], path


def _entries(path: str, pages: PageOutlines) -> Iterator[ArchivedItem]:
    page = pages[path]
    for entry in entries_of(page).entries:
        origin = unmark_entry(page, entry).origin if FIELD in entry.fields else None
        yield ArchivedItem(
            id=entry.id,
            path=path,
            line=entry.line_start,
            type=entry.type,
            retired=month_of(path),
            was=str(origin) if origin else "",
            text=entry.text,
        )


def _session(path: str, view: Reading) -> ArchivedItem:
    was = place_of_session(path, view.context.layers)
    return ArchivedItem("", path, 0, "session", "", was, stem_of(path))


def month_of(path: str) -> str:
    """The month of a page of retired entries, "" when its name says none."""
    found = _MONTH.fullmatch(stem_of(path))
    return found[1] if found else ""


def place_of_session(path: str, layers: Layers) -> str:
    """Where a retired conversation was."""
    inner = inner_path(path, layers)
    root = path[: len(path) - len(inner)]
    return f"{root}{layers.sessions}/{inner[len(f'{layers.archive}/{SESSIONS}/') :]}"


# --- one of them ---


def entry_named(name: str, view: Reading) -> LocatedEntry:
    """The retired entry that an id, key or `PATH:LINE` means."""
    known = find_entry(name, view)
    layers = view.context.layers
    if not is_in(inner_path(known.path, layers), f"{layers.archive}/{MEMORY}"):
        raise NotFoundError(
            f"{name}: is in {known.path}, not in the archive", "memwiki upkeep archive list"
        )
    return known


def session_named(name: str, view: Reading) -> str:
    """The path of the retired conversation of a path or file name, "" when there is none."""
    sessions = [path for path, is_session in archived_paths(view) if is_session]
    if name in sessions:
        return name
    found = [path for path in sessions if stem_of(path) == stem_of(name) and "/" not in name]
    if len(found) > 1:
        raise ManyMatchesError(name, "conversations are called so", found)
    return found[0] if found else ""


# --- purge ---


def past(path: str, *, is_session: bool, view: Reading) -> date | None:
    """The last day of what an archived file holds; None when nothing says it."""
    if not is_session:
        return named_day(month_of(path), date.max, is_end=True)
    day = day_of_session(path, view.context)
    return named_day(day[:10], date.max, is_end=True) if day else None


def purge(live: LiveIndex, older_than: str, *, dry_run: bool) -> UpkeepReport:
    """Delete what retired before a day, or longer ago than an age such as `30d` or `2w`."""
    day = asked_day(older_than, local_day(live.context.clock()), is_end=False)
    if day is None:
        raise UsageError(
            f"{older_than}: neither a day nor an age",
            "for example 2026-01-31, 2026-01, 90d or 1y",
        )
    with reading(live) as view:
        files = sorted(
            (path, is_session)
            for path, is_session in archived_paths(view)
            if (last := past(path, is_session=is_session, view=view)) and last < day
        )
    return execute(live, "purge", [lambda _, pages: purge_files(files, pages)], dry_run=dry_run)


def purge_files(files: Sequence[tuple[str, bool]], pages: PageEdits) -> Done:
    """Delete archived files."""
    steps, counts = list[UpkeepStep](), {MEMORY: 0, SESSIONS: 0}
    for path, is_session in files:
        if pages.data(path) is None:
            continue
        count = 1 if is_session else _count(path, pages)
        counts[SESSIONS if is_session else MEMORY] += count
        text = stem_of(path) if is_session else counted(count, "entry", "entries")
        pages.write(path, None, "purged")
        steps.append(UpkeepStep("purged", path, 0, "", text, "", "older than asked"))
    counted_all = tuple(CollectionCount(name, n, n) for name, n in counts.items())
    return Done(tuple(steps), (), counted_all)


def _count(path: str, pages: PageEdits) -> int:
    """How many entries a page holds; none where it cannot be read as one."""
    with suppress(MemwikiError):
        return len(entries_of(pages.page(path)).entries)
    return 0


def restore(live: LiveIndex, name: str, *, dry_run: bool) -> UpkeepReport:
    """Put a retired entry or conversation back where it was."""
    context = live.context
    with reading(live) as view:
        if path := session_named(name, view):
            part = partial(restored_file, path)
        else:
            known = entry_named(name, view)
            pages = PageOutlines(context)
            origin = origin_in(known, pages, context)
            part = partial(restore_entry, known, origin, links_to([known.path], view))
    return execute(live, "restore", [lambda _, pages: part(pages)], dry_run=dry_run)


def origin_in(known: LocatedEntry, pages: PageOutlines, context: Context) -> Origin:
    """Where a retired entry goes back to: a page of the workspace, which may be gone."""
    page = pages[known.path]
    origin = unmark_entry(page, known.entry).origin if FIELD in known.entry.fields else None
    if origin is None:
        raise NotFoundError(
            f"{known.path}:{known.entry.line_start}: does not say where it was",
            "memwiki entry move {} PAGE",
            known.entry.id or known.path,
            path=known.path,
        )
    return origin._replace(path=_page_path(origin.path, context))


def _page_path(path: str, context: Context) -> str:
    """A path that a file says, as one of this workspace."""
    path = real_path(context.root, contain(context.root, path))
    if is_kept(path, context.layers) or not is_page_name(path):
        raise UnsafePathError.at(
            path,
            "entries go back to pages only, not to sources or the archive",
            "memwiki entry move ID PAGE",
        )
    if exists(context.root, path):
        return path
    return aim(PageRequest(path), context.layers, "", lambda _: ()).path


def restore_entry(
    known: LocatedEntry, origin: Origin, links: Mapping[str, Sequence[str]], pages: PageEdits
) -> Done:
    """Take an entry out of the archive and write it below the headings that were above it."""
    page, entry = about_to_leave(*as_it_is(pages.page, known))
    at = pages.elsewhere(page.path, origin.path)
    text, says = at.text(unmark_entry(page, entry).text), at.entry(entry)
    there = _there(origin, pages)
    spot = _spot(there, origin.trail)
    tries = (_place(there, spot, each, pages.max_bytes) for each in (text, dedent_lines(text)))
    after = next((each for each in tries if _is_whole(there, each, spot, says)), None)
    if after is None:
        what = "the entry cannot be restored: it would be read otherwise there"
        raise LineNotEditableError(page.path, entry.line_start, what)
    pages.put(remove_entry(page, entry), "restored")
    pages.put(after, "restored")
    words = " ".join(entry.text.split())[:60]
    step = UpkeepStep(
        "restored", page.path, entry.line_start, entry.id, words, after.path, "asked for"
    )
    return Done((step,), follow_links([step], links, pages))


def _there(origin: Origin, pages: PageEdits) -> Outline:
    """The page where an entry was; it holds entries again when that was its last one."""
    if pages.data(origin.path) is not None:
        return pages.page(origin.path)
    layers = pages.layers
    inner = inner_path(origin.path, layers)
    by_day = is_in(inner, layers.daily) or is_in(inner, layers.inbox)
    return pages.page_for(EntryPage(origin.path, is_by_day=by_day))


def _spot(page: Outline, trail: tuple[str, ...]) -> Spot:
    """Below the headings that were above an entry, else below a new one of that name."""
    if not trail:
        first = page.sections[0].line_start - 1 if page.sections else len(page.lines)
        return Spot(Section("", 0, (), page.start + 1, first), "", "")
    sections = [each for each in page.sections if each.title == trail[-1]]
    sections.sort(key=lambda each: (each.trail != trail, each in page.entry_reading.whole))
    return Spot(own_lines(page, sections[0]), "", "") if sections else Spot(None, trail[-1], "")


def _place(page: Outline, spot: Spot, text: str, max_bytes: int) -> Outline:
    """The page with lines at a spot. Prose there that became an entry when its last item left is
    none again."""
    if spot.title:
        text = f"## {spot.title}\n\n{text}"
    return splice_page(page, splice_at_end(page, text, spot.section), max_bytes)


def dedent_lines(text: str) -> str:
    """Lines without the indentation of the first: below another item they would be nested."""
    blanks = len(text) - len(text.lstrip(" \t"))
    first, *rest = text.split("\n")
    return "\n".join([first[blanks:], *(line[min(blanks, indent_of(line)) :] for line in rest)])


def _is_whole(before: Outline, after: Outline, spot: Spot, entry: Entry) -> bool:
    """Whether a page says what it said, and the entry."""
    first = spot.section.line_start if spot.section and spot.section.title else 0
    others = (
        each
        for each in entries_of(before).entries
        if each.line_start != first or is_item(before, each)
    )
    return statements([*others, entry]) == statements(entries_of(after).entries)


def restored_file(path: str, pages: PageEdits) -> Done:
    """A conversation goes back to the path where it was; AlreadyExistsError when that is taken."""
    if not pages.layers.sessions:
        raise ConfigError(
            "upkeep archive restore: this workspace has no folder for conversations",
            "memwiki config set layers.sessions sessions",
        )
    to = place_of_session(path, pages.layers)
    data = pages.data(path)
    if data is None:
        raise NotFoundError.at(path, "no such file", "memwiki upkeep archive list")
    if pages.data(to) is not None:
        raise AlreadyExistsError.at(
            to, "already exists", "memwiki move {} to another path first", to
        )
    pages.write(path, None, "restored")
    pages.write(to, data, "restored")
    return Done((UpkeepStep("restored", path, 0, "", path.rpartition("/")[2], to, "asked for"),))


def write_snapshot(work: UpkeepWork, pages: PageEdits) -> Done:
    """Write the snapshot, when it is another one than is there."""
    kept, notes, has_core = list[SnapshotPage](), list[str](), False
    own = (path for path in work.paths if not home_of(path, work.config.layers))
    for path in sorted(own, key=lambda path: (_rank(path, work.config.layers), path)):
        try:
            page = pages.page(path)
            if _is_core(page, work.config.layers):
                has_core = True
                kept += held_part(path, page.data, work.config.layers)
        except MemwikiError as error:
            notes.append(f"{path}: not in the snapshot ({error.message})")
    before, data = pages.data(SNAPSHOT), snapshot_of(kept) if kept else None
    is_ours = (before or b"").startswith(SNAPSHOT_MARK.encode())
    is_wanted = bool(kept) or (has_core and is_ours)
    if SNAPSHOT in pages.left or data == before or not is_wanted:
        return Done(notes=tuple(notes))
    reason = "core memories changed" if kept else "all of core is private or over"
    verb, to = ("wrote", SNAPSHOT) if kept else ("purged", "")
    if not work.takes_file(verb, SNAPSHOT):
        return Done(notes=tuple(notes))
    pages.write(SNAPSHOT, data, reason)
    return Done((UpkeepStep(verb, SNAPSHOT, 0, "", "", to, reason),), tuple(notes))


def _rank(path: str, layers: Layers) -> int:
    order = (layers.memory, layers.learnings)
    return order.index(path) if path in order else len(order)


def _is_core(page: Outline, layers: Layers) -> bool:
    declared = page.fields.text("type")
    is_core = category_of(page.path, layers, declared or page.type) == CORE
    return is_core and page.kind is PageKind.COLLECTING
