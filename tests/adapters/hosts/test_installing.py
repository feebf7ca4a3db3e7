"""An installation for an agent's program touches only spans of its own and leaves no trace."""

import contextlib
import json
import os
import re
import shlex
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from memwiki.adapters.hosts.json_edit import parse
from memwiki.adapters.hosts.programs import DESCRIPTION, HOSTS, shell_line
from memwiki.change import outside
from memwiki.change.outside import OutsideEdit, apply_outside
from memwiki.cli.main import main
from memwiki.errors import (
    AlreadyExistsError,
    ConflictError,
    UnreadableError,
    UnsafePathError,
    UsageError,
)
from memwiki.workspace import Workspace
from tests.effort import each_in_turn, for_each

LICENSE = Path(__file__).parents[3] / "LICENSE"
SERVER = {"command": "memwiki", "args": ["-C", ".", "mcp"]}
JSON = [
    "{}", "{}\n", "{\n}\n", "{ }", '{"a": 1}', '{"a":1,}',
    '{\n  "a": 1\n}\n', '{\r\n\t"a": 1\r\n}\r\n',
    "\ufeff{}\n", "// mine\n{\n  // more\n}\n", '{"mcpServers": {}}',
    '{"mcpServers": {}, "hooks": {}}',
    '{\n    "mcpServers": {\n        "x": {"command": "x"} // mine\n    }\n}\n',
    '{\n  "mcpServers": {\n    "x": {"command": "x"},\n  },\n}\n',
    '{"hooks": {"SessionStart": []}}',
    '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}',
    '{\n "hooks": {\n  "SessionStart": [\n   {"matcher": "startup", "hooks": []}\n  ]\n }\n}\n',
    '{"hooks": {"beforeSubmitPrompt": [{"command": "x"}]}, "version": 1}',
    '/* a */ {"b": [1, 2, ]} // c',
    '{"日本": "ü", "mcpServers": {"é": {}}}', '{"a": {"hooks": {}}, "b": null}', '  {\n}\n\n\n',
    '{\n\n  "a": 1,\n\n  "b": 2\n\n}\n', '{"a": "}", "b": "//"}', '{"mcpServers":{"x":{}},"z":1}\n',
]  # fmt: skip
TOML = [
    "", "\n", "a = 1", "a = 1\n", "# c\n\n\n", '[mcp_servers.x]\ncommand = "x"\n', "[a]\nb = 1",
    "a = 1\r\n[b]\r\nc = 2\r\n", 'x = """\n# memwiki: begun\n"""\n', "[[a]]\nb = 1\n\n",
]  # fmt: skip


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def agents(root, home):
    return Workspace.open(root, environ={"HOME": str(home), "PATH": ""}).agents


def files(folder: Path) -> dict[str, bytes]:
    own = (path for path in folder.rglob("*") if path.is_file() and ".memwiki" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in own}


def write(root, path, text):
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode())
    return place


@pytest.mark.parametrize(("options", "where"), [((), "inside"), (("--user",), "outside")])
def test_who_is_asked_is_told_where_the_files_are(
    root, tmp_path, monkeypatch, capsys, options, where
):
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (root / "memwiki.toml").write_text("")
    assert main(["-C", str(root), "agent", "install", "codex", *options]) == 1
    assert f"changes files {where} the workspace" in capsys.readouterr().err


@pytest.mark.parametrize("agent", HOSTS)
@pytest.mark.parametrize("user", [False, True])
def test_what_is_installed_goes_without_a_trace(agents, root, home, agent, user):
    home.mkdir(exist_ok=True)
    before = files(root), files(home)
    report = agents.install(agent, user=user, capture=True, instructions=True)
    assert {file.change for file in report.files} == {"created"}
    assert (files(root), files(home)) != before
    assert {part.agent for part in agents.status().parts} >= {agent}
    assert agents.install(agent, user=user, capture=True, instructions=True).files == ()
    agents.uninstall(agent, user=user)
    assert (files(root), files(home)) == before
    assert not [each for each in home.iterdir() if each.name != ".cache"]
    assert agents.status().parts == ()


AGENTS_OF_JSON = ("claude-code", "cursor", "gemini")


