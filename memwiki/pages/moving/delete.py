"""Deleting a page: into the archive where there is one, with what will lead nowhere."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import NamedTuple

from memwiki.change.plan import Edit, Plan, edit_of
from memwiki.errors import UsageError
from memwiki.files.read import exists
from memwiki.index.cards.lookup import Lookup
from memwiki.index.cards.names_in_memory import NamesOverlay
from memwiki.index.names import entry_number, targets_of
from memwiki.names import first_free, require_str, without_suffix
from memwiki.nouns import Link, LinkKind, Page
from memwiki.pages.companions import companions, opened
from memwiki.pages.moving.aim import file_named
from memwiki.pages.moving.companions import CompanionMover
from memwiki.pages.moving.move import left_unread, why_frozen
from memwiki.pages.moving.relink import BrokenLink, MoveContext, Relinker, context_of, told
from memwiki.pages.page import Planned
from memwiki.sync.context import Context

_NOT_KEPT = "no copy was kept: undo restores the change before this one; git may still have it"


def delete(name: str, workspace: Context, lookup: Lookup, *, is_final: bool) -> Planned:
    """A plan that removes a file, or puts it away in the archive, whatever links to it."""
    require_str("delete", name)
    context = context_of(workspace, lookup)
    path = _file(name, context)
    archive = "" if is_final else context.layers.archive
    archived = archive_path(path, archive, lambda location: exists(workspace.root, location))
    data = context.read(path)
    broken = what_breaks([path], context, _shelved(path, archived, data, context))
    edits = _edits(path, archived, data, context)
    details = (f"broken links: {len(broken.links)}",) if broken.links else ()
    title = f"archived {path} as {archived}" if archived else f"deleted {path}"
    plan = Plan(edits, title, "delete", details, is_final=is_final)
    kept = (_NOT_KEPT,) if is_final else ()
    return Planned(plan, (*broken.notes, *kept), path)


class WhatBreaks(NamedTuple):
    """The links that will lead nowhere, and all that a person should know of it."""

    links: tuple[BrokenLink, ...]
    notes: tuple[str, ...]


def what_breaks(
    paths: Sequence[str], context: MoveContext, shelved: Sequence[tuple[str, Page]] = ()
) -> WhatBreaks:
    """What becomes of the links to files that go; `shelved` are (path now, page in the archive)."""
    gone = dict.fromkeys(paths, "")
    numbers = [number for path in paths for number in _numbers(path, context)]
    relinker = Relinker(
        context.lookup, NamesOverlay(context.lookup, gone, shelved), context.layers, {}
    )
    mover = CompanionMover(relinker, context.layers, gone, ("", ""), numbers)
    files = opened(companions(context.workspace, context.lookup), context.layers)
    beside = [mover.kept(file) for file in files if file.path not in gone]
    left = list(_dangling(gone, numbers, relinker, context))
    left += [broken for each in beside for broken in each.broken]
    unread = [note for note in left_unread(gone, context) if note.partition(": ")[0] not in gone]
    notes = (note for each in beside for note in each.notes)
    return WhatBreaks(tuple(left), (*told(left), *unread, *notes))


def _file(name: str, context: MoveContext) -> str:
    """The page or file that is meant, when it can be deleted and come back."""
    path = file_named(name, context)
    if not path:
        raise UsageError(f"{name}: is a folder", hint="delete its pages one by one")
    if (context.root / path).is_symlink():
        hint = "remove the symlink itself, for example with rm; its target is kept"
        raise UsageError(f"{path}: is a symlink, and undo would bring back a file", hint=hint)
    return path


def _edits(path: str, archived: str, data: bytes, context: MoveContext) -> tuple[Edit, ...]:
    """The file that goes, after the one on the shelf is there."""
    reason = f"archived as {archived}" if archived else "deleted"
    gone = edit_of(path, data, None, reason)
    if not archived:
        return (gone,)
    put = Edit(
        archived, "", _archived(path, archived, data, context), f"moved from {path}", was=path
    )
    return put, gone


def archive_folder(folder: str, archive: str, is_taken: Callable[[str], bool]) -> str:
    """The same for a whole folder."""
    return first_free(f"{archive}/{folder}", "", is_taken)


def archive_path(path: str, archive: str, is_taken: Callable[[str], bool]) -> str:
    """Where a page goes in the archive: its path below it, with a number when that is taken."""
    if not archive or path.startswith(f"{archive}/"):
        return ""
    stem, suffix = without_suffix(path), path[len(without_suffix(path)) :]
    if not suffix:
        folder, slash, name = path.rpartition("/")
        stem, dot, ending = name.partition(".")
        stem, suffix = folder + slash + stem, dot + ending
    return first_free(f"{archive}/{stem}", suffix, is_taken)


def _archived(path: str, archived: str, data: bytes, context: MoveContext) -> bytes:
    """The page with its own links written for its new place, so that it can come back from
    there."""
    page = context.page(path, data)
    if context.lookup.card(path) is None or why_frozen(path, data, page, context):
        return data
    moves = {path: archived}
    after = NamesOverlay(context.lookup, moves, [(path, context.page(archived, data))])
    relinker = Relinker(context.lookup, after, context.layers, moves)
    return relinker.rewrite(context.outlines.of(path, data), archived)[0]


def _shelved(path: str, archived: str, data: bytes, context: MoveContext) -> list[tuple[str, Page]]:
    """The page as it will be in the archive, where its entries are found by their ids still."""
    if not archived or context.lookup.card(path) is None:
        return []
    return [(path, context.page(archived, data))]


def _numbers(path: str, context: MoveContext) -> list[int]:
    """The numbers under which links to a file and its entries are found."""
    card = context.lookup.card(path)
    if card is None:
        return list(targets_of(Link(path, "", 0, LinkKind.EMBED), ""))
    ids = {entry_number(id_) for _, id_ in context.lookup.ids_of([card.id])}
    return [*context.lookup.target_numbers(path), *ids]


def _dangling(
    gone: Container[str], numbers: list[int], relinker: Relinker, context: MoveContext
) -> Iterator[BrokenLink]:
    """The links of other pages that mean these files."""
    for source in context.lookup.linking(numbers):
        if source not in gone:
            page = context.page(source, context.head(source))
            yield from relinker.broken(page, page)
