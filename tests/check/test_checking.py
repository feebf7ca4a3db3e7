"""Checking a workspace: narrowed, with a baseline, mended, and never wrong about what it kept."""

from __future__ import annotations

from contextlib import closing

import pytest

from memwiki.check import review as reviewing
from memwiki.check.rule import ParsedPages
from memwiki.check.store import FindingStore
from memwiki.errors import (
    AlreadyExistsError,
    ConfigError,
    IndexDamagedError,
    MemwikiError,
    NotFoundError,
    UnsafePathError,
    UsageError,
)
from memwiki.workspace import Workspace

DOUBLED = """# Memory

## Facts
- The gate is locked at night.
- The garden is watered on Mondays.
- The gate is locked at night.
"""


def codes(report):
    return [(each.path, each.code) for each in report.problems]


@pytest.fixture
def reviewed(monkeypatch):
    """The paths of the pages that were reviewed, in order."""
    seen, real = [], reviewing._review

    def counting(context, path, *more):
        seen.append(path)
        return real(context, path, *more)

    monkeypatch.setattr(reviewing, "_review", counting)
    return seen


def test_a_new_workspace_has_no_problem_of_any_severity(tmp_path):
    Workspace.init(tmp_path / "new")
    space = Workspace.open(tmp_path / "new", find=False)
    space.sync()
    assert space.check.run().problems == ()
    space.close()


def test_a_check_is_narrowed_by_paths_and_codes(put, ws):
    put("a/one.md", "\ufeff---\ntitle: A\ntitle: B\n---\nText.\n")
    put("a.md", "---\ntitle: A\ntitle: B\n---\nText.\n")
    put("b.md", b"caf\xe9 and some more words, so that it says something to somebody at last.\n")
    everything = ws.check.run()
    assert {code for _, code in codes(everything)} >= {"bom", "key-duplicate", "utf8-invalid"}
    assert everything.pages == 3
    assert codes(ws.check.run(["a"], ["key-duplicate"])) == [("a/one.md", "key-duplicate")]
    assert codes(ws.check.run(only=["utf8-invalid"])) == [("b.md", "utf8-invalid")]
    assert ws.check.run(["b.md"]).pages == 1
    assert sum(everything.counts) == len(everything.problems)


@pytest.mark.parametrize(
    ("paths", "only", "error", "says"),
    [
        (["nowhere"], [], NotFoundError, "nowhere: no such file or folder"),
        (["../x"], [], UnsafePathError, "leads out"),
        ([], ["bomb"], UsageError, 'only="bomb": no such code'),
    ],
)
def test_what_cannot_be_checked_is_an_error(ws, paths, only, error, says):
    with pytest.raises(error, match=says) as caught:
        ws.check.run(paths, only)
    if only:
        assert caught.value.hint == "did you mean bom?"


def test_a_second_check_reads_only_what_changed(put, ws, reviewed):
    for n in range(20):
        put(f"p{n}.md", f"# Page {n}\n")
    ws.check.run()
    assert len(reviewed) == 20
    ws.check.run()
    assert len(reviewed) == 20
    put("p3.md", "# Another\n")
    put("new.md", "# New\n")
    (ws.root / "p5.md").unlink()
    ws.check.run()
    assert sorted(reviewed[20:]) == ["new.md", "p3.md"]


def test_the_work_of_a_check_grows_with_the_pages_that_changed_and_no_faster(put, ws, reviewed):
    sizes = []
    for size in (20, 40, 80):
        for n in range(size):
            put(f"p{n}.md", f"# Page {n}\n\nAbout [[p{n + 1}]] of {size}.\n")
        del reviewed[:]
        ws.check.run()
        sizes.append(len(reviewed))
    assert sizes == [20, 40, 80]


def test_reviews_survive_a_reindex_and_other_settings_do_not_keep_them(put, ws, root, reviewed):
    put("a.md", "# A\n")
    ws.check.run()
    ws.index.reindex()
    ws.check.run()
    assert reviewed == ["a.md"]
    put("memwiki.toml", "[files]\nmax_bytes = 2000\n")
    ws.reload()
    ws.check.run()
    assert reviewed == ["a.md", "a.md"]


