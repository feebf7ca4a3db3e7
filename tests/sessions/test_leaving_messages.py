"""What leaves a session goes to the archive as it was, and a line says so; undo brings it back."""

import shutil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memwiki.errors import ConfigError, NotEditableError, NotFoundError
from memwiki.markdown.parse import parse
from memwiki.nouns import Layers

LONG = "result\n" * 100
NO_ARCHIVE = '[layers]\nsessions = "sessions"\n'


def files(root):
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*.md")
        if path.name != "log.md"
    }


def test_under_a_sliding_window_the_oldest_turns_leave(space, text_of, root):
    ws = space('strategy = "sliding_window"', "max_turns = 1")
    talk = ws.session("talk")
    for text in ("one", "```\ntwo", "three"):
        asked = talk.add_message("user", text)
        added = talk.add_message("assistant", f"re: {text}")
    assert added.notes == ()
    assert asked.notes
    assert (asked.message.id, asked.message.line_start) == ("s-0005", 8)  # where it is now
    assert text_of("sessions/talk.md") == (
        "---\ntype: session\nstarted: 2026-11-21T10:00:00Z\n---\n\n"
        "4 earlier messages (28 characters) moved to [[archive/sessions/talk]].\n\n"
        "### 2026-11-21T10:00:00Z user ^s-0005\nthree\n\n"
        "### 2026-11-21T10:00:00Z assistant ^s-0006\nre: three\n"
    )
    assert text_of("archive/sessions/talk.md") == (
        "---\ntype: session\nstarted: 2026-11-21T10:00:00Z\n---\n\n"
        "### 2026-11-21T10:00:00Z user ^s-0001\none\n\n"
        "### 2026-11-21T10:00:00Z assistant ^s-0002\nre: one\n\n"
        "### 2026-11-21T10:00:00Z user [form:: exact] ^s-0003\n````\n```\ntwo\n````\n\n"
        "### 2026-11-21T10:00:00Z assistant ^s-0004\nre: ```\ntwo\n"
    )
    assert [m.text for m in talk.window()] == ["three", "re: three"]
    assert [m.id for m in talk.history()] == [f"s-000{i}" for i in range(1, 7)]
    assert talk.history(5)[0].path == "archive/sessions/talk.md"
    assert (root / "log.md").read_text().count(
        "] window | moved 2 messages of sessions/talk.md"
    ) == 2


def test_undo_brings_back_what_left(space, root):
    ws = space('strategy = "sliding_window"', "max_turns = 1")
    talk = ws.session("talk")
    talk.add_message("user", "one")
    talk.add_message("user", "two")
    ws.undo()
    assert [m.text for m in ws.sessions.get("talk")] == ["one", "two"]
    assert list(files(root)) == ["sessions/talk.md"]


def test_without_an_archive_nothing_leaves_and_the_window_narrows(space, root):
    ws = space('strategy = "sliding_window"', "max_turns = 1", layers=NO_ARCHIVE)
    talk = ws.session("talk")
    for text in ("one", "two"):
        talk.add_message("user", text)
    assert [m.text for m in talk.window()] == ["two"]
    assert [m.text for m in talk.history()] == ["one", "two"]
    for verb in (talk.compact, talk.purge):
        with pytest.raises(ConfigError, match="no archive"):
            verb()
    assert list(files(root)) == ["sessions/talk.md"]


def test_with_the_strategy_full_nothing_leaves_by_itself(space):
    ws = space("max_turns = 1", "context_window = 10")
    for text in ("one", "two", LONG):
        ws.session("talk").add_message("tool" if text == LONG else "user", text)
    assert len(ws.session("talk").window()) == 3


def test_what_a_window_leaves_over_is_compacted_when_it_is_too_long(space):
    ws = space('strategy = "sliding_window"', "context_window = 300", "reserved_tokens = 0",
               "keep_recent = 1")  # fmt: skip
    talk = ws.session("talk")
    talk.add_message("user", "go")
    talk.add_message("tool", LONG)
    added = talk.add_message("tool", LONG)
    assert added.notes == ("compacted 1 tool result of sessions/talk.md",)
    assert [len(m.text) for m in talk.window()] == [2, 61, 700]


