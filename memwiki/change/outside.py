"""Edits of files outside a workspace, such as an agent program's settings: each whole or not at
all, only where allowed and only over what was read; without lock, journal and undo."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from memwiki.digest import digest_if_any
from memwiki.errors import UnreadableError, UnsafePathError, reason_of
from memwiki.files.temporary import sweep_temporaries
from memwiki.files.write import delete, write


class OutsideEdit(NamedTuple):
    """What one file is to become, and the bytes it must have for that."""

    file: Path
    before: bytes | None
    after: bytes | None  # None deletes it
    empties: tuple[Path, ...] = ()  # folders that go with it when nothing is left in them


def bytes_at(file: Path) -> bytes | None:
    """The bytes of a file, None when there is none. Raises UnreadableError."""
    try:
        if stat.S_ISREG(file.stat().st_mode):
            return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableError(
            f"{file}: could not be read ({reason_of(error)})", hint="check its permissions"
        ) from error
    except ValueError as error:  # half a character, or NUL
        raise UnsafePathError(f"{str(file)!r}: cannot be a path", hint="give another") from error
    raise UnreadableError(f"{file}: is not a regular file", hint="move it away")


def missing_folders(file: Path) -> tuple[Path, ...]:
    """The folders above a file that are not there yet, the innermost first."""
    return tuple(each for each in file.parents if not each.exists())


def apply_outside(edits: Sequence[OutsideEdit], allowed: Collection[Path]) -> tuple[Path, ...]:
    """Make the edits; give the files that changed. A symlink stays, the file it leads to changes.

    Raises UnsafePathError for a file that is not allowed, ConflictError for one that changed since.
    """
    for edit in edits:
        if edit.file not in allowed:
            raise UnsafePathError(f"{edit.file}: may not be edited", path=str(edit.file))
    for file in allowed:  # what a killed process was writing
        sweep_temporaries(Path(os.path.realpath(file)).parent, ("",))
    changed = [edit for edit in edits if edit.before != edit.after]
    for edit in changed:
        _make(edit)
    for edit in edits:
        for folder in edit.empties:
            with suppress(OSError):
                folder.rmdir()
    return tuple(edit.file for edit in changed)


def _make(edit: OutsideEdit) -> None:
    # The file itself, not a link to it; folders that are missing are made by the write.
    file = Path(os.path.realpath(edit.file))
    root = next(each for each in file.parents if each.exists())
    path, expect = file.relative_to(root).as_posix(), digest_if_any(edit.before)
    if edit.after is not None:
        write(root, path, edit.after, expect=expect)
        return
    delete(root, path, expect=expect)
