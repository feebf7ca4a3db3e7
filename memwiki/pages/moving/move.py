"""Planned pages: the files, and every link that would no longer lead where it led."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from memwiki.change.plan import Edit, Plan, edit_of
from memwiki.errors import AmbiguousError, NotEditableError
from memwiki.index.cards.lookup import Lookup
from memwiki.index.cards.names_in_memory import NamesOverlay
from memwiki.index.names import NameKind, names_of, targets_of
from memwiki.markdown.border import is_unparsed
from memwiki.markdown.dialects.called import called
from memwiki.markdown.edit.fields import set_field
from memwiki.markdown.source import read_source
from memwiki.names import fold, stem_of
from memwiki.nouns import Link, LinkKind, Page
from memwiki.numbers import counted
from memwiki.pages.companions import companions, opened
from memwiki.pages.moving.aim import Moves, moves_of, require_room
from memwiki.pages.moving.companions import CompanionMover, MovedCompanion
from memwiki.pages.moving.relink import MoveContext, Relinker, RewrittenPage, context_of, told
from memwiki.pages.page import Planned, is_raw, require_parsed
from memwiki.records import NamedTuple
from memwiki.sync.context import Context

_ROUNDS = 3  # a link in a heading is part of a title, and a title is a name


class PageContext(NamedTuple):
    """A page that moves, or whose links may lead elsewhere when others move."""

    path: str
    new: str
    data: bytes
    start: bytes  # with its new alias
    page: Page
    frozen: str = ""  # why it stays as it is


class _Outcome(NamedTuple):
    """Every page that is concerned as it was and will be, and what knows where links lead then."""

    contexts: Mapping[str, PageContext]
    rewritten: Mapping[str, RewrittenPage]
    renamed: Mapping[str, Page]  # the pages that will have other names
    relinker: Relinker


def move(
    old: str, new: str, workspace: Context, lookup: Lookup, *, keep_alias: bool = False
) -> Planned:
    """A plan that moves a page, a file or a folder, and rewrites the links that need it.

    Raises AmbiguousError when a link would come to mean another page and cannot be written so that
    it does not.
    """
    context = context_of(workspace, lookup)
    moves = moves_of(old, new, context)
    path = "" if moves.folder[0] else next(iter(moves.paths))
    return moved(moves, context, keep_alias=keep_alias)._replace(path=path)


def moved(
    moves: Moves, context: MoveContext, *, keep_alias: bool = False, is_strict: bool = True
) -> Planned:
    """The same for files that are known; without `is_strict` a link that would mean another page
    is noted."""
    workspace, lookup = context.workspace, context.lookup
    require_room(moves, workspace)
    outcome = _outcome(moves, context, keep_alias=keep_alias)
    if is_strict:
        _require_meaning(outcome.rewritten)
    numbers = _numbers(moves, outcome.renamed, context)
    mover = CompanionMover(outcome.relinker, context.layers, moves.paths, moves.folder, numbers)
    files = opened(companions(workspace, lookup), context.layers)
    beside = [mover.moved(file) for file in files]
    left = [broken for result in outcome.rewritten.values() for broken in result.broken]
    left += [broken for each in beside for broken in each.broken]
    unread = left_unread(moves.paths, context)
    kept = (note for each in beside for note in each.notes)
    plan, notes = _plan(moves, outcome, beside, context), (*told(left), *unread, *kept)
    return Planned(plan, notes, outlines=context.outlines)


def _outcome(moves: Moves, context: MoveContext, *, keep_alias: bool) -> _Outcome:
    """The pages with their links rewritten, again as long as that gives a page another name."""
    contexts = {
        old: _page_context(old, new, context, keep_alias=keep_alias)
        for old, new in moves.paths.items()
        if old not in moves.attachments
    }
    renamed = {path: context.page(each.new, each.start) for path, each in contexts.items()}
    for _ in range(_ROUNDS):
        numbers = _numbers(moves, renamed, context)
        for path in context.lookup.linking(numbers):
            if path not in contexts:
                contexts[path] = _page_context(path, path, context)
        after = NamesOverlay(context.lookup, moves.paths, renamed.items())
        # Of what lies in a folder, files that are no pages move with it, under no number.
        known_by = None if moves.folder[0] else numbers
        relinker = Relinker(
            context.lookup, after, context.layers, moves.paths, moves.folder, known_by
        )
        rewritten = {path: _rewrite(each, relinker, context) for path, each in contexts.items()}
        known = _names(renamed)
        renamed = {
            path: result.page
            for path, result in rewritten.items()
            if path in moves.paths
            or set(names_of(result.page)) != set(names_of(contexts[path].page))
        }
        if _names(renamed) == known:
            break
    return _Outcome(contexts, rewritten, renamed, relinker)


def left_unread(paths: Collection[str], context: MoveContext) -> Iterator[str]:
    """The pages that could not be parsed, so that whatever links stand in them are left as they
    are."""
    names = {fold(stem_of(path)) for path in paths}
    for path in (problem.path for problem in context.lookup.unparsed()):
        text = fold(context.read(path).decode("utf-8", "replace"))
        if path in paths or any(name in text for name in names):
            yield f"{path}: memwiki could not parse it; its links were not changed"


def _names(pages: Mapping[str, Page]) -> dict[str, set[tuple[NameKind, int]]]:
    return {path: set(names_of(page)) for path, page in pages.items()}


def _page_context(
    path: str, new: str, context: MoveContext, *, keep_alias: bool = False
) -> PageContext:
    data = context.read(path) if new != path else context.head(path)
    page = context.page(path, data)
    if keep_alias:
        require_parsed(path, page.problems)
    start = _with_alias(path, data, page, new, context) if keep_alias else data
    return PageContext(path, new, data, start, page, why_frozen(path, data, page, context))


def why_frozen(path: str, data: bytes, page: Page, context: MoveContext) -> str:
    """Why no link of a page is ever rewritten, "" when that may be."""
    kept = "sources are never changed" if is_raw(path, context.layers) else context.why_left(path)
    if kept:
        return kept
    if len(data) > context.max_bytes:
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


def _with_alias(path: str, data: bytes, page: Page, new: str, context: MoveContext) -> bytes:
    """The bytes of a page that goes on answering to its file name."""
    old = stem_of(path)
    names = {fold(name) for name in (stem_of(new), *page.aliases, *page.ids)}
    if fold(old) in names:
        return data
    old = called(path, context.layers).title or old
    return set_field(context.outlines.of(path, data), "aliases", [*page.aliases, old]).data


def _numbers(moves: Moves, renamed: Mapping[str, Page], context: MoveContext) -> Collection[int]:
    """The numbers under which links that may mean what moves are found, now or under its new
    names, and links that may mean a page which gets or loses a name by that."""
    numbers: dict[int, None] = {}
    for path in dict.fromkeys((*moves.paths, *renamed)):
        numbers |= dict.fromkeys(context.lookup.target_numbers(path))
    for page in renamed.values():
        numbers |= dict.fromkeys(n for kind, n in names_of(page) if kind is NameKind.TARGET)
    for path in moves.attachments:
        for location in (path, moves.paths[path]):
            numbers |= dict.fromkeys(targets_of(Link(location, "", 0, LinkKind.EMBED), ""))
    return numbers


def _rewrite(page: PageContext, relinker: Relinker, context: MoveContext) -> RewrittenPage:
    if page.frozen:
        new, changed = page.start, 0
    else:
        new, changed = relinker.rewrite(context.outlines.of(page.path, page.start), page.new)
    is_same = page.new == page.path and new == page.data
    after = page.page if is_same else context.page(page.new, new)
    broken = tuple(relinker.broken(page.page, after, page.frozen))
    return RewrittenPage(new, after, changed, broken, page.frozen)


def _require_meaning(rewritten: Mapping[str, RewrittenPage]) -> None:
    """Refuse a move after which a link that can be written differently would mean another page."""
    wrong = [b for r in rewritten.values() if not r.frozen for b in r.broken if b.means]
    if wrong:
        first = wrong[0]
        raise AmbiguousError(
            f"{first.path}:{first.line}: the link {first.written!r} would mean {first.means}, not"
            f" {first.meant}, and no other way to write it would help",
            "choose another name, or change that link first",
            path=first.path,
            candidates=(first.meant, first.means),
        )


def _plan(
    moves: Moves, outcome: _Outcome, beside: Sequence[MovedCompanion], context: MoveContext
) -> Plan:
    """New files first and old ones last, so that whatever interrupts it, nothing is missing."""
    new, links, old = [], [], []
    contexts, rewritten = outcome.contexts, outcome.rewritten
    changed = {each.path: each for each in beside if each.changed}
    for path, target in moves.paths.items():
        data = contexts[path].data if path in contexts else context.read(path)
        after = rewritten[path].data if path in contexts else data
        if path in changed:
            data, after = changed[path].before, changed[path].data
        new.append(Edit(target, "", after, f"moved from {path}", was=path))
        old.append(edit_of(path, data, None, f"moved to {target}"))
    for path, result in rewritten.items():
        data = contexts[path].data
        if path not in moves.paths and result.data != data:
            links.append(edit_of(path, data, result.data, "links rewritten"))
    for each in changed.values():
        if each.path not in moves.paths:
            links += each.edits
    return Plan(
        (*new, *links, *old),
        moves.title,
        "move",
        tuple(_details(moves, rewritten, changed.values())),
        leaves=moves.folder[0],
    )


def _details(
    moves: Moves, rewritten: Mapping[str, RewrittenPage], beside: Collection[MovedCompanion]
) -> Iterator[str]:
    if moves.folder[0] or len(moves.paths) > 1:
        yield f"files: {len(moves.paths)}"
    changed = [result.changed for result in rewritten.values() if result.changed]
    if changed:
        yield f"links rewritten: {sum(changed)} in {counted(len(changed), 'page')}"
    if beside:
        files = counted(len(beside), "other file")
        yield f"links rewritten: {sum(each.changed for each in beside)} in {files}"
