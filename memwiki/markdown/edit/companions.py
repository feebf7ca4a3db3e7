"""Reading a canvas or base by its suffix, and writing other targets into it."""

from __future__ import annotations

from collections.abc import Sequence
from posixpath import basename

from memwiki.errors import NotEditableError
from memwiki.markdown.edit.companion import Companion, TextChange
from memwiki.markdown.edit.mkdocs_nav import read_nav
from memwiki.markdown.edit.obsidian_base import read_base
from memwiki.markdown.edit.obsidian_canvas import read_canvas
from memwiki.names import MKDOCS_CONFIGS


def read_companion(path: str, data: bytes) -> Companion:
    """A navigation, a canvas or a base, by its name; NotEditableError when it is not what it should
    be."""
    if basename(path) in MKDOCS_CONFIGS:
        return read_nav(path, data)
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
