"""What sync expects of every projection; each test runs against all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from pathlib import Path

import pytest
from third import Third, enable

from memwiki.index.cards.store import Cards
from memwiki.index.keyword.memory_backend import MemoryBackend
from memwiki.index.keyword.whoosh_backend import WhooshBackend
from memwiki.index.projection import EMPTY_TREE, Projection, tree_digest

PAGES = {"fox.md": "# Fox\n\nquick [[Dog]]\n", "dog.md": "# Dog\n\nlazy\n", "memory.md": "- tea\n"}
MAKERS: dict[str, Callable[[Path], Projection]] = {
    "cards": lambda _: Cards(":memory:"),
    "cards on disk": lambda folder: Cards(str(folder / "cards.sqlite")),
    "whoosh": lambda folder: WhooshBackend(folder / "keyword"),
    "memory": lambda _: MemoryBackend(),
    "third": lambda _: Third(),
}


@pytest.fixture(params=MAKERS)
def projection(request, tmp_path: Path) -> Iterator[Projection]:
    one = MAKERS[request.param](tmp_path)
    with closing(one) if hasattr(one, "close") else nullcontext():
        yield one


def test_a_new_one_holds_nothing(projection):
    assert dict(projection.digests()) == {}
    assert projection.tree() == EMPTY_TREE


def test_after_apply_it_says_what_it_was_given(projection, puts):
    given = puts(PAGES)
    projection.apply(given, [])
    assert dict(projection.digests()) == {put.page.path: put.page.digest for put in given}


def test_its_tree_is_that_of_its_digests(projection, puts):
    projection.apply(puts(PAGES), [])
    assert projection.tree() == tree_digest(projection.digests()) != EMPTY_TREE
    projection.apply(puts({"fox.md": "other\n", "new.md": "new\n"}), ["dog.md"])
    assert projection.tree() == tree_digest(projection.digests())


def test_what_is_given_twice_is_there_once(projection, puts):
    projection.apply(puts(PAGES), [])
    before = dict(projection.digests()), projection.tree()
    projection.apply(puts(PAGES), [])
    assert (dict(projection.digests()), projection.tree()) == before


def test_what_is_removed_is_gone_and_may_come_back(projection, puts):
    projection.apply(puts(PAGES), [])
    before = projection.tree()
    projection.apply([], ["dog.md", "never.md"])
    assert set(projection.digests()) == {"fox.md", "memory.md"}
    projection.apply(puts({"dog.md": PAGES["dog.md"]}), [])
    assert projection.tree() == before


def test_a_page_is_replaced_by_its_next_version(projection, puts):
    projection.apply(puts(PAGES), [])
    (put,) = puts({"fox.md": "# Other\n"})
    projection.apply([put], [])
    assert projection.digests()["fox.md"] == put.page.digest
    assert len(projection.digests()) == 3


# --- among the stores of a workspace ---------------------------------------------------------------


@pytest.fixture
def third(monkeypatch) -> Third:
    """Not enabled yet."""
    return Third()


def synced(opened, **named):
    space = opened(**named)
    changes = space.sync()
    space.close()
    assert space.keeper.warnings == []
    return changes


@pytest.mark.parametrize("is_clean", [True, False], ids=["nothing else to do", "after an edit"])
def test_one_that_is_enabled_later_is_filled_by_the_next_sync(
    settled, opened, later, put, third, monkeypatch, is_clean
):
    """
    --- a.md ---
    heron
    --- b.md ---
    stork
    """
    settled.close()
    enable(monkeypatch, third.kind())
    if not is_clean:
        put("c.md", "ibis\n")
    synced(opened, clock=later)
    assert set(third.held) == {"a.md", "b.md"} | (set() if is_clean else {"c.md"})


def test_one_that_is_full_is_not_fed_again(settled, opened, later, third, monkeypatch):
    """
    --- a.md ---
    heron
    """
    settled.close()
    enable(monkeypatch, third.kind())
    for _ in range(3):
        synced(opened, clock=later)
    assert third.fed == 1


def test_one_that_was_disabled_for_a_while_gets_what_it_missed(
    settled, opened, later, put, third, monkeypatch, root
):
    """
    --- a.md ---
    heron
    --- b.md ---
    stork
    """
    settled.close()
    enable(monkeypatch, third.kind())
    synced(opened, clock=later)
    enable(monkeypatch)
    put("a.md", "ibis\n")
    put("c.md", "egret\n")
    (root / "b.md").unlink()
    synced(opened, clock=later)
    enable(monkeypatch, third.kind())
    synced(opened, clock=later)
    fresh = opened(clock=later)
    assert third.held == dict(fresh.keeper.stores().cards.digests())
    assert set(third.held) == {"a.md", "c.md"}


def test_one_of_another_format_is_filled_anew(settled, opened, later, third, monkeypatch):
    """
    --- a.md ---
    heron
    """
    settled.close()
    enable(monkeypatch, third.kind())
    synced(opened, clock=later)
    enable(monkeypatch, third.kind("2"))
    synced(opened, clock=later)
    assert set(third.held) == {"a.md"}
    assert (third.number, third.fed) == ("2", 2)


def test_a_hint_feeds_all_of_them(settled, opened, later, put, third, monkeypatch):
    """
    --- a.md ---
    heron
    """
    settled.close()
    enable(monkeypatch, third.kind())
    space = opened(clock=later)
    put("a.md", "ibis\n")
    space.keeper.follow(["a.md"])  # before any sync with it
    assert third.held == dict(space.keeper.stores().cards.digests())
    put("a.md", "egret\n")
    space.keeper.follow(["a.md"])
    assert third.held == dict(space.keeper.stores().cards.digests())
