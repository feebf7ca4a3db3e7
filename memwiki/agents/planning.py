"""An installation as edits of files outside the workspace, and as what cannot be edited; pure but
for reading."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from memwiki.agents.editing import (
    Edited,
    RefusedError,
    is_in,
    put_in,
    server_in,
    snippet,
    taken_out,
)
from memwiki.agents.jsonc import Json
from memwiki.agents.launch import is_our_server
from memwiki.agents.record import ANY_SERVER, Made
from memwiki.agents.wishes import Form, Wish
from memwiki.change.outside import OutsideEdit, missing_folders
from memwiki.digest import digest_of

Read = Callable[[Path], bytes | None]


class Refused(NamedTuple):
    """A file that cannot be edited surely, and what a person may paste into it."""

    file: Path
    why: str
    snippet: str


class AgentPlan(NamedTuple):
    """The edits, what is known of each file after them, what has to be done by hand, and all files
    that an installation may edit."""

    edits: tuple[OutsideEdit, ...]
    made: Mapping[Path, Made]
    refused: tuple[Refused, ...]
    files: frozenset[Path]


def install_plan(wishes: Iterable[Wish], known: Mapping[str, Made], read: Read) -> AgentPlan:
    """Put in what is wished for; what is there already is left as it is."""
    files = _Files(read)
    made: dict[Path, Made] = {}
    refused: list[Refused] = []
    wanted = list(wishes)
    known = _still_true(wanted, known, files)
    for wish in wanted:
        before = files.now(wish.file)
        held = made.get(wish.file, known.get(str(wish.file), Made()))
        if wish.form is Form.JSON and not wish.members:
            if before is not None and is_in(wish, before):
                files.set(wish.file, _without(wish, before, held))
                made[wish.file] = Made()
            continue
        try:
            _require_ours(wish, before, held)
            edited = put_in(wish, before, held.containers, partial(_owns, held))
        except RefusedError as error:
            refused.append(Refused(wish.file, str(error), snippet(wish)))
            continue
        files.set(wish.file, edited)
        new = _made(wish, before, edited, held)
        made[wish.file] = held._replace(containers=()).plus(new)
    return AgentPlan(files.edits({}), made, tuple(refused), files.seen)


def uninstall_plan(wishes: Iterable[Wish], known: Mapping[str, Made], read: Read) -> AgentPlan:
    """Take out all of ours, and what was made for it alone."""
    files = _Files(read)
    made: dict[Path, Made] = {}
    refused: list[Refused] = []
    for wish in wishes:
        before, held = files.now(wish.file), known.get(str(wish.file), Made())
        if before is None:
            if wish.file not in made and any(Path(each).is_dir() for each in held.folders):
                made[wish.file] = Made()  # an installation or its removal was killed
            continue
        try:
            files.set(wish.file, _without(wish, before, held))
            _require_all_out(wish, files.now(wish.file))
        except RefusedError as error:
            if wish.form is Form.WHOLE or is_in(wish, before):
                refused.append(Refused(wish.file, str(error), ""))
            continue
        if files.now(wish.file) != before:
            made[wish.file] = Made()
    folders = {Path(file): tuple(map(Path, each.folders)) for file, each in known.items()}
    edits = files.edits(folders)
    edited = {edit.file for edit in edits}
    left = (OutsideEdit(file, None, None, folders[file]) for file in made if file not in edited)
    return AgentPlan((*edits, *left), made, tuple(refused), files.seen)


class _Files:
    """Files as they become, edit after edit."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._before: dict[Path, bytes | None] = {}
        self._now: dict[Path, bytes | None] = {}

    def now(self, file: Path) -> bytes | None:
        if file not in self._before:
            self._before[file] = self._now[file] = self._read(file)
        return self._now[file]

    @property
    def seen(self) -> frozenset[Path]:
        """All that were looked at."""
        return frozenset(self._now)

    def set(self, file: Path, edited: Edited) -> None:
        self._now[file] = edited.data

    def edits(self, empties: Mapping[Path, tuple[Path, ...]]) -> tuple[OutsideEdit, ...]:
        return tuple(
            OutsideEdit(file, self._before[file], now, empties.get(file, ()) if now is None else ())
            for file, now in self._now.items()
            if now != self._before[file]
        )


def _still_true(
    wishes: Iterable[Wish], known: Mapping[str, Made], files: _Files
) -> Mapping[str, Made]:
    """What is known of files that hold something of ours; of others it is over."""
    there = {str(wish.file): is_in(wish, files.now(wish.file)) for wish in wishes}
    missing = {str(wish.file) for wish in wishes if files.now(wish.file) is None}
    ours = {file: made for file, made in known.items() if there.get(file)}
    # Folders of a file that was not written: the installation was killed before.
    return ours | {
        file: Made(folders=made.folders) for file, made in known.items() if file in missing
    }


def _require_ours(wish: Wish, before: bytes | None, known: Made) -> None:
    """That a file which would be replaced whole is as we wrote it."""
    if wish.form is not Form.WHOLE or before is None or before == wish.text.encode():
        return
    if not known.owns(digest_of(before)):
        raise RefusedError("is there and was changed by somebody else; remove it to have ours")


def _owns(known: Made, server: Json) -> bool:
    """Whether a server in a file was put there by us, as far as is known."""
    if known.owns(ANY_SERVER):
        return is_our_server(server)
    return known.owns(_digest_of_server(server))


def _digest_of_server(server: Json) -> str:
    return digest_of(json.dumps(server, sort_keys=True).encode())


def _require_all_out(wish: Wish, left: bytes | None) -> None:
    if is_our_server(server_in(wish, left)):
        raise RefusedError("mcpServers.memwiki is not as memwiki wrote it; remove it by hand")


def _ours(wish: Wish, before: bytes | None, edited: Edited, known: Made) -> tuple[str, ...]:
    """The digest of what is ours now; a server that somebody wrote as we would have is his."""
    if wish.form is Form.WHOLE:
        return (digest_of(edited.data),) if edited.data else ()
    held, server = server_in(wish, before), server_in(wish, edited.data)
    is_ours = server is not None and (held is None or _owns(known, held))
    return (_digest_of_server(server),) if is_ours else ()


def _made(wish: Wish, before: bytes | None, edited: Edited, known: Made) -> Made:
    return Made(
        before is None,
        edited.made,
        tuple(map(str, missing_folders(wish.file))) if before is None else (),
        _ours(wish, before, edited, known),
    )


def _without(wish: Wish, before: bytes, known: Made) -> Edited:
    if wish.form is not Form.WHOLE:
        return taken_out(wish, before, known.containers, partial(_owns, known), is_new=known.is_new)
    if known.owns(digest_of(before)) or before == wish.text.encode():
        return Edited(None)
    raise RefusedError("was changed since it was installed; remove it by hand")
