"""Entries on their way to other pages, and where a retired one was: `[from:: path > heading]`; a
memory over its budget, whose least important entries move to linked pages, and stay core."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from typing import NamedTuple
from urllib.parse import quote, unquote

from memwiki.answers.entries import UpkeepStep
from memwiki.errors import MemwikiError
from memwiki.markdown.describe import inner_path
from memwiki.markdown.edit.entries import EntrySpan
from memwiki.markdown.entries import read_item, type_of_heading
from memwiki.markdown.mask import mask_inline
from memwiki.markdown.outline import Outline
from memwiki.markdown.private import hidden_in
from memwiki.markdown.source import Patch, Source
from memwiki.markdown.syntax import ENTRY_ID, LIST_MARKER, given_id, item_at
from memwiki.markdown.units import entries_of, is_item, section_at
from memwiki.memory.addresses import with_id
from memwiki.memory.page_edits import PageEdits
from memwiki.memory.patches import PageWithout, about_to_leave, largest_subset, remove_entries
from memwiki.memory.placement import EntryPage, is_over, own_lines, spot_of, with_items
from memwiki.memory.plans import ids_of, renamed_links
from memwiki.names import without_suffix
from memwiki.nouns import Entry
from memwiki.pages.page import file_name
from memwiki.records import grouped
from memwiki.text import pattern
from memwiki.upkeep.work import Done, StoredEntry, UpkeepWork, home_of, step_of, stored_entries

_MORE = "More: "
_UNNAMED = "more"  # the page of entries that stand below no heading, or a private one
_REASON = "least important of a memory over its budget"
_Trail = tuple[str, ...]


def put_overflow_away(work: UpkeepWork, pages: PageEdits) -> Done:
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
        for each in _leavers(page, _least_first(page, folder, work, pages))
        if work.takes("moved", each.stored.located)
    ]
    most = work.config.memory.max_entries_a_page
    fill = partial(_fill, page=page, folder=folder, most=most, pages=pages)
    steps = move_entries(leavers, fill, "moved", pages)
    linked = grouped((_trail(page, step.line), step.to) for step in steps)
    if steps:
        pages.put(_with_links(pages.page(path), linked), "moved")
    return steps


def _least_first(page: Outline, folder: str, work: UpkeepWork, pages: PageEdits) -> list[Leaver]:
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
            with suppress(MemwikiError):  # it stays
                left, entry = about_to_leave(page, entry)
                there, text = pages.elsewhere(page.path, f"{folder}/"), own_text(left, entry)
                found.append(Leaver(each, there.entry(entry), there.text(text), _REASON))
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


def _fill(
    leavers: Sequence[Leaver], page: Outline, folder: str, most: int, pages: PageEdits
) -> list[Filled]:
    by_stem: dict[str, list[Leaver]] = {}
    for each in leavers:
        section = section_at(page, each.entry.line_start)
        is_named = section is not None and section.line_start not in hidden_in(page)
        stem = f"{folder}/{file_name(section.title) if section and is_named else _UNNAMED}"
        by_stem.setdefault(stem, []).append(each)
    return [page for stem, part in by_stem.items() for page in fill_pages(part, stem, most, pages)]


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


FIELD = "from"
_ABOVE = " > "
_MARKER = pattern(rf"[ \t]*{LIST_MARKER}[ \t]+")
# What ends a field, opens code, HTML or math, or is not read as it is written.
_UNSAFE = pattern(r"[%\[\]`\\<>$^\x00-\x1f\x7f]|(?! )\s|(?<=:):|\A +| +\Z")
_MAX_ROUNDS = 4


class Origin(NamedTuple):
    """A page, and the headings above an entry there, outermost first."""

    path: str
    trail: tuple[str, ...] = ()

    def __str__(self) -> str:
        return _ABOVE.join([self.path, *self.trail])


def origin_text(origin: Origin) -> str:
    """An origin as the value of a field: what cannot stand there is percent-encoded."""
    return _ABOVE.join(
        _UNSAFE.sub(lambda found: quote(found[0], safe=""), part)
        for part in (origin.path, *origin.trail)
    )


def origin_of(value: str) -> Origin:
    """The origin that a field says."""
    path, *trail = map(unquote, value.split(_ABOVE))
    return Origin(path, tuple(trail))


def own_text(page: Outline, entry: Entry) -> str:
    """The lines of an entry as they are written, whatever stands in them; line ends are `\\n`."""
    start, end = page.starts[entry.line_start - 1], page.end_of(entry.line_end - 1)
    return page.text[start:end].replace("\r\n", "\n")


def mark_lines(page: Outline, entry: Entry, origin: Origin, id_: str) -> str:
    """The lines of an entry with its origin, and with an id where it has none; "" where it would
    be read otherwise with these."""
    text, mark = own_text(page, entry), f"[{FIELD}:: {origin_text(origin)}]"
    marks = mark if entry.id else f"{mark} ^{id_}"
    has_id = bool(entry.id or entry.block)
    for candidate in (_in_line(text, marks, has_id=has_id), _below(text, marks)):
        if candidate and _says(candidate, page, entry, entry.id or id_, origin_text(origin)):
            return candidate
    return ""


def _in_line(text: str, marks: str, *, has_id: bool) -> str:
    """Marks before the id, or at the end of the first line."""
    if has_id:
        masked = mask_inline(text)
        found = ENTRY_ID.search(masked) or given_id(masked)
        before = text[: found.start() + 1].rstrip(" \t^") if found else ""
        is_alone = not before or before.endswith("\n")
        return "" if is_alone else f"{before} {marks}{text[len(before) :]}"
    first, end, rest = text.partition("\n")
    words = first.rstrip(" \t")
    return f"{words} {marks}{first[len(words) :]}{end}{rest}"


def _below(text: str, marks: str) -> str:
    """Marks on a line of their own."""
    marker = _MARKER.match(text)
    return f"{text}\n{' ' * (marker.end() if marker else 0)}{marks}"


def _says(text: str, page: Outline, entry: Entry, id_: str, value: str) -> bool:
    """Whether some lines are read as an entry with an origin."""
    lines = Source("", text).lines
    item = item_at(lines, 0, len(lines))
    draft = read_item(item.text, page.entry_reading.defined)
    *_, last = draft.values.get(FIELD, [""])
    found = draft.text, draft.id, draft.block, last
    return found == (entry.text, id_, entry.block, value)


class Unmarked(NamedTuple):
    """The lines of a retired entry without its origin, which is None where none is written."""

    text: str
    origin: Origin | None


def unmark_entry(page: Outline, entry: Entry) -> Unmarked:
    """What was written of an entry before it retired, but for an id that was drawn for it."""
    lines, text = EntrySpan(page, entry), own_text(page, entry)
    marks = [each for each in lines.marks if each.key == FIELD and text[each.stop - 1] == "]"]
    if not marks:
        return Unmarked(text, None)
    mark = marks[-1]
    origin = origin_of(text[mark.value : mark.end].strip())
    start, stop = text.index("[", mark.start), mark.stop
    above = text.rfind("\n", 0, start)
    if text[above + 1 : start].strip(" \t"):
        start -= text[start - 1] in " \t"
    elif text[stop : stop + 1] in ("", "\n"):
        start = max(above, 0)
    else:
        stop += 1
    return Unmarked(text[:start] + text[stop:], origin)


class Leaver(NamedTuple):
    """An entry that is to leave its page: what it says elsewhere, in which lines, and why."""

    stored: StoredEntry
    entry: Entry  # as it was, with the id that it has now
    text: str
    reason: str

    @property
    def place(self) -> tuple[str, int]:
        """Where it is."""
        return self.stored.located.place


class Filled(NamedTuple):
    """A page that took entries, with these."""

    page: Outline
    leavers: Sequence[Leaver]


def move_entries(
    going: Sequence[Leaver],
    fill: Callable[[Sequence[Leaver]], Sequence[Filled]],
    verb: str,
    pages: PageEdits,
) -> list[UpkeepStep]:
    """Take entries out of their pages and put them where `fill` has them: those for which both
    can be done."""
    for _ in range(_MAX_ROUNDS):
        without = _without(going, pages)
        gone = {(each.page.path, entry.line_start) for each in without for entry in each.gone}
        going = [each for each in going if each.place in gone]
        try:
            made = fill(going)
        except MemwikiError:
            return []
        to = {one.place: each.page.path for each in made for one in each.leavers}
        if len(to) == len(gone):
            for page in [*(each.page for each in without if each.gone), *(m.page for m in made)]:
                pages.put(page, verb)
            return [
                step_of(verb, each.stored.located, to[each.place], each.reason)._replace(
                    id=each.entry.id
                )
                for each in going
            ]
        going = [each for each in going if each.place in to]
    return []


def follow_links(
    steps: Sequence[UpkeepStep], links: Mapping[str, Sequence[str]], pages: PageEdits
) -> tuple[str, ...]:
    """Let links that name moved entries by their pages name the new ones; notes on pages that
    cannot be changed."""
    moved_by_source: dict[str, dict[str, str]] = {}
    for step in steps:
        entry = with_id(pages.page(step.to), step.id) if step.id else None
        for id_ in ids_of(entry) if entry else ():
            for source in links.get(id_, ()):
                moved_by_source.setdefault(source, {})[id_] = step.to
    notes = []
    for source, to in moved_by_source.items():
        try:
            pages.require_changeable(source)
            page = pages.page(source)
            pages.put(page.edited(renamed_links(page, to)), "entry moved")
        except MemwikiError as error:
            notes.append(f"links of it stay as they are: {error}")
    return tuple(notes)


def _without(going: Sequence[Leaver], pages: PageEdits) -> list[PageWithout]:
    """The pages that entries leave, without those that can leave them."""
    by_page = grouped((each.place[0], each.stored.located.entry) for each in going)
    return [remove_entries(pages.page(path), entries) for path, entries in by_page.items()]


def fill_pages(leavers: Sequence[Leaver], stem: str, most: int, pages: PageEdits) -> list[Filled]:
    """Pages `stem.md`, `stem-2.md` ... with entries below the headings of their types, at most so
    many in each."""
    found, left = list[Filled](), list(leavers)
    for path in _paths(stem) if leavers else ():
        page = pages.page_for(EntryPage(path))
        count = len(entries_of(page).entries)
        if count < most:
            part = left[: most - count]
            taken, made = largest_subset(part, partial(_with, page, max_bytes=pages.max_bytes))
            places = {each.place for each in taken}
            refused = [each for each in part if each.place not in places]
            # What an empty page does not take, no other one takes.
            left = (refused if count else []) + left[len(part) :]
            if made:
                found.append(Filled(made, taken))
        if not left:
            break
    return found


def _paths(stem: str) -> Iterator[str]:
    yield f"{stem}.md"
    yield from (f"{stem}-{number}.md" for number in count(2))


def _with(page: Outline, leavers: Sequence[Leaver], max_bytes: int) -> Outline | None:
    """The page with these entries, None when something would be read otherwise."""
    after = page
    by_type: dict[str, list[str]] = {}
    for each in leavers:
        # Only a type that is a heading of its own is one there.
        own = each.entry.type
        type_ = own if type_of_heading(own) == own else page.entry_type
        by_type.setdefault(type_, []).append(each.text)
    try:
        for type_, texts in by_type.items():
            spot = spot_of(after, type_, is_by_day=False)
            after = with_items(after, spot, "\n".join(texts), max_bytes)
    except MemwikiError:
        return None
    wanted = statements(entries_of(page).entries) + statements(each.entry for each in leavers)
    return after if statements(entries_of(after).entries) == wanted else None


def statements(entries: Iterable[Entry]) -> Counter[tuple[object, ...]]:
    """What entries say, but where they were before they retired, and how often."""
    return Counter(
        (
            each.id,
            each.text,
            each.type,
            each.is_superseded,
            tuple(sorted((key, value) for key, value in each.fields.items() if key != FIELD)),
        )
        for each in entries
    )
