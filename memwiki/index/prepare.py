"""From the bytes of a file to what stores take in: page, terms and rows, made before any is
touched."""

from __future__ import annotations

from memwiki.files.read import FileContents
from memwiki.index.cards.rows import rows_of
from memwiki.index.keyword.tokens import packed
from memwiki.index.projection import Put, Terms
from memwiki.index.units import NOTHING, PAGE_BYTES, ExistingUnits
from memwiki.markdown.border import contained, plain_page
from memwiki.markdown.parse import Look, WholeFile, parse
from memwiki.markdown.private import public_bytes
from memwiki.markdown.stretches import KnownStretches
from memwiki.nouns import Layers, Signature, Unit


def take_in(
    path: str,
    file: FileContents,
    layers: Layers,
    max_bytes: int,
    origin: tuple[Signature, bool],
    known: ExistingUnits = NOTHING,
    outlines: Look | None = None,
) -> Put:
    """A file as the stores take it in; as plain text when anything about it could not be made.

    The terms and rows of units that are `known` are left out, of long lists they are not even read:
    whoever holds a unit does not ask for them.
    """

    has_private = public_bytes(path, file.data, layers) is not file.data

    def plain(error: Exception) -> Put:
        page = plain_page(path, file.data, error, max_bytes, file.digest)
        return contained(
            lambda: prepared(Put(page, *origin, has_private=has_private)),
            lambda _: prepared(Put(page._replace(units=()), *origin, has_private=has_private)),
        )

    def parsed() -> Put:
        put = parsed_but(known.stretches)
        twins = _new_twins(put)
        if twins:
            put = parsed_but({d: places for d, places in known.stretches.items() if d not in twins})
        return prepared(put)

    def parsed_but(stretches: KnownStretches) -> Put:
        whole = WholeFile(file.digest, file.size)
        page = parse(
            path,
            file.data,
            layers,
            max_bytes=max_bytes,
            of=whole,
            outlines=outlines,
            known=stretches,
            linked=known.links.keys(),
        )
        return Put(page, *origin, known, has_private)

    return contained(parsed, plain)


def _new_twins(put: Put) -> set[bytes]:
    """The stretches that were not read with a unit in them that nobody holds: it came to stand
    below one like it, and has another key now."""
    if put.keyed.new is not None:
        return set()
    names = [key[PAGE_BYTES:] for key in set(put.keyed.existing) - put.existing.keys]
    return {p.digest for p in put.keyed.places if any(p.place_of(name) >= 0 for name in names)}


def prepared(put: Put) -> Put:
    """The page with its rows and the terms of its units."""
    terms: dict[bytes, Unit | Terms | None] = {}
    put.gone = None if put.keyed.new is None else put.keyed.gone
    if put.gone is None:
        terms |= dict.fromkeys((*put.keyed.read, *put.keyed.existing))
    terms |= {key: packed(unit) for key, unit in put.new_units()}
    put.terms = terms
    return _with_rows(put)


def ready(put: Put) -> Put:
    """The same, with rows at least; terms that are not made yet are made where they are asked
    for."""
    if put.rows:
        return put
    put.terms = dict(put.keyed.read)
    return _with_rows(put)


def _with_rows(put: Put) -> Put:
    put.rows = rows_of(put)
    return put
