"""The tables of the cards, and the numbers by which they know pages and fields."""

from __future__ import annotations

from memwiki.index.names import name_number
from memwiki.index.storage import SqlTable
from memwiki.index.units import page_number


def row_number(path: str) -> int:
    """The number of a page in the cards: the one in its unit keys, as SQLite's signed integer."""
    return int.from_bytes(page_number(path), "big", signed=True)


def field_number(name: str, value: str | None = None) -> int:
    """A field, or a field with a value, as a number."""
    return name_number(name if value is None else f"{name}\0{value}")


HAS_PRIVATE = field_number("\0private")  # no name of a field begins so
PAGE = SqlTable(
    "page",
    "id integer,number integer not null unique,path text not null unique,digest text not null,"
    "title text,description text,type text,created text,updated text,problems text,lines integer,"
    "hidden integer,entries integer,size integer,mtime_ns integer,ctime_ns integer,inode integer,"
    "settled integer,aliases text",
    "id",
)
_NAME = SqlTable(
    "name",
    "number integer,kind integer,page integer",
    "number, kind, page",
    ("index name_page on name (page)",),
)
_TAG = SqlTable(
    "tag",
    "page integer,tag text,folded text,position integer,own integer",
    "folded, page",
    ("index tag_page on tag (page)",),
)
_SECTION = SqlTable(
    "section",
    "page integer,start integer,stop integer,level integer,title text,number integer",
    "page, start",
    ("index section_number on section (number)",),
)
_PLACE = SqlTable(
    "place", "page integer,start integer,digest blob,places blob,named blob", "page, start"
)
_FIELD = SqlTable(
    "field",
    "number integer,page integer,compared text",
    "number, page",
    ("index field_page on field (page)",),
)
_LINK = SqlTable(
    "link",
    "page integer,position integer,line integer,written text,text text,kind text,heading text,"
    "block text,relation text,weight real",
    "page, position",
)
_TARGET = SqlTable(
    "target",
    "number integer,page integer",
    "number, page",
    ("index target_page on target (page)",),
)
UNIT = SqlTable(
    "unit", "page integer,key blob,type text,id text,fields text,tags text", "page, key"
)
UNIT_FIELD = SqlTable(
    "unit_field",
    "number integer,page integer,unit blob",
    "number, page, unit",
    ("index unit_field_unit on unit_field (page, unit)",),
)

# What holds rows of a page besides PAGE, which has one.
OF_PAGE = (_NAME, _TAG, _SECTION, _PLACE, _FIELD, _LINK, _TARGET, UNIT, UNIT_FIELD)
