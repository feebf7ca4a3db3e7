"""What a sync did and what state the index is in, as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memwiki.answers.keeping import Changes, Health, InitReport, Overview, PathStatus, Status
from memwiki.model import Problem
from memwiki.present.screen import Look, line
from memwiki.present.text import size, table, text_of
from memwiki.present.watching import watcher_text

_SHOWN_PATHS = 20
_SHOWN_DIFFERENCES = 50


@text_of.register(InitReport)
def _(answer: InitReport, _look: Look) -> str:
    verb = "adopted" if answer.adopted else "created"
    lines = [f"  {line(path)}" for path in answer.created]
    return "\n".join([f"{verb} {line(answer.workspace)}", *lines])


@text_of.register(Changes)
def _(answer: Changes, look: Look) -> str:
    groups = (("+", answer.added), ("~", answer.modified), ("-", answer.removed))
    lines = [each for sign, paths in groups for each in _paths(sign, paths, look)]
    lines += [f"! {line(path)}  (could not be read)" for path in answer.failed]
    counts = (
        f"{len(answer.added)} added, {len(answer.modified)} modified, "
        f"{len(answer.removed)} removed, {answer.unchanged} unchanged"
    )
    others = (("ignored", answer.ignored), ("problems", answer.problems))
    extra = "".join(f", {number} {name}" for name, number in others if number)
    lines.append(f"{counts}{extra} ({answer.seconds:.2f} s)")
    if answer.catalogs:
        lines.append(f"catalogs rewritten: {len(answer.catalogs)}")
    return "\n".join(lines + [line(note) for note in answer.notes])


def _paths(sign: str, paths: Sequence[str], look: Look) -> Iterable[str]:
    for path in paths[:_SHOWN_PATHS]:
        yield f"{sign} {line(path)}"
    if len(paths) > _SHOWN_PATHS:
        yield look.faint(f"{sign} … and {len(paths) - _SHOWN_PATHS} more")


@text_of.register(Status)
def _(answer: Status, look: Look) -> str:
    index = answer.index
    state = "in step" if answer.fresh else f"{answer.pending} changes pending"
    rows = (
        ("workspace", answer.workspace),
        ("state", f"{state}: {answer.reason}" if answer.reason else state),
        ("pages", f"{answer.pages} indexed, {answer.on_disk} on disk, {answer.ignored} ignored"),
        ("content", f"{answer.sections} sections, {answer.entries} entries, {answer.tags} tags"),
        ("links", str(answer.links)),
        ("problems", str(answer.problems)),
        ("index", f"{index.backend}, generation {index.generation}, {size(index.bytes)}"),
        ("place", index.place),
        ("watcher", watcher_text(answer.watcher)),
    )
    return table(rows, look, whole=[1])


@text_of.register(Overview)
def _(answer: Overview, look: Look) -> str:
    narrower = look if look.width is None else look._replace(width=look.width - 2)
    steps = table(((each.command, each.why) for each in answer.next), narrower, whole=[0, 1])
    if not answer.workspace:
        return f"No workspace here or above.\n\n{_indented(steps)}"
    state = {None: "not looked at", 0: "in step"}.get(
        answer.pending, f"{answer.pending} changes pending"
    )
    parts = [
        f"{answer.pages} pages",
        state,
        *([f"{answer.problems} problems"] * (answer.problems > 0)),
    ]
    head = f"{look.strong(line(answer.workspace))}\n{', '.join(parts)}"
    return "\n".join(filter(None, [head, line(answer.reason)])) + f"\n\n{_indented(steps)}"


def _indented(text: str) -> str:
    return "\n".join(f"  {each}" for each in text.split("\n"))


@text_of.register(PathStatus)
def _(answer: PathStatus, look: Look) -> str:
    found = "found" if answer.found else "not found"
    head = f"{look.strong(line(answer.path))}: {found}"
    lines = [f"{head}, {line(answer.reason)}" if answer.reason else head]
    return "\n".join(lines + [_problem(each) for each in answer.problems])


def _problem(problem: Problem) -> str:
    place = f"{line(problem.path)}:{problem.line}"
    return f"{place}: {problem.severity}: {line(problem.message)} ({problem.code})"


@text_of.register(Health)
def _(answer: Health, _look: Look) -> str:
    lines = ["healthy" if answer.healthy else "not healthy"]
    lines += [f"  {line(note)}" for note in answer.notes]
    if answer.equal is not None:
        equal = "equal to" if answer.equal else "different from"
        lines.append(f"the index is {equal} a rebuild")
    shown = answer.differences[:_SHOWN_DIFFERENCES]
    lines += [f"  {each.store}: {line(each.path)}: {line(each.what)}" for each in shown]
    if len(answer.differences) > len(shown):
        lines.append(f"  … and {len(answer.differences) - len(shown)} more")
    return "\n".join(lines)
