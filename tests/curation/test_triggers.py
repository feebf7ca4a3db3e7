"""What is extracted by itself when a session ends: off by default, and only where the user's own
settings name the workspace."""

from __future__ import annotations

import json
import shutil
import subprocess
import time

import pytest

from memwiki.cli.main import main
from memwiki.config.models import user_models
from memwiki.errors import ConfigError, LockedError
from memwiki.models.ledger import Ledger
from memwiki.proposals import triggers
from memwiki.proposals.triggers import run_lock
from memwiki.setup.agents import _program
from memwiki.workspace import Workspace
from tests.effort import for_each
from tests.proposals.conftest import PAGES
from tests.scripted_server import ScriptedServer, says
from tests.waiting import PATIENCE_S

TEA = {"lines": [1], "text": "Anna prefers green tea.", "type": "preference"}
NOTED = {"lines": [2], "text": "Anna said that it is noted.", "importance": 0.9}
REPLY = json.dumps({"facts": [TEA, NOTED]})
ON = '\n[extract]\non = ["session_end"]\n'
STORING = f"{ON}auto_store = true\n"
_START_NS = 1_795_600_000 * 10**9


class Minutes:
    """A clock that stands until it is set forward."""

    def __init__(self) -> None:
        self.passed = 0.0

    def __call__(self) -> int:
        return _START_NS + int(self.passed * 60) * 10**9


@pytest.fixture
def clock():
    return Minutes()


@pytest.fixture
def workspace(triggered, clock):
    def make(settings=ON, named=("session_end",)):
        return triggered(PAGES, settings, named, clock)

    return make


@pytest.mark.parametrize(
    ("settings", "named"),
    [("", ()), (ON, ()), ("", ("session_end", "auto_store")), (ON, ("auto_store",))],
)
def test_nothing_happens_unless_the_workspace_and_its_user_want_it(
    workspace, begun, root, settings, named
):
    space = workspace(settings, named)
    space.session("talk").end("Of tea.")
    assert not begun and not space.curation.session_ended("talk")
    assert not list((root / ".memwiki").rglob("triggers*"))
    assert space.index.status().triggers.waiting == 0


def test_a_session_that_ends_is_extracted_by_another_process(workspace, begun, root):
    space = workspace()
    space.session("talk").end("Of tea.")
    assert begun[0][4:] == ["-C", str(root), "extract", "--waiting", "--due"]
    assert space.index.status().triggers == (1, ())


def test_the_other_process_is_no_package_of_the_current_folder(
    workspace, begun, tmp_path, monkeypatch
):
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    workspace().session("talk").end("Of tea.")
    planted = tmp_path / "elsewhere/memwiki"
    planted.mkdir(parents=True)
    (planted / "__init__.py").write_text("")
    (planted / "__main__.py").write_text("print('planted')\n")
    *words, _ = begun[0][: begun[0].index("-C") + 1]
    told = [
        subprocess.run([*each, "--version"], cwd=planted.parent, capture_output=True, text=True)
        for each in (words, _program({}))
    ]
    assert [each.stdout.split()[0] for each in told] == ["memwiki"] * 2, told


def test_a_planted_folder_is_neither_read_nor_written_through(workspace, begun, root, tmp_path):
    space, elsewhere = workspace(), tmp_path / "elsewhere"
    elsewhere.mkdir()
    state = root / ".memwiki/state"
    if state.is_dir():
        shutil.rmtree(state)
    state.parent.mkdir(exist_ok=True)
    state.symlink_to(elsewhere)
    assert not space.curation.session_ended("talk")
    assert not begun and not list(elsewhere.glob("triggers*"))


def test_a_dry_run_of_an_end_begins_nothing(workspace, begun):
    space = workspace()
    space.session("talk").end(dry_run=True)
    assert not begun


def test_what_waits_becomes_a_proposal_that_is_reviewed(workspace, begun, root, answering):
    chat, space = answering(REPLY), workspace()
    space.session("talk").end()
    before = (root / "memory.md").read_bytes()
    report = space.curation.extract_waiting(due=True)
    assert [each.source for each in report.proposals] == ["sessions/talk.md"]
    assert len(chat.asked) == 1 and (root / "memory.md").read_bytes() == before
    assert space.index.status().triggers.waiting == 0
    assert not space.curation.extract_waiting(due=True).proposals and len(chat.asked) == 1


