"""A page's line in catalogs: text of other people made harmless, what sorts it, whose it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add, le
from unicodedata import category, east_asian_width

from memwiki.dates import date_in
from memwiki.digest import text_hash
from memwiki.index.cards.lookup import Card
from memwiki.markdown.describe import shorten
from memwiki.names import JOINERS, fold, is_in_folder, slug, stem_of
from memwiki.nouns import Layers
from memwiki.records import NamedTuple
from memwiki.text import pattern, tokens


class Size(NamedTuple):
    """What a part of a catalog takes."""

    entries: int = 0
    bytes: int = 0
    tokens: int = 0

    def plus(self, other: Size) -> Size:
        """Both together."""
        return Size(*map(add, self, other))

    def fits(self, limit: Size) -> bool:
        """Whether it keeps every limit."""
        return all(map(le, self, limit))

    def part(self, number: int, of: int) -> Size:
        """So many parts of so many."""
        return Size(*(each * number // of for each in self))


NOTHING = Size()
BUDGET = Size(200, 48_000, 12_000)
# What is left for entries once the lines around them are written: markers, headings, the way up.
LIMIT = Size(200, 46_000, 11_500)
# The root's router also shows where to start, what is recent, linked to and wanted.
ROUTER_LIMIT = Size(150, 32_000, 8_000)
HIGHLIGHT_LIMIT = Size(10, 3_500, 875)  # for each of these four lists


def size_of(line: str, entries: int = 1) -> Size:
    """What one line takes, with its end."""
    return Size(entries, len(line.encode("utf-8", "surrogatepass")) + 1, tokens(line))


def total(sizes: Iterable[Size]) -> Size:
    """All of them together."""
    return reduce(Size.plus, sizes, Size())


_ESCAPED = pattern(r"[\\`\[\]|<$*]|(?<!\w)_|_(?!\w)|(?<!\S)[#^](?=\S)|%(?=%)|(?<=%)%")
_PLAIN_PATH = pattern(r"[\w./@,;=&!~+:-]*\Z")
INDEX = "index.md"
_TITLE_COLUMNS = 120
_DESCRIPTION_COLUMNS = 140
_MAX_TAGS = 6
_TAG_COLUMNS = 40
_DAY = pattern(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
_MARK_BYTES = 5  # a sum over a million listings still fits into SQLite's integers
_FRONT = ("readme", "index")
_ENTRANCES = frozenset(
    "readme home hub welcome start-here start getting-started overview about introduction".split()
)
_INSTRUCTIONS = frozenset(("agents", "claude", "gemini"))
_NOWHERE = (None,) * 14


def one_line(text: str) -> str:
    """The text without line ends, control, bidirectional and hidden characters."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    return " ".join("".join(map(_visible, text, " " + text)).split())


def _visible(character: str, before: str) -> str:
    kind = category(character)
    if kind in ("Cc", "Zl", "Zp"):
        return " "
    if kind in ("Cf", "Cs", "Cn", "Co"):
        return character if character in JOINERS and not before.isascii() else ""
    # Variation selectors beyond the common ones carry hidden text and change no glyph.
    return "" if 0xE0100 <= ord(character) <= 0xE01EF else character


def cut_to_columns(text: str, columns: int) -> str:
    """The text cut at a word to so many columns; a CJK character takes two."""
    if len(text) * 2 <= columns or (text.isascii() and len(text) <= columns):
        return text
    room, end = columns, 0
    for character in text:
        room -= 2 if east_asian_width(character) in "WF" else 1
        if room < 0:
            break
        end += 1
    return shorten(text, end)


def escape_markdown(text: str) -> str:
    """The text so that markdown shows it as it is: no link, code, formula, tag or block id."""
    return _ESCAPED.sub(r"\\\g<0>", text)


def target(path: str) -> str:
    """A relative path as the target of a markdown link; odd characters are percent-encoded."""
    if not _PLAIN_PATH.match(path):
        path = "".join(map(_in_path, path))
    first = path.partition("/")[0]
    is_odd = ":" in first or first[:1] in ("%", "")
    return f"./{path}" if is_odd else path


def _in_path(character: str) -> str:
    if character.isalnum() or character in "./@,;=&!~+:-_":
        return character
    if not character.isascii() and character.isprintable():
        return character
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogateescape"))


def link(text: str, path: str) -> str:
    """A markdown link."""
    return f"[{text}]({target(path)})"


