"""Entries of collecting pages: one list item, or one lowest-level heading with prose, is one
memory; what an entry has besides its text: type, fields, id, strike-through; and what earlier
templates wrote, by digest, which is nobody's memory while it is unchanged.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from memwiki.digest import text_hash
from memwiki.markdown.mask import mask_inline, without_fences
from memwiki.markdown.scanner import Structure, scan
from memwiki.markdown.stretches import (
    MANY_ITEMS,
    Item,
    ItemRun,
    KnownStretches,
    SameRun,
    below_headings,
    runs_of,
)
from memwiki.markdown.structure import sections_of
from memwiki.markdown.syntax import (
    ENTRY_ID,
    LIST_MARKER,
    ListItem,
    given_id,
    item_at,
    written_end,
)
from memwiki.markdown.tags import distinct_tags, find_tags
from memwiki.names import fold
from memwiki.nouns import Entry, Section, Sections, Stretch
from memwiki.records import NamedTuple
from memwiki.text import pattern

TASK = pattern(r"\[[ xX/><?!*-]\](?:\s|\Z)")  # as Obsidian's themes mark them
TASK_LINE = pattern(rf"[ \t]*{LIST_MARKER}[ \t]*{TASK.pattern}")
TYPE = pattern(r"\[(?![A-Za-z]\])([^\W\d][\w-]*)\][ \t]+(?=\S)")
# A bracket is searched for faster than the blanks before it, which are part of a field.
_BRACKET = pattern(r"\[([^\W\d][\w -]{0,40})::[ \t]*+((?:\[\[[^\[\]\n]*\]\]|[^\[\]\n])*+)\]")
FIELD = pattern(rf"(?<![ \t])[ \t]*+{_BRACKET.pattern}")
FIELD_LINE = pattern(r"[ \t]*[-*+][ \t]+([^\W\d][\w -]{0,40})::[ \t]*(.*)\Z")
ID_NAME = pattern(r"m-[A-Za-z0-9]+")
STRUCK = pattern(r"~~(.*?)~~(.*)\Z", re.DOTALL)
_DRAWER = r"[ \t]*:(?:LOGBOOK|PROPERTIES|CLOCK):[ \t]*\n"  # which Org and Logseq hide
DRAWER = pattern(rf"(?m)\n{_DRAWER}(?:(?!{_DRAWER}|[ \t]*:END:)[^\n]*\n)*+[ \t]*:END:[ \t]*$")
_HEADINGS = {
    "preference": "Preferences 偏好 preference 喜好",
    "fact": "Facts 事实 fact",
    "pattern": "Patterns 模式 pattern 规律",
    "skill": "Skills 技能 skill",
    "context": "Context 背景 contexts 上下文",
    "lesson": "Lessons 经验 lesson 教训 经验教训",
    "decision": "Decisions 决定 decision 决策",
    "event": "Events 事件 event",
    "opinion": "Opinions 观点 opinion 意见",
    "relation": "Relations 关系 relation",
}  # the first two are the ones we write
BUILT_IN = frozenset(_HEADINGS)
_TYPES = {fold(name): type_ for type_, names in _HEADINGS.items() for name in names.split()}
_NAME = pattern(r"[^\W_](?:.*[^\W_])?")
_MAX_TRAILS = 100  # of headings whose type is known: thousands of entries are below one


def field_key(written: str) -> str:
    """A field by the name that it is known by, however it is spelled."""
    return fold(written.strip()).replace(" ", "_")


def field_start(text: str, field: re.Match[str]) -> int:
    """Where a field that was found behind a mask begins in the text: with the blanks before it, but
    not with the code that looks like blanks there."""
    bracket = field.start(1) - 1
    return field.start() + len(text[field.start() : bracket].rstrip(" \t"))


def end_of_list(lines: Sequence[str], at: int) -> int:
    """The line after the lines that are indented more than line `at`."""
    indent = indent_of(lines[at])
    end = at + 1
    while end < len(lines) and lines[end].strip() and indent_of(lines[end]) > indent:
        end += 1
    return end


def indent_of(line: str) -> int:
    """How many blanks begin a line."""
    return len(line) - len(line.lstrip(" \t"))


def type_of_heading(title: str) -> str:
    """The type of the entries below a heading; "" when it tells none."""
    name = _NAME.search(FIELD.sub("", title) if "::" in title else title)
    return _TYPES.get(fold(name[0]), "") if name else ""


def heading_of_type(type_: str, *, is_chinese: bool) -> str:
    """The heading that we write for a built-in type; for any other its own word."""
    if names := _HEADINGS.get(type_):
        return names.split()[is_chinese]
    return type_[:1].upper() + type_[1:]


_DEFINED = pattern(r"^ {0,3}\[([^\[\]\n]+)\]:[ \t]*\S", re.MULTILINE)
_DATED_HEADING = pattern(r"\[?(\d{4}-\d\d-\d\d)\]?[ \t]+(?:([^\W\d][\w-]*)[ \t]*\|[ \t]*)?(.*)\Z")
_NUMBERED_HEADING = pattern(r"\[?[A-Z]{2,5}-\d[\w-]*\]?(?:[ \t:]|\Z)")


class EntryReading(NamedTuple):
    """What the entries of one page are read by."""

    lines: list[str]
    sections: Sections
    default_type: str
    defined: frozenset[str]  # link references
    whole: Sections  # sections that are entries themselves


class Draft:
    """An entry while its marks are taken off its text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.type = ""
        self.id = ""
        self.block = ""
        self.is_superseded = False
        self.values: dict[str, list[str]] = {}

    @property
    def fields(self) -> dict[str, str]:
        """Each field once; the values of one that is written more than once are joined."""
        return {
            key: _join_values(values) if len(values) > 1 else values[0]
            for key, values in self.values.items()
        }

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags in the text."""
        if "#" not in self.text:
            return ()
        found = find_tags(mask_inline(without_fences(self.text)))
        return distinct_tags(tag for tag, _ in found)


class ReadEntries(NamedTuple):
    """The entries of a page; of its stretches that a store holds, none."""

    entries: tuple[Entry, ...] = ()
    stretches: tuple[Stretch, ...] = ()


def entry_reading(
    lines: list[str],
    structure: Structure,
    sections: Sections,
    default_type: str,
    defined: frozenset[str],
) -> EntryReading:
    """What the entries of a page are read by, which defines these link references."""
    items = structure.items
    whole = (s for s in _leaf_sections(sections) if _is_entry_heading(s, lines, items))
    return EntryReading(lines, sections, default_type, defined, tuple(whole))


def defined_in(lines: Sequence[str]) -> frozenset[str]:
    """The link references that lines define."""
    return frozenset(map(fold, _DEFINED.findall("\n".join(lines))))


def read_entries(
    reading: EntryReading,
    structure: Structure,
    title: str = "",
    known: KnownStretches = MappingProxyType({}),
    same: Mapping[int, SameRun] = MappingProxyType({}),
) -> ReadEntries:
    """The entries of a page; `same` as `runs_of` takes them.

    The `title` is no part of them, but of what a store holds of them.
    """
    lines, whole = reading.lines, reading.whole
    entries, stretches = list(section_entries(whole, reading)), list[Stretch]()
    context = title, reading.default_type, sorted(reading.defined)
    for run, section in _item_runs(reading, structure, set(whole), context, same):
        found = known.get(run.digest, b"") if stretches else b""
        if not found:
            for first, end in run.items:
                entries += item_entry(item_at(lines, first, end), section, reading)
        if run.digest:
            digest = run.digest if stretches else b""
            stretches.append(Stretch(digest, *run.lines, found, run.digest))
    entries.sort(key=lambda entry: entry.line_start)
    return ReadEntries(tuple(entries), tuple(stretches))


def text_of_entry(lines: list[str]) -> str:
    """What a person reads of the entry on these lines, without knowing the rest of its page."""
    structure = scan(lines)
    sections = sections_of(structure.headings, len(lines))
    reading = entry_reading(lines, structure, sections, "", defined_in(lines))
    entries = read_entries(reading, structure).entries
    return entries[0].text if entries else "\n".join(lines)


def entry_ranges(lines: list[str], structure: Structure, sections: Sections) -> list[Item]:
    """The lines of each entry, from 0 and half-open, in order."""
    leaves = _leaf_sections(sections)
    whole = {each for each in leaves if _is_entry_heading(each, lines, structure.items)}
    ranges = [(section.line_start - 1, section.line_end) for section in whole]
    for section, items in below_headings(structure.items, sections):
        if section not in whole:
            ranges += (item for item in items if not TASK_LINE.match(lines[item[0]]))
    return sorted(ranges)


def _item_runs(
    reading: EntryReading,
    structure: Structure,
    whole: set[Section],
    context: object,
    same: Mapping[int, SameRun],
) -> Iterator[tuple[ItemRun, Section | None]]:
    """The items that are no part of an entry, by what stands above them."""
    is_long, is_first = len(structure.items) >= MANY_ITEMS, True
    for section, items in below_headings(structure.items, reading.sections):
        if section in whole:
            continue
        # The first entry may bear the names of the page: it is always read, and so stands alone.
        for part in (items[:1], items[1:]) if is_long and is_first else (items,):
            runs = runs_of(reading.lines, part, section, context, same)
            for run in runs if is_long else (ItemRun(b"", items),):
                yield run, section
        is_first = False


def _leaf_sections(sections: Sections) -> Iterator[Section]:
    for i, section in enumerate(sections):
        is_title = i == 0 and section.level == 1
        has_children = i + 1 < len(sections) and sections[i + 1].level > section.level
        if not (is_title or has_children):
            yield section


def _is_entry_heading(section: Section, lines: list[str], items: Sequence[Item]) -> bool:
    """A heading that names one thing: written as a record, or with prose and no list below it."""
    if _DATED_HEADING.match(section.title) or _NUMBERED_HEADING.match(section.title):
        return any(map(str.strip, lines[section.line_start : section.line_end])) or (
            "|" in section.title
        )
    if type_of_heading(section.title):
        return False
    at = bisect_left(items, (section.line_start, 0))
    if at < len(items) and items[at][0] < section.line_end:
        return False
    body = lines[section.line_start : section.line_end]
    return any(line.strip() and not line.lstrip().startswith("<!--") for line in body)


def section_entries(sections: Sequence[Section], reading: EntryReading) -> Iterator[Entry]:
    """The entries that sections are."""
    for section in sections:
        title, type_, created = section.title, "", ""
        if match := _DATED_HEADING.match(title):
            created, type_, title = match[1], match[2] or "", match[3]
        body = "\n".join(reading.lines[section.line_start : section.line_end]).strip()
        draft = read_marks(f"{title}\n{body}".strip(), reading.defined)
        if created:
            draft.values.setdefault("created", [created])
        draft.type = draft.type or type_ or type_of_trail(section.trail[:-1])
        yield _entry(draft, section, section.line_start, section.line_end, reading)


def item_entry(item: ListItem, section: Section | None, reading: EntryReading) -> list[Entry]:
    """The entry that an item is, none for a task."""
    if TASK.match(item.text):
        return []
    draft = read_item(item.text, reading.defined)
    if not draft.text or draft.text.endswith("::"):  # a property that nobody filled in
        return []
    draft.type = draft.type or type_of_trail(section.trail if section else ())
    return [_entry(draft, section, item.line + 1, item.line_end, reading)]


def _entry(
    draft: Draft, section: Section | None, start: int, end: int, reading: EntryReading
) -> Entry:
    fields = draft.fields
    return Entry(
        type=fold(draft.type) or reading.default_type,
        text=draft.text,
        section=" > ".join(section.trail) if section else "",
        line_start=start,
        line_end=written_end(reading.lines, start, end),
        id=draft.id,
        fields=fields,
        tags=draft.tags,
        is_superseded=draft.is_superseded or "superseded_by" in fields,
        block=draft.block,
    )


def has_drawers(text: str) -> bool:
    """Whether a text may have drawers; what looks so in code is none."""
    return ":END:" in text and "```" not in text and "~~~" not in text


def read_marks(text: str, defined: frozenset[str] = frozenset()) -> Draft:
    """Take type, fields, id and strike-through off the text; `[x]` of a link reference is no
    type."""
    draft = Draft(DRAWER.sub("", text) if has_drawers(text) else text)
    _take_type(draft, defined)
    if "^m-" in draft.text:
        _take_id(draft)
    if "::" in draft.text:
        _read_fields(draft)
    draft.text = draft.text.strip()
    if draft.text.startswith("~~") and (struck := STRUCK.match(draft.text)):
        rest = struck[2].strip()
        draft.is_superseded = not rest or all(word[0] == "#" for word in rest.split())
        if draft.is_superseded:
            draft.text = f"{struck[1]} {rest}".strip()
            _take_type(draft, defined)  # it may be inside the strike-through
    return draft


def read_item(text: str, defined: frozenset[str] = frozenset()) -> Draft:
    """The same of the text of an item, whose first paragraph may end with what others call it."""
    given = given_id(mask_inline(text)) if "^" in text.replace("^m-", "") else None
    if given is None:
        return read_marks(text, defined)
    draft = read_marks(text[: given.start()] + text[given.end() :], defined)
    draft.block = given[1]
    return draft


def _take_id(draft: Draft) -> None:
    masked = mask_inline(draft.text)
    found = ENTRY_ID.search(masked, max(masked.find("^m-") - 1, 0))
    if found:
        draft.id = found[1]
        draft.text = draft.text[: found.start()] + draft.text[found.end() :]


def _take_type(draft: Draft, defined: frozenset[str]) -> None:
    match = None if draft.type else TYPE.match(draft.text)
    if match and fold(match[1]) not in defined:
        draft.type, draft.text = match[1], draft.text[match.end() :]


def _read_fields(draft: Draft) -> None:
    masked = mask_inline(draft.text)
    kept, done = list[str](), 0
    for match in _BRACKET.finditer(masked):
        _add_field(draft, match[1], draft.text[match.start(2) : match.end(2)])
        start = done + len(masked[done : match.start()].rstrip(" \t"))
        # What looks like blanks may be code.
        kept += draft.text[done:start], draft.text[start : match.start()].rstrip(" \t")
        done = match.end()
    text = "".join([*kept, draft.text[done:]])
    if "\n" not in text:
        draft.text = text.rstrip()
        return
    lines, given = [], text.split("\n")
    below = 0  # the line after those that belong to the last field
    for i, line in enumerate(given):
        if i < below:
            continue
        if i and (pair := FIELD_LINE.match(line)):
            below = i + 1 if pair[2] else end_of_list(given, i)
            from textwrap import dedent  # with its patterns 5 ms, and few entries have such lines

            _add_field(draft, pair[1], pair[2] or dedent("\n".join(given[i + 1 : below])))
        else:
            lines.append(line.rstrip())
    draft.text = "\n".join(lines)


def _add_field(draft: Draft, key: str, value: str) -> None:
    draft.values.setdefault(field_key(key), []).append(value.strip())


def _join_values(values: list[str]) -> str:
    """The values of a field that is written more than once."""
    first = next((i for i, value in enumerate(values) if value), len(values) - 1)
    return ", ".join(values[first:])


@lru_cache(_MAX_TRAILS)
def type_of_trail(trail: tuple[str, ...]) -> str:
    """What entries are below some headings, "" when these do not say it."""
    return next(filter(None, map(type_of_heading, reversed(trail))), "")


_BYTES = 8
# The examples in memory.md and learnings.md, until 2026-11: what they say, without their marks.
_LINES = frozenset(
    """
    fd9cc57528078639
    5057fd7603f17b99
    0c454bf64bd28464
    6667da057197d1a9
    f3e9deb1747dc9fd
    164541c4402cdf32
    40b1a7dda925c136
    00d46895c68680a9
    9f91eabfcac28265
    e0ca762c38c942ae
    64222f6eed93142d
    684f713b8f29e47f
    """.split()
)
# Pages that explained themselves, until 2026-11. The files of entries without any are here too.
_PAGES = {
    "learnings.md": (
        "761295a86db4a5f80223816b71c521dd",
        "7348ae0f0b1e666de8e7aac8ea787772",
        "d03b1ce4f8673580190abd9916e7732b",
    ),
    "memory.md": (
        "6f3d36b5b9b70ed2c652a2247884b45d",
        "030181313309b12fe8877cb96a8e7f05",
        "1b86d00255c9e1e8976cb1a9be591ff9",
    ),
    "wiki/concepts/entry.md": (
        "d9a23e1af8ca1f96fd7c39b2bbccd372",
        "a8649996acd732c849743aab7fb38337",
    ),
    "wiki/concepts/links.md": (
        "6e636246134c9423f2fc1aa443ac37a3",
        "560a8a4b3540a28cf963adfd7247174a",
        "2cf49c9a4ff936d4af11ef0cc31cc4d5",
    ),
    "wiki/concepts/page.md": ("3332554b9438aa58400a79afddf8ad72",),
    "wiki/concepts/search.md": ("2a9bab50f0f4dbac04b3b7e47d032c9b",),
    "wiki/concepts/sync.md": (
        "5c78fd3fbd45deedcdc5b83a0d3222a5",
        "ea6e602cb2442d006a14e22abf594c77",
    ),
    "wiki/concepts/tags.md": (
        "175fd7db206953e17303025b0855e411",
        "843ca600af3d4d1cd98fc899692678cc",
    ),
    "wiki/concepts/workspace.md": (
        "c6bf5a1f1397b78d4f355b0fa3db67e8",
        "d5b0ee8a9847caccf143fefa3d25256a",
    ),
    "wiki/questions/how-does-an-agent-remember.md": (
        "307dcee96935418919b7e1f39c018796",
        "402fe29be1a979b082afbacd0e80a9bb",
        "7088e7013daf2227cb540f4ea45ed0f2",
        "633ad0181c03da6d09d24fd1b880919b",
    ),
    "wiki/start-here.md": (
        "c7dc81f78857704676b46a5c635b08de",
        "7a62e9f4ac78d8a480338bae9e8cd5e2",
        "44686e32ffd50c28179b2418eebd0ff4",
        "92b070774d0abd17c58acb95e73feeab",
    ),
}
# A word of each of the examples: to find that a long page has none takes a look, not thousands.
_WORDS = (
    *("neither;", "Answers", "year", "twice", "writing:", "template"),
    *("decided,", "derived", "question", "examples;"),
)
_MARK = pattern(r"\A[ \t]*[-*+][ \t]+|~~")


def may_be_template_text(text: str) -> bool:
    """Whether a text has a word of the examples; cheap, however long it is."""
    return any(word in text for word in _WORDS)


def is_template_text(text: str) -> bool:
    """Whether a memory, or what stands above them, is an example of a template, word for word."""
    if not may_be_template_text(text):
        return False
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    return len(lines) == 1 and _digest(lines[0]) in _LINES


def is_template_page(path: str, digest: str) -> bool:
    """Whether a page is as a template wrote it, and nobody has put anything into it."""
    return digest in _PAGES.get(path, ())


def template_paths() -> tuple[str, ...]:
    """Where templates wrote such pages."""
    return tuple(_PAGES)


def _digest(line: str) -> str:
    plain = ENTRY_ID.sub("", FIELD.sub("", _MARK.sub("", line.rstrip())))
    return text_hash(" ".join(TYPE.sub("", plain.strip(), count=1).split()), _BYTES).hex()
