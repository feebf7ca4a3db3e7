"""What an edit asks of a server does not grow with links: each question is a journey."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest

pytest.importorskip("psycopg")

from memwiki.index.shared_stores import SharedStores
from memwiki.index.storage_postgres import PostgresStorage
from memwiki.share.feed import feeding

AT_MOST = 125  # in an edit of one page, nearly each for a table that it may change


@pytest.fixture
def asked(monkeypatch) -> list[str]:
    """The statements, one after the other."""
    statements: list[str] = []
    real = PostgresStorage._ask

    def count(ask):
        statements.append("")
        return real(ask)

    monkeypatch.setattr(PostgresStorage, "_ask", staticmethod(count))
    return statements


@pytest.fixture
def edits(ws, put, asked) -> Callable[..., int]:
    """How many statements it takes to feed so many versions of a page, the last of them."""

    def edit(*versions: str) -> int:
        with feeding(ws.live, ws.environ, "notes", texts=False) as feeder:
            for text in versions:
                put("heron.md", text)
                asked.clear()
                feeder.feed(ws.live)
        return len(asked)

    return edit


def links(count: int) -> str:
    return "".join(f"- [[bird {n}]] and [[marsh/plant {n}|plant]]\n" for n in range(count))


def test_many_links_take_no_more_than_a_few(edits, put):
    for number in range(0, 60, 3):
        put(f"marsh/plant {number}.md", "text\n")
    few, many = (edits("# Heron\n", f"# Heron\n\n{links(n)}") for n in (3, 60))
    assert few <= AT_MOST
    assert many <= few + 15  # rows of links are packed, and names asked for in few rounds


def test_a_name_that_many_link_to_changes_with_few_statements(edits, put):
    before = edits("# Heron\n", "# Stork\n")
    for number in range(80):
        put(f"{number}.md", "[[Stork]] and [[Heron]]\n")
    assert edits("# Heron\n", "# Stork\n") <= before + 20


def test_remarks_are_asked_for_once_a_transaction(fed, put, asked, address):
    put("heron.md", "# Heron\n")
    fed()
    with closing(SharedStores.at(address)) as stores:
        stores.open("notes")
        asked.clear()
        with stores.db.transaction():
            start = len(asked)
            stores.cards.note("colour", "grey")
            assert stores.cards.state("colour") == "grey"
            assert stores.cards.tree() and not stores.cards.state("none")
            assert len(asked) == start + 2  # all of them, and the one that is written


def test_what_is_taken_back_is_not_remembered(fed, put, address):
    put("heron.md", "# Heron\n")
    fed()
    with closing(SharedStores.at(address)) as stores:
        stores.open("notes")
        tree = stores.cards.tree()
        with pytest.raises(ZeroDivisionError), stores.db.transaction():
            stores.cards.note("tree", "another")
            assert stores.cards.tree() == "another"
            raise ZeroDivisionError
        assert stores.cards.tree() == tree
        with stores.db.transaction():
            assert stores.cards.tree() == tree
            stores.db.drop(stores.cards.remarks_in, stores.db.main)
            assert stores.cards.state("tree") == ""
