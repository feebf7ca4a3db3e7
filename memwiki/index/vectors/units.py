"""The recipe: which units have a vector, and of which text; and which text stands for each unit of
a page: a projection, wherever it is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from memwiki.digest import text_hash
from memwiki.index.cards.tables import row_number
from memwiki.index.sql import Existing, SqlProjection
from memwiki.index.storage import SqlTable
from memwiki.index.units import keyed, page_of
from memwiki.nouns import Page, Unit, UnitKind

RECIPE = "1"  # another text of a unit is another number, and so another folder
TEXT_BYTES = 16
_MAX_CHARACTERS = 1_400


class EmbeddedUnits(StrEnum):
    """What has a vector: entries and messages; also the beginning of each page; every unit."""

    MEMORIES = "memories"
    PAGES = "pages"
    ALL = "all"


def texts_of_page(page: Page, of: EmbeddedUnits) -> Iterator[tuple[bytes, str]]:
    """The units of a page by key, each with the text that stands for it."""
    is_first = True
    for key, unit in keyed(page).read.items():
        if unit.kind is not UnitKind.BLOCK:
            text = unit.text
        elif of is EmbeddedUnits.ALL or (of is EmbeddedUnits.PAGES and is_first):
            text = _of_block(page, unit, is_first=is_first)
        else:
            continue
        is_first = is_first and unit.kind is not UnitKind.BLOCK
        if any(map(str.isalnum, text)):
            yield key, embedded(text)


def _of_block(page: Page, unit: Unit, *, is_first: bool) -> str:
    heads = (page.title, page.description) if is_first else (page.title,)
    return "\n".join(filter(None, (*heads, unit.text)))


def embedded(text: str) -> str:
    """What of a text is embedded."""
    return text.strip()[:_MAX_CHARACTERS]


def text_key(text: str) -> bytes:
    """What a text is known by."""
    return text_hash(text, TEXT_BYTES)


PAGE = SqlTable("page", "path text,digest text not null", "path")
UNIT = SqlTable(
    "unit",
    "page integer,place integer,key blob not null,text blob not null",
    "page, place",
    ("index unit_text on unit (text)", "index unit_key on unit (key)"),
)
REMARK = SqlTable("remark", "name text, value text", "name", is_lasting=True)


class UnitTexts(NamedTuple):
    """A version of a page: its units by key, each with the digest of the text that stands for
    it."""

    path: str
    digest: str
    texts: Mapping[bytes, bytes] = {}


class Coverage(NamedTuple):
    """How many units are to have a vector, and how many have one."""

    units: int
    vectors: int


class UnitStore(SqlProjection[UnitTexts]):
    """The units of all pages; a store has a table `vector` with a row a text besides."""

    name = "vectors"
    remarks_in = REMARK

    def write(self, puts: Sequence[UnitTexts], existing: Existing) -> None:
        """Write the units of these pages, and drop those of the others that exist."""
        self.delete("page", "path", existing)
        self.delete("unit", "page", map(row_number, existing))
        self.upsert(PAGE, ((put.path, put.digest) for put in puts))
        self.upsert(
            UNIT,
            (
                (page_of(key), place, key, text)
                for put in puts
                for place, (key, text) in enumerate(put.texts.items())
            ),
        )

    def coverage(self) -> Coverage:
        """How much is to have a vector, and has one."""
        units, vectors = f"{self.schema}.unit", f"{self.schema}.vector"
        found = f"select count(*) from {units}"
        have = f"{found} join {vectors} on vector.text = unit.text"
        return Coverage(*(self._row(sql)[0] for sql in (found, have)))
