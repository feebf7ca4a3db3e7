"""The forms of other programs: what a file is called by its name alone and what the links of a site
call a page; and pages that are outlines: properties on the first lines, headings in list items, ids
of blocks, and references to these."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from posixpath import normpath
from typing import TypeAlias
from urllib.parse import quote, unquote

from memwiki.entry_fields import canonical
from memwiki.markdown.describe import inner_path, is_in
from memwiki.markdown.fields import first_text
from memwiki.markdown.links import FoundLinks
from memwiki.markdown.mask import Masked
from memwiki.markdown.scanner import Heading, Structure
from memwiki.markdown.syntax import heading_of, plain
from memwiki.names import fold, is_within, stem_of, without_number, without_suffix
from memwiki.nouns import (
    DENDRON,
    DOCUSAURUS,
    LOGSEQ,
    NAMED_BY_FILE,
    PATH_KINDS,
    Dialect,
    FieldValue,
    FieldValues,
    Layers,
    Link,
    LinkKind,
    Section,
    Span,
)
from memwiki.records import NamedTuple
from memwiki.scope import layers_at
from memwiki.text import pattern
from memwiki.times.day_names import read_day, written_day

UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_PROPERTY = pattern(r"[ \t]*([^\s\[\](){}`\"'#*+:-]\S*?)::(?:([ \t]+)(.*))?\Z")
_NAMES = frozenset({"aliases", "tags"})
# Of these a link says what it links to.
PLAIN = frozenset({"type", "status", "created", "updated", "stale_after"})
_DATES = frozenset({"created", "updated", "stale_after"})
ITEM = pattern(r"\s*+#?+\[\[([^\[\]]*)\]\]|(?:[^,，#]|#(?!\[\[))++")


class Property(NamedTuple):
    """One line: its key, its value as it stands there, and the columns between which that is."""

    key: str
    value: str
    line: int  # from 0
    start: int
    end: int


def read_properties(lines: Sequence[str], first: int = 0) -> tuple[Property, ...]:
    """The properties on the lines from `first` on, up to the first other line."""
    found = list[Property]()
    for number in range(first, len(lines)):
        match = _PROPERTY.match(lines[number])
        if match is None:
            break
        written = match[3] or ""
        value = written.strip()
        start = match.end() - len(written.lstrip())
        found.append(Property(match[1], value, number, start, start + len(value)))
    return tuple(found)


def value_of(key: str, text: str) -> FieldValue:
    """A list of names where the key means one: `[[a]], b`; a tag that is a link stays one, too."""
    known = canonical(key)
    if known == "title":
        return text.removeprefix("[[").removesuffix("]]")
    if known not in _NAMES:
        return text
    items: dict[str, None] = {}
    for match in ITEM.finditer(text):
        name = (match[1] or match[0]).strip().lstrip("#")
        if match[1] and known == "tags":
            items[f"[[{name}]]"] = None
        items[name] = None
    return list(filter(None, items))


def fields_of(properties: Iterable[Property], day_title: str) -> FieldValues:
    """The properties as fields: a type or a date that is a link says what it links to."""
    fields: dict[str, FieldValue] = {}
    for key, text, *_ in properties:
        value, known = value_of(key, text), canonical(key)
        if known in PLAIN and isinstance(value, str):
            value = value.removeprefix("[[").removesuffix("]]").strip()
        if known in _DATES and isinstance(value, str) and day_title:
            value = read_day(value, day_title) or value
        fields.setdefault(key, value)
    return fields


ID = pattern(rf"([ \t]*(?:[-*+][ \t]+)?)id::[ \t]+({UUID})[ \t]*\Z")
BULLET = pattern(r"[ \t]*[-*+](?:[ \t]+(.*))?\Z")
HEADING = pattern(r"#{1,6}[ \t]")
_ITEM_HEADING = pattern(r"[ \t]*+[-*+][ \t]++(?=#{1,6}[ \t])")
_CHILD = pattern(r"\t+[-*+][ \t]")
_BLOCK_ID = pattern(rf"^[ \t]*+(?:[-*+][ \t]++)?id::[ \t]++({UUID})[ \t]*$", re.MULTILINE)
_REFERENCE = pattern(rf"(\{{\{{embed[ \t]+)?\(\(({UUID})\)\)")
_WRAPPED = pattern(rf"\(\(({UUID})\)\)\Z")
_NO_WORDS = pattern(r"#|`{3}|~{3}|\{\{|\||!\[|>|<|[^\s:]+::|\(\(|:[A-Z]+:|-{3}")
_LOOKED_AT = 400  # lines
_Scan: TypeAlias = Callable[[list[str], int], Structure]


def has_children(lines: Sequence[str], at: int) -> bool:
    """Whether indented items follow a line, with nothing but its id between."""
    rest = (lines[i] for i in range(at + 1, len(lines)))
    below = (line for line in rest if line.strip() and not ID.match(line))
    return _CHILD.match(next(below, "")) is not None


def as_outline(lines: Sequence[str]) -> list[str]:
    """The lines with a bullet before each heading that items are indented below."""
    return [
        f"- {line}" if line[:1] == "#" and HEADING.match(line) and has_children(lines, i) else line
        for i, line in enumerate(lines)
    ]


def block_structure(lines: list[str], start: int, scan: _Scan) -> Structure:
    """The structure of an outline: a heading at the margin is an item where items are indented
    below it, which would be code, and headings in items count as others do."""
    bulleted = as_outline(lines)
    found = scan(bulleted, start)
    if not any(map(_ITEM_HEADING.match, bulleted)):
        return found
    in_code = {i for first, end in (*found.code, *found.html) for i in range(first, end)}
    headings = {heading.line: heading for heading in found.headings}
    for number in range(start, len(bulleted)):
        item = None if number in in_code else _ITEM_HEADING.match(bulleted[number])
        if item and (found_heading := heading_of(bulleted[number][item.end() :])):
            headings.setdefault(
                number, Heading(found_heading[1], found_heading[0], number, number + 1)
            )
    return found._replace(headings=tuple(headings[line] for line in sorted(headings)))


def within_items(sections: Iterable[Section], lines: Sequence[str]) -> Iterator[Section]:
    """The sections, those of indented headings ending with what their item is part of."""
    for section in sections:
        indent = _indent(lines[section.line_start - 1])
        below = range(section.line_start, section.line_end if indent else 0)
        ends = (i for i in below if _begins(lines[i]) and _indent(lines[i]) < indent)
        yield section._replace(line_end=next(ends, section.line_end))


def _begins(line: str) -> bool:
    return bool(BULLET.match(line) or HEADING.match(line))


def _indent(line: str) -> int:
    line = line.expandtabs(4)
    return len(line) - len(line.lstrip(" "))


def first_block(lines: Sequence[str], start: int, code: Iterable[Span]) -> str:
    """The text of the first block that says something in words; "" when none near the top does."""
    skipped = dict(code)
    number, end = start, min(len(lines), start + _LOOKED_AT)
    while number < end:
        item = BULLET.match(lines[number])
        words = (item[1] or "") if item and number not in skipped else ""
        if words and not _NO_WORDS.match(words) and (text := plain(words[:2_000])):
            return text
        number = skipped.get(number, number + 1)
    return ""


def block_ids(masked: Masked, lines: Sequence[str]) -> dict[str, int]:
    """The line, from 1, of each block with an `id::`, which stands below its first line."""
    if "id::" not in masked.text:
        return {}
    ids: dict[str, int] = {}
    head = _heads(lines)
    for match in _BLOCK_ID.finditer(masked.text):
        ids.setdefault(match[1].lower(), head[masked.line(match.start(1)) - 1])
    return ids


def _heads(lines: Sequence[str]) -> list[int]:
    """For each line the last one up to it, from 1, that begins an item or a heading."""
    heads, last = list[int](), 1
    for number, line in enumerate(lines, 1):
        if _begins(line):
            last = number
        heads.append(last)
    return heads


def with_references(found: FoundLinks, masked: Masked) -> FoundLinks:
    """The links of a page with its references to blocks, `((id))` and `[label](((id)))`."""
    pairs = [_unwrapped(*pair) for pair in found.pairs]
    if "((" in masked.text:
        taken = {span[0] for _, span in pairs}
        new = (pair for pair in _references(masked) if pair[1][0] not in taken)
        pairs = sorted([*pairs, *new], key=lambda pair: pair[0].line)
    return found.with_pairs(pairs)


def _unwrapped(link: Link, span: Span) -> tuple[Link, Span]:
    wrapped = _WRAPPED.match(link.written) if link.kind in PATH_KINDS else None
    if wrapped is None:
        return link, span
    return _reference(wrapped[1], link.text, link.line), (span[0] + 2, span[1] - 2)


def _references(masked: Masked) -> Iterator[tuple[Link, Span]]:
    for match in _REFERENCE.finditer(masked.text):
        link = _reference(match[2], "", masked.line(match.start()))
        yield link._replace(kind=LinkKind.EMBED) if match[1] else link, match.span(2)


def _reference(id_: str, label: str, line: int) -> Link:
    """The link to a block: its page answers to the id."""
    return Link(id_.lower(), label, line, LinkKind.WIKILINK, block=id_.lower())


_LOWBARS = "___"
_NOTION_ID = pattern(r"(.+)[ _-][0-9a-f]{32}\Z", re.DOTALL)
# The minute or second in which a note of a Zettelkasten was begun, before its name or behind it.
_MOMENT = r"((?:19|20)\d\d(?:0[1-9]|1[0-2])\d{6}(?:\d\d)?)"
_ZETTEL = pattern(rf"\A{_MOMENT}(?=[\s_.-])|[\s_.-]{_MOMENT}\Z")
_MAX_NAME_CHARACTERS = 250
# What Logseq encodes in the names of files, since some system forbids it or it means something.
_ENCODED = pattern(r"[\x00-\x1f\x7f%#/:*?\"<>|\\]")
_FOLDER_NAMES = ("index", "readme")


class Called(NamedTuple):
    """`title` is what the page is called whatever its headings say, `name` what it is where they
    say nothing; `parent` is the name of the page above it."""

    title: str = ""
    name: str = ""
    others: tuple[str, ...] = ()
    day: str = ""
    parent: str = ""


_NOT = Called()


def names_of_file(path: str, layers: Layers) -> Called:
    """What the file at a path is called."""
    layers = layers_at(path, layers)
    dialect, stem = layers.dialect, stem_of(path)
    if dialect.day_file and (day := day_of(path, layers)):
        return _called_day(day, stem, dialect)
    if dialect.name == LOGSEQ:
        title, *others = page_names(stem, dialect.slash)
        return Called(title, title, tuple(others), parent=title.rpartition("/")[0].strip())
    if dialect.name == DENDRON:
        return Called(parent=stem.rpartition(".")[0])
    if _MAX_NAME_CHARACTERS > len(stem) > 33 and (notion := _NOTION_ID.match(stem)):
        return Called("", notion[1], (notion[1],))
    is_dated = stem[:12].isdecimal() or stem[-12:].isdecimal()
    zettel = _ZETTEL.search(stem) if is_dated and dialect.name not in NAMED_BY_FILE else None
    return Called(others=(zettel[1] or zettel[2],)) if zettel else _NOT


def day_of(path: str, layers: Layers) -> str:
    """The day that a daily note is of; "" for any other page."""
    layers, inner = layers_at(path, layers), inner_path(path, layers)
    if not is_in(inner, layers.daily):
        return ""
    rest = without_suffix(inner[len(layers.daily.strip("/")) + 1 :])
    return read_day(rest, layers.dialect.day_file)


def _called_day(day: str, stem: str, dialect: Dialect) -> Called:
    title = written_day(day, dialect.day_title) if dialect.day_title else ""
    others = tuple(name for name in (day, title) if name and name != stem)
    return Called(title, title or stem, others, day)


# --- Logseq ---


def page_names(stem: str, slash: str) -> Iterator[str]:
    """What a file of Logseq's may mean as the name of a page, the likeliest first."""
    if slash == _LOWBARS:
        stem = stem.replace(_LOWBARS, "/")
    yield unquote(stem)
    if slash != _LOWBARS and "." in stem:  # so it was before there was %2F
        yield unquote(stem.replace(".", "/"))


