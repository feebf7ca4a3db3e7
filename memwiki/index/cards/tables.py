"""The tables of the cards, and the numbers by which they know pages and fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memwiki.index.names import NUMBER_BYTES, name_number
from memwiki.index.storage import SqlTable
from memwiki.index.units import page_number


def row_number(path: str) -> int:
    """The number of a page in the cards: the one in its unit keys, as SQLite's signed integer."""
    return int.from_bytes(page_number(path), "big", signed=True)


def field_number(name: str, value: str | None = None) -> int:
    """A field, or a field with a value, as a number."""
    return name_number(name if value is None else f"{name}\0{value}")


HAS_PRIVATE = field_number("\0private")  # no name of a field begins so
IS_SUPERSEDED = field_number("\0superseded")
PAGE = SqlTable(
    "page",
    "id integer,number integer not null unique,path text not null unique,digest text not null,"
    "title text,description text,type text,created text,updated text,problems text,lines integer,"
    "hidden integer,entries integer,size integer,mtime_ns integer,ctime_ns integer,inode integer,"
    "settled integer,aliases text",
    "id",
    ("index page_problems on page (hidden) where problems<>''",),
)
NAME = SqlTable(
    "name",
    "number integer,kind integer,page integer",
    "number, kind, page",
    ("index name_page on name (page)",),
)
TAG = SqlTable(
    "tag",
    "page integer,tag text,folded text,position integer,own integer",
    "folded, page",
    ("index tag_page on tag (page)",),
)
SECTION = SqlTable("section", "page integer,count integer,headings blob", "page")
# What a page is found by that may be asked for; the numbers of each page are kept as one row, which
# takes less than half of an index.
HEADING = SqlTable("heading", "number integer,page integer", "number, page")
PLACES = SqlTable(
    "place", "page integer,start integer,digest blob,places blob,named blob", "page, start"
)
FIELD = SqlTable("field", "number integer,page integer,compared text", "number, page")
# The lines of its links count from `start`. Of a stretch the first part has what all of it names.
LINK = SqlTable(
    "link",
    "page integer,part integer,start integer,count integer,key blob,targets blob,tags text,"
    "links blob",
    "page, part",
)
TARGET = SqlTable("target", "number integer,page integer", "number, page")
NUMBERED = (HEADING, FIELD, TARGET)
NUMBERS = SqlTable("numbers", "page integer,heading blob,field blob,target blob", "page")
UNIT = SqlTable(
    "unit", "page integer,key blob,type text,id text,fields text,tags text", "page, key"
)
UNIT_FIELD = SqlTable(
    "unit_field",
    "number integer,page integer,unit blob",
    "number, page, unit",
    ("index unit_field_unit on unit_field (page, unit)",),
)

# What holds rows of a page besides PAGE, which has one. The numbers come after what they name.
OF_PAGE = (
    NAME,
    TAG,
    SECTION,
    HEADING,
    PLACES,
    FIELD,
    LINK,
    TARGET,
    NUMBERS,
    UNIT,
    UNIT_FIELD,
)
PACKED = (SECTION, LINK)  # whose last column is compressed


def in_bytes(numbers: Iterable[int]) -> bytes:
    """Numbers of names in order, with nothing between them."""
    each = (number.to_bytes(NUMBER_BYTES, "big", signed=True) for number in sorted(numbers))
    return b"".join(each)


def all_numbers_in(stored: Iterable[bytes]) -> set[int]:
    """The same of many, in which most come again and again."""
    size = NUMBER_BYTES
    distinct = {each[i : i + size] for each in stored for i in range(0, len(each), size)}
    return {int.from_bytes(number, "big", signed=True) for number in distinct}


def numbers_in(stored: bytes) -> Iterator[int]:
    """The same numbers again."""
    for start in range(0, len(stored), NUMBER_BYTES):
        yield int.from_bytes(stored[start : start + NUMBER_BYTES], "big", signed=True)
