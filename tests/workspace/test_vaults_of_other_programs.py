"""Vaults kept in Logseq, Dendron, Obsidian and exports of Notion: what is read, and what an edit
leaves."""

from __future__ import annotations

import json
import re

import pytest

from memwiki.cli.main import main
from memwiki.errors import LineNotEditableError, NotEditableError, UsageError
from memwiki.nouns import Layers
from memwiki.protected import why_left_alone

DAY_NS = 86_400 * 10**9
FIRST, SECOND = "63a1f0a0-1111-4222-8333-0123456789ab", "63a1f0a0-1111-4222-8333-0123456789ac"
CONFIG = "{:file/name-format :triple-lowbar}\n"


@pytest.fixture
def graph(root, put):
    """A graph of Logseq."""
    put("logseq/config.edn", CONFIG)
    put(
        "pages/tea___green.md",
        f"type:: [[Drink]]\r\nalias:: sencha, [[Grüner Tee]]\r\ntags:: hot, [[leaf]]\r\n"
        f"brewed:: 80°C\r\n\r\n- # Water\r\n\t- soft\r\n\t  id:: {FIRST}\r\n"
        "- ```\r\n  # no heading [[nowhere]]\r\n  ```\r\n- # Time\r\n",
    )
    put("pages/a%3Ab.md", "- see [[tea/green]], [[sencha]] and [[Sep 14th, 2020]]\n")
    put("pages/c.md", f"## List\n\t- (({FIRST})) [it]((({FIRST}))) {{{{embed (({FIRST}))}}}}\n")
    put("journals/2020_09_14.md", f"- drank [[tea/green]] (({SECOND}))\n")
    return root


def links(ws, name, direction="out"):
    found = ws.graph.links(name, direction).links
    return {(each.written, each.target): each.status for each in found}


# --- Logseq ---


def test_properties_are_fields_and_file_names_say_names(graph, ws):
    page = ws.pages.get("tea/green")
    assert page.path == "pages/tea___green.md"
    assert (page.title, page.type) == ("tea/green", "Drink")
    assert list(page.tags) == ["hot", "leaf"]
    assert page.fields["brewed"] == "80°C"
    for name in ("Grüner Tee", "sencha", "tea___green"):
        assert ws.pages.get(name).path == page.path
    assert ws.pages.get("a:b").title == "a:b"
    assert [hit.path for hit in ws.search("brewed:80°C").hits] == [page.path]


def test_headings_in_items_are_sections_and_code_holds_none(graph, ws):
    assert "soft" in ws.pages.get("tea/green", section="Water").text
    wanted = {row.written for row in ws.graph.unresolved("tea/green").links}
    assert wanted == {"Drink", "leaf"}  # of the properties; none of the code
    titles = [hit.section for hit in ws.search("soft").hits]
    assert titles == ["Water"]


def test_headings_in_items_of_a_journal_are_sections_and_its_items_are_entries(graph, put, ws):
    text = "- # Morning\n\t- drank tea\n\t- ## Later\n\t\t- more\n- plain\n- # Evening\n"
    put("journals/2020_09_15.md", text)
    put("pages/d.md", "- [[Sep 15th, 2020#Later]]\n")
    put("pages/e.md", "- # Morning\n\t- drank tea ^m-abc123\n- plain\n")
    assert [row.title for row in ws.pages.outline("2020-09-15").sections] == [
        "Morning",
        "Later",
        "Evening",
    ]
    assert ws.pages.get("2020-09-15", section="Later").text == "\t- ## Later\n\t\t- more"
    entries = [(each.path, each.line_start) for each in ws.entries.list(limit=99).entries]
    for path, starts in (("journals/2020_09_15.md", [1, 5, 6]), ("pages/e.md", [1, 3])):
        assert sorted(line for page, line in entries if page == path) == starts
    assert ws.check.run(only=["heading-missing"]).problems == ()
    ws.pages.append("2020-09-15", "late", section="Later")
    assert (graph / "journals/2020_09_15.md").read_text() == text.replace(
        "- more\n", "- more\n\t\t- late\n"
    )


