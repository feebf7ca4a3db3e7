"""What stands where in a page, looked for once: the parser and every change of a page go by it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set
from enum import StrEnum
from posixpath import basename

from memwiki.digest import digest_of
from memwiki.markdown import describe, entries, frontmatter, titles
from memwiki.markdown.dialects import (
    Called,
    Property,
    block_ids,
    block_structure,
    fields_of,
    names_of_file,
    read_properties,
    with_references,
    within_items,
)
from memwiki.markdown.fields import Fields, field_links, is_form, read_fields
from memwiki.markdown.links import (
    IMPORT,
    PATHS,
    FoundLinks,
    find_links,
    may_hold_html_links,
    with_code,
    with_paths,
    with_targets_last,
)
from memwiki.markdown.mask import Masked, blank_lines, mask_inline
from memwiki.markdown.scanner import Structure, scan
from memwiki.markdown.source import Decoded, Patch, Source, decode, exact_text, has_odd_signs, lazy
from memwiki.markdown.structure import (
    are_plain_items,
    edited_lines,
    is_shown,
    masked_after,
    sections_of,
    starts_after,
    structure_after,
    structure_of,
)
from memwiki.markdown.syntax import (
    CATALOG_BEGIN,
    ENTRY_ID,
    is_raw,
    place_names,
)
from memwiki.markdown.tags import find_tags, with_doubled
from memwiki.names import SCHEMA_FILES, bare_line
from memwiki.nouns import DENDRON, FOAM, GITHUB, LOGSEQ, OBSIDIAN, Layers, Link, Section, Span
from memwiki.scope import layers_at
from memwiki.sequences import shared_ends
from memwiki.text import holds, line_starts, pattern

_CATALOG = pattern(rf"^[ \t]*{CATALOG_BEGIN}", re.MULTILINE)
# Scripts without blanks have none before an id either (`文字。^id`); `x^2` is no id, nor is `#^id`.
# Behind that of an entry may be one more. The sign comes first: it is searched for faster.
BLOCK_ID = pattern(
    r"(?am)\^(?<![A-Za-z0-9_\[#^\\]\^)"
    r"(m-[A-Za-z0-9]+(?=[ \t]++\^[\w-]+[ \t]*$)|[A-Za-z0-9][\w-]*+(?=[ \t]*$))"
)


class PageKind(StrEnum):
    """What the list items and headings of a page are."""

    PLAIN = "plain"
    COLLECTING = "collecting"  # its list items are entries
    SESSION = "session"  # its headings of level 3 begin messages


_COLLECTING = PageKind.COLLECTING
_BY_PATH = ("fields", "type", "_declared", "entry_reading", "called", "heading", "hidden")
_BY_STRUCTURE = ("structure", "sections", "_entry_sections", "masked", "found", "tags")
_DRAWING = "excalidraw-plugin"  # says that the headings are those of a drawing, and no title
_MAX_PLACES = 1_000  # names of one page
_ENTRY_TYPES = {"learning": "lesson", "daily": "event"}


class Outline(Source):
    """A page that is looked over; it never changes, and what few ask for is looked for when it is
    asked for.

    Lines are counted from 0 here, and ranges of them are half-open; sections and links count from
    1.
    """

    hidden: frozenset[int] | None = None  # the lines, from 1, that are private, once looked for

    def __init__(
        self, layers: Layers, path: str, text: str, mark: str = "", lines: list[str] | None = None
    ) -> None:
        """`lines` are those of the text, where they are known."""
        super().__init__(path, text, mark)
        if lines is not None:
            self.lines = lines
        self.layers = layers_at(path, layers)
        self.loaded = frontmatter.load(path, self.lines)
        self.front = self.loaded.front_matter
        self.start = self.front.line_end  # the first line below the front matter

    def at(self, path: str) -> Outline:
        """The same text at another path; what does not depend on that is not looked for again."""
        other = Outline.__new__(Outline)
        known = self.__dict__.copy()  # a long page may be another thread's, too
        other.__dict__ |= {name: known[name] for name in known if name not in _BY_PATH}
        problems = tuple(problem._replace(path=path) for problem in self.loaded.problems)
        other.lacking = set()
        other.path, other.loaded = path, self.loaded._replace(problems=problems)
        other.layers = layers_at(path, self.layers)
        if other.layers.dialect != self.layers.dialect:
            for name in (*_BY_STRUCTURE, "properties", "fields"):
                other.__dict__.pop(name, None)
        if other._declared is not self._declared or may_import(path) != may_import(self.path):
            for name in _BY_STRUCTURE:
                other.__dict__.pop(name, None)
        return other

    def edited(self, patches: Iterable[Patch]) -> Outline:
        """The page with some ranges replaced, looked over anew; of a long one only the lines that
        changed are, where all others read as they did."""
        patches = list(patches)
        text = self.patched(patches).text
        if len(text) < _MIN_LONG:
            return Outline(self.layers, self.path, text, self.mark)
        after = _last["edited"] = self._with_text(text, patches)
        return after

    def changed_to(self, text: str) -> Outline:
        """The same of a long page that another program changed."""
        head, tail = shared_ends(self.text, text)
        changed = Patch(head, len(self.text) - tail, text[head : len(text) - tail])
        return self._with_text(text, [changed])

    def _with_text(self, text: str, patches: Sequence[Patch]) -> Outline:
        edit = edited_lines(self, patches, text)
        lines = [*self.lines[: edit.first], *edit.lines, *self.lines[edit.stop :]] if edit else None
        after = Outline(self.layers, self.path, text, self.mark, lines)
        if edit:
            after.starts = starts_after(self, edit, len(text))
            is_item = edit.first > self.start == after.start and self._declared is _COLLECTING
            if is_item and not self.is_logseq and are_plain_items(self, self.structure, edit):
                after.structure = structure_after(self.structure, edit)
                if "masked" in vars(self) and is_shown(self, self.masked, edit):
                    after.masked = masked_after(self.masked, edit)
                new = "".join(f"{line}\n" for line in edit.lines)
                after.lacking = {sign for sign in tuple(self.lacking) if not sign(new)}
            if "bare_lines" in vars(self):
                bare, new_ones = self.bare_lines, map(bare_line, edit.lines)
                after.bare_lines = [*bare[: edit.first], *new_ones, *bare[edit.stop :]]
        return after

    # --- what the page is ---

    @property
    def is_logseq(self) -> bool:
        """Whether the page is in the form of Logseq."""
        return self.layers.dialect.name == LOGSEQ

    @lazy
    def properties(self) -> tuple[Property, ...]:
        """The lines `key:: value` that Logseq has in the place of a front matter."""
        if not self.is_logseq:
            return ()
        return read_properties(self.lines, self.start)

    @property
    def text_start(self) -> int:
        """The first line below the front matter and the properties."""
        return self.start + len(self.properties)

    @lazy
    def fields(self) -> Fields:
        """The fields of the front matter and the properties under their canonical names."""
        front = self.front
        if self.properties:
            properties = fields_of(self.properties, self.layers.dialect.day_title)
            front = front._replace(fields={**properties, **front.fields})
        return read_fields(self.path, front, self.lines[: self.text_start])

    @lazy
    def called(self) -> Called:
        """What the page is called by the name of its file alone."""
        return names_of_file(self.path, self.layers)

    @property
    def is_catalog(self) -> bool:
        """Whether the file is generated: it holds our markers, outside of code, is the snapshot
        or the journal."""
        is_snapshot = self.path == describe.SNAPSHOT and self.text.startswith(
            describe.SNAPSHOT_MARK
        )
        if is_snapshot or describe.is_journal(self.path, self.layers):
            return True
        if self.lacks(_has_catalog, self.text):
            return False
        code = scan(self.lines).code  # a page that explains the markers is no catalog
        return _CATALOG.search("\n".join(blank_lines(self.lines, 0, code))) is not None

    @lazy
    def type(self) -> str:
        """The type of the page, by its front matter or its place."""
        return self.fields.text("type") or self.type_by_place()

    def type_by_place(self) -> str:
        """The type that its place gives a page."""
        return describe.default_type(describe.inner_path(self.path, self.layers), self.layers)

    @property
    def entry_type(self) -> str:
        """What an entry is when neither it nor a heading says so."""
        return _ENTRY_TYPES.get(self.type_by_place(), "fact")

    @property
    def title(self) -> str:
        """The title of the page: said, else the heading it begins with, else its file name."""
        given = self.fields.text("title")
        return titles.page_title(self.path, self.layers, self.called, given, self.heading)

    @property
    def search_names(self) -> tuple[str, ...]:
        """Other names by which people find the page, and by which no link means it."""
        given = self.fields.text("title") or self.called.title
        return titles.search_names(self.path, self.layers, self.title, given, self.heading)

    @lazy
    def bare_lines(self) -> list[str]:
        """The lines as `bare_line` has them."""
        return list(map(bare_line, self.lines))

    @lazy
    def heading(self) -> str:
        """The heading of level 1 that the page is called by, which its text begins with, or a line
        `Title: x` in its place."""
        if _DRAWING in self.front.fields:
            return ""
        headings, start = self.structure.headings, self.text_start
        if self.layers.dialect.name == FOAM:
            found = titles.first_heading(headings)
        else:
            found = titles.leading_heading(self.lines, start, headings)
            found = found or titles.title_line(self.lines, start)
            found = found or titles.sole_heading(self.path, self.lines, start, headings)
        return "" if is_form(found) else found

    @lazy
    def _declared(self) -> PageKind:
        """The kind of the page by its type or place."""
        path, type_ = describe.inner_path(self.path, self.layers), self.type
        if describe.is_session(path, type_, self.layers):
            return PageKind.SESSION
        is_collecting = describe.is_collecting(path, type_, self.layers)
        return PageKind.COLLECTING if is_collecting else PageKind.PLAIN

    @property
    def kind(self) -> PageKind:
        """The kind of the page; an entry's id makes a page a collecting one."""
        if self.is_scanned or "^m-" not in self.text:
            return self._declared
        # Code is blank there: a page that only shows an entry's id collects nothing.
        return PageKind.COLLECTING if ENTRY_ID.search(self.masked.text) else PageKind.PLAIN

    # --- the text below the front matter ---

    @property
    def is_scanned(self) -> bool:
        """Whether it never waits for the full parser: pages of entries, sessions and the journal do
        not."""
        is_plain = self._declared is PageKind.PLAIN
        return not is_plain or describe.is_journal(self.path, self.layers)

    @lazy
    def structure(self) -> Structure:
        """Headings, code, HTML and top-level items."""
        if self._declared is PageKind.SESSION:
            from memwiki.markdown.messages import session_structure  # few pages are sessions

            return session_structure(self.lines, self.start)
        look = scan if self.is_scanned else structure_of
        if self.is_logseq:
            return block_structure(self.lines, self.start, look)
        return look(self.lines, self.start)

    @lazy
    def sections(self) -> tuple[Section, ...]:
        """The headings as sections."""
        found = sections_of(self.structure.headings, len(self.lines))
        if not self.is_logseq:
            return found
        return tuple(within_items(found, self.lines))

    @lazy
    def _entry_sections(self) -> tuple[Section, ...]:
        """The headings that stand in no item as sections: what is in an item is part of it."""
        if not self.is_logseq:
            return self.sections
        in_items = {number for first, end in self.structure.items for number in range(first, end)}
        own = (each for each in self.structure.headings if each.line not in in_items)
        return sections_of(tuple(own), len(self.lines))

    @lazy
    def entry_reading(self) -> entries.EntryReading:
        """What the entries of the page are read by."""
        has_labels = not self.lacks(_has_labels, self.text)
        return entries.entry_reading(
            self.lines,
            self.structure,
            self._entry_sections,
            self.entry_type,
            entries.defined_in(self.lines[self.start :] if has_labels else ()),
        )

    @lazy
    def masked(self) -> Masked:
        """The text in which links, tags and ids are looked for."""
        code, html = self.structure.code, self.structure.html
        raw = (span for span in html if is_raw(self.lines[slice(*span)]))
        lines = blank_lines(self.lines, self.start, (*code, *raw)) or [""]
        return Masked(mask_inline("\n".join(lines)), line_starts(lines))

    @lazy
    def found(self) -> FoundLinks:
        """The links of the text and where they stand in the masked one."""
        return self.found_in(self.masked, self.lines, self.entry_ranges)

    def found_in(
        self, masked: Masked, lines: list[str], ranges: Callable[[], list[Span]]
    ) -> FoundLinks:
        """The same of some lines as they are masked; `ranges` gives those of its entries."""
        is_wiki_first = self.layers.dialect.name in (OBSIDIAN, LOGSEQ)
        text, found = masked.text, find_links(masked, is_wiki_first=is_wiki_first)
        if "`" in self.text and holds(text, "[["):
            found = with_code(found, masked, lines)
        if may_hold_html_links(text):
            from memwiki.markdown.html_links import with_html_links  # few pages have some

            found = with_html_links(found, masked)
        for mark, path in PATHS.items():
            if holds(text, mark):
                found = with_paths(found, masked, path)
        if may_import(self.path):
            found = with_paths(found, masked, IMPORT)
        if self.is_logseq:
            found = with_references(found, masked)
        elif self.layers.dialect.name in (DENDRON, GITHUB):
            found = with_targets_last(found, masked, self.layers.dialect.vaults)
        if "::" not in text or self.kind is not PageKind.COLLECTING:
            return found
        from memwiki.markdown.entry_links import with_entry_links  # few pages collect entries

        return with_entry_links(found, masked, lines, ranges)

    def entry_ranges(self) -> list[Span]:
        """The lines of the entries of the page."""
        return entries.entry_ranges(self.lines, self.structure, self._entry_sections)

    @property
    def links(self) -> tuple[Link, ...]:
        """All links, those of the front matter first."""
        return self.front_links + self.found.links

    @lazy
    def front_links(self) -> tuple[Link, ...]:
        """The links of the front matter."""
        return field_links(self.front, self.lines)

    @lazy
    def tags(self) -> list[tuple[str, int]]:
        """The tags of the text with their offsets in the masked one."""
        return self.tags_in(self.masked, self.found.spans, self.structure.html)

    def tags_in(
        self, masked: Masked, links: Sequence[Span], html: Iterable[Span]
    ) -> list[tuple[str, int]]:
        """The same of some lines as they are masked, between their links and outside of HTML."""
        text, starts = masked
        blocks = [(starts[first], starts[end]) for first, end in html]
        found = find_tags(text, links, blocks, has_dots=self.layers.dialect.name == DENDRON)
        return with_doubled(found, text, blocks) if self.is_logseq and "#[[" in text else found

    @property
    def place_names(self) -> list[str]:
        """What MyST calls places of the page by."""
        if self.lacks(_may_name_places, self.text):
            return []
        shown = self.masked.text if holds(self.text, ")=") else ""
        return place_names(shown, self.text)[:_MAX_PLACES]

    @property
    def block_ids(self) -> dict[str, int]:
        """The line, from 1, of each block id."""
        if not (self.is_logseq or "^" in self.text):
            return {}
        ids: dict[str, int] = {}
        if self.is_logseq:
            ids = block_ids(self.masked, self.lines)
        for match in BLOCK_ID.finditer(self.masked.text):
            ids.setdefault(match[1], self.masked.line(match.start(1)))
        return ids


