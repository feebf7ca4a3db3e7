"""Headings, sections, code and HTML as markdown-it sees them, finding a section by name, and what
is known of a long page after an edit without a look at the lines that did not change."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from memwiki.errors import AmbiguousError, NotFoundError, shell_word
from memwiki.markdown.mask import Masked
from memwiki.markdown.scanner import PLAIN_ITEM, Heading, Structure, scan, shown_to_commonmark
from memwiki.markdown.source import Patch, Source
from memwiki.markdown.syntax import is_item, lines_for_parser, plain, written_end
from memwiki.names import fold
from memwiki.nouns import Page, Section, Sections, Span
from memwiki.records import NamedTuple
from memwiki.text import pattern

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    from memwiki.markdown.outline import Outline

MAX_TITLE = 1_000
# A list is two levels. What is deeper than this, markdown-it leaves out, with all that follows.
_MAX_LEVELS = 100
# The id that a heading says of itself: `{#id}`, `{: #id .class }`, `{ id=a }`, and in MDX
# `{/* #id */}`; in Nextra `[#id]`, and `[!toc]` of one that a table of contents leaves out;
# and the icon before it in MkDocs.
_ATTRIBUTES = pattern(
    r"(?<=\S)[ \t]*+\{(?::?[ \t]*+(?:[#.]|(?:id|class|data-[\w-]+)=)[^{}\n]*+"
    r"|/\*[ \t]*+#[^{}*\n]*+\*/)\}\Z|(?<=\S)[ \t]++\[(?:#[A-Za-z][\w-]*+|!toc)\]\Z"
    r"|\A:(?:material|fontawesome|octicons|simple)-[\w-]++:[ \t]*+"
)
_FIELDS = pattern(r"[ \t]*+\[[^\W\d][\w -]{0,40}::[^\[\]\n]*+\]")


def structure_of(lines: list[str], start: int) -> Structure:
    """The structure of the lines from `start` on: scanned, and parsed in full where in doubt."""
    scanned = scan(lines, start)
    return scanned if scanned.is_certain else parsed_structure(lines, start)


def parsed_structure(lines: list[str], start: int) -> Structure:
    """The structure as markdown-it's block rules give it."""
    other = shown_to_commonmark(lines, start)
    tokens = _tokens(lines_for_parser(lines, start, {**other.markers, **other.math}))
    return Structure(
        tuple(_headings(tokens, start)),
        tuple(_ranges(tokens, ("fence", "code_block"), start)),
        tuple(_ranges(tokens, ("html_block",), start)),
        tuple(_items(tokens, lines, start)),
    )


def block_tokens(lines: list[str], start: int, *, has_indented_code: bool = True) -> list[Token]:
    """The blocks of the lines from `start` on, which are counted from there; inline is not
    parsed, and a formula is a paragraph."""
    markers = shown_to_commonmark(lines, start).markers
    return _tokens(lines_for_parser(lines, start, markers), has_indented_code=has_indented_code)


def _tokens(lines: list[str], *, has_indented_code: bool = True) -> list[Token]:
    # With a line end at the last line too: without one, HTML in a list in a quote is an IndexError.
    return _parser(has_indented_code=has_indented_code).parse("\n".join([*lines, ""]))


@cache
def _parser(*, has_indented_code: bool) -> MarkdownIt:
    # Imported late: 55 ms, and most pages never need it.
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_LEVELS}).enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser if has_indented_code else parser.disable("code")


def _headings(tokens: list[Token], start: int) -> Iterable[Heading]:
    for i, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            line, line_end = token.map
            yield Heading(tokens[i + 1].content, int(token.tag[1]), start + line, start + line_end)


def _ranges(tokens: list[Token], types: tuple[str, ...], start: int) -> Iterable[Span]:
    for token in tokens:
        if token.type in types and token.map:
            yield start + token.map[0], start + token.map[1]


def _items(tokens: list[Token], lines: list[str], start: int) -> Iterable[Span]:
    for token in tokens:
        if token.type == "list_item_open" and token.level == 1 and token.map:
            first, end = start + token.map[0], start + token.map[1]
            if is_item(lines[first]):
                yield first, written_end(lines, first + 1, end, " \t")


def sections_of(headings: tuple[Heading, ...], line_count: int) -> Sections:
    """Headings as sections with trail and 1-based lines, called as a reader sees them."""
    sections = list[Section]()
    open_: list[Section] = []
    ends = _ends(headings, line_count)
    for heading, end in zip(headings, ends, strict=True):
        title, level = title_of(heading), heading.level
        while open_ and open_[-1].level >= level:
            open_.pop()
        trail = (*open_[-1].trail, title) if open_ else (title,)
        open_.append(Section(title, level, trail, heading.line + 1, end))
        sections.append(open_[-1])
    return tuple(sections)


def title_of(heading: Heading) -> str:
    """A heading as a reader sees it; of an endless one the beginning, as every entry below it is
    found under its words."""
    return (words_of(heading) or heading.title)[:MAX_TITLE]


