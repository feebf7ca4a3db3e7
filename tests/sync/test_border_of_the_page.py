"""One page never stops the others: what cannot be parsed is found as plain text, and said to be
so."""

import json
import re

import pytest

from memwiki.errors import NotEditableError
from memwiki.index.cards import rows as card_rows
from memwiki.index.keyword import tokens
from memwiki.markdown import parse as parsing
from memwiki.markdown.border import contain_errors
from memwiki.markdown.parse import parse
from memwiki.nouns import Layers, Severity
from memwiki.workspace import Workspace

HARD = "# Heron\n\nA kingfisher BOOM.\n\nSee [[fox]] and [fox](fox.md). #bird\n"


@pytest.fixture
def unlucky(monkeypatch):
    """Parsing raises for pages that hold BOOM, and is contained as it is for users."""
    monkeypatch.delenv("MEMWIKI_DEBUG")
    real = parsing._page_of_outline

    def page_of(seen, *others, **named):
        if "BOOM" in seen.text:
            raise IndexError("string index out of range")
        return real(seen, *others, **named)

    monkeypatch.setattr(parsing, "_page_of_outline", page_of)


@pytest.fixture
def space(put, opened, unlucky) -> Workspace:
    put("heron.md", HARD)
    put("fox.md", "# Fox\n\nAn animal.\n")
    put("owl.md", "# Owl\n\nSee [[fox]].\n")
    return opened()


def test_a_page_that_cannot_be_parsed_is_indexed_as_text_and_the_others_as_ever(
    space, assert_in_step
):
    changes = space.sync()
    assert changes.added == ("fox.md", "heron.md", "owl.md")
    assert changes.fresh
    assert changes.problems == 1
    hit = space.search("kingfisher").hits[0]
    assert (hit.path, hit.title) == ("heron.md", "heron")
    assert "kingfisher" in hit.excerpt
    assert [row.source for row in space.graph.links("fox", direction="in").links] == ["owl.md"]
    assert_in_step(space)


def test_it_is_named_by_status_and_by_check(space):
    space.sync()
    assert space.index.status().unparsed == ("heron.md",)
    (problem,) = space.check.run(only=["page-unparsed"]).problems
    assert (problem.path, problem.severity) == ("heron.md", Severity.ERROR)
    assert re.search(
        r"report it with this line: IndexError in markdown/parse.py:\d+$", problem.message
    )


def test_it_can_be_read_and_shown(space):
    assert space.pages.get("heron").text == HARD
    assert space.pages.get("heron.md").title == "heron"


@pytest.mark.parametrize(
    "edit",
    [
        lambda pages: pages.set("heron", {"status": "draft"}),
        lambda pages: pages.append("heron", "more"),
        lambda pages: pages.replace("heron", "more", section="Heron"),
        lambda pages: pages.tag_add("heron", ["bird"]),
        lambda pages: pages.tag_remove("heron", ["bird"]),
        lambda pages: pages.link("heron", "fox"),
        lambda pages: pages.unlink("heron", "fox"),
        lambda pages: pages.move("heron", "stork.md", keep_alias=True),
    ],
)
def test_edits_of_it_are_refused(space, root, edit):
    with pytest.raises(NotEditableError, match="could not parse"):
        edit(space.pages)
    assert (root / "heron.md").read_text() == HARD


def test_the_page_of_the_day_is_refused_too(put, opened, unlucky):
    put("memwiki.toml", '[layers]\ndaily = "daily"\n')
    space = opened()
    put(space.pages.today_path(), HARD)
    with pytest.raises(NotEditableError, match="could not parse"):
        space.pages.today("more")


def test_moving_what_it_links_to_names_its_links_as_left(space, root):
    edited = space.pages.move("fox", "vixen.md")
    assert (root / "owl.md").read_text() == "# Owl\n\nSee [[vixen]].\n"
    assert (root / "heron.md").read_text() == HARD
    assert "heron.md: memwiki could not parse it; its links were not changed" in edited.notes


def test_it_can_be_moved_and_deleted_as_it_is(space, root):
    edited = space.pages.move("heron", "birds/heron.md")
    assert (root / "birds/heron.md").read_text() == HARD
    assert any("its links were not changed" in note for note in edited.notes)
    space.pages.delete("birds/heron.md")
    assert not (root / "birds/heron.md").exists()


def test_it_is_a_page_like_others_once_it_can_be_parsed(space, put, assert_in_step):
    space.sync()
    put("heron.md", HARD.replace("BOOM", "dives"))
    assert space.sync().problems == 0
    assert space.pages.get("heron").title == "Heron"
    assert space.check.run(only=["page-unparsed"]).problems == ()
    assert_in_step(space)