def test_links_by_name_day_and_block_lead_to_their_pages(graph, ws):
    green, day = "pages/tea___green.md", "journals/2020_09_14.md"
    assert set(links(ws, "a:b").values()) == {"resolved"}
    assert {target for _, target in links(ws, "a:b")} == {green, day}
    block = f"{FIRST}#^{FIRST}"
    assert links(ws, "c") == {(block, green): "resolved"}
    assert len(ws.graph.links("c", "out").links) == 3
    assert links(ws, "2020-09-14")[(f"{SECOND}#^{SECOND}", "")] == "wanted"
    assert ws.pages.get("tea/green", section=f"^{FIRST}").text.strip() == "- soft"
    assert ws.check.run(only=["block-missing"]).problems == ()


def test_a_name_with_parts_belongs_to_the_page_above(graph, put, ws):
    put("pages/tea.md", "- all of them\n")
    found = ws.graph.links("tea/green", "out").links
    assert [(row.relation, row.target) for row in found if row.relation == "parent"] == [
        ("parent", "pages/tea.md")
    ]
    found = ws.check.run(only=["link-wanted", "link-broken"]).problems
    assert not any("tea:" in problem.message for problem in found)


def test_an_edit_changes_its_property_alone(graph, ws):
    place = graph / "pages/tea___green.md"
    before = place.read_bytes()

    def is_changed(old, new):
        assert place.read_bytes() == before.replace(old.encode(), new.encode(), 1)
        place.write_bytes(before)

    ws.pages.set("tea/green", {"type": "Leaf"})
    is_changed("[[Drink]]", "[[Leaf]]")
    ws.pages.set("tea/green", {"brewed": "70°C"})
    is_changed("80°C", "70°C")
    ws.pages.set("tea/green", {"aliases": "sencha, gyokuro"})
    is_changed("alias:: sencha, [[Grüner Tee]]", "alias:: sencha, gyokuro")
    ws.pages.set("tea/green", {"importance": "0.5"})
    is_changed("80°C\r\n", "80°C\r\nimportance:: 0.5\r\n")
    ws.pages.set("tea/green", {}, unset=["brewed"])
    is_changed("brewed:: 80°C\r\n", "")
    ws.pages.tag_add("tea/green", ["new"])
    is_changed("hot, [[leaf]]", "hot, [[leaf]], new")
    ws.pages.tag_remove("tea/green", ["leaf"])
    is_changed("hot, [[leaf]]", "hot")
    ws.pages.tag_rename("leaf", "leaves")
    is_changed("[[leaf]]", "[[leaves]]")
    ws.pages.link("tea/green", "c")
    is_changed("80°C\r\n", "80°C\r\nrelated:: [[c]]\r\n")
    ws.pages.append("tea/green", "fresh", section="Water")
    is_changed("- # Time", "- fresh\r\n- # Time")
    ws.pages.append("tea/green", "two\n\nthree", section="Time")
    is_changed("- # Time\r\n", "- # Time\r\n\t- two\r\n\t- three\r\n")


def test_links_of_a_property_come_and_go_one_by_one(graph, ws):
    place = graph / "pages/c.md"
    before = place.read_bytes()
    ws.pages.link("c", "tea/green")
    ws.pages.link("c", "a:b")
    assert place.read_bytes() == b"related:: [[tea/green]], [[a:b]]\n\n" + before
    assert "already" in ws.pages.link("c", "a:b").notes[0]
    ws.pages.link("c", "a:b", relation="extends")
    ws.pages.unlink("c", "tea/green")
    assert place.read_bytes() == b"related:: [[a:b]]\nextends:: [[a:b]]\n\n" + before
    with pytest.raises(UsageError):
        ws.pages.link("c", "tea/green", relation="x", weight=0.5)


def test_a_property_that_is_no_list_of_links_is_told_with_its_line(graph, ws):
    place = graph / "pages/c.md"
    place.write_text("alias:: x\nrelated:: see below\n")
    with pytest.raises(NotEditableError) as error:
        ws.pages.link("c", "tea/green")
    assert error.value.message == "pages/c.md:2: related is no list of links"


