"""Which text stands for each unit, and which row is its vector.

The pages and their units are a projection. The rows are by the digest of the text alone: they
outlive builds, and who has another recipe, model or width has another folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from shutil import rmtree

from memwiki.index.cards.tables import row_number
from memwiki.index.damage import DAMAGE, is_damage
from memwiki.index.sql import SqlFile, batched, grouped
from memwiki.index.storage import SqlTable
from memwiki.index.vectors.units import PAGE, REMARK, UNIT, RowFile, UnitStore, UnitTexts
from memwiki.nouns import Difference

FILE = "units.sqlite"
_FORMAT = "1"
_VECTOR = SqlTable(
    "vector",
    "text blob,number integer not null",
    "text",
    ("index vector_number on vector (number)",),
    is_lasting=True,
)
_ROWS = "rows"  # the remark that names the file


class VectorStore(UnitStore, SqlFile):
    """Units and vectors of one folder; in memory only what the files are named by differs."""

    what = "vectors"
    tables = (PAGE, UNIT, _VECTOR, REMARK)
    _file: RowFile | None = None

    def __init__(self, folder: Path, width: int, settings: str) -> None:
        """Open it in a folder that is there; of one that is damaged nothing is believed but rows
        that verify."""
        self.folder, self.width = folder, width
        self._settings = f"{_FORMAT} {settings}"
        try:
            super().__init__(str(folder / FILE))
        except DAMAGE as error:
            if not is_damage(error):
                raise
            self.start_over()

    def start_over(self) -> None:
        """Throw the tables away, and take the rows of all files that verify."""
        with suppress(AttributeError):
            self.close()
        for path in self.folder.glob(f"{FILE}*"):
            path.unlink()
        super().__init__(str(self.folder / FILE))
        self._adopt()

    def prepare(self) -> None:
        """Make the tables, unless they are there for these settings."""
        with self.transaction():
            if not self.is_made(self._settings):
                self.make(self._settings)

    # --- rows ---

    @property
    def rows(self) -> RowFile:
        """The file of the rows that the tables name."""
        name = self.state(_ROWS, "rows-0.bin")
        if self._file is None or self._file.path.name != name:
            self._file = RowFile(self.folder / name, self.width)
        return self._file

    def put_packed(self, found: Mapping[bytes, bytes]) -> None:
        """Keep the rows of these texts: first the rows, then that they are there."""
        with self.transaction():
            at = self._count()
            self.rows.append(found.values(), at)
            self.upsert(_VECTOR, zip(found, range(at, at + len(found)), strict=True))

    def _count(self) -> int:
        """Behind the last row that is known; what stands there a killed writer left."""
        return int(self._row("select coalesce(max(number) + 1, 0) from vector")[0])

    def _adopt(self) -> None:
        """Take the rows of the largest file that is there."""
        for path in self._files()[-1:]:
            with self.transaction():
                self.note(_ROWS, path.name)
                self.upsert(_VECTOR, ((text, number) for number, text in self.rows.texts()))

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob("rows-*.bin"), key=lambda path: path.stat().st_size)

    def compact(self, most_unused: int) -> None:
        """Drop the oldest rows that no unit uses, if there are more than so many."""
        unused = self._column(
            "select number from vector where text not in (select text from unit) order by number"
        )
        dropped = set(unused[: max(len(unused) - most_unused, 0)])
        if not dropped:
            return
        every = self._column("select number from vector order by number")
        kept = [number for number in every if number not in dropped]
        new = self.folder / f"rows-{os.urandom(6).hex()}.bin"
        self.rows.copy(kept, new)
        with self.transaction():
            self.delete("vector", "number", dropped)
            for at, number in enumerate(kept):  # upwards, so that no number is taken twice
                self.db.execute("update vector set number=? where number=?", (at, number))
            self.note(_ROWS, new.name)
        for path in self._files():
            if path.name != new.name:
                path.unlink(missing_ok=True)

    def scrub(self) -> bool:
        """Leave nothing on disk of texts that no page has any more."""
        self.compact(0)
        return super().scrub()

    def heal(self, *, is_thorough: bool) -> None:
        """Forget the rows that are not as they were written, so that they are made anew; without
        being thorough only where some are gone."""
        if is_thorough or len(self.rows) < self._count():
            bad = [text for text, _ in self._bad_rows()]
            with self.transaction():
                self.delete("vector", "text", bad)

    def _bad_rows(self) -> Iterator[tuple[bytes, int]]:
        rows = self.rows
        for text, number in self._rows("select text, number from vector"):
            if not rows.holds(number, text):
                yield text, number

    # --- what the pages say ---

    def texts_of(self, path: str) -> dict[bytes, bytes]:
        """The units of a page in their order, with the digests of their texts."""
        sql = "select key, text from unit where page=? order by place"
        return dict(self._rows(sql, row_number(path)))

    def lacking(self) -> Iterator[tuple[str, set[bytes]]]:
        """The pages with units whose text has no vector, and these texts."""
        sql = (
            "select page, unit.text from unit left join vector on vector.text = unit.text"
            " where vector.text is null"
        )
        by_page = grouped(self._rows(sql))
        for path in sorted(self.digests()) if by_page else ():
            if texts := by_page.get(row_number(path)):
                yield path, {*texts}

    # --- asking ---

    def version(self) -> int:
        """Another one as soon as anybody has committed something over another connection."""
        return self.db.version()

    def rows_around(self, keys: Iterable[bytes]) -> dict[bytes, dict[int, int]]:
        """Of each unit that has one its row under 0, and the rows of the units before and after it
        under -1 and 1, as far as they have one that is theirs."""
        rows, found = self.rows, dict[bytes, dict[int, int]]()
        sql = (
            "select own.key, near.place - own.place, vector.number, near.text from unit own"
            " join unit near on near.page = own.page"
            " and near.place between own.place - 1 and own.place + 1"
            " join vector on vector.text = near.text where own.key"
        )
        for key, step, number, text in self._among(sql, keys):
            if rows.holds(number, text):
                found.setdefault(key, {})[step] = number
        return {key: around for key, around in found.items() if 0 in around}

    def mark(self) -> str:
        """Another text where other rows may be found, in whichever process."""
        return f"{self.folder.name} {self.rows.path.name} {self._count()}"

    def rows_of(self, texts: Iterable[bytes]) -> Iterator[int | None]:
        """The row of each text, as far as it has one that is its own."""
        sql, rows = "select number from vector where text=?", self.rows
        for text in texts:
            numbers = (number for (number,) in self._rows(sql, text))
            yield next((number for number in numbers if rows.holds(number, text)), None)

    def packed_of(self, texts: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
        """Those of these texts that have a row of their own, with its bytes."""
        for part in batched(texts):
            for text, number in zip(part, self.rows_of(part), strict=True):
                if number is not None:
                    yield text, self.rows.packed(number)

    def keys_of(self, numbers: Iterable[int]) -> Iterator[tuple[int, bytes]]:
        """The units of these rows: number and key."""
        sql = "select vector.number, unit.key from vector join unit on unit.text = vector.text"
        return self._among(f"{sql} where vector.number", numbers)

    def differences(self, pages: Iterable[UnitTexts]) -> Iterator[Difference]:
        """Where it says something else than pages that were just read; and rows that are not as
        they were written."""
        digests = self.digests()
        for page in pages:
            if digests.get(page.path) == page.digest and self.texts_of(page.path) != page.texts:
                yield Difference(self.name, page.path, "differs")
        for _, number in self._bad_rows():
            yield Difference(self.name, self.rows.path.name, f"row {number} is damaged")

    def close(self) -> None:
        """Let go of the files."""
        self.rows.close()
        super().close()


def remove_stores(place: Path, kept: Path | None) -> None:
    """Remove the stores of all models in a folder but one."""
    for folder in place.glob("*"):
        if folder != kept and folder.is_dir():  # a lock lies beside them
            rmtree(folder)
