"""A folder that was made a workspace, as text."""

from __future__ import annotations

from memwiki.answers.setup import InitReport
from memwiki.present.screen import Look, as_path
from memwiki.present.text import text_of


@text_of.register(InitReport)
def _(answer: InitReport, _look: Look) -> str:
    verb = "adopted" if answer.adopted else "created"
    lines = [f"  {as_path(path)}" for path in answer.created]
    return "\n".join([f"{verb} {as_path(answer.workspace)}", *lines])
