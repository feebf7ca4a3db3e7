"""What links mean, as it is kept: who brings it up to date, and how much of it is done again."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.errors import LockedError
from memwiki.index.graph import LinkGraph
from memwiki.index.meanings import change
from memwiki.index.meanings.change import _changed_ids, _packed_ids
from memwiki.index.meanings.lookup import Meanings
from memwiki.index.meanings.store import MeaningStore
from memwiki.index.resolve import Resolver
from memwiki.index.storage_sqlite import SqliteStorage
from memwiki.nouns import Layers
from memwiki.scope import scope_of


@pytest.fixture
def resolved(monkeypatch) -> Counter[str]:
    """How often each name was resolved."""
    asked: Counter[str] = Counter()
    real = Resolver.meaning

    def meaning(self, written, *rest):
        asked[written] += 1
        return real(self, written, *rest)

    monkeypatch.setattr(Resolver, "meaning", meaning)
    return asked


@pytest.fixture
def store(cards, puts):
    cards.apply(puts({"a.md": "[[b]] [[c]] [x](b.md)\n", "b.md": "[[c]]\n", "c.md": "text\n"}), [])
    one = MeaningStore(cards, Layers())
    one.update()
    return one


def test_nothing_is_resolved_again_when_nothing_changed(store, resolved):
    store.update()
    assert not resolved


def test_a_text_that_changes_has_the_links_of_its_page_resolved(store, cards, puts, resolved):
    cards.apply(puts({"c.md": "other text, and [[b]]\n"}), [])
    store.update()
    assert resolved == {"b": 1}


def test_of_many_entries_only_ids_that_come_or_go_are_made_numbers(store, cards, puts, monkeypatch):
    items = [f"- Likes tea number {n}. ^m-{n:06}\n" for n in range(300)]
    cards.apply(puts({"memory.md": "".join(items)}), [])
    store.update()
    asked, real = [], change.entry_number
    monkeypatch.setattr(change, "entry_number", lambda id_: asked.append(id_) or real(id_))
    cards.apply(puts({"memory.md": "".join([*items[1:], "- One more. ^m-abcdef\n"])}), [])
    store.update()
    assert sorted(asked) == ["m-000000", "m-abcdef"]
    assert store.is_current()


def test_one_change_looks_at_no_other_page(store, cards, puts, monkeypatch):
    for each in (cards, store):
        monkeypatch.setattr(each, "digests", lambda: pytest.fail("it read all pages"))
    cards.apply(puts({"c.md": "another text\n", "d.md": "[[a]]\n"}), ["b.md"])
    store.update()
    assert store.is_current()


def test_what_more_was_written_than_is_noted_is_found_by_comparing(store, cards, puts, resolved):
    cards.apply(puts({"c.md": "other text, and [[b]]\n"}), [])
    cards.scrub()
    store.update()
    assert store.is_current()
    assert resolved == {"b": 1}


def test_a_name_that_comes_has_the_links_of_that_name_resolved(store, cards, puts, resolved):
    cards.apply(puts({"sub/b.md": "text\n"}), [])
    store.update()
    assert resolved == {"b": 1, "b.md": 1}


def test_a_name_that_goes_has_the_links_of_that_name_resolved(store, cards, resolved):
    cards.apply([], ["c.md"])
    store.update()
    assert resolved == {"c": 2}


def test_a_file_that_comes_has_the_links_of_that_name_resolved(store, cards, puts, resolved):
    cards.apply(puts({"d.md": "![[z.png]] [[c]]\n"}), [])
    store.update()
    resolved.clear()
    cards.attach(["img/z.png"])
    assert not store.is_current()
    store.update()
    assert resolved == {"z.png": 1}
    assert [row.source for row in LinkGraph(cards, scope_of(Layers())).incoming("img/z.png")] == [
        "d.md"
    ]


@pytest.mark.parametrize(
    ("source", "written"),
    [
        *(("a/b/x.md", "."), ("a/b/x.md", "./"), ("a/x.md", ".."), ("a/b/x.md", "../../")),
        *(("a/b/x.md", "/"), ("a/b/x.md", "a/.."), ("x.md", "./."), ("a/b/x.md", "/.")),
    ],
)
def test_a_link_to_the_root_means_the_readme_that_comes(cards, puts, source, written):
    cards.apply(puts({source: f"[up]({written})\n"}), [])
    store = MeaningStore(cards, Layers())
    store.update()
    cards.apply(puts({"README.md": "text\n"}), [])
    store.update()
    assert [row.source for row in LinkGraph(cards, scope_of(Layers())).incoming("README.md")] == [
        source
    ]
    alone = MeaningStore(cards, Layers(), "temp")
    alone.update()
    found = [[*Meanings(cards.db, schema).every()] for schema in ("main", "temp")]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("a/b.md", "[b](a/b.html)"),
        ("a/b.md", "![b](./a/b.HTM)"),
        ("a/b.md", '<a href="a/b.html">b</a>'),
        ("a/b.md", "[b](/a/b.html#part)"),
        ("a/README.md", "[b](a/index.html)"),
        ("a/b/index.md", "[b](a/b.html)"),
        ("a/02-b.md", "[b](/a/b)"),
        ("a/b.md", "[b](a/b/)"),
        ("a/b.md", "[[y|a/b.md]]"),
    ],
)
def test_a_link_by_any_address_is_resolved_again_when_its_page_goes_or_comes(
    cards, puts, path, link
):
    def incoming():
        store.update()
        return [row.source for row in LinkGraph(cards, scope_of(Layers())).incoming(path)]

    page = puts({path: "text\n"})
    cards.apply([*puts({"x.md": f"{link}\n"}), *page], [])
    store = MeaningStore(cards, Layers())
    assert incoming() == ["x.md"]
    cards.apply(puts({"new.md": "takes the number\n"}), [path])
    store.update()
    assert [str(row.found.status) for row in Meanings(cards.db, "main").every()] in (
        ["broken"],
        ["wanted"],
    )
    cards.apply(page, [])
    assert incoming() == ["x.md"]


def test_a_page_that_went_and_came_back_is_known_by_its_new_number(store, cards, puts):
    (put,) = puts({"b.md": "[[c]]\n"})
    tree = cards.tree()
    cards.apply([], ["b.md"])
    cards.apply(puts({"new.md": "text\n"}), [])
    cards.apply([put], ["new.md"])
    assert cards.tree() == tree
    assert not store.is_current()
    store.update()
    assert [row.source for row in LinkGraph(cards, scope_of(Layers())).incoming("b.md")] == [
        "a.md",
        "a.md",
    ]


def test_while_the_index_is_busy_links_are_resolved_for_the_reader_alone(
    settled, monkeypatch, put, assert_in_step
):
    """
    --- a.md ---
    [[b]]
    --- b.md ---
    text
    """
    before = settled.graph.links("b.md")
    assert [row.source for row in before] == ["a.md"]
    settled.search("text")
    put("c.md", "[[b]]\n")
    settled.search("text")

    @contextmanager
    def busy(wait_ms=None, **_):
        raise LockedError("the index is being written by another process", hint="try again")
        yield

    with monkeypatch.context() as patch:
        patch.setattr(settled.live, "amending", busy)
        rows = settled.graph.links("b.md", direction="in")
        assert [row.source for row in rows] == ["a.md", "c.md"]
    cards = settled.live.stores().cards
    assert not MeaningStore(cards, settled.live.context.layers).is_current()
    assert [row.source for row in settled.graph.links("b.md", direction="in")] == ["a.md", "c.md"]
    assert MeaningStore(cards, settled.live.context.layers).is_current()
    assert_in_step(settled)


def test_a_search_that_asks_nothing_of_links_resolves_none(settled, resolved, put):
    """
    --- a.md ---
    text
    """
    put("a.md", "[[b]]\n")
    settled.search("heron")
    assert not resolved
    settled.search("is:orphan")
    assert resolved == {"b": 1}


def test_an_id_that_comes_or_goes_has_the_links_of_that_id_resolved(cards, puts, resolved):
    about = {"memory.md": "- a [because:: m-b] ^m-a\n- b [so:: m-a] ^m-c\n", "sub/b.md": "text\n"}
    cards.apply(puts(about), [])
    store = MeaningStore(cards, Layers())
    store.update()
    resolved.clear()
    cards.apply(puts({"sub/b.md": "- text ^m-b\n"}), [])
    store.update()
    assert resolved == {"^m-b": 1}
    (link,) = (each for each in LinkGraph(cards, scope_of(Layers())).incoming("sub/b.md"))
    assert (link.source, link.relation, link.by) == ("memory.md", "because", "entry id")
    resolved.clear()
    cards.apply(puts({"sub/b.md": "- other text ^m-b\n- new ^m-d\n"}), [])
    store.update()
    assert not resolved
    cards.apply([], ["sub/b.md"])
    store.update()
    assert resolved == {"^m-b": 1}


@pytest.mark.parametrize("seed", range(8))
def test_names_that_are_asked_for_together_mean_the_same(cards, puts, monkeypatch, seed):
    dice = Random(seed)
    names = [f"{folder}{stem}" for folder in ("", "marsh/", "sea/coast/") for stem in "abcde"]
    forms = ("[[{}]]", "[x]({}.md)", "[[{}#Top]]", "![[{}.png]]", "[x](../{}.md)", "[[Of {}]]")

    def text() -> str:
        links = " ".join(dice.choice(forms).format(dice.choice(names)) for _ in range(12))
        return f"---\ntitle: Of {dice.choice('abc')}\n---\n# Top\n\n{links}\n"

    near, far = MeaningStore(cards, Layers()), MeaningStore(cards, Layers(), "temp")
    for _ in range(5):
        pages = {f"{name}.md": text() for name in dice.sample(names, 6)}
        cards.attach([f"{name}.png" for name in dice.sample(names, 3)])
        cards.apply(puts(pages), [f"{dice.choice(names)}.md"])
        near.update()
        with monkeypatch.context() as patched:
            patched.setattr(SqliteStorage, "is_far", True)
            far.update()
        meant = [
            sorted(cards.db.execute(f"select page, position, how, target from {schema}.meaning"))
            for schema in ("main", "temp")
        ]
        assert meant[0] == meant[1] != []


@given(
    st.lists(st.sampled_from(("a", "b", "ab", "ba", "aa", "m-1", "m-11")), unique=True),
    st.lists(st.sampled_from(("a", "b", "ab", "ba", "aa", "m-1", "m-11")), unique=True),
)
def test_the_ids_that_came_or_went_are_found_whatever_stands_around(had, has):
    packed = [_packed_ids(each) if each else b"" for each in (had, has)]
    assert _changed_ids(*packed) == {*had} ^ {*has}
