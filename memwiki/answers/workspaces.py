"""Workspaces, names, namespaces, settings, indexes, exports, what a shell completes, and what
coding agents are offered and have installed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memwiki.answers.index import NextStep
from memwiki.answers.lists import ListAnswer
from memwiki.answers.pages import Edited
from memwiki.nouns import Json
from memwiki.records import FrozenRecord, NamedTuple


class NamedWorkspace(NamedTuple):
    """A name and the folder that it means."""

    name: str
    folder: str
    is_there: bool = True  # whether the folder is a workspace now


class WorkspaceList(ListAnswer[NamedWorkspace]):
    """All names, and the file in which they are."""

    workspaces: tuple[NamedWorkspace, ...]
    file: str


class NamespaceRow(NamedTuple):
    """A namespace, and how much is in it; `bytes` are those of all of its files."""

    name: str
    pages: int
    entries: int
    bytes: int
    changed: str  # the day of the newest change, "" for none


class NamespaceList(ListAnswer[NamespaceRow]):
    namespaces: tuple[NamespaceRow, ...]
    total: int
    fresh: bool = True


class Purged(NamedTuple):
    """A namespace that was put away or deleted, and how much that was."""

    name: str
    archived_as: str  # the folder in the archive, "" where nothing is kept
    files: int
    pages: int
    entries: int
    bytes: int
    edited: Edited


class Setting(NamedTuple):
    key: str
    value: str
    origin: str  # default | file | environment, or the file of another program
    help: str


class SettingList(ListAnswer[Setting]):
    settings: tuple[Setting, ...]


class CacheEntry(NamedTuple):
    """One derived index in the user's cache folder."""

    workspace: str
    place: str
    bytes: int
    is_orphan: bool


class CacheList(ListAnswer[CacheEntry]):
    caches: tuple[CacheEntry, ...]
    removed: tuple[str, ...] = ()


class InitReport(NamedTuple):
    workspace: str
    created: tuple[str, ...]
    adopted: bool
    git: bool
    notes: tuple[str, ...] = ()  # what the person may want to set first
    kept: tuple[str, ...] = ()  # files of the template that were there and stay as they are
    pages: int | None = None  # None when nothing was indexed yet, as with --no-sync
    links: int | None = None
    problems: int | None = None  # found while reading
    catalogs: tuple[str, ...] = ()  # index.md files that were written
    next: tuple[NextStep, ...] = ()


class ExportReport(NamedTuple):
    """What an export holds."""

    output: str  # the file; "" where it went to a stream
    format: str  # zip, jsonl or md
    files: int
    pages: int  # of these
    bytes: int  # of all files, as they are in the workspace
    usage: int  # lines of what was recalled
    private_pages: int = 0  # left out
    private_entries: int = 0  # left out of their pages
    notes: tuple[str, ...] = ()
    fresh: bool = True


class ImportReport(NamedTuple):
    """What an import wrote, or with `dry_run` would write."""

    source: str
    kind: str
    written: tuple[str, ...] = ()  # all files but those removed
    replaced: tuple[str, ...] = ()  # those of them that had other text
    removed: tuple[str, ...] = ()  # pages of an untouched template that the import lacks
    unchanged: int = 0
    catalogs: int = 0  # not imported, but made anew
    entries_added: int = 0
    entries_repeated: int = 0
    usage: int = 0  # lines of what was recalled that were new here
    dry_run: bool = False
    diff: str = ""  # with `dry_run`: what would change
    notes: tuple[str, ...] = ()
    fresh: bool = True


class Completion(NamedTuple):
    value: str  # ends in `/` when more has to follow
    note: str = ""


class CompletionList(ListAnswer[Completion]):
    completions: tuple[Completion, ...]


class CompletionScript(NamedTuple):
    """What a shell reads at its start to complete our commands."""

    shell: str
    script: str


class WebAddress(NamedTuple):
    """Where a workspace is shown in a browser, with the key that opens it."""

    address: str
    workspace: str
    read_only: bool = False


class FeedReport(NamedTuple):
    """What one feed of a workspace did."""

    name: str
    pages: int
    added: int
    modified: int
    removed: int
    texts: bool  # the texts of the pages are shared, too
    vectors: int  # units that have one there
    seconds: float


class SharedWorkspaceRow(NamedTuple):
    """A workspace of the shared index; `fresh` while its feeder is at work."""

    name: str
    fresh: bool
    feeding: bool  # a feed that takes long is under way
    fed_at: str  # when its content changed last
    scanned_at: str  # when its files were looked at last
    fed_by: str
    generation: int
    texts: bool
    reader: str  # the role that may read it


class ShareStatus(NamedTuple):
    """The workspaces of the shared index that may be read."""

    workspaces: tuple[SharedWorkspaceRow, ...]


class Dropped(NamedTuple):
    """A workspace of which the shared index keeps nothing any more."""

    name: str


class ShareScript(NamedTuple):
    """SQL that makes the tables, and the roles that people are granted."""

    sql: str


class AgentFile(NamedTuple):
    """A file of an agent program that was changed, or has to be by hand."""

    path: str
    change: str  # created, changed, deleted or refused
    why: str = ""  # refused: the reason
    snippet: str = ""  # refused: what to paste


class AgentReport(NamedTuple):
    """What an installation or its removal did, or with `dry_run` would do."""

    agent: str
    scope: str  # project or user
    op: str  # install, uninstall or plugin
    files: tuple[AgentFile, ...] = ()
    commands: tuple[str, ...] = ()  # what the person has to run
    notes: tuple[str, ...] = ()
    diff: str = ""
    dry_run: bool = False


class AgentPart(NamedTuple):
    """One part of an installation."""

    agent: str
    scope: str  # project or user
    part: str  # server, hooks, skill, rule or instructions
    path: str
    state: str  # installed, awaiting review or active


class HookSilence(NamedTuple):
    """Calls of a hook that brought or kept nothing for one reason."""

    agent: str
    moment: str
    why: str
    times: int
    last: str  # when


class AgentStatus(NamedTuple):
    """What is installed for which program, and where its hooks had no answer."""

    parts: tuple[AgentPart, ...] = ()
    silences: tuple[HookSilence, ...] = ()
    notes: tuple[str, ...] = ()


class HookReply(NamedTuple):
    """What an agent's program reads: JSON of its own form, "" for nothing to say."""

    text: str


class ToolDefinitions(FrozenRecord):
    """The tools of a profile, each in the shape that an API takes."""

    profile: str
    format: str
    tools: tuple[Mapping[str, Json], ...]

    def __iter__(self) -> Iterator[Mapping[str, Json]]:
        return iter(self.tools)


class ToolReply(NamedTuple):
    """The text of a command that was done, or what is wrong with it."""

    ok: bool
    text: str = ""  # not printed where there is an error
    error: str = ""  # not printed where there is none
