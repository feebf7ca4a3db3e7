"""What a move means: which files go to which paths, and each link that would lead elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from posixpath import basename, dirname

from memwiki.change.plan import Edit, Plan, edit_of
from memwiki.errors import (
    AlreadyExistsError,
    AmbiguousError,
    NotEditableError,
    NotFoundError,
    OutsideError,
    TwinError,
    UsageError,
)
from memwiki.files.ignore import Ignore
from memwiki.files.paths import as_there, clash, contain, real_path
from memwiki.files.read import exists, is_folder, is_hidden
from memwiki.index.cards.lookup import Lookup
from memwiki.index.find import NamesOverlay, find
from memwiki.index.names import NameKind, names_of, targets_of
from memwiki.markdown.border import is_unparsed
from memwiki.markdown.describe import is_journal
from memwiki.markdown.dialects import file_stem, names_of_file
from memwiki.markdown.edit.fields import set_field
from memwiki.markdown.source import read_source
from memwiki.names import (
    CONFIG_FILE,
    fold,
    is_page_name,
    is_within,
    normalised,
    require_str,
    stem_of,
    without_brackets,
    without_suffix,
)
from memwiki.nouns import DENDRON, LOGSEQ, Link, LinkKind, Page
from memwiki.numbers import counted
from memwiki.pages.companions import (
    CompanionMover,
    MovedCompanion,
    companions,
    left_naming,
    left_unread,
    open_companions,
)
from memwiki.pages.moved_folder import require_bearable, what_stays
from memwiki.pages.page import (
    Planned,
    destination,
    is_file_name,
    is_raw,
    require_findable,
    require_linkable,
    require_parsed,
)
from memwiki.pages.relink import (
    MoveContext,
    Relinker,
    RewrittenPage,
    broken_link_notes,
    context_of,
    settings_left,
    tags_kept,
    titles,
    titles_kept,
)
from memwiki.records import NamedTuple
from memwiki.scope import layers_at
from memwiki.sync.context import Context


class Moves(NamedTuple):
    """Files by the path they are to get; `folder` is what was named, as (old/, new/), if it was."""

    paths: Mapping[str, str]
    folder: tuple[str, str] = ("", "")
    attachments: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()  # of what stays

    @property
    def title(self) -> str:
        """What is done, in words."""
        old, new = self.folder if self.folder[0] else next(iter(self.paths.items()))
        return f"moved {old} -> {new}"


def moves_of(old: str, new: str, context: MoveContext) -> Moves:
    """The files that are meant and where they go. Raises UsageError when they are there already."""
    require_str("move", old, new)
    if not new.strip():
        raise UsageError("move: no new name", "memwiki move OLD NEW")
    root, own_path, new = context.root, context.scope.own_path, without_brackets(new)
    for each in (old, new):
        context.scope.require_own(own_path(each))  # whether or not it is there
    path = "" if old.endswith("/") else file_named(old, context)
    if not path:
        return _folder_moves(context, _own_file(old, context), own_path(new))
    is_folder = _is_folder(root, own_path(new))
    new = _as_file(path, new, context)
    target = _goal(root, own_path(destination(path, new, is_folder=is_folder)))
    context.scope.require_own(target)
    _require_no_part(target, context)
    require_linkable(root, target, path)
    is_page = context.lookup.card(path) is not None
    attachments = frozenset[str]() if is_page else frozenset({path})
    if path == target:
        raise _is_there(path)
    return Moves({path: target, **_notes_below(path, target, context)}, attachments=attachments)


def _is_there(path: str) -> UsageError:
    return UsageError(
        f"{path}: has this name already; nothing was moved", "give another path or title"
    )


def _notes_below(old: str, new: str, context: MoveContext) -> dict[str, str]:
    """The notes of Dendron's below a note that gets another name: its name begins theirs."""
    before, after = stem_of(old), stem_of(new)
    form = layers_at(old, context.layers).dialect
    is_hierarchy = form.name == DENDRON and is_page_name(old) and before != after
    if not is_hierarchy:
        return {}
    start = f"{without_suffix(old)}."
    paths = (path for path in context.lookup.all_paths() if path.startswith(start) and path != old)
    below = (path for path in paths if "/" not in path[len(start) :])
    return {path: f"{without_suffix(new)}.{path[len(start) :]}" for path in below}