@pytest.mark.parametrize(
    ("agent", "text"),
    [(agent, text) for n, text in enumerate(JSON) for agent in each_in_turn(AGENTS_OF_JSON, n)],
)
def test_json_that_was_there_gets_its_bytes_back(agents, root, agent, text):
    host = HOSTS[agent]
    for path in {host.mcp, host.hooks}:
        write(root, path, text)
    before = files(root)
    report = agents.install(agent, capture=True)
    assert {file.change for file in report.files} <= {"created", "changed"}
    told = json.dumps(agents.status()._asdict())
    assert "server" in told and "hooks" in told
    assert agents.install(agent, capture=True).files == ()
    agents.uninstall(agent)
    assert files(root) == before


@pytest.mark.parametrize("hooks", ["null", '{"SessionStart":{}}'])
def test_a_server_that_was_installed_twice_beside_strange_hooks_goes(agents, root, hooks):
    text = f'{{"hooks":{hooks}}}'
    write(root, ".gemini/settings.json", text)
    agents.install("gemini")
    agents.install("gemini")
    agents.uninstall("gemini")
    assert (root / ".gemini/settings.json").read_text("utf-8") == text


@pytest.mark.parametrize("text", TOML)
def test_toml_that_was_there_gets_its_bytes_back(agents, root, text):
    place = write(root, ".codex/config.toml", text)
    agents.install("codex")
    read = tomllib.loads(place.read_bytes().decode())
    assert read["mcp_servers"]["memwiki"] == SERVER
    agents.uninstall("codex")
    assert place.read_bytes() == text.encode()


def test_what_others_add_in_between_stays(agents, root):
    place = write(root, ".claude/settings.json", '{\n  "model": "x"\n}\n')
    agents.install("claude-code")
    held = json.loads(place.read_text())
    held["hooks"]["SessionStart"][0]["hooks"].append({"type": "command", "command": "say hi"})
    held["hooks"]["Stop"] = []
    place.write_text(json.dumps(held, indent=4))
    agents.uninstall("claude-code")
    assert json.loads(place.read_text()) == {
        "model": "x",
        "hooks": {
            "SessionStart": [{"hooks": [{"type": "command", "command": "say hi"}]}],
            "Stop": [],
        },
    }


@pytest.mark.parametrize(
    ("path", "text", "why"),
    [
        (".mcp.json", "{", "not JSON: line 1"),
        (".mcp.json", "", "not JSON: line 1"),
        (".mcp.json", "[]", "another kind"),
        (".mcp.json", '{"mcpServers": []}', "mcpServers is of another kind"),
        (".mcp.json", '{"mcpServers": {"memwiki": {"command": "x"}}}', "there and not ours"),
        (".claude/settings.json", '{"hooks": {"SessionStart": {}}}', "another kind"),
        (".claude/skills/memwiki/SKILL.md", "mine", "changed by somebody else"),
    ],
)
def test_what_cannot_be_edited_surely_is_refused_with_what_to_paste(agents, root, path, text, why):
    place = write(root, path, text)
    report = agents.install("claude-code")
    (refused,) = [file for file in report.files if file.change == "refused"]
    assert refused.path == str(place) and why in refused.why and "memwiki" in refused.snippet
    assert place.read_text() == text
    agents.uninstall("claude-code")
    assert files(root) == {path: text.encode()}


@pytest.mark.parametrize(
    "text",
    [
        "a = [",
        "mcp_servers = {x = 1}\n",
        '[mcp_servers.memwiki]\ncommand = "x"\n',
        'x = """\n',
        f"a = {'[' * 5_000}",
        f"a = {'9' * 5_000}\n",
    ],
)
def test_toml_that_would_read_otherwise_is_refused(agents, root, text):
    place = write(root, ".codex/config.toml", text)
    (refused,) = [f for f in agents.install("codex").files if f.change == "refused"]
    assert "TOML" in refused.why and "[mcp_servers.memwiki]" in refused.snippet
    assert place.read_text() == text


@pytest.mark.parametrize(
    "text",
    [
        "# memwiki: begin\nq = 1\n# memwiki: end\n",
        'x = """\n# memwiki: begin\n# memwiki: end\n"""\n',
    ],
)
def test_marks_of_ours_around_what_is_not_ours_are_left_alone(agents, root, text):
    place = write(root, ".codex/config.toml", text)
    report = agents.install("codex")
    (refused,) = (file for file in report.files if file.change == "refused")
    assert refused.path == str(place)
    agents.uninstall("codex")
    assert place.read_text() == text


