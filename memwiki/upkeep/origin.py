"""Where a retired entry was: written in its lines as `[from:: path > heading]`, taken off again."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import quote, unquote

from memwiki.markdown.blocks import item_at
from memwiki.markdown.edit.entries import EntrySpan
from memwiki.markdown.entries import read_marks
from memwiki.markdown.entry_marks import ID
from memwiki.markdown.mask import mask_inline
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Source
from memwiki.markdown.syntax import LIST_MARKER
from memwiki.nouns import Entry

FIELD = "from"
_ABOVE = " > "
_MARKER = re.compile(rf"[ \t]*{LIST_MARKER}[ \t]+")
# What ends a field, opens code, HTML or math, or is not read as it is written.
_UNSAFE = re.compile(r"[%\[\]`\\<>$^\x00-\x1f\x7f]|(?! )\s|(?<=:):|\A +| +\Z")


class Origin(NamedTuple):
    """A page, and the headings above an entry there, outermost first."""

    path: str
    trail: tuple[str, ...] = ()

    def __str__(self) -> str:
        return _ABOVE.join([self.path, *self.trail])


def written(origin: Origin) -> str:
    """An origin as the value of a field: what cannot stand there is percent-encoded."""
    return _ABOVE.join(_UNSAFE.sub(_quoted, part) for part in (origin.path, *origin.trail))


def _quoted(found: re.Match[str]) -> str:
    return quote(found[0], safe="")


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