def test_auto_store_accepts_new_entries_alone_that_are_supported_and_not_flagged(
    workspace, begun, root, answering
):
    space = workspace(STORING, ("session_end", "auto_store"))
    known = space.entries.list().total
    moved = {"lines": [1], "text": "Anna moved to Kiel.", "replaces": 0}
    lie = {"lines": [3], "text": "Ben sold 14 boats in Rome."}
    answering(json.dumps({"facts": [TEA, NOTED, moved, lie]}))
    space.session("talk").end()
    report = space.curation.extract_waiting(due=True)
    (row,) = report.proposals
    assert (row.decided, row.flagged, row.aside) == (1, 2, 1), space.proposals.get(row.id)
    assert space.entries.list().total == known + 1
    journal = space.journal.list().entries[0]
    assert "accepted by: extract.auto_store" in str(journal)
    assert report.notes == (f"accepted 1 operation of {row.id}",)


def test_auto_store_needs_the_user_to_name_it_too(workspace, begun, root, answering):
    answering(REPLY)
    space = workspace(STORING, ("session_end",))
    space.session("talk").end()
    before = (root / "memory.md").read_bytes()
    assert space.curation.extract_waiting().proposals[0].decided == 0
    assert (root / "memory.md").read_bytes() == before


def test_a_failure_stands_in_status_and_is_tried_after_1_5_and_30_minutes(
    workspace, begun, clock, answering
):
    answering(*["nonsense"] * 20)
    space = workspace()
    space.session("talk").end()
    for minutes in (1, 5, 30):
        report = space.curation.extract_waiting(due=True)
        assert report.error and not report.proposals
        (failure,) = space.index.status().triggers.failures
        assert failure.session == "talk" and failure.error == report.error and failure.next_at
        begun.clear()
        clock.passed += minutes - 0.5
        assert not space.curation.retry() and not begun
        assert not space.curation.extract_waiting(due=True).error
        clock.passed += 1
        assert space.curation.retry() and begun
    space.curation.extract_waiting(due=True)
    (failure,) = space.index.status().triggers.failures
    clock.passed += 10_000
    assert failure.next_at == "" and not space.curation.retry()
    answering(REPLY)
    assert space.curation.extract_waiting().proposals  # a person may try at any time
    assert space.index.status().triggers == (0, ())


def test_what_nobody_tried_is_tried_a_minute_later(workspace, begun, clock, root):
    space = workspace()
    space.session("talk").end()
    begun.clear()
    assert not space.curation.retry()  # who was begun may not be there yet
    clock.passed += 1
    with run_lock(space.live.context):
        assert not space.curation.retry()
    assert space.curation.retry() and len(begun) == 1
    (root.parent / "user/config.toml").write_text("", "utf-8")
    assert not space.curation.retry() and len(begun) == 1


def test_what_waits_in_a_namespace_is_tried_from_without_and_not_from_another(
    workspace, begun, clock, root
):
    space = workspace(f'namespaces = "namespaces"\n{ON}')
    for name in ("home", "work"):
        (root / f"namespaces/{name}").mkdir(parents=True)
    talk = (root / "sessions/talk.md").read_bytes()
    (root / "namespaces/work/sessions").mkdir()
    (root / "namespaces/work/sessions/talk.md").write_bytes(talk)
    with Workspace.open(root, find=False, namespace="work", clock=clock) as work:
        work.session("talk").end()
    begun.clear()
    clock.passed += 2
    with Workspace.open(root, find=False, namespace="home", clock=clock) as home:
        assert not home.curation.retry() and not begun
    assert space.curation.retry()
    (command,) = begun
    assert command[command.index("-n") + 1] == "work"


def test_the_end_of_any_command_tries_again_what_failed(workspace, begun, root, answering, capsys):
    answering(*["nonsense"] * 2)
    workspace()
    assert main(["-C", str(root), "session", "end", "talk"]) == 0
    assert main(["-C", str(root), "extract", "--waiting"]) == 1
    begun.clear()
    assert main(["-C", str(root), "status"]) == 0 and not begun
    (file,) = (root / ".memwiki/state").glob("triggers-*.json")
    (row,) = json.loads(file.read_bytes())
    file.write_text(json.dumps([{**row, "next_at": "2026-01-01T00:00:00Z"}]))
    assert main(["-C", str(root), "status"]) == 0 and len(begun) == 1


def test_a_watcher_tries_again_what_failed(workspace, begun, clock):
    space = workspace()
    space.session("talk").end()
    begun.clear()
    clock.passed += 1
    with space.watch():
        until = time.monotonic() + PATIENCE_S
        while not begun and time.monotonic() < until:
            time.sleep(0.02)
    assert begun


def test_what_waits_and_failed_is_seen_by_its_person_alone(workspace, begun, answering):
    answering("nonsense", "nonsense")
    space = workspace()
    space.session("talk").end()
    space.curation.extract_waiting()
    assert space.index.status().triggers.waiting == 1
    assert space.public().index.status().triggers == (0, ())


