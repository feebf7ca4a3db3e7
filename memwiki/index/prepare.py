"""From the bytes of a file to what stores take in: page, terms and rows, made before any is
touched."""

from __future__ import annotations

from functools import partial

from memwiki.files.read import FileContents
from memwiki.index.cards.rows import rows_of
from memwiki.index.keyword.tokens import packed
from memwiki.index.projection import Put, Terms
from memwiki.index.units import NOTHING, PAGE_BYTES, ExistingUnits
from memwiki.markdown.border import contain_errors, plain_page
from memwiki.markdown.outline import known_page
from memwiki.markdown.parse import Look, WholeFile, parse
from memwiki.markdown.private import may_hide, public_bytes
from memwiki.markdown.stretches import HeldPage, KnownLists
from memwiki.nouns import Layers, Signature


def take_in(
    path: str,
    file: FileContents,
    layers: Layers,
    max_bytes: int,
    origin: tuple[Signature, bool],
    known: ExistingUnits = NOTHING,
    outlines: Look | None = None,
    before: HeldPage | None = None,
) -> Put:
    """A file as the stores take it in; as plain text when anything about it could not be made.

    The terms and rows of units that are `known` are left out, of long lists they are not even read:
    whoever holds a unit does not ask for them. `before` is the page that is known, where it is at
    hand.
    """
    page = known_page(layers, path, file.data)
    is_open = page is not None and page.lacks(may_hide, page.text)
    has_private = not is_open and public_bytes(path, file.data, layers) is not file.data
    put_of = partial(Put, signature=origin[0], is_settled=origin[1], has_private=has_private)
    read = partial(parse, path, file.data, layers, max_bytes=max_bytes, outlines=outlines)
    whole = WholeFile(file.digest, file.size)
    lists = KnownLists(known.stretches, before, known.links.keys())

    def parsed(lists: KnownLists) -> Put:
        return put_of(read(of=whole, known=lists), existing=known)

    def made() -> Put:
        put = parsed(lists)
        if twins := _new_twins(put):
            others = {d: places for d, places in known.stretches.items() if d not in twins}
            put = parsed(lists._replace(stretches=others))
        return prepared(put)

    def plain(error: Exception) -> Put:
        page = plain_page(path, file.data, error, max_bytes, file.digest)
        return contain_errors(
            lambda: prepared(put_of(page)), lambda _: prepared(put_of(page._replace(units=())))
        )

    return contain_errors(made, plain)


def _new_twins(put: Put) -> set[bytes]:
    """The stretches that were not read with a unit in them that nobody holds: it came to stand
    below one like it, and has another key now."""
    if put.keyed.new is not None:
        return set()
    names = [key[PAGE_BYTES:] for key in set(put.keyed.existing) - put.existing.keys]
    return {p.digest for p in put.keyed.places if any(p.place_of(name) >= 0 for name in names)}


def prepared(put: Put) -> Put:
    """The page with its rows and the terms of its units."""
    terms: dict[bytes, Terms | None] = {}
    put.gone = None if put.keyed.new is None else put.keyed.gone
    if put.gone is None:
        terms |= dict.fromkeys((*put.keyed.read, *put.keyed.existing))
    terms |= {key: packed(unit) for key, unit in put.new_units()}
    put.terms, put.rows = terms, rows_of(put)
    return put
