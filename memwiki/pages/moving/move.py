"""Planned pages: the files, and every link that would no longer lead where it led."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from memwiki.change.plan import Edit, Plan
from memwiki.digest import digest_of
from memwiki.errors import AmbiguousError, NotEditableError
from memwiki.index.cards.lookup import Lookup
from memwiki.index.names import NameKind, names_of, targets_of
from memwiki.markdown.bare import is_unparsed
from memwiki.markdown.edit.fields import set_field
from memwiki.markdown.outline import Outlines
from memwiki.markdown.parse import parse
from memwiki.markdown.source import read_source
from memwiki.model import Layers, Link, LinkKind, Page
from memwiki.names import fold, stem_of
from memwiki.numbers import counted
from memwiki.pages.companions import Held, opened
from memwiki.pages.moving.afterwards import Afterwards
from memwiki.pages.moving.beside import Beside, Mover
from memwiki.pages.moving.relink import Relinker, Rewritten, told
from memwiki.pages.places import is_raw, require_parsed
from memwiki.pages.planned import Planned

_ROUNDS = 3  # a link in a heading is part of a title, and a title is a name


class Desk(NamedTuple):
    """What a move has to know of the workspace."""

    lookup: Lookup
    layers: Layers
    outlines: Outlines
    read: Callable[[str], bytes]
    head: Callable[[str], bytes]  # of a page: no more than tells that it is too large
    max_bytes: int
    companions: Sequence[Held] = ()

    def parse(self, path: str, data: bytes) -> Page:
        """The page that some bytes are at a path."""
        return parse(path, data, self.layers, max_bytes=self.max_bytes, outlines=self.outlines)


class Moves(NamedTuple):
    """Files by the path they are to get; `folder` is what was named, as (old/, new/), if it was one."""

    paths: Mapping[str, str]
    folder: tuple[str, str] = ("", "")
    attachments: frozenset[str] = frozenset()

    @property
    def title(self) -> str:
        """What is done, in words."""
        old, new = self.folder if self.folder[0] else next(iter(self.paths.items()))
        return f"moved {old} to {new}"


class _Sheet(NamedTuple):
    """A page that moves, or whose links may lead elsewhere when others move."""

    path: str
    new: str
    data: bytes
    start: bytes  # with its new alias
    page: Page
    frozen: str = ""  # why it stays as it is


def plan_move(moves: Moves, desk: Desk, *, keep_alias: bool = False) -> Planned:
    """A plan that moves files and rewrites the links that need it.

    Raises AmbiguousError when a link would come to mean another page and cannot be written so that it
    does not.
    """
    sheets = {
        old: _sheet(old, new, desk, keep_alias=keep_alias)
        for old, new in moves.paths.items()
        if old not in moves.attachments
    }
    pages = {path: desk.parse(sheet.new, sheet.start) for path, sheet in sheets.items()}
    rewritten: dict[str, Rewritten] = {}
    for _ in range(_ROUNDS):
        for path in _affected(moves, pages.values(), desk):
            if path not in sheets:
                sheets[path] = _sheet(path, path, desk)
        after = Afterwards(desk.lookup, moves.paths, pages.items())
        relinker = Relinker(desk.lookup, after, desk.layers, moves.paths, moves.folder)
        rewritten = {path: _rewrite(sheet, relinker, desk) for path, sheet in sheets.items()}
        known = _names(pages)
        pages = {
            path: result.page
            for path, result in rewritten.items()
            if path in moves.paths or set(names_of(result.page)) != set(names_of(sheets[path].page))
        }
        if _names(pages) == known:
            break
    _require_meaning(rewritten)
    numbers = _numbers(moves, pages.values(), desk)
    mover = Mover(relinker, desk.layers, moves.paths, moves.folder, numbers)
    beside = [mover.moved(file) for file in opened(desk.companions, desk.layers)]
    left = [broken for result in rewritten.values() for broken in result.broken]
    left += [broken for each in beside for broken in each.broken]
    unread = left_unread(moves.paths, desk)
    notes = (note for each in beside for note in each.notes)
    return Planned(_plan(moves, sheets, rewritten, beside, desk), (*told(left), *unread, *notes))


def left_unread(paths: Collection[str], desk: Desk) -> Iterator[str]:
    """The pages that could not be parsed, so that whatever links stand in them are left as they are."""
    names = {fold(stem_of(path)) for path in paths}
    for path in (problem.path for problem in desk.lookup.unparsed()):
        text = fold(desk.read(path).decode("utf-8", "replace"))
        if path in paths or any(name in text for name in names):
            yield f"{path}: memwiki could not parse it, and left its links as they are"


def _names(pages: Mapping[str, Page]) -> dict[str, set[tuple[NameKind, int]]]:
    return {path: set(names_of(page)) for path, page in pages.items()}


def _sheet(path: str, new: str, desk: Desk, *, keep_alias: bool = False) -> _Sheet:
    data = desk.read(path) if new != path else desk.head(path)
    page = desk.parse(path, data)
    if keep_alias:
        require_parsed(path, page.problems)
    start = _with_alias(path, data, page, new, desk) if keep_alias else data
    return _Sheet(path, new, data, start, page, why_frozen(path, data, page, desk))


def why_frozen(path: str, data: bytes, page: Page, desk: Desk) -> str:
    """Why no link of a page is ever rewritten, "" when that may be."""
    if is_raw(path, desk.layers):
        return "sources stay as they came"
    if len(data) > desk.max_bytes:
        return "it is too large"
    if page.is_catalog:
        return "it is generated"
    if is_unparsed(page):
        return "memwiki could not parse it"
    try:
        read_source(path, data)
    except NotEditableError as error:
        return error.message.partition(": ")[2]
    return ""


def _with_alias(path: str, data: bytes, page: Page, new: str, desk: Desk) -> bytes:
    """The bytes of a page that goes on answering to its file name."""
    old = stem_of(path)
    held = {fold(name) for name in (stem_of(new), *page.aliases, *page.ids)}
    if fold(old) in held:
        return data
    return set_field(desk.outlines.of(path, data), "aliases", [*page.aliases, old]).data


def _affected(moves: Moves, pages: Iterable[Page], desk: Desk) -> list[str]:
    """The pages with a link that may mean what moves, now or under its new names."""
    return desk.lookup.linking(_numbers(moves, pages, desk))


def _numbers(moves: Moves, pages: Iterable[Page], desk: Desk) -> Collection[int]:
    """The numbers under which such links are found."""
    numbers: dict[int, None] = {}
    for path in moves.paths:
        numbers |= dict.fromkeys(desk.lookup.target_numbers(path))
    for page in pages:
        numbers |= dict.fromkeys(n for kind, n in names_of(page) if kind is NameKind.TARGET)
    for path in moves.attachments:
        for place in (path, moves.paths[path]):
            numbers |= dict.fromkeys(targets_of(Link(place, "", 0, LinkKind.EMBED), ""))
    return numbers


def _rewrite(sheet: _Sheet, relinker: Relinker, desk: Desk) -> Rewritten:
    if sheet.frozen:
        new, changed = sheet.start, 0
    else:
        new, changed = relinker.rewrite(desk.outlines.of(sheet.path, sheet.start), sheet.new)
    page = desk.parse(sheet.new, new)
    broken = tuple(relinker.broken(sheet.page, page, sheet.frozen))
    return Rewritten(new, page, changed, broken, sheet.frozen)


def _require_meaning(rewritten: Mapping[str, Rewritten]) -> None:
    """Refuse a move after which a link that can be written differently would mean another page."""
    wrong = [b for r in rewritten.values() if not r.frozen for b in r.broken if b.means]
    if wrong:
        first = wrong[0]
        raise AmbiguousError(
            f"{first.path}:{first.line}: the link {first.written!r} would mean {first.means} instead"
            f" of {first.meant}, and cannot be written so that it does not",
            hint="choose another name, or change that link first",
            path=first.path,
            candidates=(first.meant, first.means),
        )


def _plan(
    moves: Moves,
    sheets: Mapping[str, _Sheet],
    rewritten: Mapping[str, Rewritten],
    beside: Sequence[Beside],
    desk: Desk,
) -> Plan:
    """New files first and old ones last, so that whatever interrupts it, nothing is missing."""
    new, links, old = [], [], []
    held = {each.path: each for each in beside if each.changed}
    for path, target in moves.paths.items():
        data = sheets[path].data if path in sheets else desk.read(path)
        after = rewritten[path].data if path in sheets else data
        if path in held:
            data, after = held[path].before, held[path].data
        new.append(Edit(target, "", after, f"moved from {path}", was=path))
        old.append(Edit(path, digest_of(data), None, f"moved to {target}", base=data))
    for path, result in rewritten.items():
        data = sheets[path].data
        if path not in moves.paths and result.data != data:
            links.append(Edit(path, digest_of(data), result.data, "links rewritten", base=data))
    for each in held.values():
        if each.path not in moves.paths:
            links += each.edits
    return Plan(
        (*new, *links, *old),
        moves.title,
        "move",
        tuple(_details(moves, rewritten, held.values())),
        leaves=moves.folder[0],
    )


def _details(
    moves: Moves, rewritten: Mapping[str, Rewritten], beside: Collection[Beside]
) -> Iterator[str]:
    if moves.folder[0]:
        yield f"files: {len(moves.paths)}"
    changed = [result.changed for result in rewritten.values() if result.changed]
    if changed:
        yield f"links rewritten: {sum(changed)} in {counted(len(changed), 'page')}"
    if beside:
        files = counted(len(beside), "other file")
        yield f"links rewritten: {sum(each.changed for each in beside)} in {files}"
