"""A filter or an order by date goes by what pages say, and by the time of a file only after
that."""

import os

import pytest

DAY_NS = 86_400 * 10**9


@pytest.fixture
def written_long_ago(root):
    """A vault copied today: one page says when it was written, one its file name, two nothing."""
    pages = {
        "old.md": "---\nupdated: 2019-03-01\n---\ntea\n",
        "new.md": "---\ncreated: 2026-11-20\n---\ntea\n",
        "2026_11_19.md": "tea\n",
        "copied.md": "tea tea tea\n",
        "also.md": "# Tea\n",
    }
    for path, text in pages.items():
        (root / path).write_text(text, "utf-8")
    os.utime(root / "also.md", ns=(0, 1_795_000_000 * 10**9))
    os.utime(root / "copied.md", ns=(0, 1_795_000_000 * 10**9 + DAY_NS))


def paths(answer):
    return [hit.path for hit in answer.hits]


@pytest.mark.parametrize("query", ["since:2026-11-01", "tea since:2026-11-01"])
def test_a_copied_vault_put_pages_that_say_no_date_before_those_that_do(
    written_long_ago, ws, query
):
    answer = ws.search(query)
    assert set(paths(answer)[:2]) == {"new.md", "2026_11_19.md"}
    assert set(paths(answer)[2:]) == {"also.md", "copied.md"}
    (note,) = answer.notes
    assert note.startswith("2 of 4 hits have no date")
    assert paths(ws.search(query, limit=2)) == paths(answer)[:2]


@pytest.mark.parametrize(
    "query", ['"tea" since:2026-11-01', "tea* since:2026-11-01", "ea since:2026"]
)
def test_phrases_prefixes_and_parts_of_words_follow_the_same_order(written_long_ago, ws, query):
    answer = ws.search(query)
    assert set(paths(answer)[:2]) == {"new.md", "2026_11_19.md"}
    assert answer.notes


def test_without_a_filter_by_date_nothing_is_said_of_dates(written_long_ago, ws):
    assert ws.search("tea").notes == ()
    assert ws.search("tea since:2019 until:2020").notes == ()
    assert paths(ws.search("tea until:2020")) == ["old.md"]


def test_an_entry_that_says_its_day_is_not_judged_by_its_file(put, opened, root):
    put("memory.md", "## Facts\n- One. [created:: 2026-11-01] ^m-abc123\n- Two.\n")
    os.utime(root / "memory.md", ns=(0, 1_795_000_000 * 10**9))
    answer = opened().search("since:2026-10-01")
    assert answer.hits[0].excerpt.startswith("- One")
    assert answer.notes[0].startswith(f"{len(answer.hits) - 1} of {len(answer.hits)} hits")


def test_a_list_by_date_began_with_what_was_copied_today(written_long_ago, ws):
    answer = ws.pages.list(sort="updated")
    order = ["new.md", "2026_11_19.md", "old.md", "copied.md", "also.md"]
    assert [row.path for row in answer.pages] == order
    (note,) = answer.notes
    assert note.startswith("2 of 5 pages have no date")
    assert [row.updated for row in answer.pages][:3] == ["2026-11-20", "2026-11-19", "2019-03-01"]
    assert ws.pages.list().notes == ()


def test_when_every_page_says_a_date_nothing_is_noted(put, opened):
    put("sessions/a.md", "---\ntype: session\nstarted: 2026-11-02\n---\ntext\n")
    assert opened().pages.list(sort="updated").notes == ()