def _has_catalog(text: str) -> bool:
    return holds(text, CATALOG_BEGIN)


def _has_labels(text: str) -> bool:
    return holds(text, "]:")


def _may_name_places(text: str) -> bool:
    return holds(text, ")=", ":name:", ":label:")


def may_import(path: str) -> bool:
    """Whether a page is one that agents' programs read with the files that it names."""
    return basename(path) in SCHEMA_FILES


_MIN_LONG = 1_000_000  # characters
_last: dict[str, Outline] = {}  # the long pages that were read and edited last


def look_over(layers: Layers, path: str, text: str, mark: str = "") -> Outline:
    """A page looked over; a long one is known again where it was the last that was read or edited,
    as one verb begins with what the one before it left."""
    if len(text) < _MIN_LONG:
        return Outline(layers, path, text, mark)
    asked = layers_at(path, layers), path, mark
    last = [p for p in tuple(_last.values()) if (p.layers, p.path, p.mark) == asked]
    same = next((p for p in last if p.text == text), None)
    page = same or (last[-1].changed_to(text) if last else Outline(layers, path, text, mark))
    _last["read"] = page
    return page


def last_of_digest(path: str, digest: str) -> Outline | None:
    """The long page that was read or edited last, where its bytes have this digest."""
    pages = (page for page in tuple(_last.values()) if page.path == path)
    return next((page for page in pages if digest_of(page.data) == digest), None)


