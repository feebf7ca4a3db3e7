"""One markdown file into one Page; nothing that stands in a file makes this raise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

from memwiki.digest import digest_of
from memwiki.markdown import describe, frontmatter
from memwiki.markdown.bare import HEAD_BYTES, bare_page, plain_page
from memwiki.markdown.border import contained
from memwiki.markdown.field_links import field_links
from memwiki.markdown.fields import Fields, read_fields, strings
from memwiki.markdown.links import FoundLinks, find_links
from memwiki.markdown.mask import blank_lines, mask_inline
from memwiki.markdown.scanner import Structure, scan
from memwiki.markdown.structure import MAX_TITLE, sections_of, structure_of
from memwiki.markdown.syntax import CATALOG_BEGIN
from memwiki.markdown.tags import distinct_tags, find_tags
from memwiki.markdown.text import decode
from memwiki.markdown.units import Naming, make_units
from memwiki.model import (
    Entry,
    FrontMatter,
    Layers,
    Link,
    Message,
    Page,
    Problem,
    Section,
    Severity,
    Unit,
)
from memwiki.names import stem_of

MAX_BYTES = 10_000_000
_CATALOG = re.compile(rf"^[ \t]*{CATALOG_BEGIN}", re.MULTILINE)
_ENTRY_ID = re.compile(r"(?:^|[ \t])\^m-[A-Za-z0-9]+[ \t]*$", re.MULTILINE)
# Scripts without blanks have none before an id either (`文字。^id`); `x^2` is no id, nor is `#^id`.
_BLOCK_ID = re.compile(r"(?<![A-Za-z0-9_\[#^\\])\^([A-Za-z0-9][A-Za-z0-9-]*)[ \t]*$", re.MULTILINE)
_CONFLICT = re.compile(r"^<{7}(?: [^\n]*)?$", re.MULTILINE)
_NAMED_FIELDS = frozenset({"title", "tags", "aliases", "id", "description", "created", "updated"})
_MAX_NAMES = 8_000
_DEFAULT_ENTRY_TYPES = {"learning": "lesson", "daily": "event"}


class Whole(NamedTuple):
    """A file of which the head is at hand."""

    digest: str
    size: int


class _Body(NamedTuple):
    """The text below the front matter, as lines without ends, and everything found in it."""

    lines: list[str]
    start: int
    structure: Structure
    sections: tuple[Section, ...]
    found: FoundLinks
    tags: tuple[str, ...]
    block_ids: Mapping[str, int]
    entries: tuple[Entry, ...]
    messages: tuple[Message, ...]


def parse(
    path: str, data: bytes, layers: Layers, *, max_bytes: int = MAX_BYTES, of: Whole | None = None
) -> Page:
    """Read a file into a page; `path` is relative to the workspace.

    Of a file that is too large `data` may be the head, and `of` says what it is the head of.
    """
    whole = of or Whole(digest_of(data), len(data))
    return contained(
        lambda: _parse(path, data, layers, max_bytes, whole),
        lambda error: plain_page(path, data, error, max_bytes, whole.digest),
    )


def _parse(path: str, data: bytes, layers: Layers, max_bytes: int, whole: Whole) -> Page:
    digest, size = whole
    is_cut = size > max_bytes
    decoded = decode(path, data[: min(HEAD_BYTES, max_bytes)] if is_cut else data)
    if decoded.is_binary:
        return bare_page(path, digest, decoded)
    problems = list(decoded.problems)
    if is_cut:
        problems = [p for p in problems if p.code != "utf8-invalid"]
        problems.append(_too_large(path, size, max_bytes))
    if is_catalog(path, decoded.text, layers):
        return bare_page(path, digest, decoded, is_catalog=True)
    return _page(path, digest, decoded.text, layers, problems)


def _too_large(path: str, size: int, limit: int) -> Problem:
    message = f"{size} bytes, over the limit of {limit}: only title and head are read"
    return Problem(path, 1, "page-too-large", Severity.WARNING, message)


def is_catalog(path: str, text: str, layers: Layers) -> bool:
    """Whether a file is generated: it holds our markers, outside of code, or is the journal."""
    if describe.is_journal(path, layers):
        return True
    if CATALOG_BEGIN not in text:
        return False
    lines = _lines(text)
    code = scan(lines).code  # a page that explains the markers is no catalog
    return any(_CATALOG.search("\n".join(run)) for run in _outside(lines, code))


def _outside(lines: list[str], ranges: tuple[tuple[int, int], ...]) -> Iterator[list[str]]:
    done = 0
    for start, end in ranges:
        yield lines[done:start]
        done = end
    yield lines[done:]


def _lines(text: str) -> list[str]:
    """Lines without their ends; a lone carriage return is a space, as it ends no line here."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", " ")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def _page(path: str, digest: str, text: str, layers: Layers, problems: list[Problem]) -> Page:
    lines = _lines(text)
    loaded = frontmatter.load(path, lines)
    front = loaded.front_matter
    fields = read_fields(path, front, lines[: front.line_end])
    inner = describe.inner_path(path, layers)
    type_ = fields.text("type") or describe.default_type(inner, layers)
    body = _read_body(inner, lines, front.line_end, type_, layers)
    title = fields.text("title") or describe.heading_title(body.sections) or stem_of(path)
    explicit = fields.text("description")
    if not describe.is_template(path):  # a form to be filled in is not yet YAML
        problems += [*loaded.problems, *fields.problems]
    problems += _conflicts(path, text, front)
    return Page(
        path=path,
        digest=digest,
        text=text,
        front_matter=front,
        title=title,
        description=explicit or describe.first_paragraph(lines, body.start, body.structure),
        type=type_,
        tags=distinct_tags((*fields.tags, *body.tags)),
        aliases=fields.aliases,
        ids=fields.ids,
        created=fields.text("created") or fields.text("started"),
        updated=fields.text("updated"),
        fields=fields.values,
        sections=body.sections,
        units=_units(path, title, fields, loaded.lost, body),
        entries=body.entries,
        messages=body.messages,
        links=_links(front, lines, body),
        block_ids=body.block_ids,
        problems=tuple(problems),
        line_count=len(lines),
    )