@pytest.mark.parametrize("value", ["two\nlines", "a\rb"])
def test_a_property_is_one_line(graph, ws, value):
    before = (graph / "pages/c.md").read_bytes()
    with pytest.raises((UsageError, LineNotEditableError)):
        ws.pages.set("c", {"note": value})
    with pytest.raises(UsageError):
        ws.pages.set("c", {"two words": "x"})
    assert (graph / "pages/c.md").read_bytes() == before


def test_a_page_that_is_renamed_is_linked_by_its_name(graph, ws):
    ws.pages.move("tea/green", "tee/grün")
    text = (graph / "pages/a%3Ab.md").read_text("utf-8")
    assert text == "- see [[tee/grün]], [[sencha]] and [[Sep 14th, 2020]]\n"
    assert ws.pages.get("tee/grün").path == "pages/tee___grün.md"
    ws.pages.move("a:b", "pages/d.md")
    assert (graph / "pages/d.md").exists()


def test_an_old_name_that_is_kept_is_one_more_alias(graph, ws):
    ws.pages.move("tea/green", "tee/grün", keep_alias=True)
    text = (graph / "pages/tee___grün.md").read_text("utf-8")
    assert "alias:: sencha, [[Grüner Tee]], tea/green\n" in text
    assert "[[tea/green]]" in (graph / "pages/a%3Ab.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("written", "renamed", "tags"),
    [
        ("[[hot]]", "[[warm]]", ["warm"]),
        ("#[[hot]]", "#[[warm]]", ["warm"]),
        ("#[[hot]] #x, [[hot/y]]", "#[[warm]] #x, [[warm/y]]", ["warm", "warm/y", "x"]),
        ("#x #[[hot]]", "#x #[[warm]]", ["warm", "x"]),
        ("[[Hot]] [[x]] hot", "[[warm]] [[x]]", ["warm", "x"]),
        ("hot, #hot, #[[hot]], x", "warm, x", ["warm", "x"]),
        ("#hot #[[hot]]", "#warm", ["warm"]),
        ("[[hot]]，#[[tea house]]", "[[warm]]，#[[tea house]]", ["tea house", "warm"]),
    ],
)
def test_a_tag_that_is_written_as_a_link_is_renamed(graph, put, ws, written, renamed, tags):
    put("pages/e.md", f"tags:: {written}\n\n- #hot [[hot]] #[[hot]]\n")
    ws.pages.tag_rename("hot", "warm")
    text = (graph / "pages/e.md").read_text("utf-8")
    assert text == f"tags:: {renamed}\n\n- #warm [[hot]] #[[warm]]\n"
    assert sorted(ws.pages.get("pages/e").tags) == tags


def test_new_pages_and_days_have_logseqs_form(graph, opened):
    ws = opened(clock=lambda: 20_000 * DAY_NS)
    ws.pages.today("tea\nhot")
    ws.pages.today("cake")
    assert (graph / "journals/2024_10_04.md").read_text() == "- tea\n  hot\n- cake\n"
    assert ws.pages.get("Oct 4th, 2024").type == "daily"
    ws.pages.new("tea/black: 1", tags=["hot"], description="Strong")
    text = (graph / "pages/tea___black%3A 1.md").read_text()
    assert text == "description:: Strong\ntags:: hot\n"
    ws.pages.new("Milk", content="# From\n\ncows\n\n```\nx\n\ny\n```\n\n- all\n  of them")
    assert (graph / "pages/Milk.md").read_text() == (
        "- # From\n- cows\n- ```\n  x\n\n  y\n  ```\n- all\n  of them"
    )


def test_a_private_page_of_logseq_stays_private(graph, put, ws):
    put("pages/secret.md", "private:: true\n\n- the word heron\n")
    assert ws.public().search("heron").total == 0
    assert [*ws.private_pages()] == ["pages/secret.md"]


# --- Dendron ---


DENDRON = """workspace:
    vaults:
        - fsPath: vault
          name: mine
"""


@pytest.fixture
def dendron(root, put):
    put("dendron.yml", DENDRON)
    put("vault/root.md", "---\nid: root\n---\n")
    put("vault/a.b.md", "---\nid: x1\ntitle: B\ndesc: 'Of a'\n---\n## Part\n")
    put("vault/a.md", "---\ntitle: A\n---\n")
    put(
        "vault/c.md",
        "[[B|dendron://mine/a.b#part]] [[root | a]] [[dendron://mine/a.b]]\n"
        "![[a.b#part:#*]] [[far|dendron://other/d.e]] [[not|d.e]]\n",
    )
    return root


