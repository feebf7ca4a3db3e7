"""What adapters and the rooms hand each other, and the one table of where adapters are found.

An adapter speaks a neighbour's format or protocol. It is a module of `memwiki.adapters`, imported
when it is asked for, and knows `memwiki`, this module and `memwiki.adapter_api` alone. It makes
plans and records; whoever asked carries them out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from memwiki.errors import UsageError
from memwiki.nouns import Environ, Layers

if TYPE_CHECKING:
    from memwiki.answers.workspaces import AgentFile
    from memwiki.change.outside import OutsideEdit
    from memwiki.files.records import InstallRecord

# Importers in the order in which they are asked what a source is: the most particular first.
ADAPTERS = {
    "importers/memwiki": "memwiki.carry.exports",
    "importers/notion": "memwiki.adapters.importers.notion",
    "importers/logseq": "memwiki.adapters.importers.logseq",
    "importers/basic-memory": "memwiki.adapters.importers.basic_memory",
    "importers/memory-server": "memwiki.adapters.importers.memory_server",
    "importers/claude-code": "memwiki.adapters.importers.claude_code",
    "importers/lines": "memwiki.adapters.importers.lines",
    "importers/markdown": "memwiki.carry.source",
    "conversations": "memwiki.adapters.importers.conversations",
    "hosts": "memwiki.adapters.hosts.planning",
    "plugin": "memwiki.adapters.hosts.planning",
    "hooks": "memwiki.adapters.hosts.hooks",
    "memory-tool": "memwiki.adapters.memory_tool",
    "reference-memory": "memwiki.adapters.reference_memory",
    "frameworks": "memwiki.adapters.frameworks",
}


def adapter(name: str) -> ModuleType:
    """The module of an adapter. Raises UsageError where memwiki was installed without it."""
    if not _is_there(ADAPTERS[name]):
        raise UsageError(f"{name}: this memwiki comes without it", "install all of memwiki")
    return import_module(ADAPTERS[name])


def importer_kinds() -> list[str]:
    """The kinds that there are importers for, in the order in which these are asked."""
    start = "importers/"
    found = (name for name, module in ADAPTERS.items() if _is_there(module))
    return [name.removeprefix(start) for name in found if name.startswith(start)]


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the folder that it is in
        return False


# --- importers: a source becomes files, entries and usage -----------------------------------------


class ImportSource(Protocol):
    """What is imported, as files with names."""

    @property
    def name(self) -> str:
        """How the file or folder itself is called."""

    def names(self) -> Sequence[str]:
        """The files in it, sorted, relative and with `/`; of a single file, its own name."""

    def read(self, name: str) -> bytes:
        """All of one file."""

    def head(self, name: str) -> bytes:
        """Its first 4 KB."""


class IncomingFile(NamedTuple):
    """One file as it is to be in the workspace."""

    path: str  # workspace-relative
    data: bytes
    origin: str  # `file` or `file:line` of the source, for messages
    is_united: bool = False  # made from the page as it is now: nothing is lost, needs no replace


class Incoming(NamedTuple):
    """All that a source becomes, none of it written."""

    kind: str
    files: tuple[IncomingFile, ...] = ()
    entries: tuple[Mapping[str, object], ...] = ()  # as `ws.entries.add_all` takes them
    usage: tuple[bytes, ...] = ()  # lines of a usage file
    notes: tuple[str, ...] = ()  # what could not be said, and why
    is_whole: bool = False  # all of a workspace: of an untouched template, no other page stays


class ImportTarget(NamedTuple):
    """What an importer may know of the workspace."""

    read: Callable[[str], bytes | None]  # the bytes of a file now, None when there is none
    layers: Layers
    day: str  # today, as YYYY-MM-DD
    pages: Callable[[str], Iterable[str]]  # the pages in a folder and below it


class Importer(Protocol):
    """What a module that imports a kind of source offers."""

    KIND: str

    def is_kind(self, source: ImportSource) -> bool:
        """Whether a source is of this kind, from names and heads."""

    def incoming(self, source: ImportSource, target: ImportTarget) -> Incoming:
        """What a source becomes here."""


# --- conversations: an export of another program becomes sessions ---------------------------------


class ExportedMessage(NamedTuple):
    """One message as it was exported; `key` is the same whenever it is exported."""

    key: str
    role: str
    text: str
    time: str = ""
    name: str = ""


class ExportedConversation(NamedTuple):
    """One conversation of an export."""

    id: str  # of the session that it becomes
    messages: Sequence[ExportedMessage]
    title: str = ""
    started: str = ""
    origin: str = ""  # the program that it is from


class ConversationExport(NamedTuple):
    """What an export holds, and what the person should know of it."""

    conversations: Sequence[ExportedConversation]
    notes: Sequence[str]


# --- hosts: programs that run coding agents -------------------------------------------------------


class HostTarget(NamedTuple):
    """Whose files get memwiki, and what of memwiki they are to name."""

    project: Path | None  # None: the user's own files
    home: Path
    environ: Environ
    folder: str  # of the workspace, as the files name it
    program: tuple[str, ...]  # the words that start memwiki
    guide: str = ""  # the text of the template's AGENTS.md


class HostPlan(NamedTuple):
    """The edits, what is known of each file after them, what has to be done by hand, and all files
    that an installation may edit."""

    edits: tuple[OutsideEdit, ...]
    made: Mapping[Path, InstallRecord]
    refused: tuple[AgentFile, ...]
    files: frozenset[Path]
    commands: tuple[str, ...] = ()  # what the person has to run
    notes: tuple[str, ...] = ()
    has_new_hooks: bool = False  # which the program will ask the person about
