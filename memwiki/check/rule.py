"""What a rule is: a code with a severity and a sentence, and the function that finds it; and pages
on their way to it, of which the index holds most of what a parser finds."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import Generic, TypeAlias, TypeVar

from memwiki.index.cards.parsed import ParsedPage, held_page, parsed_pages
from memwiki.index.cards.store import Cards
from memwiki.markdown.describe import inner_path, is_kept, is_subject, is_template
from memwiki.markdown.outline import Outline, look_over
from memwiki.markdown.parse import WholeFile, parse
from memwiki.markdown.scanner import Structure
from memwiki.markdown.source import lazy
from memwiki.markdown.stretches import HeldPage, KnownLists, KnownStretches
from memwiki.markdown.structure import structure_of
from memwiki.nouns import Entry, Layers, Link, Page, Sections, Severity, Span
from memwiki.records import NamedTuple
from memwiki.scope import layers_at
from memwiki.sync.context import Context
from memwiki.text import holds, pattern

_AT_ONCE = 32  # pages: they are looked at in order, and after an edit few
# The index holds no addresses; one may name a file of this machine, or lead out by its dots.
_FAR = pattern(r"file\\?:|/\\?\.\\?\.")


class ParsedPages:
    """What the index holds of pages, asked for some ahead."""

    def __init__(self, cards: Cards) -> None:
        self._cards = cards
        self._known: dict[str, ParsedPage | None] = {}

    @lazy
    def _paths(self) -> list[str]:
        return sorted(self._cards.digests())

    def of(self, path: str, digest: str) -> ParsedPage | None:
        """What it holds of a page of these bytes."""
        if path not in self._known:
            at = bisect_left(self._paths, path)
            some = self._paths[at : at + _AT_ONCE]
            self._known = {path: None, **dict.fromkeys(some), **parsed_pages(self._cards.db, some)}
        found = self._known[path]
        return found if found and found.digest == digest else None

    def stretches(self, path: str, digest: str) -> HeldPage | None:
        """The stretches that it holds of a long page of these bytes."""
        return held_page(self._cards.db, path, digest)


class ParsedOutline(Outline):
    """A page that was looked over before; only what the index does not hold is looked for."""

    def __init__(self, layers: Layers, path: str, text: str, mark: str, parsed: ParsedPage) -> None:
        super().__init__(layers, path, text, mark)
        self._parsed = parsed

    @property
    def title(self) -> str:
        """The title of the page."""
        return self._parsed.title

    @property
    def links(self) -> tuple[Link, ...]:
        """All links, but for addresses that no rule asks for."""
        if holds(self.text, "file", "..") and _FAR.search(self.text):
            return super().links
        return self._parsed.links

    @property
    def tags(self) -> list[tuple[str, int]]:
        """The tags of the page, wherever they stand."""
        return [(tag, 0) for tag in self._parsed.tags]

    @property
    def sections(self) -> Sections:
        """The headings as sections."""
        return self._parsed.sections


class Family(StrEnum):
    FRONT_MATTER = "front matter"
    CONTENT = "content"
    TAGS = "tags"
    LINKS = "links"
    GRAPH = "graph"
    FRESHNESS = "freshness"
    WORKSPACE = "workspace"


class Swap(NamedTuple):
    """A link's target as it is written, and what it is to be wherever it stands in the page."""

    old: str
    new: str


class Finding(NamedTuple):
    """One place where a rule applies; a rule of a single page leaves the path to whoever asked.

    The message names no lines, so that a baseline still knows it when lines move.
    """

    code: str
    line: int
    message: str
    path: str = ""
    swap: Swap | None = None  # how to fix this place, where the page alone does not tell
    is_fixable: bool = False  # by the fix of its rule, which was tried


