"""A setting that this version no longer has gets a note, not an error."""

import pytest

from memwiki.config import Config, load, settings
from memwiki.config.edit import set_value
from memwiki.config.load import notes_on
from memwiki.errors import ConfigError
from memwiki.workspace import Workspace
from tests.effort import for_each

NOW = "layers.staging has no effect any more: staged entries are in the folder that layers.inbox"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[layers]\nraw = ''\nstaging = 'inbox/staging'\n", 3),
        ("\nlayers.staging = 3\n", 2),
        ("[layers]\n'staging' = '../x'\n", 2),
        ("layers = {staging = ''}\n", 1),
        ("[layers.staging]\nx = 1\n", 1),
    ],
)
def test_a_file_that_still_sets_it_is_read_with_a_note(tmp_path, text, line):
    (tmp_path / "memwiki.toml").write_text(text)
    config = load(tmp_path, {})
    (note,) = config.notes
    assert note.startswith(f"memwiki.toml line {line}: {NOW}")
    assert config._replace(notes=(), origins={}) == Config(origins={})
    assert "layers.staging" not in {each.key for each in settings(config)}


def test_a_note_without_a_known_line_names_the_file():
    (note,) = notes_on('"l\\u0061yers".staging = 1\n')
    assert note.startswith(f"memwiki.toml: {NOW}")


@for_each("text", ["", "[layers]\n# staging = 'x'\n", "[layers]\nraw = 'staging'\n"])
def test_a_file_that_does_not_set_it_gets_none(text):
    assert notes_on(text) == []


def test_a_variable_that_still_sets_it_is_passed_over_with_a_note(tmp_path):
    (note,) = load(tmp_path, {"MEMWIKI_LAYERS_STAGING": "x"}).notes
    assert note.startswith(f"MEMWIKI_LAYERS_STAGING: {NOW}")
    assert load(tmp_path, {"MEMWIKI_LAYERS_STAGING": ""}).notes == ()


def test_it_cannot_be_set_again_and_stays_when_others_are():
    with pytest.raises(ConfigError, match=NOW):
        set_value("", "layers.staging", "x")
    text = "[layers]\nstaging = 'x' # mine\n"
    assert set_value(text, "layers.raw", "raw") == f'{text}raw = "raw"\n'


def test_the_note_is_said_once_and_leaves_the_index_healthy(root, put):
    put("memwiki.toml", "[layers]\nstaging = 'staging'\n")
    put("a.md", "# A\n")
    with Workspace.open(root) as workspace:
        assert workspace.index.doctor().healthy
        (note,) = workspace.take_warnings()
        assert NOW in note
        assert workspace.take_warnings() == []
        put("memwiki.toml", "")
        workspace.reload()
        assert workspace.take_warnings() == []
