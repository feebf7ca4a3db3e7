"""What hooks of agents' programs keep in `.memwiki/state/`, a file each: who called, what a
conversation was given (gone when it ends or after seven days), what is still to be recorded."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG

from memwiki.clock import now_ns
from memwiki.digest import text_hash
from memwiki.errors import MemwikiError
from memwiki.files.lock import state_subfolder
from memwiki.files.read import NO_FOLLOW, bytes_of
from memwiki.files.temporary import temporary_name

_NOTING = os.O_WRONLY | os.O_CREAT | NO_FOLLOW | getattr(os, "O_NONBLOCK", 0)
_APPENDING = _NOTING | os.O_APPEND
_SILENCES, _MAX_SILENCES = "silences.jsonl", 200
_OLD_NS = 7 * 86_400 * 10**9
_MAX_BYTES = 40_000_000  # a prompt may be as long as an event


def was_seen(root: Path, host: str) -> bool:
    """Whether a program has called a hook in this workspace."""
    with suppress(OSError, MemwikiError):
        return S_ISREG((_folder(root) / f"called-{host}").lstat().st_mode)
    return False


def note_seen(root: Path, host: str) -> None:
    """A program called a hook; nothing is noted where nothing can be written."""
    with suppress(OSError, MemwikiError):
        folder = _folder(root, is_made=True)
        os.close(os.open(folder / f"called-{host}", _NOTING, 0o600))


def note_silence(root: Path, silence: Mapping[str, str]) -> None:
    """A hook had no answer in time, or none at all; of many the last ones are kept."""
    with suppress(OSError, MemwikiError):
        file = _folder(root, is_made=True) / _SILENCES
        known = list(silences(root))
        if len(known) >= _MAX_SILENCES:
            kept = known[-_MAX_SILENCES // 2 :]
            _write_whole(root, _SILENCES, "".join(map(_as_line, kept)).encode())
        with os.fdopen(os.open(file, _APPENDING, 0o600), "ab") as opened:
            opened.write(_as_line(silence).encode())


def silences(root: Path) -> Iterator[Mapping[str, str]]:
    """What was noted of them, the oldest first."""
    with suppress(OSError, MemwikiError):
        lines = bytes_of(_folder(root) / _SILENCES, _MAX_BYTES).splitlines()
        for line in lines:
            with suppress(ValueError, RecursionError):
                found = json.loads(line)
                if isinstance(found, dict):
                    yield {str(key): str(value) for key, value in found.items()}


def _as_line(silence: Mapping[str, str]) -> str:
    """A line of its own, also below one that a killed process did not end."""
    return f"\n{json.dumps(silence)}\n"


def forget_seen(root: Path, host: str) -> None:
    """A program has no hooks any more."""
    _remove(root, f"called-{host}")


def read_state(root: Path, conversation: str) -> Mapping[str, object]:
    """What is kept of a conversation; nothing of what cannot be read."""
    return _fields(root, _name(conversation))


def write_state(root: Path, conversation: str, state: Mapping[str, object]) -> None:
    """Keep this of a conversation, whole or not at all."""
    _write(root, _name(conversation), state)


def leave_turn(root: Path, turn: Mapping[str, object], name: str = "") -> None:
    """Keep what could not be recorded, under a new name or in place of what has this one."""
    _write(root, name or f"turn-{now_ns():020}-{os.urandom(4).hex()}", turn)


def left_turns(root: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    """What could not be recorded, by name, the oldest first."""
    names: list[str] = []
    with suppress(OSError, MemwikiError):
        names += sorted(file.name for file in _folder(root).glob("turn-*"))
    for name in names:
        yield name, _fields(root, name)


def forget_turn(root: Path, name: str) -> None:
    """What had this name is recorded."""
    _remove(root, name)


def end_state(root: Path, conversation: str) -> None:
    """Forget a conversation."""
    _remove(root, _name(conversation))


def forget_text(root: Path, sessions: Collection[str], is_in: Callable[[str], bool]) -> None:
    """Drop what is still to be recorded of these sessions, and prompts that repeat a text."""
    with suppress(OSError, MemwikiError):
        for name, turn in list(left_turns(root)):
            if turn.get("session") in sessions:
                forget_turn(root, name)
        for file in _folder(root).glob("talk-*"):
            state = _fields(root, file.name)
            prompts = state.get("prompts")
            if isinstance(prompts, list) and any(is_in(str(each)) for each in prompts):
                kept = [each for each in prompts if not is_in(str(each))]
                _write(root, file.name, {**state, "prompts": kept})


def sweep_states(root: Path, now_ns: int) -> None:
    """Forget conversations of which nothing was heard for seven days."""
    with suppress(OSError, MemwikiError):
        for file in _folder(root).glob("talk-*"):
            if now_ns - file.lstat().st_mtime_ns > _OLD_NS:
                file.unlink(missing_ok=True)


def _fields(root: Path, name: str) -> Mapping[str, object]:
    with suppress(OSError, ValueError, RecursionError, MemwikiError):
        found = json.loads(bytes_of(_folder(root) / name, _MAX_BYTES))
        return found if isinstance(found, dict) else {}
    return {}


def _write(root: Path, name: str, fields: Mapping[str, object]) -> None:
    _write_whole(root, name, json.dumps(fields).encode())


def _write_whole(root: Path, name: str, data: bytes) -> None:
    with suppress(OSError, MemwikiError):
        folder = _folder(root, is_made=True)
        temporary = folder / temporary_name()
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(data)
        temporary.replace(folder / name)


def _remove(root: Path, name: str) -> None:
    with suppress(OSError, MemwikiError):
        (_folder(root) / name).unlink(missing_ok=True)


def _name(conversation: str) -> str:
    return f"talk-{text_hash(conversation, 12).hex()}.json"


def _folder(root: Path, *, is_made: bool = False) -> Path:
    return state_subfolder(root, "state", "hooks", is_made=is_made)
