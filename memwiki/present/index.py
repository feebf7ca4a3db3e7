"""What a sync did and what state the index is in, as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from memwiki.answers.index import Changes, Health, NextStep, Overview, PathStatus, Status
from memwiki.model import Problem
from memwiki.numbers import counted
from memwiki.present.rows import Line, Row, Words, rows_of
from memwiki.present.screen import Look, as_path, line
from memwiki.present.text import size, table, text_of
from memwiki.present.upkeep import upkeep_text
from memwiki.present.watch import watcher_line, watcher_text

_SHOWN_PATHS = 20
_SHOWN_DIFFERENCES = 50


@text_of.register(Changes)
def _(answer: Changes, _look: Look) -> str:
    return changes_text(answer, is_whole=False)


def changes_text(answer: Changes, *, is_whole: bool) -> str:
    """What a sync did; the pages are listed when they are few, or with `is_whole`."""
    groups = (("+", answer.added), ("~", answer.modified), ("-", answer.removed))
    is_listed = is_whole or sum(len(paths) for _, paths in groups) <= _SHOWN_PATHS
    listed = groups if is_listed else ()
    lines = [f"{sign} {as_path(path)}" for sign, paths in listed for path in paths]
    lines += [f"! {as_path(path)}  (could not be read)" for path in answer.failed]
    counts = (
        f"{len(answer.added)} added, {len(answer.modified)} modified, "
        f"{len(answer.removed)} removed, {answer.unchanged} unchanged"
    )
    ignored = f", {answer.ignored} ignored" if answer.ignored else ""
    problems = f", {counted(answer.problems, 'problem')}" if answer.problems else ""
    lines.append(f"{counts}{ignored}{problems} ({answer.seconds:.2f} s)")
    if answer.catalogs:
        lines.append(f"catalogs rewritten: {len(answer.catalogs)}")
    return "\n".join(lines + [line(note) for note in answer.notes])


@text_of.register(Status)
def _(answer: Status, look: Look) -> str:
    index = answer.index
    state = "up to date" if answer.fresh else f"{counted(answer.pending, 'change')} pending"
    unparsed = [("not parsed", _few(answer.unparsed))] if answer.unparsed else []
    rows = (
        ("workspace", answer.workspace),
        ("state", f"{state}: {answer.reason}" if answer.reason else state),
        ("pages", _pages(answer)),
        ("entries", f"{answer.entries} (memwiki search is:entry)"),
        ("tags", f"{answer.tags} (memwiki tags)"),
        ("problems", f"{answer.problems} found while reading (memwiki check --only reading)"),
        *unparsed,
        ("index", f"{index.backend}, generation {index.generation}, {size(index.bytes)}"),
        ("index folder", index.place),
        ("watcher", watcher_text(answer.watcher)),
        *([("upkeep", upkeep)] if (upkeep := upkeep_text(answer.upkeep)) else []),
    )
    return table(rows, look, whole=[1], paths=[1])


def _few(paths: Sequence[str]) -> str:
    more = len(paths) - _SHOWN_PATHS
    shown = ", ".join(map(line, paths[:_SHOWN_PATHS]))
    return f"{shown} and {more} more" if more > 0 else shown


def _pages(answer: Status) -> str:
    listed = f"memwiki list: {answer.pages - answer.put_away}"
    if answer.put_away:
        listed += f", {answer.put_away} in the archive or in namespaces"
    return f"{answer.pages} indexed, {answer.on_disk} on disk, {answer.ignored} ignored ({listed})"


@text_of.register(Overview)
def _(answer: Overview, look: Look) -> str:
    steps = steps_text(answer.next, look)
    if not answer.workspace:
        return f"No workspace here or above.\n\n{steps}"
    parts = [counted(answer.pages, "page"), _step_state(answer.pending)]
    parts += [counted(answer.problems, "problem")] * (answer.problems > 0)
    head = f"{look.strong(as_path(answer.workspace))}\n{', '.join(parts)}"
    rest = [line(answer.reason), watcher_line(answer.watcher)]
    return "\n".join(filter(None, [head, *rest])) + f"\n\n{steps}"


def steps_text(steps: Iterable[NextStep], look: Look) -> str:
    """Commands to try, and what each is for."""
    narrower = look if look.width is None else look._replace(width=look.width - 2)
    rows = ((each.command, each.why) for each in steps)
    return _indented(table(rows, narrower, whole=[0, 1], paths=[0]))


def _step_state(pending: int | None) -> str:
    if pending is None:
        return "not checked"
    return f"{counted(pending, 'change')} pending" if pending else "up to date"


def _indented(text: str) -> str:
    return "\n".join(f"  {each}" for each in text.split("\n"))


@text_of.register(PathStatus)
def _(answer: PathStatus, look: Look) -> str:
    found = "found" if answer.found else "not found"
    head = f"{look.strong(as_path(answer.path))}: {found}"
    lines = [f"{head}, {line(answer.reason)}" if answer.reason else head]
    return "\n".join(lines + [_problem(each) for each in answer.problems])


def _problem(problem: Problem) -> str:
    place = f"{as_path(problem.path)}:{problem.line}"
    return f"{place}: {problem.severity}: {line(problem.message)} ({problem.code})"


@text_of.register(Health)
def _(answer: Health, _look: Look) -> str:
    lines = ["healthy" if answer.healthy else "not healthy"]
    lines += [f"  {line(note)}" for note in answer.notes]
    if answer.equal is not None:
        equal = "equal to" if answer.equal else "different from"
        lines.append(f"the index is {equal} a rebuild")
    shown = answer.differences[:_SHOWN_DIFFERENCES]
    lines += [f"  {each.store}: {as_path(each.path)}: {line(each.what)}" for each in shown]
    if len(answer.differences) > len(shown):
        lines.append(f"  … and {len(answer.differences) - len(shown)} more")
    return "\n".join(lines)


@rows_of.register(Status)
def _(answer: Status) -> Iterator[Row]:
    counts = ("pages", "entries", "sections", "links", "tags", "problems", "ignored")
    yield Words(", ".join(f"{getattr(answer, name):,} {name}" for name in counts))
    if answer.upkeep.due:
        yield Words(f"upkeep is due: {answer.upkeep.due}")
    if answer.upkeep.last:
        yield Words(f"last upkeep: {answer.upkeep.last.at}")


@rows_of.register(PathStatus)
def _(answer: PathStatus) -> Iterator[Row]:
    yield Line(("found" if answer.found else "not found", answer.reason))
    for each in answer.problems:
        yield Line((f"{each.line}: {each.message} [{each.code}]",))
