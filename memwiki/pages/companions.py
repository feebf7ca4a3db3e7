"""Canvases and bases, which hold links and are no pages: what a verb has to do with them; and what
a move leaves as it was, and tells."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from posixpath import basename, dirname
from unicodedata import normalize

from memwiki.change.plan import Edit
from memwiki.digest import digest_of
from memwiki.errors import MemwikiError, NotEditableError
from memwiki.files.read import exists
from memwiki.index.cards.lookup import Lookup
from memwiki.index.names import targets_of
from memwiki.markdown.edit.companions import (
    Companion,
    Inset,
    StringKind,
    TextChange,
    read_companion,
    rewrite_file,
)
from memwiki.markdown.edit.tags import rename_patches
from memwiki.markdown.outline import Outline
from memwiki.names import (
    COMPANION_SUFFIXES,
    MKDOCS_CONFIGS,
    fold,
    is_companion_name,
    is_within,
    path_in,
    stem_of,
    without_suffix,
)
from memwiki.nouns import OBSIDIAN, Layers, Link
from memwiki.pages.page import bytes_within, is_raw
from memwiki.pages.relink import BrokenLink, LinkedFile, MoveContext, Relinker
from memwiki.records import NamedTuple
from memwiki.sync.context import Context
from memwiki.text import pattern


class CompanionFile(NamedTuple):
    """Such a file; `read` raises a MemwikiError where it cannot be read, or is too large."""

    path: str
    read: Callable[[], bytes]


class CompanionEdits(NamedTuple):
    """What a verb does to such files, and what to say of them."""

    edits: tuple[Edit, ...] = ()
    notes: tuple[str, ...] = ()


class OpenCompanion(NamedTuple):
    """A file as it is; without a companion it can only be left, and `why` says so."""

    path: str
    data: bytes = b""
    companion: Companion | None = None
    why: str = ""


def companions(workspace: Context, lookup: Lookup) -> list[CompanionFile]:
    """Every canvas, base and navigation of a workspace."""
    found = lookup.attachments_ending((*COMPANION_SUFFIXES, *MKDOCS_CONFIGS))
    paths = sorted(path for path in found if is_companion_name(path))
    return [CompanionFile(path, partial(_bytes_of, workspace, path)) for path in paths]


def _bytes_of(workspace: Context, path: str) -> bytes:
    data = bytes_within(workspace, path)
    if data is None:
        raise NotEditableError.at(
            path,
            f"is larger than {workspace.max_bytes} bytes",
            "memwiki config set files.max_bytes, or edit it by hand",
        )
    return data


def open_companions(files: Iterable[CompanionFile], layers: Layers) -> Iterator[OpenCompanion]:
    """Every file with what it holds."""
    for path, data_of in files:
        data = b""
        try:
            data = data_of()
            companion = read_companion(path, data)
        except MemwikiError as error:
            yield OpenCompanion(path, data, None, _why(error))
            continue
        yield OpenCompanion(path, data, companion, _RAW if is_raw(path, layers) else "")


_RAW = "is in the raw layer, where sources are never changed"


def _why(error: MemwikiError) -> str:
    return error.message.partition(": ")[2]


def left_note(file: OpenCompanion, why: str = "") -> str:
    """What is said of a file that stays as it is, though it may have to change."""
    return f"{file.path} {why or file.why}; skipped"


def concerns(file: OpenCompanion, names: Iterable[str]) -> bool:
    """Whether a file that nobody understands may hold one of these names."""
    text = file.data.lower()
    folded = {name.lower() for name in names if name}
    forms = {form for name in folded for form in (name, json.dumps(name)[1:-1])}
    return not text or any(form.encode("utf-8", "surrogatepass") in text for form in forms)


def patch_companion(file: OpenCompanion, changes: Sequence[TextChange]) -> tuple[bytes, str]:
    """The bytes of a file with some changes, or as they are and why."""
    if file.companion is None or not changes or file.why:
        return file.data, file.why
    try:
        return rewrite_file(file.companion, changes), ""
    except NotEditableError as error:
        return file.data, _why(error)


# --- tags ----------------------------------------------------------------------------------------


def rename_tags(
    files: Iterable[CompanionFile],
    layers: Layers,
    old: str,
    rename: Callable[[str], str],
    reason: str,
) -> CompanionEdits:
    """Give a tag another name in the texts of canvases and the expressions of bases."""
    edits: list[Edit] = []
    notes: list[str] = []
    for file in open_companions(files, layers):
        if file.companion is None:
            if concerns(file, [old]):
                notes.append(left_note(file))
            continue
        try:
            changes = list(_tag_changes(file.companion, layers, rename))
        except NotEditableError as error:
            notes.append(left_note(file, _why(error)))
            continue
        data, why = patch_companion(file, changes)
        if why and changes:
            notes.append(left_note(file, why))
        elif changes:
            edits.append(Edit(file.path, digest_of(file.data), data, reason))
        notes += _unsure(file.companion, rename)
    return CompanionEdits(tuple(edits), tuple(notes))


def _tag_changes(
    companion: Companion, layers: Layers, rename: Callable[[str], str]
) -> Iterator[TextChange]:
    for inset in companion.insets:
        if inset.what is StringKind.TEXT:
            text = Outline(layers, companion.source.path, inset.text)
            for patch in rename_patches(text, rename):
                yield TextChange(inset, *patch)
        elif inset.what is StringKind.TAG:
            name = inset.text.lstrip("#")
            new = rename(name)
            if new != name:
                yield TextChange(inset, len(inset.text) - len(name), len(inset.text), new)


def _unsure(companion: Companion, rename: Callable[[str], str]) -> Iterator[str]:
    """The strings of expressions that look like the tag, where nobody can say that they mean it."""
    for inset in companion.insets:
        name = inset.text.removeprefix("#")
        if inset.what is StringKind.OTHER and name != inset.text and rename(name) != name:
            yield _may_mean(companion, inset, "the tag")


def _may_mean(companion: Companion, inset: Inset, what: str) -> str:
    line = companion.line_of(inset)
    return f'{companion.source.path}:{line}: "{inset.text}" may mean {what}; not changed'


# --- places --------------------------------------------------------------------------------------


class Locations:
    """What the paths in canvases, bases and navigations mean, before files move and after.

    As with the links of pages, a path begins at the vault nearest above its file in which it leads
    to something, else at the root.
    """

    def __init__(
        self, root: Path, layers: Layers, moves: Mapping[str, str], folder: tuple[str, str]
    ) -> None:
        self._root, self._moves, self._folder = root, moves, folder
        self._known = {nfc(old): new for old, new in moves.items()}
        self._taken = {*moves.values(), *map(dirname, moves.values()), folder[1].rstrip("/")}
        forms = (each.dialect for each in layers.nested)
        self._vaults = [form.folder for form in forms if form.name == OBSIDIAN and form.folder]

    def changes(self, companion: Companion) -> Iterator[TextChange]:
        """Paths of files and folders as they will be; in another case they are others."""
        bases = self._bases(companion, is_after=True)
        for inset, base, goal in self._meanings(companion, bases):
            likely = (base, *bases) if base in bases else bases
            inner = (goal[len(each) :].lstrip("/") for each in likely if is_within(goal, each))
            ways = (each for each in inner if self._location(each, bases, is_after=True)[1] == goal)
            text, written = next(ways, ""), inset.text
            start, end = len(written) - len(written.lstrip("/")), len(written.rstrip("/"))
            new = written[:start] + text + written[end:]
            if text and new != written:
                yield TextChange(inset, 0, len(written), new)

    def broken(self, before: Companion, after: Companion) -> Iterator[tuple[Inset, str]]:
        """The paths of files as they will be written that no longer lead where they led, and
        there."""
        bases = self._bases(before, is_after=True)
        written = dict(zip(map(id, before.insets), after.insets, strict=False))
        for inset, _, goal in self._meanings(before, bases):
            will = written.get(id(inset), inset)
            means = self._location(will.text, bases, is_after=True)[1]
            if inset.what is StringKind.FILE and means != goal:
                yield will, goal or means

    def _bases(self, companion: Companion, *, is_after: bool = False) -> tuple[str, ...]:
        """The folders at which paths in a file may begin, the likeliest first."""
        path, base = companion.source.path, companion.base
        new = self._moves.get(path, path) if is_after else path
        if base is None:
            return (*(vault for vault in self._vaults if is_within(new, vault)), "")
        above = dirname(path)
        return (path_in(dirname(new), base[len(above) :].lstrip("/")) if new != path else base,)

    def _meanings(
        self, companion: Companion, after: tuple[str, ...]
    ) -> Iterator[tuple[Inset, str, str]]:
        """The paths that may have to change with the folder that each begins at, and where what
        it means will be: "" when that goes."""
        bases = self._bases(companion)
        for inset in companion.insets:
            is_file = inset.what is StringKind.FILE
            text = inset.text if is_file else inset.text.strip("/")
            if not text or not (is_file or inset.what is StringKind.FOLDER):
                continue
            base, location = self._location(text, bases)
            goal = self._known.get(nfc(location)) if is_file else self._moved_folder(location)
            if goal is None and bases != after and exists(self._root, location):
                goal = location
            if goal is not None:
                yield inset, base, goal

    def _location(
        self, text: str, bases: tuple[str, ...], *, is_after: bool = False
    ) -> tuple[str, str]:
        """The base of a path and what it means."""
        found = [(base, path_in(base, text) if base else text) for base in bases]
        there = (each for each in found[:-1] if self._is_there(each[1], is_after=is_after))
        return next(there, found[-1])

    def _is_there(self, path: str, *, is_after: bool) -> bool:
        if is_after and path in self._taken:
            return True
        is_gone = nfc(path) in self._known or self._moved_folder(path) is not None
        return not (is_after and is_gone) and exists(self._root, path)

    def _moved_folder(self, location: str) -> str | None:
        old, new = nfc(self._folder[0]), self._folder[1]
        path = nfc(f"{location}/")
        return (new + path[len(old) :]).rstrip("/") if old and path.startswith(old) else None


def nfc(path: str) -> str:
    """A path in the Unicode form in which equal ones are equal."""
    return normalize("NFC", path)


def unsure_paths(companion: Companion, gone: Iterable[str]) -> Iterator[str]:
    """The strings of expressions that are one of these names or paths, and may mean it or not."""
    names = {fold(name) for name in gone}
    for inset in companion.insets:
        if inset.what is StringKind.OTHER and fold(inset.text.strip("/")) in names:
            yield _may_mean(companion, inset, "what moved")


class MovedCompanion(NamedTuple):
    """One such file as it will be, with its bytes if they change."""

    path: str
    before: bytes = b""
    data: bytes = b""
    changed: int = 0  # links and paths
    broken: tuple[BrokenLink, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What is to be written where it stays in its place."""
        if self.data == self.before:
            return ()
        reason = "links rewritten"
        return (Edit(self.path, digest_of(self.before), self.data, reason),)


