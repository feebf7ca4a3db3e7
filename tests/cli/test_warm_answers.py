"""What a process that has everything loaded answers is what the command alone answers, to the
byte."""

from __future__ import annotations

import json
import re
import sys

import pytest

from tests.cli.warm import COLD, WARM, WarmVault
from tests.effort import IS_WIDE, each_in_turn
from tests.waiting import until

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="fork and inotify")


@pytest.fixture(scope="module")
def vault():
    found = WarmVault()
    found.run(COLD, ["sync"])
    found.run(COLD, ["recall", "heron"])  # makes the index of what is not private
    found.start()
    found.wait_until_known()
    until(found.is_answering)
    yield found
    found.end()


COMMANDS = [
    ["search", "heron"],
    ["search", "heron", "--json"],
    ["--json", "search", "heron", "--explain"],
    ["search", "heron", "--jsonl"],
    ["search", "heron", "--format", "{path}\\t{title}"],
    ["search", "heron", "--limit", "1", "--count"],
    ["search", "drin"],
    ["search", "使用"],
    ["search", "--", "-heron"],
    ["search", "nothing-has-this"],
    ["search"],
    ["search", ""],
    ["search", "since:never"],
    ["search", "heron", "--limit", "0"],
    ["search", "heron", "--nonsense"],
    ["search", "heron", "--json", "--jsonl"],
    ["search", "--help"],
    ["search", "what is it about the heron"],
    ["-q", "search", "heron", "--limit", "1"],
    ["--no-sync", "search", "heron"],
    ["--no-sync", "--json", "tags"],
    ["recall", "what does the heron like?"],
    ["recall", "what does the heron like?", "--json", "--explain"],
    ["recall", "door code", "--private"],
    ["recall", "door code"],
    ["recall", "heron", "--format", "prompt", "--budget", "200"],
    ["recall", "heron", "--format", "markdown"],
    ["recall", "heron", "--format", "nonsense"],
    ["recall", "使用这个功能"],
    ["get", "tea"],
    ["get", "tea", "--json"],
    ["get", "wiki/heron.md#Nest"],
    ["get", "wiki/heron.md:1-3"],
    ["get", "再见 世界"],
    ["get", "large"],
    ["get", "no such page"],
    ["get", "../outside.md"],
    ["links", "tea"],
    ["links", "--unresolved", "--json"],
    ["list"],
    ["list", "--sort", "size", "--json"],
    ["tags"],
    ["tags", "--json"],
    ["browse"],
    ["browse", "wiki"],
    ["suggest", "gre"],
    ["suggest", "he", "--json"],
    ["status"],
    ["status", "--json"],
    ["status", "wiki/heron.md"],
    ["status", "--metrics"],
    ["status", "--trend"],
    ["context"],
    ["context", "--json", "--budget", "100"],
    ["-C", "wiki", "search", "heron"],
    ["-C", "/nowhere/at/all", "search", "heron"],
    ["-w", "nobody", "search", "heron"],
    ["-n", "nobody", "search", "heron"],
    ["-n", "", "list"],
    ["-n", "*", "list"],
    ["--actor", "somebody", "list"],
    ["--here", "list"],
    ["-C"],
]


@pytest.mark.parametrize(("turn", "arguments"), list(enumerate(COMMANDS)), ids=str)
def test_every_byte_and_the_exit_code_are_those_of_the_command_alone(vault, turn, arguments):
    vault.forget_use()
    warm = vault.run(WARM, arguments)
    vault.forget_use()  # else the second one of two would find what the first one counted
    is_begun_anew = IS_WIDE or turn % 8 == 0
    assert warm == (vault.run(COLD, arguments) if is_begun_anew else vault.run_here(arguments))


SHOWN = [
    (["search", "heron"], {}),
    (["search", "heron"], {"NO_COLOR": "1"}),
    (["search", "heron"], {"COLUMNS": "30"}),
    (["list"], {"TERM": "dumb"}),
    (["get", "wiki/heron.md"], {}),
    (["get", "no such page"], {}),
    (["status"], {}),
    (["browse"], {}),
]
SURROUNDINGS = [
    ("wiki", {}),
    ("..", {}),
    ("..", {"MEMWIKI_WORKSPACE": "notes"}),
    (".", {"MEMWIKI_RECALL_LIMIT": "1"}),
    (".", {"MEMWIKI_RECALL_LIMIT": "many"}),
    (".", {"MEMWIKI_NO_SUCH_SETTING": "1"}),
    (".", {"TZ": "Asia/Shanghai"}),
    (".", {"LC_ALL": "C"}),
    (".", {"PYTHONUTF8": "0"}),
    (".", {"HOME": "/nowhere"}),
]
ASKED = (["search", "heron"], ["recall", "heron"], ["get", "heron"])


@pytest.mark.parametrize(("turn", "shown"), list(enumerate(SHOWN)), ids=str)
def test_a_terminal_shows_the_same_in_its_width_and_colours(vault, turn, shown):
    arguments, variables = shown
    for width in each_in_turn((40, 100), turn):
        warm, cold = (
            vault.on_terminal(program, arguments, width=width, **variables)
            for program in (WARM, COLD)
        )
        assert warm == cold
        assert warm[1]


@pytest.mark.parametrize(("turn", "surroundings"), list(enumerate(SURROUNDINGS)), ids=str)
def test_folder_and_environment_are_those_of_the_command(vault, turn, surroundings):
    folder, variables = surroundings
    for arguments in each_in_turn(ASKED, turn):
        vault.forget_use()
        warm = vault.run(WARM, arguments, folder=folder, **variables)
        vault.forget_use()
        assert warm == vault.run(COLD, arguments, folder=folder, **variables)


def test_an_edit_just_before_the_command_is_in_the_answer(vault):
    place = vault.root / "wiki/new.md"
    for number in range(12):
        place.write_text(f"# New\n\nstork{number}\n")
        assert fresh_count(vault, f"stork{number}") == 1
    place.unlink()
    assert fresh_count(vault, "stork11") == 0


def fresh_count(vault, word):
    """How many pages a search finds that is not behind, as it says while others write for long."""

    def searched():
        code, found, _ = vault.run(WARM, ["search", word, "--json"])
        assert code == 0
        return found if b'"fresh": true' in found else None

    return int(re.search(rb'"total": (\d+),', until(searched, word))[1])


def test_other_settings_count_at_once(vault):
    assert b"tea.md" in vault.run(WARM, ["list"])[1]
    (vault.root / ".memwikiignore").write_text("tea.md\n")
    assert b"tea.md" not in vault.run(WARM, ["list"])[1]
    (vault.root / ".memwikiignore").unlink()
    assert b"tea.md" in vault.run(WARM, ["list"])[1]


def test_settings_that_cannot_be_used_are_said_as_by_the_command_alone(vault):
    toml = vault.root / "memwiki.toml"
    for text in ("[recall]\nlimit = 2\n", "[recall]\nlimit = 'many'\n", "[[", ""):
        vault.run(WARM, ["search", "heron"])  # and so it is open for the next
        toml.write_text(text)
        for arguments in (["search", "heron"], ["get", "tea", "--json"]):
            assert vault.run(WARM, arguments) == vault.run(COLD, arguments)


def test_a_recall_counts_once_as_use(vault):
    def recalls():
        return json.loads(vault.run(COLD, ["usage", "--json"])[1])["usage"]

    vault.run(WARM, ["recall", "green tea of the heron"])
    before = recalls()
    vault.run(WARM, ["search", "heron"])
    assert recalls() == before
    vault.run(WARM, ["recall", "green tea of the heron"])
    assert recalls() != before
