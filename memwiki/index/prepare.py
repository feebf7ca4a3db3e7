"""From the bytes of a file to what stores take in: page, terms and rows, made before any is
touched."""

from __future__ import annotations

from collections.abc import Collection

from memwiki.files.read import Contents
from memwiki.index.cards.rows import TABLES, page_row
from memwiki.index.keyword.weights import packed
from memwiki.index.projection import Put
from memwiki.markdown.border import contained
from memwiki.markdown.parse import WholeFile, parse
from memwiki.markdown.unparsed import plain_page
from memwiki.model import Layers, Signature


def take_in(
    path: str,
    held: Contents,
    layers: Layers,
    max_bytes: int,
    origin: tuple[Signature, bool],
    known: Collection[bytes] = (),
) -> Put:
    """A file as the stores take it in; as plain text when anything about it could not be made.

    The terms of units with a `known` key are left out: whoever holds such a unit does not ask for
    them.
    """

    def plain(error: Exception) -> Put:
        page = plain_page(path, held.data, error, max_bytes, held.digest)
        return contained(
            lambda: prepared(Put(page, *origin)),
            lambda _: prepared(Put(page._replace(units=()), *origin)),
        )

    def parsed() -> Put:
        whole = WholeFile(held.digest, held.size)
        page = parse(path, held.data, layers, max_bytes=max_bytes, of=whole)
        return prepared(Put(page, *origin), known)

    return contained(parsed, plain)


def prepared(put: Put, known: Collection[bytes] = ()) -> Put:
    """The page with its rows and the terms of its units."""
    put.rows = {table: tuple(rows_of(0, put)) for table, rows_of in TABLES.items()}
    put.rows["page"] = (page_row(0, put),)
    units = put.keyed_units().items()
    put.terms = {key: unit if key in known else packed(unit) for key, unit in units}
    return put


def ready(put: Put) -> Put:
    """The same, with rows at least; terms that are not made yet are made where they are asked
    for."""
    return put if put.rows else prepared(put, put.keyed_units())