def words_of(heading: Heading) -> str:
    """The words of a heading, without the id that it says of itself; "" for none."""
    title = heading.title
    has_more = title.startswith(":") or title.endswith(("}", "]"))
    return plain(_ATTRIBUTES.sub("", title) if has_more else title)


def _ends(headings: tuple[Heading, ...], line_count: int) -> list[int]:
    """For each heading the line before the next one of its level or above."""
    ends = [line_count] * len(headings)
    waiting: list[int] = []
    for i, heading in enumerate(headings):
        while waiting and headings[waiting[-1]].level >= heading.level:
            ends[waiting.pop()] = heading.line
        waiting.append(i)
    return ends


def find_lines(page: Page, wanted: str) -> Span:
    """First and last line of a section, or of a block when `^id` is wanted."""
    if wanted.startswith("^"):
        return _block(page, wanted[1:])
    section = find_section(page, wanted)
    return section.line_start, section.line_end


def find_section(page: Page | Outline, wanted: str) -> Section:
    """The section under a heading, named alone, as `Above#Below` or by either with its line.

    Raises NotFoundError, or AmbiguousError with the candidates.
    """
    whole = fold(wanted.strip().lstrip("#").strip())  # `C#` is a name, `Above#Below` a way there
    parts = [fold(part.strip()) for part in wanted.split("#") if part.strip()]
    found = (
        [s for s in page.sections if fold(s.title) == whole]
        or [s for s in page.sections if _is_way_to(parts, s)]
        or [s for s in page.sections if whole in map(fold, (_at(s.title, s), _way_to(s)))]
    )
    if not found:
        raise NotFoundError.at(page.path, f"no section {wanted!r}", _nearest(page, whole))
    if len(found) > 1:
        ways = tuple(map(_way_to, found))
        raise AmbiguousError.at(
            page.path,
            f"{len(found)} sections have the title {wanted!r}",
            f"name it with the heading above or its line, as {ways[0]}",
            candidates=ways,
        )
    return found[0]


def _way_to(section: Section) -> str:
    return _at("#".join(section.trail), section)


def _at(name: str, section: Section) -> str:
    return f"{name} (line {section.line_start})"


def _nearest(page: Page | Outline, wanted: str) -> str:
    from difflib import get_close_matches

    titles = {fold(section.title): section.title for section in page.sections}
    name = wanted.rpartition("#")[2].strip()
    begun = [title for title in titles if name and title.startswith(name)]
    near = begun or get_close_matches(name, titles, n=1)
    if near:
        return f"did you mean {titles[near[0]]}?"
    return f"memwiki get {shell_word(page.path)} shows all of it"


def _block(page: Page, block: str) -> Span:
    wanted = fold(block)
    for entry in page.entries:
        if wanted in (fold(entry.id), fold(entry.block)):
            return entry.line_start, entry.line_end
    lines = {fold(id_): line for id_, line in page.block_ids.items()}
    if wanted not in lines:
        raise NotFoundError.at(page.path, f"no block ^{block}", "memwiki get {}", page.path)
    return lines[wanted], lines[wanted]


def _is_way_to(parts: list[str], section: Section) -> bool:
    """Whether these are the last headings of a section's trail, with the fields in them or not."""
    trail = section.trail
    return _ends_with([fold(t) for t in trail], parts) or _ends_with(
        [fold(_FIELDS.sub("", t)) for t in trail], parts
    )


def _ends_with(trail: list[str], parts: list[str]) -> bool:
    """Whether the parts stand in the trail in order, the last one at its end."""
    if not parts or trail[-1:] != parts[-1:]:
        return False
    rest = iter(trail[:-1])
    return all(part in rest for part in parts[:-1])


def lines_around(page: Page, line: int) -> Span:
    """From the heading above a line to the next one; NotFoundError where there is no such line."""
    if not 1 <= line <= max(page.line_count, 1):
        raise _no_lines(page, f"line {line}")
    starts = [section.line_start for section in page.sections]
    after = bisect_right(starts, line)
    stop = starts[after] - 1 if after < len(starts) else max(page.line_count, 1)
    return (starts[after - 1] if after else 1), stop


def _no_lines(page: Page, lines: str) -> NotFoundError:
    return NotFoundError.at(page.path, f"it has no {lines}", f"it has {page.line_count} lines")


def part_of(page: Page, section: str, lines: Span | None) -> tuple[str, int, int]:
    """The text of a page, of one section or of some lines, with its first and last line."""
    start, stop = 1, max(page.line_count, 1)
    if section:
        start, stop = find_lines(page, section)
    if lines:
        start, stop = max(start, lines[0]), min(stop, lines[1])
        if start > stop:
            raise _no_lines(page, f"lines {lines[0]}-{lines[1]}")
    if not (section or lines):
        return page.text, start, stop
    return "\n".join(page.text.split("\n")[start - 1 : stop]), start, stop


