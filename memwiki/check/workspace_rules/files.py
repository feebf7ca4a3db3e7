"""Files of the workspace: their names, their size, and whether what is derived follows them."""

from __future__ import annotations

import re

from memwiki.change.journal import unread_lines
from memwiki.check.overview import WorkspaceOverview, locations
from memwiki.check.rule import Family, Finding, Findings, family_rules
from memwiki.files.paths import colliding
from memwiki.memory.placement import MEMORY_BYTES, MEMORY_LINES, is_over
from memwiki.names import BIDI
from memwiki.nouns import UNPARSED, Severity
from memwiki.text import pattern

_UNSAFE = pattern(
    rf"(?P<character>[<>:\"|?*\\\x00-\x1f\x7f{BIDI}])"
    r"|(?P<end>[. ](?=/|\Z))"
    r"|(?P<reserved>(?:(?<=/)|\A)(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?=[./]|\Z))",
    re.IGNORECASE,
)
_WHY = {
    "character": "contains a character Windows forbids, or an invisible one",
    "end": "ends in a space or full stop, which Windows drops",
    "reserved": "is one that Windows reserves for a device",
}


def unsafe_names(overview: WorkspaceOverview) -> Findings:
    """Names that another system cannot hold, so that a checkout or a copy there fails."""
    paths = (*overview.cards, *overview.attachments)
    parts = {part for path in paths for part in path.split("/")}  # a folder is looked at once
    for path in paths if any(map(_UNSAFE.search, parts)) else ():
        if match := _UNSAFE.search(path):
            yield Finding("file-name-unsafe", 1, f"name {_WHY[match.lastgroup or 'end']}", path)


def colliding_names(overview: WorkspaceOverview) -> Findings:
    """Names that are one on systems without case, or that write letters in two ways."""
    for first, *others in colliding((*overview.cards, *overview.attachments)):
        message = f"on some systems this is the same file as {locations(others)}; rename one"
        yield Finding("file-name-collision", 1, message, first)


def large_memory(overview: WorkspaceOverview) -> Findings:
    """A memory that is too long to be read at the beginning of every conversation."""
    path = overview.layers.memory
    if path not in overview.facts:
        return
    size = overview.facts[path].size
    lines = overview.around.read(path).count(b"\n")
    if is_over(lines, size):
        message = (
            f"{lines} lines and {size} bytes, over {MEMORY_LINES} lines or {MEMORY_BYTES} bytes"
        )
        yield Finding("memory-too-large", 1, message, path)


def unreadable_log(overview: WorkspaceOverview) -> Findings:
    """Headings of the journal that begin no entry."""
    path = overview.layers.log
    if path and overview.around.exists(path):
        lines = overview.around.read(path).decode("utf-8", "replace").split("\n")
        for line in unread_lines(lines):
            message = f"{lines[line - 1].strip()[:60]}: has no date, so no entry begins here"
            yield Finding("log-unreadable", line, message, path)


def catalogs(overview: WorkspaceOverview) -> Findings:
    """Catalogs that are behind their pages, or longer than anybody can read."""
    found = overview.around.catalogs
    for path in found.stale:
        yield Finding("catalog-stale", 1, "out of date; memwiki catalog updates it", path)
    for path in found.large:
        message = "over its budget; move the text around its list to a page"
        yield Finding("catalog-over-budget", 1, message, path)


def unparsed(overview: WorkspaceOverview) -> Findings:
    """Pages of which the index knows nothing but the text."""
    for problem in overview.lookup.unparsed():
        yield Finding(problem.code, problem.line, problem.message, problem.path)


def index_out_of_step(overview: WorkspaceOverview) -> Findings:
    """Files that the index could not follow, so that this very report may miss something."""
    if overview.around.out_of_step:
        yield Finding("index-out-of-step", 1, overview.around.out_of_step, ".")


NAMES = family_rules(
    Family.WORKSPACE,
    (
        "file-name-unsafe",
        Severity.WARNING,
        "A file name cannot exist on every system. Rename the file with `memwiki move`.",
        unsafe_names,
    ),
    (
        "file-name-collision",
        Severity.WARNING,
        "Names differ in case or Unicode form only, and are one file on some systems. Rename one.",
        colliding_names,
    ),
)
RULES = (
    *NAMES,
    *family_rules(
        Family.WORKSPACE,
        (
            "memory-too-large",
            Severity.WARNING,
            "The memory is over 200 lines or 25 KB, too long to be read each time. Move entries to "
            "pages.",
            large_memory,
        ),
        (
            "catalog-stale",
            Severity.WARNING,
            "A catalog is out of date. `memwiki catalog` updates it.",
            catalogs,
        ),
        (
            "catalog-over-budget",
            Severity.INFO,
            "A catalog is over 48,000 bytes. Move the text around its list to a page.",
            catalogs,
        ),
        (
            "log-unreadable",
            Severity.WARNING,
            "A heading in the journal has no date, so no entry begins there. "
            "Put the date in front.",
            unreadable_log,
        ),
        (
            UNPARSED,
            Severity.ERROR,
            "A bug in memwiki: the page could not be parsed and is indexed as plain text. "
            "Report it.",
            unparsed,
        ),
        (
            "index-out-of-step",
            Severity.WARNING,
            "The index is out of date, so this report may be incomplete. Run `memwiki sync`.",
            index_out_of_step,
        ),
    ),
)
