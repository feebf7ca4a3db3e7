"""A folder that was made a workspace, as text."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.answers.setup import InitReport
from memwiki.numbers import counted
from memwiki.present.index import steps_text
from memwiki.present.screen import Look, as_path
from memwiki.present.text import text_of


@text_of.register(InitReport)
def _(answer: InitReport, look: Look) -> str:
    return "\n".join(_lines(answer, look))


def _lines(answer: InitReport, look: Look) -> Iterator[str]:
    verb = "adopted" if answer.adopted else "created"
    yield f"{verb} {look.strong(as_path(answer.workspace))}"
    yield from (f"  {as_path(path)}" for path in answer.created)
    yield from (f"  {as_path(path)}  (kept as it was)" for path in answer.kept)
    if answer.pages is not None:
        yield f"indexed {counted(answer.pages, 'page')}, {counted(answer.links or 0, 'link')}"
    if answer.problems:
        yield f"{counted(answer.problems, 'problem')} in reading: memwiki check --only reading"
    if answer.catalogs:
        more = f" and {counted(len(answer.catalogs) - 1, 'more catalog')}"
        yield f"wrote {as_path(answer.catalogs[0])}{more if len(answer.catalogs) > 1 else ''}"
    if answer.next:
        yield f"\nTry:\n{steps_text(answer.next, look)}"