class CompanionMover:
    """Knows what moves; `numbers` are those under which links to it are found."""

    def __init__(
        self,
        relinker: Relinker,
        context: MoveContext,
        moves: Mapping[str, str],
        folder: tuple[str, str],
        numbers: Collection[int],
    ) -> None:
        self._relinker, self._layers = relinker, context.layers
        self._moves, self._numbers = moves, frozenset(numbers)
        self._locations = Locations(context.root, context.layers, moves, folder)
        self._gone = {name for old, new in moves.items() for name in _names_lost(old, new)}
        if folder[0]:
            self._gone.add(folder[0].rstrip("/"))

    def kept(self, file: OpenCompanion) -> MovedCompanion:
        """A file as it is, with what will lead nowhere."""
        if file.companion is None:
            is_concerned = file.path in self._moves or concerns(file, self._gone)
            notes = (left_note(file),) if is_concerned else ()
            return MovedCompanion(file.path, notes=notes)
        broken = tuple(self.broken(file.companion, file.companion, file.path))
        return MovedCompanion(file.path, broken=broken)

    def moved(self, file: OpenCompanion) -> MovedCompanion:
        """A file with its links and paths as they have to be."""
        if file.companion is None:
            return self.kept(file)
        new = self._moves.get(file.path, file.path)
        changes = [
            *self._locations.changes(file.companion),
            *self._link_changes(file.companion, new),
        ]
        data, why = patch_companion(file, changes)
        is_same = data == file.data
        after = file.companion if is_same else read_companion(new, data)
        notes = [left_note(file, why)] if why and changes else []
        return MovedCompanion(
            file.path,
            b"" if is_same else file.data,
            b"" if is_same else data,
            0 if is_same else len(changes),
            tuple(self.broken(file.companion, after, new, why)),
            tuple(dict.fromkeys([*notes, *unsure_paths(after, self._gone)])),
        )

    def broken(
        self, before: Companion, after: Companion, new: str, why: str = ""
    ) -> Iterator[BrokenLink]:
        """What no longer leads where it led."""
        for inset, meant in self._locations.broken(before, after):
            yield BrokenLink(new, after.line_of(inset), inset.text, meant, "", why)
        links = self._links(before)
        if any(self._is_of(link, links.path) for link in links.links):
            after_move = self._links(after)._replace(path=new)
            yield from self._relinker.broken(links, after_move, why)

    def _link_changes(self, companion: Companion, new: str) -> Iterator[TextChange]:
        path = companion.source.path
        for inset in companion.insets:
            sites = [
                site for site in inset.sites(path, self._layers) if self._is_of(site.link, path)
            ]
            for patch in self._relinker.patches(sites, inset.text, path, new):
                yield TextChange(inset, *patch)

    def _links(self, companion: Companion) -> LinkedFile:
        path = companion.source.path
        links = (
            site.link._replace(line=companion.line_of(inset))
            for inset in companion.insets
            for site in inset.sites(path, self._layers)
        )
        return LinkedFile(path, tuple(links))

    def _is_of(self, link: Link, path: str) -> bool:
        """Whether a link may mean what moves; on what moves itself every one may have to change."""
        return path in self._moves or not self._numbers.isdisjoint(targets_of(link, path))


def _names_lost(old: str, new: str) -> Iterator[str]:
    """The names that a file has no more."""
    if old != new:
        yield old
        yield without_suffix(old)
    if basename(old) != basename(new):
        yield basename(old)
        yield stem_of(old)


# Of Jupyter Book, MyST and Docusaurus.
_LISTS = ("_toc.yml", "myst.yml", "sidebars.js", "sidebars.ts", "sidebars.json")
_MAX_SHOWN = 20  # lines of one
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
        yield from islice(found, _MAX_SHOWN)
        if next(found, ""):
            yield f"{path}: names more that moved"
