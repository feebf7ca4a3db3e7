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


@pytest.mark.parametrize("word", ["true", "yes", "1", "TRUE", "wahr"])
def test_what_is_private_in_whatever_word_is_in_no_prompt(root, opened, put, word):
    put("memwiki.toml", '[layers]\nmemory = "memory.md"\n')
    put("memory.md", f"- The teapot code is 1234. [private:: {word}]\n- The teapot is red.\n")
    put("wiki/diary.md", f"---\nprivate: {word}\n---\n# Diary\n\nThe teapot code is 5678.\n")
    put("wiki/open.md", "---\nprivate: no\n---\n# Open\n\nThe teapot stands in the kitchen.\n")
    space = opened()
    answer = space.recall("what is the teapot code?")
    text, _ = space.inject("what is the teapot code?")
    shown = " ".join([text, space.prompt().text, *(hit.excerpt for hit in answer)])
    assert "1234" not in shown and "5678" not in shown
    assert "kitchen" in shown and "red" in shown
    assert "private" not in answer.left_out
    hidden = space.recall("what is the teapot code?", private=True)
    assert {"1234", "5678"} <= set(" ".join(hit.excerpt for hit in hidden).replace(".", "").split())


@pytest.mark.parametrize("value", ["[true, no]", "[no, true]", "\n  from: no", "[[], [x]]"])
def test_a_page_with_several_words_of_privacy_is_private_by_any_of_them(opened, put, value):
    put("diary.md", f"---\nprivate: {value}\n---\n# Diary\n\nThe teapot code is 5678.\n")
    put("open.md", "---\nprivate: [no, false]\n---\n# Open\n\nThe teapot stands there.\n")
    found = opened().recall("teapot")
    assert [hit.path for hit in found] == ["open.md"]
    assert found.left_out == {}


def test_a_private_message_is_not_recalled(three, put):
    head = "---\ntype: session\n---\n### 2026-01-01T10:00:00Z user [private:: yes] ^s-0001\n"
    put("sessions/talk.md", f"{head}The zorbet code is 4321.\n")
    found = three[0].recall("zorbet code")
    assert (found.hits, found.left_out) == ((), {})
