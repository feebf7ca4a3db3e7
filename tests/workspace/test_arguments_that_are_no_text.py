"""What is handed over from Python and is no text is refused as a malformed call."""

from __future__ import annotations

import pytest

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
