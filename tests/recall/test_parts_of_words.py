"""Parts of words are looked for in as many pages as may be read, and the answer says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from memwiki import Workspace
from memwiki.index.cards.lookup import Card, Lookup
from memwiki.recall import search
from memwiki.recall.channels import PageText, PageTexts

Put = Callable[..., None]
_PAGES = 30


@pytest.fixture
def many(ws: Workspace, put: Put) -> Workspace:
    """Pages of equal size that hold `unbelievable`, and a page named `Configuration` among them."""
    put("a.md", "# Configuration\n\nText.\n")
    for number in range(_PAGES):
        put(f"n{number:02}.md", f"# Number {number}\n\nThis is unbelievable.\n" + "x\n" * 2000)
    ws.sync()
    return ws


@pytest.fixture
def narrow(many: Workspace, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """The same, where three of these pages may be read."""
    monkeypatch.setattr(search, "_MAX_SCANNED", 12_000)
    return many


def test_all_pages_are_read_where_they_are_few(many: Workspace) -> None:
    answer = many.search("nbelievabl", limit=50)
    assert (answer.total, answer.total_exact, answer.notes) == (_PAGES, True, ())


def test_what_was_left_out_is_told(narrow: Workspace) -> None:
    answer = narrow.search("nbelievabl", limit=50)
    assert 1 <= answer.total <= 5
    assert (answer.fallback, answer.total_exact) == (True, False)
    assert answer.notes == (search._SCANNED,)
    assert narrow.search("zzzz").notes == (search._SCANNED,)  # nothing found is told, too


def test_a_bound_ends_the_reading(narrow: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[str]()
    passing = PageTexts.passing

    def counted(texts: PageTexts, card: Card) -> PageText:
        read.append(card.path)
        return passing(texts, card)

    monkeypatch.setattr(PageTexts, "passing", counted)
    narrow.search("zzzz")
    assert len(read) <= 4


def test_no_more_pages_are_looked_up_than_are_read(
    narrow: Workspace, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(250):
        put(f"elsewhere/{number:03}.md", "# Page\n\nText.\n")
    narrow.sync()
    looked_up, by_number = list[int](), Lookup.by_number

    def counted(lookup: Lookup, numbers: Iterable[int]) -> dict[int, Card]:
        wanted = list(numbers)
        looked_up.extend(wanted)
        return by_number(lookup, wanted)

    monkeypatch.setattr(Lookup, "by_number", counted)
    answer = narrow.search("lsewher")
    assert 0 < len(answer.hits) < 5
    assert len(looked_up) <= 150


@pytest.mark.parametrize(("half", "path"), [("configurat", "a.md"), ("onfigu", "a.md")])
def test_pages_that_likely_hold_it_are_read_first(narrow: Workspace, half: str, path: str) -> None:
    assert [hit.path for hit in narrow.search(half)][:1] == [path]


def test_a_half_typed_word_of_one_page_among_many_is_found(narrow: Workspace, put: Put) -> None:
    put("b.md", "# Other\n\nA parliamentarian speaks.\n")
    for number in range(_PAGES):
        put(f"z{number:02}.md", f"# Later {number}\n\n" + "x\n" * 2000)
    assert [hit.path for hit in narrow.search("parliamenta")] == ["b.md"]


def test_a_filter_holds_for_parts_of_words(narrow: Workspace) -> None:
    assert [hit.path for hit in narrow.search("onfigu path:n*")] == []
    assert [hit.path for hit in narrow.search("onfigu path:a*")] == ["a.md"]
