"""What a namespace holds is recalled there alone, and long messages as one."""

import pytest

SETTINGS = """
[layers]
memory = "memory.md"
sessions = "sessions"
archive = "archive"
namespaces = "namespaces"
"""


@pytest.fixture
def three(root, opened, put):
    (root / "memwiki.toml").write_text(SETTINGS)
    for name in ("", "namespaces/a/", "namespaces/b/"):
        put(f"{name}memory.md", f"- The teapot of {name or 'all'} is red. ^m-{len(name):06}\n")
    return opened(), opened(namespace="a"), opened(namespace="*")


def test_each_recalls_its_own(three):
    found = [{hit.path for hit in space.recall("where is the teapot?")} for space in three]
    assert found == [
        {"memory.md"},
        {"namespaces/a/memory.md"},
        {"memory.md", "namespaces/a/memory.md", "namespaces/b/memory.md"},
    ]
    assert [{hit.path for hit in space.recall("where is the teapot?")} for space in three] == found


def test_the_core_of_a_prompt_is_that_of_the_namespace(three):
    assert "namespaces/a" in three[1].prompt().text
    assert "namespaces" not in three[0].prompt().text


def test_a_long_message_is_recalled_among_sessions(three):
    said = "\n\n".join(f"Paragraph {n} speaks of weather and boats. " * 8 for n in range(12))
    three[0].session("talk").add_message("user", f"{said}\n\nThe teapot broke yesterday.\n\n{said}")
    found = three[0].recall("when did the teapot break?", channel="sessions").hits
    assert [(hit.path, str(hit.kind)) for hit in found] == [("sessions/talk.md", "message")]
    assert "broke yesterday" in found[0].excerpt
