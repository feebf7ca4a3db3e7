"""What retired: listed, and purged when it is old."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date

from memwiki.answers.upkeep import ArchivedItem, CollectionCount, UpkeepStep
from memwiki.dates import named_day
from memwiki.errors import AmbiguousError, MemwikiError, NotFoundError
from memwiki.markdown.describe import inner_path, is_in, shorten
from memwiki.markdown.page_entries import entries_of
from memwiki.memory.addresses import PageOutlines, find_entry
from memwiki.memory.view import LocatedEntry
from memwiki.names import fold, stem_of
from memwiki.nouns import Layers
from memwiki.numbers import counted
from memwiki.sync.reading import Reading
from memwiki.upkeep.origin import FIELD, unmarked
from memwiki.upkeep.page_edits import PageEdits
from memwiki.upkeep.retire import MEMORY, SESSIONS
from memwiki.upkeep.work import Done, day_of_session

_MONTH = re.compile(r"(\d{4}-\d\d)(?:-\d+)?")
_SHOWN = 60


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


def archived(view: Reading, query: str) -> Iterator[ArchivedItem]:
    """What is in the archive, newest month first; with a query what has all its words."""
    words = fold(query).split()
    context = view.context
    rows = sorted(archived_paths(view), key=lambda row: (row[1], _newest_first(row[0])))
    for path, is_session in rows:
        pages = PageOutlines(context.root, context.layers, context.max_bytes)
        for each in [_session(path, view)] if is_session else _entries(path, pages):
            text = fold(f"{each.id} {each.type} {each.was} {each.text}")
            if all(word in text for word in words):
                yield each._replace(text=shorten(" ".join(each.text.split()), _SHOWN))


def _newest_first(path: str) -> tuple[list[int], str]:
    return [-ord(sign) for sign in month_of(path)], path


def _entries(path: str, pages: PageOutlines) -> Iterator[ArchivedItem]:
    page = pages[path]
    for entry in entries_of(page).entries:
        origin = unmarked(page, entry).origin if FIELD in entry.fields else None
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
            f"{name}: is in {known.path}, not in the archive", hint="memwiki upkeep archive list"
        )
    return known


def session_named(name: str, view: Reading) -> str:
    """The path of the retired conversation of a path or file name, "" when there is none."""
    sessions = [path for path, is_session in archived_paths(view) if is_session]
    if name in sessions:
        return name
    found = [path for path in sessions if stem_of(path) == stem_of(name) and "/" not in name]
    if len(found) > 1:
        raise AmbiguousError(
            f"{name}: {len(found)} conversations are called so",
            hint="give the path of one of them",
            candidates=tuple(found),
        )
    return found[0] if found else ""


# --- purge ---


def past(path: str, *, is_session: bool, view: Reading) -> date | None:
    """The last day of what an archived file holds; None when nothing says it."""
    if not is_session:
        return named_day(month_of(path), date.max, is_end=True)
    day = day_of_session(path, view.context)
    return named_day(day[:10], date.max, is_end=True) if day else None


def old_files(view: Reading, before: date) -> list[tuple[str, bool]]:
    """The archived files of which everything is older than a day."""
    return sorted(
        (path, is_session)
        for path, is_session in archived_paths(view)
        if (day := past(path, is_session=is_session, view=view)) and day < before
    )


def purged(files: Sequence[tuple[str, bool]], pages: PageEdits) -> Done:
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
