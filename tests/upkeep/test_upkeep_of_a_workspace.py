"""All upkeep as one change: it ends, holds its caps, and is taken back to the byte."""

import random
import re
import threading
from datetime import UTC, datetime
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.answers.index import WatchEventKind
from memwiki.workspace import Workspace
from tests.effort import examples
from tests.waiting import PATIENCE_S

NOW = int(datetime(2026, 9, 1, 12, tzinfo=UTC).timestamp()) * 10**9
SETTINGS = """
[layers]
memory = "memory.md"
learnings = "learnings.md"
daily = "daily"
sessions = "sessions"
wiki = "wiki"
inbox = "inbox"
archive = "archive"
namespaces = "namespaces"
log = "log.md"
[memory]
preset = "agent"
"""
HOUSE = """
--- memory.md ---
# Memory

## Facts
- Tea is in the cupboard. [created:: 2026-08-01] ^m-aaaaaa
- ~~Tea is on the shelf.~~ [superseded_by:: m-aaaaaa] [created:: 2026-07-01] ^m-bbbbbb
--- inbox/2026-08-30.md ---
- Tea is in the cupboard. [status:: staged] [created:: 2026-08-30] ^m-cccccc
- The customer must always get an invoice. [status:: staged] [created:: 2026-08-30] ^m-dddddd
- It rained. [status:: staged] [created:: 2026-08-30] ^m-eeeeee
--- daily/2026-06-01.md ---
- Lunch with Ben. [created:: 2026-06-01] ^m-ffffff
- A walk. [created:: 2026-06-01] ^m-gggggg
--- daily/2026-08-31.md ---
- Lunch with Anna. [created:: 2026-08-31] ^m-hhhhhh
--- sessions/old.md ---
---
type: session
started: 2026-05-01
---
### 2026-05-01T10:00:00Z user ^s-0001
Hello.
--- wiki/tea.md ---
---
title: Tea
tags: [a, a]
---
# Tea
"""


def files(root):
    """Every page, catalogs and the journal aside."""
    found = (path for path in root.rglob("*.md") if path.name not in ("index.md", "log.md"))
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


@pytest.fixture
def house(root, opened, write_blocks):
    (root / "memwiki.toml").write_text(SETTINGS)
    write_blocks(HOUSE)
    return opened(clock=lambda: NOW)


def verbs(report):
    return {(step.verb, step.id or step.path) for step in report.steps}


def test_one_run_does_all_of_it_as_one_change(house, root):
    before = files(root)
    report = house.upkeep.run()
    assert {
        ("promoted", "m-dddddd"),
        ("retired", "m-ffffff"),
        ("retired", "sessions/old.md"),
        ("wrote", "MEMORY_SNAPSHOT.md"),
    } <= verbs(report)
    assert house.entries.get("m-dddddd").path == "memory.md"
    house.undo()
    assert files(root) == before


SENTENCES = re.compile(rb"(?:Tea is|The customer|It rained|Lunch with|A walk|Hello)[^.]*\.")


@pytest.mark.parametrize("count", [1, 2])
def test_what_reaches_a_file_that_stays_is_left_out_and_the_rest_is_done(house, root, count):
    (root / "wiki/tea.md").write_text("# Tea\n\nA hid\u200bden character.\n")
    before = files(root)
    whole = {path for path in house.upkeep.run(dry_run=True).edited.paths if path in before}
    assert {"memory.md", "wiki/tea.md", "sessions/old.md"} <= whole
    for staying in combinations(sorted(whole | {"MEMORY_SNAPSHOT.md"}), count):
        why = dict.fromkeys(staying, "stays")
        report = house.upkeep.run(why_left=lambda path, why=why: why.get(path, ""))
        after = files(root)
        assert all(after.get(path) == before.get(path) for path in staying)
        notes = report.edited.notes
        # Of two, one may be reached by what leaves the other alone.
        assert any(f"{path}: stays; left as it is" in notes for path in staying)
        assert report.edited.paths
        kept = set(SENTENCES.findall(b"\n".join(after.values())))
        assert kept == set(SENTENCES.findall(b"\n".join(before.values())))
        house.undo()
        assert files(root) == before


def test_what_it_would_do_is_a_diff_and_changes_nothing(house, root):
    before = files(root)
    report = house.upkeep.run(dry_run=True)
    assert report.edited.diff.startswith("--- ")
    assert "must always get an invoice" in report.edited.diff
    assert files(root) == before
    assert house.index.status().upkeep.last is None


def test_repeated_at_one_time_it_ends(house, root):
    for _ in range(10):
        if not house.upkeep.run().edited.paths:
            break
    before = files(root)
    assert house.upkeep.run().edited.title == "nothing to do"
    assert files(root) == before


def test_nothing_of_core_leaves_but_what_is_superseded(house, root):
    (root / "memwiki.toml").write_text(
        SETTINGS + "[retention.core]\npolicy = 'ttl'\nttl_days = 1\n"
    )
    house.reload()
    for _ in range(5):
        house.upkeep.run()
    kept = {entry.id for entry in house.entries.list(category="core")}
    assert "m-aaaaaa" in kept
    assert [item.id for item in house.upkeep.archived("shelf")] == ["m-bbbbbb"]


def test_a_person_is_asked_before_anything_moves(root, opened, write_blocks):
    (root / "memwiki.toml").write_text(SETTINGS.replace("agent", "personal"))
    write_blocks(HOUSE)
    space = opened(clock=lambda: NOW)
    before = files(root)
    assert space.upkeep.retain_if_due() is None
    assert space.index.status().upkeep.due == ""
    assert files(root) == before


