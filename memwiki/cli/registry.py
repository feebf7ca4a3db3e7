"""Every command, one row each: help, completion and the docs read it; this table loads nothing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain


class Command:
    """A row: where a command is, what it does, what it answers and what its first argument
    names."""

    def __init__(
        self,
        module: str,
        summary: str,
        *answers: str,
        first: str = "",
        parts: dict[str, str] | None = None,
        row: str = "",
        other_row: tuple[str, str] = ("", ""),
    ) -> None:
        self.module = module  # in `cli/commands/`
        self.summary = summary
        self.answers = answers  # `area.Class`, in `answers/`
        self.first = first  # page, tag or query; "" for anything else
        self.row = row  # whose fields a template may name: `area.Class`, or a class of `nouns.py`
        self.other_row = other_row  # an option, and the class with it
        self.parts = parts or {}  # of a group: its commands by name, `a b` below `a`; the answers


COMMANDS = {
    "init": Command(
        "setup",
        "Make a folder a workspace, from the template or as it is, and index it.",
        "workspaces.InitReport",
    ),
    "sync": Command("index", "Bring the index up to date with the files.", "index.Changes"),
    "watch": Command(
        "index",
        "Keep the index up to date while files are edited, and answer commands fast.",
        "index.WatchEvent",
        "index.WatcherProcess",
    ),
    "reindex": Command(
        "index", "Build a new index from the files and swap it in.", "index.Changes"
    ),
    "status": Command(
        "index",
        "Show what is indexed, or why a file is not found.",
        "index.Status",
        "index.PathStatus",
        "entries.Metrics",
        "entries.Trend",
    ),
    "doctor": Command(
        "index",
        "Check the index, and with --verify compare it with a rebuild.",
        "index.Health",
    ),
    "check": Command(
        "check",
        "Report problems; --fix repairs the safe ones.",
        "check.CheckReport",
        row="Problem",
    ),
    "catalog": Command(
        "graph",
        "Bring index.md up to date with the pages, or check that it is.",
        "pages.CatalogReport",
    ),
    "config": Command(
        "setup",
        "Show or change the settings of the workspace.",
        parts={"show": "workspaces.SettingList", "set": "workspaces.Setting"},
    ),
    "workspaces": Command(
        "setup",
        "Give workspaces names, for `memwiki -w NAME`.",
        parts={
            "list": "workspaces.WorkspaceList",
            "add": "workspaces.NamedWorkspace",
            "remove": "workspaces.NamedWorkspace",
        },
    ),
    "cache": Command(
        "index",
        "List the indexes on this machine, or delete orphaned ones.",
        parts={"list": "workspaces.CacheList", "prune": "workspaces.CacheList"},
    ),
    "agent": Command(
        "agents",
        "Install memwiki for a coding agent's program, or remove it.",
        parts={
            "install": "workspaces.AgentReport",
            "uninstall": "workspaces.AgentReport",
            "status": "workspaces.AgentStatus",
            "plugin": "workspaces.AgentReport",
            "tools": "workspaces.ToolDefinitions",
            "memory-tool": "workspaces.ToolReply",
        },
    ),
    "mcp": Command(
        "mcp",
        "Serve the memory to agents over the Model Context Protocol.",
        "workspaces.ToolDefinitions",
    ),
    "web": Command(
        "web",
        "Show the workspace in a browser: read, search, review and edit it.",
        "workspaces.WebAddress",
    ),
    "hook": Command(
        "agents",
        "Answer an event of an agent's program, given as JSON on standard input.",
        "workspaces.HookReply",
    ),
    "share": Command(
        "carry",
        "Share the index with other machines, by a server of PostgreSQL.",
        parts={
            "feed": "workspaces.FeedReport",
            "status": "workspaces.ShareStatus",
            "drop": "workspaces.Dropped",
            "sql": "workspaces.ShareScript",
        },
    ),
    "export": Command(
        "carry",
        "Write the workspace, or some of its pages, to one file.",
        "workspaces.ExportReport",
    ),
    "import": Command(
        "carry",
        "Take in an export, a folder of markdown, or what another tool keeps.",
        "workspaces.ImportReport",
    ),
    "search": Command(
        "search",
        "Search pages, entries and messages.",
        "recall.SearchAnswer",
        first="query",
        row="Hit",
    ),
    "suggest": Command(
        "search",
        "Offer names for what is being typed, without looking at the files.",
        "pages.SuggestionList",
        row="pages.Suggestion",
    ),
    "recall": Command(
        "search",
        "Recall what answers a question: pages, entries and messages.",
        "recall.Recall",
        "recall.PromptBlock",
        "curation.JobPreview",
        row="Hit",
    ),
    "ask": Command(
        "curation",
        "Answer a question in a few sentences, each with the lines that say it.",
        "curation.AskAnswer",
        "curation.JobPreview",
        "curation.Brief",
    ),
    "context": Command(
        "search", "Print the core memories as a block for a system prompt.", "recall.PromptBlock"
    ),
    "get": Command(
        "pages", "Print a page, a section of it or some lines.", "pages.PageView", first="page"
    ),
    "outline": Command(
        "pages",
        "Show the headings of a page, with their lines and sizes.",
        "pages.PageOutline",
        first="page",
        row="pages.SectionSize",
    ),
    "list": Command(
        "pages",
        "List pages, filtered by type, tag or path.",
        "pages.PageList",
        row="pages.PageRow",
    ),
    "browse": Command(
        "graph", "Show what there is: folders, pages, memories and tags.", "pages.Browse"
    ),
    "links": Command(
        "graph",
        "Show what a page links to and what links to it.",
        "graph.LinkList",
        "graph.MentionList",
        "graph.LikeList",
        first="page",
        row="LinkRow",
        other_row=("--unlinked", "graph.Mention"),
    ),
    "tags": Command(
        "graph",
        "List the tags and how many pages and entries have them.",
        "graph.TagList",
        first="tag",
        row="TagCount",
    ),
    "undo": Command("edits", "Undo the last changes that memwiki made.", "pages.Edited"),
    "log": Command(
        "edits",
        "Show the journal, or add an entry to it.",
        parts={"show": "pages.LogList", "add": "pages.LogEntry"},
    ),
    "history": Command(
        "pages", "List the commits that touched a page.", "pages.History", first="page"
    ),
    "show": Command(
        "pages", "Print a page as it was at a commit or date.", "pages.PageAt", first="page"
    ),
    "graph": Command(
        "graph",
        "Show the pages and entries around a page or entry, or the shortest path to another one.",
        "graph.GraphAnswer",
        first="page",
        row="graph.GraphNode",
    ),
    "new": Command(
        "edits",
        "Create a page from the template of its type, and print its path.",
        "pages.Edited",
    ),
    "today": Command(
        "edits", "Open today's page in the editor, or add an item to it.", "pages.Edited"
    ),
    "open": Command(
        "edits",
        "Open a page in $VISUAL or $EDITOR, then report what changed.",
        "index.Changes",
        first="page",
    ),
    "add": Command(
        "entries", "Add an entry to memory: a fact, preference, decision ...", "curation.AddReport"
    ),
    "entry": Command(
        "entries",
        "Show, list, change, retire and relate entries.",
        parts={
            "get": "entries.EntryView",
            "list": "entries.EntryList",
            "update": "pages.Edited",
            "supersede": "pages.Edited",
            "delete": "pages.Edited",
            "move": "pages.Edited",
            "similar": "entries.SimilarEntries",
            "history": "entries.EntryHistory",
            "relate": "pages.Edited",
            "unrelate": "pages.Edited",
        },
    ),
    "bench": Command(
        "bench",
        "Measure how well recall answers and finds your pages, and what a model extracts.",
        parts={
            "recall": "bench.RecallBench",
            "vault": "bench.VaultBench",
            "extract": "bench.ExtractBench",
        },
    ),
    "usage": Command(
        "entries",
        "Show what was recalled, how often and how well.",
        "entries.UsageList",
        "entries.TrailList",
    ),
    "session": Command(
        "sessions",
        "Keep conversations: begin, add, show, list, end, compact, purge and import them.",
        parts={
            "start": "entries.SessionView",
            "add": "entries.AddedMessage",
            "show": "entries.SessionView",
            "list": "entries.SessionList",
            "end": "pages.Edited",
            "compact": "pages.Edited",
            "purge": "pages.Edited",
            "import": "entries.SessionImport",
        },
    ),
    "upkeep": Command(
        "upkeep",
        "Join, promote and retire memories, as one change.",
        "entries.UpkeepReport",
        "curation.ProposalList",
        parts={
            "consolidate": "entries.UpkeepReport entries.CompressionGroups",
            "retain": "entries.UpkeepReport",
            "snapshot": "entries.UpkeepReport",
            "archive": "entries.ArchiveList",
            "archive list": "entries.ArchiveList",
            "archive restore": "entries.UpkeepReport",
            "archive purge": "entries.UpkeepReport",
        },
    ),
    "review": Command(
        "review",
        "Review what a model or an agent proposes, and accept or reject it.",
        "curation.ProposalList",
        "curation.ProposalView",
        "curation.Reviewed",
    ),
    "extract": Command(
        "curation",
        "Propose memories from a conversation, a page or a text, by a model or by hand.",
        "curation.JobReport",
        "curation.JobPreview",
        "curation.Brief",
    ),
    "ingest": Command(
        "curation",
        "Keep sources in raw/ as they came, and propose what they say, each claim with its lines.",
        "curation.IngestReport",
        "curation.KeptSource",
        "curation.JobPreview",
        "curation.Brief",
    ),
    "curate": Command(
        "curation",
        "Propose what to join, end, merge, retire, relate and describe, by a model or by hand.",
        "curation.CurateReport",
        "curation.JobPreview",
        "curation.Brief",
    ),
    "append": Command(
        "edits",
        "Add text at the end of a page, or of one of its sections.",
        "pages.Edited",
        first="page",
    ),
    "replace": Command(
        "edits",
        "Replace the text of a page, or of one of its sections.",
        "pages.Edited",
        first="page",
    ),
    "tag": Command(
        "edits",
        "Add tags to a page or remove them; rename, merge or suggest them.",
        parts={
            "add": "pages.Edited",
            "remove": "pages.Edited",
            "rename": "pages.Edited",
            "merge": "pages.Edited",
            "suggest": "graph.TagSuggestions",
        },
    ),
    "entity": Command(
        "entries",
        "List what entries are about, find doubles and merge them.",
        parts={
            "list": "entries.EntityList",
            "candidates": "entries.EntityCandidates",
            "merge": "pages.Edited",
        },
    ),
    "namespace": Command(
        "setup",
        "List the namespaces, or put one away.",
        parts={"list": "workspaces.NamespaceList", "purge": "workspaces.Purged"},
    ),
    "link": Command(
        "edits",
        "Link a page to another one in its front matter.",
        "pages.Edited",
        first="page",
    ),
    "unlink": Command(
        "edits", "Remove the link from a page to another one.", "pages.Edited", first="page"
    ),
    "set": Command(
        "edits",
        "Set fields in the front matter of a page, or remove them.",
        "pages.Edited",
        first="page",
    ),
    "models": Command(
        "curation",
        "Show which language models are set and may be asked; check them.",
        parts={
            "show": "curation.ModelsReport",
            "check": "curation.ModelCheck",
            "allow": "curation.AllowedHosts",
            "embed": "index.Embedded",
            "spent": "curation.SpentList",
            "forget": "curation.ForgottenReplies",
        },
    ),
    "completion": Command(
        "setup",
        "Print the script that lets a shell complete commands and names.",
        "workspaces.CompletionScript",
    ),
    "move": Command(
        "edits",
        "Move or rename a page, a file or a folder, and update every link to it.",
        "pages.Edited",
        first="page",
    ),
    "delete": Command(
        "edits",
        "Delete or archive a page, and report the links that break.",
        "pages.Edited",
        first="page",
    ),
}

GROUPS = {  # how the overview lists them
    "Every day": "search recall get today add new append open move check undo status",
    "Start": "init import export",
    "Find": "ask web suggest browse list outline links tags graph context history show",
    "Write": "replace set tag link unlink delete log",
    "Memories": "entry entity session extract ingest curate review usage bench",
    "Look after": "upkeep sync watch share reindex doctor catalog cache",
    "Agents": "agent mcp hook",
    "Settings": "config models workspaces namespace completion",
}

_RENAMED = {  # names of the last release, which work in this one
    "consolidate": "upkeep consolidate",
    "retain": "upkeep retain",
    "snapshot": "upkeep snapshot",
    "archive": "upkeep archive",
    "tools": "agent tools",
    "memory-tool": "agent memory-tool",
}

GLOBAL_OPTIONS = (
    ("-C, --directory DIR", "Run as if started in DIR: in the workspace there or above."),
    ("-w, --workspace NAME", "Run in the workspace of this name (see workspaces); -C goes first."),
    ("-n, --namespace NAME", "Use this namespace; '*' is all of them, '' none."),
    ("--actor NAME", "Note changes as made by NAME, as an agent does."),
    ("--shared NAME", "Read the workspace NAME of the shared index."),
    ("--here", "Use exactly this folder (or DIR), not one above."),
    ("--json", "Print one JSON object on stdout."),
    ("--no-sync", "Answer from the index as it is, without looking at the files."),
    ("-q, --quiet", "Print data and errors only."),
    ("--version", "Show the version and exit."),
    ("--help", "Show this text, or the options of a command."),
)

_EXAMPLES = (
    "memwiki init notes",
    "memwiki -C notes search 'colour scheme'",
    "memwiki search 'tag:design -draft since:2w' --json",
    "memwiki COMMAND --help",
)


def current_name(words: Sequence[str]) -> list[str]:
    """A command and its arguments, under the name that it has now."""
    first = words[0]
    return [*_RENAMED[first].split(), *words[1:]] if first in _RENAMED else list(words)


def overview() -> str:
    """What `memwiki --help` prints."""
    width = max(map(len, COMMANDS))
    groups = (
        _block(f"{heading}:", [(name, COMMANDS[name].summary) for name in names.split()], width)
        for heading, names in GROUPS.items()
    )
    return "\n".join(
        [
            "Usage: memwiki [OPTIONS] COMMAND [ARGS]...",
            "",
            "  A folder of markdown as a memory: indexed, searchable, linked.",
            "",
            *_block("Options (before or after the command):", GLOBAL_OPTIONS),
            *chain.from_iterable(groups),
            "Examples:",
            *(f"  {example}" for example in _EXAMPLES),
        ]
    )


def _block(heading: str, rows: Sequence[tuple[str, str]], width: int = 0) -> list[str]:
    width = width or max(len(name) for name, _ in rows)
    return [heading, *(f"  {name:{width}}  {text}" for name, text in rows), ""]
