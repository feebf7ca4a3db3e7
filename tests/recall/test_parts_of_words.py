"""Parts of words are looked for in as many pages as may be read, and the answer says so."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from memwiki import Workspace
from memwiki.index.cards.lookup import Card, Lookup
from memwiki.recall import search
from memwiki.recall.channels import PageText, PageTexts

Reading = Callable[..., Workspace]
_PAGES = 30


# Pages of equal size that hold `unbelievable`, and a page named `Configuration` among them.
MANY = {
    "a.md": "# Configuration\n\nText.\n",
    **{
        f"n{number:02}.md": f"# Number {number}\n\nThis is unbelievable.\n" + "x\n" * 2000
        for number in range(_PAGES)
    },
}


@pytest.fixture
def narrow(reading: Reading, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """Where three of these pages may be read."""
    monkeypatch.setattr(search, "_MAX_SCANNED", 12_000)
    return reading(MANY)


def test_all_pages_are_read_where_they_are_few(reading: Reading) -> None:
    answer = reading(MANY).search("nbelievabl", limit=50)
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


@pytest.mark.usefixtures("narrow")
def test_no_more_pages_are_looked_up_than_are_read(
    reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = {f"elsewhere/{number:03}.md": "# Page\n\nText.\n" for number in range(250)}
    looked_up, by_number = list[int](), Lookup.by_number

    def counted(lookup: Lookup, numbers: Iterable[int]) -> dict[int, Card]:
        wanted = list(numbers)
        looked_up.extend(wanted)
        return by_number(lookup, wanted)

    monkeypatch.setattr(Lookup, "by_number", counted)
    answer = reading({**MANY, **more}).search("lsewher")
    assert 0 < len(answer.hits) < 5
    assert len(looked_up) <= 150


@pytest.mark.parametrize(("half", "path"), [("configurat", "a.md"), ("onfigu", "a.md")])
def test_pages_that_likely_hold_it_are_read_first(narrow: Workspace, half: str, path: str) -> None:
    assert [hit.path for hit in narrow.search(half)][:1] == [path]


@pytest.mark.usefixtures("narrow")
def test_a_half_typed_word_of_one_page_among_many_is_found(reading: Reading) -> None:
    more = {"b.md": "# Other\n\nA parliamentarian speaks.\n"}
    for number in range(_PAGES):
        more[f"z{number:02}.md"] = f"# Later {number}\n\n" + "x\n" * 2000
    assert [hit.path for hit in reading({**MANY, **more}).search("parliamenta")] == ["b.md"]


def test_a_filter_holds_for_parts_of_words(narrow: Workspace) -> None:
    assert [hit.path for hit in narrow.search("onfigu path:n*")] == []
    assert [hit.path for hit in narrow.search("onfigu path:a*")] == ["a.md"]


def test_every_memory_that_holds_a_part_is_recalled_the_newest_first(put, ws):
    put(
        "memory.md",
        "# Memory\n\n"
        "- Zorbet 81 kg. [created:: 2026-08-01] ^m-weigh1\n"
        "- Zorbet 79 kg. [created:: 2026-10-03] ^m-weigh3\n"
        "- Zorbet 80 kg. [created:: 2026-09-02] ^m-weigh2\n"
        "- ~~Zorbet 90 kg.~~ [created:: 2026-09-30] ^m-struck\n",
    )
    answer = ws.recall("how much do I zorb")
    assert [hit.id for hit in answer.hits] == ["m-weigh3", "m-weigh2", "m-weigh1"]
    assert (answer.total, answer.fallback, answer.has_relevant) == (3, True, False)
    assert [hit.id for hit in ws.recall("how much do I zorb", limit=1).hits] == ["m-weigh3"]


def test_many_memories_of_one_page_do_not_hide_other_pages(put, ws):
    lines = "".join(f"- Zorbet {80 + n} kg. [created:: 2026-09-{n:02}]\n" for n in range(1, 10))
    put("memory.md", f"# Memory\n\n{lines}")
    put("wiki/scales.md", "# Scales\n\nMy zorbets: 81 kg.\n")
    found = [hit.path for hit in ws.recall("how much do I zorb", limit=8).hits]
    assert found[:2] == ["memory.md", "wiki/scales.md"]
    assert len(found) == 8
