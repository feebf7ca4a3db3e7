"""What rules about the whole workspace ask of a page, worked out once per version of the page."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, groupby
from typing import TypeAlias
from urllib.parse import unquote
from zlib import crc32

from memwiki.check.rule import CheckedPage, Finding
from memwiki.dates import date_in, iso_date
from memwiki.digest import text_hash
from memwiki.entry_fields import canonical
from memwiki.facts.value import is_current
from memwiki.markdown.describe import is_in
from memwiki.markdown.fields import first_text, key_of, strings
from memwiki.markdown.links import is_external
from memwiki.markdown.mask import blank_lines, mask_inline
from memwiki.markdown.syntax import COMMENT, place_names
from memwiki.names import fold, stem_of
from memwiki.nouns import LOGSEQ, Entry, FieldValue, Layers, Page, Stretch
from memwiki.records import NamedTuple
from memwiki.text import holds, pattern

DatedLine: TypeAlias = tuple[str, int, str]  # what is dated, its line, the ISO date
SKETCH_SLOTS = 64
SLOT_DIGITS = 4
_SHINGLE = 4
_OF_UNSPACED = "぀-ヿ㐀-䶿一-鿿가-힣豈-﫿"
_UNSPACED = pattern(f"[{_OF_UNSPACED}]")
_RUN = pattern(rf"[{_OF_UNSPACED}]+|[^\W_{_OF_UNSPACED}]+")
# Of plain letters and figures in small letters; everything else parts them.
_PARTED = bytes(ord(chr(i).lower()) if bytes([i]).isalnum() else ord(" ") for i in range(256))
_DATES = ("created", "updated", "stale_after")
_LINKING = pattern(r"\[\[|\][(\[]|<\w")
_INLINE_TAG = pattern(r"(?<!\S)#(\S+)")
_TAG_START = pattern(r"\A[\w/-]+")
_HTML_ANCHOR = pattern(r"<\w[^<>]*?\s(?:id|name)\s*=\s*[\"']?([^\"'\s<>]+)", re.IGNORECASE)
_HEADING_ANCHOR = pattern(r"\{(?::|/\*)?[^{}\n#]*+#([^\s{}]++)[^{}\n]*+\}")
_NEXTRA_ID = pattern(r"[ \t]\[#([A-Za-z][\w-]*)\][ \t\r]*$", re.MULTILINE)
_ID_ATTRIBUTE = pattern(r"\{(?=[^{}\n]*+\})[^{}\n]*?\bid=[\"']?([^\s\"'{}]++)[^{}\n]*+\}")
# What a program that makes a site writes a heading and its id from.
_HEADING_COMMENT = pattern(r"^#{1,6}[ \t][^\n<]*<!--([^\n>]*)-->", re.MULTILINE)
_GENERATOR_MARKS = (
    "::: ",
    "8<-",
    "`{",
    ":{",
    "{{#i",
    "{{% i",
    "{{< i",
    "readfile",
    "{%",
    "[!INCL",
    "\nimport ",
)
ANY_HEADING = "#"  # the anchor of a page that has headings from elsewhere
# What a program puts other text in the place of: mkdocstrings, snippets of pymdown, mdBook, MyST,
# Jekyll and Hugo, Azure's docs, partials of Docusaurus.
_GENERATOR = pattern(
    r"^::: (?:mkdocs-\w+|\w+(?:\.\w+)+[ \t]*$|\w+[ \t]*\n {4})|-{2,}8<-{2,}|\{\{#include "
    r"|^[ \t]*(?:`{3,}|:{3,})\{(?:include|eval-rst|click|auto\w+)\}"
    r"|\{%-?[ \t]*(?:include(?:_relative)?[ \t]+\S+\.(?:md|markdown)|data reusables)\b"
    r"|\{\{[%<][ \t]*(?:include|readfile)\b"
    r"|\[!INCLUDE ?\[|^import \w+ from ['\"][^'\"\n]*\.mdx?['\"]",
    re.MULTILINE,
)
_FOOTNOTE = pattern(r"^\[\^([^\]\s]+)\]:", re.MULTILINE)
_INNER_HEADING = pattern(r"^(?:[ \t]|[-*+>][ \t]|\d+[.)][ \t])++#{1,6}[ \t]+([^\n]+)", re.MULTILINE)
_PROPERTY = pattern(r"^[ \t]*(?:- )?([\w/.-]+)::(?=\s)", re.MULTILINE)
_NAMED_LINK = pattern(r"\[\[([^\[\]|]+)\|[^\[\]]*\]\]")
_AROUND = " \t\r-\"'[],"
_BETWEEN = pattern(r"[\s,，、\"'\[\]{}#:]+")
_NEAR_LINES = 200
_NOTE = pattern(
    r"(\[\^[a-z]\d{1,6}\]): \[\[([^\[\]|#]+)\]\] lines? (\d{1,7}(?:(?:-|, )\d{1,7})*)\r?"
)
_CLAIM = pattern(r"(?:\[\[[^\[\]]*\]\]: )?(\S.*?) (\[\^[a-z]\d{1,6}\])\r?")
_MAX_LINES = 40
_PUNCTUATION = ".,;:!?)]}'\""
_SOURCE_KEYS = ("resource", "path", "file", "source", "url", "target")


_NAME_BYTES, _KEY_BYTES = 8, 16
_TEXT_FACTS = 6  # the first ones: of the text as a whole


class EntryFacts(NamedTuple):
    """An entry that is not superseded, as it is compared with others."""

    line: int  # counts from the first of its part, which is 0
    type: str
    id: str
    text: str
    fields: Mapping[str, str]


class EntryPart(NamedTuple):
    """The entries of a stretch of a page, or of all of it besides; what they say is empty where a
    store has it."""

    key: str  # of all that they say
    start: int
    marks: str = ""  # of each, as JSON: its line, what stands for all that it says, and its date
    facts: str = ""  # the `EntryFacts`, as JSON


class Facts(NamedTuple):
    """The few facts of a page that its card does not hold; pairs are of a value and its line."""

    size: int  # bytes
    words: int  # of the body of a page about something; nobody compares others as a whole
    sketch: str  # of its runs of words: alike for pages alike
    lines: int
    sha256: str  # of a source; of a page about one what it says that it was
    claims: Sequence[tuple[str, int, str, Sequence[int]]]  # (text, line, source, its lines)
    block_ids: Sequence[str]
    dates: Sequence[DatedLine]  # (canonical key, line, ISO date) of the front matter
    is_described: bool | None  # by its own field; None for what needs no description
    anchors: Sequence[str] = ()  # what headings and HTML elements are called besides their text
    names: Sequence[tuple[str, int]] = ()  # aliases and ids
    tags: Sequence[tuple[str, int, bool]] = ()  # and whether it is more than a word of a sentence
    sources: Sequence[DatedLine] = ()  # (as written, line, when it last changed)
    commented: Sequence[tuple[int, str]] = ()  # links that an editor's `%%` comment hides
    has_fields: bool = False  # whether it has a front matter with anything in it
    properties: Sequence[str] = ()  # keys that are the names of pages, as in Logseq


def facts_of(sheet: CheckedPage) -> Facts:
    """The facts of one page."""
    page = sheet.page
    body = "\n".join(sheet.lines[sheet.body_start :])
    is_about = sheet.is_subject and _has_text(page)
    words = words_of(body) if is_about else []
    return Facts(
        sheet.size,
        len(words),
        sketch_of(words),
        len(sheet.lines),
        _sha256(sheet),
        tuple(_claims(sheet)),
        tuple(iter(page.block_ids)),  # which are looked for once more to be counted
        (*_dates(sheet), *_confirmed(page)),
        bool(page.fields.get("description")) if is_about else None,
        tuple(dict.fromkeys((*_anchors(sheet), *_raw_headings(sheet)))),
        tuple(_names(page, sheet)),
        tuple(_tags(page, sheet)),
        tuple(_sources(sheet)),
        tuple(_commented(page, sheet)),
        bool(page.fields),
        tuple(dict.fromkeys(_PROPERTY.findall(body))) if _is_outline(sheet.layers) else (),
    )


def _has_text(page: Page) -> bool:
    """Whether anything of a page is searched: it is neither generated nor binary."""
    return not (page.is_catalog or any(each.code == "page-binary" for each in page.problems))


def _sha256(sheet: CheckedPage) -> str:
    if is_in(sheet.inner, sheet.layers.raw):
        from hashlib import sha256  # few pages are sources

        return sha256(sheet.data).hexdigest()
    fields = sheet.page.fields
    return first_text(fields.get("text_sha256", "")) or first_text(fields.get("sha256", ""))


def _claims(sheet: CheckedPage) -> Iterator[tuple[str, int, str, Sequence[int]]]:
    """The sentences with a footnote that names the lines of a source, as memwiki writes them."""
    if not holds(sheet.page.text, "]: [["):
        return
    notes = {found[1]: found for line in sheet.lines if (found := _NOTE.fullmatch(line))}
    for number, line in enumerate(sheet.lines if notes else (), 1):
        if (found := _CLAIM.fullmatch(line)) and (note := notes.get(found[2])):
            yield found[1], number, note[2], tuple(_numbers(note[3]))


def _numbers(ranges: str) -> Iterator[int]:
    """What `12-13, 15` means; no more than a claim can cite."""
    for part in ranges.split(", "):
        first, _, last = part.partition("-")
        yield from range(int(first), min(int(last or first), int(first) + _MAX_LINES) + 1)


def entry_parts(sheet: CheckedPage, findings: Iterable[Finding]) -> Iterator[EntryPart]:
    """The entries of a page that are not superseded, part by part: a stretch in which something was
    found, or that has an anchor, is none, so that it is never passed over."""
    if sheet.is_kept or sheet.is_template:
        return
    lines = sorted(each.line for each in findings)
    stretches = [each for each in sheet.page.stretches if each.held or _is_bare(each, sheet, lines)]
    starts = [each.line_start for each in stretches]
    inside = defaultdict[int, list[Entry]](list)
    for entry in sheet.page.entries:
        at = bisect_right(starts, entry.line_start) - 1
        is_inside = at >= 0 and entry.line_start <= stretches[at].line_end
        inside[at if is_inside else -1].append(entry)
    yield from _part("", 0, inside[-1], sheet)
    for at, (_, start, _, is_held, digest) in enumerate(stretches):
        if is_held:
            yield EntryPart(digest.hex(), start)
        else:
            yield from _part(digest.hex(), start, inside[at], sheet)


def _is_bare(stretch: Stretch, sheet: CheckedPage, lines: Sequence[int]) -> bool:
    """Whether no finding is on its lines, and no anchor in them."""
    first, last = stretch.line_start, stretch.line_end
    has_finding = bisect_left(lines, first) < bisect_right(lines, last)
    return not (has_finding or any(_anchors_in(sheet.lines[first - 1 : last])))


def _part(
    key: str, start: int, entries: Iterable[Entry], sheet: CheckedPage
) -> Iterator[EntryPart]:
    day = date_in(stem_of(sheet.page.path))
    facts, marks = list[EntryFacts](), list[tuple[int, str, str]]()
    for entry in entries:
        fields, line = dict(entry.fields), entry.line_start - start
        is_over = not is_current(fields, is_struck=entry.is_superseded)
        if is_over or is_outline_bullet(sheet.inner, sheet.layers, entry.id, fields):
            continue
        facts.append(EntryFacts(line, entry.type, entry.id, entry.text, fields))
        # No page has a NUL in its text.
        said = "\0".join((entry.section, entry.type, entry.text, *fields, *fields.values()))
        name = text_hash(said, _NAME_BYTES).hex()
        marks.append((line, name, fields.get("updated") or fields.get("created") or day))
    if facts:
        text = json.dumps(facts)
        yield EntryPart(key or text_hash(text, _KEY_BYTES).hex(), start, json.dumps(marks), text)


def is_outline_bullet(path: str, layers: Layers, id_: str, fields: Mapping[str, str]) -> bool:
    """Whether an entry is an item of a Logseq journal without a mark of a memory: all text is items
    there, and what one does every day is written every day."""
    return _is_outline(layers) and is_in(path, layers.daily) and not (id_ or fields)


def _is_outline(layers: Layers) -> bool:
    return layers.dialect.name == LOGSEQ


def frame_of(sheet: CheckedPage, facts: Facts) -> str:
    """A digest of all that `FRAME_RULES` may know of a page: its names, headings and links, and
    its facts but for those about its text."""
    page = sheet.page
    own = (page.title, page.type, page.aliases, page.ids, _has_text(page), sheet.has_entries)
    titles = [each.title for each in page.sections]
    # As plain tuples: a record writes the names of its fields along, which takes ten times as long.
    known = (own, facts[_TEXT_FACTS:], [*map(tuple, page.links)], titles)
    return text_hash(repr(known), 8).hex()


def words_of(text: str) -> list[bytes]:
    """The words of a text in small letters, in unspaced scripts its characters; lines in plain
    letters need no pattern for it."""
    words: list[bytes] = []
    for is_plain, lines in groupby(text.split("\n"), str.isascii):
        joined = "\n".join(lines)
        if is_plain:
            words += joined.encode().translate(_PARTED).split()
        else:
            runs = _RUN.findall(joined.lower())
            found = (" ".join(run) if _UNSPACED.match(run) else run for run in runs)
            words += " ".join(found).encode("utf-8", "replace").split()
    return words


def sketch_of(words: Sequence[bytes]) -> str:
    """The smallest hash of the runs of four words in each of 64 slots, as hexadecimal digits; the
    share of equal slots of two sketches estimates the Jaccard index of the runs. "" for few words.

    Source: Li, Owen, Zhang, "One Permutation Hashing", 2012.
    """
    if len(words) < SKETCH_SLOTS:
        return ""  # a short page would fill few slots
    smallest = [0xFFFFFFFF] * SKETCH_SLOTS
    runs = zip(*(words[i:] for i in range(_SHINGLE)), strict=False)
    for number in map(crc32, map(b" ".join, runs)):
        slot = number % SKETCH_SLOTS
        if number < smallest[slot]:  # noqa: PLR1730 - to call `min` takes twice as long
            smallest[slot] = number
    return "".join(f"{number >> 6 & 0xFFFF:0{SLOT_DIGITS}x}" for number in smallest)


def _dates(sheet: CheckedPage) -> Iterator[DatedLine]:
    for key in _DATES:
        value = sheet.page.fields.get(key, "")
        if isinstance(value, str) and value[:4].isdigit():
            yield key, field_line(sheet, key), value


def _confirmed(page: Page) -> Iterator[DatedLine]:
    """When Open Knowledge Format says that the page was written, or found to hold, the last
    time."""
    dates = (page.fields.get(key, "") for key in ("generated", "verified"))
    maps = (each for value in dates for each in (value if isinstance(value, list) else [value]))
    moments = (iso_date(first_text(each.get("at", ""))) for each in maps if isinstance(each, dict))
    last = max(moments, default="")
    if last:
        yield "confirmed", 1, last


def _anchors(sheet: CheckedPage) -> Iterator[str]:
    for above, lines in sheet.pieces:
        yield from _anchors_in(lines[0 if above else sheet.body_start :])


def _anchors_in(lines: Sequence[str]) -> Iterator[str]:
    body = "\n".join(lines)
    if "<" in body:
        yield from _HTML_ANCHOR.findall(body)
    if "#" in body and "{" in body:
        yield from _HEADING_ANCHOR.findall(body)
    if "[#" in body:
        yield from _NEXTRA_ID.findall(body)
    if "id=" in body:
        yield from _ID_ATTRIBUTE.findall(body)
    if "<!--" in body:
        yield from chain.from_iterable(map(str.split, _HEADING_COMMENT.findall(body)))
    if "[^" in body:
        yield from (
            f"{kind}:{name}" for name in _FOOTNOTE.findall(body) for kind in ("fn", "fnref")
        )
    yield from place_names(body, body)
    if any(mark in body for mark in _GENERATOR_MARKS) and _GENERATOR.search(body):
        yield ANY_HEADING
    if "# " in body:  # those in quotes, items and admonitions are no sections
        yield from (title.rstrip("# \t\r") for title in _INNER_HEADING.findall(body))


def _raw_headings(sheet: CheckedPage) -> Iterator[str]:
    """Headings as written, where marks that a reader does not see are part of what links call
    them."""
    for section in sheet.page.sections:
        line = sheet.lines[section.line_start - 1] if section.line_start else ""
        if "<" in line or "[[" in line or ("`" in line and "[" in line):
            yield line.strip("# \r")
        if "[[" in line and "|" in line:  # Dendron has the label on the left
            yield _NAMED_LINK.sub(r"\1", line).strip("# \r")


def _commented(page: Page, sheet: CheckedPage) -> Iterator[tuple[int, str]]:
    """The links that a comment hides; what is code opens none."""
    if not holds(page.text, "%%"):
        return
    lines = blank_lines(sheet.lines, sheet.body_start, tuple(sheet.structure.code))
    text = mask_inline("\n".join(lines).replace("\r", ""))
    shown = COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text).split("\n")
    written = text.split("\n")
    # Of each line once: it may hold all links of a page.
    left = cache(lambda at: unquote(shown[at]) if _LINKING.search(shown[at]) else None)
    for link in page.links:
        at = link.line - 1
        if shown[at] != written[at] and ((said := left(at)) is None or link.written not in said):
            yield link.line, link.written


def on_lines(
    sheet: CheckedPage, key: str, values: Iterable[str], spelled: Sequence[str] = ()
) -> Iterator[tuple[str, int]]:
    """Values of a field (in some of its spellings), each with the line that holds it: as a word of
    its own, if there is one, else as a part of another one, not far below the one before."""
    values = list(values)
    if not values:
        return
    rows = [(number, sheet.lines[number - 1]) for number in _field_lines(sheet, key, spelled)]
    first = rows[0][0] if rows else field_line(sheet, key)
    words: dict[str, int] = {}
    for position, (_, row) in enumerate(rows):
        for word in (row.strip(_AROUND), *_BETWEEN.split(row)):
            words.setdefault(word, position)
    at = 0
    for value in values:
        near = range(at, min(at + _NEAR_LINES, len(rows)))
        at = words.get(
            value, next((position for position in near if value in rows[position][1]), -1)
        )
        yield value, rows[at][0] if at >= 0 else first
        at = max(at, 0)


def _field_lines(sheet: CheckedPage, key: str, spelled: Sequence[str]) -> Iterator[int]:
    """The lines of the front matter that say something of a field, by its canonical name."""
    front = sheet.page.front_matter
    is_of = False
    for number in range(front.line_start, front.line_end - 1):
        line = sheet.lines[number]
        name = "" if line.startswith((" ", "\t", "-", "#")) else key_of(line)
        if name:
            is_of = canonical(name) == key and (not spelled or fold(name) in spelled)
        if is_of:
            yield number + 1


def _names(page: Page, sheet: CheckedPage) -> Iterator[tuple[str, int]]:
    yield from on_lines(sheet, "aliases", page.aliases)
    # A place that MyST calls as another file is called is no other name of the page.
    places = frozenset(place_names(page.text, page.text)) if page.ids else frozenset[str]()
    yield from on_lines(sheet, "id", (name for name in page.ids if name not in places))


def _tags(page: Page, sheet: CheckedPage) -> Iterator[tuple[str, int, bool]]:
    if not page.tags:
        return
    declared = {fold(tag) for tag in strings(page.fields.get("tags", []))}
    named = (tag for tag in page.tags if fold(tag) in declared)
    yield from ((tag, line, True) for tag, line in on_lines(sheet, "tags", named))
    inline: dict[str, int] = {}
    for number, line in enumerate(sheet.lines[sheet.body_start :], sheet.body_start + 1):
        if "#" in line:
            for name in _INLINE_TAG.findall(line):
                for each in (name.rstrip(_PUNCTUATION), *_TAG_START.findall(name)):
                    inline.setdefault(each, number)
    undeclared = [tag for tag in page.tags if fold(tag) not in declared]
    placed = {tag: inline.get(tag, sheet.body_start + 1) for tag in undeclared}
    # Each line once: thousands of tags may stand on one.
    bare = {at for at in set(placed.values()) if _has_only_tags(sheet.lines[at - 1 : at])}
    yield from ((tag, at, at in bare) for tag, at in placed.items())


def _has_only_tags(line: Sequence[str]) -> bool:
    words = [word for text in line for word in text.split()]
    return bool(words) and all(word.startswith("#") for word in words)


def _sources(sheet: CheckedPage) -> Iterator[DatedLine]:
    """The sources that may be files of the workspace or tell when they changed, with that date."""
    value = sheet.page.fields.get("sources", [])
    found = map(_source, value if isinstance(value, list) else [value])
    sources = [(name, date) for name, date in found if name and (date or not is_external(name))]
    placed = on_lines(sheet, "sources", (name for name, _ in sources))
    for (name, line), (_, date) in zip(placed, sources, strict=True):
        yield name, line, date


def _source(item: FieldValue) -> tuple[str, str]:
    if not isinstance(item, dict):
        return next(iter(strings(item)), ""), ""
    written = next((each for key in _SOURCE_KEYS for each in strings(item.get(key, ""))), "")
    date = next(iter(strings(item.get("last_modified", ""))), "")
    return written, iso_date(date)


def field_line(sheet: CheckedPage, key: str) -> int:
    """The line of the front matter on which a field stands, by its canonical name."""
    front = sheet.page.front_matter
    for number in range(front.line_start, front.line_end - 1):
        if canonical(key_of(sheet.lines[number])) == key:
            return number + 1
    if _is_outline(sheet.layers):
        for number, line in enumerate(sheet.lines, 1):
            written = _PROPERTY.match(line)
            if written and canonical(written[1]) == key:
                return number
    return max(front.line_start, 1)
