"""Hooks bring memory into a conversation, keep what was said where asked to, and never fail."""

import io
import json
import os
import socket
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.adapters.hosts import hooks
from memwiki.adapters.hosts.hooks import event_of, is_worth_a_look
from memwiki.adapters.hosts.programs import HOSTS
from memwiki.cli.main import main
from memwiki.errors import LockedError
from memwiki.files.lock import LOCK_NAME, Lock, state_folder
from memwiki.workspace import Workspace
from memwiki.workspace.sessions import SessionFacet
from tests.waiting import PATIENCE_S

UNHURRIED = dict(hooks.SECONDS)
LAYERS = '[layers]\nmemory = "memory.md"\nsessions = "sessions"\narchive = "archive"\n'
AT = "2026-11-22T10:00:00Z"
KEY = "AK" + "IA" + "Q7XD2MWLR5ZK3TVB"


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    for pace in ("_TURN", "_LAST"):
        slow = getattr(hooks, pace)._replace(seconds=PATIENCE_S)
        monkeypatch.setattr(hooks, pace, slow)


@pytest.fixture
def space(root, put, opened):
    put("memwiki.toml", LAYERS)
    put("memory.md", "## Preferences\n\n- Anna prefers green tea in the morning. ^m-000001\n")
    put("wiki/redis.md", "# Redis\n\nWe dropped Redis because of its memory cost.\n")
    ws = opened()
    ws.sync()
    return ws


def hook(space, moment, host="claude-code", *, capture=False, **event):
    given_ = {"session_id": "s1", "hook_event_name": "E", **event}
    data = json.dumps(given_).encode()
    with Workspace.open(space.root, find=False) as ws:
        return hooks.answer(lambda: ws, moment, host, data, is_recording=capture)


def context(reply):
    held = json.loads(reply)["hookSpecificOutput"]
    assert set(held) == {"hookEventName", "additionalContext"}
    assert held["hookEventName"] == "E"
    return held["additionalContext"]


def test_a_hook_asks_no_network_and_starts_no_program(space, monkeypatch):
    done = []
    monkeypatch.setattr(socket.socket, "connect", lambda *given: done.append(given))
    monkeypatch.setattr(subprocess, "Popen", lambda *given, **_: done.append(given))
    monkeypatch.setattr(os, "fork", lambda: done.append("fork"))
    for moment in ("start", "prompt", "turn", "compact", "end"):
        said = {"prompt": "does Anna drink green tea?", "last_assistant_message": "yes"}
        hook(space, moment, capture=True, **said)
    assert done == []
    assert list((space.root / "sessions").glob("*.md"))


def test_a_conversation_starts_with_what_always_holds(space):
    assert "green tea" in context(hook(space, "start", source="startup"))
    assert hook(space, "start", source="resume") == ""


@pytest.mark.parametrize(
    ("source", "is_told"), [("compact", True), ("clear", True), ("resume", False)]
)
def test_what_a_compaction_emptied_is_told_again(space, source, is_told):
    said = {"prompt": "why did we drop Redis?", "session_id": "one"}
    first = hook(space, "prompt", **said)
    assert "memory cost" in context(first)
    assert hook(space, "prompt", **said) == ""
    hook(space, "start", source=source, session_id="one")
    assert hook(space, "prompt", **said) == (first if is_told else "")


def test_a_prompt_brings_what_answers_it_and_nothing_twice(space):
    first = context(hook(space, "prompt", prompt="why did we drop Redis?"))
    assert "memory cost" in first and "green tea" not in first
    assert hook(space, "prompt", prompt="why did we drop Redis?") == ""
    assert "memory cost" in hook(space, "prompt", prompt="why drop Redis?", session_id="s2")
    hook(space, "end")
    assert "memory cost" in hook(space, "prompt", prompt="why did we drop Redis?")


def test_what_a_prompt_brought_counts_as_recalled(space):
    hook(space, "prompt", prompt="what tea does Anna prefer?")
    assert [(row.name, row.recalls) for row in space.entries.usage()] == [("m-000001", 1)]


