"""A lost or damaged index is built again by itself, and the answers after it are right."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from operator import attrgetter
from pathlib import Path

import pytest

from memwiki.errors import IndexDamagedError
from memwiki.index.keyword import whoosh_backend
from memwiki.index.keyword.whoosh_backend import WhooshBackend
from memwiki.index.stores import Stores
from tests.effort import each_in_turn

# Whoosh does not close a file that it found damaged; collecting it warns.
pytestmark = [
    pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning"),
    pytest.mark.usefixtures("collected"),
]

PAGES = {
    "fox.md": "---\ntags: [animal]\n---\n# Fox\n\nThe quick brown fox links to [[Dog]].\n",
    "dog.md": "# Dog\n\nA lazy brown dog sleeps.\n",
    "memory.md": "# Memory\n\n- Likes tea. #drink\n",
}


@pytest.fixture
def build(put, settled, place_of) -> Path:
    """The folder of a live index that nobody has open."""
    for path, text in PAGES.items():
        put(path, text)
    settled.sync()
    assert settled.search("brown").total == 2
    settled.close()
    return place_of(settled)


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def scramble(path: Path) -> None:
    path.write_bytes(random.Random(7).randbytes(max(path.stat().st_size, 64)))


def delete(path: Path) -> None:
    path.unlink()


def segments(build: Path) -> list[Path]:
    return sorted((build / "keyword").glob("MAIN_*.seg"))


FILES: dict[str, Callable[[Path], list[Path]]] = {
    "segments": segments,
    "toc": lambda build: list((build / "keyword").glob("*.toc")),
    "held": lambda build: [build / "keyword" / "held.sqlite"],
    "cards": lambda build: [build / "cards.sqlite"],
}


def assert_right(space, assert_in_step) -> None:
    """Every kind of question has the answer that an index never damaged gives."""
    found = space.search("brown")
    assert {hit.path for hit in found.hits} == {"fox.md", "dog.md"}
    assert found.fresh
    assert space.search("tea").hits[0].path == "memory.md"
    assert [row.source for row in space.graph.links("Dog", "in").links] == ["fox.md"]
    assert space.index.status().pages == 3
    health = space.index.doctor(verify=True)
    assert (health.equal, health.differences) == (True, ())
    assert_in_step(space)


@pytest.mark.parametrize("harm", [truncate, empty, scramble, delete])
@pytest.mark.parametrize("which", FILES)
def test_a_damaged_file_is_healed_by_the_next_search_and_by_the_next_change(
    build, opened, later, put, place_of, assert_in_step, which, harm
):
    files = FILES[which](build)
    assert files
    for path in files:
        harm(path)
    space = opened(clock=later)
    assert_right(space, assert_in_step)
    assert len(space.live.warnings) <= 1
    space.close()
    for path in FILES[which](place_of(space)):
        harm(path)
    put("new.md", "# New\n\nwhite\n")
    space = opened()
    space.sync()
    assert space.search("white").hits[0].path == "new.md"
    (space.root / "new.md").unlink()
    assert_right(space, assert_in_step)
    assert len(space.live.warnings) <= 1


@pytest.mark.parametrize("harm", [truncate, scramble])
@pytest.mark.parametrize("which", ["segments", "toc", "cards"])
def test_damage_that_is_met_is_told_once(build, opened, later, which, harm):
    for path in FILES[which](build):
        harm(path)
    space = opened(clock=later)
    for _ in range(3):
        assert space.search("brown").total == 2
    assert len(space.live.warnings) == 1
    assert "again" in space.live.warnings[0] or "rebuilt" in space.live.warnings[0]


@pytest.mark.parametrize(
    "command",
    [
        "pages.list",
        "graph.tags",
        "graph.ranked",
        "index.status",
        "index.doctor",
        "graph.unresolved",
    ],
)
def test_damaged_cards_are_healed_whatever_is_asked_first(build, opened, later, command):
    scramble(build / "cards.sqlite")
    space = opened(clock=later)
    attrgetter(command)(space)()
    assert space.pages.list().total == 3
    assert space.search("brown").total == 2


@pytest.mark.parametrize("is_open", [False, True], ids=["closed", "open"])
@pytest.mark.parametrize("part", ["keyword", "cards.sqlite", ".."])
def test_what_is_lost_of_an_index_is_built_again(
    build, opened, later, part, is_open, assert_in_step
):
    space = opened(clock=later)
    if is_open:
        assert space.search("brown").total == 2
    lost = (build / part).resolve()
    if lost.is_dir():
        shutil.rmtree(lost)
    else:
        lost.unlink()
    assert_right(space, assert_in_step)


def test_a_store_lost_under_an_open_workspace_is_noticed_by_the_next_change(
    build, opened, later, put, assert_in_step
):
    space = opened(clock=later)
    assert space.search("brown").total == 2
    shutil.rmtree(build / "keyword")
    put("new.md", "# New\n\nwhite\n")
    assert space.search("white").total == 1
    assert_in_step(space)


def test_cards_from_another_time_than_the_postings_are_noticed(build, opened, later, put, tmp_path):
    """A cache restored from a backup in halves."""
    shutil.copytree(build / "keyword", tmp_path / "old")
    put("new.md", "# New\n\nwhite\n")
    space = opened(clock=later)
    assert space.search("white").total == 1
    space.close()
    shutil.rmtree(build / "keyword")
    shutil.copytree(tmp_path / "old", build / "keyword")
    again = opened(clock=later)
    assert again.search("white").hits[0].path == "new.md"
    assert again.index.doctor(verify=True).equal


def test_bytes_changed_anywhere_in_the_postings_are_healed_or_found_by_a_comparison(
    build, opened, later
):
    (path,) = segments(build)
    whole, dice = path.read_bytes(), random.Random(11)
    space = opened(clock=later)
    expected = [space.search(query).total for query in ("brown", "la*", '"lazy brown"')]
    assert expected[0] == 2
    space.close()
    for _ in range(40):
        place = dice.randrange(len(whole))
        path.write_bytes(whole[:place] + dice.randbytes(4) + whole[place + 4 :])
        space = opened(clock=later)
        answers = [space.search(query).total for query in ("brown", "la*", '"lazy brown"')]
        is_equal = space.index.doctor(verify=True).equal
        is_healed = not path.exists()
        # Small postings have no checksum: an answer may be wrong, but never where all seems well.
        assert is_healed or not is_equal or answers == expected
        space.close()
        if is_healed:
            assert is_equal
            break


def test_without_sync_damage_is_an_error_with_a_code_and_nothing_else(build, opened):
    for path in segments(build):
        scramble(path)
    space = opened(sync=False)
    with pytest.raises(IndexDamagedError) as raised:
        space.search("brown")
    assert raised.value.code == "index_damaged"


def test_cards_and_postings_that_disagree_on_the_number_of_units_are_refused(build):
    stores = Stores(build)
    stores.cards.db.execute("delete from place where page = (select min(page) from place)")
    with pytest.raises(IndexDamagedError, match="units"):
        stores.require_same_units()
    stores.close()


def test_an_index_that_another_version_wrote_is_not_opened(build, opened, later, monkeypatch):
    (build / "stamp.json").write_text("{}")
    space = opened(clock=later)
    assert space.search("brown").total == 2
    assert not build.exists()


def test_damaged_cards_leave_no_open_connection(tmp_path):
    (tmp_path / "cards.sqlite").write_bytes(b"no database" * 100)
    with pytest.raises((IndexDamagedError, sqlite3.DatabaseError)):
        Stores(tmp_path)


def test_a_table_of_contents_replaced_while_it_is_opened_is_read_again(tmp_path, monkeypatch):
    WhooshBackend(tmp_path / "keyword").close()
    real, missed = whoosh_backend.FileIndex, []

    def racing(*args, **kwargs):
        if not missed:
            missed.append(True)
            raise FileNotFoundError("_MAIN_0.toc")
        return real(*args, **kwargs)

    monkeypatch.setattr(whoosh_backend, "FileIndex", racing)
    backend = WhooshBackend(tmp_path / "keyword")
    assert (missed, backend.unit_count()) == ([True], 0)
    backend.close()


def test_two_that_open_a_new_store_at_once_both_get_it(tmp_path):
    from memwiki.index.storage_sqlite import write_ahead

    class Turned(sqlite3.Connection):
        turns = 2

        def execute(self, sql, *rest):
            if "journal_mode" in sql and Turned.turns:
                Turned.turns -= 1
                raise sqlite3.OperationalError("database is locked")
            return super().execute(sql, *rest)

    with closing(sqlite3.connect(tmp_path / "a.sqlite", factory=Turned)) as db:
        write_ahead(db)
        assert db.execute("pragma journal_mode").fetchone() == ("wal",)
        assert Turned.turns == 0


PIPES = [
    f"{name}{ending}"
    for name in ("cards.sqlite", "keyword/held.sqlite")
    for ending in ("", "-wal", "-shm", "-journal")
]
ASKED = ("search", "index.status", "index.reindex", "sync")


@pytest.mark.parametrize(
    ("name", "command"),
    [
        (name, command)
        for turn, name in enumerate(PIPES)
        for command in (*each_in_turn(ASKED, turn), *each_in_turn(ASKED, turn + 1 + turn // 4))
    ],
)
def test_nobody_waits_for_a_pipe_in_the_place_of_a_store_or_its_log(
    build, opened, later, name, command
):
    path = build / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    space = opened(clock=later)
    attrgetter(command)(space)(*["brown"] * (command == "search"))
    assert space.search("brown").total == 2


@pytest.mark.parametrize(
    "command", ["graph.ranked", "check.run", "search", "index.status", "sync", "index.reindex"]
)
def test_a_folder_of_the_index_that_is_a_looped_link_makes_room(build, opened, later, command):
    folder = build.parent
    shutil.rmtree(folder)
    folder.symlink_to(folder.name)
    space = opened(clock=later)
    attrgetter(command)(space)(*["brown"] * (command == "search"))
    assert space.search("brown").total == 2
