"""A memory over its budget: its least important entries move to linked pages, and stay core."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from memwiki.answers.entries import UpkeepStep
from memwiki.errors import MemwikiError
from memwiki.markdown.describe import inner_path
from memwiki.markdown.outline import Outline
from memwiki.markdown.page_entries import entries_of, is_item, section_at
from memwiki.markdown.source import Patch
from memwiki.memory.page_edits import PageEdits
from memwiki.memory.placement import is_over, own_lines
from memwiki.names import without_suffix
from memwiki.pages.text.names import file_name
from memwiki.upkeep.put_away import (
    Filled,
    Leaver,
    filled,
    follow_links,
    moved,
    own_text,
    statements,
)
from memwiki.upkeep.work import Done, StoredEntry, UpkeepWork, home_of, stored_entries

_MORE = "More: "
_UNNAMED = "more"  # the page of entries that stand below no heading
_REASON = "least important of a memory over its budget"
_Trail = tuple[str, ...]


def overflowed(work: UpkeepWork, pages: PageEdits) -> Done:
    """Bring the memory file within its budget, as far as that goes: every heading keeps one
    entry."""
    layers = work.config.layers
    steps, notes = list[UpkeepStep](), list[str]()
    for path in work.paths:
        if inner_path(path, layers) != layers.memory or not _is_over(path, pages):
            continue
        if not layers.wiki:
            notes.append(f"{path} is over its budget: memwiki config set layers.wiki wiki")
            continue
        folder = f"{home_of(path, layers)}{layers.wiki}/memory"
        moved_here = _brought_down(path, folder, work, pages)
        notes += follow_links(moved_here, work.links, pages)
        steps += moved_here
        if _is_over(path, pages):
            notes.append(f"{path} is still over its budget; every heading keeps one entry")
    return Done(tuple(steps), tuple(notes))


def _is_over(path: str, pages: PageEdits) -> bool:
    data = pages.data(path) or b""
    return is_over(data.count(b"\n"), len(data))


def _brought_down(path: str, folder: str, work: UpkeepWork, pages: PageEdits) -> list[UpkeepStep]:
    try:
        page = pages.page(path)
    except MemwikiError:
        return []
    leavers = [
        each
        for each in _leavers(page, _least_first(page, work, pages))
        if work.takes("moved", each.stored.located)
    ]
    most = work.config.memory.max_entries_a_page
    fill = partial(_filled, page=page, folder=folder, most=most, pages=pages)
    steps = moved(leavers, fill, "moved", pages)
    linked: dict[_Trail, list[str]] = {}
    for step in steps:
        linked.setdefault(_trail(page, step.line), []).append(step.to)
    if steps:
        pages.put(_with_links(pages.page(path), linked), "moved")
    return steps


def _least_first(page: Outline, work: UpkeepWork, pages: PageEdits) -> list[Leaver]:
    """The entries that may move, the least important and least valued first; of each heading the
    best one stays."""
    entries = stored_entries(work, pages, [page.path])
    items = [each for each in entries if is_item(page, each.located.entry)]
    items.sort(key=lambda each: (each.view.importance, each.view.value, each.view.line_start))
    best: dict[int, StoredEntry] = {}  # by the line of the heading
    found = list[Leaver]()
    for each in reversed(items):
        entry = each.located.entry
        section = section_at(page, entry.line_start)
        if best.setdefault(section.line_start if section else 0, each) is not each:
            found.append(Leaver(each, entry, own_text(page, entry), _REASON))
    return found[::-1]


def _leavers(page: Outline, order: Sequence[Leaver]) -> Iterator[Leaver]:
    """As many of them as are over the budget, with room for the links to where they go."""
    lines, size = page.text.count("\n"), len(page.data)
    seen = set[_Trail]()
    for each in order:
        if not is_over(lines, size):
            return
        lines -= each.text.count("\n") + 1
        size -= len(each.text.encode()) + 1
        trail = _trail(page, each.entry.line_start)
        if trail not in seen:
            seen.add(trail)
            lines, size = lines + 3, size + 2 * len("".join(trail).encode()) + 100
        yield each


def _trail(page: Outline, line: int) -> _Trail:
    section = section_at(page, line)
    return section.trail if section else ()


def _filled(
    leavers: Sequence[Leaver], page: Outline, folder: str, most: int, pages: PageEdits
) -> list[Filled]:
    by_stem: dict[str, list[Leaver]] = {}
    for each in leavers:
        trail = _trail(page, each.entry.line_start)
        stem = f"{folder}/{file_name(trail[-1]) if trail else _UNNAMED}"
        by_stem.setdefault(stem, []).append(each)
    return [page for stem, part in by_stem.items() for page in filled(part, stem, most, pages)]


# --- links ---


def _with_links(page: Outline, linked: Mapping[_Trail, Iterable[str]]) -> Outline:
    """The page with a line below each heading that links to where its entries are; without what
    would be read otherwise by that."""
    after = page
    for trail, paths in linked.items():
        names = [f"[[{without_suffix(path)}]]" for path in dict.fromkeys(paths)]
        now = after.edited(_link(after, trail, names))
        if statements(entries_of(now).entries) == statements(entries_of(page).entries):
            after = now
    return after


def _link(page: Outline, trail: _Trail, names: Sequence[str]) -> list[Patch]:
    """The line below a heading that names pages, where it does not name them already."""
    section = next((each for each in page.sections if each.trail == trail), None)
    if section is None:
        first = page.sections[0].line_start - 1 if page.sections else len(page.lines)
        start, stop = page.start, first
    else:
        heading = next(h for h in page.structure.headings if h.line == section.line_start - 1)
        start, stop = heading.line_end, own_lines(page, section).line_end
    region = page.lines[start:stop]
    missing = [name for name in names if not any(name in line for line in region)]
    if not missing:
        return []
    for at, line in enumerate(region, start):
        if line.startswith(f"{_MORE}[["):
            return [Patch(page.end_of(at), page.end_of(at), f", {', '.join(missing)}")]
    text = _MORE + ", ".join(missing)
    if start == 0:
        return [Patch(0, 0, f"{text}\n\n")]
    end = "\n" if region[:1] and region[0].strip() else ""
    return [Patch(page.end_of(start - 1), page.end_of(start - 1), f"\n\n{text}{end}")]
