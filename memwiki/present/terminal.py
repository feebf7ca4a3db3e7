"""Rows on a terminal, or as plain text in a pipe: harmless to it, measured in columns, cut and
folded to its width."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache, singledispatch
from itertools import groupby
from unicodedata import category, east_asian_width

from memwiki.present.rows import (
    AsideCell,
    BarChart,
    BriefCell,
    Cell,
    CellTable,
    FoundProblem,
    Line,
    LinkEdge,
    NameCell,
    PassageForm,
    PathCell,
    Quote,
    Row,
    StoredPassage,
    TextCell,
    TitleRow,
    Words,
    rows_of,
)
from memwiki.records import NamedTuple
from memwiki.text import CJK_FROM, RUN

# Patterns are compiled at first use: most answers hold no escape, and a pipe folds nothing.
_ESCAPES = (
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, cursor moves
    r"|\x9b[0-?]*[ -/]*[@-~]"
    r"|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)"  # window title, hyperlinks, clipboard
    r"|\x1b[PX^_][^\x1b\n]*\x1b\\"
    r"|\x1b[ -/]*[0-~]"
)
# Besides what drives a terminal, what makes text read in another order than it stands.
_BIDI = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_CONTROLS = dict.fromkeys({*range(0x20), *range(0x7F, 0xA0), *_BIDI} - {ord("\t"), ord("\n")})
_CJK = r"\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
_CLOSING = r"、。，．：；？！）］｝」』】〕〉》…”’"
# No line begins with a closing mark. A CJK line may be broken after every character, other text
# after a blank.
_NAME_COLUMNS = 200
_ATOMS = rf"[{_CJK}][{_CLOSING}]*|[^\s{_CJK}]+\s*|\s+"


class Colour(StrEnum):
    """What colours mean: what went, came, changed or only moved; and what stands out or back."""

    STRONG = "1"
    FAINT = "2"
    RED = "31"
    GREEN = "32"
    YELLOW = "33"
    CYAN = "36"
    MARKED = "1;31"


class Look(NamedTuple):
    """What the reader's screen can do; `width` is None for a pipe or file."""

    width: int | None = None
    has_colour: bool = False

    def tinted(self, text: str, colour: Colour) -> str:
        """Tell one kind of thing from another by its colour."""
        return f"\x1b[{colour}m{text}\x1b[0m" if self.has_colour and text else text

    def strong(self, text: str) -> str:
        """Make the main thing of a line stand out."""
        return self.tinted(text, Colour.STRONG)

    def faint(self, text: str) -> str:
        """Push what is secondary into the background."""
        return self.tinted(text, Colour.FAINT)

    def marked(self, text: str) -> str:
        """Show what was looked for."""
        return self.tinted(text, Colour.MARKED)


def clean(text: str) -> str:
    """Remove escape sequences and control characters, which could drive the reader's terminal."""
    if text.isprintable():
        return text
    return re.sub(_ESCAPES, "", text).translate(_CONTROLS)


def as_path(text: str) -> str:
    """Give a path as it is, to be copied; what would drive the terminal or end the line is
    escaped."""
    if text.isprintable():
        return text
    return "".join(_escaped(character) for character in text)


def _escaped(character: str) -> str:
    if ord(character) not in _CONTROLS and character not in "\t\n\u2028\u2029":
        return character
    return character.encode("unicode_escape").decode()


def line(text: str) -> str:
    """Give text as one harmless line."""
    if text.isprintable() and "  " not in text and text == text.strip():
        return text  # as nearly always: a blank is the only printable space
    return " ".join(clean(text).split())


def name(text: str) -> str:
    """Give the name of something as one harmless line that is not longer than anybody reads."""
    return cut_to_width(line(text), _NAME_COLUMNS)


def columns(text: str) -> int:
    """Count the columns that text takes: two for CJK, none for combining marks."""
    if text.isascii():
        return len(text)
    return sum(map(_columns_of, text))


def cut_to_width(text: str, width: int) -> str:
    """Shorten text to so many columns, with an ellipsis when something is left out."""
    if columns(text) <= width:
        return text
    kept, room = 0, width - 1
    for character in text:
        room -= _columns_of(character)
        if room < 0:
            break
        kept += 1
    return text[:kept].rstrip() + "…"


def pad(text: str, width: int) -> str:
    """Fill text with blanks to so many columns, or cut it to them."""
    text = cut_to_width(text, width)
    return text + " " * (width - columns(text))


def fold(text: str, width: int) -> list[str]:
    """Break text into lines of at most so many columns, where a reader would break it."""
    lines, room = [""], width
    for atom in re.findall(_ATOMS, text):
        needed = columns(atom.rstrip())
        if needed > room and lines[-1]:
            lines.append("")
            room = width
        lines[-1] += atom
        room -= columns(atom)
    return [each.rstrip() for each in lines if each.strip()]


def _columns_of(character: str) -> int:
    if character == "\ufe0f":  # asks for the emoji instead of the narrow sign before it
        return 1
    if category(character) in ("Mn", "Me", "Cf") or "\u1160" <= character <= "\u11ff":
        return 0
    return 2 if east_asian_width(character) in ("W", "F") else 1