@pytest.mark.parametrize("damage", [b"rubbish" * 999, b""])
def test_a_damaged_store_is_begun_anew_by_itself(put, opened, damage):
    put("a.md", "---\ntitle: A\ntitle: B\n---\nText.\n")
    first = opened()
    before = codes(first.check.run())
    first.close()
    place = first.live.cache_folder.path / "findings.sqlite"
    place.write_bytes(damage)
    assert codes(opened().check.run()) == before != []


def test_damage_that_shows_late_is_mended_as_well(put, ws, monkeypatch):
    put("a.md", "---\ntitle: A\ntitle: B\n---\nText.\n")
    before = codes(ws.check.run())
    real, calls = FindingStore.facts, []

    def torn(self):
        calls.append(1)
        if len(calls) == 1:
            raise IndexDamagedError("findings: torn")
        return real(self)

    monkeypatch.setattr(FindingStore, "facts", torn)
    assert codes(ws.check.run()) == before


def test_where_no_cache_can_be_written_a_check_works_as_well(put, root, monkeypatch):
    from memwiki.sync import opened

    put("a.md", "---\ntitle: A\ntitle: B\n---\nText.\n")
    monkeypatch.setattr(opened, "cache_root", lambda *_: None)
    space = Workspace.open(root, find=False)
    assert ("a.md", "key-duplicate") in codes(space.check.run())
    space.close()


def test_a_date_becomes_past_without_the_page_changing(put, opened):
    put("a.md", "---\ncreated: 2026-12-24\n---\nText.\n")
    day = 86_400 * 10**9
    november = 1_795_000_000 * 10**9
    assert codes(opened(clock=lambda: november).check.run(only=["date-future"])) == [
        ("a.md", "date-future")
    ]
    assert codes(opened(clock=lambda: november + 60 * day).check.run(only=["date-future"])) == []


def test_without_sync_a_check_says_that_it_may_be_behind(put, opened):
    put("a.md", "# A\n")
    opened().check.run()
    put("a.md", "---\ntitle: A\ntitle: B\n---\nText.\n")
    report = opened(sync=False).check.run()
    assert not report.fresh
    report = opened().check.run()
    assert report.fresh
    assert ("a.md", "key-duplicate") in codes(report)


# --- baseline ------------------------------------------------------------------------------------


def test_a_baseline_leaves_out_what_it_holds(put, ws, root):
    put("a.md", "---\ntitle: A\ntitle: B\n---\nText.\n")
    edited = ws.check.accept(ws.check.run(), "known.json")
    assert edited.paths == ("known.json",)
    put("a.md", "\n---\ntitle: A\ntitle: B\n---\nText.\n")
    put("b.md", "---\ntitle: A\ntitle: B\n---\nText.\n")
    report = ws.check.run(baseline="known.json", only=["key-duplicate"])
    assert codes(report) == [("b.md", "key-duplicate")]
    assert report.known == 1
    ws.check.accept(ws.check.run(), "known.json")
    assert ws.check.run(baseline="known.json").problems == ()


@pytest.mark.parametrize("name", ["missing.json", "../known.json"])
def test_a_baseline_that_is_not_there_is_an_error_and_is_not_made(ws, root, name):
    with pytest.raises(MemwikiError):
        ws.check.run(baseline=name)
    assert not (root / name).exists()


def test_a_baseline_is_never_written_over_something_else(put, ws, root):
    put("a.md", "# A\n\nmuch work\n")
    with pytest.raises(AlreadyExistsError, match="not a baseline"):
        ws.check.accept(ws.check.run(), "a.md")
    assert (root / "a.md").read_text() == "# A\n\nmuch work\n"


def test_a_page_is_no_baseline(put, ws):
    put("a.md", "# A\n")
    with pytest.raises(ConfigError):
        ws.check.run(baseline="a.md")


# --- fixes ---------------------------------------------------------------------------------------


def test_a_fix_shows_the_diff_before_it_writes_and_can_be_undone(put, ws, root):
    put("memory.md", DOUBLED)
    shown = []

    def announce(edited):
        shown.append((edited.diff, (root / "memory.md").read_text()))

    edited = ws.check.fix(ws.check.run(), announce=announce)
    ((diff, then),) = shown
    assert "-- The gate is locked at night.\n" in diff
    assert then == DOUBLED
    assert (root / "memory.md").read_text() == DOUBLED[: DOUBLED.rindex("- The gate")]
    assert (edited.op, edited.paths) == ("check --fix", ("memory.md",))
    assert edited.title == "fixed 1 problem in 1 file"
    assert ws.check.run(only=["entry-duplicate"]).problems == ()
    ws.undo()
    assert (root / "memory.md").read_text() == DOUBLED


