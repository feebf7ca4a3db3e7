"""What is known of a long list is not read again, and the index is what it would be if it were."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, islice
from operator import attrgetter, itemgetter
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_text_leaves_the_rest_alone import LINES, OPENERS

from memwiki.digest import digest_of
from memwiki.files.read import FileContents
from memwiki.index.cards import rows
from memwiki.index.cards.lookup import Lookup
from memwiki.index.meanings.store import MeaningStore
from memwiki.index.prepare import take_in
from memwiki.index.resolve import Resolver
from memwiki.index.stores import Stores, dump
from memwiki.index.units import NOTHING, ExistingUnits
from memwiki.markdown import entries, stretches
from memwiki.markdown.outline import Outline
from memwiki.markdown.parse import parse
from memwiki.markdown.source import decode
from memwiki.markdown.stretches import PLACE, HeldPage, KnownLists
from memwiki.markdown.units import make_units
from memwiki.nouns import Layers

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from fuzz import documents

LAYERS = Layers(log="log.md")
ITEMS = [
    "- Likes tea.",
    "- Likes tea.",
    "- [fact] Likes tea. [created:: 2026-01-02] #drink",
    "- a ^m-7k2f9a",
    "- ~~old~~",
    "- [ ] task",
    "-",
    "- two\n  lines",
    "- apart\n\n  from itself",
    "- linked to [[b]]",
    "- linked to <a href='b.md'>b</a> <img\n  src=c.png>",
    "- shows <pre><a href='b.md'></pre>",
    "<pre>",
    "<a title='",
    "- about [subject:: b] [because:: m-7k2f9a 0.5]",
    "- [x](y) `code` $m$",
    "- [kind] of it",
    "* other",
    "  - nested",
    "    - importance:: 0.7",
    "1. one",
    "## Facts",
    "## 2026-01-02 | A day",
    "# Memory",
    "[kind]: a",
]


@st.composite
def blocks(draw: st.DrawFn) -> list[str]:
    """Some lines, of a list in most cases."""
    if draw(st.integers(0, 9)) == 0:
        (found,) = islice(documents(random.Random(draw(st.integers(0, 10**6)))), 1)
        return [line.replace("\x0b", "").replace("\x0c", "") for line in found]
    line = st.one_of(*[st.sampled_from(ITEMS)] * 5, st.sampled_from(LINES + OPENERS))
    return draw(st.lists(line, max_size=8))


@st.composite
def edits(draw: st.DrawFn) -> tuple[float, float, list[str]]:
    """Which part of the lines is replaced, and by what."""
    start, end = sorted(draw(st.tuples(st.floats(0, 1), st.floats(0, 1))))
    return start, draw(st.sampled_from([start, start, end])), draw(blocks())


def edited(lines: list[str], edit: tuple[float, float, list[str]]) -> list[str]:
    start, end, new = edit
    return [*lines[: int(start * len(lines))], *new, *lines[int(end * len(lines)) :]]


def bytes_of(lines: list[str]) -> bytes:
    return "\n".join(lines).encode("utf-8", "replace")


def put_of(path: str, lines: list[str], known=NOTHING, before: list[str] | None = None):
    data = bytes_of(lines)
    held = FileContents(data, digest_of(data), len(data))
    was = None
    if before is not None:
        assert known.digest == digest_of(bytes_of(before))
        outline = Outline(LAYERS, path, decode(path, bytes_of(before)).text)
        was = HeldPage(outline, [*known.one_line_runs()])
    return take_in(path, held, LAYERS, 1_000_000, ((1, 1, 1, 1), False), known, before=was)


def taken(
    stores: Stores, path: str, lines: list[str], *, knowing: bool, before: list[str] | None = None
) -> int:
    """Take a page in; how many of its units were not read."""
    known = stores.cards.existing_units(path) if knowing else NOTHING
    put = put_of(path, lines, known, before)
    unread = sum(len(stretch.held) for stretch in put.page.stretches) // PLACE.size
    put.release()
    for projection in stores.projections():
        projection.apply([put], [])
    return unread


@contextmanager
def short_stretches() -> Iterator[None]:
    """A cut at every second line or so, of every list."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(entries, "MANY_ITEMS", 1)
        patched.setattr(stretches, "_CUT", 1)
        patched.setattr(stretches, "_MAX_ITEMS", 3)
        yield


@settings(max_examples=max(settings().max_examples, 25))
@given(
    st.sampled_from(["memory.md", "wiki/a.md", "learnings.md"]),
    st.lists(blocks(), max_size=5),
    st.lists(edits(), min_size=1, max_size=4),
    st.booleans(),
)
@example("memory.md", [["- a", "- a", "- b"] * 4], [(0.0, 0.0, ["- a"]), (0.0, 0.3, [])], True)
@example("memory.md", [["- a", "- b", "- c"] * 4], [(0.0, 0.0, ["## Facts", "- x"])], False)
def test_a_page_that_was_edited_is_that_of_a_rebuild(path, parts, changes, knows_before):
    with short_stretches():
        lines = [line for part in parts for line in part]
        require_equal(path, lines, changes, knows_before=knows_before)