def known_page(layers: Layers, path: str, data: bytes) -> Outline | None:
    """The same of a page of these bytes, all of which are text."""
    page = last_of_digest(path, digest_of(data)) if len(data) >= _MIN_LONG else None
    is_same = page and page.layers == layers_at(path, layers)
    return page if page and is_same and page.lacks(has_odd_signs, page.text) else None


def text_of(layers: Layers, path: str, data: bytes) -> Decoded:
    """What the bytes of a page say, as `decode` gives it; a long one that is known is not read
    again."""
    page = known_page(layers, path, data)
    return Decoded(page.text, mark=page.mark) if page else decode(path, data)


def outline_of(path: str, data: bytes, layers: Layers) -> Outline:
    """A page that is to be changed; NotEditableError when its bytes would not come back as they
    are."""
    return look_over(layers, path, *exact_text(path, data))


class Outlines:
    """The outlines that one plan has asked for: no text is looked over twice, at whatever paths."""

    def __init__(self, layers: Layers) -> None:
        self._layers = layers
        self._known: dict[tuple[str, str], dict[str, Outline]] = {}

    def __call__(self, path: str, text: str, mark: str) -> Outline:
        """The outline of a text at a path."""
        known = self._known.setdefault((text, mark), {})
        if path not in known:
            same = next(iter(known.values()), None)
            known[path] = same.at(path) if same else look_over(self._layers, path, text, mark)
        return known[path]

    @property
    def paths(self) -> Set[str]:
        """The paths of all pages that were looked over."""
        return {path for known in self._known.values() for path in known}

    def once(self, path: str, text: str, mark: str) -> Outline:
        """The outline of a text at a path, which is not kept where it is a new one."""
        found = self._known.get((text, mark), {}).get(path)
        return found or look_over(self._layers, path, text, mark)

    def keep(self, page: Outline) -> None:
        """Take in what was looked over elsewhere: a page as a plan leaves it."""
        self._known.setdefault((page.text, page.mark), {})[page.path] = page

    def of(self, path: str, data: bytes) -> Outline:
        """The outline of a page that is to be changed, as `outline_of` gives it."""
        page = known_page(self._layers, path, data)
        exact = (page.text, page.mark) if page else exact_text(path, data)
        return self(path, *exact)
