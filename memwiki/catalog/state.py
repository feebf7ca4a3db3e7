"""What the catalogs note beside the cards; apart, as every sync asks whether there is work to
do."""

from __future__ import annotations

from memwiki.index.cards.store import Cards
from memwiki.index.projection import EMPTY_TREE
from memwiki.index.storage_sqlite import ReplacedError

VERSION = "6"  # another number lists everything anew
SETTLED = "catalogued"  # by which version, and of which pages, the catalogs were last right
FORMAT = "listed"  # under what version and settings the pages were listed
TREE = "listed_tree"  # the tree digest of what was listed, which comes with all of it


def is_settled(cards: Cards) -> bool:
    """Whether the catalogs are known to list the pages as they are."""
    return cards.state(SETTLED) == settled_as(cards.tree())


def settled_as(tree: str) -> str:
    """What is noted when the catalogs are right for the pages of this tree digest."""
    return f"{VERSION} {tree}"


def was_listed(cards: Cards) -> bool:
    """Whether the pages were ever listed, so that there is something to show: not yet when the
    tables are there for it."""
    is_made = bool(cards.state(FORMAT))
    return is_made and (bool(cards.state(TREE)) or cards.tree() == EMPTY_TREE)


def require_listed(cards: Cards) -> None:
    """Raise ReplacedError where the pages were listed in a build whose place another one took."""
    if not was_listed(cards):
        raise ReplacedError("catalogs: the index was replaced meanwhile")


def forget(cards: Cards) -> None:
    """Have everything listed anew the next time."""
    cards.note(FORMAT, "")