def test_each_namespace_is_kept_by_itself(house, root, opened, write_blocks):
    write_blocks(
        """
        --- namespaces/work/daily/2026-06-01.md ---
        - A meeting. [created:: 2026-06-01] ^m-iiiiii
        --- namespaces/work/inbox/2026-08-30.md ---
        - The customer must always get an invoice. [status:: staged] ^m-jjjjjj
        """
    )
    house.upkeep.run()
    assert house.entries.get("m-dddddd").path == "memory.md"
    with Workspace.open(root, find=False, clock=lambda: NOW, namespace="work") as work:
        assert work.entries.get("m-jjjjjj").path == "namespaces/work/inbox/2026-08-30.md"
        work.upkeep.run()
        assert work.entries.get("m-jjjjjj").path == "namespaces/work/memory.md"
        assert [item.path for item in work.upkeep.archived()] == [
            "namespaces/work/archive/memory/2026-09.md"
        ]
    assert [item.id for item in house.upkeep.archived()] == ["m-ffffff", ""]


def test_what_a_summary_speaks_for_goes_a_tenth_a_run(root, opened, put):
    (root / "memwiki.toml").write_text(SETTINGS.replace("agent", "personal"))
    old = "".join(
        f"- Star number {chr(97 + n) * 3}. [created:: 2026-01-01] ^m-s{n}\n" for n in range(5)
    )
    put("inbox/a.md", old)
    put("inbox/b.md", "- Many stars. [created:: 2026-08-31] [sources:: m-s1, m-s2] ^m-sum\n")
    space = opened(clock=lambda: NOW)
    gone = [[s.id for s in space.upkeep.run().steps if s.verb == "retired"] for _ in range(3)]
    assert gone == [["m-s1"], ["m-s2"], []]
    assert space.upkeep.archived("aaa").total == 0


def test_retention_is_looked_at_after_so_many_writes(root, opened):
    (root / "memwiki.toml").write_text(
        SETTINGS.replace("agent", "personal")
        + "[retention.daily]\npolicy = 'capacity'\nmax_items = 2\ncheck_interval = 3\n"
    )
    hours = [0]
    space = opened(clock=lambda: NOW + hours[0] * 3_600 * 10**9)
    for number in range(3):
        assert space.upkeep.retain_if_due() is None
        space.entries.add(f"Thing {'abc'[number] * 4} happened.", to="daily")
    assert [s.verb for s in space.upkeep.retain_if_due().steps] == ["retired"]
    assert space.upkeep.retain_if_due() is None
    hours[0] = 13
    assert space.upkeep.retain_if_due() is None  # nothing was written since
    for number in range(3):
        space.entries.add(f"Other {'xyz'[number] * 4} came.", to="daily")
    assert space.upkeep.retain_if_due() is not None


WORDS = "tea cupboard Anna must always invoice 茶 柜子 #red never 小明 喜欢 rain 7 8".split()


@examples(8)
@given(st.integers(0, 10**6))
def test_any_upkeep_ends_and_is_undone_to_the_byte(tmp_path_factory, seed):
    """A made workspace: staged, daily and core entries, repeated and odd ones."""
    pick = random.Random(seed)
    root = tmp_path_factory.mktemp("ws")
    (root / "memwiki.toml").write_text(SETTINGS)
    for path in ("memory.md", "inbox/2026-08-01.md", "daily/2026-06-02.md", "notes.md"):
        lines = ["# Page", "", "## Facts" if pick.random() < 0.5 else "Prose."]
        for number in range(pick.randrange(8)):
            text = " ".join(pick.choices(WORDS, k=pick.randrange(1, 6)))
            field = pick.choice(
                ["", " [status:: staged]", " [created:: 2026-05-01]", f" ^m-{seed % 97}{number}"]
            )
            lines += [
                f"- {text}{field}",
                *pick.choice([[], ["  - more"], ["", "```", "- x", "```"]]),
            ]
        end = pick.choice(["\n", "", "\r\n"])
        data = ("\r\n" if pick.random() < 0.2 else "\n").join(lines) + end
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_bytes(data.encode())
    with Workspace.open(root, find=False, clock=lambda: NOW) as space:
        states, runs = [files(root)], 0
        while space.upkeep.run().edited.paths:
            assert files(root) not in states
            states.append(files(root))
            runs += 1
            assert runs < 30
        for state in reversed(states[:-1]):
            space.undo()
            assert files(root) == state


def test_what_check_repairs_is_repaired_on_the_way(root, opened, put):
    put("wiki/a.md", "---\ntitle: Tea: green\n---\n# Tea\n\n[b](B.md)\n")
    put("wiki/b.md", "# B\n\n[[a]]\n")
    space = opened(clock=lambda: NOW)
    repaired = {p.code for p in space.check.run().problems if p.fixable and p.severity != "info"}
    assert repaired == {"link-case", "front-matter-repaired"}
    assert [(s.verb, s.path) for s in space.upkeep.run().steps] == [("fixed", "wiki/a.md")]
    assert not any(p.fixable and p.severity != "info" for p in space.check.run().problems)


def test_a_watcher_keeps_all_namespaces(house, root, put):
    put("namespaces/work/inbox/2026-08-30.md", "- We must always ask twice. [status:: staged]\n")
    kept = threading.Event()

    def tell(event):
        if event.event is WatchEventKind.KEPT:
            kept.set()

    with house.watch(tell=tell, upkeep=True):
        assert kept.wait(PATIENCE_S)
    assert "ask twice" in (root / "namespaces/work/memory.md").read_text("utf-8")
    assert house.entries.get("m-dddddd").path == "memory.md"
    assert house.index.status().upkeep.last.op == "upkeep"