def test_what_answers_nothing_brings_nothing(space):
    assert hook(space, "prompt", prompt="zebra xylophone quartz") == ""


@pytest.mark.parametrize(
    ("prompt", "is_worth"),
    [("yes", False), ("/clear the whole thing", False), ("小明喜欢", True), ("茶呢", False),
     ("what tea is it", True), ("   short    ", False)],
)  # fmt: skip
def test_short_prompts_and_commands_ask_for_nothing(prompt, is_worth):
    assert is_worth_a_look(prompt) is is_worth


@pytest.mark.parametrize(("host", "nothing"), [("gemini", "{}"), ("cursor", "{}"), ("codex", "")])
def test_each_program_gets_its_own_nothing(space, host, nothing):
    assert hook(space, "turn", host) == nothing


def test_cursor_may_go_on_with_a_prompt(space):
    reply = hook(space, "prompt", "cursor", hook_event_name="beforeSubmitPrompt", prompt="hi")
    assert json.loads(reply) == {"continue": True}


def test_a_turn_is_recorded_with_its_prompt_and_without_secrets(space):
    hook(space, "prompt", "codex", capture=True, prompt=f"use the key {KEY} please")
    hook(space, "turn", "codex", last_assistant_message="I used the key.")
    hook(space, "turn", "codex", last_assistant_message="I used the key.", stop_hook_active=True)
    said = [(m.role, m.text) for m in space.session("codex-s1").history()]
    assert said == [("user", "use the key [secret removed]"), ("assistant", "I used the key.")]
    assert not (space.root / "log.md").exists()


def lines(*said):
    return "".join(
        json.dumps({"type": role, "sessionId": "s1", "uuid": uuid, "timestamp": AT,
                    "message": {"role": role, "content": text}}) + "\n"
        for uuid, role, text in said
    )  # fmt: skip


def test_a_transcript_is_read_on_from_the_last_turn(space, tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text(lines(("1", "user", "one"), ("2", "assistant", "two")) + '{"cut')
    hook(space, "turn", transcript_path=str(path))
    path.write_text(lines(("1", "user", "one"), ("2", "assistant", "two"), ("3", "user", "three")))
    hook(space, "turn", transcript_path=str(path))
    hook(space, "end", transcript_path=str(path))
    told = [m.text for m in space.session("claude-code-s1").history()]
    assert told == ["one", "two", "three"]


def test_long_output_of_tools_is_shortened(space, tmp_path):
    result = [{"type": "tool_result", "tool_use_id": "x", "content": "row\n" * 5000}]
    path = tmp_path / "t.jsonl"
    path.write_text(lines(("1", "user", result)))
    hook(space, "turn", transcript_path=str(path))
    (message,) = space.session("claude-code-s1").history()
    assert len(message.text) < 1100 and "19000 more characters" in message.text


@pytest.mark.parametrize("setting", ["auto_recall", "auto_save"])
def test_the_settings_switch_it_off(space, put, setting):
    put("memwiki.toml", f"{LAYERS}\n[memory]\n{setting} = false\n")
    hook(space, "prompt", "codex", capture=True, prompt="why did we drop Redis?")
    hook(space, "turn", "codex", last_assistant_message="Cost.")
    is_recorded = (space.root / "sessions/codex-s1.md").exists()
    is_recalled = "cost" in hook(space, "prompt", prompt="why did we drop Redis?", session_id="x")
    assert (is_recalled, is_recorded) == ((False, True), (True, False))[setting == "auto_save"]


def test_no_index_is_built_for_a_hook(root, put):
    put("memory.md", "- Anna likes tea. ^m-000001\n")
    ws = Workspace.open(root, find=False)
    assert hook(ws, "prompt", prompt="what does Anna like?") == ""
    assert not ws.index.is_built()
    assert [each.why for each in ws.agents.status().silences] == [hooks.NO_INDEX]


def test_each_moment_has_its_own_time():
    assert UNHURRIED == {"start": 3.0, "prompt": 3.0, "turn": 6.0, "compact": 6.0, "end": 1.5}
    for host in HOSTS.values():
        unit = 1000 if host.name == "gemini" else 1
        for event in host.events:
            assert UNHURRIED[event.moment] + 1.0 < event.timeout / unit


@pytest.mark.parametrize("moment", list(hooks.SECONDS))
def test_who_waits_too_long_gets_nothing_and_a_person_can_see_it(space, moment, capsys):
    text = (
        "import io, sys, time; from memwiki.cli import main;"
        "from memwiki.cli.commands import agents;"
        "agents._Patience.LAST_SECONDS = 60; sys.stdin = io.TextIOWrapper(io.BytesIO(b'{}'));"
        "from memwiki.adapters.hosts import hooks;"
        "hooks.SECONDS = dict.fromkeys(hooks.SECONDS, 0.01);"
        "hooks.answer = lambda opened, *a, **k: (opened(), time.sleep(60));"
        f"main.main(['-C', {str(space.root)!r}, 'hook', {moment!r}, '--host', 'gemini'])"
    )
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, timeout=PATIENCE_S)
        assert (done.returncode, done.stdout) == (0, b"{}\n")
    (silence,) = space.agents.status().silences
    assert (silence.agent, silence.moment, silence.times) == ("gemini", moment, 2)
    assert main(["-C", str(space.root), "agent", "status"]) == 0
    assert f"gemini {moment}: no answer within 0.01 s (2 times, last " in capsys.readouterr().out


