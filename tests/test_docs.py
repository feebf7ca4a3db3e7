"""The documentation says what the product does, and its links lead somewhere."""

import importlib.util
import re
import shlex
from pathlib import Path

import pytest

from memwiki.cli.table import COMMANDS
from memwiki.workspace import Workspace

ROOT = Path(__file__).parents[1]
WRITTEN = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
TEMPLATE = sorted((ROOT / "workspace-template").rglob("*.md"))
GENERATED = ("cli.md", "errors.md", "config.md", "checks.md")


@pytest.fixture(scope="module")
def generator():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def without_code(text: str) -> str:
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)


@pytest.mark.parametrize("name", GENERATED)
def test_a_generated_page_is_up_to_date(generator, name):
    assert (ROOT / "docs" / name).read_text("utf-8") == generator.pages()[name], (
        "python docs/generate.py"
    )


def test_every_command_has_a_section_with_its_answer(generator):
    text = (ROOT / "docs" / "cli.md").read_text("utf-8")
    for name in COMMANDS:
        section = text.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        assert f"memwiki {name}" in section
        assert "JSON: `" in section


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_every_relative_link_leads_to_a_file(path):
    targets = re.findall(r"\]\(([^)\s]+)\)", without_code(path.read_text("utf-8")))
    local = [target.partition("#")[0] for target in targets if not re.match(r"[a-z]+:", target)]
    assert [target for target in local if target and not (path.parent / target).exists()] == []


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_every_command_line_in_the_docs_exists(path):
    blocks = re.findall(r"```console\n(.*?)```", path.read_text("utf-8"), re.DOTALL)
    lines = re.findall(r"^(?:\$ )?memwiki .*", "\n".join(blocks), re.MULTILINE)
    for line in lines:
        words = [word for word in shlex.split(line, comments=True) if not word.startswith("$")][1:]
        if words[:1] == ["-C"]:
            words = words[2:]
        assert (
            not words or words[0] in COMMANDS or words[0] in ("COMMAND", "--help", "--version")
        ), line


def test_the_template_names_only_commands_that_exist():
    for path in TEMPLATE:
        for command in re.findall(r"`memwiki ([a-z]+)", path.read_text("utf-8")):
            assert command in COMMANDS, path


def test_the_template_keeps_to_its_own_names():
    settings = (ROOT / "workspace-template" / "memwiki.toml").read_text("utf-8")
    for line in re.findall(r"^# (\w+ = .*)", settings, re.MULTILINE):
        assert "#" in line, "a commented default has a word of explanation"
    assert "enabled = true" in settings


def test_the_python_examples_run_as_written(tmp_path, monkeypatch):
    text = (ROOT / "docs" / "python-api.md").read_text("utf-8")
    examples = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(examples) >= 4
    monkeypatch.chdir(tmp_path)
    names = {}
    for example in examples:
        exec(compile(example, "docs/python-api.md", "exec"), names)


def test_every_method_of_a_workspace_is_in_the_docs():
    text = (ROOT / "docs" / "python-api.md").read_text("utf-8")
    public = {name: each for name, each in vars(Workspace).items() if not name.startswith("_")}
    calls = [
        f"{name}" if isinstance(each, property) else f"{name}(" for name, each in public.items()
    ]
    assert [call for call in calls if f"`{call}" not in text and f".{call}" not in text] == []


def test_every_page_of_the_docs_is_in_their_index():
    text = (ROOT / "docs" / "index.md").read_text("utf-8")
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if page != "index.md" and f"]({page})" not in text] == []