@pytest.mark.parametrize(
    ("agent", "path"), [("codex", ".codex/config.toml"), ("gemini", ".gemini/settings.json")]
)
def test_what_was_broken_in_between_is_not_left_in_silence(agents, root, agent, path):
    agents.install(agent)
    whole = (root / path).read_bytes()
    (root / path).write_bytes(whole + b"= oops")
    assert path in [os.path.relpath(part.path, root) for part in agents.status().parts]
    left = agents.uninstall(agent).files
    assert {file.path for file in left if file.change == "refused"} == {str(root / path)}
    (root / path).write_bytes(whole)
    agents.uninstall(agent)
    assert files(root) == {}


def test_tables_that_others_wrote_behind_ours_stay(agents, root):
    place = write(root, ".codex/config.toml", "a = 1\r\n")
    agents.install("codex")
    place.write_bytes(place.read_bytes() + b"\r\n[mine]\r\nb = 2\r\n")
    agents.install("codex")
    agents.uninstall("codex")
    assert place.read_bytes() == b"a = 1\r\n\r\n[mine]\r\nb = 2\r\n"


def test_a_file_in_other_letters_is_left_alone(agents, root):
    (root / ".mcp.json").write_bytes(b'{"a": "\xff"}')
    report = agents.install("claude-code")
    assert [f.why for f in report.files if f.change == "refused"] == ["not UTF-8"]


def test_a_symlink_stays_and_its_file_changes(agents, root, tmp_path):
    target = write(tmp_path, "dotfiles/mcp.json", "{}\n")
    (root / ".mcp.json").symlink_to(target)
    agents.install("claude-code")
    assert (root / ".mcp.json").is_symlink()
    assert json.loads(target.read_text())["mcpServers"]["memwiki"] == SERVER
    agents.uninstall("claude-code")
    assert target.read_text() == "{}\n"


def test_a_skill_that_others_need_stays_until_the_last_one_goes(agents, root):
    agents.install("codex")
    agents.install("gemini")
    agents.uninstall("codex")
    assert (root / ".agents/skills/memwiki/SKILL.md").is_file()
    agents.uninstall("gemini")
    assert files(root) == {}


def said(root):
    """The files of a project, JSON by its values."""
    return {
        path: parse(data.decode().removeprefix("\ufeff")).value if path.endswith("json") else data
        for path, data in files(root).items()
    }


@pytest.mark.parametrize("agent", HOSTS)
@pytest.mark.parametrize(
    "text",
    [None, '{"hooks": {"Stop": [], "sessionEnd": []}, "version": 1}',
     '{\r\n\t"a": 1, // b\r\n}\r\n',
     '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}'],
)  # fmt: skip
def test_recording_that_is_taken_back_leaves_no_trace(agents, root, agent, text):
    if text is not None:
        write(root, HOSTS[agent].hooks, text)
    before = files(root)
    agents.install(agent)
    plain = said(root)
    agents.install(agent, capture=True)
    assert said(root) != plain
    agents.install(agent)
    assert said(root) == plain
    assert agents.install(agent).files == ()
    agents.uninstall(agent)
    assert files(root) == before
    agents.install(agent, capture=True)
    agents.install(agent)
    agents.uninstall(agent)
    assert files(root) == before


def test_a_project_elsewhere_names_the_workspace_relatively(agents, root, tmp_path):
    project = tmp_path / "code" / "app"
    agents.install("claude-code", project)
    args = json.loads((project / ".mcp.json").read_text())["mcpServers"]["memwiki"]["args"]
    assert args == ["-C", Path(os.path.relpath(root, project)).as_posix(), "mcp"]


def test_the_users_own_server_of_claude_code_is_a_command_to_run(agents, root):
    report = agents.install("claude-code", user=True)
    (command,) = report.commands
    assert command.startswith("claude mcp add --scope user memwiki -- ")
    assert command.endswith(f"-C {root} mcp")


@for_each(
    ("word", "as_read"),
    [("C:\\Tools\\memwiki.exe", '"C:\\Tools\\memwiki.exe"'), ("a b", '"a b"'), ("a&b", '"a&b"'),
     ("(x)", '"(x)"'), ("--host", "--host"), ("../mem", "../mem")],
)  # fmt: skip
def test_a_command_is_quoted_for_the_shells_of_windows(word, as_read):
    assert shell_line(["memwiki", word], is_windows=True) == f"memwiki {as_read}"


