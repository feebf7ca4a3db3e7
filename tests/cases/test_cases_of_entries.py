"""How tools like this fail in the field, and what happens here: memories and many hands."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from contextlib import nullcontext

import pytest

from memwiki.change import apply as applying
from memwiki.errors import AmbiguousError, ConflictError, MemwikiError
from tests.waiting import PATIENCE_S

# The case says 8 processes of 250; each time the tests run, fewer do.
PROCESSES = int(os.environ.get("MEMWIKI_CASE_PROCESSES", "4"))
ADDS = int(os.environ.get("MEMWIKI_CASE_ADDS", "4"))


def texts(space, **named):
    return [each.text for each in space.entries.list(**named)]


# --- 7: a cache never overwrites a hand edit ------------------------------------------------------


def test_case_07_what_a_person_changes_meanwhile_survives_a_change_of_the_same_entry(ws, root):
    """
    --- memory.md ---
    # Memory

    - Prefers tea. [importance:: 0.5] ^m-aaaaaa
    - The sea is near. ^m-bbbbbb
    """
    assert ws.entries.get("m-aaaaaa").importance == 0.5
    page = root / "memory.md"
    page.write_text(
        page.read_text()
        .replace("Prefers tea.", "Prefers green tea.")
        .replace("The sea is near.", "The sea is far.")
    )
    ws.entries.update("m-aaaaaa", fields={"importance": "0.9"})
    assert texts(ws) == ["Prefers green tea.", "The sea is far."]
    assert ws.entries.get("m-aaaaaa").importance == 0.9


@pytest.mark.parametrize("how", ["in place", "replaced"])
@pytest.mark.parametrize("verb", ["add", "update", "supersede", "delete", "move"])
def test_case_07_what_a_person_saves_between_reading_and_writing_survives(
    ws, root, monkeypatch, verb, how
):
    """
    --- memory.md ---
    # Memory

    ## Facts
    - The sea is near. ^m-bbbbbb
    - Prefers tea. ^m-aaaaaa
    - The night is dark.
    """
    page, real = root / "memory.md", applying._applied

    def late(*arguments, **named):
        monkeypatch.undo()
        new = page.read_text().replace("# Memory\n", "# Memory\n\nBy hand.\n")
        if how == "in place":
            page.write_text(new)
        else:
            (root / "memory.md~").write_text(new)
            (root / "memory.md~").replace(page)
        return real(*arguments, **named)

    ws.sync()
    monkeypatch.setattr(applying, "_applied", late)
    {
        "add": lambda: ws.entries.add("Lives in Oslo."),
        "update": lambda: ws.entries.update("m-aaaaaa", "Prefers coffee."),
        "supersede": lambda: ws.entries.supersede("m-aaaaaa", "Prefers coffee."),
        "delete": lambda: ws.entries.delete("m-aaaaaa"),
        "move": lambda: ws.entries.move("m-aaaaaa", "learnings"),
    }[verb]()
    assert page.read_text().startswith("# Memory\n\nBy hand.\n\n## Facts\n- The sea is near.")
    assert page.read_text().count("By hand.") == 1
    wanted = {
        "add": {"Prefers tea.", "Lives in Oslo."},
        "update": {"Prefers coffee."},
        "supersede": {"Prefers coffee."},
        "delete": set(),
        "move": {"Prefers tea."},
    }[verb]
    assert set(texts(ws)) == {"The sea is near.", "The night is dark."} | wanted


def test_case_07_an_entry_without_an_id_that_a_person_changed_is_not_guessed(ws, root, monkeypatch):
    """
    --- memory.md ---
    - Prefers tea.
    - The sea is near.
    """
    page, real = root / "memory.md", applying.apply
    ws.sync()

    def late(*arguments, **named):
        page.write_text("- Prefers beer.\n- The sea is near.\n")
        return real(*arguments, **named)

    from memwiki.commit import carry_out

    monkeypatch.setattr(carry_out, "apply", late)
    with pytest.raises(ConflictError):
        ws.entries.delete("memory.md:1")
    assert page.read_text() == "- Prefers beer.\n- The sea is near.\n"


# --- 13: no lost append ---------------------------------------------------------------------------

WRITER = """
import json, os, sys
from contextlib import nullcontext
from memwiki import Workspace
from memwiki.cli.dispatch import load
from memwiki.cli.main import main
root, who, count = sys.argv[1], sys.argv[2], int(sys.argv[3])