def _conflicts(path: str, text: str, front: FrontMatter) -> list[Problem]:
    if "<<<<<<<" not in text:
        return []
    last = max(text.rfind("\n======="), 0)
    starts = [match.start() for match in _CONFLICT.finditer(text, 0, last)]
    message = "merge conflict: both sides are searchable until it is resolved"
    return [
        Problem(path, line, "conflict-marker", Severity.ERROR, message)
        for line in _lines_at(text, starts)
        if line > front.line_end
    ]


def _lines_at(text: str, offsets: Iterable[int]) -> Iterator[int]:
    """The line of each of a rising series of offsets."""
    line, done = 1, 0
    for offset in offsets:
        line += text.count("\n", done, offset)
        done = offset
        yield line


def _read_body(inner: str, lines: list[str], start: int, type_: str, layers: Layers) -> _Body:
    is_session = describe.is_session(inner, type_, layers)
    is_collecting = not is_session and describe.is_collecting(inner, type_, layers)
    # Collecting pages and sessions never wait for the full parser.
    structure = (scan if is_session or is_collecting else structure_of)(lines, start)
    sections = sections_of(structure.headings, len(lines))
    masked = mask_inline("\n".join(blank_lines(lines, start, structure.code)))
    # Code is blank by now: a page that only shows an entry's id collects nothing.
    if not is_session and "^m-" in masked:
        is_collecting = is_collecting or bool(_ENTRY_ID.search(masked))
    line_starts = list(accumulate((len(line) + 1 for line in masked.split("\n")), initial=0))
    found = find_links(masked, line_starts)
    html = [(line_starts[first], line_starts[end]) for first, end in structure.html]
    return _Body(
        lines,
        start,
        structure,
        sections,
        found,
        tuple(tag for tag, _ in find_tags(masked, found.spans, html)),
        _block_ids(masked),
        _entries(inner, lines, start, structure, layers) if is_collecting else (),
        _messages(lines, structure) if is_session else (),
    )


def _entries(
    inner: str, lines: list[str], start: int, structure: Structure, layers: Layers
) -> tuple[Entry, ...]:
    from memwiki.markdown.entries import read_entries  # few pages collect entries

    default = _DEFAULT_ENTRY_TYPES.get(describe.default_type(inner, layers), "fact")
    sections = sections_of(structure.headings, len(lines))
    return read_entries(lines, start, structure, sections, default)


def _messages(lines: list[str], structure: Structure) -> tuple[Message, ...]:
    from memwiki.markdown.messages import read_messages  # few pages are sessions

    return read_messages(lines, structure)


def _block_ids(masked: str) -> dict[str, int]:
    if "^" not in masked:
        return {}
    matches = list(_BLOCK_ID.finditer(masked))
    ids: dict[str, int] = {}
    for match, line in zip(matches, _lines_at(masked, (m.start(1) for m in matches)), strict=True):
        ids.setdefault(match[1], line)
    return ids


def _links(front: FrontMatter, lines: list[str], body: _Body) -> tuple[Link, ...]:
    if not front.fields:
        return body.found.links
    return field_links(front, lines) + body.found.links


def _units(path: str, title: str, fields: Fields, lost: str, body: _Body) -> tuple[Unit, ...]:
    stem = stem_of(path)
    extra = [stem] if stem != title else []
    extra += [*fields.aliases, *fields.ids, " ".join(fields.tags), fields.text("description")]
    for key, value in fields.values.items():
        if key not in _NAMED_FIELDS:
            extra += strings(value)
    extra.append(lost)
    first = "\n".join(dict.fromkeys(filter(None, extra)))[:_MAX_NAMES]
    naming = Naming(title[:MAX_TITLE], first, fields.text("started") or fields.text("created"))
    return make_units(
        body.lines,
        body.start,
        naming,
        body.sections,
        entries=body.entries,
        messages=body.messages,
    )
