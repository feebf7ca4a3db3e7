"""Vectors on a server: the units of all pages, and a row for each text that has one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from memwiki.index.cards.tables import row_number
from memwiki.index.sql import Existing, batched, marks
from memwiki.index.storage import SqlTable
from memwiki.index.vectors.units import PAGE, REMARK, UNIT, UnitStore, UnitTexts

_ROW = SqlTable("vector", "text blob,packed blob not null", "text")


class SharedVectorStore(UnitStore):
    """The units and rows of one workspace. A row is as a file of rows has it: nobody who reads
    believes one that is not as it was written."""

    tables = (PAGE, UNIT, _ROW, REMARK)

    def about(self) -> Mapping[str, str]:
        """All remarks, with one statement."""
        return dict(self._rows(f"select name, value from {self.schema}.{REMARK.name}"))

    def write(self, puts: Sequence[UnitTexts], existing: Existing) -> None:
        """The same, and no row stays that no unit uses any more."""
        pages = map(row_number, existing)
        sql = f"select distinct text from {self.schema}.unit where page"
        old = [text for (text,) in self._among(sql, pages)]
        super().write(puts, existing)
        unused = f"not exists (select from {self.schema}.unit where unit.text = vector.text)"
        for text in batched(old):
            among = f"text in ({marks('?', text)})"
            self.db.execute(f"delete from {self.schema}.vector where {among} and {unused}", text)

    def units_of(self, digests: Mapping[str, str]) -> Iterator[UnitTexts]:
        """The units of these pages, of the versions that are here."""
        for part in batched(digests):
            numbers = [row_number(path) for path in part]
            among = f"from {self.schema}.unit where page in ({marks('?', part)})"
            texts: dict[int, dict[bytes, bytes]] = {}
            for page, key, text in self._rows(
                f"select page, key, text {among} order by page, place", *numbers
            ):
                texts.setdefault(page, {})[key] = text
            for path, number in zip(part, numbers, strict=True):
                yield UnitTexts(path, digests[path], texts.get(number, {}))

    def lacking(self) -> list[bytes]:
        """The texts that stand for a unit and have no row."""
        return self._column(
            f"select distinct text from {self.schema}.unit where not exists"
            f" (select from {self.schema}.vector where vector.text = unit.text)"
        )

    def put_packed(self, rows: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep the rows of these texts."""
        self.upsert(_ROW, rows)

    def packed_of(self, texts: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
        """Those of these texts that have a row, with its bytes."""
        return self._among(f"select text, packed from {self.schema}.vector where text", texts)
