"""An installation as edits of files outside the workspace, and as what cannot be edited; pure but
for reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from memwiki.agents.editing import Edited, RefusedError, is_in, put_in, snippet, taken_out
from memwiki.agents.record import Made
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
    """The edits, what is known of each file after them, and what has to be done by hand."""

    edits: tuple[OutsideEdit, ...]
    made: Mapping[Path, Made]
    refused: tuple[Refused, ...]


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
            edited = put_in(wish, before, held.containers)
        except RefusedError as error:
            refused.append(Refused(wish.file, str(error), snippet(wish)))
            continue
        files.set(wish.file, edited)
        new = _made(wish, before, edited)
        made[wish.file] = held._replace(containers=()).plus(new)
    return AgentPlan(files.edits({}), made, tuple(refused))


def uninstall_plan(wishes: Iterable[Wish], known: Mapping[str, Made], read: Read) -> AgentPlan:
    """Take out all of ours, and what was made for it alone."""
    files = _Files(read)
    made: dict[Path, Made] = {}
    refused: list[Refused] = []
    for wish in wishes:
        before, held = files.now(wish.file), known.get(str(wish.file), Made())
        if before is None:
            continue
        try:
            files.set(wish.file, _without(wish, before, held))
        except RefusedError as error:
            if wish.form is Form.WHOLE or is_in(wish, before):
                refused.append(Refused(wish.file, str(error), ""))
            continue
        if files.now(wish.file) != before:
            made[wish.file] = Made()
    folders = {Path(file): tuple(map(Path, each.folders)) for file, each in known.items()}
    return AgentPlan(files.edits(folders), made, tuple(refused))


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
    ours = {str(wish.file) for wish in wishes if is_in(wish, files.now(wish.file))}
    return {file: made for file, made in known.items() if file in ours}


def _require_ours(wish: Wish, before: bytes | None, known: Made) -> None:
    """That a file which would be replaced whole is as we wrote it."""
    if wish.form is not Form.WHOLE or before is None or before == wish.text.encode():
        return
    if digest_of(before) != known.digest:
        raise RefusedError("is there and was changed by somebody else; remove it to have ours")


def _made(wish: Wish, before: bytes | None, edited: Edited) -> Made:
    is_whole = wish.form is Form.WHOLE and edited.data is not None
    return Made(
        before is None,
        edited.made,
        tuple(map(str, missing_folders(wish.file))) if before is None else (),
        digest_of(edited.data) if is_whole and edited.data else "",
    )


def _without(wish: Wish, before: bytes, known: Made) -> Edited:
    if wish.form is not Form.WHOLE:
        return taken_out(wish, before, known.containers, is_new=known.is_new)
    if digest_of(before) == known.digest or before == wish.text.encode():
        return Edited(None)
    raise RefusedError("was changed since it was installed; remove it by hand")