@pytest.mark.parametrize("name", ["with space", "it's", 'say "hi"', "日本 $HOME", "a;b&c"])
def test_a_folder_of_any_name_is_one_word_of_the_command(tmp_path, home, name):
    folder = tmp_path / name
    folder.mkdir()
    (folder / "memwiki.toml").write_text("")
    agents = Workspace.open(folder, environ={"HOME": str(home), "PATH": ""}).agents
    agents.install("codex", user=True)
    hooks = json.loads((home / ".codex/hooks.json").read_text())["hooks"]
    words = shlex.split(hooks["SessionStart"][0]["hooks"][0]["command"])
    assert words[words.index("-C") + 1] == str(folder)
    table = tomllib.loads((home / ".codex/config.toml").read_text())["mcp_servers"]["memwiki"]
    assert str(folder) in table["args"]
    agents.uninstall("codex", user=True)
    assert files(home) == {}


def test_a_dry_run_shows_the_change_and_makes_none(agents, root):
    report = agents.install("gemini", dry_run=True)
    assert '+    "memwiki": {' in report.diff
    assert files(root) == {}


def test_an_unknown_agent_is_an_error_that_names_the_known(agents):
    with pytest.raises(UsageError, match="'vim' is not known") as error:
        agents.install("vim")
    assert "codex" in error.value.hint


def test_the_skill_is_short_and_says_when_to_use_it(agents, root):
    agents.install("codex", instructions=True)
    lines = (root / ".agents/skills/memwiki/SKILL.md").read_text().splitlines()
    assert lines[:2] == ["---", "name: memwiki"] and len(lines) <= 200
    assert len(DESCRIPTION) <= 1024
    assert any("show me" in line and "memwiki open --web" in line for line in lines)
    block = (root / "AGENTS.md").read_text().splitlines()
    assert len(block) - 2 <= 14
    for text in ("\n".join(lines), "\n".join(block)):
        assert "`propose`" in text and "extract SESSION --brief" in text
        assert "asks you to remember" in text


def test_a_plugin_is_a_folder_that_programs_take(agents, tmp_path):
    agents.plugin(tmp_path / "plugin")
    made = files(tmp_path / "plugin")
    codex = {
        ".codex-plugin/plugin.json",
        ".mcp.json",
        "hooks/codex.json",
        "skills/memwiki/SKILL.md",
        "README.md",
        "LICENSE",
        "assets/icon.svg",
    }
    assert set(made) == {
        ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json", "hooks/hooks.json",
        ".agents/plugins/marketplace.json", *codex, *(f"plugins/memwiki/{path}" for path in codex),
    }  # fmt: skip
    assert json.loads(made[".claude-plugin/marketplace.json"])["plugins"][0]["source"] == "./"
    (entry,) = json.loads(made[".agents/plugins/marketplace.json"])["plugins"]
    manifest = json.loads(made[f"{entry['source']['path'][2:]}/.codex-plugin/plugin.json"])
    hooks = f"{entry['source']['path'][2:]}/{manifest['hooks'][2:]}"
    assert b"--host codex" in made[hooks] and b"claude-code" not in made[hooks]
    assert b"--host claude-code" in made["hooks/hooks.json"]
    with pytest.raises(AlreadyExistsError):
        agents.plugin(tmp_path / "plugin")


# What `claude plugin validate --strict` takes; any other field is refused there.
MANIFEST = {
    *("name", "version", "description", "author", "homepage", "repository", "license", "keywords"),
    *("commands", "agents", "skills", "hooks", "mcpServers"),
}
ENTRY = {"name", "source", "description", "author", "category", "version", "tags", "keywords"}


def test_a_directory_of_plugins_finds_all_that_it_asks_for(agents, tmp_path):
    agents.plugin(tmp_path / "plugin")
    made = files(tmp_path / "plugin")
    claude = json.loads(made[".claude-plugin/plugin.json"])
    assert set(claude) <= MANIFEST and claude["author"]["name"]
    assert re.fullmatch(r"[a-z][a-z0-9-]*", claude["name"]) and claude["license"] == "MIT"
    market = json.loads(made[".claude-plugin/marketplace.json"])
    assert set(market["plugins"][0]) <= ENTRY and market["owner"]["name"]
    assert market["metadata"]["description"]
    for folder in ("", "plugins/memwiki/"):
        assert made[f"{folder}LICENSE"] == LICENSE.read_bytes()
        assert len(made[f"{folder}README.md"].split()) > 100
        codex = json.loads(made[f"{folder}.codex-plugin/plugin.json"])
        assert codex["author"] == claude["author"]
        for name in ("logo", "composerIcon"):
            picture = made[folder + codex["interface"][name].removeprefix("./")]
            assert ElementTree.fromstring(picture).get("width") == "512"


