"""Every file keeps its budget, whatever the pages are called."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st
from reader import size_of

from memwiki.catalog.layout import catalogs
from memwiki.catalog.listing import BUDGET, Listing, PageFacts, listing_of, total
from memwiki.catalog.parts import (
    FolderTotals,
    Highlights,
    LinkCount,
    ListingSource,
    Row,
    ShardItem,
    split_key,
    tree,
)
from tests.effort import for_each

LONG = {
    "ascii": "A title of some length that goes on until it is cut ",
    "chinese": "关于数据库集群配置与性能调优的一篇很长的文章",
    "odd": "[a](b) `c` <d> #e | $f$ * _ \\ ",
}


def written(listings: dict[str, list[Listing]]) -> dict[str, str]:
    """The catalogs of these pages, by path."""
    everything = [each for group in listings.values() for each in group]
    counts = [LinkCount(each.title, each.path, 99) for each in everything[:10]]
    shown = Highlights(everything[:10], everything[:10], counts, counts)
    sums = [
        FolderTotals(
            folder, total(each.size for each in group), sum(each.fingerprint for each in group)
        )
        for folder, group in listings.items()
    ]

    def rows(folder: str) -> list[Row]:
        group = listings.get(folder, [])
        return [
            Row(ShardItem(split_key(e.title, e.path), e.size, e.fingerprint, e.day), e.key, e.title)
            for e in group
        ]

    def chosen(folder: str, keys: list[str]) -> list[Listing]:
        by_key = {each.key: each for each in listings.get(folder, [])}
        return [by_key[key] for key in keys]

    pages = ListingSource(
        rows, lambda folder: listings.get(folder, []), chosen, partial(lambda: shown), {}
    )
    return {
        each.path: "\n".join(each.block(is_titled=True)) for each in catalogs(tree(sums, ""), pages)
    }


def made(folder: str, title: str, number: int) -> Listing:
    path = f"{folder}/{title.replace('/', '')[:60]} {number}.md".lstrip("/")
    tags = [title.strip().replace(" ", "-")[:50]] * 3
    return listing_of(PageFacts(path, f"{title * 5}{number}", title * 9, "2026-01-02", tags))


@for_each("kind", LONG)
@for_each(
    "shape",
    [
        {"": 150},
        {"": 900},
        {f"d{n}": 2 for n in range(190)},
        {f"d{n}": 2 for n in range(400)},
        {f"x/d{n}": 10 for n in range(80)} | {"": 140},
    ],
)
def test_long_titles_descriptions_and_paths_are_within_the_budget(kind, shape):
    listings = {
        folder: sorted(
            (made(folder, LONG[kind], n) for n in range(count)), key=lambda each: each.key
        )
        for folder, count in shape.items()
    }
    for path, text in written(listings).items():
        assert size_of(text).fits(BUDGET), (path, size_of(text))


folders = st.sampled_from(["", "a", "a/b", "c", "c/d/e"])
titles = st.text(st.sampled_from("ab c中é[]<>"), max_size=200)


@given(st.lists(st.tuples(folders, titles), max_size=60), st.integers(1, 9))
def test_any_set_of_pages_is_within_the_budget_and_complete(pages, times):
    listings: dict[str, list[Listing]] = {}
    for number, (folder, title) in enumerate(pages * times):
        listings.setdefault(folder, []).append(made(folder, title, number))
    for group in listings.values():
        group.sort(key=lambda each: each.key)
    files = written(listings)
    for path, text in files.items():
        assert size_of(text).fits(BUDGET), (path, size_of(text))
    everything = "\n".join(files.values())
    for group in listings.values():
        for each in group:
            assert each.path.rpartition("/")[2].rpartition(" ")[2] in everything
