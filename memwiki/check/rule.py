"""What a rule is: a code with a severity and a sentence, and the function that finds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from memwiki.model import Page, Severity


class Family(StrEnum):
    FRONT_MATTER = "front matter"
    CONTENT = "content"
    TAGS = "tags"
    LINKS = "links"
    GRAPH = "graph"
    FRESHNESS = "freshness"
    WORKSPACE = "workspace"


class Finding(NamedTuple):
    """One place where a rule applies; a rule of a single page leaves the path to whoever asked.

    The message names no lines, so that a baseline still knows it when lines move.
    """

    code: str
    line: int
    message: str
    path: str = ""


class Sheet(NamedTuple):
    """One page on the table: parsed, as bytes, and as lines without their ends (`\\r` is kept)."""

    page: Page
    data: bytes
    lines: tuple[str, ...]

    @property
    def body_start(self) -> int:
        """The index in `lines` of the first line below the front matter."""
        return self.page.front_matter.line_end


T = TypeVar("T")
Fix: TypeAlias = Callable[[bytes], bytes]


class Rule(NamedTuple, Generic[T]):
    """A code and how it is found in a sheet or in the overview of a workspace.

    Several codes may share one `find`, which is then called once for all of them. `fix` mends all
    findings of this code in a file's bytes: pure, leaves every other byte, and done twice does no more.
    """

    code: str
    family: Family
    severity: Severity
    says: str  # one sentence for the table of the documentation: what it means, what to do
    find: Callable[[T], Iterable[Finding]]
    fix: Fix | None = None


def sheet_of(page: Page, data: bytes) -> Sheet:
    """Lay a page on the table."""
    lines = page.text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return Sheet(page, data, tuple(lines))


def found(rules: Iterable[Rule[T]], subject: T) -> list[Finding]:
    """What these rules find, each function called once."""
    wanted = {rule.code for rule in rules}
    finders = dict.fromkeys(rule.find for rule in rules)
    return [each for find in finders for each in find(subject) if each.code in wanted]
