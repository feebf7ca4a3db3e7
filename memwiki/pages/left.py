"""What a move leaves as it was, and tells: pages that could not be parsed, and the lists of pages
that makers of sites go by."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from posixpath import basename, dirname

from memwiki.names import fold, path_in, stem_of, without_suffix
from memwiki.pages.relink import MoveContext
from memwiki.text import pattern

# Of Jupyter Book, MyST and Docusaurus.
_LISTS = ("_toc.yml", "myst.yml", "sidebars.js", "sidebars.ts", "sidebars.json")
_SHOWN = 20  # lines of one
_FOLDERS = ("", "docs")  # beside them, in which the pages are
_NAMED = pattern(r"[\w.-][\w./-]*+")


def left_unread(paths: Collection[str], context: MoveContext) -> Iterator[str]:
    """The pages that could not be parsed, so that whatever links stand in them are left as they
    are."""
    names = {fold(stem_of(path)) for path in paths}
    for path in (problem.path for problem in context.lookup.unparsed()):
        text = fold(context.read(path).decode("utf-8", "replace"))
        if path in paths or any(name in text for name in names):
            yield f"{path}: memwiki could not parse it; its links were not changed"


def left_naming(moves: Mapping[str, str], context: MoveContext) -> Iterator[str]:
    """The lines of lists that name a page which is elsewhere now."""
    gone = {name for old, new in moves.items() if old != new for name in (old, without_suffix(old))}
    for path in context.lookup.attachments_ending(_LISTS):
        if path in moves or basename(path) not in _LISTS:
            continue
        lines = context.head(path).decode("utf-8", "replace").split("\n")
        folders = [f"{dirname(path)}/{each}" for each in _FOLDERS]
        found = (
            f"{path}:{number}: still names {name}; not changed"
            for number, line in enumerate(lines, 1)
            for name in _NAMED.findall(line)
            if any(path_in(folder, name) in gone for folder in folders)
        )
        yield from islice(found, _SHOWN)
        if next(found, ""):
            yield f"{path}: names more that moved"