def test_a_failure_is_silent_for_the_model_and_seen_by_a_person(space, monkeypatch):
    def broken(*_, **__):
        raise LockedError("wiki/secret.md: is locked")

    monkeypatch.setattr(Workspace, "prompt", broken)
    assert hook(space, "start") == ""
    (silence,) = space.agents.status().silences
    assert silence[:4] == ("claude-code", "start", "failed with LockedError", 1)


def test_silences_are_kept_in_bounds_and_whatever_is_there_is_read(space):
    for number in range(500):
        space.agents.note_silence("codex", "prompt", f"reason {number}")
    known = space.agents.status().silences
    assert 100 <= len(known) <= 200 and known[-1].why == "reason 499"
    (file,) = (space.root / ".memwiki/state/hooks").glob("silences*")
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_bytes(b"\xff\n[1]\n{\n" + b'{"agent": 1}\n')
    assert [each.agent for each in space.agents.status().silences] == ["1"]
    file.write_text('{"agent": "2"}\n{"agent": "torn')
    space.agents.note_silence("codex", "prompt", "late")
    assert [each.agent for each in space.agents.status().silences] == ["2", "codex"]


@given(
    st.binary(max_size=200)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(
            st.sampled_from(["session_id", "prompt", "transcript_path"]) | st.text(), inner
        ),
        max_leaves=6,
    ).map(lambda value: json.dumps(value).encode())
)  # fmt: skip
def test_any_input_is_an_event(data):
    event = event_of(data)
    assert all(isinstance(each, str | bool) for each in event)
    event.prompt.encode()


@pytest.mark.parametrize("moment", ["start", "prompt", "turn", "compact", "end", "never"])
def test_whatever_comes_in_the_exit_code_is_zero(space, monkeypatch, capsysbinary, moment):
    for data in (b"", b"null", b"[" * 100_000, b"x" * 5_000_000, b"\xff", b"{"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        code = main(["-C", str(space.root), "hook", moment, "--host", "codex"])
        assert code == 0, data[:10]
        out = capsysbinary.readouterr().out
        assert out == b"" or json.loads(out)["hookSpecificOutput"]["additionalContext"], data[:10]


def test_without_a_workspace_a_hook_is_silent(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"{}")))
    assert main(["-C", str(tmp_path), "hook", "start", "--host", "codex"]) == 0
    assert capsys.readouterr().out == ""