_GAP = "  "
_BRIEF_COLUMNS = 16
_MIN_COLUMNS = 8  # of a cell that is cut
_INDENT_COLUMNS = 4
_BLOCKS = "·▁▂▃▄▅▆▇█"  # from nothing to the most, in eighths
_MAX_BAR_COLUMNS = 30
_MIN_TITLE_COLUMNS, _MAX_TITLE_COLUMNS = 20, 120  # columns of a title beside its place
# Of an image the end may be cut off.
_UNREAD = r"!\[([^\[\]]*)\]\([^()\s]*(?:\)|…\Z)|(?<!\S)id:: [0-9a-f-]{36}(?!\S)"


@singledispatch
def text_of(answer: object, look: Look) -> str:
    """Give an answer as lines of text without the final newline, "" when there is nothing."""
    return print_rows(rows_of(answer), look)


def print_rows(rows: Iterable[Row], look: Look) -> str:
    """Rows as lines of text; what is longer than a line has an empty one before it."""
    texts = list[str]()
    for row in rows:
        is_block = isinstance(row, TitleRow | BarChart) or (
            isinstance(row, StoredPassage) and row.form is PassageForm.WHOLE
        )
        if is_block and texts:
            texts.append("")
        texts += _texts(row, look)
    return "\n".join(texts)


def _texts(row: Row, look: Look) -> Iterator[str]:
    match row:
        case Words(text):
            yield text
        case TitleRow(text):
            yield look.strong(f"## {text}")
        case Line():
            yield from _line(row, look)
        case CellTable():
            narrower = look._replace(width=look.width and look.width - 2 * row.depth)
            text = table(row.cells, narrower, whole=row.whole, paths=row.paths)
            yield from (_GAP * row.depth + each for each in text.split("\n") if text)
        case BarChart():
            yield from _bars(row, look)
        case LinkEdge():
            yield _edge(row, look)
        case FoundProblem(problem):
            place = f"{as_path(problem.path)}:{problem.line}"
            yield f"{place}: {problem.severity}: {line(problem.message)} [{problem.code}]"
        case StoredPassage():
            yield from _passage(row, look)
        case Quote(text):
            yield clean(text).removesuffix("\n")


