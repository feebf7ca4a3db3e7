"""Links of one page that no other page has to be known for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import dirname

from memwiki.check.rule import CheckedPage, CheckRule, Family, Finding
from memwiki.names import leads_out, path_in
from memwiki.nouns import PATH_KINDS, Severity

# A file of one machine: nobody else has it there.
_MACHINE = re.compile(r"file:|[A-Za-z]:[\\/]|\\\\|~/|/(?:home|Users|root|tmp|mnt|private|var)/")


def escaping_links(sheet: CheckedPage) -> Iterator[Finding]:
    """Links to files outside the workspace."""
    for link in sheet.page.links:
        if link.kind not in PATH_KINDS:
            continue
        if _MACHINE.match(link.written):
            message = f"{link.written}: a path of one machine; copy the file into the workspace"
            yield Finding("link-escapes", link.line, message)
        elif _leads_out(sheet.page.path, link.written):
            message = f"{link.written}: leads out of the workspace, where links are not checked"
            yield Finding("link-escapes", link.line, message)


def _leads_out(source: str, written: str) -> bool:
    if ".." not in written or written.startswith("/"):
        return False
    return leads_out(path_in(dirname(source), written))


RULES: tuple[CheckRule[CheckedPage], ...] = (
    CheckRule(
        "link-escapes",
        Family.LINKS,
        Severity.WARNING,
        "A link leads out of the workspace or to a path of one machine. Copy the file, or use a "
        "URL.",
        escaping_links,
    ),
)
