"""The folder `.memwiki/` in a workspace: what is ours and not derived."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from memwiki.errors import LinkedFolderError, WriteError, reason_of
from memwiki.names import STATE_FOLDER

LOCK_NAME = "lock"


def state_folder(root: Path) -> Path:
    """Give the folder, made if need be and kept out of git."""
    folder = root / STATE_FOLDER
    if folder.is_symlink():
        raise LinkedFolderError(STATE_FOLDER)
    try:
        folder.mkdir(exist_ok=True)
        with suppress(FileExistsError), (folder / ".gitignore").open("x") as ignore:
            ignore.write("*\n")
    except OSError as error:
        raise WriteError(
            f"{STATE_FOLDER}: could not be created ({reason_of(error)})",
            hint="check that the workspace can be written",
            path=STATE_FOLDER,
        ) from error
    return folder


def state_subfolder(root: Path, *names: str, is_made: bool = False) -> Path:
    """A folder below it, made if asked for. LinkedFolderError where one on the way is a symlink, by
    which a workspace from elsewhere would have us read or write outside of it."""
    folder = state_folder(root) if is_made else root / STATE_FOLDER
    for at in range(len(names) + 1):
        found = folder.joinpath(*names[:at])
        if found.is_symlink():
            raise LinkedFolderError(found.relative_to(root).as_posix())
        if is_made:
            found.mkdir(exist_ok=True)
    return found
