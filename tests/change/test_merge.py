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
