"""What is handed over from Python and is no text is refused as a malformed call."""

from __future__ import annotations

import pytest

from memwiki.answers.entries import Entity
from memwiki.errors import UsageError
from tests.effort import for_each

CALLS = {
    "search": lambda ws, value: ws.search(value),
    "recall": lambda ws, value: ws.recall(value),
    "get": lambda ws, value: ws.pages.get(value),
    "outline": lambda ws, value: ws.pages.outline(value),
    "new": lambda ws, value: ws.pages.new(value),
    "append to": lambda ws, value: ws.pages.append(value, "x"),
    "append": lambda ws, value: ws.pages.append("a", value),
    "replace": lambda ws, value: ws.pages.replace("a", value),
    "links": lambda ws, value: ws.graph.links(value),
    "around": lambda ws, value: ws.graph.around(value),
    "tag": lambda ws, value: ws.pages.tag_add(value, ["x"]),
    "set": lambda ws, value: ws.pages.set(value, {"status": "draft"}),
    "move": lambda ws, value: ws.pages.move(value, "b"),
    "move to": lambda ws, value: ws.pages.move("a", value),
    "delete": lambda ws, value: ws.pages.delete(value),
    "history": lambda ws, value: ws.pages.history(value),
    "status": lambda ws, value: ws.index.why(value),
    "entry": lambda ws, value: ws.entries.get(value),
    "similar": lambda ws, value: ws.entries.similar(value),
}


@for_each("call", CALLS.values())
def test_what_is_no_text_is_a_malformed_call(reading, call):
    ws = reading({"a.md": "# A\n"})
    for value in (None, 5, b"tea"):
        with pytest.raises(UsageError, match="is not text"):
            call(ws, value)
    assert ws.pages.get("a").text == "# A\n"


def test_one_text_in_the_place_of_a_list_is_one_text(reading):
    ws = reading({"a.md": "# A\n", "memwiki.toml": '[layers]\nsessions = "sessions"\n'})
    ws.pages.new("b.md", tags="work")
    ws.pages.tag_add("b", "home")
    ws.pages.tag_remove("b", "work")
    assert ws.pages.get("b").tags == ("home",)
    ws.pages.set("b", {"mood": "good"})
    ws.pages.set("b", {}, unset="mood")
    assert "mood" not in ws.pages.get("b").text
    entry = ws.entries.add("Hello big world.", type="fact").added[0]
    assert ws.entries.set_tags(entry.id, "work") and ws.entries.get(entry.id).tags == ("work",)
    assert ws.entries.list(types="fact", tags="work").total == 1
    assert ws.recall("hello world", types="fact").total == 1
    assert ws.entries.record_skill("Brew tea", "Boil").text == "Brew tea\n- Boil"
    assert ws.sessions.start("q", participants="Anna").participants == ("Anna",)
    assert {each.path for each in ws.check.run("a.md", only="orphan")} == {"a.md"}
    assert [each.key for each in ws.settings.list("recall.depth").settings] == ["recall.depth"]
    ws.knowledge.create_entities([Entity("Anna", "person", ["drinks tea"])])
    assert [each.name for each in ws.knowledge.open_nodes("Anna").entities] == ["Anna"]
    ws.knowledge.delete_entities("Anna")
    assert ws.knowledge.read_graph().entities == ()
    assert ws.sync("a.md").failed == ()


@for_each("value", [{"b": 1}, {"b": "c"}, 5, None, ["x", 3], ["x", ["y"]], b"x"])
def test_a_field_that_is_neither_text_nor_a_list_of_texts_is_refused(reading, value):
    ws = reading({"a.md": "# A\n"})
    for name in ("mood", "tags"):
        with pytest.raises(UsageError, match="is not text"):
            ws.pages.set("a", {name: value})
    assert ws.pages.get("a").text == "# A\n"
