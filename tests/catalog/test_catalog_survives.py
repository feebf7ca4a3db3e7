"""A failing disk, a kill and a held lock: pages stay whole, the verb succeeds, the next sync
heals."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from histories import World, tiny_budgets
from reader import catalog_files

from memwiki.files.lock import LOCK_NAME, Lock, state_folder

CALLS = ("write", "fsync", "replace", "unlink", "mkdir", "fchmod")
IS_WIDE = os.environ.get("HYPOTHESIS_PROFILE") == "wide"


@pytest.fixture
def world():
    one = World()
    for number in range(24):
        one.write(f"wiki/{number:02}.md", f"# {chr(97 + number)} page\n")
    one.sync()
    yield one
    one.close()


def guard(patch: pytest.MonkeyPatch, root: Path, k: int, strike) -> list[int]:
    """Strike at the k-th call that writes in the workspace, and at all later ones."""
    calls = [0]

    def counted(real, name):
        def call(*args, **kwargs):
            place = args[0] if args else ""
            if name in ("write", "fsync", "fchmod") or str(root) in os.fspath(place):
                calls[0] += 1
                if calls[0] >= k:
                    strike()
            return real(*args, **kwargs)

        return call

    for name in CALLS:
        patch.setattr(os, name, counted(getattr(os, name), name))
    return calls


def change(world: World) -> dict[str, bytes]:
    for number in range(5):
        world.delete(f"wiki/{number:02}.md")
    world.write("wiki/new.md", "# zz new\n")
    return pages_of(world)


def pages_of(world: World) -> dict[str, bytes]:
    found = {p.relative_to(world.root).as_posix(): p.read_bytes() for p in world.root.rglob("*.md")}
    return {path: data for path, data in found.items() if path not in catalog_files(world.root)}


def reset(world: World, k: int) -> None:
    world.delete("wiki/new.md")
    for number in range(24):
        world.write(f"wiki/{number:02}.md", f"# {chr(97 + number)} page {k}\n")
    world.sync()


# Every tenth write of each kind of failure, which together are every third or fourth one.
@pytest.mark.parametrize(("first", "code"), [(1, errno.ENOSPC), (4, errno.EIO), (7, errno.EROFS)])
def test_a_failing_disk_leaves_whole_files_and_the_sync_succeeds_with_a_note(world, first, code):
    for k in range(1, 300) if IS_WIDE else range(first, 300, 10):
        reset(world, k)
        pages = change(world)

        def fail() -> None:
            raise OSError(code, os.strerror(code))

        with pytest.MonkeyPatch.context() as patch, tiny_budgets():
            space = world.open()
            space.live.sync()
            calls = guard(patch, world.root, k, fail)
            changes = space.sync()
            space.close()
        assert pages_of(world) == pages
        for text in catalog_files(world.root).values():
            assert text.rstrip("\n").endswith("<!-- memwiki:catalog:end -->")
        if calls[0] < k:
            assert changes.notes == ()
            break
        assert changes.notes
        world.sync()
        world.check()
    assert calls[0] < k


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a child to kill")
def test_a_kill_at_any_write_is_healed_by_the_next_sync(world):
    for k in range(1, 300, 2 if IS_WIDE else 10):
        reset(world, k)
        pages = change(world)
        child = os.fork()
        if not child:
            with pytest.MonkeyPatch.context() as patch, tiny_budgets():
                guard(patch, world.root, k, lambda: os._exit(9))
                world.open().sync()
                os._exit(0)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert code in (0, 9)
        assert pages_of(world) == pages
        world.sync()
        world.check()
        assert not list(world.root.rglob("*.tmp"))
        if code == 0:
            break
    assert code == 0


def test_a_held_lock_is_a_note_and_the_next_sync_makes_up_for_it(world, monkeypatch):
    from memwiki.change import apply as catalog

    real = catalog.apply
    monkeypatch.setattr(catalog, "apply", lambda root, plan: real(root, plan, lock_timeout_ms=50))
    change(world)
    with Lock(state_folder(world.root) / LOCK_NAME, timeout_ms=1000), tiny_budgets():
        space = world.open()
        changes = space.sync()
        space.close()
    assert changes.fresh
    assert "the catalogs were not updated" in changes.notes[0]
    world.sync()
    world.check()


def test_a_page_that_changes_while_catalogs_are_written_is_in_the_next_ones(world, monkeypatch):
    from memwiki.change import apply as catalog

    real = catalog.apply
    change(world)

    def apply_and_be_overtaken(root, plan):
        done = real(root, plan)
        if plan.edits and not (root / "wiki/late.md").exists():
            world.write("wiki/late.md", "# late\n")
            other = world.open()
            other.live.sync()
            other.close()
        return done

    monkeypatch.setattr(catalog, "apply", apply_and_be_overtaken)
    world.sync()
    world.check()


def test_lost_tables_are_made_anew(world):
    space = world.open()
    for table in ("listed", "edge", "listed_cut"):
        space.live.stores().cards.db.execute(f"drop table {table}")
    space.live.stores().note_intact()  # or all of the index is made anew
    space.close()
    change(world)
    world.sync()
    world.sync()  # the first says what is wrong
    world.check()


def test_a_lost_index_changes_no_catalog(world, state):
    import shutil

    before = {path: state(world.root / path) for path in catalog_files(world.root)}
    shutil.rmtree(world.place / "cache")
    world.sync()
    assert {path: state(world.root / path) for path in catalog_files(world.root)} == before
