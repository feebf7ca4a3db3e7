"""What a verb changed, as text."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.answers.edits import Edited
from memwiki.present.rows import Line, Quote, Row, notes_of, rows_of
from memwiki.present.screen import Look, as_path, clean, line
from memwiki.present.text import text_of

_SHOWN_PATHS = 20
_LONGEST_DIFF = 40_000


@text_of.register(Edited)
def _(answer: Edited, look: Look) -> str:
    if answer.dry_run:
        return clean(answer.diff).removesuffix("\n")
    lines = [look.strong(as_path(answer.title))]
    lines += [line(each) for each in answer.details if answer.op == "move"]
    is_named = len(answer.paths) == 1 and answer.title.endswith(f" {answer.paths[0]}")
    paths = () if is_named else answer.paths
    lines += [f"  {as_path(path)}" for path in paths[:_SHOWN_PATHS]]
    if len(paths) > _SHOWN_PATHS:
        lines.append(look.faint(f"  … and {len(answer.paths) - _SHOWN_PATHS} more"))
    lines += [f"  merged with what changed meanwhile: {as_path(path)}" for path in answer.merged]
    return "\n".join(lines)


@rows_of.register(Edited)
def _(answer: Edited) -> Iterator[Row]:
    title = Line((answer.title or answer.op,), is_item=False)
    if answer.dry_run:
        yield Quote(
            answer.diff[:_LONGEST_DIFF], facts={"diff": "nothing was changed"}, head=(title,)
        )
    else:
        yield title
        yield Line(answer.paths, is_item=False)
        if answer.merged:
            yield Line(("merged with changes made meanwhile:", *answer.merged))
    yield from notes_of(answer.notes)
