"""Merging: both changes are kept when they are apart, and neither is taken when they meet."""

import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from shutil import which

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.change import merge as compare
from memwiki.change.merge import hunks, merge, merged_for_review
from tests.effort import for_each

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
        pytest.param(
            (b"# A\n", b"# A\n\nby hand\n"), (b"three\n", b"three\n- four\n"), None, id="far apart"
        ),
        pytest.param(
            (b"three\n", b"three\n- four\n"),
            (b"three\n", b"three\n- five\n"),
            changed((b"three\n", b"three\n- four\n- five\n")),
            id="two appends",
        ),
        pytest.param(
            (b"[x]\n", b"[x]\na: 1\n"),
            (b"[x]\n", b"[x]\nb: 2\n"),
            changed((b"[x]\n", b"[x]\na: 1\nb: 2\n")),
            id="two new fields",
        ),
        pytest.param(
            (b"- one", b"- uno"), (b"- one", b"- uno"), changed((b"- one", b"- uno")), id="the same"
        ),
    ],
)
def test_changes_that_are_apart_are_both_kept(theirs, mine, both):
    expected = both or changed(theirs, mine)
    assert merge(PAGE, changed(theirs), changed(mine)) == expected


@pytest.mark.parametrize(
    ("theirs", "mine"),
    [
        pytest.param((b"- one", b"- uno"), (b"- one", b"- eins"), id="one line"),
        pytest.param((b"[x]\n", b"[x]\na: 1\n"), (b"[x]\n", b"[x]\na: 2\n"), id="one new field"),
        pytest.param((b"- one\n- two\n", b""), (b"- two", b"- TWO"), id="changed in what is gone"),
        pytest.param((b"- two\n", b""), (b"- three", b"- 3"), id="one gone, the next one changed"),
        pytest.param(
            (b"- one\n- two", b"- 1\n- 2"), (b"- two\n- three", b"- II\n- III"), id="overlapping"
        ),
    ],
)
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
            PAGE,
            changed((b"title", b"new: 1\ntitle")),
            changed((b"[x]\n", b"[x]\nnew: 2\n")),
            id="one new field at two places",
        ),
        pytest.param(
            PAGE,
            changed((b"[x]\n", b"[x]\n'new': 1\n")),
            changed((b"[x]\n", b"[x]\nnew: 2\n")),
            id="one new field, quoted and not",
        ),
        pytest.param(
            LIST,
            LIST.replace(b"- a\n", b"- a\nx: 1\n"),
            LIST.replace(b"- a\n", b"- a\n  - b\n"),
            id="an item below another field",
        ),
        pytest.param(
            LIST,
            LIST.replace(b"- a\n", b"- a\n  - b\n") + b"more\n",
            LIST.replace(b"- a\n", b"- a\n  - b\n"),
            id="one new item",
        ),
        pytest.param(
            b"---\nt: 1\n" + LIST[4:],
            b"---\nt: 1\n---\n# A\n",
            b"---\nt: 1\ntags:\n  - a\n  - b\n---\n# A\n",
            id="an item of a list that is gone",
        ),
    ],
)
def test_front_matter_that_would_come_to_mean_something_else_is_not_merged(base, theirs, mine):
    assert merge(base, theirs, mine) is None


def test_text_added_to_a_section_that_is_gone_does_not_go_to_the_one_above():
    base = b"# A\nt\n## B\nx\n## C\n"
    gone, added = base.replace(b"## B\nx\n", b""), base.replace(b"x\n", b"x\ny\n")
    assert merge(base, gone, added) is None
    assert merge(base, added, gone) is None


@for_each("end", [b"\n", b"", b"\r\n"])
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


def test_a_line_that_both_sides_keep_is_not_dropped():
    """One makes the first of two equal lines another, the other one takes one of them out."""
    base = b"- x\n- x\n"
    assert merge(base, b"- new\n- x\n", b"- x\n") is None
    assert merge(base, b"- x\n", b"- new\n- x\n") is None
    assert merge(base, b"- new\n- x\n", b"- x\n- other\n") is None


@for_each(("theirs", "mine"), [(b"", b"- new"), (b"", b""), (b"\n", b"")])
def test_a_merge_that_leaves_nothing_is_no_error(theirs, mine):
    for base in (b"- x", b"- x\n", b"- x\n- y", b"\n- x"):
        merge(base, theirs, mine)
        merge(base, mine, theirs)


POOL = ["- x", "- y", "", "# A", "- new"]


