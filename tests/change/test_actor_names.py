"""Who made a change: any text becomes one short line that the journal gives back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memwiki.change.journal import JournalEntry, addition, entry_text, read_entries
from memwiki.change.plan import MAX_ACTOR_CHARS, actor_of, is_called
from tests.effort import for_each

ANY = st.text(st.characters(codec=None), max_size=300) | st.sampled_from(
    ["by: x", "## [2026-01-01] a | b", "- 2026-01-01 — x", "a\n## 2026-01-01", "x" * 99 + " y"]
)
DETAILS = st.lists(st.sampled_from(["created: [[a]]", "2026-01-01: x", "x"]), max_size=3).map(tuple)


@given(ANY, DETAILS)
def test_any_actor_stays_one_line_of_the_entry_he_made(text, details):
    by = actor_of(text)
    assert (bool(by), len(by) <= MAX_ACTOR_CHARS, by.isprintable()) == (bool(text), True, True)
    assert actor_of(by) == by
    entry = JournalEntry("2026-09-01", "move", "a", details, by=by)
    later = JournalEntry("2026-09-02", "create", "b", by="other")
    held = addition(b"", entry)
    found = list(read_entries((held + addition(held, later)).decode().split("\n")))
    assert [each._replace(line=0) for each in found] == [entry, later]


def test_names_keep_what_can_be_read():
    assert actor_of("claude-code/2.1 via mcp") == "claude-code/2.1 via mcp"
    assert actor_of(" 张 三\u202e\n\x1b[2J\ud800 ") == "张 三 (2J"
    assert actor_of("[[page]] `x` #tag <b>") == "((page)) 'x' -tag (b)"
    assert (actor_of(""), actor_of("\0\u202e"), actor_of("x" * 2_000_000)) == (
        "",
        "unknown",
        "x" * 100,
    )


@for_each(
    ("by", "wanted", "is_so"),
    [
        ("claude-code/2.1 via mcp", "Claude-Code", True),
        ("claude-code/2.1 via mcp", "claude-code/2.1 via mcp", True),
        ("claude-code/2.1 via mcp", "code", False),
        ("", "x", False),
    ],
)
def test_an_actor_is_found_by_the_beginning_of_his_name(by, wanted, is_so):
    assert is_called(by, wanted) is is_so


def test_a_line_that_no_actor_wrote_is_a_detail():
    for line in ("by: " + "x" * 101, "by: [[a]]", "by: "):
        text = f"## [2026-09-01] move | a\n- {line}\n"
        (entry,) = read_entries(text.split("\n"))
        assert (entry.by, entry.details) == ("", (line.strip(),))
    assert entry_text(JournalEntry("2026-09-01", "move", "a", by="bob")).endswith("a\n- by: bob\n")
