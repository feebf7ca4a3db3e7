"""What a sync did and what state the index is in, as rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memwiki.answers.index import Changes, Health, NextStep, Overview, PathStatus, Status
from memwiki.numbers import counted
from memwiki.present.rows import (
    CellTable,
    FoundProblem,
    Line,
    NamedPathCell,
    PathCell,
    Row,
    Rows,
    Words,
    and_more,
    listed,
    rows_of,
    size,
)
from memwiki.present.screen import Look, line
from memwiki.present.terminal import printed, text_of
from memwiki.present.upkeep import upkeep_text
from memwiki.present.watch import watcher_line, watcher_text

_SHOWN_PATHS = 20
_SHOWN_DIFFERENCES = 50
GAP = Words("")  # an empty line


@rows_of.register
def change_rows(answer: Changes, *, is_whole: bool = False) -> Rows:
    """What a sync did; the pages are listed when they are few, or with `is_whole`."""
    groups = (("+", answer.added), ("~", answer.modified), ("-", answer.removed))
    is_listed = is_whole or sum(len(paths) for _, paths in groups) <= _SHOWN_PATHS
    for sign, paths in groups if is_listed else ():
        yield from listed(PathCell(f"{sign} {path}") for path in paths)
    for path in answer.failed:
        yield Line((PathCell(f"! {path}"), "(could not be read)"))
    counts = (
        f"{len(answer.added)} added, {len(answer.modified)} modified, "
        f"{len(answer.removed)} removed, {answer.unchanged} unchanged"
    )
    ignored = f", {answer.ignored} ignored" if answer.ignored else ""
    problems = f", {counted(answer.problems, 'problem')}" if answer.problems else ""
    yield Words(f"{counts}{ignored}{problems} ({answer.seconds:.2f} s)")
    if answer.catalogs:
        yield Words(f"catalogs rewritten: {len(answer.catalogs)}")
    yield from listed(answer.notes)


@rows_of.register
def _(answer: Status) -> Rows:
    """Its counts; the folders of the machine are for its person alone."""
    counts = ("pages", "entries", "sections", "links", "tags", "problems", "ignored")
    yield Words(", ".join(f"{getattr(answer, name):,} {name}" for name in counts))
    if upkeep := upkeep_text(answer.upkeep):
        yield Line((f"upkeep: {upkeep}",))


@text_of.register
def _(answer: Status, look: Look) -> str:
    index, upkeep = answer.index, upkeep_text(answer.upkeep)
    state = "up to date" if answer.fresh else f"{counted(answer.pending, 'change')} pending"
    rows = (
        ("workspace", answer.workspace),
        ("state", f"{state}: {answer.reason}" if answer.reason else state),
        ("pages", _pages(answer)),
        ("entries", f"{answer.entries} (memwiki search is:entry)"),
        ("tags", f"{answer.tags} (memwiki tags)"),
        ("problems", f"{answer.problems} found while reading (memwiki check --only reading)"),
        *([("not parsed", _few(answer.unparsed))] if answer.unparsed else []),
        ("index", f"{index.backend}, generation {index.generation}, {size(index.bytes)}"),
        ("index folder", index.place),
        ("watcher", watcher_text(answer.watcher)),
        *([("upkeep", line(upkeep))] if upkeep else []),
    )
    return printed([CellTable(rows, whole=(1,), paths=(1,))], look)


def _few(paths: Sequence[str]) -> str:
    more = len(paths) - _SHOWN_PATHS
    shown = ", ".join(map(line, paths[:_SHOWN_PATHS]))
    return f"{shown} and {more} more" if more > 0 else shown


def _pages(answer: Status) -> str:
    here = f"memwiki list: {answer.pages - answer.put_away}"
    if answer.put_away:
        here += f", {answer.put_away} in the archive or in namespaces"
    return f"{answer.pages} indexed, {answer.on_disk} on disk, {answer.ignored} ignored ({here})"


@rows_of.register
def _(answer: Overview) -> Rows:
    if answer.workspace:
        parts = [counted(answer.pages, "page"), _step_state(answer.pending)]
        parts += [counted(answer.problems, "problem")] * (answer.problems > 0)
        yield Line((NamedPathCell(answer.workspace),))
        yield Words(", ".join(parts))
        yield from listed(filter(None, [answer.reason, watcher_line(answer.watcher)]))
    else:
        yield Words("No workspace here or above.")
    yield GAP
    yield steps_row(answer.next)


def steps_row(steps: Iterable[NextStep]) -> Row:
    """Commands to try, and what each is for."""
    cells = [(each.command, each.why) for each in steps]
    return CellTable(cells, whole=(0, 1), paths=(0,), depth=1)


def _step_state(pending: int | None) -> str:
    if pending is None:
        return "not checked"
    return f"{counted(pending, 'change')} pending" if pending else "up to date"


@rows_of.register
def _(answer: PathStatus) -> Rows:
    found = "found" if answer.found else "not found"
    state = f"{found}, {answer.reason}" if answer.reason else found
    yield Line(((NamedPathCell(f"{answer.path}:"), state),))
    yield from map(FoundProblem, answer.problems)


@rows_of.register
def _(answer: Health) -> Rows:
    yield Words("healthy" if answer.healthy else "not healthy")
    yield from listed(answer.notes, depth=1)
    if answer.equal is not None:
        yield Words(f"the index is {'equal to' if answer.equal else 'different from'} a rebuild")
    for each in answer.differences[:_SHOWN_DIFFERENCES]:
        yield Line(((f"{each.store}:", PathCell(f"{each.path}:"), each.what),), depth=1)
    yield from and_more(len(answer.differences) - _SHOWN_DIFFERENCES)