def test_dendrons_links_mean_the_target_on_the_right(dendron, ws):
    assert links(ws, "c") == {
        ("a.b", "vault/a.b.md"): "resolved",
        ("a.b#part", "vault/a.b.md"): "resolved",
        ("a.b#part:#*", "vault/a.b.md"): "resolved",
        ("a", "vault/a.md"): "resolved",
        ("dendron://other/d.e", ""): "external",
        ("d.e", ""): "wanted",
    }
    assert ws.pages.get("x1").path == "vault/a.b.md"
    assert ws.pages.get("x1").fields["description"] == "Of a"
    assert ("a", "vault/a.md") in links(ws, "a.b")
    assert ws.check.run(only=["heading-missing"]).problems == ()


def test_a_title_of_logseq_that_names_the_file_follows_it_and_any_other_is_told(graph, ws):
    put = graph / "pages"
    (put / "Zoe.md").write_text("title:: Zoe\nicon:: x\n\n- text\n")
    (put / "z.md").write_text("title:: Other\n\n- text\n")
    (put / "l.md").write_text("- see [[Zoe]], [[Other]]\n")
    assert ws.pages.move("Zoe", "Jana").notes == ()
    assert (put / "Jana.md").read_text() == "title:: Jana\nicon:: x\n\n- text\n"
    assert (put / "l.md").read_text() == "- see [[Jana]], [[Other]]\n"
    ws.pages.move("Jana", "Fam/Jana")
    assert (put / "Fam___Jana.md").read_text().startswith("title:: Fam/Jana\n")
    assert (put / "l.md").read_text() == "- see [[Fam/Jana]], [[Other]]\n"
    (note,) = ws.pages.move("Other", "New").notes
    assert note == "pages/New.md: its title:: still calls it Other, and so do links"
    assert (put / "l.md").read_text() == "- see [[Fam/Jana]], [[Other]]\n"


def test_tags_of_logseq_that_name_a_page_which_moves_are_told(graph, ws):
    put = graph / "pages"
    (put / "Zoe.md").write_text("- text\n")
    (put / "l.md").write_text("tags:: Zoe\n\n- see #Zoe and [[Zoe]]\n")
    (note,) = ws.pages.move("Zoe", "Jana").notes
    assert note.startswith("#Zoe is a tag of 1 page and stays; memwiki tag rename Zoe Jana")
    assert (put / "l.md").read_text() == "tags:: Zoe\n\n- see #Zoe and [[Jana]]\n"
    ws.pages.tag_rename("Zoe", "jana")
    assert (put / "l.md").read_text() == "tags:: jana\n\n- see #jana and [[Jana]]\n"


def test_dendrons_links_keep_their_form_when_a_note_moves(dendron, ws):
    ws.pages.move("a.b", "vault/a.new.md")
    assert (dendron / "vault/c.md").read_text() == (
        "[[B|dendron://mine/a.new#part]] [[root | a]] [[dendron://mine/a.new]]\n"
        "![[a.new#part:#*]] [[far|dendron://other/d.e]] [[not|d.e]]\n"
    )


def test_an_embedding_of_all_notes_below_one_belongs_to_that_one(dendron, put, ws):
    put("vault/d.md", "![[a.*]] ![[a.b.x*#part]] ![[none*]]\n")
    assert {target for _, target in links(ws, "d")} == {"vault/a.md", "vault/a.b.md", ""}
    ws.pages.move("a", "vault/z.md")
    assert (dendron / "vault/d.md").read_text() == "![[z.*]] ![[z.b.x*#part]] ![[none*]]\n"


def test_new_notes_of_dendron_go_to_its_vault(dendron, ws):
    ws.pages.new("a.tea-time", description="At five")
    text = (dendron / "vault/a.tea-time.md").read_text()
    fields = dict(line.split(": ") for line in text.splitlines()[1:-1])
    assert text.endswith("---\n")
    assert list(fields) == ["id", "title", "desc", "updated", "created"]
    assert (fields["title"], fields["desc"]) == ("Tea time", "At five")
    assert re.fullmatch("[0-9a-z]{23}", fields["id"])
    assert re.fullmatch("[0-9]{13}", fields["created"])
    ws.pages.new("a.tea-cup")
    assert fields["id"] not in (dendron / "vault/a.tea-cup.md").read_text()
    assert ws.pages.get("a.tea-cup").fields["created"][:3] == "202"
    assert ("a", "vault/a.md") in links(ws, "a.tea-time")


