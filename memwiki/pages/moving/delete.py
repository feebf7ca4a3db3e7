"""Deleting a page: into the archive where there is one, with what will lead nowhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from memwiki.change.plan import Edit, Plan
from memwiki.digest import digest_of
from memwiki.index.names import targets_of
from memwiki.model import Link, LinkKind
from memwiki.names import without_suffix
from memwiki.pages.companions import opened
from memwiki.pages.moving.afterwards import Afterwards
from memwiki.pages.moving.beside import Mover
from memwiki.pages.moving.move import Desk, left_unread, why_frozen
from memwiki.pages.moving.relink import Broken, Relinker, told
from memwiki.pages.planned import Planned

_NOT_KEPT = (
    "nothing of it is kept: undo takes back the change before this one; git may still have it"
)


def plan_delete(path: str, shelf: str, desk: Desk, *, is_final: bool = False) -> Planned:
    """A plan that removes a file, or puts it on its `shelf` in the archive, whatever links to it."""
    data = desk.read(path)
    numbers = _numbers(path, desk)
    relinker = Relinker(desk.lookup, Afterwards(desk.lookup, {path: ""}, ()), desk.layers, {})
    mover = Mover(relinker, desk.layers, {path: ""}, ("", ""), numbers)
    others = (file for file in opened(desk.companions, desk.layers) if file.path != path)
    beside = [mover.kept(file) for file in others]
    left = list(_dangling(path, numbers, relinker, desk))
    left += [broken for each in beside for broken in each.broken]
    notes = (note for each in beside for note in each.notes)
    details = (f"links left: {len(left)}",) if left else ()
    gone = Edit(
        path, digest_of(data), None, f"put away as {shelf}" if shelf else "deleted", base=data
    )
    edits: tuple[Edit, ...] = (gone,)
    title = f"deleted {path}"
    if shelf:
        edits = (
            Edit(shelf, "", _shelved(path, shelf, data, desk), f"moved from {path}", was=path),
            gone,
        )
        title = f"archived {path} as {shelf}"
    kept = (_NOT_KEPT,) if is_final else ()
    plan = Plan(edits, title, "delete", details, is_final=is_final)
    unread = (note for note in left_unread({path}, desk) if not note.startswith(f"{path}:"))
    return Planned(plan, (*told(left), *unread, *notes, *kept))


def shelf_of(path: str, archive: str, is_taken: Callable[[str], bool]) -> str:
    """Where a page goes in the archive: its path below it, with a number when that is taken."""
    if not archive or path.startswith(f"{archive}/"):
        return ""
    stem, suffix = without_suffix(path), path[len(without_suffix(path)) :]
    if not suffix:
        folder, slash, name = path.rpartition("/")
        stem, dot, ending = name.partition(".")
        stem, suffix = folder + slash + stem, dot + ending
    names = (f"{archive}/{stem}{'' if n == 1 else f'-{n}'}{suffix}" for n in count(1))
    return next(name for name in names if not is_taken(name))


def _shelved(path: str, shelf: str, data: bytes, desk: Desk) -> bytes:
    """The page with its own links written for its new place, so that it can come back from there."""
    page = desk.parse(path, data)
    if desk.lookup.card(path) is None or why_frozen(path, data, page, desk):
        return data
    moves = {path: shelf}
    after = Afterwards(desk.lookup, moves, [(path, desk.parse(shelf, data))])
    relinker = Relinker(desk.lookup, after, desk.layers, moves)
    return relinker.rewrite(desk.outlines.of(path, data), shelf)[0]


def _numbers(path: str, desk: Desk) -> list[int]:
    """The numbers under which links to a file are found."""
    if desk.lookup.card(path) is None:
        return list(targets_of(Link(path, "", 0, LinkKind.EMBED), ""))
    return desk.lookup.target_numbers(path)


def _dangling(path: str, numbers: list[int], relinker: Relinker, desk: Desk) -> Iterator[Broken]:
    """The links of other pages that mean this file."""
    for source in desk.lookup.linking(numbers):
        if source != path:
            page = desk.parse(source, desk.head(source))
            yield from relinker.broken(page, page)
