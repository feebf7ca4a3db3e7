"""A workspace that is open notices that its settings were changed by hand or by another program."""

from __future__ import annotations

import pytest


def test_an_open_workspace_takes_changed_settings_with_its_next_call(ws, put):
    put("a.md", "heron\n")
    put("old/b.md", "heron\n")
    assert ws.search("heron").total == 2
    put("memwiki.toml", '[files]\nignore = ["old/"]\n')
    assert ws.search("heron").total == 1
    assert ws.config.files.ignore == ("old/",)


def test_the_facets_and_views_of_an_open_workspace_take_them_too(ws, put):
    put("a.md", "heron\n")
    put("old/b.md", "heron\n")
    view = ws.by("somebody")
    assert view.pages.list().total == 2
    put("memwiki.toml", '[files]\nignore = ["old/"]\n')
    assert view.pages.list().total == 1
    assert view.actor == "somebody"
    assert ws.pages.list().total == 1


def test_settings_that_cannot_be_used_are_said_once_and_the_last_ones_hold(ws, put):
    put("memwiki.toml", '[files]\nignore = ["old/"]\n')
    put("a.md", "heron\n")
    put("old/b.md", "heron\n")
    assert ws.search("heron").total == 1
    put("memwiki.toml", "[files\n")
    assert [ws.search("heron").total for _ in range(2)] == [1, 1]
    (warning,) = ws.take_warnings()
    assert "the last valid settings stay in use" in warning
    assert ws.take_warnings() == []
    assert not ws.has_current_settings()  # a command that finds it open says what is wrong itself
    assert "is not TOML" in ws.public().settings_error.message
    put("memwiki.toml", "")
    assert ws.settings_error is None
    assert ws.search("heron").total == 2
    assert ws.has_current_settings()


def test_a_call_rests_on_one_version_of_the_settings(ws, put):
    put("a.md", "heron\n")
    put("old/b.md", "heron\n")
    with ws.one_sweep():
        assert ws.search("heron").total == 2
        put("memwiki.toml", '[files]\nignore = ["old/"]\n')
        assert ws.search("heron").total == 2
    assert ws.search("heron").total == 1


@pytest.mark.parametrize("program", ["logseq"])
def test_settings_of_another_program_are_noticed_as_well(ws, put, program):
    put("pages/a.md", "heron\n")
    assert not ws.config.layers.dialect.name
    put(f"{program}/config.edn", "{}\n")
    assert ws.config.layers.dialect.name == program
