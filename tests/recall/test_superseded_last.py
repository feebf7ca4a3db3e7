"""What holds no longer is found, after all that holds."""

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
