"""Consolidation among other processes, on a failing disk, and killed between its files."""

import errno
import os
import subprocess
import sys

import pytest

from memwiki.errors import MemwikiError
from tests.waiting import PATIENCE_S

SETTINGS = '[layers]\nmemory = "memory.md"\ndaily = "daily"\ninbox = "inbox"\n'
STAGED = "".join(f"- Rule {n} must hold. [status:: staged] ^m-s{n}\n" for n in range(9))
KNOWN = "# Memory\n\n## Facts\n- Rule 0 must hold. ^m-k0\n"
TEXTS = sorted(f"Rule {n} must hold." for n in range(9))


@pytest.fixture
def tray(put, root):
    put("memwiki.toml", SETTINGS)
    put("memory.md", KNOWN)
    put("inbox/2026-03-03.md", STAGED)
    return root


def pages(root):
    return {path.name: path.read_bytes() for path in root.rglob("*.md")}


@pytest.mark.parametrize("call", ["open", "write", "fsync", "replace"])
def test_a_failing_disk_is_told_and_changes_nothing(tray, ws, monkeypatch, call):
    ws.sync()
    before, real = pages(tray), getattr(os, call)

    def fail(*arguments, **named):
        if call == "open" and not arguments[1] & (os.O_WRONLY | os.O_RDWR):
            return real(*arguments, **named)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, call, fail)
        with pytest.raises(MemwikiError):
            ws.upkeep.consolidate()
    assert pages(tray) == before
    ws.upkeep.consolidate()
    assert sorted(each.text for each in ws.entries.list()) == TEXTS


KILLED = """
import os, sys
from memwiki.cli.main import main
real, left = os.replace, int(sys.argv[1])
def replace(*arguments, **named):
    global left
    if left == 0:
        os._exit(9)
    left -= 1
    return real(*arguments, **named)
os.replace = replace
main(["-C", sys.argv[2], "upkeep", "consolidate"])
"""


@pytest.mark.parametrize("written", [0, 2, 3])
def test_of_a_run_that_is_killed_no_text_is_lost_and_the_next_ends_it(tray, opened, written):
    subprocess.run([sys.executable, "-c", KILLED, str(written), str(tray)], check=False)
    texts = {
        line.split(" [")[0] for path in tray.rglob("*.md") for line in path.read_text().split("\n")
    }
    assert {f"- {text}" for text in TEXTS[1:]} <= {text.split(" ^")[0] for text in texts}
    ws = opened()
    ws.upkeep.consolidate()
    assert sorted({each.text for each in ws.entries.list()}) == TEXTS
    assert list(ws.upkeep.consolidate()) == []


def test_two_at_once_and_one_that_adds_lose_and_double_nothing(tray, ws):
    ws.sync()
    again = ["-m", "memwiki", "-C", str(tray)]
    runs = [
        subprocess.Popen([sys.executable, *again, *words], stdout=subprocess.DEVNULL)
        for words in (
            ["upkeep", "consolidate"],
            ["upkeep", "consolidate"],
            ["add", "Rule 9 must hold.", "--staged"],
        )
    ]
    assert [run.wait(PATIENCE_S) for run in runs] == [0, 0, 0]
    ws.upkeep.consolidate()
    assert sorted(each.text for each in ws.entries.list()) == [*TEXTS, "Rule 9 must hold."]


def test_a_run_on_a_workspace_without_core_makes_entries_active(put, opened):
    put("memwiki.toml", '[layers]\ninbox = "inbox"\nmemory = ""\nlearnings = ""\n')
    put("inbox/a.md", "- It must always hold. [status:: staged] ^m-s1\n")
    (step,) = opened().upkeep.consolidate()
    assert step.verb == "active"
