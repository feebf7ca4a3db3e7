"""What is done is said to be done, whatever fails after it: told as a failure, it is asked for
again."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from memwiki.index.cards.store import Cards
from memwiki.index.keyword.whoosh_backend import WhooshBackend

VERBS = {
    "append": (["append", "memory", "- New."], "memory.md", b"- New."),
    "new": (["new", "wiki/heron.md"], "wiki/heron.md", b"Heron"),
    "set": (["set", "memory", "type=note"], "memory.md", b"type: note"),
    "tag": (["tag", "add", "memory", "x"], "memory.md", b"x"),
    "move": (["move", "fox", "den.md"], "den.md", b"Fox"),
    "log": (["log", "add", "ingest", "a paper"], "log.md", b"a paper"),
}
PAGES = {"memory.md": "# Memory\n\n- Old.\n", "fox.md": "# Fox\n\n[[memory]]\n"}
FAILURES = {
    "no space": OSError(errno.ENOSPC, "No space left on device"),
    "no descriptors": OSError(errno.EMFILE, "Too many open files"),
    "sqlite": sqlite3.OperationalError("disk I/O error"),
    "undecodable": UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
    "misshapen": ValueError("invalid literal for int()"),
    "missing": KeyError("tree"),
    "nested": RecursionError("maximum recursion depth exceeded"),
}


@pytest.fixture
def filled(root: Path, put) -> Path:
    for path, text in PAGES.items():
        put(path, text)
    put("log.md", "# Log\n")
    put("memwiki.toml", '[layers]\nlog = "log.md"\n')
    return root


@pytest.mark.parametrize("what", FAILURES)
@pytest.mark.parametrize("verb", ["append", "new", "move"])
def test_a_verb_whose_sync_fails_afterwards_is_done(filled, memwiki, monkeypatch, verb, what):
    """Each failure meets each verb and each store, and each verb each store."""
    memwiki("sync")
    where = (Cards, WhooshBackend)[(list(FAILURES).index(what) + (verb == "new")) % 2]
    arguments, path, written = VERBS[verb]

    def fail(*_):
        raise FAILURES[what]

    with monkeypatch.context() as patch:
        patch.setattr(where, "apply", fail)
        answer = memwiki(*arguments)
    assert (memwiki.code, answer.get("code")) == (0, None)
    assert path in answer["paths"]
    assert (filled / path).read_bytes().count(written) >= 1
    assert memwiki("search", "Old")["fresh"]


def unshown(root, cache, *arguments):
    """A command whose output finds no room."""
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    command = [sys.executable, "-m", "memwiki", "-C", str(root), *arguments]
    environ = {**os.environ, "MEMWIKI_CACHE_DIR": str(cache)}
    with open("/dev/full", "wb") as full:
        return subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=environ)


@pytest.mark.parametrize(
    ("verb", "options"), [*((verb, []) for verb in VERBS), ("append", ["--json"])]
)
def test_a_verb_whose_answer_cannot_be_shown_is_done(filled, cache, verb, options):
    arguments, path, written = VERBS[verb]
    done = unshown(filled, cache, *options, *arguments)
    assert done.returncode == 0
    assert b"done, but" in done.stderr
    assert b"unexpected" not in done.stderr
    assert written in (filled / path).read_bytes()


def test_a_question_whose_answer_cannot_be_shown_is_an_error(filled, cache):
    assert unshown(filled, cache, "--json", "search", "fox").returncode == 1


def test_a_damaged_index_met_by_a_verb_is_healed_by_it(filled, memwiki, cache):
    memwiki("sync")
    (store,) = cache.rglob("cards.sqlite")
    store.write_bytes(b"")
    answer = memwiki("append", "memory", "- New.")
    assert (memwiki.code, answer["fresh"], answer["notes"]) == (0, True, [])
    assert json.dumps(memwiki("search", "New")).count("memory.md")
    assert (filled / "memory.md").read_text().count("- New.") == 1
