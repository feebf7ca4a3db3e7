"""The page that an entry is added or moved to is one of the workspace, there or to be made."""

import pytest

from memwiki.errors import MemwikiError


@pytest.mark.parametrize(
    "to", ["../out.md", "a\0.md", ".git/x.md", "/out.md", "con.md", "Wiki/x.md"]
)
def test_no_page_is_made_where_none_may_be(put, ws, to):
    put("memory.md", "- Likes tea. ^m-aaaaaa\n")
    put("wiki/tea.md", "# Tea\n")
    before = sorted(ws.root.rglob("*.md"))
    with pytest.raises(MemwikiError) as added:
        ws.entries.add("Is tall.", to=to)
    with pytest.raises(MemwikiError) as moved:
        ws.entries.move("m-aaaaaa", to)
    assert added.value.code == moved.value.code
    assert added.value.code in ("unsafe_path", "already_exists")
    assert sorted(ws.root.rglob("*.md")) == before


def test_a_page_that_is_not_there_is_made_a_page_of_entries(put, ws):
    put("memory.md", "- Likes tea. ^m-aaaaaa\n")
    assert ws.entries.add("Is tall.", to="wiki/Anna.md").added[0].path == "wiki/Anna.md"
    assert ws.pages.get("wiki/Anna.md").type == "memory"


def test_out_of_the_inbox_an_entry_is_staged_no_longer(put, opened):
    put("memwiki.toml", '[layers]\ninbox = "inbox"\nmemory = "memory.md"\n')
    put(
        "inbox/a.md",
        "# A\n\n- Likes tea. [status:: staged] [created:: 2026-01-01] ^m-aaaaaa\n- Is tall.\n",
    )
    ws = opened()
    ws.entries.move("m-aaaaaa", "inbox/b.md")
    assert ws.entries.get("m-aaaaaa").status == "staged"
    ws.entries.move("m-aaaaaa")
    now = ws.entries.get("m-aaaaaa")
    assert (now.path, now.status, now.created) == ("memory.md", "active", "2026-01-01")
    assert "- Is tall." in (ws.root / "inbox/a.md").read_text()
