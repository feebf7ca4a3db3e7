"""Many pages are read by worker processes; the index is the one that a single process makes."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from memwiki.catalog.store import ListingStore
from memwiki.index.cards.tables import PAGE
from memwiki.index.meanings.store import MeaningStore
from memwiki.index.projection import uncollected
from memwiki.index.stores import dump
from memwiki.nouns import Layers
from memwiki.sync import feed, workers
from memwiki.sync.context import IndexSettings
from memwiki.sync.request import Unread, prepared
from tests.waiting import PATIENCE_S, until

PAGES = 80  # more than two parts
SETTINGS = IndexSettings(Layers(), 10_000)


@pytest.fixture
def notes(put, monkeypatch) -> None:
    """A workspace of all kinds of pages, of which two workers are started for few pages."""
    monkeypatch.setattr(feed, "_MANY", 2)
    monkeypatch.setenv("MEMWIKI_INDEX_WORKERS", "2")
    for number in range(PAGES):
        front = f"---\ntags: [a{number % 7}]\naliases: [n{number}]\nstatus: new\n---\n"
        put(f"notes/n{number}.md", f"{front}# Note {number}\n\n小明喜欢茶 [[n{number + 1}]]\n")
    put("memory.md", "- Likes tea. #tea\n- [fact] Runs daily. ^m-7k2f9a\n")
    put("broken.md", "---\na: [b\n---\ntext\n")
    put("latin.md", b"caf\xe9 " * 40)
    put("large.md", b"word " * 10_000)


def test_nobody_looks_for_cycles_while_pages_are_taken_in_and_what_a_commit_leaves_goes_behind_it():
    def seen(phase: str, info: dict[str, int]) -> None:
        walks.append((phase, info["generation"]))

    walks = list[tuple[str, int]]()
    was_on = gc.isenabled()
    gc.enable()
    gc.callbacks.append(seen)
    try:
        with uncollected() as collect:
            waiting = [[number] for number in range(200_000)]
            assert walks == []
            assert len(waiting) == 200_000
            collect()
            assert walks == [("start", 0), ("stop", 0)]
        assert gc.isenabled()
    finally:
        gc.callbacks.remove(seen)
        (gc.enable if was_on else gc.disable)()


def test_what_a_sync_holds_of_other_pages_is_walked_between_commits_alone(
    opened, notes, put, monkeypatch
):
    monkeypatch.setattr(feed, "_MANY", 10 * PAGES)
    monkeypatch.setattr(feed, "_BATCH", PAGES // 2)
    walks = list[int]()
    monkeypatch.setattr(gc, "collect", walks.append)
    ws = opened()
    ws.sync()
    assert walks == [0, 0]
    put("memory.md", "- Likes coffee.\n")
    assert ws.sync().modified == ("memory.md",)
    assert walks == [0, 0]


def test_nobody_looks_for_cycles_while_links_are_resolved_and_pages_listed(
    opened, notes, monkeypatch
):
    seen = list[bool]()
    for kind in (MeaningStore, ListingStore):
        real = kind.write
        monkeypatch.setattr(kind, "write", lambda *a, r=real: (seen.append(gc.isenabled()), r(*a)))
    opened().sync()
    assert seen == [False, False]
    assert gc.isenabled()


@pytest.mark.parametrize("is_on", [True, False])
def test_who_looks_for_no_cycles_is_not_made_to_by_a_sync(is_on, ws, put):
    put("a.md", "# A\n")
    was_on = gc.isenabled()
    (gc.enable if is_on else gc.disable)()
    try:
        ws.sync()
        assert gc.isenabled() is is_on
    finally:
        (gc.enable if was_on else gc.disable)()


def dumped(ws) -> object:
    with ws.live.opened() as stores:
        return dump(stores)


def started(monkeypatch) -> list[subprocess.Popen[bytes]]:
    """Every worker that is started from here on."""
    found, real = [], workers._started

    def start():
        found.append(real())
        return found[-1]

    monkeypatch.setattr(workers, "_started", start)
    return found


def test_one_process_and_many_make_the_same_index(opened, notes, monkeypatch, cache):
    processes = started(monkeypatch)
    many = opened()
    assert len(many.sync().added) == PAGES + 4
    assert len(processes) == 2
    here = dumped(many)
    many.close()
    monkeypatch.setenv("MEMWIKI_CACHE_DIR", str(cache / "other"))
    monkeypatch.setenv("MEMWIKI_INDEX_WORKERS", "1")
    one = opened()
    one.sync()
    assert len(processes) == 2
    assert dumped(one) == here


def test_changed_pages_are_made_by_workers_too(opened, notes, put, assert_in_step, monkeypatch):
    ws = opened()
    ws.sync()
    processes = started(monkeypatch)
    for number in range(3):
        put(f"notes/n{number}.md", f"# Other {number}\n\nheron\n")
    assert len(ws.sync().modified) == 3
    assert len(processes) == 2
    assert ws.search("heron").total == 3
    assert_in_step(ws)


def rows(put) -> dict[str, list]:
    """What is stored of a page, but for whether it was old enough to be known by its signature."""
    at = PAGE.names.index("settled")
    found = dict(put.rows)
    found["page"] = [(*each[:at], *each[at + 1 :]) for each in found["page"]]
    return {table: sorted(each) for table, each in found.items()}


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_killed_worker_costs_no_page(root, notes, monkeypatch, after):
    processes = started(monkeypatch)
    paths = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.md"))
    found = []
    for number, page in enumerate(workers.in_workers(2, root, paths, SETTINGS)):
        if number == after * 32:
            processes[0].kill()
        found.append(page)
    alone = [prepared(root, path, SETTINGS) for path in paths]
    assert [put.page for put in found] == [put.page for put in alone]
    assert [rows(put) for put in found] == [rows(put) for put in alone]
    assert [put.terms for put in found] == [put.terms for put in alone]
    assert all(process.poll() is not None for process in processes)


def test_workers_that_cannot_be_started_cost_no_page(opened, notes, monkeypatch, assert_in_step):
    def refuse():
        raise OSError("no more processes")

    monkeypatch.setattr(workers, "_started", refuse)
    ws = opened()
    assert len(ws.sync().added) == PAGES + 4
    assert_in_step(ws)


def test_a_file_that_cannot_be_read_is_named(root, notes):
    paths = ["notes/n1.md", "gone.md", "notes/n2.md"]
    with closing(workers.in_workers(2, root, paths, SETTINGS)) as pages:
        found = list(pages)
    assert found[1] == Unread(is_missing=True, message="gone.md: no such file")
    assert [found[0].page.path, found[2].page.path] == ["notes/n1.md", "notes/n2.md"]


def test_the_workspace_may_have_any_name(tmp_path, monkeypatch):
    processes = started(monkeypatch)
    root = tmp_path / os.fsdecode("a \n 小".encode() + b"\xe9")
    root.mkdir()
    (root / "a.md").write_text("# A\n")
    monkeypatch.setattr(workers, "prepared", None)  # the workers make it, or nobody
    found = list(workers.in_workers(2, root, ["a.md"], SETTINGS))
    assert len(processes) == 2
    assert [rows(put) for put in found] == [rows(prepared(root, "a.md", SETTINGS))]


def test_who_stops_asking_leaves_no_process_behind(root, notes, monkeypatch):
    processes = started(monkeypatch)
    pages = workers.in_workers(2, root, ["notes/n1.md"] * 500, SETTINGS)
    next(pages)
    pages.close()
    assert [process.poll() is not None for process in processes] == [True, True]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc tells who is running")
def test_a_worker_ends_when_its_parent_is_killed(root, notes, put):
    put("notes/wide.md", "word " * 40_000)  # what is made soon fills what may wait
    program = (
        "import sys; from pathlib import Path; from memwiki.sync import workers\n"
        "from memwiki.sync.context import IndexSettings; from memwiki.nouns import Layers\n"
        "real, found = workers._started, []\n"
        "workers._started = lambda: found.append(real()) or found[-1]\n"
        "settings = IndexSettings(Layers(), 10_000_000)\n"
        "pages = workers.in_workers(2, Path(sys.argv[1]), ['notes/wide.md'] * 2000, settings)\n"
        "next(pages); print(*(each.pid for each in found), flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        parent.kill()
    assert len(pids) == 2
    until(lambda: not any(map(is_running, pids)))


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


PROGRAM = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
print("imported", flush=True)
from memwiki import Workspace
from memwiki.sync import feed
feed._MANY = 2
print(len(Workspace.open(sys.argv[1]).sync().added), flush=True)
"""


