"""An entry for people: its words, and every field that it has."""

from memwiki.present import Look, as_text


def test_an_entry_shows_every_field_once(put, ws):
    put(
        "memory.md",
        "- Tea. [key:: drink] [importance:: 0.9] [because:: m-bbbbbb] [place:: x] ^m-aaaaaa\n",
    )
    shown = as_text(ws.entries.get("drink"), Look()).split("\n")
    assert shown[1:] == ["Tea.", "importance 0.9 · key drink · because m-bbbbbb · place x"]
