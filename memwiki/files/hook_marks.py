"""Which programs have called a hook: an empty file each in `.memwiki/state/`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from memwiki.files.state import state_folder
from memwiki.names import STATE_FOLDER


def was_seen(root: Path, host: str) -> bool:
    """Whether a program has called a hook in this workspace."""
    return _mark(root, host).is_file()


def note_seen(root: Path, host: str) -> None:
    """A program called a hook; nothing is noted where nothing can be written."""
    with suppress(OSError):
        state_folder(root)
        mark = _mark(root, host)
        mark.parent.mkdir(exist_ok=True)
        mark.touch()


def forget_seen(root: Path, host: str) -> None:
    """A program has no hooks any more."""
    with suppress(OSError):
        _mark(root, host).unlink(missing_ok=True)


def _mark(root: Path, host: str) -> Path:
    return root / STATE_FOLDER / "state" / f"hooks-{host}"
