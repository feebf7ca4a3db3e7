"""Merging: both changes are kept when they are apart, and neither is taken when they meet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.change.merge import merge

PAGE = b"---\ntitle: A\ntags: [x]\n---\n# A\n\n- one\n- two\n- three\n"


def changed(*pairs: tuple[bytes, bytes], page: bytes = PAGE) -> bytes:
    for old, new in pairs:
        assert page.count(old) == 1
        page = page.replace(old, new)
    return page


@pytest.mark.parametrize(
    ("theirs", "mine", "both"),
    [
        pytest.param((b"title: A", b"title: B"), (b"[x]", b"[x, y]"), None, id="two fields"),
        pytest.param((b"tags", b"status: draft\ntags"), (b"[x]", b"[y]"), None, id="a field above"),
        pytest.param((b"- one", b"- ONE"), (b"- two", b"- TWO"), None, id="neighbouring entries"),
        pytest.param((b"- two\n", b""), (b"- three", b"- 3"), None, id="one gone, one changed"),
        pytest.param((b"# A\n", b"# A\n\nby hand\n"), (b"three\n", b"three\n- four\n"), None, id="far apart"),
        pytest.param(
            (b"three\n", b"three\n- four\n"), (b"three\n", b"three\n- five\n"),
            changed((b"three\n", b"three\n- four\n- five\n")), id="two appends",
        ),
        pytest.param(
            (b"[x]\n", b"[x]\na: 1\n"), (b"[x]\n", b"[x]\nb: 2\n"),
            changed((b"[x]\n", b"[x]\na: 1\nb: 2\n")), id="two new fields",
        ),
        pytest.param((b"- one", b"- uno"), (b"- one", b"- uno"), changed((b"- one", b"- uno")), id="the same"),
    ],
)  # fmt: skip
def test_changes_that_are_apart_are_both_kept(theirs, mine, both):
    expected = both or changed(theirs, mine)
    assert merge(PAGE, changed(theirs), changed(mine)) == expected


@pytest.mark.parametrize(
    ("theirs", "mine"),
    [
        pytest.param((b"- one", b"- uno"), (b"- one", b"- eins"), id="one line"),
        pytest.param((b"[x]\n", b"[x]\na: 1\n"), (b"[x]\n", b"[x]\na: 2\n"), id="one new field"),
        pytest.param((b"- one\n- two\n", b""), (b"- two", b"- TWO"), id="changed in what is gone"),
        pytest.param((b"- one\n- two", b"- 1\n- 2"), (b"- two\n- three", b"- II\n- III"), id="overlapping"),
    ],
)  # fmt: skip
def test_changes_that_meet_are_nobodys(theirs, mine):
    assert merge(PAGE, changed(theirs), changed(mine)) is None


BARE = b"# A\n\ntext\n"
LIST = b"---\ntags:\n  - a\n---\n# A\n"


@pytest.mark.parametrize(
    ("base", "theirs", "mine"),
    [
        pytest.param(BARE, b"---\na: 1\n---\n" + BARE, b"---\nb: 2\n---\n" + BARE, id="two heads"),
        pytest.param(BARE, b"---\na: 1\n---\n" + BARE, b"Top\n" + BARE, id="text above the head"),
        pytest.param(
            PAGE, changed((b"title", b"new: 1\ntitle")), changed((b"[x]\n", b"[x]\nnew: 2\n")),
            id="one new field at two places",
        ),
        pytest.param(
            PAGE, changed((b"[x]\n", b"[x]\n'new': 1\n")), changed((b"[x]\n", b"[x]\nnew: 2\n")),
            id="one new field, quoted and not",
        ),
        pytest.param(
            LIST, LIST.replace(b"- a\n", b"- a\nx: 1\n"), LIST.replace(b"- a\n", b"- a\n  - b\n"),
            id="an item below another field",
        ),
        pytest.param(
            LIST, LIST.replace(b"- a\n", b"- a\n  - b\n") + b"more\n",
            LIST.replace(b"- a\n", b"- a\n  - b\n"), id="one new item",
        ),
        pytest.param(
            b"---\nt: 1\n" + LIST[4:], b"---\nt: 1\n---\n# A\n",
            b"---\nt: 1\ntags:\n  - a\n  - b\n---\n# A\n", id="an item of a list that is gone",
        ),
    ],
)  # fmt: skip
def test_front_matter_that_would_come_to_mean_something_else_is_not_merged(base, theirs, mine):
    assert merge(base, theirs, mine) is None


def test_text_added_to_a_section_that_is_gone_does_not_go_to_the_one_above():
    base = b"# A\nt\n## B\nx\n## C\n"
    gone, added = base.replace(b"## B\nx\n", b""), base.replace(b"x\n", b"x\ny\n")
    assert merge(base, gone, added) is None
    assert merge(base, added, gone) is None


@pytest.mark.parametrize("end", [b"\n", b"", b"\r\n"])
def test_two_appends_merge_whatever_the_file_ends_with(end):
    base = b"- one" + end
    start = base if end else b"- one\n"
    assert sorted(merge(base, start + b"- a\n", start + b"- b\n").split()) == sorted(
        (start + b"- a\n- b\n").split()
    )


def test_a_file_that_only_one_side_changed_is_that_sides():
    other = changed((b"- one", b"- uno"))
    assert merge(PAGE, PAGE, other) == other
    assert merge(PAGE, other, PAGE) == other


LINES = st.lists(st.sampled_from([b"a", b"b", b"c", b""]), max_size=8).map(b"\n".join)


@given(LINES, LINES)
def test_merging_with_what_did_not_change_gives_what_did(base, mine):
    assert merge(base, base, mine) == mine
    assert merge(base, mine, mine) == mine


@given(base=LINES, theirs=LINES, added=st.sampled_from([b"one", b"two\nthree"]))
def test_lines_put_on_top_survive_every_change_below(base, theirs, added):
    below = b"top\n" + base
    merged = merge(below, b"top\n" + theirs, added + b"\n" + below)
    assert merged == added + b"\ntop\n" + theirs


def test_a_change_of_a_huge_file_counts_as_one():
    base = b"\n".join(b"%d" % n for n in range(10_000))
    theirs = b"\n".join(b"x%d" % n for n in range(10_000))
    assert merge(base, theirs, base + b"\nend") is not None
    assert merge(base, theirs, base.replace(b"\n5000\n", b"\nhere\n")) is None
