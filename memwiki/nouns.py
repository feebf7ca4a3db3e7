"""The nouns of memwiki, frozen and free of I/O.

Lines are 1-based and inclusive. Paths are relative to the workspace, with `/`. Digests are BLAKE2b
hex of the bytes. Dates are ISO 8601 text.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import TypeAlias

from memwiki.records import NamedTuple

FieldValue: TypeAlias = "str | list[FieldValue] | dict[str, FieldValue]"
FieldValues: TypeAlias = "Mapping[str, FieldValue]"  # by their names
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Environ: TypeAlias = Mapping[str, str]  # variables of the environment
Span: TypeAlias = tuple[int, int]  # where a part begins, and where it ends
Sections: TypeAlias = "tuple[Section, ...]"  # of a page, in its order


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


PLAIN = "link"  # the type of a link that has none
UNPARSED = "page-unparsed"  # the code of a page that is there as plain text alone


class Problem(NamedTuple):
    """Something wrong in the content of a file: a value, never an exception."""

    path: str
    line: int
    code: str
    severity: Severity
    message: str
    fixable: bool = False


class FrontMatterStatus(StrEnum):
    NONE = "none"  # the page has no block
    OK = "ok"
    REPAIRED = "repaired"  # read after quoting the offending lines
    SALVAGED = "salvaged"  # only plain `key: value` and `- item` lines were read
    BROKEN = "broken"  # nothing could be read from the block


class FrontMatter(NamedTuple):
    """The YAML or TOML block of a page as strings, keys as written; `line_end` is the closing
    delimiter."""

    status: FrontMatterStatus = FrontMatterStatus.NONE
    fields: Mapping[str, FieldValue] = MappingProxyType({})
    line_start: int = 0
    line_end: int = 0
    is_toml: bool = False


class Section(NamedTuple):
    """A heading and the text below it, up to the next heading of the same or a higher level."""

    title: str
    level: int
    trail: tuple[str, ...]  # titles from the outermost heading to this one
    line_start: int
    line_end: int


class LinkKind(StrEnum):
    WIKILINK = "wikilink"
    EMBED = "embed"
    MARKDOWN = "markdown"
    IMAGE = "image"
    FRONT_MATTER = "front_matter"  # a wikilink or relation inside the front matter
    SOURCE = "source"  # a value of sources, references: a link only when it resolves
    CITED = "cited"  # a wikilink there
    RELATED = "related"  # a value of related that is no wikilink: a link only when it resolves
    ENTRY = "entry"  # what a field of an entry names: a page, or `^id` of another entry


ONLY_IF_FOUND = frozenset({LinkKind.SOURCE, LinkKind.RELATED})
PATH_KINDS = frozenset({LinkKind.MARKDOWN, LinkKind.IMAGE})  # written as paths, not as names


class Link(NamedTuple):
    """A link as written; what it points at is decided when it is read."""

    written: str  # the target, unescaped and percent-decoded; no heading, no label
    text: str  # the label, "" when none
    line: int
    kind: LinkKind
    heading: str = ""  # `H1#H2` after the first `#`
    block: str = ""  # block id after `#^`
    relation: str = ""  # relation type, "" for a plain link
    weight: float = 1.0

    def as_name(self) -> Link:
        """The same link, to what has the `#` in its name."""
        return self._replace(written=f"{self.written}#{self.heading}", heading="")


class Entry(NamedTuple):
    """One memory: an item of a collecting page."""

    type: str
    text: str  # what the person reads: no marker, fields, id or strike-through
    section: str
    line_start: int
    line_end: int
    id: str = ""  # `m-7k2f9a`, without the caret
    fields: Mapping[str, str] = MappingProxyType({})
    tags: tuple[str, ...] = ()
    is_superseded: bool = False
    block: str = ""  # what others call it by, which is last in its line; no store keeps it


class Message(NamedTuple):
    """One turn of a session."""

    role: str
    text: str
    line_start: int
    line_end: int
    time: str = ""
    id: str = ""
    fields: Mapping[str, str] = MappingProxyType({})
    text_line: int = 0  # where its text begins


class UnitKind(StrEnum):
    BLOCK = "block"
    ENTRY = "entry"
    MESSAGE = "message"
    PART = "part"  # of a long message: all its parts are one hit


class Unit(NamedTuple):
    """What is indexed: a block of neighbouring sections, an entry, a message or a part of one.

    `names` (title; on the first unit of a page also aliases, tags, description and other fields)
    and
    `text` are searched. `digest` covers exactly what is searched, so lines may move without it
    changing.
    """

    kind: UnitKind
    text: str
    names: str
    section: str  # heading trail at the first line, joined by " > "
    line_start: int
    line_end: int
    digest: str
    type: str = ""  # entries: the entry's type; messages: the role
    id: str = ""
    fields: Mapping[str, str] = MappingProxyType({})
    tags: tuple[str, ...] = ()


class Stretch(NamedTuple):
    """Neighbouring list items of a long page: what their entries depend on is one digest.

    `held` is empty, or what a store holds of these entries, which were then not read again. What
    stands first on a page is found by the names of the page, too: it has no digest of its entries.
    """

    digest: bytes
    line_start: int
    line_end: int
    held: bytes = b""
    text_digest: bytes = b""  # of the same but for that


class LinkedStretch(NamedTuple):
    """The links and tags of such items; the lines of links count from the first of the stretch,
    which is 0. Of one that a store holds there are neither."""

    key: bytes  # of all that these depend on
    line_start: int
    links: tuple[Link, ...] = ()
    tags: tuple[str, ...] = ()
    is_held: bool = False


class Page(NamedTuple):
    """One markdown file, parsed."""

    path: str
    digest: str
    text: str  # decoded, EOL as found, no BOM
    front_matter: FrontMatter
    title: str
    description: str
    type: str
    tags: tuple[str, ...]  # as spelled, front matter first
    aliases: tuple[str, ...]
    ids: tuple[str, ...]  # id, slug, permalink, uid
    created: str
    updated: str  # "" when the front matter says nothing
    fields: Mapping[str, FieldValue]  # canonical keys, known ones coerced, unknown kept
    sections: tuple[Section, ...]
    units: tuple[Unit, ...]
    entries: tuple[Entry, ...]
    messages: tuple[Message, ...]
    links: tuple[Link, ...]
    block_ids: Mapping[str, int]  # id -> line
    problems: tuple[Problem, ...]
    line_count: int
    is_catalog: bool = False  # holds our markers or is the journal: neither a page nor a hit
    stretches: tuple[Stretch, ...] = ()  # of a long collecting page
    search_names: tuple[str, ...] = ()  # found by people, meant by no link
    linked: tuple[LinkedStretch, ...] = ()  # whose links and tags are not among those of the page


def empty_page(path: str, digest: str) -> Page:
    """A page of which no more is said than its path and digest."""
    return Page(
        path=path,
        digest=digest,
        text="",
        front_matter=FrontMatter(fields={}),
        title="",
        description="",
        type="",
        tags=(),
        aliases=(),
        ids=(),
        created="",
        updated="",
        fields={},
        sections=(),
        units=(),
        entries=(),
        messages=(),
        links=(),
        block_ids={},
        problems=(),
        line_count=0,
    )


class Dialect(NamedTuple):
    """The form in which the pages of a workspace are written and called; "" means markdown's."""

    name: str = ""
    day_file: str = ""  # how the files of days are called, such as %Y_%m_%d
    day_title: str = ""  # how links call them
    slash: str = ""  # what a file name has for the `/` of a name
    vaults: tuple[str, ...] = ()  # what links that name a vault call this one
    templates: str = ""  # folder of templates, which need not be complete
    root: str = ""  # folder that a generator makes the site of, whose addresses begin there
    folder: str = ""  # which the program keeps; "" is the workspace