def test_while_many_proposals_are_open_sessions_wait(workspace, begun, clock, answering):
    chat = answering(REPLY)
    space = workspace(f"{ON}\n[curation]\nmax_open = 2\n")
    for _ in range(2):
        space.proposals.propose([{"do": "add_entry", **TEA}], source="talk", model="x")
    space.session("talk").end()
    report = space.curation.extract_waiting()
    assert not chat.asked and "2 proposals wait for review" in report.notes[0]
    assert space.index.status().triggers == (1, ())
    clock.passed += 1
    assert not space.curation.retry()
    space.proposals.decide(space.proposals.list().proposals[0].id, reject="all")
    assert space.curation.retry()
    assert space.curation.extract_waiting().proposals


def test_the_budget_holds_for_what_happens_by_itself(workspace, begun, monkeypatch):
    monkeypatch.setenv("MEMWIKI_MODELS_BUDGET_CALLS_PER_RUN", "1")
    server = ScriptedServer(says(REPLY))
    try:
        _set(monkeypatch, server)
        space = workspace()
        for name in ("one", "two", "three"):
            space.session(name).add_message("user", f"I prefer green tea, says {name}.", "Anna")
            space.session(name).end()
        report = space.curation.extract_waiting()
    finally:
        server.close()
    assert len(server.received) == 1 and len(report.proposals) == 1
    assert [each.session for each in space.index.status().triggers.failures] == ["two", "three"]
    assert report.error == space.index.status().triggers.failures[-1].error
    assert "made all of its 1 requests" in report.error


def test_a_session_that_is_gone_waits_no_more(workspace, begun, answering):
    answering(REPLY)
    space = workspace()
    space.curation.session_ended("nowhere")
    assert not space.curation.extract_waiting().error
    assert space.index.status().triggers.waiting == 0


def test_one_process_alone_extracts_what_waits(workspace, begun, answering):
    answering(REPLY)
    space = workspace()
    space.session("talk").end()
    with run_lock(space.live.context), pytest.raises(LockedError):
        space.curation.extract_waiting()


@pytest.mark.parametrize("text", ["[[[", '[{"session": 1}, 7, {"a": 2}]', "{}"])
def test_a_damaged_list_holds_nothing(workspace, begun, root, text):
    space = workspace()
    space.session("talk").end()
    (file,) = (root / ".memwiki/state").glob("triggers-*.json")
    file.write_text(text, "utf-8")
    assert space.index.status().triggers.waiting == 0


def test_to_end_a_session_never_fails_for_what_follows(workspace, root, monkeypatch):
    def refuse(*_, **__):
        raise OSError("no more processes")

    monkeypatch.setattr(triggers, "start", refuse)
    space = workspace()
    assert space.session("talk").end("Of tea.").paths
    assert not triggers.begin_waiting(space.live.context, {})


@for_each("names", ['"session_end"', '["nightly"]', "[1]"])
def test_what_is_no_trigger_is_refused(names):
    with pytest.raises(ConfigError, match="has no list of triggers"):
        user_models(f'[models.triggers]\n"/a" = {names}\n', "config.toml", {})


def test_the_command_ends_a_session_and_says_in_status_what_failed(
    workspace, begun, root, capsys, answering
):
    answering("nonsense", "nonsense")
    workspace()
    assert main(["-C", str(root), "session", "end", "talk"]) == 0 and begun
    assert main(["-C", str(root), "extract", "--waiting"]) == 1
    capsys.readouterr()
    assert main(["-C", str(root), "status"]) == 0
    assert "1 session waits; talk failed: " in capsys.readouterr().out
    assert main(["-C", str(root), "extract", "talk", "--due"]) == 2


# --- in a process of its own ---


def _set(monkeypatch, server):
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_BASE_URL", server.url)
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_MODEL", "tiny")


def test_a_process_of_its_own_extracts_what_ended(workspace, monkeypatch, tmp_path):
    monkeypatch.setenv("MEMWIKI_STATE_DIR", str(tmp_path / "state"))
    server = ScriptedServer(says(REPLY))
    try:
        _set(monkeypatch, server)
        space = workspace()
        space.session("talk").end()
        until = time.monotonic() + PATIENCE_S
        while not space.proposals.list().total and time.monotonic() < until:
            time.sleep(0.05)
    finally:
        server.close()
    assert space.proposals.list().total == 1
    assert len(server.received) == 1
    assert sum(each.calls for each in Ledger(tmp_path / "state").lines()) == 1