def test_a_dry_run_writes_nothing(put, ws, root):
    put("memory.md", DOUBLED)
    edited = ws.check.fix(ws.check.run(), dry_run=True)
    assert edited.dry_run
    assert edited.diff
    assert (root / "memory.md").read_text() == DOUBLED


def test_nothing_to_mend_is_no_change(put, ws):
    put("a.md", "# A\n")
    edited = ws.check.fix(ws.check.run())
    assert (edited.paths, edited.diff) == ((), "")


def test_a_page_that_changed_since_the_check_is_mended_as_it_is_now(put, ws, root):
    put("memory.md", DOUBLED)
    report = ws.check.run()
    put("memory.md", "A line on top.\n" + DOUBLED + "- One more fact of today.\n")
    ws.check.fix(report)
    kept = DOUBLED[: DOUBLED.rindex("- The gate")]
    assert (root / "memory.md").read_text() == f"A line on top.\n{kept}- One more fact of today.\n"


def test_several_fixes_of_one_page_are_one_change(put, ws, root):
    text = "\ufeff" + DOUBLED.replace("garden", "gar\u200bden")
    put("memory.md", text)
    report = ws.check.run(only=["bom", "entry-duplicate", "hidden-character"])
    assert ws.check.fix(report).paths == ("memory.md",)
    assert (root / "memory.md").read_text() == DOUBLED[: DOUBLED.rindex("- The gate")]


def test_sources_and_what_was_retired_are_never_mended(tmp_path):
    Workspace.init(tmp_path / "new")
    space = Workspace.open(tmp_path / "new", find=False)
    for folder in ("raw", "archive"):
        (tmp_path / "new" / folder).mkdir()
        (tmp_path / "new" / folder / "a.md").write_text("zero\u200bwidth\n")
    report = space.check.run(only=["hidden-character"])
    assert [each.fixable for each in report.problems] == [False, False]
    assert space.check.fix(report).paths == ()
    space.close()


# --- findings that are kept -----------------------------------------------------------------------


@pytest.fixture
def overviews(monkeypatch):
    """How often the rules about the whole workspace looked at it."""
    seen, real = [], reviewing._overview

    def counting(*arguments):
        seen.append(1)
        return real(*arguments)

    monkeypatch.setattr(reviewing, "_overview", counting)
    return seen


def test_a_check_of_what_did_not_change_looks_at_nothing_again(put, opened, later, overviews):
    put("a.md", "[gone](gone.md) [[nobody]]\n")
    put("b.md", "---\ntitle: B\ntitle: C\n---\n[a](A.md)\n")
    first = opened(clock=later).check.run()
    for space in (opened(clock=later), opened(clock=later)):
        assert space.check.run() == first
        assert space.check.run(["b.md"]).problems == tuple(
            p for p in first.problems if p.path == "b.md"
        )
        assert codes(space.check.run(only=["link-case"])) == [("b.md", "link-case")]
    assert len(overviews) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "a.md").write_text("Other.\n"),
        lambda root: (root / "gone.md").write_text("Here.\n"),
        lambda root: (root / "gone.png").write_bytes(b""),  # a file that is no page
        lambda root: (root / "folder").mkdir(),  # seen by no walk
        lambda root: (root / ".hidden").write_text(""),
        lambda root: (root / "a.md").rename(root / "c.md"),
        lambda root: (root / "memwiki.toml").write_text('[layers]\narchive = "sub"\n'),
    ],
)
def test_whatever_changes_the_rules_look_again(root, put, opened, later, change, tmp_path):
    put("a.md", "[gone](gone.md) ![x](gone.png) [y](folder) [z](.hidden) [[nobody]]\n")
    put("sub/b.md", "[a](gone.md)\n")
    before = codes(opened(clock=later).check.run())
    assert codes(opened(clock=later).check.run()) == before
    change(root)
    after = codes(opened(clock=later).check.run())
    with closing(Workspace(root, environ={"MEMWIKI_CACHE_DIR": str(tmp_path / "new")})) as anew:
        assert after == codes(anew.check.run()) != before


