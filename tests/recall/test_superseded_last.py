"""What holds no longer is found, after all that holds."""

import pytest

PAGE = """
--- memory.md ---
## Facts
- ~~The tea house tea is tea.~~ [superseded_by:: m-bbbbbb] ^m-aaaaaa
- The tea is on the shelf. ^m-bbbbbb
- The tea was green. [superseded_by:: m-bbbbbb] ^m-cccccc
- [[m]] Somewhere there is a cup, and beside it perhaps some tea for guests. ^m-dddddd
"""


def ids(answer):
    return [hit.id for hit in answer.hits]


def test_a_search_gives_what_is_superseded_last_and_says_so(opened, write_blocks):
    write_blocks(PAGE)
    space = opened()
    found = space.search("tea", explain=True)
    assert ids(found)[:2] == ["m-bbbbbb", "m-dddddd"]
    assert set(ids(found)[2:]) == {"m-aaaaaa", "m-cccccc"}
    assert [hit.reasons[0] for hit in found.hits[2:]] == ["superseded", "superseded"]


def test_it_takes_no_room_of_what_holds(opened, write_blocks):
    write_blocks(PAGE)
    space = opened()
    assert ids(space.search("tea", limit=2)) == ["m-bbbbbb", "m-dddddd"]
    assert ids(space.search('"tea"', limit=2)) == ["m-bbbbbb", "m-dddddd"]
    assert space.search("tea", limit=2).total == 4


def test_recall_leaves_it_out_and_counts_it(opened, write_blocks):
    write_blocks(PAGE)
    answer = opened().recall("tea")
    assert set(ids(answer)) == {"m-bbbbbb", "m-dddddd"}
    assert answer.left_out["superseded"] == 2


@pytest.mark.parametrize(
    "head",
    [
        '---\nsuperseded-by: "[[new]]"\n---\n# Limit\n\n',
        "---\nstatus: Deprecated\n---\n# Limit\n\n",
        "---\nstatus: 已废弃\n---\n# Limit\n\n",
        "---\nstatus: superseded by [ADR-7](new.md)\n---\n# Limit\n\n",
        "---\nstatus: superseded by ADR-7\n---\n# Limit\n\n",
        "# Limit\n\n## Status\n\nSuperseded by [7. New](new.md)\n\n## Decision\n\n",
        "# Limit\n\n- **Superseded by:** [[new]]\n\n",
        "# Limit\n\n> Superseded-by: [[new]]\n\n",
        "# Limit\n\nStatus: Superseded by [[new]] on Monday\n\n",
    ],
)
def test_a_page_that_says_so_comes_behind_what_holds(opened, put, head):
    said = "The rate limit of the API is {} per minute for each client.\n"
    put("wiki/old.md", head + said.format(100))
    put("wiki/new.md", "# A limit that is now\n\n" + said.format(250))
    space = opened()
    answer = space.recall("what is the rate limit of the API?")
    assert [(hit.path, hit.age) for hit in answer.hits] == [
        ("wiki/new.md", ""),
        ("wiki/old.md", "superseded"),
    ]
    found = {hit.path: hit.age for hit in space.search("rate limit").hits}
    assert found == {"wiki/new.md": "", "wiki/old.md": "superseded"}


@pytest.mark.parametrize(
    "text",
    [
        "---\nsuperseded_by:\nstatus: accepted\n---\nSee the [old one](old.md).\n",
        "---\nsuperseded_by: []\n---\nSee the [old one](old.md).\n",
        "---\nsuperseded_by: none\n---\nSee the [old one](old.md).\n",
        "---\nstatus: accepted\n---\nThis superseded by far what [the old one](old.md) did.\n",
        "Supersedes [the old one](old.md)\n",
        "It was superseded by nothing, see [the old one](old.md).\n",
    ],
)
def test_a_page_that_holds_is_not_taken_for_one_that_does_not(opened, put, text):
    put("wiki/old.md", "# Old\n")
    put("wiki/new.md", text)
    found = [hit for hit in opened().search("old one").hits if hit.path == "wiki/new.md"]
    assert [hit.age for hit in found] == [""]


def test_a_decision_leads_to_what_took_its_place_and_is_moved_with_it(opened, put, root):
    put("adr/6.md", "---\nstatus: superseded by [ADR-7](7.md)\n---\n# Six\n")
    put("adr/5.md", "# Five\n\nSuperceded by [Seven](7.md)\n")
    put("adr/7.md", "# Seven\n\nSupersedes [Five](5.md)\n")
    space = opened()
    found = {(row.source, row.relation) for row in space.graph.links("adr/7.md", "in")}
    assert found == {("adr/5.md", "superseded_by"), ("adr/6.md", "superseded_by")}
    space.pages.move("adr/7.md", "adr/seven.md")
    assert "[ADR-7](seven.md)" in (root / "adr/6.md").read_text()
