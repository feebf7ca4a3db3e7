"""Two processes feed one workspace in turn, and some of what they feed is taken back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from random import Random

import pytest

pytest.importorskip("psycopg")

import psycopg
from postings import terms_of

from memwiki.errors import LockedError
from memwiki.index.keyword import backend
from memwiki.index.shared_stores import SharedStores
from memwiki.share.feed import feeding
from memwiki.sync.reading import reading
from memwiki.workspace import Workspace
from tests.effort import tries


@contextmanager
def losing_its_lease(monkeypatch) -> Iterator[None]:
    """Within it whatever is fed is taken back at the end."""

    def lose(*_: object, **__: object) -> None:
        raise LockedError.by_feeder()

    with monkeypatch.context() as patch, pytest.raises(LockedError):
        patch.setattr(SharedStores, "note_fed", lose)
        yield


def units_here(ws: Workspace) -> dict[bytes, dict[str, int]]:
    ws.live.sync()
    with reading(ws.live.public(is_current=True)) as view:
        with closing(view.stores.keyword.snapshot()) as snapshot:
            return terms_of(snapshot)


@pytest.mark.parametrize("seed", range(tries(2)))
def test_each_goes_on_from_what_is_there(put, ws, opened, address, monkeypatch, seed):
    monkeypatch.setattr(backend, "_MERGE_WIDTH", 2)
    rng, other = Random(seed), opened()
    put("0.md", "A heron.\n")
    with (
        feeding(ws.live, ws.environ, "notes") as one,
        feeding(other.live, other.environ, "notes") as two,
        closing(SharedStores.at(address)) as stores,
    ):
        one.feed(ws.live)
        stores.open("notes")
        last, digests = stores.cards.last_written(), stores.cards.digests()
        for step in range(12):
            path, private = rng.choice("0123"), rng.choice(("", "", "---\nprivate: true\n---\n"))
            put(f"{path}.md", f"{private}# P{path}\n\nstork round{step}\n")
            feeder, live = rng.choice(((one, ws.live), (two, other.live)))
            with psycopg.connect(address, autocommit=True) as db:
                db.execute("update memwiki_3.workspace set lease_until='-infinity'")
            if rng.random() < 0.4:
                with losing_its_lease(monkeypatch):
                    feeder.feed(live)
                continue
            feeder.feed(live)
            with closing(stores.keyword.snapshot()) as snapshot:
                assert terms_of(snapshot) == units_here(ws), step
            written, now = stores.cards.written_after(last), stores.cards.digests()
            changed = {path for path, _ in digests.items() ^ now.items()}
            assert not written.is_complete or changed <= {*written.paths}, step
            last, digests = written.last, now
