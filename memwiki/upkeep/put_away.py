"""Entries on their way to other pages, and where a retired one was: `[from:: path > heading]`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from typing import NamedTuple
from urllib.parse import quote, unquote

from memwiki.answers.entries import UpkeepStep
from memwiki.errors import MemwikiError
from memwiki.markdown.blocks import item_at
from memwiki.markdown.edit.entries import EntrySpan
from memwiki.markdown.entries import ID, read_marks, type_of_heading
from memwiki.markdown.mask import mask_inline
from memwiki.markdown.outline import Outline
from memwiki.markdown.page_entries import entries_of
from memwiki.markdown.source import Source
from memwiki.markdown.syntax import LIST_MARKER
from memwiki.memory.page_edits import PageEdits
from memwiki.memory.patches import PageWithout, largest_subset, remove_entries
from memwiki.memory.placement import EntryPage, spot_of, with_items
from memwiki.memory.plans import renamed_links
from memwiki.nouns import Entry
from memwiki.text import pattern
from memwiki.upkeep.work import StoredEntry, step_of

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


def written(origin: Origin) -> str:
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


def marked(page: Outline, entry: Entry, origin: Origin, id_: str) -> str:
    """The lines of an entry with its origin, and with an id where it has none; "" where it would
    be read otherwise with these."""
    text, mark = own_text(page, entry), f"[{FIELD}:: {written(origin)}]"
    marks = mark if entry.id else f"{mark} ^{id_}"
    for candidate in (_in_line(text, marks, has_id=bool(entry.id)), _below(text, marks)):
        if candidate and _says(candidate, page, entry, entry.id or id_, written(origin)):
            return candidate
    return ""


def _in_line(text: str, marks: str, *, has_id: bool) -> str:
    """Marks before the id, or at the end of the first line."""
    if has_id:
        found = ID.search(mask_inline(text))
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
    draft = read_marks(item.text, page.entry_reading.defined)
    *_, last = draft.values.get(FIELD, [""])
    return (draft.text, draft.id, last) == (entry.text, id_, value)


class Unmarked(NamedTuple):
    """The lines of a retired entry without its origin, which is None where none is written."""

    text: str
    origin: Origin | None


def unmarked(page: Outline, entry: Entry) -> Unmarked:
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


def moved(
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
        for source in links.get(step.id, ()) if step.id else ():
            moved_by_source.setdefault(source, {})[step.id] = step.to
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
    by_page: dict[str, list[Entry]] = {}
    for each in going:
        by_page.setdefault(each.place[0], []).append(each.stored.located.entry)
    return [remove_entries(pages.page(path), entries) for path, entries in by_page.items()]


def filled(leavers: Sequence[Leaver], stem: str, most: int, pages: PageEdits) -> list[Filled]:
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
            found += [Filled(made, taken)] if made else []
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
