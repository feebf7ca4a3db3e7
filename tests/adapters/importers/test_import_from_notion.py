"""An export of Notion comes in whole: names without ids, properties as fields, tables as pages.

Modelled on the exports in the test data of github.com/joshuadavis/notion2obsidian and
github.com/EkinAthor/notion-export-visualizer.
"""

from __future__ import annotations

import csv
import io
import zipfile
from urllib.parse import quote

from hypothesis import given
from hypothesis import strategies as st
from imported import Files, imported

from memwiki.adapters.importers import notion
from memwiki.nouns import Layers

A, B, C = "1a" * 16, "2b" * 16, "3c" * 16
ROOT = "Export-d2b14fbf-86de-4508-a1b2-6515ff8d7aab/"


def test_an_export_is_recognised_by_the_ids_in_its_names():
    assert notion.is_kind(Files({f"Plan {A}.md": "", "picture.png": ""}))
    assert notion.is_kind(Files({f"Table {A}_all.csv": ""}))
    assert not notion.is_kind(Files({"Plan.md": "", "a.csv": "", f"Plan {A}.html": ""}))
    assert not notion.is_kind(Files({"a.txt": ""}))


def test_names_lose_their_ids_and_links_follow_them():
    files = {
        f"{ROOT}Trip {A}.md": f"# Trip\n\n[Bag](Trip%20{A}/My%20bag%20{B}.md#List)\n",
        f"{ROOT}Trip {A}/My bag {B}.md": (
            f"# My bag\n\n![b](My%20bag%20{B}/a%20b.png) [up](../Trip%20{A}.md)\n"
            f"[web](https://www.notion.so/Trip-{A}?pvs=4) [no](https://www.notion.so/X-{C})\n"
        ),
        f"{ROOT}Trip {A}/My bag {B}/a b.png": b"\x89PNG",
    }
    made = imported(notion, files)
    assert made.text("wiki/Trip.md") == (
        f"---\nid: {A}\n---\n# Trip\n\n[Bag](Trip/My%20bag.md#List)\n"
    )
    assert made.text("wiki/Trip/My bag.md").endswith(
        "\n![b](My%20bag/a%20b.png) [up](../Trip.md)\n"
        f"[web](../Trip.md) [no](https://www.notion.so/X-{C})\n"
    )
    assert made.files["wiki/Trip/My bag/a b.png"] == b"\x89PNG"
    assert made.named(B) == "wiki/Trip/My bag.md"


def test_properties_are_fields_and_days_are_written_as_iso():
    text = (
        "# Dune\n\nStatus: Read\nCreated: March 7, 2020 9:05 PM\n"
        "Period: July 1, 2024 → 2024/07/09\nSeen: 03/04/2024\n"
        "At: May 1, 2024 12:30 AM (GMT+2)\nNotes: first\nand more: lines\n\nText.\n"
    )
    table = "Name,Status,Created,Period,Seen,At,Notes,Extra\nDune,Read,,,,,,only in the table\n"
    made = imported(notion, {f"Books {A}_all.csv": table, f"Books/Dune {B}.md": text})
    page = made.pages["wiki/Books/Dune.md"]
    assert page.front_matter.fields == {
        "id": B,
        "Status": "Read",
        "Created": "2020-03-07T21:05:00",
        "Period": "2024-07-01 → 2024-07-09",
        "Seen": "03/04/2024",
        "At": "2024-05-01T00:30:00+02:00",
        "Notes": "first\nand more: lines",
        "Extra": "only in the table",
    }
    assert page.created == "2020-03-07T21:05:00"
    assert page.text.endswith("---\n# Dune\n\nText.\n")


def test_prose_below_a_title_is_no_property():
    texts = ["# A\n\nNote: this is said.\n", "# A\nStatus: Done\n", "Status: Done\nDue: now\n"]
    for text in texts:
        made = imported(notion, {f"A {A}.md": text})
        assert made.text("wiki/A.md") == f"---\nid: {A}\n---\n{text}"
    made = imported(notion, {f"A {A}.md": "# A\n\nStatus: Done\nOwner: me"})
    assert made.pages["wiki/A.md"].front_matter.fields == {
        "id": A,
        "Status": "Done",
        "Owner": "me",
    }


def test_a_database_is_its_tables_and_a_page_that_links_its_rows():
    files = {
        f"Tasks {A}.csv": "Name\nPack\n",
        f"Tasks {A}_all.csv": "Name,Done\nPack,No\nBuy [it],Yes\nGone,No\n",
        f"Tasks {A}/Pack {B}.md": "# Pack\n\nDone: No\n",
        f"Tasks {A}/Buy it {C}.md": "# Buy [it]\n\nDone: Yes\n",
        "Start 00000000000000000000000000000000.md": f"# Start\n\n[Tasks](Tasks%20{A}.csv)\n",
    }
    made = imported(notion, files)
    assert made.text("wiki/Tasks.md") == (
        f"---\ntype: database\nid: {A}\n---\n# Tasks\n\n- [Pack](Tasks/Pack.md)\n"
        "- [Buy \\[it\\]](Tasks/Buy%20it.md)\n- Gone\n\n"
        "Tables: [Tasks\\_all.csv](Tasks_all.csv), [Tasks.csv](Tasks.csv)\n"
    )
    assert made.targets("wiki/Tasks.md") == [
        "wiki/Tasks/Pack.md",
        "wiki/Tasks/Buy it.md",
        "wiki/Tasks_all.csv",
        "wiki/Tasks.csv",
    ]
    assert made.files["wiki/Tasks_all.csv"] == files[f"Tasks {A}_all.csv"].encode()
    assert made.targets("wiki/Start.md") == ["wiki/Tasks.md"]