def test_findings_are_kept_for_a_day(put, opened, later, overviews):
    put("a.md", "---\nstale_after: 2026-12-24\n---\nText.\n")
    day = 86_400 * 10**9
    now = later()
    for days in (0, 0, 400, 400):
        opened(clock=lambda days=days: now + days * day).check.run()
    assert len(overviews) == 2


def test_what_young_files_say_is_not_kept(put, opened, overviews):
    put("a.md", "Text.\n")
    for _ in range(2):
        opened().check.run()
    assert len(overviews) == 2


def test_what_is_not_synced_is_not_taken_from_what_was_kept(put, opened, later, overviews):
    put("a.md", "Text.\n")
    space = opened(clock=later)
    space.check.run()
    space.live.is_synced = False
    assert not space.check.run().fresh
    assert len(overviews) == 2


def test_findings_are_not_kept_when_the_index_changed_meanwhile(put, opened, later, monkeypatch):
    put("a.md", "[gone](gone.md)\n")
    space, other, real = opened(clock=later), opened(clock=later), reviewing._overview
    space.sync()

    def overview(*arguments):
        put("gone.md", "Here.\n")
        other.sync()
        return real(*arguments)

    monkeypatch.setattr(reviewing, "_overview", overview)
    space.check.run()
    monkeypatch.undo()
    (space.root / "gone.md").unlink()
    assert ("a.md", "link-broken") in codes(opened(clock=later).check.run())


def test_a_check_speaks_of_one_moment_while_others_sync(put, root, opened, later, monkeypatch):
    for name in ("a", "b", "c"):
        put(f"{name}.md", f"# {name}\n\nText of {name}, with enough words to be about something.\n")
    space, other = opened(clock=later), opened(clock=later)
    space.check.run()
    put("d.md", "# Note\n\nText of d, with enough words to be about something at last.\n")
    real = FindingStore.facts

    def facts(store):
        known = real(store)
        (root / "b.md").unlink(missing_ok=True)
        other.sync()
        return known

    monkeypatch.setattr(FindingStore, "facts", facts)
    assert space.check.run().pages == 4
    assert space.check.run().pages == 3


def test_what_another_check_saw_since_is_not_spoken_of(put, opened, later, monkeypatch):
    put("a.md", "# A\n\nText of a, with enough words to be about something at last.\n")
    space, other = opened(clock=later), opened(clock=later)
    real = reviewing.fill

    def fill(*arguments, **named):
        real(*arguments, **named)
        monkeypatch.setattr(reviewing, "fill", real)
        put("new.md", "# A\n\nText of another, with enough words to be about something.\n")
        other.sync()
        store = arguments[0]
        parsed = ParsedPages(other.live.stores().cards)
        store.apply([reviewing._review(other.live.context, "new.md", parsed)], [])

    monkeypatch.setattr(reviewing, "fill", fill)
    assert {each.path for each in space.check.run().problems} <= {"a.md"}


def test_a_name_that_many_want_is_reported_at_the_first_page_whatever_came_first(
    put, root, opened, later
):
    put("p2.md", "# P2\n\nx [[W1]]\n")
    put("p1.md", "# P1\n\nnone\n")
    space = opened(clock=later)
    space.sync()
    (root / "p1.md").unlink()
    space.sync()
    put("p1.md", "# P1\n\nx [[W1]] [[p2]]\n")
    found = [each.path for each in space.check.run(only=["link-wanted"]).problems]
    assert found == ["p1.md"]


def test_what_is_no_date_is_told_once_with_its_line_and_what_to_write(put, ws):
    put("a.md", "---\ntitle: A\ncreated: 99999-99-99\nupdated: 2026-13-45\n---\nText.\n")
    found = ws.check.run(only=["date-future", "date-unreadable"]).problems
    assert [(each.path, each.line, each.code) for each in found] == [
        ("a.md", 3, "date-unreadable"),
        ("a.md", 4, "date-unreadable"),
    ]
    assert all(each.message.endswith("; write it as 2026-11-21") for each in found)
