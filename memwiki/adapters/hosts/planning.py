"""An installation as edits of files outside the workspace, and as what cannot be edited; pure but
for reading."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias

from memwiki.adapter_api import (
    ANY_SERVER,
    AgentFile,
    AgentPart,
    InstallRecord,
    Json,
    OutsideEdit,
    digest_of,
    missing_folders,
)
from memwiki.adapters.hosts.editing import (
    EditedFile,
    RefusedError,
    is_in,
    put_in,
    server_in,
    snippet,
    taken_out,
)
from memwiki.adapters.hosts.programs import (
    HOSTS,
    Texts,
    Wish,
    WishForm,
    every_file,
    file_of,
    host_of,
    is_our_server,
    rule,
    shell_line,
    skill,
    skill_file,
    wishes,
)
from memwiki.adapters.hosts.programs import instructions as instructions_for
from memwiki.importing import HostPlan, HostTarget

ReadFile: TypeAlias = Callable[[Path], "bytes | None"]


def install_plan(
    agent: str,
    target: HostTarget,
    known: Mapping[str, InstallRecord],
    read: ReadFile,
    *,
    capture: bool,
    instructions: bool,
) -> HostPlan:
    """Put the server, hooks and skill in; what is there already stays."""
    host, folder = host_of(agent), target.folder
    lines = instructions_for(folder) if instructions else ""
    texts = Texts(skill(target.guide, folder), rule(folder), lines)
    plan = _installation(wishes(host, target, texts, is_recording=capture), known, read)
    hooks = file_of(host, target, host.hooks)
    command = f"{host.user_command} {shell_line([*target.program, '-C', folder, 'mcp'])}"
    return plan._replace(
        commands=(command,) if host.user_command and not target.project else (),
        notes=(f"{host.title}: {host.review}",) if host.review and plan.edits else (),
        has_new_hooks=any(edit.file == hooks for edit in plan.edits),
    )


def uninstall_plan(
    agent: str, target: HostTarget, known: Mapping[str, InstallRecord], read: ReadFile
) -> HostPlan:
    """Take out all of ours, and what was made for it alone; what others need stays."""
    host = host_of(agent)
    theirs = {  # the skills of other programs, which have servers of ours
        skill_file(other, target)
        for other in HOSTS.values()
        for wish in every_file(other, target)
        if other is not host and wish.purpose == "server" and is_in(wish, read(wish.file))
    }
    ours = (wish for wish in every_file(host, target) if wish.file not in theirs)
    plan = _removal(ours, known, read)
    command = host.user_command.replace(" add ", " remove ").removesuffix(" --")
    return plan._replace(commands=(command,) if command and not target.project else ())


def parts(targets: Sequence[HostTarget], read: ReadFile) -> Iterator[AgentPart]:
    """What is installed, program by program."""
    for host in HOSTS.values():
        for target in targets:
            there = [wish for wish in every_file(host, target) if is_in(wish, read(wish.file))]
            if {wish.purpose for wish in there} - {"skill"}:  # else it is for another program
                scope = "project" if target.project else "user"
                for wish in there:
                    yield AgentPart(host.name, scope, wish.purpose, str(wish.file), "installed")


def has_transcript(agent: str) -> bool:
    """Whether a program writes what is said to a file in a form that is read."""
    return host_of(agent).has_transcript


def _installation(
    wanted: Iterable[Wish], known: Mapping[str, InstallRecord], read: ReadFile
) -> HostPlan:
    """Put in what is wished for; what is there already is left as it is."""
    files = _Files(read)
    made: dict[Path, InstallRecord] = {}
    refused: list[AgentFile] = []
    wanted = list(wanted)
    known = _still_true(wanted, known, files)
    for wish in wanted:
        before = files.now(wish.file)
        record = made.get(wish.file, known.get(str(wish.file), InstallRecord()))
        if wish.form is WishForm.JSON and not wish.members:
            if before is not None and is_in(wish, before):
                files.set(wish.file, _without(wish, before, record))
                made[wish.file] = InstallRecord()
            continue
        try:
            if wish.form is WishForm.WHOLE and before is not None:
                why = "is there and was changed by somebody else; remove it to have ours"
                _require_ours(wish, before, record, why)
            edited = put_in(wish, before, record.containers, partial(_owns, record))
        except RefusedError as error:
            refused.append(AgentFile(str(wish.file), "refused", str(error), snippet(wish)))
            continue
        files.set(wish.file, edited)
        folders = missing_folders(wish.file) if before is None else ()
        ours = _ours(wish, before, edited, record)
        new = InstallRecord(before is None, edited.made, tuple(map(str, folders)), ours)
        made[wish.file] = record._replace(containers=()).plus(new)
    return HostPlan(files.edits({}), made, tuple(refused), frozenset(files.contents))


def _removal(
    wanted: Iterable[Wish], known: Mapping[str, InstallRecord], read: ReadFile
) -> HostPlan:
    """Take out all of ours, and what was made for it alone."""
    files = _Files(read)
    made: dict[Path, InstallRecord] = {}
    refused: list[AgentFile] = []
    for wish in wanted:
        before, record = files.now(wish.file), known.get(str(wish.file), InstallRecord())
        if before is None:
            if wish.file not in made and any(Path(each).is_dir() for each in record.folders):
                made[wish.file] = InstallRecord()  # an installation or its removal was killed
            continue
        try:
            files.set(wish.file, _without(wish, before, record))
            if is_our_server(server_in(wish, files.now(wish.file))):
                why = "mcpServers.memwiki is not as memwiki wrote it; remove it by hand"
                raise RefusedError(why)
        except RefusedError as error:
            if wish.form is WishForm.WHOLE or is_in(wish, before):
                refused.append(AgentFile(str(wish.file), "refused", str(error)))
            continue
        if files.now(wish.file) != before:
            made[wish.file] = InstallRecord()
    folders = {Path(file): tuple(map(Path, each.folders)) for file, each in known.items()}
    edits = files.edits(folders)
    edited = {edit.file for edit in edits}
    left = (OutsideEdit(file, None, None, folders[file]) for file in made if file not in edited)
    return HostPlan((*edits, *left), made, tuple(refused), frozenset(files.contents))


class _Files:
    """Files as they become, edit after edit."""

    def __init__(self, read: ReadFile) -> None:
        self._read = read
        self._before: dict[Path, bytes | None] = {}
        self.contents: dict[Path, bytes | None] = {}  # of all that were looked at

    def now(self, file: Path) -> bytes | None:
        if file not in self._before:
            self._before[file] = self.contents[file] = self._read(file)
        return self.contents[file]

    def set(self, file: Path, edited: EditedFile) -> None:
        self.contents[file] = edited.data

    def edits(self, empties: Mapping[Path, tuple[Path, ...]]) -> tuple[OutsideEdit, ...]:
        return tuple(
            OutsideEdit(file, self._before[file], now, empties.get(file, ()) if now is None else ())
            for file, now in self.contents.items()
            if now != self._before[file]
        )


def _still_true(
    wishes: Iterable[Wish], known: Mapping[str, InstallRecord], files: _Files
) -> Mapping[str, InstallRecord]:
    """What is known of files that hold something of ours; of others it is over."""
    true: dict[str, InstallRecord] = {}
    for wish in wishes:
        file, now = str(wish.file), files.now(wish.file)
        true.pop(file, None)
        if file in known and is_in(wish, now):
            true[file] = known[file]
        elif file in known and now is None:  # the installation was killed before it was written
            true[file] = InstallRecord(folders=known[file].folders)
    return true


def _require_ours(wish: Wish, before: bytes, known: InstallRecord, why: str) -> None:
    """That a file which would be replaced or deleted whole is as we wrote it."""
    if before != wish.text.encode() and not known.owns(digest_of(before)):
        raise RefusedError(why)


def _owns(known: InstallRecord, server: Json) -> bool:
    """Whether a server in a file was put there by us, as far as is known."""
    if known.owns(ANY_SERVER):
        return is_our_server(server)
    return known.owns(_digest_of_server(server))


def _digest_of_server(server: Json) -> str:
    return digest_of(json.dumps(server, sort_keys=True).encode())


def _ours(
    wish: Wish, before: bytes | None, edited: EditedFile, known: InstallRecord
) -> tuple[str, ...]:
    """The digest of what is ours now; a server that somebody wrote as we would have is his."""
    if wish.form is WishForm.WHOLE:
        return (digest_of(edited.data),) if edited.data else ()
    record, server = server_in(wish, before), server_in(wish, edited.data)
    is_ours = server is not None and (record is None or _owns(known, record))
    return (_digest_of_server(server),) if is_ours else ()


def _without(wish: Wish, before: bytes, known: InstallRecord) -> EditedFile:
    if wish.form is not WishForm.WHOLE:
        return taken_out(wish, before, known.containers, partial(_owns, known), is_new=known.is_new)
    _require_ours(wish, before, known, "was changed since it was installed; remove it by hand")
    return EditedFile(None)
