"""One markdown file into one Page; nothing that stands in a file makes this raise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from memwiki.dates import iso_date
from memwiki.digest import digest_of
from memwiki.markdown import describe
from memwiki.markdown.border import HEAD_BYTES, bare_page, contain_errors, plain_page
from memwiki.markdown.describe import first_paragraph, is_type_alone
from memwiki.markdown.dialects import addresses, first_block
from memwiki.markdown.entries import ReadEntries
from memwiki.markdown.fields import is_property, strings
from memwiki.markdown.outline import BLOCK_ID, Outline, PageKind, look_over, text_of
from memwiki.markdown.source import lazy
from memwiki.markdown.stretches import NO_LISTS, KnownLists
from memwiki.markdown.structure import MAX_TITLE
from memwiki.markdown.syntax import CONFLICT
from memwiki.markdown.tags import distinct_tags
from memwiki.markdown.titles import head_dates
from memwiki.markdown.units import UnitNames, entries_of, make_units
from memwiki.names import stem_of
from memwiki.nouns import (
    DOCUSAURUS,
    QUARTZ,
    Entry,
    Layers,
    Link,
    LinkKind,
    Message,
    Page,
    Problem,
    Severity,
    Stretch,
    Unit,
)
from memwiki.records import NamedTuple
from memwiki.text import holds

if TYPE_CHECKING:
    from memwiki.markdown.stretch_links import CutLinks

Look: TypeAlias = Callable[[str, str, str], Outline]  # path, text and mark

MAX_BYTES = 10_000_000
_NAMED_FIELDS = frozenset({"title", "tags", "aliases", "id", "description", "created", "updated"})
_MAX_NAMES = 8_000


class WholeFile(NamedTuple):
    """A file of which the head is at hand."""

    digest: str
    size: int


def parse(
    path: str,
    data: bytes,
    layers: Layers,
    *,
    max_bytes: int = MAX_BYTES,
    of: WholeFile | None = None,
    outlines: Look | None = None,
    known: KnownLists = NO_LISTS,
    has_blocks: bool = True,
    has_units: bool = True,
) -> Page:
    """Read a file into a page; `path` is relative to the workspace.

    Of a file that is too large `data` may be the head, and `of` says what it is the head of.
    `outlines` are those of a plan, which looks each page over once. Without `has_blocks` only
    entries and messages become units, and the page has neither tags nor sections nor first words:
    who asks for names and links alone needs no text that is searched. Without `has_units` it has
    neither units nor first words nor names for searches: who judges a page as it stands searches
    nothing.
    """
    digest, size = of or WholeFile(digest_of(data), len(data))
    look = outlines or partial(look_over, layers)

    def read() -> Page:
        is_cut = size > max_bytes
        decoded = text_of(layers, path, data[: min(HEAD_BYTES, max_bytes)] if is_cut else data)
        if decoded.is_binary:
            return bare_page(path, digest, decoded)
        problems = list(decoded.problems)
        if is_cut:
            problems = [p for p in problems if p.code != "utf8-invalid"]
            message = f"{size} bytes, over the limit of {max_bytes}: only title and head are read"
            problems.append(Problem(path, 1, "page-too-large", Severity.WARNING, message))
        seen = look(path, decoded.text, decoded.mark)
        if seen.is_catalog:
            return bare_page(path, digest, decoded, is_catalog=True)
        return _page_of_outline(
            seen, digest, problems, known, has_blocks=has_blocks, has_units=has_units
        )

    return contain_errors(read, lambda error: plain_page(path, data, error, max_bytes, digest))


def _page_of_outline(
    seen: Outline,
    digest: str,
    problems: Sequence[Problem],
    known: KnownLists,
    *,
    has_blocks: bool,
    has_units: bool,
) -> Page:
    """The page that an outline describes; `problems` are those of its bytes."""
    fields, title, kind = seen.fields, seen.title, seen.kind
    entries, stretches = _entries(seen, known) if kind is PageKind.COLLECTING else ((), ())
    messages = _messages(seen) if kind is PageKind.SESSION else ()
    search_names = seen.search_names if has_units else ()
    cut = _cut(seen, stretches, known.linked)
    links = seen.links if cut is None else (*seen.front_links, *cut.links)
    tags = (tag for tag, _ in seen.tags) if cut is None else cut.tags
    return Page(
        path=seen.path,
        digest=digest,
        text=seen.text,
        front_matter=seen.front,
        title=title,
        description=_description(seen, has_words=has_blocks and has_units),
        type=seen.type,
        tags=distinct_tags((*fields.tags, *tags)) if has_blocks else (),
        aliases=fields.aliases,
        ids=_ids(seen),
        created=_dated(seen, "created") or _dated(seen, "started") or seen.called.day,
        updated=_dated(seen, "updated"),
        fields=fields.values,
        sections=seen.sections if has_blocks else (),
        units=(
            _units(seen, (title, *search_names), entries, messages, stretches)
            if has_units and (has_blocks or entries or messages)
            else ()
        ),
        entries=entries,
        messages=messages,
        links=(*links, *_parents(seen)),
        block_ids=BlockIds(seen),
        problems=(*problems, *_problems_in_front(seen), *_conflicts(seen)),
        line_count=len(seen.lines),
        stretches=stretches,
        search_names=search_names,
        linked=cut.stretches if cut else (),
    )


class BlockIds(Mapping[str, int]):
    """The line, from 1, of each block id of a page: looked for when one is asked for, as no index
    asks for any but those of Logseq."""

    def __init__(self, page: Outline) -> None:
        self.page = page

    @lazy
    def _lines(self) -> Mapping[str, int]:
        return self.page.block_ids

    def __getitem__(self, id_: str) -> int:
        return self._lines[id_]

    def __iter__(self) -> Iterator[str]:
        page = self.page
        if page.is_logseq or "^" not in page.text:
            return iter(self._lines)
        return iter(dict.fromkeys(BLOCK_ID.findall(page.masked.text)))  # no line is counted

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _description(seen: Outline, *, has_words: bool) -> str:
    return seen.fields.text("description") or (_first_words(seen) if has_words else "")


def _ids(seen: Outline) -> tuple[str, ...]:
    called = (*seen.fields.ids, *seen.called.others, *_addresses(seen), *seen.place_names)
    return tuple(dict.fromkeys(called))


def _problems_in_front(seen: Outline) -> tuple[Problem, ...]:
    if describe.is_template(seen.path, seen.layers):
        return ()  # a form to be filled in, and not yet YAML
    return (*seen.loaded.problems, *seen.fields.problems)


def _dated(seen: Outline, key: str) -> str:
    """A date of the front matter, or below the heading, "" where it is none: pages are sorted by
    it."""
    text = seen.fields.text(key)
    return text if iso_date(text) else head_dates(seen.lines, seen.text_start).get(key, "")


def _cut(
    seen: Outline, stretches: tuple[Stretch, ...], linked: AbstractSet[bytes] | None
) -> CutLinks | None:
    """The links and tags of a page by stretch, where they are kept so."""
    if linked is None or not stretches:
        return None
    from memwiki.markdown.stretch_links import cut_links  # few pages have stretches

    return cut_links(seen, stretches, linked)


def _addresses(seen: Outline) -> Iterable[str]:
    """What the links of a site call a page besides its path."""
    if seen.layers.dialect.name not in (DOCUSAURUS, QUARTZ):
        return ()
    return addresses(seen.path, seen.front.fields, seen.layers.dialect)


def _first_words(seen: Outline) -> str:
    """What a page says first, in words: its first paragraph, of an outline its first block."""
    structure = seen.structure
    if not seen.is_logseq or seen.kind is PageKind.SESSION:
        return first_paragraph(seen.lines, seen.start, structure)
    blocks = (*structure.code, *structure.html)
    return describe.shorten(first_block(seen.lines, seen.text_start, blocks))


def _parents(seen: Outline) -> list[Link]:
    """The link to the page above one whose name has parts: it is said by the name alone."""
    parent = seen.called.parent
    if not parent or any(link.relation in ("parent", "up") for link in seen.links):
        return []
    return [Link(parent, "", 1, LinkKind.RELATED, relation="parent")]


def _conflicts(seen: Outline) -> list[Problem]:
    if seen.lacks(_has_conflict, seen.text):
        return []
    last = max(seen.text.rfind("\n======="), 0)
    starts = (match.start() for match in CONFLICT.finditer(seen.text, 0, last))
    message = "merge conflict: both sides are searchable until it is resolved"
    return [
        Problem(seen.path, line + 1, "conflict-marker", Severity.ERROR, message)
        for line in map(seen.line_at, starts)
        if line >= seen.start and not _is_example(seen, line)
    ]


def _has_conflict(text: str) -> bool:
    return holds(text, "<<<<<<<")


def _is_example(seen: Outline, line: int) -> bool:
    """Whether a conflict is all that a block of code shows."""
    ends = (end for first, end in seen.structure.code if first + 1 == line)
    return any(seen.lines[end - 2].startswith(">>>>>>>") for end in ends)


def _entries(seen: Outline, known: KnownLists) -> ReadEntries:
    return entries_of(seen, _unit_title(seen.title), known.stretches, known.before)


def _messages(seen: Outline) -> tuple[Message, ...]:
    from memwiki.markdown.messages import read_messages  # few pages are sessions

    return read_messages(seen.lines, seen.structure)


def _units(
    seen: Outline,
    names: Sequence[str],
    entries: tuple[Entry, ...],
    messages: tuple[Message, ...],
    stretches: tuple[Stretch, ...],
) -> tuple[Unit, ...]:
    title, *others = names
    fields, stem = seen.fields, stem_of(seen.path)
    of_each = "" if entries and is_type_alone(title) else _unit_title(title)
    extra = [
        stem if of_each and stem != title else "",
        *others,
        *fields.aliases,
        *fields.ids,
        *seen.called.others,
        " ".join(fields.tags),
        fields.text("description"),
    ]
    for key, value in fields.values.items():
        if key not in _NAMED_FIELDS:
            is_noted = not messages and is_property(key, value)
            extra += [f"{key} {value}"] if is_noted else strings(value)
    extra.append(seen.loaded.lost)
    first = "\n".join(dict.fromkeys(filter(None, extra)))[:_MAX_NAMES]
    naming = UnitNames(of_each, first, fields.text("started") or fields.text("created"))
    return make_units(
        seen.lines,
        seen.start,
        naming,
        seen.sections,
        entries=entries,
        messages=messages,
        stretches=stretches,
    )


def _unit_title(title: str) -> str:
    """The title of a page as each of its units has it."""
    return title[:MAX_TITLE]
