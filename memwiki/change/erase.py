"""Clearing a text that was deleted for good from the undo records of all machines, and from the
journal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeAlias

from memwiki.change.journal import rotated_folder
from memwiki.change.plan import Edit, edit_of
from memwiki.change.record import change_of, resealed, title_of, without
from memwiki.change.undo import stack_of
from memwiki.files.lock import LOCK_NAME, Lock, state_folder
from memwiki.files.read import current_bytes
from memwiki.files.records import Fields, machines_of
from memwiki.markdown.source import UTF16_CODECS

IsIn: TypeAlias = Callable[[str], bool]  # whether a text repeats what was deleted
_DELETED = "deleted for good"


def erase_records(root: Path, paths: Iterable[str], is_in: IsIn, key: bytes) -> None:
    """Keep nothing of these files, nor of what repeats the text, in any undo record."""
    with Lock(state_folder(root) / LOCK_NAME):
        for machine in machines_of(root, "undo"):
            erased = partial(_erased, gone=set(paths), is_in=is_in, key=key)
            stack_of(root, machine).rewrite(erased)


def _erased(fields: Fields, *, gone: set[str], is_in: IsIn, key: bytes) -> Fields | None:
    kept = without(fields, gone)
    if kept is None:
        return None
    change = change_of(kept)
    repeating = {
        each.path
        for each in change.inverses
        if is_in(each.path) or is_in(each.data.decode("utf-8", "replace"))
    }
    kept = without(kept, repeating) if repeating else kept
    if kept is None:
        return None
    title = "" if is_in(title_of(kept)) else title_of(kept)
    kept |= {"title": title, "folders": [each for each in change.folders if not is_in(each)]}
    return resealed(fields, kept, key)


def journal_edits(root: Path, log: str, is_in: IsIn) -> Iterator[Edit]:
    """The journal, and what became too long of it, without the lines that repeat the text."""
    if not log:
        return
    older = sorted((root / rotated_folder(log)).glob("*.md"))
    for path in (log, *(each.relative_to(root).as_posix() for each in older)):
        existing = current_bytes(root, path)
        if existing is not None and (data := _without_lines(existing, is_in)) != existing:
            yield edit_of(path, existing, data, _DELETED)


def _without_lines(existing: bytes, is_in: IsIn) -> bytes:
    """A journal whose entries say no more than what was done where they repeat the text."""
    codec = UTF16_CODECS.get(existing[:2], "utf-8")
    lines = existing.decode(codec, "surrogateescape").splitlines(keepends=True)
    kept = (_line_left(line) if is_in(line) else line for line in lines)
    return "".join(kept).encode(codec, "surrogateescape")


def _line_left(line: str) -> str:
    head, bar, _ = line.partition("|")
    if not (bar and line.startswith("#")):
        return ""
    return f"{head}| {_DELETED}{line[len(line.rstrip()) :]}"