LOGSEQ, DENDRON, OBSIDIAN = "logseq", "dendron", "obsidian"
MKDOCS, DOCUSAURUS, QUARTZ = "mkdocs", "docusaurus", "quartz"  # which make sites of pages
VITEPRESS = "vitepress"  # and VuePress
GITHUB = "github"  # its wikis, where the right side of a link is the page
FOAM = "foam"  # whose pages are called by their first heading of level 1
NAMED_BY_FILE = frozenset({OBSIDIAN, QUARTZ})  # whose pages are called by their files


class Nested(NamedTuple):
    """What holds below a folder that another program keeps: its days, as a path, and its form."""

    daily: str
    dialect: Dialect


class Layers(NamedTuple):
    """What the folders of a workspace mean; "" where it has no such layer (adopted vaults)."""

    memory: str = "memory.md"
    learnings: str = "learnings.md"
    daily: str = ""
    sessions: str = ""
    wiki: str = ""
    raw: str = ""
    inbox: str = ""
    archive: str = ""
    namespaces: str = ""
    log: str = ""
    dialect: Dialect = Dialect()
    nested: tuple[Nested, ...] = ()  # deepest first, the workspace itself last; () for none


# What the file system says of a file; equal and old enough means unchanged. A plain tuple, because
# a
# sync with nothing to do builds one for every page and does little else (2026-11-21).
Signature: TypeAlias = tuple[int, int, int, int]  # (size, mtime_ns, ctime_ns, inode)


class HitKind(StrEnum):
    """What a hit is."""

    PAGE = "page"
    SECTION = "section"
    ENTRY = "entry"
    MESSAGE = "message"


VALID, OLDER, LATER = "valid", "an older value", "a later value"
SUPERSEDED = "superseded"
STAGED = "staged"  # an entry that nobody has looked at yet
AGES = (
    f"{VALID} from ",
    f"{VALID} to ",
    OLDER,
    LATER,
    SUPERSEDED,
)  # reasons that tell the time of a hit


class Hit(NamedTuple):
    """One answer of a search: a page's best block, an entry or a message."""

    path: str
    title: str
    type: str
    section: str
    line_start: int
    line_end: int
    score: float
    excerpt: str
    tags: tuple[str, ...]
    updated: str
    reasons: tuple[str, ...] = ()
    kind: HitKind = HitKind.PAGE
    id: str = ""  # of an entry or message
    scores: Mapping[str, float] = {}  # by name, each 0..1; only where they are asked for

    @property
    def age(self) -> str:
        """What is to be said beside it: that it is older or later than asked, or when it holds."""
        return next((each for each in self.reasons if each.startswith(AGES)), "")


class LinkStatus(StrEnum):
    RESOLVED = "resolved"
    AMBIGUOUS = "ambiguous"
    WANTED = "wanted"  # no page yet: normal
    BROKEN = "broken"  # a path that should exist
    EXTERNAL = "external"


class LinkRow(NamedTuple):
    source: str
    target: str  # path it resolves to, "" when none
    written: str
    text: str
    line: int
    kind: LinkKind
    relation: str
    status: LinkStatus
    by: str  # the resolver's step that found it
    weight: float = 1.0
    source_id: str = ""  # of the entry that it stands in
    target_id: str = ""  # of the entry that it names


class TagCount(NamedTuple):
    tag: str
    count: int  # type: ignore[assignment]  # tuples have a method of that name


class Difference(NamedTuple):
    """One row on which the live index and a rebuild disagree."""

    store: str
    path: str
    what: str