def _bars(row: BarChart, look: Look) -> Iterator[str]:
    """A line of blocks where they follow each other in time, else a bar each."""
    yield look.strong(f"## {row.title}")
    most = max(row.counts, default=0)
    if row.unit and most:
        blocks = "".join(_BLOCKS[-(-8 * count // most)] for count in row.counts)
        span = f"{row.labels[0]} to {row.labels[-1]}"
        yield _GAP.join((blocks, f"{sum(row.counts):,} in all, {most:,} at most", look.faint(span)))
    elif most:
        bars = ("█" * -(-_MAX_BAR_COLUMNS * count // most) for count in row.counts)
        cells = zip(row.cells[1:], bars, strict=True)
        yield from table([(*named, bar) for named, bar in cells], look, whole=(1,)).split("\n")
    else:
        yield "none"


def _line(row: Line, look: Look) -> Iterator[str]:
    text = _GAP.join(filter(None, (_cell(each, look) for each in row.cells)))
    if marked := line(row.marked):
        text = text.replace(marked, look.marked(marked))
    yield _GAP * row.depth + text
    yield from (_GAP * (row.depth + 2) + line(note) for note in row.notes)


def _cell(cell: Cell, look: Look) -> str:
    if isinstance(cell, tuple):
        return " ".join(filter(None, (_cell(each, look) for each in cell)))
    shown = as_path if isinstance(cell, PathCell) else clean if isinstance(cell, TextCell) else line
    text = shown(cell)
    if isinstance(cell, NameCell):
        return look.strong(text)
    return look.faint(text) if isinstance(cell, AsideCell) else text


def _edge(row: LinkEdge, look: Look) -> str:
    target = as_path(row.target) if row.is_found else line(row.target)
    relation = f"{line(row.relation)} " if row.relation else ""
    status = "" if row.status == "resolved" else f"  ({row.status})"
    place = look.faint(f"{as_path(row.place.path)}:{row.place.line}")
    return f"{place}  → {relation}{look.strong(target)}{status}"


# --- passages ---


def _passage(row: StoredPassage, look: Look) -> Iterator[str]:
    if row.form is PassageForm.EXCERPT:
        yield from _excerpt(row, look)
    elif row.form is PassageForm.BRIEF:
        yield from _line(Line((*row.head, row.text), depth=row.depth), look)
    else:
        yield from _line(Line(row.head), look)
        yield from filter(None, [clean(row.text).rstrip("\n")])


def _excerpt(row: StoredPassage, look: Look) -> Iterator[str]:
    yield _head(row, look)
    text = line(row.text)
    if look.width is not None:  # to a person an image is its label, and a block's number is nothing
        text = line(re.sub(_UNREAD, r"\1", text)) or text
    marker = _Marker(row.words, look, is_part=row.is_part) if look.has_colour else str
    yield from map(marker, _fold(text, look))
    for note in row.notes:
        yield from _fold(line(note), look)


def _head(row: StoredPassage, look: Look) -> str:
    """Where a hit is, which is copied and never cut, and its title, which fits the screen."""
    place, gap = f"{as_path(row.place.path)}:{row.place.line}", _GAP
    title = cut_to_width(
        row.title, max(_MAX_TITLE_COLUMNS - columns(place) - len(gap), _MIN_TITLE_COLUMNS)
    )
    if look.width is not None:
        room = look.width - columns(place) - len(gap)
        if room < min(columns(title), _MIN_TITLE_COLUMNS):
            gap = "\n" + " " * _INDENT_COLUMNS
            room = max(look.width - _INDENT_COLUMNS, _MIN_TITLE_COLUMNS)
        title = cut_to_width(title, room)
    return f"{look.faint(place)}{gap}{look.strong(title)}"


def _fold(text: str, look: Look) -> list[str]:
    width = look.width and max(look.width - _INDENT_COLUMNS, _MIN_TITLE_COLUMNS)
    parts = [text] if width is None else fold(text, width)
    return [" " * _INDENT_COLUMNS + part for part in parts if part]


@cache
class _Marker:
    """Shows in a line the words that were looked for."""

    def __init__(self, words: tuple[str, ...], look: Look, *, is_part: bool) -> None:
        self._words = frozenset(word.casefold() for word in words)
        parts = [w for w in sorted(self._words) if is_part or w[:1] >= CJK_FROM]
        self._parts = "|".join(map(re.escape, filter(None, parts)))
        self._look = look

    def __call__(self, text: str) -> str:
        """The line with the words in it marked."""
        return RUN.sub(lambda found: self._mark(found[0]), text)

    def _mark(self, word: str) -> str:
        if word.casefold() in self._words:
            return self._look.marked(word)
        if not self._parts:
            return word
        # Pairs of CJK characters overlap: what they cover together is one mark.
        covered = set[int]()
        for found in re.finditer(f"(?=({self._parts}))", word, re.IGNORECASE):
            covered.update(range(*found.span(1)))
        runs = groupby(enumerate(word), key=lambda each: each[0] in covered)
        texts = ((is_in, "".join(letter for _, letter in run)) for is_in, run in runs)
        return "".join(self._look.marked(text) if is_in else text for is_in, text in texts)


# --- tables ---


def table(
    rows: Iterable[Sequence[str]],
    look: Look,
    *,
    whole: Sequence[int] = (),
    paths: Sequence[int] = (),
) -> str:
    """Columns aligned for a screen, separated by tabs for a pipe; `paths` says which are paths.

    Where the screen is too narrow, cells are cut, but for those of the `whole` columns: what people
    copy. Such a cell may stick out; what follows it then stands on the next line, indented.
    """
    cleaned = [
        [
            as_path(cell) if number in paths else _brief(cell, look)
            for number, cell in enumerate(row)
        ]
        for row in rows
    ]
    if look.width is None:
        return "\n".join("\t".join(row).rstrip("\t") for row in cleaned)
    if not cleaned:
        return ""
    widest = [max(map(columns, column)) for column in zip(*cleaned, strict=True)]
    widths = _widths(widest, look.width, whole)
    return "\n".join(_laid_out(row, widths, whole) for row in cleaned)


def _brief(cell: str, look: Look) -> str:
    is_brief = isinstance(cell, BriefCell) and look.width is not None
    return cut_to_width(line(cell), _BRIEF_COLUMNS) if is_brief else line(cell)


def _widths(widest: list[int], width: int, whole: Sequence[int]) -> list[int]:
    """What each column gets: narrow ones what they need, whole ones up to half of the screen, the
    wide ones the same of the rest."""
    room = width - len(_GAP) * (len(widest) - 1)
    half = room // 2 // max(len(whole), 1)
    limit = max(widest)
    widths = widest
    while sum(widths) > room and limit > _MIN_COLUMNS:
        limit -= 1
        limits = (max(limit, half) if n in whole else limit for n in range(len(widest)))
        widths = list(map(min, widest, limits))
    return [*widths[:-1], max(room - sum(widths[:-1]), widths[-1])]


def _laid_out(row: Sequence[str], widths: Sequence[int], whole: Sequence[int]) -> str:
    """One row; from a cell on that sticks out, the cells are strung together on a line of their
    own."""
    text = ""
    for number, (cell, width) in enumerate(zip(row, widths, strict=True)):
        if number in whole and columns(cell) > width:
            rest = _GAP.join(filter(None, row[number + 1 :]))
            if number == max(whole):
                rest = cut_to_width(rest, max(sum(widths), _INDENT_COLUMNS) - _INDENT_COLUMNS)
            return f"{text}{cell}\n{' ' * _INDENT_COLUMNS}{rest}".rstrip()
        text += pad(cell, width) + _GAP
    return text.rstrip()
