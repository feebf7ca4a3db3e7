"""Folders that programs keep within one workspace: each page follows the settings of the nearest
program above it."""

from __future__ import annotations

import json

import pytest

from memwiki.errors import ConfigError
from memwiki.files import scan as scans
from memwiki.index.stores import dump
from memwiki.protected import why_left_alone

DAY_NS = 86_400 * 10**9
DAILY = json.dumps({"folder": "days", "format": "DD.MM.YYYY", "template": "forms/day"})


def links(ws, name):
    found = ws.graph.links(name, "out").links
    return {each.written: each.target for each in found if each.target}


def title(ws, path):
    return ws.pages.get(path).title


@pytest.fixture
def notes(root, put):
    """A folder of everything: a vault, a graph, a hierarchy, two sites and plain pages."""
    put("vault/.obsidian/daily-notes.json", DAILY)
    put("vault/.obsidian/templates.json", json.dumps({"folder": "forms"}))
    put("vault/forms/day.md", "Day {{title}}\n")
    put("vault/forms/thing.md", "A thing called {{title}}\n")
    put("vault/green tea.md", "# Leaves\n\n[[sub/water]] [[same]] [[Leaves]] [[plain]]\n")
    put("vault/sub/water.md", "# Rain\n\n[[green tea]]\n")
    put("vault/same.md", "of the vault\n")
    put("graph/logseq/config.edn", "{:file/name-format :triple-lowbar}\n")
    put("graph/logseq/bak/pages/old.md", "- a copy\n")
    put("graph/pages/tea___black.md", "alias:: assam\n\n- [[same]] [[Nov 22nd, 2026]]\n")
    put("graph/pages/same.md", "- of the graph\n")
    put("graph/journals/2026_11_22.md", "- drank [[tea/black]]\n")
    put("garden/dendron.yml", "workspace:\n  vaults:\n    - fsPath: notes\n      name: plot\n")
    put("garden/notes/tea.green.md", "---\nid: a\ntitle: Green\n---\n\n[[same]]\n")
    put("garden/notes/same.md", "---\nid: b\n---\n\n[[See|dendron://plot/tea.green]]\n")
    put("site/mkdocs.yml", "docs_dir: docs\nnav:\n  - guide/start.md\n")
    put("site/docs/guide/start.md", "# Start\n\n[n](/guide/next.md) [s](../same.md)\n")
    put("site/docs/guide/next.md", "# Next\n")
    put("site/docs/same.md", "# Same of the site\n")
    put("docusaurus/docusaurus.config.js", "module.exports = {};\n")
    put("docusaurus/docs/01-intro.md", "---\nslug: /hello\n---\n\n# Intro\n")
    put("docusaurus/docs/more.md", "# More\n\n[i](/hello) [f](@site/docs/01-intro.md)\n")
    put("same.md", "# Same\n\nof the workspace\n")
    put(
        "plain.md",
        "# A heading\n\n[[vault/sub/water]] [[same]] [[tea/black]] [t](/vault/same.md)\n",
    )
    return root


def test_the_title_of_a_page_is_that_of_its_program(notes, ws):
    titles = {each.path: each.title for each in ws.pages.list(limit=99).pages}
    assert titles == {
        "vault/forms/day.md": "day",
        "vault/forms/thing.md": "thing",
        "vault/green tea.md": "green tea",
        "vault/sub/water.md": "water",
        "vault/same.md": "same",
        "graph/pages/tea___black.md": "tea/black",
        "graph/pages/same.md": "same",
        "graph/journals/2026_11_22.md": "Nov 22nd, 2026",
        "garden/notes/tea.green.md": "Green",
        "garden/notes/same.md": "Same",
        "site/docs/guide/start.md": "Start",
        "site/docs/guide/next.md": "Next",
        "site/docs/same.md": "Same of the site",
        "docusaurus/docs/01-intro.md": "Intro",
        "docusaurus/docs/more.md": "More",
        "same.md": "Same",
        "plain.md": "A heading",
    }


