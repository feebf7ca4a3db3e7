"""Upkeep as text: a line for each step, and what the last run did."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.answers.upkeep import (
    ArchivedItem,
    ArchiveList,
    CompressionGroup,
    CompressionGroups,
    UpkeepReport,
    UpkeepState,
    UpkeepStep,
)
from memwiki.numbers import counted
from memwiki.present.rows import Line, Row, notes_of, rows_of
from memwiki.present.screen import Look, as_path, clean, line
from memwiki.present.text import table, text_of


@text_of.register(UpkeepReport)
def _(answer: UpkeepReport, look: Look) -> str:
    if answer.edited.dry_run:
        return clean(answer.edited.diff).removesuffix("\n")
    return "\n".join([*step_lines(answer, look), look.strong(line(answer.edited.title))])


def step_lines(answer: UpkeepReport, look: Look) -> Iterator[str]:
    """What becomes of each entry, and how many of each collection leave."""
    yield from (_step(step, look) for step in answer.steps)
    for each in answer.collections:
        yield f"{line(each.collection)}: {each.left} of {counted(each.held, 'entry', 'entries')}"


def _step(step: UpkeepStep, look: Look) -> str:
    at = f"{step.path}:{step.line}" if step.line else step.path
    where = (
        f"{as_path(at)} -> {as_path(step.to)}" if step.to not in ("", step.path) else as_path(at)
    )
    text = f"  {line(step.text)}" if step.text else ""
    return f"{step.verb}  {where}{text}  {look.faint(f'({line(step.reason)})')}"


@text_of.register(CompressionGroups)
def _(answer: CompressionGroups, look: Look) -> str:
    return "\n".join(text for group in answer.groups for text in _group_lines(group, look))


def _group_lines(group: CompressionGroup, look: Look) -> Iterator[str]:
    yield look.strong(f"{line(group.type)}: {counted(len(group.entries), 'entry', 'entries')}")
    for each in group.entries:
        at = as_path(f"{each.path}:{each.line_start}")
        yield f"  {each.id or at}  {line(each.text)}"


def upkeep_text(answer: UpkeepState) -> str:
    """The last run and the next one in one line of a status; "" where there is neither."""
    parts = []
    if last := answer.last:
        what = f"failed: {last.error}" if last.error else last.did
        parts.append(f"{last.op} at {last.at}: {line(what)}")
    if answer.due:
        parts.append(f"due {answer.due}")
    return "; ".join(parts)


@text_of.register(ArchiveList)
def _(answer: ArchiveList, look: Look) -> str:
    return table(map(_cells, answer.items), look, whole=[0])


def _cells(item: ArchivedItem) -> tuple[str, ...]:
    return item.id or item.path, item.type, item.retired, item.was, item.text


@rows_of.register(UpkeepReport)
def _(answer: UpkeepReport) -> Iterator[Row]:
    yield Line((answer.edited.title,))
    for each in answer.steps:
        at = f"{each.path}:{each.line}"
        yield Line((each.verb, at, each.id, each.text, each.to, each.reason))
    yield from notes_of(answer.edited.notes)
