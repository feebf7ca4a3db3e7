"""The published server itself, where it is there: what it lists, and random calls side by side."""

import json
import random

import pytest

from memwiki.adapters.reference_memory import RESOURCE, call, resource_text
from tests.adapters.reference_memory.published_server import PublishedServer, why_absent
from tests.adapters.reference_memory.test_reference_memory_table import GOLDEN

pytestmark = pytest.mark.skipif(bool(why_absent()), reason=why_absent() or "it is there")

NAMES = ["Anna", "anna", "Acme", "ACME ", "", "[[x]]", "a/b", "日本", "e\u0301", "x\ny", "\ud800"]
TYPES = ["person", "", "session", "x y"]
TEXTS = ["Sings", "~~a~~", "", "[x:: y]", "- knows [[Anna]]", "a\nb", "# h", "```", "private", "日"]
WORDS = ["knows", "works at", "", "is [[x]]"]


@pytest.fixture
def published(tmp_path):
    server = PublishedServer(tmp_path / "memory.jsonl")
    yield server
    server.close()


def test_the_golden_list_is_what_the_server_lists(published):
    assert published.ask("tools/list", {}) == json.loads(GOLDEN.read_text("utf-8"))
    (resource,) = published.ask("resources/list", {})["resources"]
    assert resource == RESOURCE


def random_call(draw):
    def some(pool, most=2):
        return draw.sample(pool, draw.randint(0, most))

    def relations():
        ends = zip(some(NAMES), some(NAMES), strict=False)
        return [{"from": a, "to": b, "relationType": draw.choice(WORDS)} for a, b in ends]

    return draw.choice(
        [
            (
                "create_entities",
                {
                    "entities": [
                        {"name": n, "entityType": draw.choice(TYPES), "observations": some(TEXTS)}
                        for n in some(NAMES, 3)
                    ]
                },
            ),
            ("create_relations", {"relations": relations()}),
            (
                "add_observations",
                {"observations": [{"entityName": n, "contents": some(TEXTS)} for n in some(NAMES)]},
            ),
            ("delete_entities", {"entityNames": some(NAMES, 1)}),
            (
                "delete_observations",
                {
                    "deletions": [
                        {"entityName": n, "observations": some(TEXTS)} for n in some(NAMES)
                    ]
                },
            ),
            ("delete_relations", {"relations": relations()}),
            ("search_nodes", {"query": draw.choice(TEXTS + NAMES)}),
            ("open_nodes", {"names": some(NAMES)}),
            ("open_nodes", {"names": draw.choice([None, 3, [4], "x", [[]]])}),
            ("read_graph", {}),
        ]
    )


def comparable(structured):
    """Relations come in another order."""
    if not structured or "relations" not in structured:
        return structured
    return {**structured, "relations": sorted(map(json.dumps, structured["relations"]))}


def test_random_calls_are_answered_alike(ws, published):
    draw = random.Random(20261122)
    for _ in range(40):
        name, arguments = random_call(draw)
        theirs, ours = published.call(name, arguments), call(ws, name, arguments, max_tokens=0)
        assert ours.is_error == theirs.get("isError", False), (name, arguments)
        expected = comparable(theirs.get("structuredContent"))
        assert comparable(ours.structured) == expected, (name, arguments)
        if "relations" not in (ours.structured or {}):
            assert ours.text == theirs["content"][0]["text"]
    (resource,) = published.ask("resources/read", {"uri": RESOURCE["uri"]})["contents"]
    whole = comparable(json.loads(resource["text"]))
    assert comparable(json.loads(resource_text(ws))) == whole