def spoken(space, moment, **event):
    """What the program prints, in a process of its own, and how long it was waited for."""
    command = [sys.executable, "-m", "memwiki", "-C", str(space.root), "hook", moment]
    given_ = {"session_id": "s9", "hook_event_name": "E", **event}
    environ = {**os.environ, **space.environ}
    done = subprocess.run(
        [*command, "--host", "codex"], input=json.dumps(given_).encode(), capture_output=True,
        timeout=PATIENCE_S, env=environ,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def test_while_another_process_writes_a_hook_answers_from_what_is_there_or_not_at_all(space):
    with Lock(state_folder(space.root) / LOCK_NAME, timeout_ms=1000):
        reply = spoken(space, "prompt", prompt="why did we drop Redis?")
        assert not reply or context(reply)


def test_a_prompt_in_chinese_is_answered(space, put):
    put("wiki/shen.md", "# 沈阳\n\n小明在沈阳喜欢喝绿茶。\n")
    assert "沈阳" in context(hook(space, "prompt", prompt="小明喜欢喝什么茶？"))


def test_where_nothing_can_be_kept_a_hook_still_ends_in_peace(space):
    folder = state_folder(space.root)
    folder.rename(folder.with_name("away"))
    folder.write_bytes(b"")
    for moment in ("start", "prompt", "turn", "end"):
        reply = hook(space, moment, prompt="why did we drop Redis?", last_assistant_message="x")
        assert not reply or context(reply)
    assert not (space.root / "sessions").exists()


def test_an_index_that_is_behind_is_said_to_be(space, put, monkeypatch):
    put("wiki/new.md", "# New\n\nnothing of use\n")
    with monkeypatch.context() as patched:
        patched.setattr(hooks, "_CATCH_UP_SECONDS", 0)
        reply = context(hook(space, "prompt", prompt="why did we drop Redis?"))
        assert reply.startswith("memwiki: not fresh: ") and "memory cost" in reply
        assert context(hook(space, "start")).startswith("memwiki: not fresh: ")
    assert context(hook(space, "start")).startswith("# USER MEMORY")


def test_recording_builds_no_index(root, put):
    put("memwiki.toml", LAYERS)
    ws = Workspace.open(root, find=False)
    hook(ws, "turn", "codex", last_assistant_message="Done.")
    assert not ws.index.is_built()
    assert (root / "sessions/codex-s1.md").exists()


def told(space, session):
    return [(m.role, m.text) for m in space.session(session).history()]


@pytest.fixture
def held(space, monkeypatch):
    monkeypatch.setattr(hooks, "_TURN", hooks._TURN._replace(lock_ms=0))
    monkeypatch.setattr(hooks, "_LAST", hooks._LAST._replace(lock_ms=0))
    return Lock(state_folder(space.root) / LOCK_NAME, timeout_ms=1000)


def test_what_was_said_while_others_wrote_is_recorded_with_the_next_turn(space, held):
    with held:
        hook(space, "prompt", "codex", capture=True, prompt=f"use the key {KEY}")
        hook(space, "turn", "codex", last_assistant_message="one")
        hook(space, "turn", "codex", last_assistant_message="two")
    kept = (space.root / ".memwiki/state/hooks").iterdir()
    assert not [file for file in kept if KEY in file.read_text()]
    hook(space, "turn", "codex", last_assistant_message="three")
    said = [("user", "use the key [secret removed]")]
    assert told(space, "codex-s1") == said + [("assistant", n) for n in ("one", "two", "three")]


@pytest.mark.parametrize("host", ["claude-code", "gemini"])
def test_a_conversation_that_ended_while_others_wrote_is_recorded_by_another(
    space, held, tmp_path, host
):
    path = tmp_path / "t.jsonl"
    path.write_text(lines(("1", "user", "one")))
    with held:
        hook(space, "turn", host, transcript_path=str(path), prompt="one")
        hook(space, "end", host, transcript_path=str(path))
    assert not (space.root / f"sessions/{host}-s1.md").exists()
    hook(space, "turn", "codex", session_id="s2", last_assistant_message="x")
    assert told(space, f"{host}-s1") == [("user", "one")]
    assert not list((space.root / ".memwiki/state/hooks").glob("turn-*"))


@pytest.mark.parametrize("host", ["codex", "gemini", "cursor"])
def test_who_tells_prompt_and_reply_is_believed_though_there_is_a_transcript(space, tmp_path, host):
    path = tmp_path / "session.json"
    path.write_text('{"messages": []}')
    event = {"transcript_path": str(path)}
    hook(space, "prompt", host, capture=True, prompt="first question", **event)
    hook(space, "prompt", host, capture=True, prompt="second question", **event)
    hook(space, "turn", host, prompt_response="an answer", **event)
    assert told(space, f"{host}-s1") == [
        ("user", "first question"), ("user", "second question"), ("assistant", "an answer")
    ]  # fmt: skip


def test_who_is_ended_while_recording_has_lost_nothing(space, monkeypatch):
    def ended(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(SessionFacet, "record", ended)
        hook(space, "end", "codex", last_assistant_message="one")
    hook(space, "turn", "codex", session_id="s2", last_assistant_message="two")
    assert told(space, "codex-s1") == [("assistant", "one")]


def test_a_long_transcript_is_read_in_parts(space, tmp_path, monkeypatch):
    monkeypatch.setattr(hooks, "_TURN", hooks._TURN._replace(part_bytes=200))
    monkeypatch.setattr(hooks, "_MAX_LINE_BYTES", 1_000)
    path = tmp_path / "t.jsonl"
    said = [(str(n), "user", f"text {n}") for n in range(9)]
    path.write_text(lines(*said[:4], ("x", "user", "y" * 5_000), *said[4:]))
    hook(space, "turn", transcript_path=str(path))
    assert [text for _, text in told(space, "claude-code-s1")] == [text for *_, text in said]
    path.write_text(lines(*said[5:], ("9", "user", "after a rotation")))
    hook(space, "end", transcript_path=str(path))
    assert told(space, "claude-code-s1")[-1] == ("user", "after a rotation")
    assert len(told(space, "claude-code-s1")) == 10


def test_a_turn_that_found_the_lock_held_is_recorded_with_the_next(space, tmp_path, monkeypatch):
    path = tmp_path / "t.jsonl"
    path.write_text(lines(("1", "user", "one")))

    def locked(*_, **__):
        raise LockedError("held", hint="wait")

    with monkeypatch.context() as patched:
        patched.setattr(SessionFacet, "record", locked)
        assert hook(space, "turn", transcript_path=str(path)) == ""
    path.write_text(lines(("1", "user", "one"), ("2", "assistant", "two")))
    hook(space, "turn", transcript_path=str(path))
    assert [m.text for m in space.session("claude-code-s1").history()] == ["one", "two"]


@pytest.mark.parametrize("moment", ["turn", "end"])
def test_a_transcript_that_is_no_file_is_not_waited_for(space, tmp_path, moment):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    hook(space, moment, transcript_path=str(path), capture=True)
    hook(space, moment, transcript_path="/dev/zero", capture=True)
    assert not list(space.agents.left_turns())


def test_one_word_in_common_is_chance_where_nobody_asked_for_memories(space, put):
    said = "\n".join(
        f"- Room {i} of the annex holds {i} chairs. ^m-{i:06}" for i in range(200, 260)
    )
    kept = "- Reversed: the state is kept by Zustand now."
    put("learnings.md", f"# L\n\n{said}\n{kept} ^m-000009\n")
    space.sync()
    prompt = "Write a function that reverses a linked list without recursion."
    assert "Zustand" in space.recall(prompt).hits[0].excerpt  # who asks is answered
    assert hook(space, "prompt", prompt=prompt) == ""
    assert "Zustand" in context(hook(space, "prompt", prompt="what keeps the state now?"))