def file_stem(name: str, slash: str) -> str:
    """The name of the file in which Logseq keeps a page."""
    if slash != _LOWBARS:
        return _ENCODED.sub(_as_percent, name)
    # Lowbars that would be read as a slash, or as a part of one.
    name = name.replace(_LOWBARS, "%5F%5F%5F").replace("_/", "%5F/").replace("/_", "/%5F")
    parts = re.split(r"(%5F)", name)
    kept = (part if part == "%5F" else _ENCODED.sub(_or_lowbars, part) for part in parts)
    return "".join(kept)


def _as_percent(match: re.Match[str]) -> str:
    return quote(match[0], safe="")


def _or_lowbars(match: re.Match[str]) -> str:
    return _LOWBARS if match[0] == "/" else _as_percent(match)


def addresses(path: str, front: FieldValues, dialect: Dialect) -> Iterator[str]:
    """The addresses of a page that are not its path, each with a `/` before it; `front` is its
    front matter as written."""
    if not is_within(path, dialect.root):
        return
    inner = without_suffix(path[len(dialect.root) :].lstrip("/"))
    found = _of_docusaurus(inner, front) if dialect.name == DOCUSAURUS else _of_quartz(inner, front)
    for address in dict.fromkeys(found):
        if address.strip("/") not in ("", inner):
            yield f"/{address.strip('/')}"


def _of_docusaurus(inner: str, front: FieldValues) -> Iterator[str]:
    """By the path without its numbers, the id and the slug, which may begin at the root."""
    *folders, stem = map(without_number, inner.split("/"))
    above = "/".join(folders)
    yield f"{above}/{stem}"
    if id_ := _text(front, "id"):
        yield f"{above}/{id_}"
    slug = _text(front, "slug")
    if slug:
        yield slug if slug.startswith("/") else normpath(f"{above}/{slug}".lstrip("/"))
    elif folders and fold(stem) in (*_FOLDER_NAMES, fold(folders[-1])):
        yield above


def _of_quartz(inner: str, front: FieldValues) -> Iterator[str]:
    """By the path as it stands in addresses, and by the permalink."""
    address = re.sub(r"\s", "-", inner).replace("&", "-and-")
    yield address.replace("%", "-percent").replace("?", "").replace("#", "")
    yield re.sub(r"\s", "-", inner).replace("%", "-percent").replace("?", "-q")  # up to 4.2
    if permalink := _text(front, "permalink"):
        yield permalink


def _text(front: FieldValues, key: str) -> str:
    return first_text(front.get(key, ""))
