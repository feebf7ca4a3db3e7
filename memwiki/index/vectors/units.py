"""Which text stands for each unit of a page: a projection, wherever it is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memwiki.index.cards.tables import row_number
from memwiki.index.sql import Existing, SqlProjection
from memwiki.index.storage import SqlTable
from memwiki.index.units import page_of

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
