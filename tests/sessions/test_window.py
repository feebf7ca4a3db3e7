"""What is past the window, and what is compacted: examples of the rules."""

from memwiki.config.schema import SessionConfig
from memwiki.nouns import Message
from memwiki.sessions.views import compactable, first_kept, in_a_line, window_messages
from tests.effort import for_each


def said(roles: str) -> list[Message]:
    """u, a, t and s for user, assistant, tool and system."""
    names = {"u": "User", "a": "assistant", "t": "tool", "s": "system"}
    return [Message(names[role], "x" * 400, i, i) for i, role in enumerate(roles)]


@for_each(
    ("roles", "turns", "most", "first"),
    [
        ("uauaua", 2, None, 2),  # a turn is a user message and what follows it
        ("uauaua", 3, None, 0),
        ("saua", 1, None, 0),  # what stands before the first turn is none
        ("sauaua", 1, None, 4),
        ("utatata", 1, None, 0),
        ("uuuu", 2, None, 2),
        ("uauaua", 50, 4, 2),
        ("uauaua", 50, 3, 4),  # it begins with a turn
        ("utatata", 50, 3, 4),  # where there is one
        ("uaua", 1, 50, 2),
        ("", 1, 1, 0),
        ("aaa", 1, None, 0),
    ],
)
def test_the_oldest_are_past_the_window(roles, turns, most, first):
    settings = SessionConfig(max_turns=turns, max_messages=most)
    assert first_kept(said(roles), settings) == first


@for_each(("keep", "lines"), [(0, [1, 3, 5]), (2, [1]), (3, []), (5, [])])
def test_all_tool_results_but_the_newest_are_compacted(keep, lines):
    found = compactable(said("utatat"), SessionConfig(keep_recent=keep))
    assert [each.line_start for each in found] == lines


def test_short_and_compacted_results_are_not_compacted():
    short = Message("tool", "ok", 1, 1)
    done = Message("tool", "x" * 400, 2, 2, fields={"compacted": "900"})
    assert compactable([short, done], SessionConfig(keep_recent=0)) == []


def test_the_window_cuts_results_only_where_all_are_too_long():
    messages = said("uatatata")
    sliding = SessionConfig("sliding_window", max_turns=1, keep_recent=1)
    assert window_messages(messages, SessionConfig()) == messages
    assert window_messages(messages, sliding) == messages
    tight = window_messages(messages, sliding._replace(context_window=500, reserved_tokens=100))
    assert [each.text == "x" * 400 for each in tight] == [
        *[True] * 2,
        False,
        True,
        False,
        *[True] * 3,
    ]
    assert tight[2].text == "Result of 400 characters, left out." == in_a_line(messages[2])