def open_block(lines: list[str], start: int = 0) -> int:
    """The line, from 1, of code or HTML that takes in whatever follows these lines; 0 when none
    does."""
    probed = structure_of([*lines, "", "# what follows"], start)
    blocks = (*probed.code, *probed.html)
    return next((first + 1 for first, end in blocks if end > len(lines) + 1), 0)


_FAR = "$`{<>"  # what may begin or end what goes on over many lines


class EditedLines(NamedTuple):
    """Lines `first` to `stop`, from 0 and half-open, and those that stand there now."""

    first: int
    stop: int
    lines: list[str]

    @property
    def grown(self) -> int:
        """How many lines more there are."""
        return len(self.lines) - (self.stop - self.first)


def edited_lines(before: Source, patches: Iterable[Patch], text: str) -> EditedLines | None:
    """The lines that patches change, of which `text` is made; None where lines may end in other
    ways than by a line feed, or are no text."""
    ends = [(each.start, each.end) for each in patches]
    if not ends or "\r" in before.text or "\r" in text or "\0" in text:
        return None
    starts = before.starts
    first = before.line_at(min(start for start, _ in ends))
    stop = min(before.line_at(max(end for _, end in ends)) + 1, len(before.lines))
    lines = text[starts[first] : starts[stop] + len(text) - len(before.text)].split("\n")
    if not lines[-1]:
        lines.pop()
    while lines and first < stop and lines[0] == before.lines[first]:
        del lines[0]
        first += 1
    while lines and first < stop and lines[-1] == before.lines[stop - 1]:
        del lines[-1]
        stop -= 1
    return EditedLines(first, stop, lines)


def starts_after(before: Source, edit: EditedLines, size: int) -> list[int]:
    """Where the lines begin after an edit that leaves a text of so many characters."""
    at = before.end_of(edit.first - 1) + 1 if edit.first else 0
    return [*_starts(before.starts, edit, at)[:-1], size]


def _starts(starts: Sequence[int], edit: EditedLines, at: int) -> list[int]:
    """The same of lines of which each has an end; the first that changed is `at` a place."""
    after = list(starts[: edit.first])
    for line in edit.lines:
        after.append(at)
        at += len(line) + 1
    rest, grown = starts[edit.stop :], at - starts[edit.stop]
    after += map(grown.__add__, rest) if grown else rest
    return after


def are_plain_items(before: Source, structure: Structure, edit: EditedLines) -> bool:
    """Whether an edit puts items of one line in the place of such, right below another one, and
    nothing that begins or ends there reaches farther: all other lines read as they did."""
    first, stop, lines = edit
    above = max(first - 1, 0)
    old, items = before.lines[above:stop], structure.items
    at = bisect_left(items, (above, 0))
    each_own = [(line, line + 1) for line in range(above, stop)]
    if not first or list(items[at : at + len(old)]) != each_own or not structure.is_certain:
        return False
    below = before.lines[stop : stop + 1]
    is_ended = not below or not below[0] or PLAIN_ITEM(below[0])
    is_near = not any(sign in line for line in (*old, *lines) for sign in _FAR)
    # How many rows a table may have is told by the lines of the whole page.
    has_table = edit.grown and "|" in before.text
    return bool(is_ended and is_near and not has_table and all(map(PLAIN_ITEM, (*old, *lines))))


def structure_after(structure: Structure, edit: EditedLines) -> Structure:
    """The structure of a page after an edit of plain items."""
    if not edit.grown:
        return structure
    first, stop, lines = edit
    at = bisect_left(structure.items, (first, 0))
    new = [(line, line + 1) for line in range(first, first + len(lines))]
    below = [(a + edit.grown, b + edit.grown) for a, b in structure.items[at + stop - first :]]
    return Structure(
        tuple(
            each
            if each.line < first
            else each._replace(line=each.line + edit.grown, line_end=each.line_end + edit.grown)
            for each in structure.headings
        ),
        _move(structure.code, edit),
        _move(structure.html, edit),
        (*structure.items[:at], *new, *below),
    )


def _move(places: Sequence[Span], edit: EditedLines) -> tuple[Span, ...]:
    """Lines that lie above an edit or below it, where they are now."""
    if not places or places[-1][0] < edit.first:
        return tuple(places)
    grown = edit.grown
    return tuple((a, b) if a < edit.first else (a + grown, b + grown) for a, b in places)


def is_shown(before: Source, masked: Masked, edit: EditedLines) -> bool:
    """Whether nothing is masked in the lines that an edit replaces and the one above it, as between
    the two ends of a comment."""
    (text, starts), above = masked, edit.first - 1
    return text[starts[above] : starts[edit.stop] - 1] == "\n".join(before.lines[above : edit.stop])


def masked_after(masked: Masked, edit: EditedLines) -> Masked:
    """The masked text of a page, and where its lines begin, after an edit of plain items, in which
    nothing is masked."""
    text, starts = masked
    above, below = text[: starts[edit.first] - 1], text[starts[edit.stop] - 1 :]
    new = "".join(f"\n{line}" for line in edit.lines)
    return Masked(f"{above}{new}{below}", _starts(starts, edit, starts[edit.first]))
