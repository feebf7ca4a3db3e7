"""Where long lists are cut: a function of the list alone that small edits leave as it is."""

from __future__ import annotations

from bisect import bisect_left

from hypothesis import given
from hypothesis import strategies as st

from memwiki.catalog.listing import Size, total
from memwiki.catalog.parts import ShardItem, label_of, shards_of, split_key
from tests.effort import for_each

LIMIT = Size(10, 10_000, 10_000)
words = st.text(st.sampled_from("ab é中文1-<"), max_size=5)
titles = st.lists(words, unique=True, max_size=80)


def items(titles_, day=""):
    return [
        ShardItem(split_key(title, f"{n}.md"), Size(1, 20, 5), n, day)
        for n, title in enumerate(titles_)
    ]


def named(titles_):
    """{label: titles} of the shards."""
    listed = sorted(titles_)
    return {s.label: [listed[p] for p in s.positions] for s in shards_of(items(listed), LIMIT)}


@given(titles)
def test_every_item_is_in_one_shard_and_every_shard_fits(titles_):
    listed = items(titles_)
    found = shards_of(listed, LIMIT)
    assert sorted(at for shard in found for at in shard.positions) == list(range(len(titles_)))
    assert all(total(listed[at].size for at in shard.positions).fits(LIMIT) for shard in found)
    labels = [shard.label.casefold() for shard in found]
    assert len(set(labels)) == len(labels)
    assert all("/" not in label and label.strip(". ") == label for label in labels)


@given(titles, st.randoms())
def test_the_order_of_arrival_does_not_matter(titles_, random):
    shuffled = list(titles_)
    random.shuffle(shuffled)
    assert {label: sorted(t) for label, t in named(titles_).items()} == {
        label: sorted(t) for label, t in named(shuffled).items()
    }


@given(st.lists(words, unique=True, min_size=30, max_size=80))
def test_a_page_more_or_less_changes_few_shards(titles_):
    before, after = named(titles_), named(titles_[1:])
    gone = titles_[0]
    changed = [
        label
        for label in before.keys() | after.keys()
        if [t for t in before.get(label, []) if t != gone] != after.get(label, [])
    ]
    assert len(changed) <= 6


def test_two_small_neighbours_are_one_and_a_full_shard_is_two():
    few = named([f"{letter}{n}" for letter in "an" for n in range(3)])
    assert list(few) == ["0-z"]
    more = named([f"{letter}{n}" for letter in "an" for n in range(6)])
    assert list(more) == ["a-m", "n-z"]


@for_each("count", [11, 300, 3000])
def test_titles_that_are_all_the_same_are_cut_by_their_paths(count):
    listed = [ShardItem(split_key("Untitled", f"{n}.md"), Size(1, 20, 5), n) for n in range(count)]
    assert sum(len(shard.positions) for shard in shards_of(listed, LIMIT)) == count


def test_titles_that_go_on_and_on_are_cut_all_the_same():
    found = shards_of(items(["a" * n for n in range(1, 900)]), LIMIT)
    assert sum(len(shard.positions) for shard in found) == 899


@for_each(
    ("first", "last", "label"),
    [
        ("a", "c", "a-c"),
        ("\0", "`", "0-9"),
        ("\0", "\U0010ffff", "0-z"),
        ("b", "b", "b"),
        ("error-c20", "error-c24", "error_c20-c24"),
        ("\x80", "\U0010ffff", "more"),
        ("一", "乙", "一-乙"),
    ],
)
def test_a_shard_is_named_by_its_bounds(first, last, label):
    assert label_of(first, last) == label


@for_each(
    ("days", "labels"),
    [
        ({"2026-01-01": 5, "2026-02-01": 5}, ["2026"]),
        ({"2025-01-01": 9, "2026-01-01": 6, "2026-02-01": 6}, ["2025", "2026-01", "2026-02"]),
        ({"2026-01-01": 6, "2026-01-02": 6}, ["2026-01-01", "2026-01-02"]),
    ],
)
def test_dated_items_are_cut_by_year_month_and_day(days, labels):
    listed = [
        ShardItem(split_key(f"{day} {n}", f"{day}-{n}.md"), Size(1, 20, 5), n, day)
        for day, count in days.items()
        for n in range(count)
    ]
    assert [shard.label for shard in shards_of(listed, LIMIT)] == labels


def test_shards_are_named_in_the_order_of_what_they_hold():
    starts = [
        min(titles_) for titles_ in named([f"{chr(97 + n % 26)}{n}" for n in range(100)]).values()
    ]
    assert starts == sorted(starts)
    assert bisect_left(starts, "a") == 0
