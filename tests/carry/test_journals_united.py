"""Two journals become one: every entry of both, by day, none twice."""

from hypothesis import given
from hypothesis import strategies as st

from memwiki.carry.contents import unite_journals
from memwiki.change.journal import read_entries
from memwiki.memory.privacy import without_names

ENTRIES = st.tuples(
    st.sampled_from(["2026-01-01", "2026-02-02", "2026-03-03"]),
    st.sampled_from(["create | Tea", "update | 睡眠", "move | a -> b"]),
    st.sampled_from(["", "- by: Ann\n", "- created: [[Tea]]\n- more\n"]),
)
JOURNALS = st.lists(ENTRIES, max_size=6)


def journal(entries, end="\n"):
    parts = [f"\n## [{day}] {title}\n{details}" for day, title, details in entries]
    return "".join(["# Log\n", *parts]).replace("\n", end).encode()


def entries_in(data):
    found = read_entries(data.decode().replace("\r\n", "\n").split("\n"))
    return sorted((each.day, each.op, each.title, each.by, each.details) for each in found)


@given(JOURNALS, JOURNALS, st.sampled_from(["\n", "\r\n"]))
def test_each_entry_stands_as_often_as_in_the_fuller_one(one, other, end):
    ours, theirs = journal(sorted(one), end), journal(sorted(other))
    both = unite_journals(ours, theirs)
    mine, others = entries_in(ours), entries_in(theirs)
    wanted = [
        each
        for each in sorted({*mine, *others})
        for _ in range(max(mine.count(each), others.count(each)))
    ]
    assert entries_in(both) == wanted
    days = [each.day for each in read_entries(both.decode().split("\n"))]
    assert days == sorted(days)
    assert unite_journals(both, theirs) == both
    assert unite_journals(ours, ours) == ours


@given(JOURNALS, JOURNALS)
def test_what_holds_all_of_the_other_stays_byte_for_byte(one, other):
    ours, theirs = journal(one + other), journal(one)
    assert unite_journals(ours, theirs) == ours
    assert entries_in(unite_journals(theirs, ours)) == entries_in(ours)


@given(st.binary(max_size=60), st.binary(max_size=60))
def test_any_bytes_are_united_or_left(ours, theirs):
    both = unite_journals(ours, theirs)
    assert both is None or unite_journals(both, theirs) == both


def test_entries_that_name_something_hidden_are_gone_with_their_details():
    data = journal([("2026-01-01", "create | Tea", "- a: b\n"), ("2026-01-02", "update | Gin", "")])
    assert without_names(data, ["Tea"], is_journal=True) == journal(
        [("2026-01-02", "update | Gin", "")]
    )