def new_items() -> st.SearchStrategy[list[str]]:
    """Items that no other is like, and now and then one that some are, or that is none."""
    number = st.integers(0, 10**6).map(lambda n: f"- Person {n} likes tea.")
    return st.lists(st.one_of(*[number] * 9, st.sampled_from(ITEMS)), min_size=1, max_size=3)


@settings(max_examples=max(settings().max_examples, 25))
@given(
    st.lists(st.integers(0, 10**6), min_size=6, max_size=40, unique=True),
    st.lists(st.tuples(st.floats(0, 1), new_items()), min_size=1, max_size=4),
)
@example([*range(30)], [(0.5, ["- One more."]), (1.0, ["- The last."]), (0.0, ["- The first."])])
@example(
    [*range(6)],
    [(0.0, ["- Person 0 likes tea."] * 2 + ["- [ ] task"]), (0.0, ["- Person 0 likes tea."])],
)
def test_a_page_that_grows_is_that_of_a_rebuild(numbers, more):
    with short_stretches():
        require_equal("memory.md", cakes(numbers), [(at, at, items) for at, items in more])


@settings(max_examples=max(settings().max_examples, 25))
@given(
    st.lists(st.integers(0, 10**6), min_size=6, max_size=40, unique=True),
    st.lists(
        st.tuples(st.floats(0, 1), st.floats(0, 0.2), st.one_of(new_items(), st.just([]))),
        min_size=1,
        max_size=5,
    ),
)
@example([*range(30)], [(0.5, 0.1, []), (0.5, 0.1, ["- One."]), (0.0, 0.2, ["- The first."])])
@example([*range(6)], [(0.875, 0.0, ["- [ ] task"]), (0.75, 0.0, ["- Person 0 likes tea."])])
def test_a_page_of_which_items_go_is_that_of_a_rebuild(numbers, changes):
    with short_stretches():
        spans = [(at, min(at + part, 1.0), items) for at, part, items in changes]
        require_equal("memory.md", cakes(numbers), spans)


BORDERS = [
    *["```", "~~~", "<!--", "-->", "<div>", "</div>", "$$", "---", "title: b", "", "    code"],
    *["# Memory", "## Facts", "## People", "### Old", "Text.", "  more", "- [ ] task", "- two"],
    *["  - nested", "1. one", "| a | b |", "|---|---|", "[kind]: a", "!!! note", "{% highlight %}"],
]


@settings(max_examples=max(settings().max_examples, 50))
@given(
    st.integers(6, 40),
    st.lists(
        st.tuples(
            st.floats(0, 1),
            st.sampled_from([0.0, 0.05, 0.3]),
            st.lists(st.sampled_from(BORDERS), max_size=3),
        ),
        min_size=1,
        max_size=6,
    ),
)
@example(30, [(0.5, 0.0, ["```"]), (0.8, 0.0, ["```"]), (0.5, 0.05, [])])
@example(30, [(0.4, 0.0, ["", "## People", ""]), (0.4, 0.05, []), (0.6, 0.0, ["<!--"])])
@example(30, [(0.0, 0.0, ["---", "title: b", "---"]), (0.0, 0.05, []), (0.2, 0.0, ["$$"])])
def test_what_opens_or_closes_in_a_long_list_gives_the_rows_of_a_rebuild(count, changes):
    with short_stretches():
        spans = [(at, min(at + part, 1.0), lines) for at, part, lines in changes]
        require_equal("memory.md", cakes([*range(count)]), spans)


def test_of_a_page_that_was_at_hand_only_lines_near_an_edit_are_looked_at(monkeypatch):
    lines = ["# Memory", "", "## Facts", *[f"- Person {i} likes tea." for i in range(5_000)]]
    live, looked, real = Stores(None), list[str](), stretches._says_cut
    taken(live, "memory.md", lines, knowing=True)
    monkeypatch.setattr(stretches, "_says_cut", lambda line: looked.append(line) or real(line))
    for at in (len(lines), 3_000, 5):
        looked.clear()
        before, lines = lines, [*lines[:at], "- One more.", *lines[at:]]
        known = live.cards.existing_units("memory.md")
        runs = len([*known.one_line_runs()])
        taken(live, "memory.md", lines, knowing=True, before=before)
        assert len(looked) <= runs + 3 * stretches._MAX_ITEMS < 1_500
    live.close()


def cakes(numbers: list[int]) -> list[str]:
    return ["# Memory", "", "## Facts", *(f"- Person {n} likes cake." for n in numbers)]