def small_merges(seed: int, count: int) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Texts of few lines from a small pool: bugs hide where lines repeat."""
    random = Random(seed)
    for _ in range(count):
        base = random.choices(POOL, k=random.randint(0, 6))
        texts = (base, _edited(base, random), _edited(base, random))
        yield tuple("".join(f"{line}\n" for line in text).encode() for text in texts)


def _edited(base: list[str], random: Random) -> list[str]:
    lines = list(base)
    for _ in range(random.randint(1, 3)):
        at = random.randint(0, len(lines))
        lines[at : at + random.randint(0, 1)] = random.choices(POOL, k=random.randint(0, 1))
    return lines


def _both_added_the_same(base: bytes, theirs: bytes, mine: bytes) -> bool:
    """Both additions are kept, as two people may mean two things; git takes them for one."""
    old = base.split(b"\n")
    added = [
        {(h.start, *h.lines) for h in hunks(old, text.split(b"\n")) if h.start == h.stop}
        for text in (theirs, mine)
    ]
    return not added[0].isdisjoint(added[1])


@pytest.mark.skipif(not which("git"), reason="compares with git")
def test_what_git_merges_is_merged_so_or_refused(tmp_path):
    places = [str(tmp_path / name) for name in ("theirs", "base", "mine")]
    merged = 0
    for base, theirs, mine in small_merges(1, 100):
        ours = merge(base, theirs, mine)
        if ours is None or _both_added_the_same(base, theirs, mine):
            continue
        for place, text in zip(places, (theirs, base, mine), strict=True):
            Path(place).write_bytes(text)
        git = subprocess.run(["git", "merge-file", "-p", *places], capture_output=True)
        assert git.returncode or git.stdout == ours, (base, theirs, mine)
        merged += not git.returncode
    assert merged > 20


def test_no_merge_of_repeated_lines_raises_or_drops_what_both_sides_keep():
    met = 0
    for base, theirs, mine in small_merges(2, 1_000):
        ours = merge(base, theirs, mine)
        if ours is None or _is_apart(base, theirs, mine):
            continue
        met += 1
        found, *kept = (Counter(text.split(b"\n")) for text in (ours, theirs, mine))
        lost = {line for line in kept[0] & kept[1] if line} - set(found)
        assert not lost, (base, theirs, mine)
    assert met > 50


def _is_apart(base: bytes, theirs: bytes, mine: bytes) -> bool:
    """Whether a line is left between any two changes: then each side took out what it meant."""
    old = base.split(b"\n")
    one, other = (hunks(old, text.split(b"\n")) for text in (theirs, mine))
    return all(a.stop < b.start or b.stop < a.start for a in one for b in other)


def paragraphs(count: int, changed: str = "") -> bytes:
    return "".join(f"paragraph {n} {changed}\n\n" for n in range(count)).encode()


def test_many_changed_paragraphs_are_merged_in_linear_time(monkeypatch):
    """What only one side has is not compared at all: 1,450 paragraphs once took 67 seconds."""
    left = []
    real = compare._Comparison.shortest
    monkeypatch.setattr(
        compare._Comparison,
        "shortest",
        lambda self, *a: (real(self, *a), left.append(self.steps))[0],
    )
    for count in (300, 1_450):
        base = paragraphs(count)
        mine = paragraphs(count, "here")
        assert merge(base, b"top\n" + base, mine) == b"top\n" + mine
        assert compare.MAX_STEPS - min(left) <= 3 * count
        left.clear()


def test_a_comparison_that_takes_too_long_goes_by_blocks_and_then_gives_up(monkeypatch):
    monkeypatch.setattr(compare, "MAX_STEPS", 2_000)
    random = Random(3)
    many, other = ([b"%d" % random.randint(0, 3) for _ in range(400)] for _ in range(2))
    comparison = compare._Comparison()
    assert comparison.shortest(list(enumerate(many)), list(enumerate(other))) is None
    base, mine = (b"\n".join([*lines, b"end", b"z"]) for lines in (many, other))
    assert merge(base, base + b"\nmore", mine) == mine + b"\nmore"
    middle = b"\n".join([*many[:200], b"X", *many[200:], b"end", b"z"])
    assert merge(base, middle, mine) is None


LINES = st.lists(st.sampled_from([b"a", b"b", b"c", b""]), max_size=8).map(b"\n".join)


@given(LINES, LINES)
def test_merging_with_what_did_not_change_gives_what_did(base, mine):
    assert merge(base, base, mine) == mine
    assert merge(base, mine, mine) == mine


@given(LINES, st.sampled_from([b"a", b"b", b"---"]), st.data())
def test_a_line_in_the_place_of_another_is_one_change(base, line, data):
    old = base.split(b"\n")
    at = data.draw(st.integers(0, len(old) - 1))
    new = [*old[:at], line, *old[at + 1 :]]
    assert hunks(old, new) == [compare.Hunk(at, at + 1, [line], at)] * (line != old[at])


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


def test_for_review_only_the_lines_that_meet_are_mine():
    theirs = changed((b"- two", b"- TWO"), (b"# A\n", b"# A\n\nby hand\n"))
    mine = changed((b"- two", b"- zwei"), (b"three\n", b"three\n- four\n"))
    assert merge(PAGE, theirs, mine) is None
    made = merged_for_review(PAGE, theirs, mine)
    assert made == changed(
        (b"- two", b"- zwei"), (b"three\n", b"three\n- four\n"), (b"# A\n", b"# A\n\nby hand\n")
    )


@given(st.lists(st.sampled_from("abc"), max_size=8), st.randoms(use_true_random=False))
def test_for_review_no_line_that_only_one_side_wrote_is_lost(lines, random):
    base = [f"{each}{number}" for number, each in enumerate(lines)]
    sides = []
    for name in ("theirs", "mine"):
        side = list(base)
        for number in range(random.randint(0, 3)):
            at = random.randint(0, len(side))
            side[at : at + random.randint(0, 2)] = [f"{name} {number}"]
        sides.append(side)
    data = ["\n".join(each).encode() for each in (base, *sides)]
    made = merged_for_review(*data)
    assert not set(sides[1]) - set(base) - set(made.decode().split("\n"))
    if (clean := merge(*data)) is not None:
        assert made == clean or set(made.split(b"\n")) == set(clean.split(b"\n"))
