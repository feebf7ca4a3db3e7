"""A disk that is full or fails is no damage: what is there stays, and answers come from it or from
memory."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from memwiki.errors import WriteError
from memwiki.index import cache_files as sealed
from memwiki.index.cards.store import Cards
from memwiki.index.keyword.whoosh_backend import WhooshBackend
from memwiki.index.storage_sqlite import is_damage
from tests.effort import each_in_turn, for_each


def sqlite_error(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    return error


ERRORS: dict[str, Callable[[], Exception]] = {
    "ENOSPC": lambda: OSError(errno.ENOSPC, "No space left on device"),
    "EFBIG": lambda: OSError(errno.EFBIG, "File too large"),
    "EDQUOT": lambda: OSError(errno.EDQUOT, "Disk quota exceeded"),
    "EMFILE": lambda: OSError(errno.EMFILE, "Too many open files"),
    "EIO": lambda: OSError(errno.EIO, "Input/output error"),
    "SQLITE_IOERR": lambda: sqlite_error(sqlite3.SQLITE_IOERR_WRITE),
    "SQLITE_FULL": lambda: sqlite_error(sqlite3.SQLITE_FULL),
    "SQLITE_CANTOPEN": lambda: sqlite_error(sqlite3.SQLITE_CANTOPEN),
    "SQLITE_NOMEM": lambda: sqlite_error(sqlite3.SQLITE_NOMEM),
}
WHERE = {"postings": WhooshBackend, "cards": Cards}


def failing(make: Callable[[], Exception]) -> Callable[..., None]:
    def fail(*_: object, **__: object) -> None:
        raise make()

    return fail


@pytest.fixture
def fails(monkeypatch) -> Callable[..., AbstractContextManager[None]]:
    """Let a part of a store fail in this way."""

    @contextmanager
    def patch(where: str, what: str, name: str = "apply") -> Iterator[None]:
        with monkeypatch.context() as context:
            context.setattr(WHERE[where], name, failing(ERRORS[what]))
            yield

    return patch


@for_each("what", ERRORS)
def test_no_error_of_the_disk_or_the_machine_is_damage(what):
    assert not is_damage(ERRORS[what]())


@pytest.mark.parametrize(
    ("where", "what"),
    [
        (where, what)
        for turn, what in enumerate(ERRORS)
        for where in each_in_turn(list(WHERE), turn)
    ],
)
def test_a_change_that_cannot_be_indexed_leaves_the_old_index_and_is_said(
    settled, opened, later, put, place_of, fails, where, what
):
    """
    --- a.md ---
    heron
    """
    before = place_of(settled)
    settled.close()
    put("b.md", "heron\n")
    with fails(where, what):
        space = opened(clock=later)
        answer = space.search("heron")
        assert ([hit.path for hit in answer.hits], answer.fresh) == (["a.md"], False)
        assert answer.pending == 1
        assert "index" in answer.reason
        with pytest.raises(WriteError, match="index"):
            space.sync()
        assert place_of(space) == before
    again = opened(clock=later)
    assert again.search("heron").total == 2
    assert place_of(again) == before
    assert again.live.warnings == []


@pytest.mark.parametrize("what", ERRORS)
def test_a_first_index_that_cannot_be_written_is_made_in_memory(ws, monkeypatch, what):
    """
    --- a.md ---
    heron [[b]]
    --- b.md ---
    stork
    """
    real, fail = Cards.attach, failing(ERRORS[what])
    with monkeypatch.context() as patch:
        patch.setattr(Cards, "attach", lambda s, *g: real(s, *g) if is_memory(s) else fail())
        answer = ws.search("heron")
        assert [row.source for row in ws.graph.links("b", "in").links] == ["a.md"]
    assert ([hit.path for hit in answer.hits], answer.fresh) == (["a.md"], True)
    assert any("memory" in warning for warning in ws.take_warnings())


def is_memory(cards: Cards) -> bool:
    return cards.db.execute("pragma database_list").fetchone()[2] == ""


@pytest.mark.parametrize("what", ["ENOSPC", "SQLITE_IOERR", "EMFILE"])
def test_a_damaged_index_stays_until_the_new_one_is_whole(
    settled, opened, later, place_of, monkeypatch, what
):
    """
    --- a.md ---
    heron
    """
    build = place_of(settled)
    settled.close()
    (build / "cards.sqlite").write_bytes(b"")
    real = Cards.apply
    with monkeypatch.context() as patch:
        fail = failing(ERRORS[what])
        patch.setattr(Cards, "apply", lambda s, *g: real(s, *g) if is_memory(s) else fail())
        space = opened(clock=later)
        answer = space.search("heron")
        assert ([hit.path for hit in answer.hits], answer.fresh) == (["a.md"], True)
        assert any("memory" in warning for warning in space.take_warnings())
        assert [path.name for path in build.parent.glob("build-*")] == [build.name]
    again = opened(clock=later)
    assert again.search("heron").total == 1
    assert again.live.cache_folder is not None
    assert not build.exists()


def test_a_reindex_that_fails_gives_its_room_on_the_disk_back(settled, place_of, fails):
    """
    --- a.md ---
    heron
    """
    before = place_of(settled)
    with fails("cards", "ENOSPC"), pytest.raises(WriteError):
        settled.index.reindex()
    assert list(before.parent.glob("build-*")) == [before]
    assert settled.search("heron").total == 1


def test_a_rebuild_that_was_killed_is_gone_on_with(settled, opened, later, place_of):
    """
    --- a.md ---
    heron
    --- b.md ---
    heron
    """
    build = place_of(settled)
    settled.close()
    (build / "cards.sqlite").write_bytes(b"")

    class Killed(BaseException):
        pass

    with pytest.MonkeyPatch.context() as patch:

        def kill(*_):
            raise Killed

        patch.setattr(Cards, "attach", kill)
        space = opened(clock=later)
        with pytest.raises(Killed):
            space.search("heron")
        space.close()
    (begun,) = [path for path in build.parent.glob("build-*") if path != build]
    assert build.exists()
    again = opened(clock=later)
    assert again.search("heron").total == 2
    assert place_of(again) == begun
    assert not build.exists()


@pytest.mark.parametrize(
    "name", ["cards.sqlite", "keyword/held.sqlite", "stores.json", "stamp.json"]
)
def test_a_store_that_may_not_be_read_is_made_anew(
    settled, opened, later, place_of, monkeypatch, name
):
    """
    --- a.md ---
    heron
    """
    closed = place_of(settled) / name
    settled.close()
    os.utime(closed)  # so that it is looked at
    real_open, real_connect = os.open, sqlite3.connect

    def open_(path, *rest, **named):
        if os.fspath(path) == str(closed):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real_open(path, *rest, **named)

    def connect(path, *rest, **named):
        if str(closed) in os.fspath(path):
            raise sqlite_error(sqlite3.SQLITE_CANTOPEN)
        return real_connect(path, *rest, **named)

    real_path_open = Path.open
    monkeypatch.setattr(os, "open", open_)
    monkeypatch.setattr(sqlite3, "connect", connect)
    monkeypatch.setattr(
        Path,
        "open",
        lambda self, *a, **k: real_path_open(self, *a, **k) if self != closed else open_(self),
    )
    space = opened(clock=later)
    answer = space.search("heron")
    assert ([hit.path for hit in answer.hits], answer.fresh) == (["a.md"], True)
    assert space.index.status().pages == 1


def test_a_cache_folder_that_cannot_be_read_gives_no_empty_answer(
    settled, opened, later, monkeypatch
):
    """
    --- a.md ---
    heron #bird
    """
    folder = settled.live.cache_folder.path
    settled.close()
    real = os.open

    def open_(path, *rest, **named):
        if str(path).startswith(str(folder)):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path, *rest, **named)

    monkeypatch.setattr(os, "open", open_)
    monkeypatch.setattr(
        Path, "mkdir", failing(lambda: PermissionError(errno.EACCES, "Permission denied"))
    )
    space = opened(clock=later)
    assert space.search("heron").total == 1
    assert space.pages.list().total == 1
    assert [tag.tag for tag in space.graph.tags().tags] == ["bird"]
    assert space.index.status().pages == 1
    assert any("memory" in warning for warning in space.take_warnings())


def test_a_question_without_a_sync_is_told_that_the_index_is_gone(settled, opened, place_of):
    """
    --- a.md ---
    heron
    """
    from memwiki.errors import IndexDamagedError

    build = place_of(settled)
    settled.close()
    shutil.rmtree(build)
    with pytest.raises(IndexDamagedError):
        opened(sync=False).pages.list()


def test_a_page_that_cannot_be_read_survives_a_reindex(settled, monkeypatch, assert_in_step):
    """
    --- a.md ---
    # A

    heron [[b]] #bird
    --- b.md ---
    stork
    """
    from memwiki.errors import UnreadableError
    from memwiki.sync import builds, request

    os.utime(settled.root / "a.md")

    def closed(real):
        def read(root, path, *rest, **named):
            if path == "a.md":
                raise UnreadableError("a.md: cannot be read (Permission denied)", path=path)
            return real(root, path, *rest, **named)

        return read

    with monkeypatch.context() as patch:
        for room, name in ((request, "digest_in"), (request, "contents"), (builds, "read")):
            patch.setattr(room, name, closed(getattr(room, name)))
        changes = settled.index.reindex()
        assert (changes.failed, changes.added, changes.fresh) == (("a.md",), ("b.md",), False)
        assert [hit.path for hit in settled.search("heron").hits] == ["a.md"]
        assert [row.source for row in settled.graph.links("b", "in").links] == ["a.md"]
        assert [tag.tag for tag in settled.graph.tags().tags] == ["bird"]
    settled.sync()
    assert_in_step(settled)


@pytest.mark.parametrize("code", [errno.EMFILE, errno.EIO])
def test_a_disk_that_fails_while_the_live_build_is_named_is_no_lost_index(
    settled, opened, place_of, monkeypatch, code
):
    """
    --- a.md ---
    heron
    """
    before = place_of(settled)

    def failing(*_: object) -> tuple[bytes, object]:
        raise OSError(code, os.strerror(code))

    space = opened()
    with monkeypatch.context() as patch:
        patch.setattr(sealed, "read", failing)
        assert [hit.path for hit in space.search("heron").hits] == ["a.md"]
        assert os.strerror(code) in space.take_warnings()[0]
    assert place_of(settled) == before
    assert [hit.path for hit in opened().search("heron").hits] == ["a.md"]
