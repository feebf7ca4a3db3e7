"""What a verb changed, as rows."""

from __future__ import annotations

from memwiki.answers.edits import Edited
from memwiki.present.rows import (
    Line,
    NamedPathCell,
    PathCell,
    Quote,
    Row,
    Rows,
    listed,
    paths_shown,
    rows_of,
)

_SHOWN_PATHS = 20


@rows_of.register
def _(answer: Edited) -> Rows:
    if answer.dry_run:
        yield diff_row(answer)
        return
    yield title_row(answer)
    yield from listed(answer.details if answer.op == "move" else ())
    is_named = len(answer.paths) == 1 and answer.title.endswith(f" {answer.paths[0]}")
    yield from paths_shown(() if is_named else answer.paths, _SHOWN_PATHS)
    for path in answer.merged:
        yield Line((("merged with what changed meanwhile:", PathCell(path)),), depth=1)


def title_row(edited: Edited) -> Line:
    """What was done."""
    return Line((NamedPathCell(edited.title or edited.op),))


def diff_row(edited: Edited) -> Row:
    """What would change."""
    return Quote(edited.diff, facts={"diff": "nothing was changed"}, head=(title_row(edited),))
