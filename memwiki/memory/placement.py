"""Where an entry goes: a page, the heading on it, and how long the memory may be."""

from __future__ import annotations

from collections.abc import Sequence

from memwiki.errors import ConfigError, NotEditableError, UsageError
from memwiki.markdown.describe import inner_path
from memwiki.markdown.edit.sections import splice_at_end
from memwiki.markdown.entries import heading_of_type, type_of_heading, type_of_trail
from memwiki.markdown.fields import is_private
from memwiki.markdown.outline import Outline, Outlines, PageKind
from memwiki.markdown.private import hidden_in
from memwiki.markdown.units import places_outside
from memwiki.memory.draft import TARGETS
from memwiki.names import fold, is_in_folder, stem_of
from memwiki.nouns import Layers, Section
from memwiki.pages.edit import ChangedLines, splice_page
from memwiki.pages.new import NewPage, PageRequest, daily_path, page_bytes
from memwiki.records import NamedTuple
from memwiki.text import has_chinese

MEMORY_LINES = 200
MEMORY_BYTES = 25_000


def is_over(lines: int, size: int) -> bool:
    """Whether so many lines and bytes are too many."""
    return lines > MEMORY_LINES or size > MEMORY_BYTES


def heading_for(type_: str, titles: Sequence[str]) -> str:
    """The first heading of a page that says this type, else a new one in the page's language."""
    known = type_of_heading(type_) or fold(type_.strip())
    for title in titles:
        if (type_of_heading(title) or _singular(title)) in (known, _singular(known)):
            return title
    # Chinese are half of the headings or more: `# Memory` often stands above them.
    worded = [title for title in titles if any(map(str.isalpha, title))]
    is_chinese = bool(worded) and 2 * sum(map(has_chinese, worded)) >= len(worded)
    return heading_of_type(known, is_chinese=is_chinese)


def _singular(title: str) -> str:
    folded = fold(title.strip())
    return folded.removesuffix("s") if len(folded) > 3 else folded


_LEARNED = ("skill", "lesson")
_TITLES = {"memory": "Memory", "learnings": "Learnings"}


class EntryPage(NamedTuple):
    """A page that takes entries; those of a day stand below each other without headings."""

    path: str
    is_by_day: bool = False


def entry_page_of(to: str, type_: str, day: str, layers: Layers, *, is_staged: bool) -> EntryPage:
    """The page for an entry; a name that is none of the layers is the path of a page.

    Raises ConfigError when the workspace has no such layer.
    """
    if is_staged or to in ("inbox", "daily"):
        name = "inbox" if is_staged else to
        folder = getattr(layers, name)
        if not folder:
            raise ConfigError(
                f"add: this workspace has no folder for {name} entries",
                f"memwiki config set layers.{name} {name}",
            )
        path = daily_path(day, layers) if name == "daily" else f"{folder}/{day}.md"
        return EntryPage(path, is_by_day=True)
    if to and to not in TARGETS:
        return EntryPage(to)
    is_learned = to == "learnings" or (not to and type_ in _LEARNED)
    return EntryPage(layers.learnings if is_learned else layers.memory)


def page_for(
    target: EntryPage,
    data: bytes | None,
    day: str,
    layers: Layers,
    max_bytes: int,
    outlines: Outlines | None = None,
) -> Outline:
    """The page that takes an entry, as it is or as it is to be made; NotEditableError where it
    holds no entries."""
    if data is None:
        data = page_bytes(_new_page(target, layers), PageRequest(""), day, layers, max_bytes)
    page = (outlines or Outlines(layers)).of(target.path, data)
    if page.kind is not PageKind.COLLECTING:
        raise NotEditableError.at(
            page.path,
            "holds no entries: its lists would become some",
            "memwiki set {} type=memory makes it a page of entries",
            page.path,
        )
    return page


def _new_page(target: EntryPage, layers: Layers) -> NewPage:
    path, is_by_day = target
    inner = inner_path(path, layers)
    if inner in (layers.memory, layers.learnings):
        name = "memory" if inner == layers.memory else "learnings"
        return NewPage(path, _TITLES[name], "")
    if not is_by_day:
        return NewPage(path, "", "memory")
    return NewPage(path, stem_of(path), "daily" if is_in_folder(inner, layers.daily) else "")


class Spot(NamedTuple):
    """A heading of a page, there or to be made, and what an entry is below it."""

    section: Section | None
    title: str  # of a heading to be made, "" when there is one or none is wanted
    type: str


def spot_of(page: Outline, type_: str, *, is_by_day: bool) -> Spot:
    """Where on its page an entry of a type stands."""
    usual = page.entry_type
    last = page.sections[-1:]
    whole = page.entry_reading.whole
    if is_by_day and not (last and last[0] in whole):
        return Spot(None, "", (last and type_of_trail(last[0].trail)) or usual)
    below = (each for each in page.sections[_is_titled(page) :] if each not in whole)
    # What a heading says in fields, such as that it is private, is not said of what is new.
    sections = [each for each in below if "::" not in each.title]
    wanted = heading_for(type_ or usual, [section.title for section in sections])
    for section in sections:
        if section.title == wanted:
            return Spot(own_lines(page, section), "", type_of_trail(section.trail) or usual)
    return Spot(None, wanted, type_of_heading(wanted) or usual)


def is_private_spot(page: Outline, spot: Spot) -> bool:
    """Whether all that stands at a spot is private."""
    is_below = spot.section is not None and spot.section.line_start in hidden_in(page)
    return is_below or is_private(page.fields.values)


def _is_titled(page: Outline) -> bool:
    """Whether the first heading is the title of the page, and says nothing of its entries."""
    tops = [section.title for section in page.sections if section.level == 1]
    is_first = bool(page.sections) and page.sections[0].level == 1
    return is_first and len(tops) == 1 and not type_of_heading(tops[0])


def own_lines(page: Outline, section: Section) -> Section:
    """A section without its subsections, which may mean another type."""
    below = (s.line_start - 1 for s in page.sections if s.line_start > section.line_start)
    return section._replace(line_end=min([section.line_end, *below]))


def with_items(page: Outline, spot: Spot, items: str, max_bytes: int) -> Outline:
    """The page with list items at a spot; UsageError where others would be read otherwise."""
    text = f"## {spot.title}\n\n{items}" if spot.title else items
    splice = splice_at_end(page, text, spot.section)
    after = splice_page(page, splice, max_bytes)
    require_others(page, after, ChangedLines(splice.start, splice.stop, splice.stop_after))
    return after


def require_others(page: Outline, after: Outline, lines: ChangedLines) -> None:
    """Refuse a change of some lines by which other entries would be read otherwise."""
    start, stop, stop_after = lines
    before = places_outside(page, start, stop, stop_after)
    now = places_outside(after, start, stop_after, stop_after)
    is_same = now == before if stop_after > start else now.is_left_by(before, start)
    if not is_same:
        raise UsageError.at(
            page.path,
            "with this change other entries would be read otherwise",
            "change it in an editor",
        )
