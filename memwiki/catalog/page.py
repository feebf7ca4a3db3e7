"""One page as the store of listings holds it: in whose catalogs, its line, and what sorts it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memwiki.catalog.listing import INDEX, Listing, PageFacts, listing_of
from memwiki.catalog.shards import split_key
from memwiki.index.cards.lookup import Card
from memwiki.names import fold, is_in_folder, slug, stem_of
from memwiki.nouns import Layers

_FRONT = ("readme", "index")
_ENTRANCES = frozenset(
    "readme home hub welcome start-here start getting-started overview about introduction".split()
)
_INSTRUCTIONS = frozenset(("agents", "claude", "gemini"))
_NOWHERE = (None,) * 15


class ListedPage(NamedTuple):
    """A page to take in, or a file that no catalog lists."""

    path: str
    digest: str
    columns: Sequence[object] = _NOWHERE


def listed_page(card: Card, tags: Sequence[str], layers: Layers) -> ListedPage:
    """What the catalogs need of a page."""
    path, base = card.path, base_of(card.path, layers)
    if base is None:
        return ListedPage(path, card.digest)
    each = listing_of_card(card, tags)
    inner = path[len(base) + 1 :] if base else path
    stem, name = slug(stem_of(path)).lstrip("0123456789-"), path.rpartition("/")[2]
    is_ours = not (is_in_folder(inner, layers.raw) or is_in_folder(inner, layers.inbox))
    columns = (
        path.rpartition("/")[0],
        base,
        each.key,
        split_key(card.title, path),
        each.title,
        each.rest,
        each.date,
        each.day,
        each.size.bytes,
        each.size.tokens,
        each.fingerprint,
        card.description if stem in _FRONT else "",
        name if fold(name) == INDEX else "",
        _is_entrance(inner, stem, layers),
        each.date if is_ours else "",
    )
    return ListedPage(path, card.digest, columns)


def listing_of_card(card: Card, tags: Sequence[str]) -> Listing:
    """How a page is listed."""
    is_event = card.type in ("session", "daily")
    date = card.updated or card.created
    return listing_of(PageFacts(card.path, card.title, card.description, date, tags, is_event))


def base_of(path: str, layers: Layers) -> str | None:
    """Whose catalogs list a page: those of the workspace "", of a namespace, or none."""
    base, inner = "", path
    if is_in_folder(path, layers.namespaces):
        name, _, inner = path[len(layers.namespaces) + 1 :].partition("/")
        if not inner:
            return None
        base = f"{layers.namespaces}/{name}"
    if is_in_folder(inner, layers.archive):
        return None
    is_instruction = "/" not in inner and fold(stem_of(inner)) in _INSTRUCTIONS
    return None if is_instruction else base


def _is_entrance(inner: str, stem: str, layers: Layers) -> int:
    """Where a reader may start: 1 the front pages, 2 the memory, 0 for any other page."""
    if inner in (layers.memory, layers.learnings):
        return 2
    folder = inner.rpartition("/")[0]
    return int(folder in ("", layers.wiki) and stem in _ENTRANCES)
