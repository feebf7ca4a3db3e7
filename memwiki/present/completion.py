"""What the shell offers, one line each: the value, a tab, a note."""

from __future__ import annotations

from memwiki.answers.completion import CompletionList, CompletionScript
from memwiki.present.rows import Quote, Rows, rows_of
from memwiki.present.screen import as_path, line


@rows_of.register
def _(answer: CompletionList) -> Rows:
    lines = (f"{as_path(each.value)}\t{line(each.note)}" for each in answer.completions)
    yield Quote("\n".join(lines))


@rows_of.register
def _(answer: CompletionScript) -> Rows:
    yield Quote(answer.script)