class CheckedPage:
    """One page on the table: parsed, as bytes, and as lines without their ends (`\\r` is kept)."""

    def __init__(
        self,
        page: Page,
        data: bytes,
        layers: Layers,
        size: int = 0,
        outline: Outline | None = None,
    ) -> None:
        self.page, self.data, self.layers, self._outline = page, data, layers, outline
        self.size = size or len(data)  # of the file, of which `data` may be the head
        self.inner = inner_path(page.path, layers)  # as seen from its namespace
        self.lines = page.text.split("\n")
        if self.lines[-1] == "":
            self.lines.pop()

    @property
    def body_start(self) -> int:
        """The index in `lines` of the first line below the front matter."""
        return self.page.front_matter.line_end

    @lazy
    def structure(self) -> Structure:
        """Where headings and code stand, as CommonMark has it."""
        known = self._outline
        if known and not (known.is_scanned or known.is_logseq):
            return known.structure
        return structure_of([line.rstrip("\r") for line in self.lines], self.body_start)

    @lazy
    def pieces(self) -> Sequence[tuple[int, list[str]]]:
        """Its lines without those of its stretches, which are blank there, and the lines of each
        stretch by itself but for those that are known; with the number of lines above."""
        rest, found = self.lines.copy(), []
        for each in self.page.stretches:
            start, stop = each.line_start - 1, each.line_end
            if not each.held:
                found.append((start, self.lines[start:stop]))
            rest[start:stop] = [""] * (stop - start)
        return [(0, rest), *found]

    @property
    def is_plain(self) -> bool:
        """Whether its bytes are its text: not binary, and in no other encoding than UTF-8."""
        return bool(self.page.text) and not self.data.startswith((b"\xff\xfe", b"\xfe\xff"))

    def without_lines(self, spans: Sequence[Span]) -> bytes:
        """Its bytes without the lines from the first to the second number, from 1 and in order;
        what is not plain text stays."""
        if not self.is_plain:
            return self.data
        lines = self.data.split(b"\n")
        for first, last in reversed(spans):
            del lines[first - 1 : last]
        return b"\n".join(lines)

    @lazy
    def is_kept(self) -> bool:
        """Whether it is kept as it is: a source, or something retired."""
        return is_kept(self.page.path, self.layers)

    @lazy
    def is_template(self) -> bool:
        """Whether it is a form to be filled in."""
        return is_template(self.page.path, self.layers)

    @property
    def has_entries(self) -> bool:
        """Whether it collects entries and has some."""
        return bool(self.page.entries) or any(each.held for each in self.page.stretches)

    @lazy
    def entries(self) -> Sequence[Entry]:
        """All its entries; those that a store has are read for whom this is not enough."""
        if self._outline is None or not any(each.held for each in self.page.stretches):
            return self.page.entries
        from memwiki.markdown.units import entries_of  # few rules ask

        return entries_of(self._outline).entries

    @lazy
    def is_subject(self) -> bool:
        """Whether it is a page about something, written to be read."""
        page = self.page
        return is_subject(page.path, page.type, self.layers, has_entries=self.has_entries)


def checked_page(
    context: Context,
    path: str,
    data: bytes,
    of: WholeFile | None = None,
    parsed: ParsedPage | None = None,
    known: KnownStretches = MappingProxyType({}),
    before: HeldPage | None = None,
) -> CheckedPage:
    """One page on the table; of one that is too large the head will do. What was found in it
    before is not looked for again, nor are its stretches, nor the entries of those that are
    known."""
    layers, limit = context.layers, context.max_bytes
    looked: list[Outline] = []

    def look(path: str, text: str, mark: str) -> Outline:
        seen = (layers, path, text, mark)
        looked.append(ParsedOutline(*seen, parsed) if parsed else look_over(*seen))
        return looked[0]

    seen = partial(parse, path, data, layers, max_bytes=limit, of=of, outlines=look)
    page = seen(known=KnownLists(known, before), has_units=False)
    size = of.size if of else len(data)
    return CheckedPage(page, data, layers_at(path, layers), size, next(iter(looked), None))


Findings: TypeAlias = Iterator[Finding]
T = TypeVar("T")
Fix: TypeAlias = Callable[[CheckedPage], bytes]


class CheckRule(NamedTuple, Generic[T]):
    """A code and how it is found in a sheet or in the overview of a workspace.

    Several codes may share one `find`, which is then called once for all of them. `fix` gives
    the bytes of a page with all findings of this code fixed: every other byte stays as it is, and a
    second time there is nothing left to fix.
    """

    code: str
    family: Family
    severity: Severity
    says: str  # one sentence for the table of the documentation: what it means, what to do
    find: Callable[[T], Iterable[Finding]]
    fix: Fix | None = None


def family_rules(
    family: Family,
    *rows: tuple[str, Severity, str, Callable[[T], Iterable[Finding]], *tuple[Fix, ...]],
) -> tuple[CheckRule[T], ...]:
    """The rules of a family: of each its code, severity, sentence, how it is found and fixed."""
    return tuple(
        CheckRule(code, family, severity, says, find, *fix)
        for code, severity, says, find, *fix in rows
    )


def found(rules: Iterable[CheckRule[T]], subject: T) -> list[Finding]:
    """What these rules find, each function called once."""
    wanted = {rule.code for rule in rules}
    finders = dict.fromkeys(rule.find for rule in rules)
    return [each for find in finders for each in find(subject) if each.code in wanted]