def test_a_program_needs_no_guard_and_is_imported_once(root, notes, tmp_path):
    (root / "memwiki.toml").touch()
    script = tmp_path / "mine.py"
    script.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, str(script), str(root)],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(workers.__file__).parents[2])},
    )
    assert (done.stdout, done.stderr) == (f"imported\n{PAGES + 4}\n", "")


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="a terminal's Ctrl-C reaches a process group")
def test_ctrl_c_ends_everything_and_the_next_sync_goes_on(root, notes, opened, tmp_path):
    (root / "memwiki.toml").touch()
    script = tmp_path / "mine.py"
    waits = "import time; from memwiki.index.cards.store import Cards\n"
    # In short sleeps: a signal that comes right before one is not seen until its end.
    waits += "naps = lambda: [time.sleep(0.05) for _ in range(12_000)]\n"
    waits += "Cards.apply = lambda *_: (print('applying', flush=True), naps())"
    script.write_text(PROGRAM.replace("feed._MANY = 2", f"feed._MANY = 2\n{waits}"))
    with subprocess.Popen(
        [sys.executable, str(script), str(root)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(Path(workers.__file__).parents[2])},
    ) as process:
        assert process.stdout.readline() == "imported\n"
        assert process.stdout.readline() == "applying\n"
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(PATIENCE_S) != 0
        with pytest.raises(ProcessLookupError):  # nobody is left in its group
            os.killpg(process.pid, 0)
    ws = opened()
    ws.sync()
    assert ws.search("喜欢茶").total == PAGES


@pytest.mark.parametrize(
    ("wanted", "found", "count"),
    [(0, 1, 0), (0, 4, 4), (0, 64, 8), (1, 4, 0), (3, 1, 3), (99, 1, 8)],
)
def test_there_are_as_many_workers_as_cores_or_as_is_said(monkeypatch, wanted, found, count):
    monkeypatch.setattr(workers, "cores", lambda: found)
    assert workers.worker_count(wanted) == count


@pytest.mark.parametrize("program", ["", "/usr/bin/uwsgi"])
def test_a_program_that_holds_python_is_not_started_again(monkeypatch, program):
    monkeypatch.setattr(sys, "executable", program)
    assert workers.worker_count(4) == 0
