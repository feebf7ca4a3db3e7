"""Settings: where they come from, what is refused, and how one line is changed."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from memwiki.config import (
    VARIABLES,
    Config,
    cache_root,
    environment,
    find_workspace,
    load,
    locations,
    settings,
)
from memwiki.config.edit import set_value
from memwiki.config.user import editor
from memwiki.errors import ConfigError
from memwiki.nouns import Layers
from tests.effort import for_each

TEMPLATE = Path(__file__).parents[2] / "workspace-template/memwiki.toml"


def loaded(root: Path, text: str, **environ: str) -> Config:
    (root / "memwiki.toml").write_bytes(text.encode())
    return load(root, environ)


# --- reading -------------------------------------------------------------------------------------


def test_an_adopted_folder_has_defaults_and_two_special_files(tmp_path):
    config = load(tmp_path, {})
    assert config.layers == Layers()
    assert (config.layers.memory, config.layers.archive) == ("memory.md", "")
    assert (config.files.gitignore, config.files.max_bytes) == (False, 10_000_000)
    assert (config.catalog.enabled, config.recall.max_results) == (False, 20)
    assert {setting.origin for setting in settings(config)} == {"default"}


def test_the_file_overrides_defaults_and_the_environment_overrides_the_file(tmp_path):
    text = "[files]\nmax_bytes = 5\ngitignore = true\n[layers]\narchive = 'old/'\n"
    variables = {"MEMWIKI_FILES_GITIGNORE": "no", "MEMWIKI_RECALL_MAX_RESULTS": " 1_000 "}
    config = loaded(
        tmp_path, text, **variables, MEMWIKI_LAYERS_WIKI="", MEMWIKI_DEBUG="1", HOME="/"
    )
    assert (config.files.max_bytes, config.files.gitignore) == (5, False)
    assert (config.layers.archive, config.recall.max_results) == ("old", 1000)
    origins = {each.key: each.origin for each in settings(config)}
    assert origins["files.max_bytes"] == "file"
    assert origins["files.gitignore"] == "environment"
    assert origins["layers.wiki"] == "default"


def test_every_setting_is_listed_with_value_and_help(tmp_path):
    listed = settings(load(tmp_path, {}))
    assert {each.key: each.value for each in listed}["files.max_bytes"] == "10000000"
    assert {each.key: each.value for each in listed}["catalog.enabled"] == "false"
    assert len(listed) == len({each.key for each in listed}) == len(Layers.__annotations__) + 90
    assert all(each.help for each in listed)


def test_the_variables_without_a_setting_are_kept(tmp_path):
    config = load(tmp_path, {"MEMWIKI_CACHE_DIR": "/c", "MEMWIKI_WORKSPACE": "/w"})
    assert (config.cache_dir, config.workspace) == ("/c", "/w")
    names = ("CACHE_DIR", "CONFIG_DIR", "INDEX_SHARED", "STATE_DIR", "WORKSPACE")
    assert set(VARIABLES) == {f"MEMWIKI_{name}" for name in names}
    assert environment() is os.environ


def test_the_template_holds_settings_that_load():
    assert load(TEMPLATE.parent, {}).layers.wiki == "wiki"


@pytest.mark.parametrize(
    "text",
    [
        "cache_dir = '/x'",
        "[cache]\ndir = '/x'",
        "editor = 'run.sh'",
        "[hooks]\nstart = 'run.sh'",
        "[plugins]\nx = 'x.py'",
        "[doors]\ncommand = 'run.sh'",
        "[doors]\nhost = '0.0.0.0'",
        "[models.chat]\nbase_url = 'http://x'",
        "[models]\nkey_env = 'HOME'",
        "[models.triggers]\n'/x' = ['session_end']",
    ],
)
def test_no_setting_of_a_workspace_names_a_command_or_a_place_outside(tmp_path, text):
    with pytest.raises(ConfigError):
        loaded(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "line", "what", "hint"),
    [
        ("[files\n", 1, "is not TOML", "correct that line"),
        ("[files]\nmax_bytes = \n", 2, "is not TOML", "correct that line"),
        ("# x\n[filez]\n", 2, "no setting filez", "did you mean files?"),
        ("[zzzzzz]\n", 1, "no setting zzzzzz", "memwiki config show lists the settings"),
        ("[files]\n\ngitignor = true\n", 3, "files.gitignor", "did you mean files.gitignore?"),
        ("files.gitignor = true\n", 1, "files.gitignor", "did you mean files.gitignore?"),
        ("[recall]\nmax_result = 3\n", 2, "recall.max_result", "did you mean recall.max_results?"),
        ("x = 1\nfiles = 3\n", 1, "no setting x", "memwiki config show lists the settings"),
        ("\nfiles = 3\n", 2, "files is not a table", "write [files] on a line of its own"),
        ("[files]\nmax_bytes = 'big'\n", 2, "not a whole number", "max_bytes = 10000000"),
        ("[files]\nmax_bytes = true\n", 2, "not a whole number", "max_bytes = 10000000"),
        ("[files]\nmax_bytes = 0\n", 2, "less than 1", "max_bytes = 10000000"),
        ("[files]\ngitignore = 1\n", 2, "not true or false", "gitignore = false"),
        ("[layers]\nraw = 3\n", 2, "not text in quotes", 'raw = "archive"'),
        ("[layers]\nlog = 3\n", 2, "not text in quotes", 'log = "log.md"'),
        ("[layers]\nraw = '../x'\n", 2, "not a path in the workspace", "such as archive"),
        ("[layers]\nraw = '/etc'\n", 2, "not a path in the workspace", "such as archive"),
        ("[layers]\nraw = 'C:x'\n", 2, "not a path in the workspace", "such as archive"),
        ("[layers]\nraw = 'a//b'\n", 2, "not a path in the workspace", "such as archive"),
        ("[layers]\nraw = '.git'\n", 2, "not a path in the workspace", "such as archive"),
        (
            "[layers]\nlog = 'memwiki.toml'\n",
            2,
            "layers.log is not a markdown file",
            'log = "log.md"',
        ),
        ("[layers]\nlog = 'run.sh'\n", 2, "layers.log is not a markdown file", 'log = "log.md"'),
        ("[layers]\nmemory = 'wiki'\n", 2, "not a markdown file", 'memory = "memory.md"'),
        ("[layers]\nlog = 'memory.md'\n", 2, "layers.log is the path of layers.memory", "its own"),
        (
            "[layers]\nwiki = 'w'\narchive = 'w/'\n",
            3,
            "layers.archive is the path of layers.wiki",
            "such as archive",
        ),
        (
            "[layers]\n# x\ninbox = 'memory.md/in'\n",
            3,
            "layers.inbox is below layers.memory, a file",
            "such as archive",
        ),
        ("layers = {raw = '/'}\n", 1, "not a path in the workspace", "such as archive"),
    ],
)
def test_a_mistake_is_answered_with_file_line_and_next_step(tmp_path, text, line, what, hint):
    with pytest.raises(ConfigError) as caught:
        loaded(tmp_path, text)
    assert caught.value.message.startswith(f"memwiki.toml line {line}: ")
    assert what in caught.value.message
    assert hint in caught.value.hint
    assert (caught.value.path, caught.value.line) == ("memwiki.toml", line)


@pytest.mark.parametrize(
    ("variable", "value", "what"),
    [
        ("MEMWIKI_FILES_GITIGNORE", "maybe", "is not true or false: 'maybe'"),
        ("MEMWIKI_FILES_MAX_BYTES", "many", "is not a whole number"),
        ("MEMWIKI_FILES_MAX_BYTES", "-1", "is less than 1"),
        ("MEMWIKI_LAYERS_RAW", "..", "is not a path in the workspace"),
        ("MEMWIKI_LAYERS_RAW", "memory.md", "layers.raw is the path of layers.memory"),
        ("MEMWIKI_FILES_GITIGNOR", "1", "there is no setting MEMWIKI_FILES_GITIGNOR"),
    ],
)
def test_a_mistake_in_the_environment_names_the_variable(tmp_path, variable, value, what):
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, {variable: value})
    assert variable in caught.value.message
    assert what in caught.value.message
    assert caught.value.hint


def test_a_file_with_windows_line_ends_and_a_mark_is_read(tmp_path):
    assert loaded(tmp_path, "\ufeff[files]\r\nmax_bytes = 7\r\n").files.max_bytes == 7


@pytest.mark.parametrize("data", [b"[files]\n# caf\xe9\n", b"\xff\xfe[\0"])
def test_a_file_that_is_no_utf8_is_refused(tmp_path, data):
    (tmp_path / "memwiki.toml").write_bytes(data)
    with pytest.raises(ConfigError, match=r"memwiki\.toml: cannot be read"):
        load(tmp_path, {})


def test_what_is_no_file_is_no_settings(tmp_path):
    os.mkfifo(tmp_path / "memwiki.toml")
    assert load(tmp_path, {}) == Config()


# --- changing ------------------------------------------------------------------------------------


@for_each(
    ("before", "key", "value", "after"),
    [
        ("", "catalog.enabled", "yes", "[catalog]\nenabled = true\n"),
        ("# mine\n", "catalog.enabled", "true", "# mine\n\n[catalog]\nenabled = true\n"),
        ("[files]", "files.max_bytes", "9", "[files]\nmax_bytes = 9\n"),
        (
            "[files]\r\n",
            "recall.max_results",
            "9",
            "[files]\r\n\r\n[recall]\r\nmax_results = 9\r\n",
        ),
        (
            "[files]\r\ngitignore=true",
            "files.max_bytes",
            "9",
            "[files]\r\ngitignore=true\r\nmax_bytes = 9\r\n",
        ),
        (
            "[files]\nmax_bytes=1  # few\n\n[recall]\n",
            "files.max_bytes",
            "9",
            "[files]\nmax_bytes=9  # few\n\n[recall]\n",
        ),
        ("[files]\n  max_bytes = 1", "files.max_bytes", "9", "[files]\n  max_bytes = 9"),
        (
            "[files]\n# max_bytes = 1 # bytes\ngitignore = true\n",
            "files.max_bytes",
            "9",
            "[files]\nmax_bytes = 9 # bytes\ngitignore = true\n",
        ),
        ("[files]\n#max_bytes = 1\n", "files.max_bytes", "9", "[files]\nmax_bytes = 9\n"),
        (
            "[recall]\n# max_bytes = 1\n",
            "files.max_bytes",
            "9",
            "[recall]\n# max_bytes = 1\n\n[files]\nmax_bytes = 9\n",
        ),
        (
            "[files] # all\n\n# end\n[recall]\n",
            "files.max_bytes",
            "9",
            "[files] # all\nmax_bytes = 9\n\n# end\n[recall]\n",
        ),
        (
            "# [files]\n# gitignore = true\n# max_bytes = 1  # x\n\n# [recall]\n",
            "files.max_bytes",
            "9",
            "[files]\n# gitignore = true\nmax_bytes = 9  # x\n\n# [recall]\n",
        ),
        (
            "# [files]\n[recall]\n# max_bytes = 1\n",
            "files.max_bytes",
            "9",
            "# [files]\n[recall]\n# max_bytes = 1\n\n[files]\nmax_bytes = 9\n",
        ),
        (
            "files.gitignore = true\n[recall]\n",
            "files.max_bytes",
            "9",
            "files.gitignore = true\nfiles.max_bytes = 9\n[recall]\n",
        ),
        ("files.max_bytes = 1 # x\n", "files.max_bytes", "9", "files.max_bytes = 9 # x\n"),
        ("[layers]\nraw = 'a # b' # c\n", "layers.raw", "it's", '[layers]\nraw = "it\'s" # c\n'),
        ('[layers]\nraw = "a"\n', "layers.raw", "源", '[layers]\nraw = "源"\n'),
        ('[layers]\nraw = "a"\n', "layers.raw", "", '[layers]\nraw = ""\n'),
        ("[files]\nmax_bytes = 9\n", "files.max_bytes", "9", "[files]\nmax_bytes = 9\n"),
        (
            '[ "files" ]\ngitignore = true\n',
            "files.max_bytes",
            "9",
            '[ "files" ]\ngitignore = true\nmax_bytes = 9\n',
        ),
        (
            "\ufeff[files]\nmax_bytes = 1\n",
            "files.max_bytes",
            "9",
            "\ufeff[files]\nmax_bytes = 9\n",
        ),
    ],
)
def test_one_line_is_changed_and_every_other_byte_stays(before, key, value, after):
    assert set_value(before, key, value) == after


@for_each(
    ("text", "key", "value", "what"),
    [
        ("", "files.max_byte", "1", "there is no setting files.max_byte"),
        ("", "files.max_bytes", "0", "less than 1"),
        ("", "files.gitignore", "perhaps", "is not true or false: 'perhaps'"),
        ("", "layers.raw", "a\nb", "not a path in the workspace"),
        ("", "layers.log", "memory.md", "layers.log is the path of layers.memory"),
        ('[layers]\nwiki = "w"\n', "layers.archive", "w", "the path of layers.wiki"),
        ("", "layers.inbox", "memory.md/x", "is below layers.memory, a file"),
        ("[files]\nx = 1\n", "files.max_bytes", "1", "there is no setting files.x"),
        ("files = {gitignore = true}\n", "files.max_bytes", "1", "memwiki does not change"),
        ("[files]\nmax_bytes =\\\n1", "files.max_bytes", "1", "is not TOML"),
        ('[layers]\nraw = """a"""\n', "layers.raw", "b", "memwiki does not change"),
    ],
)
def test_what_cannot_be_set_is_refused(text, key, value, what):
    with pytest.raises(ConfigError) as caught:
        set_value(text, key, value)
    assert what in caught.value.message
    assert caught.value.hint


def test_every_setting_can_be_set_in_the_template(tmp_path):
    text = TEMPLATE.read_text("utf-8")
    special = {"layers.memory": "5.md", "layers.learnings": "6.md"}
    special |= {"layers.log": "7.md", "memory.conflict_mode": "jaccard"}
    special |= {"memory.value_weights": "1, 0.5, 0", "memory.decay_rates": "event 0.1"}
    special |= {"recall.mode": "deep", "recall.weights": "text 0.7, graph 0.3"}
    special |= {"recall.vectors": "only", "recall.fusion": "rrf", "recall.early_return": "0.7"}
    special |= {"vectors.of": "pages"}
    special |= {"memory.preset": "agent", "memory.decay": "by_type"}
    special |= {"session.strategy": "sliding_window"}
    special |= {"doors.profile": "small", "doors.max_tokens": "700"}
    special |= {"doors.supersede": "review", "extract.on": "session_end"}
    special |= {"curation.at": "21:00", "index.keyword": "sqlite"}
    special |= {"pages.dialect": "logseq", "pages.slash": "___", "pages.filename": "title"}
    special |= dict.fromkeys(("pages.daily_format", "pages.daily_title"), "%d.%m.%Y")
    special |= dict.fromkeys(("memory.hygiene_enabled", "memory.snapshot_enabled"), "false")
    for each in settings(load(tmp_path, {})):
        usual = "0.7" if each.value.startswith("0.") else "7"
        value = {"true": "true", "false": "true"}.get(each.value, special.get(each.key, usual))
        changed = set_value(text, each.key, value)
        values = {s.key: s.value for s in settings(loaded(tmp_path, changed))}
        assert values[each.key] == value
        gone = [line for line in text.splitlines() if line not in changed.splitlines()]
        assert len(gone) <= 2  # a setting, and its table where that was a comment


@profile(deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "[files]",
                "[layers]",
                "max_bytes = 3",
                "# max_bytes = 4",
                "wiki = 'w'",
                "",
                "# note",
                "  ",
            ]
        )
    ),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_a_change_shows_and_touches_one_line_at_most(lines, end, ended):
    text = end.join(lines) + (end if ended else "")
    try:
        changed = set_value(text, "files.max_bytes", "9")
    except ConfigError:
        return
    assert set_value(changed, "files.max_bytes", "9") == changed
    before = [line for line in text.splitlines() if "max_bytes" not in line]
    after = [line for line in changed.splitlines() if "max_bytes" not in line]
    assert after[: len(before)] == before
    assert after[len(before) :] in ([], ["", "[files]"], ["[files]"])
    assert changed.count("max_bytes") - text.count("max_bytes") in (0, 1)


# --- locations
# --------------------------------------------------------------------------------------


def test_a_workspace_is_found_upwards(tmp_path):
    deep = tmp_path / "a/b/c"
    deep.mkdir(parents=True)
    assert find_workspace(deep, {}) is None
    (tmp_path / ".memwiki").mkdir()
    assert find_workspace(deep, {}) == tmp_path
    (tmp_path / "a/memwiki.toml").touch()
    assert find_workspace(deep, {"MEMWIKI_WORKSPACE": "/"}) == tmp_path / "a"


def test_the_environment_names_the_workspace_where_none_is_found(tmp_path, monkeypatch):
    (tmp_path / "ws").mkdir()
    assert find_workspace(tmp_path, {"MEMWIKI_WORKSPACE": str(tmp_path / "ws")}) == tmp_path / "ws"
    with pytest.raises(ConfigError, match="is not a folder"):
        find_workspace(tmp_path, {"MEMWIKI_WORKSPACE": str(tmp_path / "nowhere")})


def test_the_cache_is_ours_alone(tmp_path):
    environ = {"HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    found = cache_root(environ)
    assert found == tmp_path / ".cache/memwiki"
    assert stat.S_IMODE(found.stat().st_mode) == 0o700
    assert list(found.iterdir()) == []
    assert cache_root(environ) == found


def test_the_first_place_that_serves_is_taken(tmp_path):
    temporary = tmp_path / f"memwiki-{os.getuid()}"
    environ = {"TMPDIR": str(tmp_path), "HOME": str(tmp_path / "blocked")}
    (tmp_path / "blocked").touch()
    assert cache_root(environ) == temporary
    xdg = environ | {"XDG_CACHE_HOME": str(tmp_path / "xdg")}
    assert cache_root(xdg) == tmp_path / "xdg/memwiki"
    named = xdg | {"MEMWIKI_CACHE_DIR": str(tmp_path / "named")}
    assert cache_root(named) == tmp_path / "named"
    assert cache_root(xdg | {"MEMWIKI_CACHE_DIR": str(tmp_path / "blocked/x")}).name == "memwiki"
    assert cache_root(environ | {"XDG_CACHE_HOME": "relative"}) == temporary


def test_a_place_that_others_can_write_or_own_is_refused(tmp_path, monkeypatch):
    environ = {"MEMWIKI_CACHE_DIR": str(tmp_path / "open"), "HOME": str(tmp_path)}
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    assert cache_root(environ) == tmp_path / ".cache/memwiki"
    monkeypatch.setattr(os, "geteuid", lambda: 4242)
    assert cache_root(environ | {"TMPDIR": str(tmp_path)}) is None


def test_a_link_in_the_shared_folder_is_a_trap(tmp_path):
    (tmp_path / "mine").mkdir(mode=0o700)
    (tmp_path / f"memwiki-{os.getuid()}").symlink_to("mine")
    (tmp_path / "blocked").touch()
    assert cache_root({"TMPDIR": str(tmp_path), "HOME": str(tmp_path / "blocked")}) is None


def test_a_place_where_nothing_can_be_written_is_passed_over(tmp_path, monkeypatch):
    def refuse(self, **_):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "touch", refuse)
    assert cache_root({"HOME": str(tmp_path), "TMPDIR": str(tmp_path)}) is None


def test_two_threads_that_try_one_place_at_a_time_both_take_it(tmp_path, monkeypatch):
    touch = Path.touch

    def touch_as_the_other_is_done(self, **given):
        touch(self, **given)
        self.unlink()

    monkeypatch.setattr(Path, "touch", touch_as_the_other_is_done)
    assert cache_root({"HOME": str(tmp_path)}) == tmp_path / ".cache/memwiki"


def test_other_systems_are_asked_for_their_cache_folder(tmp_path, monkeypatch):
    import platformdirs

    monkeypatch.setattr(locations.sys, "platform", "darwin")
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda: tmp_path / "Library/Caches")
    assert cache_root({"HOME": str(tmp_path)}) == tmp_path / "Library/Caches/memwiki"


@for_each(
    ("variables", "words"),
    [
        ({"EDITOR": "vi"}, ("vi",)),
        ({"EDITOR": "vi", "VISUAL": "code --wait"}, ("code", "--wait")),
        ({"EDITOR": "vi", "VISUAL": " "}, ("vi",)),
        ({"EDITOR": "'/my programs/ed' -x"}, ("/my programs/ed", "-x")),
    ],
)
def test_the_editor_is_the_persons_with_its_arguments(variables, words):
    assert editor(variables) == words


@for_each("variables", [{}, {"EDITOR": ""}, {"EDITOR": "'open"}])
def test_without_a_readable_editor_the_next_step_is_said(variables):
    with pytest.raises(ConfigError) as raised:
        editor(variables)
    assert raised.value.hint


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# x\n" * 20_000, "is over 64 KB"),
        ("[files]\n" + "a." * 25_000 + "b = 1\n", "line 2: has a key of too many parts"),
        ("a = 1\n" + "'a' . " * 200 + "b = 1\n", "line 2: has a key of too many parts"),
        ("x = " + "[" * 2_000, "is nested too deeply"),
        ("x = " + "{a = " * 2_000, "is nested too deeply"),
        ("[files]\nmax_bytes = " + "1" * 5_000, "is not TOML"),
    ],
)
def test_settings_made_to_hold_a_command_up_are_refused(tmp_path, text, said):
    (tmp_path / "memwiki.toml").write_text(text)
    with pytest.raises(ConfigError, match=said):
        load(tmp_path, {})


def test_a_number_of_many_digits_in_the_environment_is_no_number(tmp_path):
    with pytest.raises(ConfigError, match="not a whole number"):
        load(tmp_path, {"MEMWIKI_FILES_MAX_BYTES": "1" * 5_000})


@for_each("given", ["0.3", "0.3, 0.5", "1, 2, three", "-1, 0, 0", "nan, 0, 0", ""])
def test_weights_are_three_numbers_from_zero_on(given):
    with pytest.raises(ConfigError, match="is not a list of 3 numbers from 0 on"):
        set_value("", "memory.value_weights", given)


def test_a_word_that_a_list_does_not_know_is_refused_with_those_it_does(tmp_path):
    (tmp_path / "memwiki.toml").write_text('[extract]\non = ["session_end", "sesion_end"]\n')
    with pytest.raises(ConfigError, match=r"line 2: extract\.on has 'sesion_end'") as error:
        load(tmp_path, {})
    assert error.value.hint == "known: session_end"
