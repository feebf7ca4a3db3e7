"""The logical content of an index, page by page, for comparing two of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import groupby
from operator import itemgetter

from memwiki.digest import text_hash
from memwiki.index.cards.rows import ROWS
from memwiki.index.keyword.backend import Snapshot
from memwiki.index.sql import SqlTable
from memwiki.index.storage_sqlite import Connection
from memwiki.index.stores import Stores
from memwiki.index.units import page_of
from memwiki.nouns import Difference

Dump = Mapping[tuple[str, str], bytes]  # (store, path) -> digest of what it holds of the page

_BYTES = 16
_MAX_DIFFERENCES = 100  # differences that are named


def dump(stores: Stores) -> Dump:
    """Everything that a question could meet; not signatures, generations or document numbers."""
    return dict(_rows(stores))


def _rows(stores: Stores) -> Iterator[tuple[tuple[str, str], bytes]]:
    db = stores.cards.db
    for table in ROWS:
        yield from _rows_by_page(db, table)
    for path, *row in db.execute(
        "select path, number, digest, title, description, type, created, updated, problems, lines,"
        " hidden, entries from page"
    ):
        yield ("page", path), text_hash(repr(row), _BYTES)
    for path, number in db.execute("select path, number from attachment"):
        yield ("attachment", path), text_hash(str(number), _BYTES)
    yield from _keyword_rows(stores)
    for path, digest in stores.keyword.digests().items():
        yield ("keyword list", path), text_hash(digest, _BYTES)


def _rows_by_page(db: Connection, table: SqlTable) -> Iterator[tuple[tuple[str, str], bytes]]:
    """What a table holds of each page, in any order; one page after the other is in memory."""
    name, location = table.name, table.names.index("page") + 1
    rows = db.execute(
        f"select path, {name}.* from {name} join page on page.id={name}.page order by {name}.page"
    )
    for path, found in groupby(rows, itemgetter(0)):
        # Ids are given in the order of arrival and mean nothing.
        lines = sorted(repr(row[1:location] + row[location + 1 :]) for row in found)
        yield (name, path), text_hash("\n".join(lines), _BYTES)


def _keyword_rows(stores: Stores) -> Iterator[tuple[tuple[str, str], bytes]]:
    """What the keyword index holds of each page: the sum over its units, in any order."""
    sums: dict[int, int] = {}
    with closing(stores.keyword.snapshot()) as snapshot:
        for key, number in unit_numbers(snapshot).items():
            unit = int.from_bytes(text_hash(f"{key.hex()} {number}", _BYTES), "big")
            sums[page_of(key)] = sums.get(page_of(key), 0) + unit
    paths: dict[int, str] = dict(stores.cards.db.execute("select number, path from page"))
    for page, total in sums.items():
        yield ("keyword", paths.get(page, f"unknown {page}")), text_hash(str(total), _BYTES)


def unit_numbers(snapshot: Snapshot) -> dict[bytes, int]:
    """Every living unit that holds a term, by key, with one number over its terms and weights."""
    sums: dict[int, int] = {}
    for term in snapshot.expand("", sys.maxsize):
        number = int.from_bytes(text_hash(term, 8), "big")
        for run in snapshot.postings(term):
            for document, weight in zip(*run, strict=True):
                sums[document] = sums.get(document, 0) + number * weight
    return dict(zip(snapshot.keys(sums), sums.values(), strict=True))


def paths_of(dump: Dump) -> set[str]:
    """The pages that an index holds."""
    return {name for store, name in dump if store == "page"}


def without(dump: Dump, paths: set[str]) -> Dump:
    """The dump without the rows of these pages."""
    return {key: row for key, row in dump.items() if key[1] not in paths}


def differences(one: Dump, other: Dump) -> tuple[Difference, ...]:
    """Rows that only one has, or that differ; the first hundred."""
    keys = sorted(key for key in {*one, *other} if one.get(key) != other.get(key))
    return tuple(Difference(*key, _what(key, one, other)) for key in keys[:_MAX_DIFFERENCES])


def _what(key: tuple[str, str], live: Dump, rebuilt: Dump) -> str:
    if key not in rebuilt:
        return "only in the live index"
    return "missing in the live index" if key not in live else "differs from the rebuild"
