"""A message is added with one write, and everything that was there stays as it was."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memwiki import files
from memwiki.change import making
from memwiki.errors import (
    ConfigError,
    NotEditableError,
    NotFoundError,
    PageTooLongError,
    UsageError,
)
from memwiki.sessions.stored import first_words
from memwiki.workspace import Workspace
from tests.effort import for_each


def test_a_session_begins_with_its_first_message(space, text_of):
    added = space().session("talk").add_message("user", "Hello.", "Anna")
    assert text_of("sessions/talk.md") == (
        "---\ntype: session\nstarted: 2026-11-21T10:00:00Z\n---\n\n"
        "### 2026-11-21T10:00:00Z user [name:: Anna] ^s-0001\nHello.\n"
    )
    message = added.message
    assert (message.id, message.path) == ("s-0001", "sessions/talk.md")
    assert (message.line_start, message.line_end) == (6, 7)


@pytest.mark.parametrize("text", ["one", "", "a\n\nb", "```\nopen", "\x00", " \n"])
def test_what_add_answers_is_what_is_read(space, text):
    ws = space()
    for at in (None, "2026-11-21T12:00:00+01:00", datetime(2026, 11, 21, 11, tzinfo=UTC)):
        added = ws.session("talk").add_message("tool", text, "x y", at)
        assert ws.sessions.get("talk", limit=1).messages == (added.message,)
    assert [each.time[11:13] for each in ws.session("talk").history()] == ["10", "11", "11"]


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
WORD = st.text(st.sampled_from("ab #*`^~\\-=é漢:1"), min_size=1, max_size=8).filter(str.strip)


@given(st.lists(st.tuples(WORD, TEXT, WORD), max_size=4), st.binary(max_size=60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_adding_changes_no_earlier_byte(space, put, root, messages, start):
    put("sessions/talk.md", b"---\ntype: session\n---\n" + start)
    ws = space()
    before = (root / "sessions/talk.md").read_bytes()
    for role, text, name in messages:
        try:
            ws.session("talk").add_message(role, text, name)
        except NotEditableError:  # no UTF-8
            assert (root / "sessions/talk.md").read_bytes() == before
            continue
        data = (root / "sessions/talk.md").read_bytes()
        assert data.startswith(before)
        before = data
        last = ws.session("talk").history(1)[0]
        assert (last.role, last.text, last.name) == (role.strip(), text, name.strip())


def test_a_message_is_one_write_and_no_temporary_file(space, monkeypatch):
    ws = space()
    ws.session("talk").add_message("user", "one")
    written = []
    monkeypatch.setattr(making, "append", lambda root, path, data: written.append((path, data)))
    monkeypatch.setattr(making, "write", None)
    ws.session("talk").add_message("user", "two")
    assert written == [("sessions/talk.md", b"\n### 2026-11-21T10:00:00Z user ^s-0002\ntwo\n")]


def test_messages_are_on_neither_undo_nor_journal(space, root):
    ws = space()
    ws.sessions.start("talk")
    ws.session("talk").add_message("user", "one")
    with pytest.raises(NotFoundError, match="nothing to undo"):
        ws.undo()
    assert not (root / "log.md").exists()


def add_ten(root, number):
    ws = Workspace.open(root, find=False)
    for i in range(10):
        ws.session("talk").add_message("user", f"```\n{number}-{i}")
    ws.close()


def test_case_13_eight_processes_that_add_at_once_lose_nothing(space, root):
    ws = space()
    context = get_context("fork" if sys.platform == "linux" else "spawn")
    workers = [context.Process(target=add_ten, args=(root, number)) for number in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    messages = ws.sessions.get("talk").messages
    assert sorted(m.text for m in messages) == sorted(
        f"```\n{n}-{i}" for n in range(8) for i in range(10)
    )
    assert len({m.id for m in messages}) == 80


def test_threads_share_a_session(space):
    ws = space()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda i: ws.session("talk").add_message("user", str(i)), range(12)))
    assert {m.text for m in ws.sessions.get("talk")} == set(map(str, range(12)))


@pytest.mark.parametrize("written", range(0, 60, 7))
def test_case_17_a_write_that_is_cut_short_leaves_what_was_there(space, root, monkeypatch, written):
    ws = space()
    ws.session("talk").add_message("user", "one")
    before = (root / "sessions/talk.md").read_bytes()
    real = os.write

    def cut(descriptor, data):
        return real(descriptor, bytes(data)[:written])

    monkeypatch.setattr("memwiki.files.write.os.write", cut)
    with pytest.raises(Exception, match="could not be written"):
        ws.session("talk").add_message("user", "two words and more, longer than sixty bytes" * 3)
    monkeypatch.undo()
    assert (root / "sessions/talk.md").read_bytes() == before


@pytest.mark.parametrize("cut", range(1, 50, 6))
def test_a_message_of_which_a_crash_left_a_part_does_not_harm_the_next(space, root, cut):
    ws = space()
    ws.session("talk").add_message("user", "one")
    ws.session("talk").add_message("user", "```\nopen\n```\n```")
    path = root / "sessions/talk.md"
    path.write_bytes(path.read_bytes()[:-cut])
    ws.session("talk").add_message("user", "three")
    messages = ws.sessions.get("talk").messages
    assert (messages[0].text, messages[-1].text) == ("one", "three")


def die_after(root, written):
    real = os.write

    def cut(descriptor, data):
        real(descriptor, bytes(data)[:written])
        os._exit(9)

    files.write.os.write = cut
    Workspace.open(root, find=False).session("talk").add_message("user", "```\nopen and long")


@pytest.mark.skipif(sys.platform != "linux", reason="forks")
@pytest.mark.parametrize("written", [0, 3, 30, 55, 60, 70, 90])
def test_a_killed_writer_leaves_the_lock_free_and_the_rest_whole(space, root, written):
    ws = space()
    ws.session("talk").add_message("user", "one")
    before = (root / "sessions/talk.md").read_bytes()
    child = get_context("fork").Process(target=die_after, args=(root, written))
    child.start()
    child.join()
    assert child.exitcode == 9
    assert (root / "sessions/talk.md").read_bytes()[: len(before)] == before
    ws.session("talk").add_message("user", "three")
    messages = ws.sessions.get("talk").messages
    assert (messages[0].text, messages[-1].text) == ("one", "three")


def test_a_new_session_is_listed_in_the_catalog(space, root):
    ws = space(layers='[layers]\nsessions = "sessions"\n[catalog]\nenabled = true\n')
    ws.session("talk").add_message("user", "Where do herons nest?")
    assert "Where do herons nest?" in (root / "index.md").read_text()
    ws.session("talk").add_message("user", "And storks?")
    ws.sync()
    assert ws.catalog.check().stale == ()


def test_case_30_a_page_of_another_shape_stays_as_it_is(space, put, text_of):
    by_hand = "# Talk\r\n\r\n### Anna\r\n```\r\nopen\r\n"
    put("sessions/talk.md", by_hand)
    ws = space()
    ws.session("talk").add_message("user", "next")
    assert text_of("sessions/talk.md").startswith(by_hand)
    assert [(m.role, m.text) for m in ws.sessions.get("talk")] == [
        ("Anna", "```\nopen"),
        ("user", "next"),
    ]


@pytest.mark.parametrize(
    "id_", ["../x", "a/b", ".hidden", "index", "Index.a-c", "log", "a b", "x" * 130, "[x]"]
)
def test_an_id_that_is_no_file_name_of_a_session_is_refused(space, put, root, id_):
    ws = space()
    put("x.md", "A page.\n")
    with pytest.raises(Exception, match=r"session|workspace|hidden|characters") as caught:
        ws.session(id_).add_message("user", "x")
    assert caught.value.code in ("usage", "unsafe_path")
    assert not (root / "sessions").exists()
    assert (root / "x.md").read_bytes() == b"A page.\n"


@pytest.mark.parametrize(
    ("role", "text", "name", "at"),
    [
        ("", "x", "", None),
        ("a\nb", "x", "", None),
        ("u", "x", "[n]", None),
        ("u", "\ud800", "", None),
        ("u", "x", "", "soon"),
        ("u", "x", "", "2026-11-21"),
    ],
)
def test_what_no_heading_can_hold_is_refused(space, role, text, name, at):
    with pytest.raises(UsageError):
        space().session("talk").add_message(role, text, name, at)


def test_without_a_folder_of_sessions_the_setting_is_named(space):
    with pytest.raises(ConfigError) as caught:
        space(layers="").session("talk").add_message("user", "x")
    assert caught.value.hint == "memwiki config set layers.sessions sessions"


def test_a_catalog_and_a_page_that_is_full_take_no_messages(space, put, text_of):
    ws = space()
    put("sessions/list.md", "<!-- memwiki:catalog:begin -->\n<!-- memwiki:catalog:end -->\n")
    with pytest.raises(NotEditableError, match="catalog"):
        ws.session("list").add_message("user", "x")
    put("memwiki.toml", '[layers]\nsessions = "sessions"\n[files]\nmax_bytes = 300\n')
    ws.reload()
    with pytest.raises(PageTooLongError):
        ws.session("talk").add_message("user", "x" * 300)


def test_a_daily_entry_has_the_first_words(space, text_of):
    ws = space()
    added = ws.session("talk").add_message(
        "user", "We meet on Monday to\ntalk about herons, ferries and the harbour.", daily=True
    )
    day = text_of("daily/2026-11-21.md")
    assert "- We meet on Monday to talk about herons, ferries " in day
    assert "[session:: talk]" in day
    assert f"^{added.daily}" in day


def test_a_daily_entry_that_cannot_be_written_is_a_note(space, root):
    added = space().session("talk").add_message("user", "[heartbeat] 1", daily=True)
    assert added.daily == ""
    assert "not to today's page" in added.notes[0]
    assert not (root / "daily").exists()


def test_with_the_preset_agent_what_users_say_goes_to_the_day(space, text_of):
    ws = space(
        layers='[layers]\nsessions = "sessions"\ndaily = "daily"\n[memory]\npreset = "agent"\n'
    )
    assert ws.session("talk").add_message("user", "I like herons.").daily
    assert not ws.session("talk").add_message("assistant", "Noted.").daily
    assert not ws.session("talk").add_message("user", "I like gulls.", daily=False).daily


@for_each(
    ("text", "words"),
    [("short", "short"), ("a" * 60, "a" * 50), ("ab " * 30, "ab " * 16 + "ab"), ("\n x \n", "x")],
)
def test_first_words_are_whole(text, words):
    assert first_words(text) == words


def test_a_session_started_without_an_id_is_called_by_the_time(space):
    ws = space()
    assert ws.sessions.start(participants=["Anna", "- b: c"]).id == "2026-11-21-100000"
    second = ws.sessions.start()
    assert second.id == "2026-11-21-100000-2"
    assert ws.sessions.get("2026-11-21-100000").participants == ("Anna", "- b: c")
    rows = ws.sessions.list()
    assert {(row.id, row.started) for row in rows} == {
        ("2026-11-21-100000", "2026-11-21T10:00:00Z"),
        (second.id, "2026-11-21T10:00:00Z"),
    }
    assert (len(ws.sessions.list(limit=1).sessions), ws.sessions.list(limit=1).total) == (1, 2)
