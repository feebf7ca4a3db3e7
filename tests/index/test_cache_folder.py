"""Where the index lies: a folder of ours, stamped, swept, and never in the workspace."""

from __future__ import annotations

import json
import os

import pytest

from memwiki.index.cache_folder import CacheFolder, CleanScan, bytes_of, cache_folders

CLEAN_SCAN = CleanScan("fingerprint", "build-1", 3, 2, 1)


@pytest.fixture
def place(cache, root) -> CacheFolder:
    one = CacheFolder(cache, root)
    one.make()
    return one


def test_each_workspace_has_a_folder_of_its_own_named_after_it(cache, tmp_path):
    one, other = (
        CacheFolder(cache, tmp_path / "a" / "notes"),
        CacheFolder(cache, tmp_path / "b" / "notes"),
    )
    assert one.path != other.path
    assert one.path.name.startswith("notes-")
    assert one.path == CacheFolder(cache, tmp_path / "a" / "x" / ".." / "notes").path


def test_a_symlink_to_a_workspace_has_the_index_of_the_workspace(cache, root, tmp_path):
    (tmp_path / "link").symlink_to(root)
    assert CacheFolder(cache, tmp_path / "link").path == CacheFolder(cache, root).path


@pytest.mark.parametrize(
    "name", ["..", "a b", "日本", "x" * 300, "-rf", "\N{RIGHT-TO-LEFT OVERRIDE}x"]
)
def test_any_name_makes_a_plain_folder_name(cache, tmp_path, name):
    folder = CacheFolder(cache, tmp_path / name / "..x").path
    assert folder.parent == cache
    assert len(CacheFolder(cache, tmp_path / name).path.name) <= 60
    assert all(c.isalnum() or c == "-" for c in CacheFolder(cache, tmp_path / name).path.name)


def test_the_folder_is_closed_to_others_and_says_whose_it_is(place, root, cache):
    assert place.path.stat().st_mode & 0o077 == 0
    assert list(cache_folders(cache)) == [(place.path, os.path.realpath(root))]
    (place.path / "origin.json").write_text("no json")
    assert list(cache_folders(cache)) == []


def test_a_build_is_live_only_when_it_was_adopted(place):
    assert place.current("recipe") is None
    build = place.new_build("recipe")
    assert build.stat().st_mode & 0o077 == 0
    assert place.current("recipe") is None
    place.adopt(build)
    assert place.current("recipe") == build


@pytest.mark.parametrize(
    "harm", ["recipe", "stamp", "moved", "elsewhere", "machine", "pointer", "list"]
)
def test_an_index_that_is_not_ours_is_never_opened(place, tmp_path, harm):
    build = place.new_build("recipe")
    place.adopt(build)
    stamp, pointer = build / "stamp.json", place.path / "current"
    if harm == "stamp":
        stamp.unlink()
    elif harm == "list":
        stamp.write_text("[]")
    elif harm == "machine":
        stamp.write_text(json.dumps(json.loads(stamp.read_text()) | {"machine": "other"}))
    elif harm == "moved":
        build.rename(place.path / "build-other")
        pointer.write_text("build-other")
    elif harm == "elsewhere":
        build.rename(tmp_path / build.name)
        pointer.write_text(f"../../{build.name}")
    elif harm == "pointer":
        pointer.write_bytes(b"\xff\xfe")
    assert place.current("other" if harm == "recipe" else "recipe") is None


def test_adopting_a_build_removes_the_others(place):
    builds = [place.new_build("recipe") for _ in range(3)]
    (builds[0] / "data").write_text("x")
    place.adopt(builds[1])
    assert [path for path in builds if path.exists()] == [builds[1]]


def test_sweeping_removes_what_a_killed_reindex_left(place):
    live = place.new_build("recipe")
    place.adopt(live)
    place.new_build("recipe")
    place.remove_leftovers()
    assert list(place.path.glob("build-*")) == [live]


def test_sweeping_without_a_live_build_removes_all(place):
    place.new_build("recipe")
    place.remove_leftovers()
    assert list(place.path.glob("build-*")) == []


def test_the_last_sweep_is_remembered_and_forgotten(place):
    assert place.clean_scan() is None
    place.note_clean_scan(CLEAN_SCAN)
    assert place.clean_scan() == CLEAN_SCAN
    place.note_clean_scan(None)
    assert place.clean_scan() is None
    place.note_clean_scan(None)


@pytest.mark.parametrize("text", ["", "{}", "[]", "no json", '{"fingerprint": "x"}', "\udcff"])
def test_a_damaged_note_of_the_last_sweep_is_none(place, text):
    (place.path / "swept.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert place.clean_scan() is None


def test_bytes_count_everything_below(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x").write_bytes(b"x" * 1000)
    assert bytes_of(tmp_path) >= 1000
    assert bytes_of(tmp_path / "nowhere") == 0


GARBAGE = {
    "no text": b"\xff\xfe\x00",
    "nothing": b"",
    "nested": b"[" * 100_000,
    "a long name": b"build-" + b"0" * 300,
    "a way out": b"..",
    "a huge number": b"9" * 5000,
}


@pytest.mark.parametrize("name", ["current", "next", "swept.json", "origin.json", "stamp.json"])
@pytest.mark.parametrize("what", GARBAGE)
def test_garbage_in_a_small_file_is_as_good_as_none(place, what, name):
    build = place.new_build("recipe")
    place.adopt(build)
    place.note_clean_scan(CLEAN_SCAN)
    place.begin(build)
    folder = build if name == "stamp.json" else place.path
    (folder / name).write_bytes(GARBAGE[what])
    place.make()
    assert place.clean_scan() == (None if name == "swept.json" else CLEAN_SCAN)
    assert place.current("recipe") == (None if name in ("current", "stamp.json") else build)
    assert place.successor("recipe") == (None if name in ("next", "stamp.json") else build)
    assert [workspace for _, workspace in cache_folders(place.path.parent)] == [place.root]
    place.remove_leftovers()
    place.adopt(place.new_build("recipe"))
    assert place.current("recipe") is not None


@pytest.mark.parametrize(
    "name", ["current", "next", "swept.json", "origin.json", "lock", "watch.lock"]
)
@pytest.mark.parametrize("what", ["folder", "loop", "pipe", "dangling"])
def test_what_is_in_the_way_of_a_small_file_is_moved_aside_and_swept(place, what, name):
    path = place.path / name
    path.unlink(missing_ok=True)
    if what == "folder":
        (path / "in it").mkdir(parents=True)
    elif what == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(name if what == "loop" else "/nowhere/at/all")
    place.make()
    build = place.new_build("recipe")
    place.adopt(build)
    place.begin(build)
    place.note_clean_scan(CLEAN_SCAN)
    assert (place.current("recipe"), place.successor("recipe")) == (build, build)
    assert place.clean_scan() == CLEAN_SCAN
    place.remove_leftovers()
    assert not list(place.path.glob("*.aside-*"))


def test_a_note_of_the_last_sweep_with_another_number_is_none(place):
    place.note_clean_scan(CLEAN_SCAN)
    text = (place.path / "swept.json").read_text()
    (place.path / "swept.json").write_text(text.replace('"pages": 3', '"pages": 4'))
    assert place.clean_scan() is None


def test_the_folder_of_a_workspace_that_is_a_file_makes_room(cache, root):
    one = CacheFolder(cache, root)
    cache.mkdir(parents=True, exist_ok=True)
    one.path.write_text("in the way")
    one.make()
    assert one.path.is_dir()
