"""A view of what is not private shows nothing of the first page that is, however it came."""

from __future__ import annotations

import pytest

SECRET = "---\nprivate: true\ntags: [hidden]\n---\n# Divorce\n\n- A zebra of the heron.\n"
ASKED = {
    "search": lambda ws: ws.search("heron"),
    "recall": lambda ws: ws.recall("what heron?", record=False),
    "list": lambda ws: ws.pages.list(),
    "digests": lambda ws: ws.pages.digests(),
    "suggest": lambda ws: ws.suggest("div"),
    "tags": lambda ws: ws.graph.tags(),
    "map": lambda ws: ws.graph.map(),
    "links": lambda ws: ws.graph.links("heron"),
    "browse": lambda ws: ws.browse(),
    "entries": lambda ws: ws.entries.list(),
    "check": lambda ws: ws.check.run().problems,
    "status": lambda ws: ws.index.status().pages,
    "why": lambda ws: ws.index.why("secret.md").found,
    "names": lambda ws: ws.pages.complete("page"),
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_a_view_that_was_made_before_shows_nothing_of_it(opened, root, asked):
    """
    --- heron.md ---
    # Heron

    A heron. [[Divorce]]
    """
    opened().sync()
    shown = opened().public()
    with shown.one_sweep():
        expected = asked(shown)
        (root / "secret.md").write_text(SECRET)
        opened().sync()
        found = asked(shown)
    assert not [word for word in ("secret.md", "zebra", "hidden") if word in str(found)]
    if isinstance(expected, int):
        assert found == expected
