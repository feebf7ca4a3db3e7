"""The namespaces of a workspace with what is in them, as answers."""

from __future__ import annotations

from memwiki.answers.workspaces import NamespaceList, NamespaceRow
from memwiki.files.paths import namespaces_in
from memwiki.files.scan import Scan
from memwiki.index.cards.lookup import Card
from memwiki.names import is_in_folder
from memwiki.scope import base_of
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, whole_reading


def list_namespaces(live: LiveIndex) -> NamespaceList:
    """All of them by name, those without a page, too."""
    with whole_reading(live) as view:
        rows = rows_of(view, live.context)
        return NamespaceList(rows, len(rows), view.freshness.fresh)


def rows_of(view: Reading, context: Context) -> tuple[NamespaceRow, ...]:
    """Each with its pages and entries as the index knows them, and its files as they are."""
    layers = context.layers
    names = namespaces_in(context.root, layers.namespaces)
    cards: dict[str, list[Card]] = {f"{layers.namespaces}/{name}": [] for name in names}
    for card in view.lookup.cards():
        if (base := base_of(card.path, layers)) in cards:
            cards[base].append(card)
    entries, seen = dict(view.lookup.entry_counts()), context.walk()
    return tuple(
        NamespaceRow(
            base.rpartition("/")[2],
            len(cards_in),
            sum(entries.get(card.path, 0) for card in cards_in),
            _bytes(seen, base, context),
            max((card.changed[:10] for card in cards_in), default=""),
        )
        for base, cards_in in cards.items()
    )


def _bytes(seen: Scan, base: str, context: Context) -> int:
    pages = (size for path, (size, *_) in seen.files.items() if is_in_folder(path, base))
    others = (path for path in seen.attachments if is_in_folder(path, base))
    return sum(pages) + sum((context.root / path).stat().st_size for path in others)