def by_shell(text, *tags):
    # A process of its own for each, which only finds everything imported.
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.dup2(writing, 1)
        code = main(["-C", root, "--here", "--json", "add", text, *tags])
        sys.stdout.flush()
        os._exit(code)
    os.close(writing)
    with open(reading) as told:
        report = json.load(told)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return [(each["id"], each["text"]) for each in report["added"]], report["repeated"]

def by_python(text, *tags):
    report = space.entries.add(text, tags=tags[1:])
    return [(each.id, each.text) for each in report.added], report.repeated

add = by_shell if int(who) % 2 else by_python
if add is by_shell:
    load("add")
    with Workspace.init(f"{root}-{who}") as other:
        other.entries.add("Imports what adding needs.")
with nullcontext() if add is by_shell else Workspace.open(root, find=False) as space:
    for n in range(count):
        added, _ = add(f"Writer {who} saw bird number {n}.")
        print(*added[0], flush=True)
        if n % 3 == 0:
            shared, repeated = add("Birds sing.", "--tag", f"from{who}")
            assert len(shared) + len(repeated) == 1
"""


def run_all(script, root, *, count=PROCESSES):
    """What several processes print that run at once, all of which succeed."""
    command = [sys.executable, "-c", script, str(root)]
    running = [
        subprocess.Popen([*command, str(who), str(ADDS)], stdout=subprocess.PIPE, text=True)
        for who in range(count)
    ]
    said = [each.communicate(timeout=PATIENCE_S)[0] for each in running]
    assert [each.returncode for each in running] == [0] * count
    return [line for each in said for line in each.splitlines()]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("is_watched", [False, True], ids=["alone", "watched"])
def test_case_13_no_entry_of_several_processes_is_lost_or_doubled(
    ws, opened, root, assert_in_step, is_watched
):
    """
    --- memory.md ---
    # Memory

    ## Facts
    """
    ws.sync()
    with opened().watch() if is_watched else nullcontext():
        said = run_all(WRITER, root)
    found = [f"{each.id} {each.text}" for each in ws.entries.list()]
    shared = [each for each in found if "Birds sing." in each]
    assert len(shared) == 1
    assert sorted(set(found) - set(shared)) == sorted(said)
    assert len(said) == PROCESSES * ADDS
    assert len(found) == len(said) + 1
    ids = [each.split(" ")[0] for each in found]
    assert len(set(ids)) == len(ids)
    ws.sync()
    assert_in_step(ws)


MIXED = """
import sys, time
from pathlib import Path
from memwiki import Workspace
from memwiki.change import apply as applying
from memwiki.errors import NotFoundError
root, who, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
real, page, hand = applying._applied, root / "memory.md", []

def late(*arguments, **named):
    # An editor takes no lock: it saves after a verb has read the page, and before it writes.
    if hand:
        line = hand.pop()
        new = page.read_text().replace("# Memory\\n", f"# Memory\\n\\n{line}\\n")
        if len(line) % 2:
            page.write_text(new)
        else:
            other = root / f"memory.md.{who}~"
            other.write_text(new)
            other.replace(page)
        print("hand", line)
    return real(*arguments, **named)

def settled(verb):
    # A file that is saved in place is empty for a moment: then no entry is there.
    while True:
        try:
            return verb()
        except NotFoundError:
            time.sleep(0.02)

applying._applied = late
with Workspace.open(root, find=False) as space:
    for n in range(count):
        (added,) = space.entries.add(f"Writer {who} saw bird number {n}.").added
        if n % 4 == 0:
            hand.append(f"By hand {who} {n} {'x' * (n % 3)}.")
        if n % 3 == 0:
            settled(lambda: space.entries.delete(added.id))
        elif n % 3 == 1:
            settled(lambda: space.entries.update(added.id, f"Writer {who} saw fish number {n}."))
            print("entry", added.id, f"Writer {who} saw fish number {n}.")
        else:
            print("entry", added.id, added.text)
