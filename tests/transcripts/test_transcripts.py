"""Sessions at the command line, as they stand in the markdown files beside this one.

A `console` block holds commands after `$` and what they print, stdout before stderr; `...` stands
for anything, `[3]` for an exit code other than 0. A `markdown` block with a path writes that file.
git may be called between the commands; what it prints is not looked at.
"""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from memwiki.cli.main import main
from memwiki.cli.registry import COMMANDS

TRANSCRIPTS = sorted(Path(__file__).parent.glob("*.md"))
_PERSON = ("-c", "user.name=Anna", "-c", "user.email=anna@example.org")
BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def commands(block: str) -> list[tuple[str, str]]:
    """The commands of a block, each with what it should print."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [
        (command, expected) for command, _, expected in (part.partition("\n") for part in parts)
    ]


def run(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What a command prints, with its exit code when that is not 0."""
    program, *arguments = shlex.split(command)
    if program == "git":
        subprocess.run(["git", *_PERSON, *arguments], check=True, capture_output=True)
        return ""
    assert program == "memwiki", command
    code = main(arguments)
    out, err = capsys.readouterr()
    return out + err + (f"[{code}]\n" if code else "")


def is_as_expected(expected: str, printed: str) -> bool:
    pattern = re.escape(expected).replace(re.escape("..."), ".*")
    return re.fullmatch(pattern, printed, re.DOTALL) is not None


@pytest.fixture
def place(tmp_path, monkeypatch, capsys):
    """A workspace made from the template, with its index beside it."""
    for name in ("NO_COLOR", "MEMWIKI_WORKSPACE", "MEMWIKI_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MEMWIKI_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    assert main(["init", "notes"]) == 0
    monkeypatch.chdir(tmp_path / "notes")
    capsys.readouterr()
    return tmp_path / "notes"


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_session_goes_as_written(path, place, capsys):
    for kind, name, content in BLOCK.findall(path.read_text("utf-8")):
        if kind == "markdown":
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(content, "utf-8")
        for command, expected in commands(content) if kind == "console" else ():
            printed = run(command, capsys)
            assert is_as_expected(expected, printed), (
                f"$ {command}\n{printed}\n--- expected\n{expected}"
            )


def test_every_command_that_ends_has_a_transcript():
    written = "\n".join(path.read_text("utf-8") for path in TRANSCRIPTS)
    options = r"(?:-C \S+ |-q |--json |--no-sync )*"
    missing = [
        n for n in COMMANDS if not re.search(rf"^\$ memwiki {options}{n}\b", written, re.MULTILINE)
    ]
    assert missing == ["watch"]
