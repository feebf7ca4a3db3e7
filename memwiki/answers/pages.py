"""Pages, listings of them, and what a verb changed, as answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memwiki.answers.lists import ListAnswer
from memwiki.nouns import Entry, FieldValue, LinkRow, Span
from memwiki.records import FrozenRecord, NamedTuple


class PageView(NamedTuple):
    """A page, or a part of it, as `get` gives it."""

    path: str
    title: str
    type: str
    fields: Mapping[str, FieldValue]
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    text: str
    digest: str
    line_start: int
    line_end: int
    etag: str = ""  # the first 16 digits of the digest: what `expect` asks for at least


class SectionSize(NamedTuple):
    """A heading, and how much is below it up to the next one of its level or above."""

    title: str
    level: int
    trail: tuple[str, ...]  # headings from the outermost to this one
    line_start: int
    line_end: int
    characters: int
    tokens: int  # estimated


class PageOutline(FrozenRecord):
    """The headings of a page, and how long the page is."""

    path: str
    title: str
    lines: int
    characters: int
    tokens: int  # estimated
    sections: tuple[SectionSize, ...]

    def __iter__(self) -> Iterator[SectionSize]:
        return iter(self.sections)


class PageRow(NamedTuple):
    """One line of `list`."""

    path: str
    title: str
    type: str
    description: str
    tags: tuple[str, ...]
    updated: str
    links: int


class PageList(ListAnswer[PageRow]):
    pages: tuple[PageRow, ...]
    total: int
    fresh: bool = True
    notes: tuple[str, ...] = ()


class FolderItem(NamedTuple):
    """A file or a folder, with its size as the file system gives it."""

    path: str
    size_bytes: int
    is_folder: bool


class FolderList(NamedTuple):
    """A folder with what is in it, by code point, depth first."""

    path: str
    size_bytes: int
    items: tuple[FolderItem, ...]


class TextFile(NamedTuple):
    """A text file as it is now, every character of it."""

    path: str
    text: str
    digest: str

    @property
    def lines(self) -> list[str]:
        """Its lines, which only `\\n` ends, without the empty one behind a final line end."""
        lines = self.text.split("\n")
        return lines if lines[-1] else lines[:-1]


class MergedText(NamedTuple):
    """A text and what its file became meanwhile, as one text."""

    text: str
    file: TextFile  # as it is now
    is_clean: bool  # whether no line was changed by both; else such lines are those of the text


class CatalogReport(NamedTuple):
    """What `catalog` wrote, or with `check` would write."""

    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()  # with `check`: the files that are not as they should be
    unmarked: tuple[str, ...] = ()  # index files of people's own; `catalog --adopt` adds a block
    notes: tuple[str, ...] = ()
    catalogs: int = 0  # how many there are
    pages: int = 0  # how many they list
    fresh: bool = True
    reason: str = ""


class Suggestion(NamedTuple):
    """A name that somebody may be about to type."""

    name: str
    kind: str  # title, alias, file name, entity or tag
    path: str = ""  # of its page, of an entity that of an entry about it; a tag has none


class SuggestionList(ListAnswer[Suggestion]):
    """Names for a text that is being typed, the best first."""

    suggestions: tuple[Suggestion, ...]
    text: str
    fresh: bool
    pending: int | None
    reason: str = ""
    as_of: str = ""  # when it was fresh, as a watcher says


class BrowseSection(NamedTuple):
    """Lines under a heading, as an index.md has them; links are from the workspace on."""

    title: str
    lines: tuple[str, ...]


class Browse(FrozenRecord):
    """Sections of lines; `total` counts what `limit` and `offset` choose from."""

    what: str
    path: str
    sections: tuple[BrowseSection, ...]
    total: int
    next_offset: int = 0  # 0 where nothing follows
    fresh: bool = True

    def __iter__(self) -> Iterator[BrowseSection]:
        return iter(self.sections)


MAX_DRAWN_CHARS = 100_000  # of a line; a longer one, 80,000 links, took minutes (2026-11-30)


class LinkSpan(NamedTuple):
    """A link in a text: the half-open offsets of its target, and what it means."""

    start: int
    end: int
    link: LinkRow
    heading: str = ""  # `H1#H2` of the target
    block: str = ""  # the id of a block of the target


class TagSpan(NamedTuple):
    """A tag in a text, and the half-open offsets of it with its sign."""

    start: int
    end: int
    tag: str


class PageDrawing(NamedTuple):
    """A page with what the index reads in it, for whoever draws it."""

    path: str
    title: str
    type: str
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    fields: Mapping[str, FieldValue]
    text: str  # with line feeds alone at the ends of lines
    digest: str
    body_line: int  # the first line below the front matter
    links: tuple[LinkSpan, ...]  # in the order of their offsets
    tag_spans: tuple[TagSpan, ...]
    block_ids: Mapping[str, int]  # the line of each block with an id
    entries: tuple[Entry, ...]
    has_heading: bool  # whether it begins with its title
    dialect: str = ""  # the program that keeps its folder
    etag: str = ""  # the first 16 digits of the digest
    rev: str = ""  # of the version that was asked for
    date: str = ""
    line_start: int = 1
    line_end: int = 0
    fresh: bool = True
    tagged_code: tuple[Span, ...] = ()  # first and last lines of code between tags of a site


class Version(NamedTuple):
    """A commit that touched a page."""

    rev: str
    date: str  # of the commit, with its own offset
    author: str
    subject: str
    path: str  # what the page was called then
    added: int | None  # lines; None where git takes the file for binary
    removed: int | None


class History(FrozenRecord):
    """The versions of a page, newest first; `complete` is false when there are older ones."""

    path: str
    versions: tuple[Version, ...]
    complete: bool = True
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Version]:
        return iter(self.versions)


class PageAt(NamedTuple):
    """A page, or a part of it, as a commit has it."""

    path: str  # what the page was called then
    rev: str
    date: str
    title: str
    text: str
    line_start: int
    line_end: int


class LogEntry(NamedTuple):
    """What was done on a day; `path` and `line` say where it is noted, `by` who did it."""

    day: str
    op: str
    title: str
    notes: tuple[str, ...]
    path: str
    line: int
    by: str = ""


class LogList(ListAnswer[LogEntry]):
    entries: tuple[LogEntry, ...]  # newest first
    total: int


class Edited(NamedTuple):
    """The files that a verb changed, or with `dry_run` would change."""

    op: str  # create, update, move, delete ...
    title: str
    paths: tuple[str, ...]
    dry_run: bool = False
    merged: tuple[str, ...] = ()  # files that had changed meanwhile; both changes are in them now
    notes: tuple[str, ...] = ()  # what the person should know: a twin, links left dangling
    details: tuple[str, ...] = ()  # what the journal says of it, such as how many links changed
    diff: str = ""  # with `dry_run`: what would change
    fresh: bool = True
