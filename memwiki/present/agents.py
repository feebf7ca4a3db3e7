"""What is installed for coding agents, as text."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.answers.agents import AgentReport, AgentStatus, HookSilence
from memwiki.numbers import counted
from memwiki.present.screen import Look, as_path, clean, line
from memwiki.present.text import table, text_of


@text_of.register(AgentReport)
def _(answer: AgentReport, look: Look) -> str:
    lines = list(_lines(answer, look))
    if answer.dry_run:
        lines.insert(0, clean(answer.diff).removesuffix("\n"))
    return "\n".join(filter(None, lines)) or "nothing to do"


def _lines(answer: AgentReport, look: Look) -> Iterator[str]:
    for file in answer.files:
        if file.change == "refused":
            yield f"{look.strong('not edited')}  {as_path(file.path)}: {line(file.why)}"
            yield from (f"    {clean(each)}" for each in file.snippet.splitlines())
        elif not answer.dry_run:
            yield f"{file.change}  {as_path(file.path)}"
    if answer.commands:
        yield "Run:"
        yield from (f"  {clean(command)}" for command in answer.commands)
    yield from (clean(note) for note in answer.notes)


@text_of.register(AgentStatus)
def _(answer: AgentStatus, look: Look) -> str:
    rows = [(p.agent, p.scope, p.part, p.state, p.path) for p in answer.parts]
    first = (
        table(rows, look, paths=(4,))
        if rows
        else "nothing is installed; try: memwiki agent install claude-code"
    )
    return "\n".join([first, *map(_silence, answer.silences)])


def _silence(each: HookSilence) -> str:
    text = (
        f"{each.agent} {each.moment}: {each.why} ({counted(each.times, 'time')}, last {each.last})"
    )
    return line(text)
