"""One entry of a page changed: each function gives the page as it is to become."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate
from typing import TypeVar

from memwiki.errors import LineNotEditableError, UsageError, shell_word
from memwiki.facts.identity import without_last_tags
from memwiki.markdown.edit.entries import EntrySpan
from memwiki.markdown.entries import read_marks
from memwiki.markdown.fields import is_private
from memwiki.markdown.outline import Outline, PageKind
from memwiki.markdown.private import hidden_in
from memwiki.markdown.source import Patch
from memwiki.markdown.structure import structure_of
from memwiki.markdown.units import entry_at
from memwiki.memory.placement import require_others
from memwiki.nouns import STAGED, Entry, Span
from memwiki.pages.edit import ChangedLines, patch_lines
from memwiki.records import NamedTuple

T = TypeVar("T")
R = TypeVar("R")
_MAX_TRIALS = 64  # each looks at a whole page


def largest_subset(
    things: Sequence[T], make: Callable[[Sequence[T]], R | None]
) -> tuple[list[T], R | None]:
    """The things of which `make` makes something together, each of which it may refuse by None, in
    their order; and what it makes, None of nothing.

    One that is refused alone is left out; so is the rest after so many trials.
    """
    taken, made = list[T](), None
    waiting, trials = [list(things)] if things else [], _MAX_TRIALS
    while waiting and trials:
        part, trials = waiting.pop(), trials - 1
        if (found := make([*taken, *part])) is not None:
            taken, made = [*taken, *part], found
        elif len(part) > 1:
            half = len(part) // 2
            waiting += [part[half:], part[:half]]
    return taken, made


MAX_BYTES = 1 << 40  # what is changed in place is as long as before, but for its own line


def with_text(page: Outline, entry: Entry, text: str) -> Outline:
    """Other words for an entry; tags of the old ones stay where the new ones have none.

    Raises UsageError for an entry that is a heading, LineNotEditableError for words that would be
    read otherwise.
    """
    section = entry.section.rpartition(" > ")[2]
    hint = f"memwiki replace {shell_word(page.path)} --section {shell_word(section)} TEXT"
    lines = item_lines(page, entry, hint)
    if entry.block:
        text = text.removesuffix(f" ^{entry.block}")
    wanted = entry._replace(text=text, tags=read_marks(text).tags)
    return _require_read(page, entry, lines.with_text(text), wanted)


def item_lines(page: Outline, entry: Entry, hint: str) -> EntrySpan:
    """The lines of an entry that is a list item; UsageError with a hint for any other one."""
    lines = EntrySpan(page, entry)
    if not lines.is_item:
        raise UsageError.at(
            page.path, "this entry is a heading with the text below it", hint, line=entry.line_start
        )
    return lines


def with_tags_of(entry: Entry, text: str) -> str:
    """New words for an entry: where they have no tag, those that ended the old ones stay."""
    _, tags = without_last_tags(entry.text)
    if not tags or read_marks(text).tags:
        return text
    first, *rest = text.split("\n")
    return "\n".join([" ".join([first, *tags]), *rest])


def without_old_object(
    entry: Entry, text: str, changes: Mapping[str, str | None]
) -> dict[str, str | None]:
    """Changes of fields that go with new words: an object that the words no longer say goes, where
    none is given."""
    said = re.escape(entry.fields.get("object", ""))
    says = partial(re.search, rf"(?<![0-9A-Za-z]){said}(?![0-9A-Za-z])", flags=re.IGNORECASE)
    return {"object": None, **changes} if says(entry.text) and not says(text) else {**changes}


def with_fields(
    page: Outline, entry: Entry, changes: Mapping[str, str | None], *, id_: str = ""
) -> Outline:
    """Other fields for an entry, each patched where it is written; None removes one."""
    patches = EntrySpan(page, entry).with_fields(changes, id_)
    return (
        _require_read(page, entry, patches, _with_fields(entry, changes, id_)) if patches else page
    )


def _with_fields(entry: Entry, changes: Mapping[str, str | None], id_: str) -> Entry:
    """An entry with other fields, and with an id where it has none."""
    fields = {**entry.fields, **changes}
    kept = {name: value for name, value in fields.items() if value is not None}
    return entry._replace(fields=kept, id=entry.id or id_)


def strike(
    page: Outline, entry: Entry, changes: Mapping[str, str | None], *, id_: str = ""
) -> Outline:
    """An entry that holds no longer: struck out, with fields that say since when and why."""
    lines, wanted = EntrySpan(page, entry), _with_fields(entry, changes, id_)
    struck = lines.struck()  # first: what is added at the end of the words comes behind it
    patches = [*struck, *lines.with_fields(changes, id_)]
    wanted = wanted._replace(is_superseded=wanted.is_superseded or bool(struck))
    return _require_read(page, entry, patches, wanted) if patches else page


def remove_entry(page: Outline, entry: Entry) -> Outline:
    """The page without an entry; UsageError where others would be read otherwise."""
    lines = EntrySpan(page, entry)
    after = ChangedLines(lines.first, lines.stop, lines.first)
    return changed_here(page, lines.removed(), after)


def is_hidden(page: Outline, entry: Entry) -> bool:
    """Whether an entry is private, by what it says or by where it stands."""
    return not hidden_in(page).isdisjoint(range(entry.line_start, entry.line_end + 1))


def said_elsewhere(page: Outline, entry: Entry) -> Entry:
    """What an entry says where it does not stand: what its page, its heading or what it is part of
    makes private says so itself."""
    if is_private(entry.fields) or not is_hidden(page, entry):
        return entry
    return entry._replace(fields={**entry.fields, "private": "true"})


def about_to_leave(page: Outline, entry: Entry) -> tuple[Outline, Entry]:
    """The page with an entry as it says it elsewhere, and that entry."""
    fields = said_elsewhere(page, entry).fields
    if fields == entry.fields:
        return page, entry
    page = with_fields(page, entry, {"private": fields["private"]})
    return page, entry_at(page, entry.line_start) or entry


def taken_in(page: Outline, entry: Entry) -> tuple[Outline, Entry]:
    """The page with an entry that is staged no longer, and that entry."""
    if entry.fields.get("status") != STAGED:
        return page, entry
    page = with_fields(page, entry, {"status": None})
    return page, entry_at(page, entry.line_start) or entry


class PageWithout(NamedTuple):
    """A page without some entries, and those that could be taken out."""

    page: Outline
    gone: Sequence[Entry]


def remove_entries(page: Outline, entries: Sequence[Entry]) -> PageWithout:
    """The page without many list items, at once; who cannot go without other lines being read
    otherwise stays."""
    inside = {line for first, end in _blocks(page) for line in range(first + 1, end)}
    fit = [each for each in entries if each.line_start - 1 not in inside]
    gone, made = largest_subset(fit, partial(_without_these, page))
    return PageWithout(made or page, gone)


def _blocks(page: Outline) -> Sequence[Span]:
    """Code and HTML as every reader of markdown has it, when our own reading is not certain."""
    structure = page.structure
    if structure.is_certain:
        return ()
    known = structure_of(page.lines, page.start)
    return (*known.code, *known.html)


def _without_these(page: Outline, entries: Sequence[Entry]) -> Outline | None:
    """The page without these entries, None when other entries or lines would be read otherwise."""
    gone = sorted((each.line_start - 1, each.line_end) for each in entries)
    after = page.edited(cuts(page, gone))
    if after.is_catalog or _content_beside(page, gone) != _content_beside(after, []):
        return None
    return after


def cuts(page: Outline, gone: Sequence[Span]) -> Iterator[Patch]:
    """Patches that leave nothing of some lines, nor of the line ends after them."""
    joined = list[Span]()
    for first, stop in gone:
        start = joined.pop()[0] if joined and joined[-1][1] == first else first
        joined.append((start, stop))
    for first, stop in joined:
        if stop < len(page.lines):
            yield Patch(page.starts[first], page.starts[stop], "")
        else:
            yield Patch(page.end_of(first - 1) if first else 0, page.end_of(stop - 1), "")


def _content_beside(page: Outline, gone: Sequence[Span]) -> tuple[object, ...]:
    """What is read of a page beside some lines, at the lines where it would be without them."""
    starts = [first for first, _ in gone]
    before = list(accumulate((stop - first for first, stop in gone), initial=0))

    def now(line: int) -> int | None:
        at = bisect_right(starts, line)
        is_gone = at > 0 and line < gone[at - 1][1]
        return None if is_gone else line - before[at]

    def kept(places: Iterable[Span]) -> list[tuple[int, str]]:
        found = ((now(first), "\n".join(page.lines[first:end]).rstrip()) for first, end in places)
        return [(line, text) for line, text in found if line is not None]

    structure = page.structure
    items = kept(structure.items)
    headings = ((now(each.line), each.title, each.level) for each in structure.headings)
    kind = page.kind if items else PageKind.COLLECTING
    headings_left = [each for each in headings if each[0] is not None]
    blocks = kept(sorted((*structure.code, *structure.html)))
    return page.start, kind, page.entry_reading.defined, headings_left, items, blocks


def _require_read(page: Outline, entry: Entry, patches: Sequence[Patch], wanted: Entry) -> Outline:
    """The patched page, when the entry reads as it should and nothing else reads otherwise."""
    ends = sum(page.text.count("\n", each.start, each.end) for each in patches)
    grown = sum(each.text.count("\n") for each in patches) - ends
    stop = entry.line_end
    after = changed_here(page, patches, ChangedLines(entry.line_start - 1, stop, stop + grown))
    now = entry_at(after, entry.line_start)
    is_over = wanted.is_superseded or "superseded_by" in wanted.fields
    if not (now and content_of(now) == content_of(wanted._replace(is_superseded=is_over))):
        what = "the entry cannot be changed safely: it would be read otherwise"
        raise LineNotEditableError(page.path, entry.line_start, what)
    return after


def content_of(entry: Entry) -> Entry:
    """What an entry says, wherever it is."""
    return entry._replace(section="", line_start=0, line_end=0)


def changed_here(page: Outline, patches: Sequence[Patch], lines: ChangedLines) -> Outline:
    """The page with patches made in some lines; refused when other entries would be read
    otherwise."""
    after = patch_lines(page, patches, lines, MAX_BYTES)
    require_others(page, after, lines)
    return after
