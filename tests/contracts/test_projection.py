"""What every projection does, whoever feeds it; each test runs against all of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import pytest
from postings import BACKENDS, kept, stores_on_a_server
from third import Third, enable

from memwiki.catalog.store import ListingStore
from memwiki.check.facts import Facts
from memwiki.check.store import BATCH, FindingStore, Review
from memwiki.index.cards.store import CardFile, Cards
from memwiki.index.keyword.backend import SearchBackend
from memwiki.index.meanings.change import LinkedPage
from memwiki.index.meanings.store import MeaningStore
from memwiki.index.projection import EMPTY_TREE, ProjectionOf, Put
from memwiki.index.shared_stores import SharedVectorStore
from memwiki.index.vectors.store import VectorStore
from memwiki.index.vectors.units import EmbeddedUnits, UnitTexts, text_key, texts_of_page
from memwiki.nouns import Layers
from memwiki.workspace import Workspace
from tests.third import tree_digest

PAGES = {"fox.md": "# Fox\n\nquick [[Dog]]\n", "dog.md": "# Dog\n\nlazy\n", "memory.md": "- tea\n"}
FACTS = Facts(
    *(3, 1, "00ff", 1, "", [], ["b1"], [["created", 2, "2026-01-01"]], None),
    *([] for _ in range(5)),
)


class Reviewed(FindingStore):
    """Given pages as sync gives them, as a check would."""

    def apply(self, puts: Sequence[Put], removes: Sequence[str]) -> None:
        reviews = [Review(put.page.path, put.page.digest, (), FACTS) for put in puts]
        super().apply(reviews, removes)


class Listed(ListingStore):
    """Given pages as sync gives them, as a catalog would."""

    def __init__(self, cards: Cards | None = None) -> None:
        super().__init__(cards or CardFile(":memory:"), Layers())
        self.update()
        self.close = self._cards.close

    def apply(self, puts: Sequence[Put], removes: Sequence[str]) -> None:
        self._cards.apply(puts, removes)
        super().apply([self.listed(put.page.path, put.page.digest) for put in puts], removes)


class Linked(MeaningStore):
    """Given pages as sync gives them, as whoever asks about links would."""

    def __init__(self, schema: str = "", cards: Cards | None = None) -> None:
        super().__init__(cards or CardFile(":memory:"), Layers(), schema)
        self.update()
        self.close = self._cards.close

    def apply(self, puts: Sequence[Put], removes: Sequence[str]) -> None:
        self._cards.apply(puts, removes)
        super().apply([LinkedPage(put.page.path, put.page.digest) for put in puts], removes)


class EmbeddedPages:
    """Given pages as sync gives them, as whoever embeds would."""

    def apply(self, puts: Sequence[Put], removes: Sequence[str]) -> None:
        texts = [dict(texts_of_page(put.page, EmbeddedUnits.ALL)) for put in puts]
        super().apply(
            [
                UnitTexts(put.page.path, put.page.digest, {k: text_key(t) for k, t in of.items()})
                for put, of in zip(puts, texts, strict=True)
            ],
            removes,
        )


class Embedded(EmbeddedPages, VectorStore):
    def __init__(self, folder: Path) -> None:
        (folder / "vectors").mkdir(exist_ok=True)  # as whoever embeds makes it
        super().__init__(folder / "vectors", 4, "all")


class EmbeddedOnAServer(EmbeddedPages, SharedVectorStore):
    def __init__(self, folder: Path) -> None:
        self.kept = stores_on_a_server(folder)
        super().__init__(self.kept.db, self.kept.vectors.schema)


def _backend(make: Callable[[Path], SearchBackend]) -> Callable[[Path], SearchBackend]:
    return lambda folder: make(folder / "keyword")


MAKERS: dict[str, Callable[[Path], ProjectionOf[Any]]] = {
    "cards": lambda _: CardFile(":memory:"),
    "cards on disk": lambda folder: CardFile(str(folder / "cards.sqlite")),
    **{name: _backend(make) for name, make in BACKENDS.items()},
    "third": lambda _: Third(),
    "findings": lambda _: Reviewed(":memory:", ""),
    "findings on disk": lambda folder: Reviewed(str(folder / "findings.sqlite"), ""),
    "listings": lambda _: Listed(),
    "meanings": lambda _: Linked("main"),
    "meanings for one reader": lambda _: Linked("temp"),
    "vectors": Embedded,
    "vectors on a server": EmbeddedOnAServer,
    "cards on a server": lambda folder: kept(stores_on_a_server(folder), "cards"),
    "listings on a server": lambda folder: Listed(kept(stores_on_a_server(folder), "cards")),
    "meanings on a server": lambda folder: Linked("", kept(stores_on_a_server(folder), "cards")),
}


@pytest.fixture(params=MAKERS)
def projection(request, tmp_path: Path) -> Iterator[ProjectionOf[Any]]:
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


# --- among the stores of a workspace
# ---------------------------------------------------------------


@pytest.fixture
def third(monkeypatch) -> Third:
    """Not enabled yet."""
    return Third()


def synced(opened, **named):
    space = opened(**named)
    changes = space.sync()
    space.close()
    assert space.live.warnings == []
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
    assert third.held == dict(fresh.live.stores().cards.digests())
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
    space.live.sync_paths(["a.md"])  # before any sync with it
    assert third.held == dict(space.live.stores().cards.digests())
    put("a.md", "egret\n")
    space.live.sync_paths(["a.md"])
    assert third.held == dict(space.live.stores().cards.digests())


# --- those that are fed by their reader
# ------------------------------------------------------------


class FindingsOfCheck:
    """Fed when somebody checks."""

    store, settings = FindingStore, ""

    def ask(self, space: Workspace) -> object:
        return space.check.run()

    def held(self, space: Workspace) -> Mapping[str, str]:
        place = space.live.cache_folder.path / "findings.sqlite"
        return _rows(place, "page") if place.exists() else {}

    def lose(self, space: Workspace) -> None:
        (space.live.cache_folder.path / "findings.sqlite").unlink()


class ListingsOfCatalog:
    """Fed when catalogs are asked for."""

    store, settings = ListingStore, "[catalog]\nenabled = true\n"

    def ask(self, space: Workspace) -> object:
        return space.catalog.check()

    def held(self, space: Workspace) -> Mapping[str, str]:
        return _rows(space.live.stores().build / "cards.sqlite", "listed")

    def lose(self, space: Workspace) -> None:
        space.index.reindex()


class MeaningsOfGraph:
    """Fed when somebody asks about many links."""

    store, settings = MeaningStore, ""

    def ask(self, space: Workspace) -> object:
        return space.graph.ranked(), space.graph.unresolved()

    def held(self, space: Workspace) -> Mapping[str, str]:
        return _rows(space.live.stores().build / "cards.sqlite", "linked")

    def lose(self, space: Workspace) -> None:
        with space.live.amending() as stores:
            stores.cards.db.execute("drop table link_state")


def _rows(place: Path, table: str) -> Mapping[str, str]:
    with closing(sqlite3.connect(place)) as db:
        if not db.execute("select 1 from sqlite_master where name=?", (table,)).fetchone():
            return {}
        return dict(db.execute(f"select path, digest from {table}"))


def digests(space: Workspace) -> Mapping[str, str]:
    return space.live.stores().cards.digests()


READERS = {"check": FindingsOfCheck, "catalog": ListingsOfCatalog, "graph": MeaningsOfGraph}


@pytest.fixture(params=READERS.values(), ids=READERS)
def reader(request):
    return request.param()


@pytest.fixture
def enabled(settled, opened, later, put, reader) -> Workspace:
    """Pages that were synced before anybody read the store."""
    settled.close()
    put("memwiki.toml", reader.settings)
    return opened(clock=later)


def test_one_that_is_read_later_is_filled_by_its_reader(enabled, reader, put):
    """
    --- a.md ---
    [[b]]
    --- b.md ---
    stork
    """
    put("c.md", "stork\n")
    enabled.search("stork")  # follows the files, and asks neither
    assert "c.md" not in reader.held(enabled)
    reader.ask(enabled)
    assert reader.held(enabled) == digests(enabled) != {}


def test_one_that_is_full_is_not_fed_by_its_reader_again(enabled, reader, monkeypatch):
    """
    --- a.md ---
    [[b]]
    """
    first = reader.ask(enabled)
    reader.ask(enabled)
    monkeypatch.setattr(reader.store, "digests", lambda _: pytest.fail("compared"))
    assert reader.ask(enabled) == first


def test_one_that_was_not_read_for_a_while_gets_what_it_missed(enabled, reader, put, root):
    """
    --- a.md ---
    [[b]]
    --- b.md ---
    stork
    """
    reader.ask(enabled)
    put("a.md", "ibis\n")
    put("c.md", "egret\n")
    (root / "b.md").unlink()
    enabled.search("ibis")
    assert reader.held(enabled) != digests(enabled)
    reader.ask(enabled)
    assert reader.held(enabled) == digests(enabled)
    assert {"a.md", "c.md"} <= set(digests(enabled))


def test_one_that_was_lost_is_filled_by_its_reader(enabled, reader):
    """
    --- a.md ---
    [[b]]
    --- b.md ---
    stork
    """
    first = reader.ask(enabled)
    reader.lose(enabled)
    assert reader.ask(enabled) == first
    assert reader.held(enabled) == digests(enabled)


class Crash(BaseException):
    """The process dies here."""


@pytest.mark.parametrize("is_after", [False, True], ids=["before a commit", "after a commit"])
def test_a_crash_while_its_reader_feeds_it_is_made_good(
    enabled, opened, later, put, reader, monkeypatch, is_after
):
    for number in range(BATCH + 5):  # check commits twice
        put(f"{number:03}.md", f"[[{number + 1:03}]]\n")
    real = reader.store.apply

    def die(self, puts, removes):
        if is_after:
            real(self, puts, removes)
        raise Crash

    with monkeypatch.context() as patch:
        patch.setattr(reader.store, "apply", die)
        with pytest.raises(Crash):
            reader.ask(enabled)
    enabled.close()
    again = opened(clock=later)
    answer = reader.ask(again)
    assert reader.held(again) == digests(again)
    assert len(digests(again)) > BATCH
    reader.lose(again)
    assert reader.ask(again) == answer
