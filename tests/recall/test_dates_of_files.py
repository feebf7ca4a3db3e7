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


@pytest.fixture
def entries(put, opened, root):
    put("memwiki.toml", '[layers]\nmemory = "memory.md"\n')
    put(
        "memory.md", "## Facts\n- One tea. [created:: 2026-11-01] ^m-abc123\n- Two tea. ^m-abc124\n"
    )
    os.utime(root / "memory.md", ns=(0, 1_795_000_000 * 10**9))
    return opened()


@pytest.mark.parametrize("filter_", ["since:2026-10-01", "until:2027-01-01", "since:1990"])
def test_an_entry_without_a_date_is_in_no_days_whatever_its_file_says(entries, filter_):
    found = [hit.id for hit in entries.search(f"is:entry {filter_}")]
    assert found == ["m-abc123"]


def test_an_entry_has_its_own_date_or_none_at_every_door(entries):
    search = {hit.id: hit.updated for hit in entries.search("tea is:entry")}
    recall = {hit.id: hit.updated for hit in entries.recall("what of tea?") if hit.id}
    assert search == recall == {"m-abc123": "2026-11-01", "m-abc124": ""}
    text = entries.prompt(entries.recall("what of tea?"), core=False).text
    assert "undated" in text and "2026-11-18" not in text


def test_recall_since_a_day_leaves_out_what_has_no_date(entries):
    found = [hit.id for hit in entries.recall("what of tea?", since="2026-10-01") if hit.id]
    assert found == ["m-abc123"]


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


def test_a_hit_shows_no_date_that_only_its_file_has(written_long_ago, ws):
    said = {"old.md": "2019-03-01", "new.md": "2026-11-20", "2026_11_19.md": "2026-11-19"}
    wanted = {**said, "copied.md": "", "also.md": ""}
    assert {hit.path: hit.updated for hit in ws.search("tea")} == wanted
    found = ws.recall("what of tea?")
    assert {hit.path: hit.updated for hit in found}.items() <= wanted.items()
    assert "- undated | tea tea tea | copied.md" in ws.prompt(found).text