def test_compaction_leaves_a_line_and_keeps_the_rest(space, root, text_of):
    ws = space("keep_recent = 1")
    talk = ws.session("talk")
    talk.add_message("user", "look")
    talk.add_message("tool", LONG, "ls")
    talk.add_message("tool", "short", "ls")
    talk.add_message("tool", LONG, "ls")
    before = files(root)
    assert talk.compact(dry_run=True).diff
    talk.compact()
    assert (
        "### 2026-11-21T10:00:00Z tool [name:: ls] [compacted:: 700] ^s-0002\n"
        "Result of 700 characters, moved to [[archive/sessions/talk]].\n\n"
        "### 2026-11-21T10:00:00Z tool [name:: ls] ^s-0003\nshort\n"
    ) in text_of("sessions/talk.md")
    assert [m.text for m in talk.history()] == ["look", LONG, "short", LONG]
    assert talk.compact().paths == ()
    ws.undo()
    assert files(root) == before


def test_what_was_compacted_leaves_without_its_line(space, text_of):
    ws = space('strategy = "sliding_window"', "max_turns = 1", "keep_recent = 0")
    talk = ws.session("talk")
    talk.add_message("user", "one")
    talk.add_message("tool", LONG)
    talk.compact()
    talk.add_message("user", "two")
    archived = text_of("archive/sessions/talk.md")
    assert archived.count("^s-0002") == 1
    assert "compacted" not in archived
    assert {m.id: m.text for m in talk.history()} == {
        "s-0001": "one",
        "s-0002": LONG,
        "s-0003": "two",
    }


def test_a_purged_session_is_in_the_archive_and_undo_brings_it_back(space, root):
    ws = space()
    talk = ws.session("talk")
    talk.add_message("user", "one")
    before = files(root)
    assert talk.purge().title == "moved sessions/talk.md to archive/sessions/talk.md: 1 message"
    assert files(root) == {"archive/sessions/talk.md": before["sessions/talk.md"]}
    with pytest.raises(NotFoundError, match="no session"):
        talk.purge()
    ws.undo()
    assert files(root) == before


def test_a_purge_puts_together_what_left_before(space, root, text_of):
    ws = space('strategy = "sliding_window"', "max_turns = 1", "keep_recent = 0")
    talk = ws.session("talk")
    for text in ("one", "two", "three"):
        talk.add_message("user", text)
    talk.add_message("tool", LONG)
    talk.compact()
    talk.end("What it was about.")
    before = files(root)
    talk.purge()
    whole = text_of("archive/sessions/talk.md")
    assert sorted(m for m in whole.split() if m.startswith("^s-")) == [
        f"^s-000{i}" for i in range(1, 5)
    ]
    assert "ended: 2026" in whole
    assert whole.endswith("What it was about.\n")
    assert "earlier message" not in whole
    assert "compacted" not in whole
    ws.undo()
    assert files(root) == before


def test_two_sessions_of_one_name_keep_what_each_says_of_itself(space, put, text_of):
    ws = space()
    put(
        "archive/sessions/talk.md",
        "---\ntype: session\nstarted: 2026-01-01\nmood: calm\n---\nBefore.\n",
    )
    ws.sessions.start("talk", participants=["Anna"])
    ws.session("talk").add_message("user", "one")
    ws.session("talk").purge()
    assert text_of("archive/sessions/talk.md") == (
        "---\ntype: session\nstarted: 2026-01-01\nparticipants: [Anna]\nmood: calm\n---\n\n"
        "Before.\n\n### 2026-11-21T10:00:00Z user ^s-0001\none\n"
    )


def test_an_id_means_one_message_for_ever(space):
    ws = space()
    ws.session("talk").add_message("user", "one")
    ws.session("talk").purge()
    assert ws.session("talk").add_message("user", "two").message.id == "s-0002"
    ws.session("talk").purge()
    assert ws.session("talk").add_message("user", "three").message.id == "s-0003"
    assert [m.text for m in ws.session("talk").history()] == ["one", "two", "three"]