def test_a_link_means_first_what_its_own_program_sees(notes, ws):
    assert links(ws, "vault/green tea.md") == {
        "sub/water": "vault/sub/water.md",
        "same": "vault/same.md",
        "plain": "plain.md",
    }
    assert links(ws, "graph/pages/tea___black.md")["same"] == "graph/pages/same.md"
    day = links(ws, "graph/pages/tea___black.md")["Nov 22nd, 2026"]
    assert day == "graph/journals/2026_11_22.md"
    assert links(ws, "garden/notes/tea.green.md")["same"] == "garden/notes/same.md"
    assert links(ws, "garden/notes/same.md") == {"tea.green": "garden/notes/tea.green.md"}
    assert links(ws, "site/docs/guide/start.md") == {
        "/guide/next.md": "site/docs/guide/next.md",
        "../same.md": "site/docs/same.md",
    }
    intro = "docusaurus/docs/01-intro.md"
    assert links(ws, "docusaurus/docs/more.md") == {
        "/hello": intro,
        "@site/docs/01-intro.md": intro,
    }
    assert links(ws, "plain.md") == {
        "vault/sub/water": "vault/sub/water.md",
        "same": "same.md",
        "tea/black": "graph/pages/tea___black.md",
        "/vault/same.md": "vault/same.md",
    }


def test_no_link_within_a_program_is_ambiguous_for_a_page_outside_of_it(notes, ws):
    rows = ws.graph.links("vault/green tea.md", "out").links
    assert {str(row.status) for row in rows if row.written == "same"} == {"resolved"}


def test_the_nearest_of_two_programs_above_a_page_counts(root, put, ws):
    put("vault/.obsidian/app.json", "{}")
    put("vault/top.md", "# Heading\n\n[[deep/logs/pages/a]]\n")
    put("vault/deep/logs/logseq/config.edn", "{}\n")
    put("vault/deep/logs/pages/a.md", "- # Heading\n- [[b]] [[top]]\n")
    put("vault/deep/logs/pages/b.md", "type:: idea\n\n- b\n")
    put("vault/b.md", "# Other\n")
    assert ws.pages.get("vault/deep/logs/pages/b.md").type == "idea"
    assert links(ws, "vault/deep/logs/pages/a.md")["b"] == "vault/deep/logs/pages/b.md"
    assert links(ws, "vault/deep/logs/pages/a.md")["top"] == "vault/top.md"
    assert links(ws, "vault/top.md") == {"deep/logs/pages/a": "vault/deep/logs/pages/a.md"}
    assert (title(ws, "vault/top.md"), title(ws, "vault/b.md")) == ("top", "b")


def test_what_a_program_leaves_out_is_left_out_below_its_folder_alone(notes, put, ws):
    put("vault/.obsidian/app.json", json.dumps({"userIgnoreFilters": ["secret/", "/^x/"]}))
    for path in ("vault/secret/a.md", "secret/a.md", "vault/xa.md", "xa.md", "site/xa.md"):
        put(path, "heron\n")
    found = {hit.path for hit in ws.search("heron").hits}
    assert found == {"secret/a.md", "xa.md", "site/xa.md"}


# --- new, today ---


def test_a_new_page_has_the_form_of_the_folder_it_goes_to(notes, root, ws):
    ws.pages.new("Green & Tea", folder="vault")
    ws.pages.new("tea/white", folder="graph")
    ws.pages.new("garden/notes/tea.oolong.md")
    ws.pages.new("Next Step", folder="site")
    ws.pages.new("Own Page")
    assert (root / "vault/Green & Tea.md").exists()
    assert (root / "graph/pages/tea___white.md").exists()
    assert (root / "site/docs/next-step.md").exists()
    assert (root / "own-page.md").exists()
    assert "id: " in (root / "garden/notes/tea.oolong.md").read_text()
    assert "#" not in (root / "graph/pages/tea___white.md").read_text()
    assert title(ws, "graph/pages/tea___white.md") == "tea/white"


def test_a_new_page_in_a_folder_of_a_program_looks_like_its_notes_alone(notes, root, put, ws):
    put("memwiki.toml", '[layers]\nwiki = "wiki"\n')
    put("wiki/concepts/a.md", "---\ntype: concept\ncreated: 2026-01-01\n---\n\n# A\n")
    ws.pages.new("Kettle & Pot", folder="vault", content="black")
    assert (root / "vault/Kettle & Pot.md").read_text() == "black"
    ws.pages.new("Kettle")
    assert (root / "wiki/concepts/kettle.md").exists()


