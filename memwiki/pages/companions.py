"""Canvases and bases, which hold links and are no pages: what a verb has to do with them; and what
a move leaves as it was, and tells."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from posixpath import basename, dirname
from unicodedata import normalize

from memwiki.change.plan import Edit
from memwiki.digest import digest_of
from memwiki.errors import MemwikiError, NotEditableError
from memwiki.index.cards.lookup import Lookup
from memwiki.index.names import targets_of
from memwiki.markdown.edit.companions import (
    Companion,
    Inset,
    StringKind,
    TextChange,
    read_companion,
    rewritten,
)
from memwiki.markdown.edit.tags import rename_patches
from memwiki.markdown.outline import Outline
from memwiki.names import (
    COMPANION_SUFFIXES,
    MKDOCS_CONFIGS,
    fold,
    is_companion_name,
    path_in,
    stem_of,
    without_suffix,
)
from memwiki.nouns import Layers, Link
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


def opened(files: Iterable[CompanionFile], layers: Layers) -> Iterator[OpenCompanion]:
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


def left(file: OpenCompanion, why: str = "") -> str:
    """What is said of a file that stays as it is, though it may have to change."""
    return f"{file.path} {why or file.why}; skipped"


def concerns(file: OpenCompanion, names: Iterable[str]) -> bool:
    """Whether a file that nobody understands may hold one of these names."""
    text = file.data.lower()
    folded = {name.lower() for name in names if name}
    forms = {form for name in folded for form in (name, json.dumps(name)[1:-1])}
    return not text or any(form.encode("utf-8", "surrogatepass") in text for form in forms)


def made(file: OpenCompanion, changes: Sequence[TextChange]) -> tuple[bytes, str]:
    """The bytes of a file with some changes, or as they are and why."""
    if file.companion is None or not changes or file.why:
        return file.data, file.why
    try:
        return rewritten(file.companion, changes), ""
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
    for file in opened(files, layers):
        if file.companion is None:
            notes += [left(file)] * concerns(file, [old])
            continue
        try:
            changes = list(_tag_changes(file.companion, layers, rename))
        except NotEditableError as error:
            notes.append(left(file, _why(error)))
            continue
        data, why = made(file, changes)
        if why and changes:
            notes.append(left(file, why))
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


def path_changes(
    companion: Companion, moves: Mapping[str, str], folder: tuple[str, str]
) -> Iterator[TextChange]:
    """Paths of files and folders as they will be; in another case they are others."""
    known = {nfc(old): new for old, new in moves.items()}
    after = companion._replace(base=_moved_base(companion, moves))
    for inset in companion.insets:
        new = ""
        if inset.what is StringKind.FILE:
            location = known.get(nfc(companion.location(inset)), "")
            new = after.written(location) if location else ""
        elif inset.what is StringKind.FOLDER:
            new = _moved_folder(inset.text, folder)
        if new and new != inset.text:
            yield TextChange(inset, 0, len(inset.text), new)


def _moved_base(companion: Companion, moves: Mapping[str, str]) -> str:
    """Where the paths of a file will begin, which lie beside it."""
    path, base = companion.source.path, companion.base
    above, new = dirname(path), dirname(moves.get(path, path))
    return path_in(new, base[len(above) :].lstrip("/")) if base and new != above else base


def nfc(path: str) -> str:
    """A path in the Unicode form in which equal ones are equal."""
    return normalize("NFC", path)


def _moved_folder(text: str, folder: tuple[str, str]) -> str:
    old, new = nfc(folder[0]), folder[1]
    location = nfc(f"{text.strip('/')}/")
    if not old or not location.startswith(old):
        return ""
    slashes = text[: len(text) - len(text.lstrip("/"))], text[len(text.rstrip("/")) :]
    return slashes[0] + (new + location[len(old) :]).rstrip("/") + slashes[1]


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
        layers: Layers,
        moves: Mapping[str, str],
        folder: tuple[str, str],
        numbers: Collection[int],
    ) -> None:
        self._relinker, self._layers = relinker, layers
        self._moves, self._folder, self._numbers = moves, folder, frozenset(numbers)
        self._gone = {name for old, new in moves.items() for name in _gone(old, new)}
        if folder[0]:
            self._gone.add(folder[0].rstrip("/"))

    def kept(self, file: OpenCompanion) -> MovedCompanion:
        """A file as it is, with what will lead nowhere."""
        if file.companion is None:
            is_concerned = file.path in self._moves or concerns(file, self._gone)
            notes = (left(file),) if is_concerned else ()
            return MovedCompanion(file.path, notes=notes)
        broken = tuple(self.broken(file.companion, file.companion, file.path))
        return MovedCompanion(file.path, broken=broken)

    def moved(self, file: OpenCompanion) -> MovedCompanion:
        """A file with its links and paths as they have to be."""
        if file.companion is None:
            return self.kept(file)
        new = self._moves.get(file.path, file.path)
        changes = [
            *path_changes(file.companion, self._moves, self._folder),
            *self._link_changes(file.companion, new),
        ]
        data, why = made(file, changes)
        is_same = data == file.data
        after = file.companion if is_same else read_companion(new, data)
        notes = [left(file, why)] if why and changes else []
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
        gone = {nfc(old): old for old in self._moves if self._moves[old] != old}
        for inset in after.insets:
            old = gone.get(nfc(after.location(inset))) if inset.what is StringKind.FILE else None
            if old:
                yield BrokenLink(
                    new, after.line_of(inset), inset.text, self._moves[old] or old, "", why
                )
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


def _gone(old: str, new: str) -> Iterator[str]:
    """The names that a file has no more."""
    if old != new:
        yield old
        yield without_suffix(old)
    if basename(old) != basename(new):
        yield basename(old)
        yield stem_of(old)


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
