"""What the catalogs note beside the cards; apart, as every sync asks whether there is work to
do."""

from __future__ import annotations

from memwiki.index.cards.store import Cards

SETTLED = "catalogued"  # the tree digest of the pages when the catalogs were last right
FORMAT = "listed"  # under what version and settings the pages were listed


def is_settled(cards: Cards) -> bool:
    """Whether the catalogs are known to list the pages as they are."""
    return cards.state(SETTLED) == cards.tree()


def forget(cards: Cards) -> None:
    """Have everything listed anew the next time."""
    cards.note(FORMAT, "")
