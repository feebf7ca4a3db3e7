"""Every command, one row each, which help, completion and the docs read; it loads nothing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain


class Command:
    """A row: where a command is, what it does, and what its first argument names."""

    def __init__(self, module: str, summary: str, first: str = "") -> None:
        self.module = module  # in `cli/commands/`
        self.summary = summary
        self.first = first  # page, tag or query; "" for anything else


_COMMANDS = {  # module, summary, and what the first argument names
    "init": ("setup", "Make a folder a workspace, from the template or as it is, and index it."),
    "sync": ("index", "Bring the index up to date with the files."),
    "watch": (
        "index",
        "Keep the index up to date while files are edited, and answer commands fast.",
    ),
    "reindex": ("index", "Build a new index from the files and swap it in."),
    "status": ("index", "Show what is indexed, or why a file is not found."),
    "doctor": ("index", "Check the index, and with --verify compare it with a rebuild."),
    "check": ("check", "Report problems; --fix repairs the safe ones."),
    "catalog": ("graph", "Bring index.md up to date with the pages, or check that it is."),
    "config": ("setup", "Show or change the settings of the workspace."),
    "workspaces": ("setup", "Give workspaces names, for `memwiki -w NAME`."),
    "cache": ("index", "List the indexes on this machine, or delete orphaned ones."),
    "agent": ("agents", "Install memwiki for a coding agent's program, or remove it."),
    "mcp": ("serve", "Serve the memory to agents over the Model Context Protocol."),
    "web": ("serve", "Show the workspace in a browser: read, search, review and edit it."),
    "hook": ("agents", "Answer an event of an agent's program, given as JSON on standard input."),
    "share": ("carry", "Share the index with other machines, by a server of PostgreSQL."),
    "export": ("carry", "Write the workspace, or some of its pages, to one file."),
    "import": ("carry", "Take in an export, a folder of markdown, or what another tool keeps."),
    "search": ("search", "Search pages, entries and messages.", "query"),
    "suggest": ("search", "Offer names for what is being typed, without looking at the files."),
    "recall": ("search", "Recall what answers a question: pages, entries and messages."),
    "ask": ("curation", "Answer a question in a few sentences, each with the lines that say it."),
    "context": ("search", "Print the core memories as a block for a system prompt."),
    "get": ("pages", "Print a page, a section of it or some lines.", "page"),
    "outline": ("pages", "Show the headings of a page, with their lines and sizes.", "page"),
    "list": ("pages", "List pages, filtered by type, tag or path."),
    "browse": ("graph", "Show what there is: folders, pages, memories and tags."),
    "links": ("graph", "Show what a page links to and what links to it.", "page"),
    "tags": ("graph", "List the tags and how many pages and entries have them.", "tag"),
    "undo": ("edits", "Undo the last changes that memwiki made."),
    "log": ("edits", "Show the journal, or add an entry to it."),
    "history": ("pages", "List the commits that touched a page.", "page"),
    "show": ("pages", "Print a page as it was at a commit or date.", "page"),
    "graph": (
        "graph",
        "Show the pages and entries around a page or entry, or the shortest path to another one.",
        "page",
    ),
    "new": ("edits", "Create a page from the template of its type, and print its path."),
    "today": ("edits", "Open today's page in the editor, or add an item to it."),
    "open": ("edits", "Open a page in $VISUAL or $EDITOR, then report what changed.", "page"),
    "add": ("entries", "Add an entry to memory: a fact, preference, decision ..."),
    "entry": ("entries", "Show, list, change, retire and relate entries."),
    "bench": (
        "bench",
        "Measure how well recall answers and finds your pages, and what a model extracts.",
    ),
    "usage": ("entries", "Show what was recalled, how often and how well."),
    "session": (
        "sessions",
        "Keep conversations: begin, add, show, list, end, compact, purge and import them.",
    ),
    "upkeep": ("upkeep", "Join, promote and retire memories, as one change."),
    "review": ("review", "Review what a model or an agent proposes, and accept or reject it."),
    "extract": (
        "curation",
        "Propose memories from a conversation, a page or a text, by a model or by hand.",
    ),
    "ingest": (
        "curation",
        "Keep sources in raw/ as they came, and propose what they say, each claim with its lines.",
    ),
    "curate": (
        "curation",
        "Propose what to join, end, merge, retire, relate and describe, by a model or by hand.",
    ),
    "append": ("edits", "Add text at the end of a page, or of one of its sections.", "page"),
    "replace": ("edits", "Replace the text of a page, or of one of its sections.", "page"),
    "tag": ("edits", "Add tags to a page or remove them; rename, merge or suggest them."),
    "entity": ("entries", "List what entries are about, find doubles and merge them."),
    "namespace": ("setup", "List the namespaces, or put one away."),
    "link": ("edits", "Link a page to another one in its front matter.", "page"),
    "unlink": ("edits", "Remove the link from a page to another one.", "page"),
    "set": ("edits", "Set fields in the front matter of a page, or remove them.", "page"),
    "models": ("curation", "Show which language models are set and may be asked; check them."),
    "completion": ("setup", "Print the script that lets a shell complete commands and names."),
    "move": (
        "edits",
        "Move or rename a page, a file or a folder, and update every link to it.",
        "page",
    ),
    "delete": ("edits", "Delete or archive a page, and report the links that break.", "page"),
}
COMMANDS = {name: Command(*row) for name, row in _COMMANDS.items()}

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