def test_a_hard_purge_keeps_nothing(space, root):
    ws = space()
    talk = ws.session("talk")
    talk.add_message("user", "secret one")
    talk.purge()
    talk.add_message("user", "secret two")
    talk.end("secret three")
    edited = talk.purge(hard=True)
    assert edited.title == "purged sessions/talk.md for good: 1 message"
    assert "git may still have it" in edited.notes[-1]
    assert files(root) == {}
    with pytest.raises(NotFoundError):
        ws.undo()
    kept = [path for path in root.rglob("*") if path.is_file() and b"secret" in path.read_bytes()]
    assert kept == []


def test_a_hard_purge_also_reaches_what_is_in_the_archive_alone(space, root):
    ws = space()
    ws.session("talk").add_message("user", "secret")
    ws.session("talk").purge()
    title = ws.session("talk").purge(hard=True).title
    assert title == "purged archive/sessions/talk.md for good: 1 message"
    assert files(root) == {}
    with pytest.raises(NotFoundError, match="no session"):
        ws.session("talk").purge(hard=True)


TEXT = st.text(st.sampled_from("ab# \n\\`-="), max_size=12) | st.just(LONG)
SAID = st.lists(st.tuples(st.sampled_from(["user", "tool", "assistant"]), TEXT), max_size=8)


@given(SAID)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=10)
def test_whatever_leaves_all_that_was_said_is_there(space, root, said):
    shutil.rmtree(root / "sessions", ignore_errors=True)
    shutil.rmtree(root / "archive", ignore_errors=True)
    ws = space('strategy = "sliding_window"', "max_turns = 1", "context_window = 200",
               "reserved_tokens = 0", "keep_recent = 0")  # fmt: skip
    talk = ws.session("talk")
    texts = {talk.add_message(role, text).message.id: text for role, text in said}
    assert {m.id: m.text for m in (talk.history() if said else ())} == texts
    if said:
        talk.purge()
        ws.undo()
        talk.purge()
        whole = parse("a.md", (root / "archive/sessions/talk.md").read_bytes(), Layers())
        assert {m.id: m.text for m in whole.messages} == texts


@pytest.mark.parametrize(
    "by_hand",
    [
        b"# Talk\r\n\r\nBefore.\r\n\r\n### user\r\none\r\n\r\n"
        b"### assistant\r\nre\r\n\r\n### user\r\ntwo\r\n",
        b"before\n### user\none\n\n\n### assistant\nre\n### user\ntwo",
    ],
)
def test_old_messages_of_a_hand_written_page_leave_as_they_are(space, put, root, by_hand):
    put("sessions/talk.md", by_hand)
    ws = space('strategy = "sliding_window"', "max_turns = 2")
    talk = ws.session("talk")
    talk.add_message("user", "three")
    assert [m.text for m in talk.history()] == ["one", "re", "two", "three"]
    assert [m.text for m in talk.window()] == ["two", "three"]
    data = (root / "sessions/talk.md").read_bytes()
    assert data.startswith(by_hand[: by_hand.index(b"###")])
    assert b"### user\r\ntwo\r\n" in data or b"### user\ntwo\n" in data


def test_a_window_that_cannot_move_is_a_note(space, put, root):
    ws = space('strategy = "sliding_window"', "max_turns = 1")
    put("archive/sessions/talk.md", b"\xff\xfe")
    ws.session("talk").add_message("user", "one")
    added = ws.session("talk").add_message("user", "two")
    assert "the window did not move" in added.notes[0]
    assert [m.text for m in ws.sessions.get("talk")] == ["one", "two"]


# --- the end -------------------------------------------------------------------------------------


def test_the_end_is_noted_and_the_summary_is_searched(space, text_of, root):
    ws = space()
    talk = ws.session("talk")
    talk.add_message("user", "Where do they nest?")
    before = files(root)
    talk.end("# Herons\n\nThey nest in plane trees.\n---")
    assert text_of("sessions/talk.md").endswith(
        "\n## Summary\n\n\\# Herons\n\nThey nest in plane trees.\n\\---\n"
    )
    view = ws.sessions.get("talk")
    assert (view.ended, view.summary) == (
        "2026-11-21T10:00:00Z", "# Herons\n\nThey nest in plane trees.\n---"
    )  # fmt: skip
    assert "plane trees" in ws.search("plane trees").hits[0].excerpt
    talk.end("Shorter.")
    assert ws.sessions.get("talk").summary == "Shorter."
    assert ws.undo(2)
    assert files(root) == before