def test_of_a_page_that_is_edited_only_what_differs_is_given_to_the_stores(monkeypatch):
    items = [f"- Person {i} likes tea." for i in range(400)]
    live = Stores(None)
    taken(live, "memory.md", items, knowing=True)
    monkeypatch.setattr(ExistingUnits, "keys", property(lambda _: pytest.fail("all are asked for")))
    for new in ("- One more.", "- And one.\n- And this."):
        items[200:200] = new.split("\n")
        put = put_of("memory.md", items, live.cards.existing_units("memory.md"))
        assert put.gone == set()
        assert len(put.terms) == len(new.split("\n"))
        for projection in live.projections():
            projection.apply([put], [])
    assert live.cards.unit_count() == live.keyword.unit_count() == 403
    items[200:202] = ["- Another one."]
    put = put_of("memory.md", items, live.cards.existing_units("memory.md"))
    assert (len(put.gone), len(put.terms)) == (2, 1)
    for projection in live.projections():
        projection.apply([put], [])
    assert live.cards.unit_count() == live.keyword.unit_count() == 402
    live.close()


@settings(max_examples=max(settings().max_examples, 25))
@given(st.sampled_from(["memory.md", "wiki/a.md"]), st.lists(st.sampled_from(ITEMS), max_size=30))
def test_links_and_tags_of_stretches_are_those_of_the_page(path, items):
    data = "\n".join(["# Memory", "See [[c]].", "", *items]).encode()
    with short_stretches():
        whole, cut = (
            parse(path, data, LAYERS),
            parse(path, data, LAYERS, known=KnownLists(linked=frozenset())),
        )
    links = [*cut.links]
    for stretch in cut.linked:
        start = stretch.line_start
        links += (link._replace(line=start + link.line) for link in stretch.links)
    assert sorted(links, key=attrgetter("line")) == sorted(whole.links, key=attrgetter("line"))
    tags = [*cut.tags, *chain.from_iterable(stretch.tags for stretch in cut.linked)]
    assert {*tags} == {*whole.tags}


def test_after_an_edit_links_are_made_and_resolved_of_its_stretch_alone(monkeypatch):
    """Where every entry has a link, and all below it move down."""
    live = Stores(None)
    items = [f"- Person {i} knows [[a{i % 7}]] [subject:: b{i % 5}]" for i in range(2_000)]
    taken(live, "memory.md", items, knowing=True)
    MeaningStore(live.cards, LAYERS).update()
    made, resolved = [], []
    watch(monkeypatch, rows.links, "packed", lambda links, part=0: made.append(part))
    watch(monkeypatch, Resolver, "resolve", lambda _, link, *__: resolved.append(link))
    items[5:5] = ["- One more [[c]]"]
    taken(live, "memory.md", items, knowing=True)
    MeaningStore(live.cards, LAYERS).update()
    assert len(made) <= 3  # what stands outside, and two stretches where the list is cut anew
    assert 1 < len(resolved) <= 4 * stretches._MAX_ITEMS
    links = [(each.line, each.written) for each in Lookup(live.cards.db).links_of("memory.md")]
    assert len(links) == 4_001
    assert links == sorted(links, key=itemgetter(0))
    assert links[-2:] == [(2_001, "a4"), (2_001, "b4")]
    live.close()


def watch(monkeypatch, room, name, note):
    """Call a function with what it was called with noted."""
    real = getattr(room, name)

    def noted(*args):
        note(*args)
        return real(*args)

    monkeypatch.setattr(room, name, noted)


def require_equal(path, lines, changes, *, knows_before=True):
    live = Stores(None)
    taken(live, path, lines, knowing=True)
    for change in changes:
        before, lines = lines, edited(lines, change)
        taken(live, path, lines, knowing=True, before=before if knows_before else None)
        anew = Stores(None)
        taken(anew, path, lines, knowing=False)
        one, other = dump(live), dump(anew)
        assert {key for key in {*one, *other} if one.get(key) != other.get(key)} == set()
        anew.close()
    live.close()


def test_one_more_item_leaves_all_but_its_neighbours_unread():
    items = [f"- Person {i} likes tea number {i * 7919 % 10007}." for i in range(2_000)]
    for at in (1, 1_000, 2_000):
        live = Stores(None)
        taken(live, "memory.md", ["## Facts", *items], knowing=True)
        more = ["## Facts", *items[: at - 1], "- One more.", *items[at - 1 :]]
        assert taken(live, "memory.md", more, knowing=True) >= 1_990 - 3 * stretches._MAX_ITEMS
        live.close()


def test_units_that_nobody_asks_for_are_not_made(monkeypatch):
    live, lines = Stores(None), ["# M", *[f"- item {i}" for i in range(2_000)]]
    taken(live, "memory.md", lines, knowing=True)
    made = []
    monkeypatch.setattr(
        "memwiki.markdown.parse.make_units",
        lambda *args, **names: made.extend(make_units(*args, **names)) or tuple(made),
    )
    taken(live, "memory.md", [*lines, "- one more"], knowing=True)
    assert "one more" in [unit.text for unit in made]
    assert len(made) < 3 * stretches._MAX_ITEMS
    live.close()
