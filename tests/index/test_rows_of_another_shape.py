"""A row that is not of the shape that was written is damage where it is read, and healed."""

from __future__ import annotations

import pytest

ROWS = {
    "problems": (
        "update page set problems='{{[' where path='bad.md'",
        lambda ws: ws.index.why("bad.md").found,
    ),
    "links of a page": (
        "update link set links=x'00' || links",
        lambda ws: len(ws.graph.unresolved().links),
    ),
    "page of a link": ("update link set page=99", lambda ws: len(ws.graph.unresolved().links)),
    "tags of a unit": (
        "update unit set tags='['",
        lambda ws: ws.search("tea").total,
    ),
    "places of units": (
        "update place set places=x'00' || places",
        lambda ws: ws.search("tea").total,
    ),
}


@pytest.mark.parametrize("what", ROWS)
def test_a_row_that_rotted_under_the_same_signature_is_healed(settled, what):
    """
    --- a.md ---
    heron [[b]] [[nowhere]]
    --- b.md ---
    stork
    --- memory.md ---
    - Likes tea. #drink
    --- bad.md ---
    ---
    tags: [a
    ---
    """
    harm, ask = ROWS[what]
    expected = ask(settled)
    stores = settled.live.stores()
    stores.cards.db.execute(harm)
    stores.note_intact()  # as if nobody could tell
    assert ask(settled) == expected
    assert len(settled.take_warnings()) == 1
