"""Every command with the module it lives in; this table loads nothing."""

from __future__ import annotations

COMMANDS = {
    "init": ("setup", "Make a folder a workspace: from the template, or as it is."),
    "sync": ("index.sync", "Bring the index in step with the files."),
    "watch": ("watch", "Keep the index in step while files are edited."),
    "reindex": ("index.sync", "Build a new index from the files and swap it in."),
    "status": ("index.health", "Show what is indexed, or why a file is not found."),
    "doctor": ("index.health", "Check the index, and with --verify compare it with a rebuild."),
    "check": ("check", "Say what is wrong with the pages, and mend what is safe to mend."),
    "catalog": ("catalog", "Bring index.md in step with the pages, or check that it is."),
    "config": ("settings", "Show or change the settings of the workspace."),
    "cache": ("index.caches", "List the indexes on this machine, or drop orphaned ones."),
    "search": ("search", "Search pages, entries and messages."),
    "get": ("pages", "Print a page, a section of it or some lines."),
    "list": ("pages", "List pages, narrowed by type, tag or path."),
    "links": ("graph", "Show what a page links to and what links to it."),
    "tags": ("graph", "List the tags and how many pages and entries carry them."),
    "undo": ("edits.undo", "Take back the last changes that memwiki made."),
    "log": ("journal", "Show what was done, or note it."),
    "history": ("history", "List the commits that touched a page."),
    "show": ("history", "Print a page as it was at a commit or date."),
    "graph": ("graph", "Show the pages around a page, or the way to another one."),
    "new": ("edits.text", "Create a page from the template of its type, and print its path."),
    "today": ("edits.text", "Open the page of today in the editor, or add an item to it."),
    "open": ("edits.text", "Open a page in $VISUAL or $EDITOR, and say what changed when it ends."),
    "append": ("edits.text", "Add text at the end of a page, or of one of its sections."),
    "replace": ("edits.text", "Put text in the place of all that stands below a heading."),
    "tag": ("edits.tags", "Add tags to a page or remove them; rename or merge them everywhere."),
    "link": ("edits.fields", "Link a page to another one in its front matter."),
    "unlink": ("edits.fields", "Remove the link from a page to another one."),
    "set": ("edits.fields", "Set fields in the front matter of a page, or remove them."),
    "completion": (
        "completion",
        "Print the script that lets a shell complete commands and names.",
    ),
    "move": (
        "edits.moving",
        "Move or rename a page, a file or a folder, and keep every link true.",
    ),
    "delete": (
        "edits.moving",
        "Delete a page, into the archive if the workspace has one, and say which links lead nowhere.",
    ),
}

GLOBAL_OPTIONS = (
    ("-C, --directory DIR", "As if started in DIR: the workspace there or above."),
    ("--here", "Take exactly this folder (or DIR), not one above."),
    ("--json", "Print one JSON object on stdout."),
    ("--no-sync", "Answer from the index as it is, without looking at the files."),
    ("-q, --quiet", "Print data and errors only."),
    ("--version", "Show the version and exit."),
    ("--help", "Show this text; after a command, what it takes."),
)

_EXAMPLES = (
    "memwiki init notes",
    "memwiki -C notes search 'colour scheme'",
    "memwiki search 'tag:design -draft since:2w' --json",
    "memwiki COMMAND --help",
)


def overview() -> str:
    """What `memwiki --help` prints."""
    commands = [(name, summary) for name, (_, summary) in COMMANDS.items()]
    return "\n".join(
        [
            "Usage: memwiki [OPTIONS] COMMAND [ARGS]...",
            "",
            "  A folder of markdown as a memory: in step, searchable, linked.",
            "",
            *_block("Options (before or after the command):", GLOBAL_OPTIONS),
            *_block("Commands:", commands),
            "Examples:",
            *(f"  {example}" for example in _EXAMPLES),
        ]
    )


def _block(heading: str, rows: tuple[tuple[str, str], ...] | list[tuple[str, str]]) -> list[str]:
    width = max(len(name) for name, _ in rows)
    return [heading, *(f"  {name:{width}}  {text}" for name, text in rows), ""]