def test_only_what_is_allowed_is_edited_and_only_over_what_was_read(tmp_path):
    file = tmp_path / "a.json"
    with pytest.raises(UnsafePathError):
        apply_outside([OutsideEdit(file, None, b"x")], {tmp_path / "b.json"})
    file.write_bytes(b"other")
    with pytest.raises(ConflictError):
        apply_outside([OutsideEdit(file, b"old", b"new")], {file})
    assert file.read_bytes() == b"other"


ORDERS = [
    (("gemini", "cursor", "codex", "claude-code"), ("codex", "claude-code", "gemini", "cursor")),
    (("codex", "gemini", "claude-code", "cursor"), ("gemini", "codex", "cursor", "claude-code")),
]


@pytest.mark.parametrize(("first", "then"), ORDERS)
def test_programs_come_in_one_order_and_go_in_another(agents, root, first, then):
    write(root, ".gemini/settings.json", '{\r\n\t"theme": "dark", // mine\r\n}\r\n')
    write(root, ".codex/config.toml", 'model = "x"\n')
    write(root, "AGENTS.md", "# Mine")
    before = files(root)
    for agent in first:
        agents.install(agent, instructions=True)
        agents.install(agent, capture=True, instructions=True)
        agents.install(agent, instructions=True)
    skill = root / ".agents/skills/memwiki/SKILL.md"
    for agent in then:
        assert skill.exists() or agent == "claude-code"
        agents.uninstall(agent)
    assert files(root) == before
    assert not (root / ".agents").exists()


@pytest.mark.parametrize("stop", range(4))
@pytest.mark.parametrize("agent", ["claude-code", "gemini"])
def test_a_crash_between_two_files_leaves_nothing_that_uninstalling_does_not_know(
    agents, root, monkeypatch, agent, stop
):
    real, calls = outside._make, []

    def make(edit):
        calls.append(edit)
        if len(calls) > stop:
            raise KeyboardInterrupt
        real(edit)

    with monkeypatch.context() as patched:
        patched.setattr(outside, "_make", make)
        with contextlib.suppress(KeyboardInterrupt):
            agents.install(agent, instructions=True)
    if stop % 2:  # a second try, or none
        agents.install(agent, instructions=True)
        assert agents.install(agent, instructions=True).files == ()
    left = agents.uninstall(agent)
    refused = [Path(each.path).name for each in left.files if each.change == "refused"]
    assert set(refused) <= {"SKILL.md"}
    assert set(files(root)) == {path for path in files(root) if path.endswith("SKILL.md")}
    agents.install(agent)
    agents.uninstall(agent)
    assert files(root) == {}


def test_what_was_made_once_is_not_taken_from_who_made_it_again(agents, root):
    agents.install("claude-code")
    (root / ".mcp.json").unlink()
    place = write(root, ".mcp.json", '{"mcpServers": {}}\n')
    agents.install("claude-code")
    agents.uninstall("claude-code")
    assert place.read_text() == '{"mcpServers": {}}\n'


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_a_pipe_in_place_of_a_file_is_refused_and_not_waited_for(agents, root):
    os.mkfifo(root / ".mcp.json")
    with pytest.raises(UnreadableError, match="not a regular file"):
        agents.install("claude-code")
    assert files(root) == {}


@pytest.mark.parametrize("project", ["\ud800", "a\0b"])
def test_what_cannot_be_a_path_is_a_sentence(agents, project):
    for call in (agents.install, agents.uninstall):
        with pytest.raises(UsageError, match="agent: "):
            call("codex", project)
    with pytest.raises(UsageError, match="agent: "):
        agents.plugin(project)


def test_hooks_that_changed_await_review_again(agents):
    def state():
        return {part.state for part in agents.status().parts if part.part == "hooks"}

    agents.install("codex")
    agents.conversation("codex", "s1").begin()
    assert state() == {"active"}
    agents.install("codex")
    assert state() == {"active"}
    agents.install("codex", capture=True)
    assert state() == {"awaiting review"}