def test_relations_and_files_of_a_row_are_links():
    files = {
        f"Tasks {A}_all.csv": f"Name,For,Files,Bad\nPack,,Tasks%20{A}/a%20b.pdf,x (no.md)\n",
        f"Tasks {A}/Pack {B}.md": f"# Pack\n\nFor: Trip (../Trip%20{C}.md), Pack (Pack%20{B}.md)\n",
        f"Tasks {A}/a b.pdf": b"%PDF",
        f"Trip {C}.md": "# Trip\n",
    }
    made = imported(notion, files)
    page = made.pages["wiki/Tasks/Pack.md"]
    assert page.front_matter.fields["For"] == ["[[wiki/Trip]]", "[[wiki/Tasks/Pack]]"]
    assert page.front_matter.fields["Bad"] == "x (no.md)"
    assert made.targets("wiki/Tasks/Pack.md") == [
        "wiki/Trip.md",
        "wiki/Tasks/Pack.md",
        "wiki/Tasks/a b.pdf",
    ]
    assert [link.relation for link in page.links] == ["For", "For", "Files"]


def test_pages_of_one_name_keep_a_part_of_their_ids_and_the_first_one_its_path():
    one, two = {f"Untitled {B}.md": "# Untitled\n"}, {f"Untitled {A}.md": "# Untitled\n"}
    first = imported(notion, one)
    assert set(first.files) == {"wiki/Untitled.md"}
    grown = imported(notion, {**one, **two}, first.files)
    assert grown.by_source == {
        f"Untitled {A}.md": "wiki/Untitled 1a1a1a.md",
        f"Untitled {B}.md": "wiki/Untitled.md",
    }
    assert grown.files["wiki/Untitled.md"] == first.files["wiki/Untitled.md"]


def test_rows_of_one_name_are_told_apart_by_what_they_say():
    files = {
        f"T {A}_all.csv": "Name,Done,Size\nx,Yes,3\nx,No,4\n",
        f"T {A}/x {B}.md": "# x\n\nDone: No\n",
        f"T {A}/x {C}.md": "# x\n\nDone: Yes\n",
    }
    made = imported(notion, files)
    sizes = {page.ids[0]: page.front_matter.fields.get("Size") for page in made.pages.values()}
    assert (sizes[B], sizes[C]) == ("4", "3")


def test_archives_in_the_archive_are_one_export():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(f"{ROOT}Trip {A}.md", f"# Trip\n\n[Bag](Bag%20{B}.md)\n")
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr(f"{ROOT}Bag {B}.md", "# Bag\n")
    parts = {"Export-1-Part-1.zip": packed.getvalue(), "Export-1-Part-2.zip": other.getvalue()}
    assert notion.is_kind(Files(parts))
    made = imported(notion, parts)
    assert made.targets("wiki/Trip.md") == ["wiki/Bag.md"]


def test_what_cannot_be_read_is_taken_as_it_is():
    files = {
        f"A {A}.md": b"# A\xff\n",
        f"T {B}.csv": b'"open',
        f"Big {C}.md": "# Big\n\n" + "x" * 10**6,
    }
    made = imported(notion, files, layers=Layers())
    assert made.files["A.md"] == b"# A\xff\n"
    assert made.files["T.csv"] == b'"open'
    assert made.files["Big.md"].endswith(b"x" * 10**6)
    assert len(made.incoming.notes) == 2


# --- any export ---

TITLES = st.text("ab:/.文é\u0301()[]#%,'\"| ", min_size=1, max_size=8).filter(
    lambda title: title.strip(" ./:") and title.lstrip(" /:")[0] not in ".~#"
)
VALUES = st.text("ab0:#[]{}()&*!|>'\"%@`,→ -?\\文\x07\u2028", max_size=10).map(str.strip)
KEYS = st.sampled_from(["Status", "Due Date", "Größe", "null", "a-b", "Type", "Is it?"])


@st.composite
def exports(draw):
    """Rows of a database: title, properties that the page says, and those of its row alone."""
    own = st.dictionaries(KEYS, VALUES, max_size=3)
    return draw(st.lists(st.tuples(TITLES, own, own), min_size=1, max_size=4))


def written(rows):
    """The files of an export; each page links to the next one."""
    columns = ["Name", *sorted({key for _, own, more in rows for key in (*own, *more)})]
    names = [
        f"{''.join(c for c in title if c not in '/:')[:5].strip()} {i:032x}.md"
        for i, (title, *_) in enumerate(rows, 1)
    ]
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(columns)
    files = {}
    for i, (title, own, more) in enumerate(rows):
        table.writerow([title.strip(), *({**more, **own}.get(key, "") for key in columns[1:])])
        lines = "".join(f"{key}: {value}\n" for key, value in own.items())
        target = quote(names[(i + 1) % len(names)])
        files[f"DB {A}/{names[i]}"] = f"# {title.strip()}\n\n{lines}\nend [next]({target})"
    return {**files, f"DB {A}_all.csv": out.getvalue()}, [f"DB {A}/{name}" for name in names]


@given(exports())
def test_nothing_of_any_export_is_lost(rows):
    files, names = written(rows)
    made = imported(notion, files)
    assert len(made.files) == len(files) + 1
    titles = [title.strip() for title, *_ in rows]
    for i, (_, own, more) in enumerate(rows):
        page = made.pages[made.by_source[names[i]]]
        assert page.ids[0] == f"{i + 1:032x}"
        assert page.text.partition("\n# ")[2].startswith(titles[i])
        said = {**more, **own} if titles.count(titles[i]) == 1 else own
        for key, value in said.items():
            if value or key in own:
                assert page.front_matter.fields[key] == value
        assert made.targets(page.path)[-1] == made.by_source[names[(i + 1) % len(names)]]
    again = imported(notion, files, made.files)
    assert again.files == made.files
