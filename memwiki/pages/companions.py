"""Canvases and bases: which a verb has to look at, and what it says of those that it leaves."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from posixpath import dirname
from unicodedata import normalize

from memwiki.change.plan import Edit
from memwiki.digest import digest_of
from memwiki.errors import MemwikiError, NotEditableError
from memwiki.index.cards.lookup import Lookup
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
from memwiki.names import COMPANION_SUFFIXES, MKDOCS_CONFIGS, fold, is_companion_name, path_in
from memwiki.nouns import Layers
from memwiki.pages.page import bytes_within, is_raw
from memwiki.records import NamedTuple
from memwiki.sync.context import Context


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
