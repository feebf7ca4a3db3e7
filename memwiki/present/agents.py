"""What is installed for coding agents and what tools they are offered, as rows."""

from __future__ import annotations

from memwiki.answers.agents import AgentReport, AgentStatus, ToolDefinitions
from memwiki.numbers import counted
from memwiki.present.plain import as_json
from memwiki.present.rows import (
    CellTable,
    Line,
    NameCell,
    PathCell,
    Quote,
    Rows,
    TextCell,
    Words,
    listed,
    rows_of,
)


@rows_of.register
def _(answer: AgentReport) -> Rows:
    return list(_report_rows(answer)) or [Words("nothing to do")]


def _report_rows(answer: AgentReport) -> Rows:
    if answer.dry_run and answer.diff:
        yield Quote(answer.diff)
    for file in answer.files:
        if file.change == "refused":
            yield Line((NameCell("not edited"), (PathCell(f"{file.path}:"), file.why)))
            yield from listed(map(TextCell, file.snippet.splitlines()), depth=2)
        elif not answer.dry_run:
            yield Line((file.change, PathCell(file.path)))
    if answer.commands:
        yield Words("Run:")
        yield from listed(map(TextCell, answer.commands), depth=1)
    yield from listed(map(TextCell, answer.notes))


@rows_of.register
def _(answer: AgentStatus) -> Rows:
    rows = [(p.agent, p.scope, p.part, p.state, p.path) for p in answer.parts]
    if rows:
        yield CellTable(rows, paths=(4,))
    else:
        yield Words("nothing is installed; try: memwiki agent install claude-code")
    for each in answer.silences:
        times = f"({counted(each.times, 'time')}, last {each.last})"
        yield Line((f"{each.agent} {each.moment}: {each.why} {times}",))


@rows_of.register
def _(answer: ToolDefinitions) -> Rows:
    """As JSON for people, too: it is what they copy."""
    yield Quote("[\n" + ",\n".join(map(as_json, answer.tools)) + "\n]")
