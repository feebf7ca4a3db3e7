"""The LangGraph store: pages that people edit, against the framework's own store in memory."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from memwiki.adapters.frameworks.langgraph_store import (
    _MAX_BYTES,
    StoredPage,
    item_of,
    page_text,
    path_of,
    read_page,
    store,
)
from memwiki.files.paths import why_unsafe
from memwiki.workspace import Workspace
from tests.waiting import PATIENCE_S

ODD = (
    ["a\n", "---", "x # y", "a: b", "yes", "1.0", "'a'", "\ud800", "\r\n x y", "[a, b]", "- x"],
    ["```json exact\n{}\n```", "<!-- memwiki:catalog:begin -->\n a", "\n a b \n", "e\u0301 x"],
)
TEXTS = st.text() | st.sampled_from([*ODD[0], *ODD[1]])
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS
VALUES = st.recursive(
    LEAVES, lambda each: st.lists(each) | st.dictionaries(TEXTS, each), max_leaves=6
)
KEYS = st.sampled_from(["content", "text", "created", "body", "item", "tags"]) | TEXTS
ODD_NAMES = [
    "/a/../b",
    "a\\b",
    "%2f",
    "%252e",
    "=2f",
    "..",
    "C:",
    "a\0",
    "~",
    "\u202e",
    "a.",
    "\ud800",
]
NAMES = st.text(min_size=1) | st.sampled_from(
    ["User", "user", "x" * 300, "index", "con", ".a", *ODD_NAMES]
)


@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_any_json_comes_back_from_its_page(value):
    text = page_text(StoredPage(value, "2026-11-21", "2026-11-22"))
    text.encode()
    assert "<!-- memwiki:" not in text
    read = read_page(text)
    assert (read.created, read.updated, read.item) == ("2026-11-21", "2026-11-22", ())
    assert json.dumps(read.value, sort_keys=True) == json.dumps(value, sort_keys=True)


@given(st.lists(NAMES, max_size=3), NAMES)
def test_any_name_is_a_file_and_is_read_from_it(namespace, key):
    path = path_of(tuple(namespace), key)
    assert all(0 < len(part.encode()) <= 124 for part in path.split("/"))
    assert path == path.casefold()
    assert not why_unsafe(path)
    if "~" not in path:
        assert item_of(path) == (tuple(namespace), key)


@pytest.fixture
def items(ws):
    pytest.importorskip("langgraph.store.base", reason="pip install 'memwiki[langgraph]'")
    return store(ws)


def test_a_page_that_a_person_edits_is_another_value(ws, items):
    items.put(("users", "Anna"), "likes", {"content": "Herons.", "n": 1, "deep": {"a": [None]}})
    page = ws.root / "store/users/%41nna/likes.md"
    before = items.get(("users", "Anna"), "likes")
    text = page.read_text().replace("Herons.", "Storks.")
    text = text.replace("---\n\n", "tags:\n  - a\n---\n\n")
    page.write_text(text)
    after = items.get(("users", "Anna"), "likes")
    assert after.value == {"content": "Storks.", "n": 1, "deep": {"a": [None]}, "tags": ["a"]}
    assert after.created_at == before.created_at
    items.put(("users", "Anna"), "likes", {"content": "Cranes."})
    kept = items.get(("users", "Anna"), "likes")
    assert kept.created_at == before.created_at
    assert kept.updated_at >= before.updated_at
    ws.undo()
    assert page.read_text() == text


def test_a_question_puts_what_answers_it_first_with_a_score(items):
    for key, text in {"a": "Slides are blue.", "b": "Herons nest in trees."}.items():
        items.put(("notes",), key, {"text": text}, ttl=5, index=False)
    items.put(("others",), "c", {"text": "Herons fly."})
    found = items.search(("notes",), query="where do herons nest?")
    assert [(each.key, each.score is None) for each in found] == [("b", False), ("a", True)]
    asked = asyncio.run(items.asearch(("notes",), query="herons", filter={"text": {"$ne": "x"}}))
    assert asked[0].value == {"text": "Herons nest in trees."}


def test_a_long_name_is_listed_as_it_is(items):
    namespace = ("x" * 300, "y")
    items.put(namespace, "z" * 300, {"n": 1})
    assert items.list_namespaces() == [namespace]
    assert [each.key for each in items.search(namespace[:1])] == ["z" * 300]
    longest = max(map(len, path_of(("ä" * 300,), "z" * 300).encode().split(b"/")))
    assert longest <= _MAX_BYTES


def test_any_key_is_an_item(items):
    for key in ODD_NAMES:
        items.put(("odd",), key, {"content": key})
    assert all(items.get(("odd",), key).value == {"content": key} for key in ODD_NAMES)
    assert {each.key for each in items.search(("odd",), limit=50)} == {*ODD_NAMES}
    items.put(("a/b", "c:d"), "k", {})
    assert ("a/b", "c:d") in items.list_namespaces()


def test_what_processes_put_at_once_is_all_there(ws, items):
    script = """if True:
        import sys
        from memwiki import Workspace
        from memwiki.adapters.frameworks.langgraph_store import store
        made = store(Workspace.open(sys.argv[1]))
        for n in range(5):
            made.put(("n",), sys.argv[2] + str(n), {"n": n})
            made.put(("n",), "both", {"one": sys.argv[2], "two": sys.argv[2]})
    """
    run = [sys.executable, "-c", script, str(ws.root)]
    started = [subprocess.Popen([*run, name]) for name in "ab"]
    assert [each.wait(PATIENCE_S) for each in started] == [0, 0]
    assert len(items.search(("n",), limit=20)) == 11
    both = items.get(("n",), "both").value
    assert both in ({"one": "a", "two": "a"}, {"one": "b", "two": "b"})


class AsInMemory(RuleBasedStateMachine):
    """The same operations on both give the same answers."""

    spaces = st.sampled_from([("a",), ("a", "b"), ("A",), ("c", "b", "d")])
    keys = st.sampled_from(["k", "K", "index", "long one"])

    def __init__(self):
        from langgraph.store.memory import InMemoryStore

        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.ws = Workspace.adopt(Path(self.folder.name))
        self.ours, self.theirs = store(self.ws), InMemoryStore()

    def teardown(self):
        self.ws.close()
        self.folder.cleanup()

    @rule(space=spaces, key=keys, n=st.integers(0, 3), text=TEXTS)
    def put(self, space, key, n, text):
        for each in (self.ours, self.theirs):
            each.put(space, key, {"n": n, "text": text, "in": {"n": n}})
            assert each.get(space, key).value["text"] == text

    @rule(space=spaces, key=keys)
    def delete(self, space, key):
        for each in (self.ours, self.theirs):
            each.delete(space, key)
            assert each.get(space, key) is None

    @rule(
        space=spaces | st.just(()),
        wanted=st.sampled_from(
            [{"n": 1}, {"n": {"$gt": 0, "$lte": 2}}, {"n": {"$ne": 1}}, {"in": {"n": {"$gte": 2}}}]
        ),
    )
    def search(self, space, wanted):
        found = [
            {(each.namespace, each.key, each.value["n"], each.value["text"]) for each in answer}
            for answer in (
                one.search(space, filter=wanted, limit=50) for one in (self.ours, self.theirs)
            )
        ]
        assert found[0] == found[1]

    @rule(depth=st.none() | st.integers(1, 3), prefix=st.sampled_from([None, ("a",), ("*", "b")]))
    def namespaces(self, depth, prefix):
        held = {each.namespace for each in self.theirs.search((), limit=50)}
        listed = self.theirs.list_namespaces(prefix=prefix, limit=50)  # emptied ones, too
        wanted = sorted({each[:depth] for each in listed if each in held})
        assert self.ours.list_namespaces(prefix=prefix, max_depth=depth, limit=50) == wanted


def test_a_text_that_would_make_its_page_a_catalog_comes_back(opened):
    pytest.importorskip("langgraph.store.base", reason="pip install 'memwiki[langgraph]'")
    kept = store(opened())
    for text in ("<!-- memwiki:catalog:begin -->", "A text.\n<!-- memwiki:catalog:begin -->\nmore"):
        kept.put(("a",), "k", {"text": text, "content": text})
        assert kept.get(("a",), "k").value == {"text": text, "content": text}


def test_any_history_of_operations_ends_as_in_memory():
    pytest.importorskip("langgraph.store.base", reason="pip install 'memwiki[langgraph]'")
    few = settings(max_examples=5, stateful_step_count=12, deadline=None)
    run_state_machine_as_test(AsInMemory, settings=few)


def test_a_filter_names_a_field_within_others_with_dots(opened):
    made = store(opened())
    made.put(("users",), "anna", {"user": {"home": {"city": "Oslo"}, "age": 41}})
    made.put(("users",), "bob", {"user": {"home": {"city": "Rome"}, "age": 9}, "user.age": 50})

    def keys(**wanted):
        return [item.key for item in made.search(("users",), filter=wanted)]

    assert keys(**{"user.home.city": "Oslo"}) == ["anna"]
    assert keys(**{"user.home.city": {"$ne": "Oslo"}}) == ["bob"]
    assert sorted(keys(**{"user.age": {"$gte": 41}})) == ["anna", "bob"]  # a name with a dot first
    assert keys(**{"user.home": {"city": "Rome"}}) == ["bob"]
    assert keys(**{"user.home.city.name": "Oslo"}) == keys(**{"nobody.x": 1}) == []