def _as_file(path: str, new: str, context: MoveContext) -> str:
    """The new name of a page as its file has it where Logseq keeps it, unless a path is meant."""
    first = context.scope.own_path(new.partition("/")[0])
    is_path = is_page_name(new) or new.endswith("/") or _is_folder(context.root, first)
    form = layers_at(path, context.layers).dialect
    if form.name != LOGSEQ or is_path or not is_page_name(path):
        return new
    stem = file_stem(new.strip(), form.slash)
    return f"/{dirname(path)}/{stem}.md" if is_file_name(stem) else new


def file_named(name: str, context: MoveContext) -> str:
    """The path of the page that is meant, or of a file that is no page; "" for a folder."""
    context.scope.require_own(context.scope.own_path(name))  # whether or not it is there
    path = _path_named(_own_file(name, context), context, context.workspace.ignore)
    if path:
        context.scope.require_own(path)
        _require_no_part(path, context)
    return path


def _require_no_part(path: str, context: MoveContext) -> None:
    """Refuse the settings and the journal, which memwiki reads and writes under their names; what
    is done to the journal is noted in it, and could not be undone."""
    if path == CONFIG_FILE or is_journal(path, context.layers):
        what = "settings" if path == CONFIG_FILE else "journal"
        raise NotEditableError(f"{path}: is for the {what} of the workspace", "change it by hand")


def _own_file(name: str, context: MoveContext) -> str:
    """A name, or the path of a file or folder of the namespace that it is there."""
    path = context.scope.own_path(name)
    return path if exists(context.root, path) else name


def _path_named(name: str, context: MoveContext, ignore: Callable[[], Ignore]) -> str:
    root, inside = context.root, _inside(context.root, name)
    if is_within(inside, context.layers.namespaces):
        context.scope.require_own(inside)  # whether or not it is there
    is_file = os.path.isfile(root / inside)  # noqa: PTH113 - what names no file is no error
    if is_file and not is_hidden(root, inside):
        return inside
    is_folder = _is_folder(root, inside)
    try:
        path = find(name, context.lookup, context.scope, root, ignore, is_only=True)
    except NotFoundError:
        if is_folder:
            return ""
        raise
    # What is there under the very path is meant, not its README nor a page of that name elsewhere.
    return "" if is_folder and without_suffix(path) != inside.rstrip("/") else path


def _inside(root: Path, name: str) -> str:
    """A name as a path of the workspace; "" for what lies elsewhere, which is not looked at."""
    with suppress(OutsideError):
        return contain(root, name)
    return ""


def _is_folder(root: Path, name: str) -> bool:
    folder = as_there(root, name.strip("/"))
    is_there = bool(folder.strip("/.")) and is_folder(root / folder)
    return is_there and not is_hidden(root, folder)


def _location(root: Path, path: str) -> str:
    """Where something may go: links among the folders are followed, as the index follows them."""
    return real_path(root, contain(root, path))


def _goal(root: Path, path: str) -> str:
    """The same of what is to go there: only its own name may get another Unicode form."""
    found, name = _location(root, path), basename(path)
    is_same = normalised("NFC", basename(found)) == normalised("NFC", name)
    return f"{dirname(found)}/{name}".lstrip("/") if is_same else found