def test_messages_after_the_end_stand_below_the_summary(space):
    ws = space()
    talk = ws.session("talk")
    talk.add_message("user", "one")
    talk.end("About one.")
    talk.add_message("user", "two")
    talk.end()
    assert [m.text for m in talk.window()] == ["one", "two"]
    assert ws.sessions.get("talk").summary == "About one."


def test_a_summary_that_would_be_read_as_part_of_a_message_is_refused(space, put, root):
    put("sessions/talk.md", "### user\n```\nopen\n")
    ws = space()
    with pytest.raises(NotEditableError):
        ws.session("talk").end("About.")
    ws.session("talk").end()
    assert ws.sessions.get("talk").ended


PRIVATE_TALK = "---\ntype: session\nprivate: yes\n---\n"


def test_what_leaves_a_private_session_stays_private(space, put, text_of):
    ws = space('strategy = "sliding_window"', "max_turns = 1")
    put("archive/sessions/talk.md", "---\ntype: session\n---\nOf old.\n")
    put("sessions/talk.md", PRIVATE_TALK)
    for text in ("one teapot", "two teapots"):
        ws.session("talk").add_message("user", text)
    assert "private: true" in text_of("archive/sessions/talk.md").split("---")[1]
    ws.session("talk").purge()
    assert "private: " in text_of("archive/sessions/talk.md").split("---")[1]
    assert ws.recall("teapot").hits == ()


def test_an_entry_of_a_private_session_in_todays_page_is_private(space, put, text_of):
    ws = space()
    put("sessions/talk.md", PRIVATE_TALK)
    added = ws.session("talk").add_message("user", "The teapot code is 1234", daily=True)
    assert "[private:: true]" in text_of("daily/2026-11-21.md") and added.daily
    assert ws.recall("teapot").hits == ()


def _said_twice(ws):
    for id_, text in (("talk", "The teapot code is 1234"), ("other", "I like herons.")):
        ws.session(id_).add_message("user", text, daily=True)


def test_what_a_day_repeats_of_a_session_becomes_private_with_it(space, text_of):
    ws = space()
    _said_twice(ws)
    before = text_of("daily/2026-11-21.md")
    ws.pages.set("sessions/talk.md", {"participants": "Ann"})
    assert text_of("daily/2026-11-21.md") == before
    edited = ws.pages.set("sessions/talk.md", {"private": "true"})
    assert edited.paths == ("sessions/talk.md", "daily/2026-11-21.md")
    teapot, herons = text_of("daily/2026-11-21.md").splitlines()[-2:]
    assert "[private:: true]" in teapot and "private" not in herons
    assert ws.recall("teapot code").hits == ()
    ws.undo()
    assert text_of("daily/2026-11-21.md") == before


def test_a_hard_purge_takes_along_what_a_day_repeats_of_the_session(space, text_of, put):
    ws = space()
    _said_twice(ws)
    put("spaces/home/daily/2026-11-21.md", "- A teapot elsewhere. [session:: talk]\n")
    put("memory.md", "- A teapot was noted. [session:: talk]\n")
    assert "teapot" in text_of("daily/2026-11-21.md")
    ws.session("talk").purge(hard=True)
    day = text_of("daily/2026-11-21.md")
    assert "teapot" not in day and "I like herons." in day
    assert "teapot" in text_of("spaces/home/daily/2026-11-21.md")
    assert "teapot" in text_of("memory.md")


def test_what_left_a_session_becomes_private_with_it(space, text_of):
    ws = space('strategy = "sliding_window"', "max_turns = 1")
    for text in ("one teapot", "two teapots"):
        ws.session("talk").add_message("user", text)
    before = text_of("archive/sessions/talk.md")
    assert "private" not in before
    ws.pages.set("sessions/talk.md", {"private": "true"})
    assert "private: true" in text_of("archive/sessions/talk.md").split("---")[1]
    ws.undo()
    assert text_of("archive/sessions/talk.md") == before
