"""The logical content of an index, row by row, for comparing two of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping

from memwiki.digest import text_hash
from memwiki.index.stores import Stores
from memwiki.model import Difference

Dump = Mapping[tuple[str, str], str]  # (store, row's name) -> digest of the row

_TABLES = ("name", "tag", "section", "unit", "field", "link", "target")
_UNIT = " unit "  # between path and key in the name of a row of postings
_MOST = 100  # differences that are named


def dump(stores: Stores) -> Dump:
    """Everything that a question could meet; not signatures, generations or document numbers."""
    return dict(_rows(stores))


def _rows(stores: Stores) -> Iterator[tuple[tuple[str, str], str]]:
    db = stores.cards.db
    for table in _TABLES:
        pages: dict[str, list[str]] = {}
        location = _column(db, table)
        rows = db.execute(f"select path, {table}.* from {table} join page on page.id={table}.page")
        for path, *row in rows:
            # Ids are given in the order of arrival and mean nothing.
            pages.setdefault(path, []).append(repr(row[:location] + row[location + 1 :]))
        for path, lines in pages.items():
            yield (table, path), text_hash("\n".join(sorted(lines)), 16).hex()
    for path, *row in db.execute(
        "select path, number, digest, title, description, type, created, updated, problems, lines,"
        " hidden, entries from page"
    ):
        yield ("page", path), text_hash(repr(row), 16).hex()
    for path, number in db.execute("select path, number from attachment"):
        yield ("attachment", path), str(number)
    names: dict[bytes, str] = dict(
        db.execute("select key, path from unit join page on page.id=page")
    )
    snapshot = stores.keyword.snapshot()
    for key, terms in snapshot.dump().items():
        name = f"{names.get(key, 'unknown')}{_UNIT}{key.hex()}"
        yield ("keyword", name), text_hash(repr(sorted(terms.items())), 16).hex()
    snapshot.close()
    for path, digest in stores.keyword.digests().items():
        yield ("keyword list", path), digest


def _column(db: sqlite3.Connection, table: str) -> int:
    columns = [row[1] for row in db.execute(f"pragma table_info({table})")]
    return columns.index("page")


def paths_of(dump: Dump) -> set[str]:
    """The pages that an index holds."""
    return {name for store, name in dump if store == "page"}


def without(dump: Dump, paths: set[str]) -> Dump:
    """The dump without the rows of these pages."""
    return {key: row for key, row in dump.items() if key[1].split(_UNIT)[0] not in paths}


def differences(one: Dump, other: Dump) -> tuple[Difference, ...]:
    """Rows that only one has, or that differ; the first hundred."""
    keys = sorted(key for key in {*one, *other} if one.get(key) != other.get(key))
    return tuple(Difference(*key, _what(key, one, other)) for key in keys[:_MOST])


def _what(key: tuple[str, str], live: Dump, rebuilt: Dump) -> str:
    if key not in rebuilt:
        return "only in the live index"
    return "missing in the live index" if key not in live else "differs from the rebuild"