"""


def test_case_13_adding_changing_and_deleting_beside_an_editor_loses_nothing_of_either(
    ws, opened, root, assert_in_step
):
    """
    --- memory.md ---
    # Memory

    ## Facts
    - First. ^m-aaaaaa
    """
    ws.sync()
    with opened().watch():
        said = run_all(MIXED, root, count=3)
    text = (root / "memory.md").read_text()
    for line in said:
        kind, _, rest = line.partition(" ")
        assert kind == "entry" or text.count(f"{rest}\n") == 1
    found = sorted(f"entry {each.id} {each.text}" for each in ws.entries.list())
    kept = sorted(each for each in said if each.startswith("entry"))
    assert found == sorted(["entry m-aaaaaa First.", *kept])
    ws.sync()
    assert_in_step(ws)


# --- 16: destructive verbs never guess ------------------------------------------------------------


@pytest.mark.parametrize("name", ["m-aaaaaa", "user/color"])
def test_case_16_a_name_that_several_entries_bear_is_an_error_with_the_candidates(
    ws, snapshot, name
):
    """
    --- memory.md ---
    - One. [key:: user/color] ^m-aaaaaa
    - Two. ^m-bbbbbb
    --- learnings.md ---
    - Copied. [key:: user/color] ^m-aaaaaa
    """
    before = snapshot()
    for verb in (
        lambda: ws.entries.get(name),
        lambda: ws.entries.delete(name),
        lambda: ws.entries.update(name, "Other."),
        lambda: ws.entries.supersede(name, "Other."),
        lambda: ws.entries.move(name, "daily"),
        lambda: ws.entries.relate("m-bbbbbb", name, "supports"),
    ):
        with pytest.raises(AmbiguousError) as raised:
            verb()
        assert sorted(raised.value.candidates) == ["learnings.md:1", "memory.md:1"]
        assert snapshot() == before


@pytest.mark.parametrize("verb", ["delete", "update", "move"])
def test_case_16_one_of_several_with_an_id_is_meant_by_path_and_line(ws, root, verb):
    """
    --- memory.md ---
    - One. ^m-aaaaaa
    - Copied. ^m-aaaaaa
    """
    verbs = {
        "delete": lambda: ws.entries.delete("memory.md:2"),
        "update": lambda: ws.entries.update("memory.md:2", "Other."),
        "move": lambda: ws.entries.move("memory.md:2", "learnings"),
    }
    verbs[verb]()
    assert (root / "memory.md").read_text().startswith("- One. ^m-aaaaaa\n")
    assert "Copied" not in (root / "memory.md").read_text()


# --- 17: success is said only of durable work -----------------------------------------------------


CODES = [errno.ENOSPC, errno.EACCES, errno.EIO, errno.EROFS]
CALLS = ["open", "write", "fsync", "replace"]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("call", CALLS)
def test_case_17_an_entry_on_a_failing_disk_is_not_said_to_be_written(
    ws, root, monkeypatch, code, call
):
    """
    --- memory.md ---
    # Memory

    - Prefers tea. ^m-aaaaaa
    """
    ws.sync()
    before = (root / "memory.md").read_bytes()
    real = getattr(os, call)

    def fail(*arguments, **named):
        is_reading = call == "open" and not arguments[1] & (os.O_WRONLY | os.O_RDWR)
        if is_reading:
            return real(*arguments, **named)
        raise OSError(code, os.strerror(code))

    verb = (  # in turn: each meets each code and each call
        lambda: ws.entries.add("Lives in Oslo."),
        lambda: ws.entries.update("m-aaaaaa", "Prefers coffee."),
        lambda: ws.entries.delete("m-aaaaaa"),
    )[(CODES.index(code) + CALLS.index(call)) % 3]
    with monkeypatch.context() as patch:
        patch.setattr(os, call, fail)
        with pytest.raises(MemwikiError) as raised:
            verb()
    assert raised.value.hint
    assert (root / "memory.md").read_bytes() == before
    verb()
    assert (root / "memory.md").read_bytes() != before


# --- 21: contradictions lose neither fact ---------------------------------------------------------


def test_case_21_a_contradicted_fact_is_kept_with_a_date_and_the_newer_one_holds(ws):
    """
    --- memory.md ---
    # Memory
    """
    old = ws.entries.add("Anna does like tea.").added[0]
    report = ws.entries.add("Anna does not like tea.")
    assert [each.id for each in report.superseded] == [old.id]
    assert texts(ws) == ["Anna does not like tea."]
    was = ws.entries.get(old.id)
    assert (was.text, was.status) == ("Anna does like tea.", "superseded")
    assert was.fields["superseded_by"] == report.added[0].id
    assert was.fields["valid_to"]
    assert texts(ws, status="superseded") == ["Anna does like tea."]


def test_case_21_true_facts_about_one_subject_never_retire_each_other(ws):
    """
    --- memory.md ---
    # Memory
    """
    said = [f"Service {n} listens on port {8000 + n}." for n in range(6)]
    said += ["Anna likes tea.", "Anna likes the sea.", "Anna has a cat.", "Anna has a dog."]
    for text in said:
        assert not ws.entries.add(text).superseded
    assert sorted(texts(ws)) == sorted(said)


def test_case_21_one_fact_that_retires_two_names_both(ws):
    """
    --- memory.md ---
    - Anna does like tea. ^m-aaaaaa
    --- learnings.md ---
    - Anna does like tea! ^m-bbbbbb
    """
    report = ws.entries.add("Anna does not like tea.")
    (new,) = report.added
    assert sorted(new.fields["supersedes"].split(", ")) == ["m-aaaaaa", "m-bbbbbb"]
    assert sorted(each.id for each in report.superseded) == ["m-aaaaaa", "m-bbbbbb"]
    past = ws.entries.history(new.id).superseded
    assert sorted(each.id for each in past) == ["m-aaaaaa", "m-bbbbbb"]


@pytest.mark.parametrize(
    "text",
    ["Prefers tea.", "prefers  TEA", "- Prefers tea.", "Prefers tea. #drink", "Prefers tea. #a #b"],
)
def test_case_21_an_identical_fact_twice_is_a_no_op(ws, root, text):
    """
    --- memory.md ---
    # Memory

    - Prefers tea. #drink
    """
    before = (root / "memory.md").read_bytes()
    for _ in range(2):
        report = ws.entries.add(text)
        assert not report.added
        assert [each.text for each in report.repeated] == ["Prefers tea. #drink"]
    assert (root / "memory.md").read_bytes() == before


def test_case_21_one_fact_twice_in_one_call_is_written_once(ws):
    """
    --- memory.md ---
    # Memory
    """
    report = ws.entries.add_all([{"text": "Prefers tea."}, {"text": "prefers tea #drink"}])
    assert (len(report.added), len(report.repeated)) == (1, 1)
    assert texts(ws) == ["Prefers tea."]


@pytest.mark.parametrize("on_near", ["report", "replace", "merge"])
def test_case_07_an_entry_is_judged_anew_when_what_it_met_is_gone(ws, root, monkeypatch, on_near):
    """
    --- memory.md ---
    - Anna does like green tea a lot in the morning. ^m-aaaaaa
    - The sea is near. ^m-bbbbbb
    """
    from memwiki.memory import addition

    ws.sync()
    real = addition.prepare

    def late(*arguments):
        ready = real(*arguments)
        monkeypatch.undo()
        (root / "memory.md").write_text("- The sea is near. ^m-bbbbbb\n")
        return ready

    monkeypatch.setattr(addition, "prepare", late)
    text = "Anna does not like green tea a lot in the morning."
    if on_near != "report":
        text = "Anna does like green tea a lot in the morning!!"
    report = ws.entries.add(text, on_near=on_near)
    assert [each.text for each in report.added] == [text]
    assert not report.superseded
    assert sorted(texts(ws)) == sorted(["The sea is near.", text])
