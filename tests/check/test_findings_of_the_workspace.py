"""What check finds by looking at all pages together, and how much it looks at for that."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import closing
from functools import partial
from zlib import crc32

import pytest

from memwiki.check.facts import sketch_of, words_of
from memwiki.check.store import FindingStore
from memwiki.check.workspace_rules import links
from memwiki.check.workspace_rules.graph import circles, groups, likeness, own_slots
from memwiki.index.resolve import Resolver
from memwiki.workspace import Workspace
from tests.effort import for_each


def problems(ws, *codes):
    return [(each.path, each.line, each.code) for each in ws.check.run(only=codes).problems]


def messages(ws, code):
    return [each.message for each in ws.check.run(only=[code]).problems]


# --- what no golden example can show --------------------------------------------------------------


@pytest.fixture
def layered(tmp_path):
    root = tmp_path / "layered"
    Workspace.init(root)
    with closing(Workspace.open(root, find=False)) as space:
        yield space


def test_a_source_that_changed_since_it_was_first_seen_is_reported_until_it_is_restored(layered):
    source = layered.root / "raw" / "report.md"
    source.parent.mkdir()
    source.write_text("As it came.")
    assert problems(layered, "raw-modified") == []
    source.write_text("As somebody liked it better.")
    assert problems(layered, "raw-modified") == [("raw/report.md", 1, "raw-modified")]
    assert problems(layered, "raw-modified") == [("raw/report.md", 1, "raw-modified")]
    source.write_text("As it came.")
    assert problems(layered, "raw-modified") == []


def test_a_source_that_was_deleted_and_came_again_is_a_new_one(layered):
    source = layered.root / "raw" / "report.md"
    source.parent.mkdir()
    source.write_text("As it came.")
    layered.check.run()
    source.unlink()
    layered.check.run()
    source.write_text("The next edition.")
    assert problems(layered, "raw-modified") == []


def test_the_first_sight_of_a_source_survives_a_new_index(layered):
    source = layered.root / "raw" / "report.md"
    source.parent.mkdir()
    source.write_text("As it came.")
    layered.check.run()
    layered.index.reindex()
    source.write_text("Changed.")
    assert problems(layered, "raw-modified") == [("raw/report.md", 1, "raw-modified")]


def test_a_source_file_that_is_newer_than_its_page_is_told_by_the_day(ws, root, put):
    import os

    put("page.md", "---\nsources: [notes.md]\n---\nText.")
    put("notes.md", "Notes.")
    os.utime(root / "page.md", (1_790_000_000, 1_790_000_000))
    os.utime(root / "notes.md", (1_790_000_900, 1_790_000_900))
    assert problems(ws, "source-newer") == []  # a checkout writes all files on one day
    os.utime(root / "notes.md", (1_790_200_000, 1_790_200_000))
    ws.sync(full=True)
    assert problems(ws, "source-newer") == [("page.md", 2, "source-newer")]


def test_an_index_that_cannot_follow_the_files_is_reported(put, root, ws, broken_page):
    put("a.md", "Text.")
    put("b.md", "Text.")
    ws.sync()
    broken_page("b.md")
    (found,) = ws.check.run(only=["index-out-of-step"]).problems
    assert found.path == "."
    assert "b.md" in found.message


@pytest.fixture
def broken_page(monkeypatch, put):
    from memwiki.errors import UnreadableError
    from memwiki.sync import request

    def broken(path):
        def read(real, root, given, *arguments):
            if given == path:
                raise UnreadableError(f"{path}: could not be read")
            return real(root, given, *arguments)

        put(path, "New text.")
        for room, name in ((request, "digest_in"), (request, "contents")):
            monkeypatch.setattr(room, name, partial(read, getattr(room, name)))

    return broken


def test_a_catalog_that_is_behind_its_pages_or_too_long_is_reported(layered):
    both = ("catalog-stale", "catalog-over-budget")
    assert problems(layered, *both) == []  # none was ever written, so none is behind
    layered.catalog.update()
    assert problems(layered, *both) == []
    (layered.root / "wiki" / "new.md").write_text("# New\n\n[[start-here]]\n")
    assert problems(layered, *both) == [("index.md", 1, "catalog-stale")]
    layered.catalog.update()
    index = layered.root / "index.md"
    index.write_text("More about this.\n" * 4000 + index.read_text())
    assert problems(layered, *both) == [("index.md", 1, "catalog-over-budget")]


def test_links_in_archived_pages_are_left_alone_and_lead_to_no_page(layered):
    (layered.root / "archive").mkdir()
    (layered.root / "archive" / "old.md").write_text("[[nobody]] [gone](gone.md) [[Start here]]")
    assert layered.check.run().problems == ()


@pytest.mark.parametrize("names", [("README.md", "readme.md"), ("caf\u00e9.md", "cafe\u0301.md")])
def test_case_08_names_that_are_one_elsewhere_are_all_kept_and_reported(ws, put, names):
    for name in names:
        put(f"wiki/{name}", f"# {name.encode('unicode_escape').decode()}\n")
    assert sorted(ws.pages.list().pages[i].path for i in range(2)) == sorted(
        f"wiki/{n}" for n in names
    )
    (found,) = ws.check.run(only=["file-name-collision"]).problems
    assert found.path == f"wiki/{min(names)}"
    assert f"wiki/{max(names)}" in found.message


def test_case_08_names_that_a_link_cannot_tell_apart_are_reported_once(ws, put):
    for name in ("Foo Bar", "foo-bar", "foo_bar"):
        put(f"wiki/{name}.md", "Text.")
    put("wiki/x/one.md", "# The title\n")
    put("wiki/y/two.md", "# The title\n\n[one](../x/one.md)\n")
    assert ws.check.run(only=["duplicate-name"]).problems == ()  # all links are paths
    put("wiki/x/one.md", "# The title\n\n[[two]]\n")
    found = ws.check.run(only=["duplicate-name", "duplicate-title"]).problems
    assert [each.code for each in found] == ["duplicate-name", "duplicate-title"]
    assert all(name in found[0].message for name in ("wiki/foo-bar.md", "wiki/foo_bar.md"))


def test_a_tag_is_called_by_its_most_common_spelling(ws):
    """
    --- a.md ---
    #Sky
    --- b.md ---
    #Sky
    --- c.md ---
    #sky
    """
    assert messages(ws, "tag-case") == ["#sky on 1 page is #Sky on 2 pages; write it one way"]


def test_pages_from_one_form_are_no_near_duplicates(ws, put):
    form = " ".join(f"field{i} of the form" for i in range(120))
    for number in range(8):
        put(f"p{number}.md", f"# P{number}\n\n{form}\n\nown word{number}\n")
    assert problems(ws, "near-duplicate") == []


# --- the pieces -----------------------------------------------------------------------------------


def test_a_sketch_estimates_how_much_of_two_texts_is_the_same():
    rng = random.Random(1)
    words = [b"w%d" % rng.randrange(5000) for _ in range(3000)]
    other = [b"w%d" % rng.randrange(5000) for _ in range(3000)]
    for kept in (3000, 2400, 1500, 0):
        mixed = words[:kept] + other[kept:]
        jaccard = kept / (6000 - kept)
        slots = [own_slots(sketch_of(each)) for each in (words, mixed)]
        assert likeness(*slots) == pytest.approx(jaccard, abs=0.2)


def test_words_are_the_same_on_a_line_in_plain_letters_and_beside_others():
    line = "The Valve_2 of 40 mm -- it's SHUT.\tTwice\r"
    words = b"the valve 2 of 40 mm it s shut twice".split()
    assert words_of(f"{line}\n{line} 旧阀Ä\n\n{line}") == [
        *words,
        *words,
        *(each.encode() for each in ("旧", "阀", "ä")),
        *words,
    ]


def test_a_sketch_has_the_smallest_hash_of_each_slot():
    words = words_of(" ".join(f"wört{number * 7919 % 83}" for number in range(150)) + " 末")
    runs = [b" ".join(words[at : at + 4]) for at in range(148)]
    numbers = [crc32(run) for run in runs]
    slots = [[each for each in numbers if each % 64 == slot] for slot in range(64)]
    smallest = [min(slot, default=0xFFFFFFFF) >> 6 & 0xFFFF for slot in slots]
    assert sketch_of(words) == "".join(f"{each:04x}" for each in smallest)


def test_pairs_are_joined_into_groups():
    found = groups([("a", "b"), ("c", "d"), ("d", "e"), ("b", "a"), ("f", "f")])
    assert sorted(map(sorted, found)) == [["a", "b"], ["c", "d", "e"], ["f"]]


@for_each(
    ("following", "expected"),
    [
        ({"a": ["b"], "b": ["c"]}, []),
        ({"a": ["b"], "b": ["a"]}, [["a", "b"]]),
        ({"c": ["a"], "a": ["b"], "b": ["c"]}, [["a", "b", "c"]]),
        ({"x": ["a"], "a": ["b"], "b": ["a"], "c": ["d"], "d": ["c"]}, [["a", "b"], ["c", "d"]]),
    ],
)
def test_circles_are_found_once(following, expected):
    assert list(circles(following)) == expected


def test_a_circle_of_thousands_is_walked_without_recursion():
    following = {f"{i:05}": [f"{(i + 1) % 5000:05}"] for i in range(5000)}
    assert [len(circle) for circle in circles(following)] == [5000]


# --- case 25: linear ------------------------------------------------------------------------------


def wiki_of(put, pages):
    """Pages with links that are found, wanted, broken and nearly right, tags, aliases and twins."""
    for n in range(pages):
        put(
            f"wiki/f{n % 40}/page-{n}.md",
            f"---\naliases: [alias {n}]\ntags: [t{n % 50}, T{n % 50}]\n---\n# Title {n}\n\n"
            f"[[page-{n * 7 % pages}]] [[wanted {n % 90}]] [x](../f{n % 40}/pge-{n}.md) [[alias "
            f"{n}]]\n",
        )


def test_case_25_check_asks_as_much_of_each_page_however_many_there_are(tmp_path, monkeypatch):
    asked: Counter[str] = Counter()

    def counted(name, real):
        def run(*arguments, **named):
            asked[name] += 1
            return real(*arguments, **named)

        return run

    monkeypatch.setattr(Resolver, "meaning", counted("resolved", Resolver.meaning))
    monkeypatch.setattr(links, "place_of", counted("placed", links.place_of))
    work = {}
    for pages in (100, 400):
        root = tmp_path / str(pages)
        (root / ".memwiki").mkdir(parents=True)

        def put(path, text, root=root):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)

        wiki_of(put, pages)
        with closing(Workspace.open(root, find=False)) as space:
            space.check.run()
            monkeypatch.setattr(FindingStore, "kept", lambda *_: None)  # as if everything changed
            space.live.is_synced = False  # a sync is another matter
            asked.clear()
            space.live.stores().cards.db.set_trace_callback(lambda _: asked.update(["statements"]))
            lines = executed(space.check.run)
        work[pages] = {**asked, "lines": lines}
    assert work[400]["statements"] < 1.2 * work[100]["statements"]  # no query for each page
    assert "resolved" not in work[400]  # what links mean is kept
    assert work[400]["placed"] <= 4.4 * work[100]["placed"]
    assert work[400]["lines"] <= 4.8 * work[100]["lines"]


def executed(run):
    """How many lines of Python a call executes."""
    import sys

    count = 0

    def trace(frame, event, _):
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()  # coverage's, which has to go on
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return count


def test_what_leads_out_of_the_workspace_is_one_finding_of_many(layered, tmp_path):
    outside = tmp_path / "outside.md"
    outside.write_text("# X\n")
    for name in ("index.md", "log.md"):
        (layered.root / name).unlink(missing_ok=True)
        (layered.root / name).symlink_to(outside)
    (layered.root / "wiki" / "cup.md").write_text("# Cup\n")
    codes = ("catalog-stale", "log-unreadable", "orphan")
    found = problems(layered, *codes)
    assert found == [
        ("index.md", 1, "catalog-stale"),
        ("log.md", 1, "log-unreadable"),
        ("wiki/cup.md", 1, "orphan"),
    ]
    for code in codes[:2]:
        (message,) = messages(layered, code)
        assert "leads out of the workspace" in message


@for_each("target", ["../out.md", "gone.md", "wiki/tea.md"])
def test_a_memory_that_is_a_symlink_and_no_page_is_named(layered, target):
    (layered.root.parent / "out.md").write_text("# Out\n")
    (layered.root / "wiki" / "tea.md").write_text("# Tea\n")
    memory = layered.root / layered.config.layers.memory
    memory.unlink(missing_ok=True)
    assert problems(layered, "memory-unread") == []
    memory.symlink_to(target)
    assert messages(layered, "memory-unread") == [
        f"not read as a page; memwiki status {memory.name} says why"
    ]
    memory.unlink()
    memory.write_text("# Memory\n")
    assert problems(layered, "memory-unread") == []
