"""Reading a canvas or base by its suffix, and writing other targets into it."""

from __future__ import annotations

from collections.abc import Sequence

from memwiki.errors import NotEditableError
from memwiki.markdown.edit.companion import Companion, TextChange
from memwiki.markdown.edit.obsidian_base import read_base
from memwiki.markdown.edit.obsidian_canvas import read_canvas


def read_companion(path: str, data: bytes) -> Companion:
    """A canvas or a base, by its suffix; NotEditableError when it is not what it should be."""
    return (read_canvas if path.lower().endswith(".canvas") else read_base)(path, data)


def rewritten(companion: Companion, changes: Sequence[TextChange]) -> bytes:
    """The bytes of a file with some changes, proven; NotEditableError when they cannot be made."""
    path = companion.source.path
    data = companion.patched(changes)
    after = read_companion(path, data)
    texts = [inset.text for inset in after.insets]
    if after.frame != companion.frame or texts != companion.expected(changes):
        line = companion.line_of(changes[0].inset)
        raise NotEditableError(
            f"{path}: line {line} is written in a form that memwiki does not change",
            hint="edit this line by hand",
            path=path,
            line=line,
        )
    return data
