"""The texts of pages, for those who have no files; kept where the owner turns it on."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from memwiki.index.damage import decoding
from memwiki.index.sql import Existing, SqlProjection
from memwiki.index.storage import SqlTable
from memwiki.records import NamedTuple

_TEXT = SqlTable("page_text", "path text,digest text,packed blob", "path")
_STATE = SqlTable("text_state", "name text,value text", "name")


class StoredText(NamedTuple):
    """A version of a page, with its bytes."""

    path: str
    digest: str
    data: bytes


class TextStore(SqlProjection[StoredText]):
    """The bytes of all pages that are fed."""

    name = "texts"
    tables = (_TEXT, _STATE)
    remarks_in = _STATE
    pages = "page_text"

    def write(self, puts: Sequence[StoredText], existing: Existing) -> None:
        """Write the texts of these pages, and drop those of the others that exist."""
        self.delete(_TEXT.name, "path", existing)
        self.upsert(_TEXT, ((put.path, put.digest, zlib.compress(put.data, 6)) for put in puts))

    def text_of(self, path: str) -> bytes | None:
        """The bytes of a page; None where none are kept."""
        row = self._row(f"select packed from {self.schema}.page_text where path=?", path)
        with decoding(self.name):
            return zlib.decompress(row[0]) if row else None
