"""An installation as edits of files outside the workspace, and as what cannot be edited, pure but
for reading; and memwiki as a plugin that several programs take: a folder of files."""

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
    DESCRIPTION,
    HOSTS,
    RECORDING,
    SERVER,
    Launch,
    Texts,
    Wish,
    WishForm,
    every_file,
    file_of,
    hook_member,
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

JsonObject: TypeAlias = "dict[str, Json]"
InstallRecords: TypeAlias = "Mapping[str, InstallRecord]"  # by the path of their file
ReadFile: TypeAlias = Callable[[Path], "bytes | None"]


def install_plan(
    agent: str,
    target: HostTarget,
    known: InstallRecords,
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
    agent: str, target: HostTarget, known: InstallRecords, read: ReadFile
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


def _installation(wanted: Iterable[Wish], known: InstallRecords, read: ReadFile) -> HostPlan:
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


def _removal(wanted: Iterable[Wish], known: InstallRecords, read: ReadFile) -> HostPlan:
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


def _still_true(wishes: Iterable[Wish], known: InstallRecords, files: _Files) -> InstallRecords:
    """What is known of files that hold something of ours; of others it is over."""
    true: dict[str, InstallRecord] = {}
    for wish in wishes:
        file, now = str(wish.file), files.now(wish.file)
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


README = """\
# memwiki

Long-term memory in a folder of markdown, shared by people and agents. The plugin brings a
server of tools (recall, search, read, add, update, forget, write, links and others), hooks that
show what is remembered at the start of a conversation and at each prompt, and a skill that says
when to look and what to keep.

## Before it works

1. Install the program: `pip install 'memwiki[mcp]'`. `memwiki` has to be on the PATH.
2. Make the folder of your project, or one above it, a workspace: `memwiki init --adopt .`
3. Build the index once: `memwiki sync`.

## Use

Ask as usual: "what did we decide about the cache?", "remember that Anna prefers tea". `memwiki
agent status` shows whether the hooks run, and where they had no answer in time; `memwiki undo`
takes the last change back.

## Privacy

Everything stays in files on this machine. No hook or tool uses the network or asks a model, and
nothing of a conversation is recorded unless you ask for it with `memwiki agent install
--capture`.
"""
ICON = """\
<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 512 512">
  <rect width="512" height="512" rx="96" fill="#1f4e5f"/>
  <path d="M112 376V136l144 136 144-136v240" fill="none" stroke="#fff" stroke-width="48"
    stroke-linecap="round" stroke-linejoin="round"/>
</svg>
"""
LICENSE = """\
MIT License

Copyright (c) 2026 The memwiki contributors

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
"""


_LINE = DESCRIPTION.partition(". ")[0] + "."
_AUTHORS, _ICON = "The memwiki contributors", "assets/icon.svg"
_AUTHOR: Json = {"name": _AUTHORS}
_CODEX_FOLDER = f"plugins/{SERVER}"
# Claude Code's own check knows no field for a picture; a directory takes the file.
_CODEX: JsonObject = {
    "skills": "./skills/",
    "mcpServers": "./.mcp.json",
    "hooks": "./hooks/codex.json",
    "interface": {
        "displayName": SERVER,
        "shortDescription": _LINE,
        "developerName": _AUTHORS,
        "category": "Productivity",
        "composerIcon": f"./{_ICON}",
        "logo": f"./{_ICON}",
    },
}
_MARKET: JsonObject = {
    "name": SERVER,
    "owner": _AUTHOR,
    "metadata": {"description": _LINE},
    "plugins": [
        {
            "name": SERVER,
            "source": "./",
            "description": _LINE,
            "author": _AUTHOR,
            "category": "productivity",
        }
    ],
}
_CODEX_MARKET: JsonObject = {
    "name": SERVER,
    "interface": {"displayName": SERVER},
    "plugins": [
        {
            "name": SERVER,
            "source": {"source": "local", "path": f"./{_CODEX_FOLDER}"},
            "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
            "category": "Productivity",
        }
    ],
}


def plugin_files(guide: str, version: str) -> dict[str, str]:
    """The files of the plugin by path, with the text of the template's AGENTS.md as the skill.

    Codex passes over a plugin at the root of a marketplace, and would take `hooks/hooks.json` of
    Claude Code for its own: it gets a folder, and a file of hooks, that it is told of.
    """
    launch = Launch(("memwiki",), ".")
    about: JsonObject = {
        "name": SERVER,
        "description": _LINE,
        "version": version,
        "author": _AUTHOR,
        "license": "MIT",
        "keywords": ["memory", "markdown", "wiki", "search"],
    }
    of_codex = {
        ".codex-plugin/plugin.json": _as_text({**about, **_CODEX}),
        ".mcp.json": _as_text({"mcpServers": {SERVER: launch.server}}),
        "hooks/codex.json": _as_text({"hooks": _hooks(launch, "codex")}),
        f"skills/{SERVER}/SKILL.md": skill(guide, launch.folder),
        "README.md": README,
        "LICENSE": LICENSE,
        _ICON: ICON,
    }
    return {
        ".claude-plugin/plugin.json": _as_text(about),
        ".claude-plugin/marketplace.json": _as_text(_MARKET),
        "hooks/hooks.json": _as_text({"hooks": _hooks(launch, "claude-code")}),
        ".agents/plugins/marketplace.json": _as_text(_CODEX_MARKET),
        **of_codex,
        **{f"{_CODEX_FOLDER}/{path}": each for path, each in of_codex.items()},
    }


def _as_text(value: Json) -> str:
    return json.dumps(value, indent=2) + "\n"


def _hooks(launch: Launch, name: str) -> JsonObject:
    host = HOSTS[name]
    return {
        each.event: [hook_member(host, launch, each, is_recording=False).value]
        for each in host.events
        if each.moment not in RECORDING
    }
