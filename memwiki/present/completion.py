"""What the shell offers, one line each: the value, a tab, a note."""

from __future__ import annotations

from memwiki.answers.completion import CompletionList, CompletionScript
from memwiki.present.screen import Look, as_path, line
from memwiki.present.text import text_of


@text_of.register(CompletionList)
def _(answer: CompletionList, _look: Look) -> str:
    return "\n".join(f"{as_path(each.value)}\t{line(each.note)}" for each in answer.completions)


@text_of.register(CompletionScript)
def _(answer: CompletionScript, _look: Look) -> str:
    return answer.script
