"""An entry for people: its words, and every field that it has."""

from datetime import datetime

from memwiki.present import Look, as_text


def test_an_entry_shows_every_field_once(put, ws):
    put(
        "memory.md",
        "- Tea. [key:: drink] [importance:: 0.9] [because:: m-bbbbbb] [place:: x] ^m-aaaaaa\n",
    )
    shown = as_text(ws.entries.get("drink"), Look()).split("\n")
    assert shown[1:] == ["Tea.", "importance 0.9 · key drink · because m-bbbbbb · place x"]


def test_an_entry_that_what_was_said_later_ends_is_not_called_added_alone(ws):
    about = {"subject": "Anna", "topic": "city"}
    ws.entries.add("Anna is in Kiel.", **about, object="Kiel", at=datetime(2026, 10, 5))
    report = ws.entries.add("Anna is in Ulm.", **about, object="Ulm", at=datetime(2026, 9, 20))
    assert as_text(report, Look()).startswith("added as superseded m-")
