"""What the last conversations were about is in the block for a prompt."""

from __future__ import annotations

import pytest

from tests.proposals.conftest import PAGES


@pytest.fixture
def space(opened, write_blocks):
    write_blocks(PAGES)
    return opened()


def test_the_summaries_of_the_last_sessions_are_in_a_prompt(space):
    for number in range(5):
        name = f"talk-{number}"
        space.session(name).add_message("user", "Hello.")
        space.session(name).end(f"Of matter number {number}.")
    text = space.prompt(budget=2000).text
    assert "## Earlier Conversations\n" in text
    assert text.count("Of matter number") == 3
    assert "| sessions/talk-4.md#L" in text or "| sessions/talk-" in text
    assert "Anna lives in Berlin." in text
    assert "Of matter" not in space.prompt(space.recall("tea"), core=False).text


def test_a_session_without_a_summary_and_a_private_one_are_not(space, root):
    file = root / "sessions/secret.md"
    file.write_text(
        "---\ntype: session\nprivate: true\n---\n\n### 2026-11-20T10:00:00Z user ^s-0001\nHello.\n"
        "\n## Summary\n\nOf a secret matter.\n",
        "utf-8",
    )
    text = space.prompt(budget=2000).text
    assert "Earlier Conversations" not in text and "secret" not in text


def test_a_heading_in_a_message_is_no_summary(space):
    space.session("talk").add_message("user", "## Summary\n\nNot one.")
    assert "Not one." not in space.prompt(budget=2000).text


def test_memories_come_before_summaries_where_room_is_short(space):
    space.session("talk").end("Of tea and of Kiel. " * 40)
    text = space.prompt(budget=150).text
    assert "Anna lives in Berlin." in text and "Of tea and of Kiel." not in text
