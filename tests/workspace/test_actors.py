"""Who made a change: noted in the journal and in what undoes it, whichever verb made it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading

import pytest

from memwiki.change.record import is_of_running, stack_of
from memwiki.cli.main import main
from memwiki.errors import NotFoundError, NotYoursError, UnconfirmedError

BOB = "bob/1.0 via mcp"
PAGES = """
--- memwiki.toml ---
[layers]
log = "log.md"
sessions = "sessions"
--- tea.md ---
# Tea

## Links
--- water.md ---
# Water
--- memory.md ---
# Memory

## Facts

- Tea is green. [key:: tea] ^m-000001
- Tea is black. ^m-000002
"""

VERBS = {
    "set": lambda ws: ws.pages.set("tea", {"status": "x"}),
    "new": lambda ws: ws.pages.new("new.md"),
    "append": lambda ws: ws.pages.append("tea", "x"),
    "replace": lambda ws: ws.pages.replace("tea", "x", section="Links"),
    "tag": lambda ws: ws.pages.tag_add("tea", ["drink"]),
    "link": lambda ws: ws.pages.link("tea", "water"),
    "move": lambda ws: ws.pages.move("tea", "green.md"),
    "delete": lambda ws: ws.pages.delete("tea"),
    "add": lambda ws: ws.entries.add("Water boils at 100 degrees.", type="fact"),
    "update": lambda ws: ws.entries.update("tea", "Tea is white."),
    "relate": lambda ws: ws.entries.relate("m-000001", "m-000002", "contradicts"),
    "import": lambda ws: ws.sessions.import_('{"role": "user", "text": "Hello."}\n', name="talk"),
    "snapshot": lambda ws: ws.upkeep.snapshot(),
}


@pytest.mark.parametrize("verb", VERBS)
def test_whatever_verb_an_actor_uses_says_who_it_was(write_blocks, opened, verb):
    write_blocks(PAGES)
    bob = opened().by(BOB)
    VERBS[verb](bob)
    record = next(stack_of(bob.root).newest()).fields
    assert record["by"] == BOB
    noted = bob.journal.list()
    assert [each.by for each in noted] in ([BOB], [])  # a snapshot is not noted
    assert bob.undo(own=True).paths


def test_the_journal_is_filtered_by_who_did_it(write_blocks, opened):
    write_blocks(PAGES)
    ws = opened()
    ws.by(BOB).pages.append("tea", "by bob")
    ws.pages.append("tea", "by hand")
    ws.by("ann").journal.add("read", "a paper", "by: somebody else")
    assert [each.by for each in ws.journal.list()] == ["ann", "", BOB]
    assert [each.by for each in ws.journal.list(by="BOB/1")] == [BOB]
    (ann,) = ws.journal.list(by="ann")
    assert ann.notes == ("by: somebody else",)
    lines = (ws.root / "log.md").read_text().split("\n")
    assert lines[ann.line - 1].endswith("read | a paper")
    assert f"- by: {BOB}" in lines


def test_an_actor_takes_back_only_what_he_did_last(write_blocks, opened):
    write_blocks(PAGES)
    ws = opened()
    bob, ann = ws.by(BOB), ws.by("ann")
    with pytest.raises(NotFoundError):
        bob.undo(own=True)
    bob.pages.append("tea", "of bob")
    ann.pages.append("water", "of ann")
    with pytest.raises(NotYoursError, match=r"by ann, not by bob/1\.0") as error:
        bob.undo(own=True)
    assert error.value.code == "not_yours"
    with pytest.raises(NotYoursError, match=r"by bob/1\.0"):
        ann.undo(2, own=True)
    with pytest.raises(NotYoursError, match="not by nobody named"):
        ws.undo(own=True, dry_run=True)
    ann.undo(own=True)
    bob.undo(own=True)
    assert [each.by for each in ws.journal.list(op="undo")] == [BOB, "ann"]
    ann.pages.append("water", "of ann")
    assert ws.undo().paths == ("water.md",)


APPENDS = """
import sys
from memwiki.workspace import Workspace

with Workspace.open(sys.argv[1], find=False) as ws:
    ws.by(sys.argv[2]).pages.append("tea", "of another window")
print("done", flush=True)
sys.stdin.read()
"""


def test_a_change_of_a_namesake_is_his_while_his_process_runs(write_blocks, opened):
    write_blocks(PAGES)
    bob = opened().by(BOB)
    command = [sys.executable, "-c", APPENDS, str(bob.root), BOB]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as window:
        assert window.stdout.readline() == "done\n"
        with pytest.raises(NotYoursError, match=r"in another process, not by bob/1\.0"):
            bob.undo(own="process")
        assert bob.undo(own=True, dry_run=True).paths == ("tea.md",)
        bob.pages.append("water", "of this one")
        assert bob.undo(own="process").paths == ("water.md",)
    assert bob.undo(own="process").paths == ("tea.md",)


def test_who_made_a_change_is_sealed_with_it(write_blocks, opened):
    write_blocks(PAGES)
    ws = opened()
    ws.by("ann").pages.append("tea", "of ann")
    (stack,) = (ws.root / ".memwiki/state").glob("undo-*.jsonl")
    stack.write_text(stack.read_text().replace('"ann"', json.dumps(BOB)))
    with pytest.raises(UnconfirmedError):
        ws.by(BOB).undo(own=True)


def test_views_share_one_index_and_what_is_changed_about_it(write_blocks, opened):
    write_blocks(PAGES)
    ws = opened()
    bob = ws.by(BOB)
    ws.is_synced = False
    assert (bob.is_synced, bob.actor, bob.by("").actor, ws.actor) == (False, BOB, "", "")
    ws.live.warnings.append("repaired")
    assert (bob.take_warnings(), ws.take_warnings()) == (["repaired"], [])
    bob.live.go_on_in_memory("full")
    assert ws.live.cache_folder is None
    assert ws.live.stores() is bob.live.stores()
    bob.settings.set("recall.depth", "1")
    assert (ws.config.recall.depth, ws.by(BOB).config.recall.depth, bob.actor) == (1, 1, BOB)


def test_actors_on_many_threads_never_sign_for_one_another(write_blocks, opened):
    write_blocks(PAGES)
    ws = opened()
    ws.sync()

    def work(name: str) -> None:
        for number in range(2):
            ws.by(name).pages.new(f"{name}-{number}.md")

    threads = [threading.Thread(target=work, args=(f"actor{n}",)) for n in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    made = [(each.by, each.title) for each in ws.journal.list()]
    assert len(made) == 8
    assert all(f"{by}-" in title for by, title in made)


def test_the_command_line_says_who_asks(write_blocks, root, capsys):
    write_blocks(PAGES)
    at = ("-C", str(root))
    assert main([*at, "--actor", BOB, "append", "tea", "x"]) == 0
    assert main([*at, "append", "tea", "y"]) == 0
    capsys.readouterr()
    assert main([*at, "log", "show", "--by", "bob", "--json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["entries"]
    assert entry["by"] == BOB
    assert main([*at, "undo", "--own", "--actor", BOB]) == 1
    assert "by nobody named, not by bob" in capsys.readouterr().err
    assert main([*at, "undo", "--own"]) == 0
    assert main([*at, "undo", "--own", "--actor", BOB]) == 0


@pytest.mark.parametrize("pid", [2**31, 10**30, -1, "5", None, True])
def test_a_number_that_no_process_has_is_of_none_that_runs(pid):
    assert not is_of_running({"pid": pid})
