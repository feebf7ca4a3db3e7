"""Every command of the README, line by line in a fresh folder."""

import re
import shlex
import subprocess
from pathlib import Path

from memwiki.cli.main import main
from tests.effort import for_each

README = Path(__file__).parents[2] / "README.md"
_ELSEWHERE = (
    "pip",
    "bash",
    "memwiki watch",
    "memwiki mcp",
    "memwiki web",
    "memwiki init ~/vault",
    "memwiki ingest ~/paper.pdf",
)


def lines() -> list[str]:
    blocks = re.findall(r"^```console\n(.*?)^```$", README.read_text(), re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines() if line]


def test_every_command_of_the_readme_gives_something_worth_seeing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "Anna")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "anna@example.org")
    ran = 0
    for line in lines():
        words = shlex.split(line, comments=True)
        if line.startswith(_ELSEWHERE):
            continue
        if words[0] == "cd":
            monkeypatch.chdir(words[1])
        elif words[0] == "git":
            for command in line.split("&&"):
                subprocess.run(shlex.split(command), check=True, capture_output=True)
        else:
            assert words.pop(0) == "memwiki", line
            assert main(words) == 0, (line, capsys.readouterr())
            assert capsys.readouterr().out.strip(), line
            ran += 1
    assert ran > 20


@for_each("line", [line for line in lines() if line.startswith("memwiki")])
def test_a_line_of_the_readme_names_commands_that_there_are(line):
    from memwiki.cli.registry import COMMANDS

    named = [word for word in shlex.split(line, comments=True)[1:] if word in COMMANDS]
    assert named or line.split("#")[0].strip() == "memwiki"
