"""Types of entries that nobody has used yet, and the known ones they may be a slip of."""

from __future__ import annotations

from difflib import get_close_matches

from memwiki.index.cards.entries import EntryCards
from memwiki.markdown.entry_types import BUILT_IN, type_of_heading
from memwiki.names import fold
from memwiki.sync.reading import Reading

_ALIKE = 0.85  # as tags are


def near_type(type_: str, view: Reading) -> str:
    """The known type that a new one is nearly spelled as; "" where it is known, or near none."""
    folded = fold(type_)
    if not folded or folded in BUILT_IN:
        return ""
    known = sorted({*BUILT_IN, *EntryCards(view.stores.cards.db).types(view.scope.sees)})
    if folded in known:
        return ""
    swapped = [each for each in known if sorted(each) == sorted(folded)]
    near = swapped or get_close_matches(folded, known, 1, _ALIKE)
    return type_of_heading(type_) or next(iter(near), "")