def _folder_moves(context: MoveContext, old: str, new: str) -> Moves:
    """Every file below a folder; what is ignored stays where it is, and is told."""
    root, workspace = context.root, context.workspace
    before, after = f"{_location(root, old.rstrip('/'))}/", f"{_goal(root, new.rstrip('/'))}/"
    for folder in (before, after):
        context.scope.require_own(folder)
    require_linkable(root, after, before)
    if not (root / before).is_dir() or is_hidden(root, before):
        raise NotFoundError.at(old, "no such folder", "memwiki list")
    if after == before:
        raise _is_there(before)
    if after.startswith(before):
        raise UsageError(f"{old}: cannot move into itself", "choose another place")
    seen = workspace.walk()
    attachments = [path for path in seen.attachments if path.startswith(before)]
    pages = [path for path in seen.files if path.startswith(before)]
    paths = [path for path in pages if not is_hidden(root, path)] + attachments
    if not paths:
        raise NotFoundError.at(old, "contains no page", "memwiki list")
    stay = tuple(what_stays(root, before, paths))
    require_bearable(root, before, paths)
    moved = {path: after + path[len(before) :] for path in paths}
    return Moves(moved, (before, after), frozenset(attachments), stay)


def require_room(moves: Moves, workspace: Context) -> None:
    """Refuse to copy what a symlink leads to, to overwrite, and to move where nothing would be
    found."""
    root = workspace.root
    first, target = next(iter(moves.paths.items()))
    twin = clash(root, target)  # which some disks take for the same
    if twin and twin != target and not f"{first}/".startswith(f"{twin.rstrip('/')}/"):
        raise TwinError(target, twin)
    for old, new in moves.paths.items():
        _require_free(root, old, new)
    ignore = workspace.ignore()
    for new in moves.paths.values():
        require_findable(new, ignore)


def _require_free(root: Path, old: str, new: str) -> None:
    """Refuse a place that is taken; another spelling of the same name is the same file on some
    disks."""
    if (root / old).is_symlink():
        raise UsageError(
            f"{old}: is a symlink, and would become a file", "move the file that it leads to"
        )
    location = root / new
    if is_hidden(root, new):
        return  # which is told when it is carried out
    is_itself = fold(old) == fold(new) and (not location.exists() or location.samefile(root / old))
    if not is_itself and (location.exists() or location.is_symlink()):
        raise AlreadyExistsError.at(
            new, "already exists", "choose another name, or move that one first"
        )


_MAX_ROUNDS = 3  # a link in a heading is part of a title, and a title is a name


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
    return plan_moves(moves, context, keep_alias=keep_alias)._replace(path=path)


def plan_moves(
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
    mover = CompanionMover(outcome.relinker, context, moves.paths, moves.folder, numbers)
    files = open_companions(companions(workspace, lookup), context.layers)
    beside = [mover.moved(file) for file in files]
    left = [broken for result in outcome.rewritten.values() for broken in result.broken]
    left += [broken for each in beside for broken in each.broken]
    unread = left_unread(moves.paths, context)
    kept = (note for each in beside for note in each.notes)
    moved = ((each.page, each.new) for each in outcome.contexts.values())
    notes = (
        *moves.notes,
        *broken_link_notes(left),
        *unread,
        *kept,
        *settings_left(context.layers, moves.paths, moves.folder),
        *titles_kept(moved, context),
        *tags_kept(moves.paths, context),
        *left_naming(moves.paths, context),
    )
    plan = _plan(moves, outcome, beside, context)
    return Planned(plan, notes, outlines=context.outlines)


def _outcome(moves: Moves, context: MoveContext, *, keep_alias: bool) -> _Outcome:
    """The pages with their links rewritten, again as long as that gives a page another name."""
    contexts = {
        old: _page_context(old, new, context, keep_alias=keep_alias)
        for old, new in moves.paths.items()
        if old not in moves.attachments
    }
    renamed = {path: context.page(each.new, each.start) for path, each in contexts.items()}
    for _ in range(_MAX_ROUNDS):
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
    frozen = why_frozen(path, data, page, context)
    title = "" if frozen else titles(page, new, context)[1]
    if title:
        start = set_field(context.outlines.of(path, start), "title", title).data
    return PageContext(path, new, data, start, page, frozen)


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
    old = names_of_file(path, context.layers).title or old
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
