"""Deleting a page, or all files of a namespace: into the archive where there is one, with what
will lead nowhere."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import NamedTuple

from memwiki.change.plan import Edit, Plan, edit_of
from memwiki.errors import ConfigError, NotEditableError, UsageError
from memwiki.files.paths import namespaces_in
from memwiki.files.read import exists, read
from memwiki.index.cards.lookup import Lookup
from memwiki.index.find import NamesOverlay
from memwiki.index.names import entry_number, targets_of
from memwiki.names import first_free, is_in_folder, require_str, without_suffix
from memwiki.nouns import Link, LinkKind, Page
from memwiki.numbers import counted
from memwiki.pages.companions import CompanionMover, companions, left_unread, open_companions
from memwiki.pages.move import file_named, why_frozen
from memwiki.pages.moved_folder import require_bearable
from memwiki.pages.page import Planned
from memwiki.pages.relink import BrokenLink, MoveContext, Relinker, broken_link_notes, context_of
from memwiki.scope import EVERY, scope_of
from memwiki.sync.context import Context
from memwiki.sync.reading import no_namespace

_NOT_KEPT = "no copy was kept: undo restores the change before this one; git may still have it"
_LINK_HINT = "remove the symlink itself, for example with rm; its target is kept"
KEPT_BY_GIT = "nothing was kept to undo it; git may still have it"


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
    return Planned(plan, (*_memories_on(path, data, context), *broken.notes, *kept), path)


def _memories_on(path: str, data: bytes, context: MoveContext) -> Iterator[str]:
    """What is said of a page on which memories are: whoever names it may mean one of them."""
    is_page = context.lookup.card(path) is not None
    if count := len(context.page(path, data).entries) if is_page else 0:
        said = counted(count, "memory", "memories")
        yield f"takes {said} along; one alone goes by its id"


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
    mover = CompanionMover(relinker, context, gone, ("", ""), numbers)
    files = open_companions(companions(context.workspace, context.lookup), context.layers)
    beside = [mover.kept(file) for file in files if file.path not in gone]
    left = list(_dangling(gone, numbers, relinker, context))
    left += [broken for each in beside for broken in each.broken]
    unread = [note for note in left_unread(gone, context) if note.partition(": ")[0] not in gone]
    notes = (note for each in beside for note in each.notes)
    return WhatBreaks(tuple(left), (*broken_link_notes(left), *unread, *notes))


def _file(name: str, context: MoveContext) -> str:
    """The page or file that is meant, when it can be deleted and come back."""
    path = file_named(name, context)
    if not path:
        raise UsageError(f"{name}: is a folder", "delete its pages one by one")
    if (context.root / path).is_symlink():
        raise UsageError(
            f"{path}: is a symlink, and undo would bring back a file",
            _LINK_HINT,
        )
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
    ids = {*map(entry_number, context.lookup.ids_of(card.id))}
    return [*context.lookup.target_numbers(path), *ids]


def _dangling(
    gone: Container[str], numbers: list[int], relinker: Relinker, context: MoveContext
) -> Iterator[BrokenLink]:
    """The links of other pages that mean these files."""
    for source in context.lookup.linking(numbers):
        if source not in gone:
            page = context.page(source, context.head(source))
            yield from relinker.broken(page, page)


class Purge(NamedTuple):
    """The plan, and what it is about."""

    plan: Plan
    name: str
    base: str
    archived_as: str  # "" where nothing is kept
    size_bytes: int
    notes: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that go."""
        return tuple(edit.path for edit in self.plan.edits if edit.data is None)


def purge(name: str, workspace: Context, *, is_final: bool) -> Purge:
    """A plan that puts a namespace into the archive as it is, or deletes it.

    Raises ConfigError when there is no archive, NotFoundError when there is no such namespace.
    """
    base = _base(name, workspace)
    known = base.rpartition("/")[2]
    target = "" if is_final else _target(base, workspace)
    paths, left = _files(base, workspace)
    if not is_final:
        require_bearable(workspace.root, base, paths)
    files = [(path, read(workspace.root, path)) for path in paths]
    size = sum(len(data) for _, data in files)
    edits = tuple(_purge_edits(files, base, target))
    title = f"deleted namespace {known}" if is_final else f"archived namespace {known} as {target}"
    details = (f"files: {len(paths)}",)
    plan = Plan(edits, title, "purge", details, is_final=is_final, leaves=base)
    notes = [KEPT_BY_GIT] if is_final else []
    if left:
        notes.append(f"{counted(left, 'file')} that memwiki leaves out stayed in {base}/")
    return Purge(plan, known, base, target, size, tuple(notes))


def _base(name: str, workspace: Context) -> str:
    """The folder of a namespace that is there."""
    layers = workspace.layers
    if name == EVERY or not name:
        raise UsageError("namespace purge: one at a time", "memwiki namespace list")
    known = workspace._replace(namespace=name).scope()
    if known.name not in namespaces_in(workspace.root, layers.namespaces):
        raise no_namespace(workspace, known.name)
    if (workspace.root / known.base).is_symlink():
        raise NotEditableError.at(
            known.base,
            "is a symlink",
            _LINK_HINT,
        )
    return scope_of(layers, known.name).base


def _target(base: str, workspace: Context) -> str:
    archive = workspace.layers.archive
    if not archive:
        raise ConfigError(
            "namespace purge: this workspace has no archive",
            "memwiki config set layers.archive archive, or --hard, which keeps nothing",
        )
    return first_free(f"{archive}/{base}", "", lambda place: exists(workspace.root, place))


def _files(base: str, workspace: Context) -> tuple[list[str], int]:
    """The files of a namespace, and how many more are left out as if they were not there."""
    seen = workspace.walk()
    every = [path for path in (*seen.files, *seen.attachments) if is_in_folder(path, base)]
    if links := [path for path in every if (workspace.root / path).is_symlink()]:
        raise NotEditableError.at(
            links[0],
            "is a symlink",
            _LINK_HINT,
        )
    there = sum(1 for each in (workspace.root / base).rglob("*") if not each.is_dir())
    return sorted(every), max(there - len(every), 0)


def _purge_edits(files: list[tuple[str, bytes]], base: str, target: str) -> Iterator[Edit]:
    """New files first and old ones last, so that whatever interrupts it, nothing is missing."""
    for path, data in files if target else ():
        new = f"{target}/{path[len(base) + 1 :]}"
        yield Edit(new, "", data, f"moved from {path}", was=path)
    for path, data in files:
        reason = f"archived as {target}" if target else "deleted"
        yield edit_of(path, data, None, reason)