class Listing(NamedTuple):
    """A page's line but for the way to it, and what sorts and measures it."""

    path: str
    key: str  # casefolded title, then path
    title: str  # escaped
    rest: str  # description, date and tags
    date: str  # "" when neither front matter nor name says one
    day: str  # the date in the file's name, by which large folders are cut
    size: Size
    fingerprint: int  # changes with the line

    def line(self, folder: str) -> str:
        """The entry as a catalog in this folder, or one above the page, shows it."""
        return f"- {link(self.title, inside(self.path, folder))}{self.rest}"


class PageFacts(NamedTuple):
    """What the index knows about a page and a catalog shows."""

    path: str
    title: str
    description: str
    date: str  # from the front matter
    tags: Sequence[str] = ()
    is_event: bool = (
        False  # a session or daily note: belongs to its day even when the name is not one
    )


def listing_of(page: PageFacts) -> Listing:
    """How the catalogs list a page."""
    name_date = date_in(stem_of(page.path))
    written = _DAY.match(page.date)
    date = written[0] if written else name_date
    title = cut_to_columns(one_line(page.title), _TITLE_COLUMNS) or one_line(stem_of(page.path))
    rest = _rest(page, date)
    whole = Listing(page.path, "", escape_markdown(title or "?"), rest, date, "", Size(), 0)
    line = whole.line("")
    return whole._replace(
        key=key_of(fold(page.title), page.path),
        day=name_date or (date if page.is_event and len(date) == 10 else ""),
        size=size_of(line),
        fingerprint=fingerprint_of(line, date, name_date),
    )


def _rest(page: PageFacts, date: str) -> str:
    description = escape_markdown(cut_to_columns(one_line(page.description), _DESCRIPTION_COLUMNS))
    tags = dict.fromkeys(cut_to_columns(one_line(tag), _TAG_COLUMNS) for tag in page.tags)
    named = ", ".join(escape_markdown(tag.lstrip("#")) for tag in list(tags)[:_MAX_TAGS])
    parts = [part for part in (description, date, named and f"tags: {named}") if part]
    text = " · ".join(parts)
    return text and (f" — {text}" if description else f" · {text}")


def fingerprint_of(*parts: str) -> int:
    """A number that changes with any of the parts."""
    return int.from_bytes(text_hash("\0".join(parts), _MARK_BYTES), "big")


def inside(path: str, folder: str) -> str:
    """The path as seen from a folder that it lies in."""
    return path[len(folder) + 1 :] if folder else path


def key_of(name: str, path: str) -> str:
    """What sorts a page among others: its folded title, then its path."""
    return f"{name}\0{path}"


class ListedPage(NamedTuple):
    """A page to take in, or a file that no catalog lists."""

    path: str
    digest: str
    columns: Sequence[object] = _NOWHERE


def listed_page(card: Card, tags: Sequence[str], layers: Layers) -> ListedPage:
    """What the catalogs need of a page."""
    path, base = card.path, base_of(card.path, layers)
    if base is None:
        return ListedPage(path, card.digest)
    each = listing_of_card(card, tags)
    inner = path[len(base) + 1 :] if base else path
    stem, name = slug(stem_of(path)).lstrip("0123456789-"), path.rpartition("/")[2]
    is_ours = not (is_in_folder(inner, layers.raw) or is_in_folder(inner, layers.inbox))
    columns = (
        path.rpartition("/")[0],
        base,
        fold(card.title),
        each.title,
        each.rest,
        each.date,
        each.day,
        each.size.bytes,
        each.size.tokens,
        each.fingerprint,
        card.description if stem in _FRONT else "",
        name if fold(name) == INDEX else "",
        _is_entrance(inner, stem, layers),
        each.date if is_ours else "",
    )
    return ListedPage(path, card.digest, columns)


def listing_of_card(card: Card, tags: Sequence[str]) -> Listing:
    """How a page is listed."""
    is_event = card.type in ("session", "daily")
    date = card.updated or card.created
    return listing_of(PageFacts(card.path, card.title, card.description, date, tags, is_event))


def base_of(path: str, layers: Layers) -> str | None:
    """Whose catalogs list a page: those of the workspace "", of a namespace, or none."""
    base, inner = "", path
    if is_in_folder(path, layers.namespaces):
        name, _, inner = path[len(layers.namespaces) + 1 :].partition("/")
        if not inner:
            return None
        base = f"{layers.namespaces}/{name}"
    if is_in_folder(inner, layers.archive):
        return None
    is_instruction = "/" not in inner and fold(stem_of(inner)) in _INSTRUCTIONS
    return None if is_instruction else base


def _is_entrance(inner: str, stem: str, layers: Layers) -> int:
    """Where a reader may start: 1 the front pages, 2 the memory, 0 for any other page."""
    if inner in (layers.memory, layers.learnings):
        return 2
    folder = inner.rpartition("/")[0]
    return int(folder in ("", layers.wiki) and stem in _ENTRANCES)
