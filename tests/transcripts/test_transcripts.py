"""Sessions at the command line, as they stand in the markdown files beside this one and in the
docs.

A `console` block holds commands after `$` and what they print, stdout before stderr; `...` stands
for anything, `[3]` for an exit code other than 0; `< FILE` is read as standard input. A block with
a path writes that file. git and cd may be called between the commands; what git prints is not
looked at. The ids of entries count up: m-000001, m-000002 and so on.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from memwiki.cli.main import main
from memwiki.cli.registry import COMMANDS
from memwiki.proposals.store import ProposalStore

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"
_TOLD = (
    "getting-started",
    "import-export",
    "ingest",
    "memories",
    "namespaces",
    "recall",
    "sessions",
    "upkeep",
)
TRANSCRIPTS = [*sorted(HERE.glob("*.md")), *(DOCS / f"{name}.md" for name in _TOLD)]
_PERSON = ("-c", "user.name=Anna", "-c", "user.email=anna@example.org")
BLOCK = re.compile(r"^```(\w+) ?([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def commands(block: str) -> list[tuple[str, str]]:
    """The commands of a block, each with what it should print."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [
        (command, expected) for command, _, expected in (part.partition("\n") for part in parts)
    ]


def run(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What a command prints, with its exit code when that is not 0."""
    program, *arguments = shlex.split(command)
    if program == "cd":
        os.chdir(arguments[0])
        return ""
    if program == "git":
        subprocess.run(["git", *_PERSON, *arguments], check=True, capture_output=True)
        return ""
    assert program == "memwiki", command
    source = arguments[arguments.index("<") + 1] if "<" in arguments else os.devnull
    with Path(source).open() as given, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", given)
        code = main(arguments[: arguments.index("<")] if "<" in arguments else arguments)
    out, err = capsys.readouterr()
    return out + err + (f"[{code}]\n" if code else "")


def counted_ids(is_taken: Callable[[str], bool]) -> Iterator[str]:
    """Ids of entries that are the same whenever a transcript runs."""
    for number in count(1):
        # Where two are drawn and one is used, the other one stays unused.
        if not is_taken(f"m-{number:06}") and not is_taken(f"m-{number + 1:06}"):
            yield f"m-{number:06}"


def counted_id(store: ProposalStore) -> str:
    """The same of proposals."""
    taken = {each.id for each in store.all()}
    return next(id_ for n in count(1) if (id_ := f"p-{n:06}") not in taken)


def is_as_expected(expected: str, printed: str) -> bool:
    pattern = re.escape(expected).replace(re.escape("..."), ".*")
    return re.fullmatch(pattern, printed, re.DOTALL) is not None


@pytest.fixture
def place(tmp_path, monkeypatch, capsys):
    """A workspace made from the template, with its index beside it."""
    for name in ("NO_COLOR", "MEMWIKI_WORKSPACE", "MEMWIKI_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MEMWIKI_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("memwiki.memory.known_facts.random_ids", counted_ids)
    monkeypatch.setattr(ProposalStore, "new_id", counted_id)
    monkeypatch.chdir(tmp_path)
    assert main(["init", "notes", "--no-sync"]) == 0
    monkeypatch.chdir(tmp_path / "notes")
    capsys.readouterr()
    return tmp_path / "notes"


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_session_goes_as_written(path, place, capsys):
    for kind, name, content in BLOCK.findall(path.read_text("utf-8")):
        if name:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(content, "utf-8")
        for command, expected in commands(content) if kind == "console" else ():
            printed = run(command, capsys)
            assert is_as_expected(expected, printed), (
                f"$ {command}\n{printed}\n--- expected\n{expected}"
            )


def test_the_commands_of_the_chinese_template_run_in_their_order(place, capsys, monkeypatch):
    assert main(["init", "../taught", "--lang", "zh"]) == 0
    monkeypatch.chdir("../taught")
    guide = Path("AGENTS.md").read_text("utf-8")
    Path("raw").mkdir()
    Path("raw/heat-pumps.md").write_text("# 热泵\n\n一份研究。\n", "utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE)
    commands_ = [command for block in blocks for command in block.splitlines()]
    assert [each.split()[1] for each in commands_].count("add") == 4
    for command in commands_:
        printed = run(command, capsys)
        assert not printed.endswith(("[1]\n", "[2]\n")), f"$ {command}\n{printed}"
    memory = Path("memory.md").read_text("utf-8")
    assert "- user 2026-09-02 15:00 在奥斯陆和李雷见面。" in memory
    assert re.search(r"- 办公室从奥斯陆.*\[because:: m-000002\].* \^m-000003", memory)
    assert "\n## 事件\n" in memory and "\n## 观点\n" in memory
    assert run("memwiki check --only link-broken", capsys).startswith("no problems in ")


@pytest.mark.parametrize("options", [[], ["--bare"]])
def test_the_commands_that_the_template_teaches_an_agent_run_in_their_order(
    options, place, capsys, monkeypatch
):
    assert main(["init", "../taught", *options]) == 0
    monkeypatch.chdir("../taught")
    guide = Path("AGENTS.md").read_text("utf-8")
    Path("raw").mkdir()
    Path("raw/heat-pumps.md").write_text("# Heat pumps in old houses\n\nA study.\n", "utf-8")
    for block in re.findall(r"^```console\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE):
        for command in block.splitlines():
            printed = run(command, capsys)
            assert not printed.endswith(("[1]\n", "[2]\n")), f"$ {command}\n{printed}"
    memory = Path("memory.md").read_text("utf-8")
    assert "- user meets Ada in Oslo 2026-09-02 15:00." in memory
    assert re.search(r"- The office moved .*\[because:: m-000002\].* \^m-000003", memory)
    assert re.search(r"- Ada finds .*\[source:: said by Ben\]", memory)
    assert run("memwiki check --only link-broken", capsys).startswith("no problems in ")


def test_every_command_that_ends_has_a_transcript():
    written = "\n".join(path.read_text("utf-8") for path in TRANSCRIPTS)
    options = r"(?:-C \S+ |-q |--json |--no-sync )*"
    missing = [
        n for n in COMMANDS if not re.search(rf"^\$ memwiki {options}{n}\b", written, re.MULTILINE)
    ]
    needs_a_server = ["share"]
    assert missing == ["watch", "mcp", "web", *needs_a_server]
