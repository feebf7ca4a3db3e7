"""Pages of Foam are called by their first heading of level 1, wherever it stands."""

import pytest

from memwiki.markdown.parse import parse
from memwiki.nouns import FOAM, Dialect, Layers
from memwiki.workspace import Workspace
from tests.effort import for_each

LAYERS = Layers(dialect=Dialect(FOAM))


@for_each(
    ("text", "title"),
    [
        ("Some words first.\n\n## Part\n\n# Green tea\n\n# Other\n", "Green tea"),
        ("---\ntitle: Tea\n---\n# Green tea\n", "Tea"),
        ("#\n\n# Made of [[leaves]]\n", "Made of leaves"),
        ("```\n# no heading\n```\n## Part\n", "green-tea"),
        ("", "green-tea"),
    ],
)
def test_the_first_heading_of_level_1_is_the_title_and_else_the_file_name(text, title):
    assert parse("drinks/green-tea.md", text.encode(), LAYERS).title == title


@pytest.mark.parametrize(
    ("mark", "text", "is_foams"),
    [
        (".foam/templates/daily-note.md", "# ${FOAM_DATE}\n", True),
        (".vscode/settings.json", '{"foam.edit.linkReferenceDefinitions": "off"}', True),
        (".vscode/settings.json", '{"editor.wordWrap": "on"}', False),
        (".vscode/settings.json", "", False),
    ],
)
def test_a_vault_is_foams_by_its_folder_or_its_settings(put, ws, mark, text, is_foams):
    put(mark, text)
    put("green-tea.md", "Some words first.\n\n# Sencha\n")
    ws.sync()
    (page,) = (each for each in ws.pages.list().pages if each.path == "green-tea.md")
    assert page.title == ("Sencha" if is_foams else "Green tea")


def test_obsidians_own_folder_comes_before_foams(root, put):
    put(".foam/x.md", "")
    put(".obsidian/app.json", "{}")
    put("a.md", "Words.\n\n# Sencha\n")
    with Workspace.open(root, find=False) as space:
        space.sync()
        assert [each.title for each in space.pages.list().pages] == ["a"]
