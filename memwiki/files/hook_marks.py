"""What hooks of agents' programs keep in `.memwiki/state/`, a file each: who called, what a
conversation was given (gone when it ends or after seven days), what is still to be recorded."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from memwiki.clock import now_ns
from memwiki.digest import text_hash
from memwiki.files.state import state_folder
from memwiki.files.temporary import temporary_name
from memwiki.names import STATE_FOLDER

_OLD_NS = 7 * 86_400 * 10**9
_MOST_BYTES = 40_000_000  # a prompt may be as long as an event


def was_seen(root: Path, host: str) -> bool:
    """Whether a program has called a hook in this workspace."""
    return _file(root, f"called-{host}").is_file()


def note_seen(root: Path, host: str) -> None:
    """A program called a hook; nothing is noted where nothing can be written."""
    with suppress(OSError):
        _folder(root)
        _file(root, f"called-{host}").touch()


def forget_seen(root: Path, host: str) -> None:
    """A program has no hooks any more."""
    with suppress(OSError):
        _file(root, f"called-{host}").unlink(missing_ok=True)


def read_state(root: Path, conversation: str) -> Mapping[str, object]:
    """What is kept of a conversation; nothing of what cannot be read."""
    return _fields(_of(root, conversation))


def write_state(root: Path, conversation: str, state: Mapping[str, object]) -> None:
    """Keep this of a conversation, whole or not at all."""
    _write(root, _of(root, conversation), state)


def leave_turn(root: Path, turn: Mapping[str, object], name: str = "") -> None:
    """Keep what could not be recorded, under a new name or in place of what has this one."""
    _write(root, _file(root, name or f"turn-{now_ns():020}-{os.urandom(4).hex()}"), turn)


def left_turns(root: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    """What could not be recorded, by name, the oldest first."""
    with suppress(OSError):
        for file in sorted(_folder(root).glob("turn-*")):
            yield file.name, _fields(file)


def forget_turn(root: Path, name: str) -> None:
    """What had this name is recorded."""
    with suppress(OSError):
        _file(root, name).unlink(missing_ok=True)


def end_state(root: Path, conversation: str) -> None:
    """Forget a conversation."""
    with suppress(OSError):
        _of(root, conversation).unlink(missing_ok=True)


def forget_text(root: Path, sessions: Collection[str], is_in: Callable[[str], bool]) -> None:
    """Drop what is still to be recorded of these sessions, and prompts that repeat a text."""
    folder = _file(root, "")
    if not folder.is_dir():
        return
    with suppress(OSError):
        for name, turn in list(left_turns(root)):
            if turn.get("session") in sessions:
                forget_turn(root, name)
        for file in folder.glob("talk-*"):
            state = _fields(file)
            prompts = state.get("prompts")
            if isinstance(prompts, list) and any(is_in(str(each)) for each in prompts):
                kept = [each for each in prompts if not is_in(str(each))]
                _write(root, file, {**state, "prompts": kept})


def sweep_states(root: Path, now_ns: int) -> None:
    """Forget conversations of which nothing was heard for seven days."""
    with suppress(OSError):
        for file in _folder(root).glob("talk-*"):
            if now_ns - file.stat().st_mtime_ns > _OLD_NS:
                file.unlink(missing_ok=True)


def _fields(file: Path) -> Mapping[str, object]:
    with suppress(OSError, ValueError, RecursionError):
        if file.stat().st_size <= _MOST_BYTES:
            found = json.loads(file.read_bytes())
            return found if isinstance(found, dict) else {}
    return {}


def _write(root: Path, file: Path, fields: Mapping[str, object]) -> None:
    with suppress(OSError):
        temporary = _folder(root) / temporary_name()
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(json.dumps(fields).encode())
        temporary.replace(file)


def _of(root: Path, conversation: str) -> Path:
    return _file(root, f"talk-{text_hash(conversation, 12).hex()}.json")


def _file(root: Path, name: str) -> Path:
    return root / STATE_FOLDER / "state" / "hooks" / name


def _folder(root: Path) -> Path:
    folder = state_folder(root) / "state" / "hooks"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
