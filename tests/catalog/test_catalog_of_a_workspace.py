"""index.md as a whole: what it lists, where, and when it is written."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from reader import assert_bounded, catalog_files, links_of, listed_pages

from memwiki.errors import ConfigError

LAYERS = """
[layers]
daily = "daily"
sessions = "sessions"
wiki = "wiki"
raw = "raw"
inbox = "inbox"
archive = "archive"
namespaces = "namespaces"
log = "log.md"
"""


def test_a_small_workspace_has_one_file_grouped_by_folder(root, catalogued):
    """
    --- b.md ---
    # Beta

    Second page.
    --- a.md ---
    ---
    title: alpha
    description: First page.
    updated: 2026-08-01T10:00:00Z
    tags: [one, two]
    ---
    --- deep/er/c.md ---
    # Gamma
    """
    catalogued()
    assert catalog_files(root) == {
        "index.md": "<!-- memwiki:catalog:begin -->\n"
        "# Index\n"
        "3 pages in 2 folders.\n"
        "\n## Pages\n\n"
        "- [alpha](a.md) — First page. · 2026-08-01 · tags: one, two\n"
        "- [Beta](b.md) — Second page.\n"
        "\n## deep/er\n\n"
        "- [Gamma](deep/er/c.md)\n"
        "<!-- memwiki:catalog:end -->\n"
    }


def test_entries_are_sorted_by_casefolded_title_and_then_by_path(root, put, catalogued):
    for path, title in (("z.md", "Same"), ("y.md", "same"), ("b.md", "ärger"), ("c.md", "zebra")):
        put(path, f"# {title}\n")
    catalogued()
    assert links_of((root / "index.md").read_text(), "index.md") == ["y.md", "z.md", "c.md", "b.md"]


def test_no_date_comes_from_the_file_system(root, put, catalogued):
    put("a.md", "# A\n")
    put("2026-01-09 meeting.md", "# Meeting\n")
    os.utime(root / "a.md", (10**9, 10**9))
    catalogued()
    text = (root / "index.md").read_text()
    assert "- [A](a.md)\n" in text
    assert "- [Meeting](2026-01-09%20meeting.md) · 2026-01-09\n" in text


def test_a_second_sync_writes_nothing(root, put, catalogued, state):
    put("a.md", "# A\n")
    ws = catalogued()
    before = state(root / "index.md")
    assert ws.sync().catalogs == ()
    assert state(root / "index.md") == before
    assert ws.catalog.update().written == ()


def test_writing_a_catalog_starts_no_further_change(root, put, catalogued, assert_in_step):
    put("a.md", "# A\n")
    ws = catalogued()
    changes = ws.sync()
    assert (changes.added, changes.modified, changes.removed) == ((), (), ())
    assert_in_step(ws)
    assert ws.index.status().pending == 0


def test_where_catalogs_are_not_enabled_nothing_is_written(root, put, ws):
    put("a.md", "# A\n")
    assert ws.sync().catalogs == ()
    assert not (root / "index.md").exists()
    with pytest.raises(ConfigError) as caught:
        ws.catalog.update()
    assert caught.value.hint == "memwiki config set catalog.enabled true"


def test_a_reading_command_writes_no_catalog(root, put, opened):
    put("memwiki.toml", "[catalog]\nenabled = true\n")
    put("a.md", "# A\n")
    opened().search("a")
    opened().pages.list()
    assert not (root / "index.md").exists()


def test_what_a_reading_command_took_in_is_listed_by_the_next_sync(root, put, catalogued):
    put("a.md", "# A\n")
    ws = catalogued()
    put("b.md", "# B\n")
    assert ws.search("b").hits
    assert ws.sync().catalogs == ("index.md",)
    assert "- [B](b.md)\n" in (root / "index.md").read_text()


def test_a_verb_that_changes_a_page_keeps_the_catalog(root, put, catalogued):
    put("a.md", "---\ntitle: A\n---\n")
    ws = catalogued()
    ws.pages.set("A", {"title": "Better"})
    assert "[Better](a.md)" in (root / "index.md").read_text()


def test_check_names_the_stale_files_and_writes_nothing(root, put, catalogued):
    put("a.md", "# A\n")
    ws = catalogued()
    before = (root / "index.md").read_bytes()
    put("b.md", "# B\n")
    report = ws.catalog.check()
    assert report.stale == ("index.md",)
    assert (root / "index.md").read_bytes() == before
    ws.catalog.update()
    assert ws.catalog.check().stale == ()


@pytest.mark.parametrize("damage", ["entry gone", "file gone", "block emptied"])
def test_a_damaged_catalog_is_written_anew(root, put, catalogued, damage):
    put("a.md", "# A\n")
    put("b.md", "# B\n")
    ws = catalogued()
    index = root / "index.md"
    whole = index.read_text()
    if damage == "file gone":
        index.unlink()
    elif damage == "entry gone":
        index.write_text(whole.replace("- [A](a.md)\n", ""))
    else:
        index.write_text("<!-- memwiki:catalog:begin -->\n<!-- memwiki:catalog:end -->\n")
    assert ws.sync().catalogs == ("index.md",)
    assert index.read_text() == whole


def test_the_catalog_is_neither_a_page_nor_a_hit_nor_a_backlink(put, catalogued):
    put("a.md", "# Heron\n")
    ws = catalogued()
    assert [hit.path for hit in ws.search("heron").hits] == ["a.md"]
    assert ws.graph.links("a.md", "in").links == ()
    assert [row.path for row in ws.pages.list().pages] == ["a.md"]


def test_archive_and_instructions_are_not_listed_and_a_namespace_lists_its_own(
    root, put, catalogued
):
    for path in (
        "AGENTS.md",
        "CLAUDE.md",
        "wiki/a.md",
        "archive/old.md",
        "raw/source.md",
        "inbox/new.md",
        "namespaces/work/wiki/b.md",
        "namespaces/work/archive/gone.md",
        "log.md",
    ):
        put(path, f"# {path}\n")
    catalogued(LAYERS)
    files = catalog_files(root)
    assert links_of(files.pop("index.md"), "index.md") == [
        "inbox/new.md",
        "raw/source.md",
        "wiki/a.md",
    ]
    assert links_of(files.pop("namespaces/work/index.md"), "namespaces/work/index.md") == [
        "namespaces/work/wiki/b.md"
    ]
    assert files == {}


def test_over_the_budget_the_root_is_a_router(root, put, catalogued):
    for number in range(150):
        put(f"wiki/birds/heron-{number}.md", f"# Heron {number}\n\n[[Nest]] and [[start-here]]\n")
        put(f"wiki/fish/carp-{number}.md", f"---\nupdated: 2026-03-{number % 28 + 1:02}\n---\n")
    put("wiki/start-here.md", "# Start here\n")
    put("wiki/birds/README.md", "---\ndescription: All that flies.\n---\n# Birds\n")
    catalogued(LAYERS)
    text = (root / "index.md").read_text()
    assert text.count("2026-03-28") == 5
    for line in (
        "302 pages in 3 folders.",
        "## Start here",
        "- [Start here](wiki/start-here.md)",
        "- [wiki](wiki/index.md) — 302 pages in 2 folders",
        "  - [birds](wiki/birds/index.md) — 151 pages: All that flies.",
        "## Recent",
        "- [Start here](wiki/start-here.md) — linked from 150 pages",
        "## Most wanted",
        "- Nest — wanted by 150 pages",
    ):
        assert f"{line}\n" in text, line
    assert sorted(catalog_files(root)) == [
        "index.md",
        "wiki/birds/index.md",
        "wiki/fish/index.md",
        "wiki/index.md",
    ]
    assert_bounded(root)


def test_an_overflowing_folder_is_cut_by_the_alphabet(root, put, catalogued):
    for number in range(450):
        put(f"{number}.md", f"# {chr(97 + number % 26)}{number}\n")
    catalogued()
    assert list(catalog_files(root)) == [
        "index.a-f.md",
        "index.g-m.md",
        "index.md",
        "index.n-s.md",
        "index.t-z.md",
    ]
    assert sorted(set(listed_pages(root))) == sorted(f"{number}.md" for number in range(450))
    assert_bounded(root)


def test_dated_names_are_cut_by_month(root, put, catalogued):
    for day in range(28):
        for month in range(1, 11):
            put(f"daily/2026-{month:02}-{day + 1:02}.md", "# Day\n")
    for day in range(20):
        put(f"daily/2025-12-{day + 1:02}.md", "# Day\n")
    catalogued()
    names = [path for path in catalog_files(root) if "20" in path]
    assert names == ["daily/index.2025.md", *(f"daily/index.2026-{m:02}.md" for m in range(1, 11))]
    assert "- [2026-03](index.2026-03.md) — 28 pages\n" in (root / "daily/index.md").read_text()


def test_a_shard_that_is_no_longer_needed_is_removed(root, put, catalogued):
    for number in range(210):
        put(f"{number}.md", f"# {chr(97 + number % 26)}{number}\n")
    ws = catalogued()
    assert len(catalog_files(root)) > 1
    for number in range(50):
        (root / f"{number}.md").unlink()
    changes = ws.sync()
    assert list(catalog_files(root)) == ["index.md"]
    assert set(changes.catalogs) >= {"index.md", "index.a-m.md"}


def fill_c(put) -> None:
    """Enough pages for a catalog of their own."""
    for number in range(60):
        put(f"c/{number}.md", f"# C{number}\n")


def empty_c(root) -> None:
    for number in range(60):
        (root / f"c/{number}.md").unlink()


def test_a_folder_that_was_emptied_loses_its_catalog(root, put, catalogued):
    for number in range(150):
        put(f"a/{number}.md", f"# A{number}\n")
        put(f"b/{number}.md", f"# B{number}\n")
    fill_c(put)
    ws = catalogued()
    assert "c/index.md" in catalog_files(root)
    empty_c(root)
    ws.sync()
    assert not (root / "c/index.md").exists()


def test_no_folder_stays_behind_for_its_catalog_when_an_import_is_undone(
    root, put, catalogued, tmp_path
):
    for number in range(300):
        put(f"{'ab'[number % 2]}/{number}.md", f"# {number}\n")
    ws = catalogued()
    for number in range(60):
        put(f"../vault/c/{number}.md", f"# C{number}\n")
    ws.carry.import_(tmp_path / "vault")
    assert (root / "c/index.md").exists()
    ws.undo()
    assert not (root / "c").exists()


def test_a_catalog_that_people_wrote_into_is_emptied_and_not_removed(root, put, catalogued):
    for number in range(300):
        put(f"{'ab'[number % 2]}/{number}.md", f"# {number}\n")
    fill_c(put)
    ws = catalogued()
    made = (root / "c/index.md").read_text()
    put("c/index.md", "# About c\n\nKeep this.\n" + made)
    ws.sync()
    mine = "# About c\n\nKeep this.\n" + made.replace("# c\n", "")
    assert (root / "c/index.md").read_text() == mine
    empty_c(root)
    ws.sync()
    left = (root / "c/index.md").read_text()
    assert left.startswith("# About c\n\nKeep this.\n<!-- memwiki:catalog:begin -->\n")
    assert ".md)" not in left
    assert ws.sync().catalogs == ()


def test_more_shards_than_a_file_may_list_stand_on_shelves(root, put, catalogued, monkeypatch):
    from memwiki.catalog import listing
    from memwiki.catalog.listing import Size

    small = Size(12, 4_000, 1_000)
    monkeypatch.setattr(listing, "LIMIT", small)
    monkeypatch.setattr(listing, "ROUTER_LIMIT", small)
    for number in range(300):
        put(f"{number}.md", f"# {chr(97 + number % 26)}{chr(97 + number // 26)}\n")
    catalogued()
    files = catalog_files(root)
    assert any(".shelf1." in path for path in files)
    assert sorted(set(listed_pages(root))) == sorted(f"{number}.md" for number in range(300))
    assert all(text.count("\n- ") <= 12 for text in files.values())


def test_many_folders_in_one_are_cut_with_its_pages(root, put, catalogued):
    for number in range(260):
        put(f"d{number:03}/page.md", f"# {number}\n")
    catalogued()
    assert "index.md" in catalog_files(root)
    assert len(set(listed_pages(root))) == 260
    assert_bounded(root)


def test_an_index_of_peoples_own_gets_the_block_only_when_asked(root, put, catalogued):
    own = "# My list\r\n\r\nsee [a](a.md)\r\n"
    put("index.md", own)
    put("a.md", "# A\n")
    ws = catalogued()
    assert ws.catalog.update().unmarked == ("index.md",)
    assert (root / "index.md").read_bytes() == own.encode()
    assert ws.catalog.check().stale == ()
    assert ws.catalog.update(adopt=True).written == ("index.md",)
    adopted = (root / "index.md").read_bytes()
    assert adopted.startswith(own.encode())
    assert b"- [A](a.md)\r\n" in adopted
    assert b"index.md)" not in adopted  # it is a catalog now, and no page to be listed
    assert ws.catalog.check().stale == ()
    assert ws.sync().catalogs == ()


def test_an_index_of_another_case_is_the_index_of_its_folder(root, put, catalogued):
    put("Index.md", "# Mine\n")
    put("a.md", "# A\n")
    ws = catalogued()
    assert not (root / "index.md").exists()
    ws.catalog.update(adopt=True)
    assert "- [A](a.md)" in (root / "Index.md").read_text()
    assert not (root / "index.md").exists()
    assert ws.sync().catalogs == ()


BLOCK = "<!-- memwiki:catalog:begin -->\nmy own words\n<!-- memwiki:catalog:end -->\n"


@pytest.mark.parametrize("around", ["", "# Mine\n", "---\ntype: index\n---\n"])
def test_files_of_peoples_own_with_our_markers_are_named_and_left_alone(
    root, put, catalogued, around
):
    paths = ["Index.old.md", "c/index.a-m.md", "c/index.md", "index.notes.md"]
    put("a.md", "# A\n")
    for path in paths:
        put(path, around + BLOCK)
    ws = catalogued()
    ws.sync()
    for report in (ws.catalog.check(), ws.catalog.update()):
        assert sorted(note.partition(":")[0] for note in report.notes) == paths
    assert {(root / path).read_text() for path in paths} == {around + BLOCK}


def many_pages(put) -> None:
    for number in range(202):
        put(f"{'ab'[number % 2]}/{number}.md", f"# {number}\n")
    fill_c(put)


@pytest.mark.parametrize("around", ["", "# About c\n"])
def test_a_block_that_people_wrote_into_is_not_emptied_where_no_catalog_belongs_any_more(
    root, put, catalogued, around
):
    many_pages(put)
    ws = catalogued()
    mine = around + (root / "c/index.md").read_text().replace("60 pages", "MY pages")
    empty_c(root)
    put("c/index.md", mine)
    assert "c/index.md: no catalog belongs here" in ws.sync().notes[0]
    assert (root / "c/index.md").read_text() == mine


def test_an_unneeded_catalog_of_another_machine_is_named_and_left_alone(root, put, catalogued):
    many_pages(put)
    catalogued()
    shutil.rmtree(os.environ["MEMWIKI_CACHE_DIR"])
    before = (root / "c/index.md").read_text()
    empty_c(root)
    ws = catalogued()
    assert (root / "c/index.md").read_text() == before
    assert "c/index.md: no catalog belongs here" in ws.catalog.update().notes[0]


def test_a_page_of_peoples_own_in_place_of_a_shard_gets_a_block_only_when_asked(
    root, put, catalogued
):
    for number in range(210):
        put(f"{number}.md", f"# {chr(97 + number % 26)}{number}\n")
    put("index.a-m.md", "# Mine\n")
    ws = catalogued()
    assert (root / "index.a-m.md").read_text() == "# Mine\n"
    assert ws.catalog.update().unmarked == ("index.a-m.md",)
    assert (root / "index.a-m.md").read_text() == "# Mine\n"


@pytest.fixture
def deep(root):
    """A page below more folders than Python calls itself; pytest could not clear them away."""
    here = os.open(root, os.O_RDONLY)
    for _ in range(1_010):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    page = os.open("deep.md", os.O_WRONLY | os.O_CREAT, dir_fd=here)
    os.write(page, b"# Deep\n")
    os.close(page)
    os.close(here)
    yield
    for name in ("d", "e"):
        subprocess.run(["rm", "-rf", name], cwd=root, check=True)


def test_folders_deeper_than_python_calls_are_listed_and_move(root, put, deep, catalogued):
    put("top.md", "# Top\n")
    ws = catalogued()
    assert ws.catalog.check().stale == ()
    assert "[Deep](" in (root / "index.md").read_text()
    ws.pages.move("d", "e")
    assert not (root / "d").exists()
    ws.undo()
    assert not (root / "e").exists()


@pytest.mark.parametrize("above", ["", "Words of mine.\n\n", "# Notes of mine\n\n"])
def test_a_catalog_of_an_older_version_gets_a_title_unless_people_gave_it_one(
    root, put, catalogued, above
):
    put("a.md", "# A\n")
    made = "<!-- memwiki:catalog:begin -->\n1 page.\n\n## Pages\n\n- [A](a.md)\n"
    older = f"{above}{made}<!-- memwiki:catalog:end -->\n\nbelow"
    put("index.md", older)
    ws = catalogued()
    title = "" if above.startswith("#") else "# Index\n"
    assert (root / "index.md").read_text() == older.replace("1 page.", f"{title}1 page.")
    assert ws.catalog.check().stale == ()
    put("index.md", older.replace(above, "") if above else older)
    ws.sync()
    assert (root / "index.md").read_text().count("# Index\n") == 1


OLDER = """<!-- memwiki:catalog:begin -->
1 page. Up: [the folder above](../index.md).

## Pages

- [C](1.md)
<!-- memwiki:catalog:end -->
"""


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        (OLDER, False),
        (f"words\n{OLDER}", True),
        (OLDER.replace("- [C]", "my words, then [C]"), True),
        (OLDER.replace("1 page.", "# c\n1 page."), True),
    ],
)
def test_an_unneeded_catalog_of_an_older_version_is_removed_where_nobody_wrote(
    root, put, catalogued, text, is_kept
):
    put("c/1.md", "# C\n")
    put("c/index.md", text)
    catalogued()
    assert (root / "c/index.md").exists() == is_kept
    if is_kept:
        assert (root / "c/index.md").read_text() == text