def test_a_page_that_once_could_be_parsed_loses_its_old_rows(space, put, assert_in_step):
    put("heron.md", HARD.replace("BOOM", "dives"))
    space.sync()
    put("heron.md", HARD)
    space.sync()
    assert [row.source for row in space.graph.links("fox", direction="in").links] == ["owl.md"]
    assert_in_step(space)


def test_terms_that_cannot_be_made_are_those_of_no_other_page(
    space, put, monkeypatch, assert_in_step
):
    put("heron.md", "# Heron\n\nfine\n")
    real = tokens.count_terms

    def count(text):
        if "Heron" in text:
            raise UnicodeError("odd")
        return real(text)

    monkeypatch.setattr(tokens, "count_terms", count)
    assert space.sync().problems == 1
    assert space.index.status().unparsed == ("heron.md",)
    assert space.search("animal").hits[0].path == "fox.md"
    assert_in_step(space)


def test_rows_that_cannot_be_made_are_those_of_no_other_page(
    space, put, monkeypatch, assert_in_step
):
    put("heron.md", "# Heron\n\n[[x]]\n")

    def rows(given):
        if given.page.links and given.page.path == "heron.md":
            raise OverflowError("too large")
        return iter(())

    (names,) = (table for table in card_rows.ROWS if table.name == "name")
    monkeypatch.setitem(card_rows.ROWS, names, rows)
    assert space.sync().problems == 1
    assert space.search("heron").hits[0].path == "heron.md"
    assert_in_step(space)


def test_a_rule_that_fails_on_one_page_leaves_the_others_checked(space, put, monkeypatch):
    from memwiki.check import review as reviewing

    put("heron.md", "# Heron\n")
    put("owl.md", "")
    real = reviewing.facts_of

    def facts(sheet):
        if sheet.page.path == "heron.md":
            raise KeyError("x")
        return real(sheet)

    monkeypatch.setattr(reviewing, "facts_of", facts)
    assert [each.path for each in space.check.run(only=["page-empty"]).problems] == ["owl.md"]
    (problem,) = space.check.run(only=["page-unparsed"]).problems
    assert problem.path == "heron.md"
    assert "could not check this page" in problem.message


def test_too_deep_a_recursion_is_contained_and_says_no_place():
    def deep(n=0):
        return deep(n + 1)

    def told(error):
        return type(error).__name__

    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MEMWIKI_DEBUG")
        assert contain_errors(deep, told) == "RecursionError"


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt, SystemExit])
def test_what_is_no_mistake_in_a_page_goes_on(error, monkeypatch):
    monkeypatch.delenv("MEMWIKI_DEBUG")

    def step():
        raise error

    with pytest.raises(error):
        contain_errors(step, lambda _: None)


def test_under_debugging_the_border_raises(monkeypatch, unlucky):
    monkeypatch.setenv("MEMWIKI_DEBUG", "1")
    with pytest.raises(IndexError):
        parse("a.md", b"BOOM", Layers())


@pytest.mark.parametrize(
    "data",
    [
        b"BOOM",
        b"BOOM\n",
        b"\xef\xbb\xbfBOOM",
        "\ufeffBOOM\n".encode("utf-16-le"),
        b"BOOM \xff\xfe\n",
        b"BOOM, a long line\0\n",
        b"BOOM " + b"x" * 50_000,
        b"BOOM\n" + b"line\n" * 5_000,
        b"BOOM\r\nx\r\n",
    ],
)
def test_plain_text_is_cut_into_units_that_hold_all_of_it(unlucky, data):
    page = parse("wiki/a.md", data, Layers())
    assert "".join(unit.text for unit in page.units) == page.text
    assert page.title == "a"
    lines = page.text.split("\n")
    for unit in page.units:
        assert unit.text.split("\n")[0] in lines[unit.line_start - 1]
        assert 1 <= unit.line_start <= unit.line_end <= max(len(lines), 1)
    assert max(len(unit.text) for unit in page.units) <= 3_000


def test_only_the_head_of_a_page_that_is_too_large_is_plain_text(unlucky):
    page = parse("a.md", b"BOOM\n" * 40_000, Layers(), max_bytes=100_000)
    assert len(page.text) == 64 * 1024


def test_the_status_of_a_workspace_in_which_all_is_well_names_no_page(ws, put):
    put("a.md", "# A\n")
    ws.sync()
    assert ws.index.status().unparsed == ()


def test_the_message_is_the_same_at_every_sync(space):
    space.sync()
    first = space.live.lookup().unparsed()
    space.index.reindex()
    assert space.live.lookup().unparsed() == first
    assert json.dumps(first[0])