# --- Obsidian and Notion ---


def obsidian(put, **daily):
    put(".obsidian/daily-notes.json", json.dumps(daily))
    put(".obsidian/app.json", json.dumps({"userIgnoreFilters": ["old/"]}))


def test_obsidians_days_are_written_where_it_writes_them(root, put, opened):
    obsidian(put, folder="Diary", format="YYYY/DD.MM.YYYY")
    put("old/a.md", "heron\n")
    ws = opened(clock=lambda: 20_000 * DAY_NS)
    ws.pages.today("tea")
    assert "- tea" in (root / "Diary/2024/04.10.2024.md").read_text()
    page = ws.pages.get("2024-10-04")
    assert (page.path, page.fields["created"]) == ("Diary/2024/04.10.2024.md", "2024-10-04")
    assert ws.search("heron").hits == ()


def test_what_is_passed_over_is_told_where_settings_are_asked_for(root, put, ws, capsys):
    put(".obsidian/app.json", json.dumps({"userIgnoreFilters": ["/(a|b)/"]}))
    put("a.md", "text\n")
    for command, is_told in ((["config", "show"], True), (["status"], True), (["list"], False)):
        assert main(["-C", str(root), *command]) == 0
        assert ("/(a|b)/" in capsys.readouterr().err) is is_told


def test_settings_that_change_are_noticed_by_the_next_command(put, opened):
    obsidian(put, folder="Diary")
    put("old/a.md", "heron\n")
    put("Diary/2024-10-04.md", "- tea\n")
    first = opened()
    assert first.pages.get("2024-10-04").type == "daily"
    assert not first.search("heron").hits
    put(".obsidian/daily-notes.json", "{}")
    put(".obsidian/app.json", "{}")
    second = opened()
    assert second.pages.get("2024-10-04").type == "page"
    assert [hit.path for hit in second.search("heron").hits] == ["old/a.md"]
    put("logseq/config.edn", CONFIG)
    put("pages/a___b.md", "key:: value\n")
    assert opened().pages.get("a/b").fields["key"] == "value"


def test_pages_of_a_notion_export_answer_without_their_number(put, ws):
    number = "0123456789abcdef" * 2
    put(f"Team/Road map {number}.md", "no heading\n")
    put("a.md", "[[Road map]]\n")
    assert ws.pages.get("road map").title == "Road map"
    assert set(links(ws, "a").values()) == {"resolved"}
    put("Road map.md", "by hand\n")
    assert links(ws, "a") == {("Road map", "Road map.md"): "resolved"}


def test_in_a_plain_folder_the_same_bytes_say_nothing_of_it(put, ws):
    put("pages/a___b.md", f"alias:: x\n- # H\n- (({FIRST}))\n")
    page = ws.pages.get("a___b")
    assert "alias" not in page.fields
    assert page.title == "a___b"
    assert ws.graph.unresolved().links == ()


def test_no_agent_changes_what_says_which_program_it_is(root):
    for path in ("logseq/config.edn", "dendron.yml", ".obsidian/app.json"):
        assert why_left_alone(path, Layers(), has_catalogs=False)
    assert not why_left_alone("vault/dendron.yml.md", Layers(), has_catalogs=False)


def test_a_graph_that_is_imported_does_not_make_the_workspace_one(root, tmp_path, opened):
    for name, text in {
        "logseq/config.edn": CONFIG,
        "pages/a___b.md": "alias:: x\n\n- text\n",
        "journals/2020_09_14.md": "- day\n",
    }.items():
        place = tmp_path / "graph" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    opened().carry.import_(tmp_path / "graph")
    assert not (root / "logseq/config.edn").exists()
    assert opened().config.pages.dialect == "plain"
    assert opened().pages.get("x").fields["aliases"] == ["x"]
