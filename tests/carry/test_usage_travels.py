"""Usage travels with a workspace, and is never counted twice."""

from hypothesis import given
from hypothesis import strategies as st

from memwiki.carry.contents import _lacking, take_in, usage_now
from memwiki.files.usage_log import Subject, Sum, Tally, Trail, tally_of

SUBJECTS = st.sampled_from([Subject("entry", "m-aaaaaa"), Subject("page", "a.md")])
SUMS = st.builds(Sum, st.integers(0, 9), st.integers(0, 90), st.integers(0, 99))
TRAILS = st.builds(Trail, st.integers(0, 9), st.sampled_from(["tea", "睡眠"]), st.tuples(SUBJECTS))


@st.composite
def tallies(draw):
    tally = Tally()
    tally.sums = draw(st.dictionaries(SUBJECTS, SUMS))
    tally.trails = draw(st.lists(TRAILS, max_size=3, unique=True))
    return tally


def told(tally):
    return {s: held for s, held in tally.sums.items() if held != Sum()}, set(tally.trails)


@given(tallies(), tallies())
def test_what_was_taken_in_once_adds_nothing_again(ours, theirs):
    added = tally_of(b"".join(_lacking(ours, theirs)))
    both = Tally()
    for each in (ours, added):
        for subject, held in each.sums.items():
            both.add(subject, held)
        both.trails += each.trails
    assert list(_lacking(both, theirs)) == []
    for subject, held in theirs.sums.items():
        assert both.sums.get(subject, Sum()) >= held or both.sums[subject].recalls >= held.recalls
    if not ours.sums and not ours.trails:
        assert told(both) == told(theirs)


def test_lines_that_are_none_count_nothing(tmp_path):
    (tmp_path / "ws").mkdir()
    negative = b'{"at":1,"recalls":-5,"score":1,"of":["page","a"]}\n'
    hostile = [b"[" * 10_000 + b"\n", negative, b"\xff\n"]
    assert take_in(tmp_path / "ws", hostile) == 0
    assert usage_now(tmp_path / "ws").sums == {}
