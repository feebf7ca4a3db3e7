"""The files of `.memwiki/proposals/`, one each: readable by their user alone, and not derived."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from heapq import nlargest
from pathlib import Path

from memwiki.errors import MemwikiError, UnreadableError, WriteError
from memwiki.files.lock import state_subfolder
from memwiki.files.read import bytes_of, irregular
from memwiki.files.temporary import sweep_temporaries, write_whole
from memwiki.names import STATE_FOLDER

_FOLDER = "proposals"
_SUFFIX = ".json"
_MAX_BYTES = 1_000_000


def names(root: Path) -> list[str]:
    """The names that there are, in no order."""
    with suppress(FileNotFoundError):
        return [file.stem for file in _folder(root).glob(f"*{_SUFFIX}")]
    return []


def newest(root: Path, most: int, is_one: Callable[[str], object]) -> list[str]:
    """The names of the files that changed last, those of ids first; none is read."""
    folder = _folder(root)

    def key(name: str) -> tuple[bool, int]:
        with suppress(OSError):
            return bool(is_one(name)), (folder / f"{name}{_SUFFIX}").lstat().st_mtime_ns
        return False, 0

    return nlargest(most, names(root), key)


def load(root: Path, name: str, max_bytes: int) -> bytes | None:
    """The bytes of one of them; None where there is none. Raises UnreadableError."""
    file = _file(root, name)
    try:
        if irregular(file):
            raise UnreadableError.at(_shown(name), "is no regular file", "remove it")
        return bytes_of(file, max_bytes)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableError.at(
            _shown(name), "could not be read", "remove it", cause=error
        ) from error


def store(root: Path, name: str, data: bytes) -> None:
    """Keep these bytes, whole or not at all; call it under the lock."""
    file = _file(root, name, is_made=True)
    sweep_temporaries(root, [f"{STATE_FOLDER}/{_FOLDER}"], is_locked=True)  # of killed ones
    try:
        write_whole(file, data)
    except OSError as error:
        raise WriteError.at(
            _shown(name), "could not be written", "check the folder and the disk", cause=error
        ) from error


def remove(root: Path, gone: Iterable[str]) -> None:
    """Forget what has these names; call it under the lock."""
    for name in gone:
        with suppress(OSError):
            _file(root, name).unlink(missing_ok=True)


def forget_text(root: Path, paths: Collection[str], is_in: Callable[[str], bool]) -> None:
    """Drop what repeats a text, or rests on one of these files."""
    with suppress(OSError, MemwikiError):
        remove(root, [name for name in names(root) if _repeats(root, name, paths, is_in)])


def _repeats(root: Path, name: str, paths: Collection[str], is_in: Callable[[str], bool]) -> bool:
    try:
        texts = list(_texts(json.loads(load(root, name, _MAX_BYTES) or b"{}")))
    except (MemwikiError, ValueError, RecursionError):
        return True  # what cannot be read may hold it
    return any(each in paths or is_in(each) for each in texts)


def _texts(value: object) -> Iterator[str]:
    """All texts in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def _shown(name: str) -> str:
    """How one of them is named to people."""
    return f"{STATE_FOLDER}/{_FOLDER}/{name}{_SUFFIX}"


def _file(root: Path, name: str, *, is_made: bool = False) -> Path:
    return _folder(root, is_made=is_made) / f"{name}{_SUFFIX}"


def _folder(root: Path, *, is_made: bool = False) -> Path:
    return state_subfolder(root, _FOLDER, is_made=is_made)