def test_a_template_is_looked_for_in_the_folder_of_the_program(notes, root, ws):
    ws.pages.new("Kettle", folder="vault", template="thing")
    assert "A thing called Kettle" in (root / "vault/Kettle.md").read_text()


def test_today_names_the_folders_when_several_have_days(notes, ws):
    with pytest.raises(ConfigError, match="several folders") as error:
        ws.pages.today()
    assert "garden/, graph/, vault/" in str(error.value)


def test_today_is_where_the_settings_say_in_the_form_of_that_folder(notes, put, opened):
    moment = 20_780 * DAY_NS + DAY_NS // 2  # 2026-11-23
    for folder, name in (("vault/days", "23.11.2026"), ("graph/journals", "2026_11_23")):
        put("memwiki.toml", f'[layers]\ndaily = "{folder}"\n')
        space = opened(clock=lambda: moment)
        space.pages.today("tea")
        text = space.pages.bytes(f"{folder}/{name}.md").decode()
        assert text.endswith("- tea\n")
        assert ("Day 23.11.2026" in text) == (folder == "vault/days")


def test_the_only_program_with_days_has_today(root, put, opened):
    put("graph/logseq/config.edn", "{}\n")
    space = opened(clock=lambda: 20_780 * DAY_NS + DAY_NS // 2)
    assert space.pages.today_path() == "graph/journals/2026_11_23.md"


# --- move, check, privacy ---


def test_a_move_writes_links_as_their_program_reads_them(notes, root, put, ws):
    put("vault/asks.md", "[[sub/water]] [w](/sub/water.md)\n")
    put("graph/pages/asks.md", "- [[tea/black]]\n")
    ws.pages.move("vault/sub/water.md", "vault/deep/water.md")
    assert (root / "vault/asks.md").read_text() == "[[deep/water]] [w](/deep/water.md)\n"
    ws.pages.move("graph/pages/tea___black.md", "tea/red")
    assert (root / "graph/pages/tea___red.md").exists()
    assert (root / "graph/pages/asks.md").read_text() == "- [[tea/red]]\n"
    assert "[[tea/red]]" in (root / "plain.md").read_text()
    ws.pages.move("garden/notes/tea.green.md", "garden/notes/drink.green.md")
    assert "dendron://plot/drink.green" in (root / "garden/notes/same.md").read_text()
    ws.pages.move("site/docs/guide/next.md", "site/docs/later/on.md")
    assert "[n](/later/on.md)" in (root / "site/docs/guide/start.md").read_text()
    assert "[[vault/deep/water]]" in (root / "plain.md").read_text()


def test_a_page_that_leaves_its_program_keeps_what_its_links_mean(notes, ws):
    before = links(ws, "vault/green tea.md")
    ws.pages.move("vault/green tea.md", "site/docs/green.md")
    after = links(ws, "site/docs/green.md")
    assert after.pop("Leaves") == "site/docs/green.md"  # which goes by titles
    assert set(after.values()) == set(before.values())
    assert title(ws, "site/docs/green.md") == "Leaves"


def test_check_finds_nothing_wrong_with_links_of_programs(notes, ws):
    codes = ("link-missing", "link-ambiguous", "link-by-title", "link-case", "link-outside")
    found = [(each.path, each.code) for each in ws.check.run().problems if each.code in codes]
    assert found == [("plain.md", "link-by-title")]  # [[tea/black]], which no file is called


def test_marks_of_privacy_are_those_of_the_program(notes, put, ws):
    put("graph/pages/hidden.md", "private:: true\n\n- a heron\n")
    put("graph/pages/part.md", "- seen\n- a heron\n  private:: true\n\t- below it, a heron\n")
    put("plain-too.md", "a heron that is not private\n")
    shown = ws.public().search("heron")
    assert [hit.path for hit in shown.hits] == ["plain-too.md"]


def test_agents_leave_the_settings_in_folders_alone(notes, ws):
    layers = ws.config.layers
    for path in ("site/mkdocs.yml", "graph/logseq/config.edn", "a/b/dendron.yml"):
        assert why_left_alone(path, layers, has_catalogs=False) == "holds the settings"


def test_a_vault_in_a_namespace_is_seen_there_alone(root, put, opened):
    put("memwiki.toml", '[layers]\nnamespaces = "namespaces"\n')
    for name in ("one", "two"):
        put(f"namespaces/{name}/vault/.obsidian/daily-notes.json", json.dumps({"folder": "d"}))
        put(f"namespaces/{name}/vault/same.md", f"of {name}\n")
        put(f"namespaces/{name}/vault/d/2026-11-22.md", "- an entry\n")
    put("namespaces/one/vault/a.md", "# H\n\n[[same]] [[only]] [x](/../../two/vault/same.md)\n")
    put("namespaces/two/vault/only.md", "of two\n")
    space = opened(namespace="one")
    assert links(space, "vault/a.md") == {"same": "namespaces/one/vault/same.md"}
    assert title(space, "vault/a.md") == "a"
    assert space.pages.get("vault/d/2026-11-22.md").type == "daily"


def test_a_vault_around_the_namespaces_opens_none_of_them(root, put, opened):
    put("memwiki.toml", '[layers]\nnamespaces = "vault/spaces"\n')
    put("vault/.obsidian/app.json", "{}")
    put("vault/out.md", "[[secret]] [[inner]]\n")
    put("vault/spaces/one/in.md", "[[inner]] [[out]]\n")
    for name in ("one", "two"):
        put(f"vault/spaces/{name}/inner.md", "inner\n")
    put("vault/spaces/two/secret.md", "secret\n")
    assert links(opened(), "vault/out.md") == {}
    assert links(opened(namespace="one"), "in.md") == {
        "inner": "vault/spaces/one/inner.md",
        "out": "vault/out.md",
    }


# --- settings that come and go ---


def test_a_folder_that_a_program_takes_over_is_read_anew_at_once(root, put, ws, opened):
    put("a/note.md", "# Heading\n\n[[b]]\n")
    put("a/b.md", "b\n")
    put("b.md", "b\n")
    facet = ws.pages
    assert facet.get("a/note.md").title == "Heading"
    put("a/.obsidian/app.json", "{}")
    assert facet.get("a/note.md").title == "note"
    assert links(ws, "a/note.md") == {"b": "a/b.md"}
    (root / "a/.obsidian/app.json").unlink()
    (root / "a/.obsidian").rmdir()
    assert title(ws, "a/note.md") == "Heading"


def test_sync_equals_rebuild_when_programs_come_and_go(notes, root, put, opened):
    space = opened()
    space.sync()
    put("plain/logseq/config.edn", "{}\n")
    put("plain/pages/a%2Fb.md", "type:: idea\n\n- [[same]]\n")
    (root / "site/mkdocs.yml").unlink()
    put("vault/.obsidian/daily-notes.json", "{}")
    space.sync()
    other = opened()
    with space.live.opened() as kept:
        rows = dump(kept)
    other.index.reindex()
    with other.live.opened() as anew:
        assert dump(anew) == rows
    assert title(space, "plain/pages/a%2Fb.md") == "a/b"


def test_what_memwiki_toml_says_goes_before_programs(notes, put, opened):
    put("memwiki.toml", '[pages]\ndialect = "plain"\n')
    space = opened()
    assert space.config.layers.nested == ()
    assert title(space, "vault/green tea.md") == "Leaves"
    put("memwiki.toml", '[pages]\ntemplates = "forms"\n')
    assert {each.templates for each in space.config.nested.values()} == {"forms"}


def test_settings_deep_below_reach_no_page_outside_of_their_folder(root, put, ws):
    put("a.md", "# Heading\n\n[[b]]\n")
    put("b.md", "b\n")
    put("x/y/z/.obsidian/app.json", json.dumps({"userIgnoreFilters": ["../", "/", "**"]}))
    put("x/y/z/.obsidian/daily-notes.json", json.dumps({"folder": "../../.."}))
    put("x/y/z/n.md", "# Own\n")
    assert (title(ws, "a.md"), links(ws, "a.md")) == ("Heading", {"b": "b.md"})
    assert title(ws, "x/y/z/n.md") == "n"
    assert all(note.startswith("x/y/z/") for note in ws.config.foreign_notes)
    assert {each.daily for each in ws.config.layers.nested} == {""}


def test_no_more_than_a_hundred_folders_have_settings(root, put, ws):
    put("vault/.obsidian/app.json", "{}")
    for number in range(102):
        put(f"deep/f{number:03}/mkdocs.yml", "")
    ws.sync()
    assert len(ws.config.nested) == 100
    assert "vault" in ws.config.nested  # the highest go first
    assert any("103 folders" in note for note in ws.config.foreign_notes)


def test_marks_in_hidden_and_left_out_folders_say_nothing(root, put, ws):
    put(".memwikiignore", "build/\n")
    for folder in (".hidden/a", "node_modules/a", "build/a"):
        put(f"{folder}/mkdocs.yml", "")
    ws.sync()
    assert ws.config.folders == ()


def test_a_folder_that_is_left_out_from_now_on_keeps_no_form(put, ws):
    put("graph/logseq/config.edn", "{}")
    put("graph/pages/a.md", "- a\n")
    ws.sync()
    assert ws.config.layers.nested
    put(".memwikiignore", "graph/\n")
    ws.sync()
    assert ws.config.layers.nested == ()


def test_who_opens_later_walks_no_folder_to_know_who_keeps_which(notes, ws, opened, monkeypatch):
    ws.sync()
    opened()  # the first one after there is a cache

    def refuse(*_):
        raise AssertionError("walked")

    monkeypatch.setattr(scans, "marked_folders", refuse)
    assert opened().config.folders == ws.config.folders
    assert len(ws.config.folders) == 5
    with pytest.raises(AssertionError, match="walked"):
        opened(environ={**ws.environ, "MEMWIKI_FILES_IGNORE": "vault"})


def test_a_folder_that_a_program_took_over_meanwhile_is_read_by_the_next_sweep(put, ws, opened):
    put("graph/pages/tea___black.md", "- a\n")
    ws.sync()
    opened()
    put("graph/logseq/config.edn", "{:file/name-format :triple-lowbar}\n")
    later = opened()
    assert later.config.folders == ()
    assert later.pages.get("graph/pages/tea___black.md").title == "tea/black"
    assert opened().config.folders == ("graph",)


def undone_one(ws, root):
    """Take back the last change, of three; the first two are additions to one page."""
    undone = ws.undo()
    assert (root / "a.md").read_text().split() == ["One.", "Two."]
    return undone.title


@pytest.mark.parametrize("settings", ["sub/mkdocs.yml", "sub/dendron.yml", "sub/_Sidebar.md"])
@pytest.mark.parametrize("is_new_process", [False, True])
def test_one_undo_takes_back_one_change_though_a_program_keeps_a_folder_again(
    root, put, opened, settings, is_new_process
):
    put(settings, "{}\n")
    put("sub/Home.md", "# Home\n")
    put("a.md", "")
    ws = opened()
    for text in ("One.", "Two."):
        ws.pages.append("a", text)
    ws.pages.move("sub/", "other/place")
    ws = opened() if is_new_process else ws
    assert undone_one(ws, root) == "undone: moved sub/ -> other/place/"
    assert title(ws, "sub/Home.md")
    assert opened().config.folders == ("sub",)


def test_one_undo_takes_back_one_change_though_a_program_keeps_a_folder_by_now(root, put, opened):
    put("sub/Home.md", "# Home\n")
    put("a.md", "")
    ws = opened()
    for text in ("One.", "Two.", "Three."):
        ws.pages.append("a", text)
    assert opened().config.folders == ()  # which is noted
    put("sub/mkdocs.yml", "site_name: x\n")
    assert undone_one(opened(), root) == "undone: added text in a.md"


def test_nothing_is_proposed_twice_where_a_program_keeps_a_folder_by_now(put, opened):
    put("sub/Home.md", "# Home\n")
    opened().sync()
    assert opened().config.folders == ()  # which is noted
    put("sub/mkdocs.yml", "site_name: x\n")
    ws = opened()
    ws.proposals.propose([{"do": "add_entry", "text": "Tea is grown in Assam.", "type": "fact"}])
    assert ws.proposals.list().total == 1


def test_what_others_wrote_in_the_place_of_the_list_of_folders_is_no_list(notes, ws, opened, cache):
    ws.sync()
    opened()
    (file,) = cache.glob("*/marked.json")
    file.write_text(file.read_text().replace("vault", "valut"))
    assert opened().config.folders == ws.config.folders
