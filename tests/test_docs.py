"""The documentation says what the product does, and its links lead somewhere."""

import re
import shlex
from pathlib import Path

import pytest

from memwiki.browse.graph import GraphFacet
from memwiki.cli.dispatch import load
from memwiki.cli.registry import COMMANDS
from memwiki.cli.typer_app import command_of
from memwiki.commit.catalogs import CatalogFacet
from memwiki.commit.knowledge import KnowledgeFacet
from memwiki.history.journal import JournalFacet
from memwiki.setup.agents import AgentsFacet
from memwiki.workspace import Workspace
from memwiki.workspace.carry import CarryFacet
from memwiki.workspace.check import CheckFacet
from memwiki.workspace.curation import CurationFacet
from memwiki.workspace.entries import EntriesFacet
from memwiki.workspace.facets import Facets
from memwiki.workspace.folder import FolderFacet, NamespacesFacet
from memwiki.workspace.index import IndexFacet
from memwiki.workspace.models import ModelsFacet
from memwiki.workspace.pages import PagesFacet
from memwiki.workspace.proposals import ProposalsFacet
from memwiki.workspace.sessions import SessionFacet, SessionsFacet
from memwiki.workspace.settings import SettingsFacet
from memwiki.workspace.upkeep import UpkeepFacet
from tests.effort import for_each
from tests.source import docs_generator

ROOT = Path(__file__).parents[1]
WRITTEN = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
TEMPLATE = sorted((ROOT / "workspace-template").rglob("*.md"))
GENERATED = ("cli.md", "errors.md", "config.md", "checks.md", "tools.md")
CODE = [path for room in ("memwiki", "tests", "benchmarks") for path in (ROOT / room).rglob("*.py")]
FACETS = {
    "carry": CarryFacet,
    "catalog": CatalogFacet,
    "check": CheckFacet,
    "curation": CurationFacet,
    "entries": EntriesFacet,
    "folder": FolderFacet,
    "graph": GraphFacet,
    "index": IndexFacet,
    "models": ModelsFacet,
    "journal": JournalFacet,
    "knowledge": KnowledgeFacet,
    "namespaces": NamespacesFacet,
    "pages": PagesFacet,
    "proposals": ProposalsFacet,
    "session": SessionFacet,
    "sessions": SessionsFacet,
    "settings": SettingsFacet,
    "agents": AgentsFacet,
    "upkeep": UpkeepFacet,
}
TASKS = [ROOT / "pyproject.toml", *(path for path in (ROOT / ".ci").iterdir() if path.is_file())]


@pytest.fixture(scope="module")
def generator():
    return docs_generator()


def test_what_each_command_answers_is_told(generator):
    told = {*generator.ANSWERS}
    for name in COMMANDS:
        below = {*names_below(command_of(load(name)).commands[name], f"{name} ")}
        assert {each for each in told if each.startswith(f"{name} ")} == below
        assert below or name in told


def names_below(command, prefix):
    for name, each in getattr(command, "commands", {}).items():
        yield f"{prefix}{name}"
        yield from names_below(each, f"{prefix}{name} ")


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


@for_each("path", WRITTEN)
def test_every_relative_link_leads_to_a_file(path):
    targets = re.findall(r"\]\(([^)\s]+)\)", without_code(path.read_text("utf-8")))
    local = [target.partition("#")[0] for target in targets if not re.match(r"[a-z]+:", target)]
    assert [target for target in local if target and not (path.parent / target).exists()] == []


@for_each("path", WRITTEN)
def test_every_link_to_a_heading_leads_to_one(path):
    targets = re.findall(r"\]\(([^)\s#:]*)#([^)\s]+)\)", without_code(path.read_text("utf-8")))
    pages = [(path.parent / name if name else path, anchor) for name, anchor in targets]
    assert [f"{page.name}#{to}" for page, to in pages if to not in anchors(page)] == []


def anchors(page: Path) -> set[str]:
    """What a link may name on a page, as GitHub makes it of the headings."""
    text = re.sub(r"^(`{3,}).*?^\1$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#{1,6} (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}


@pytest.fixture(scope="module")
def words():
    """Every word of the source."""
    return set(re.findall(r"\w+", "\n".join(path.read_text("utf-8") for path in (*CODE, *TASKS))))


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_the_docs_name_no_code_that_is_gone(path, words):
    if path.name in (*GENERATED, "changelog.md"):
        return
    text = re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.DOTALL)
    spans = set(re.findall(r"`([^`\n]+)`", text))
    files = {span for span in spans if re.fullmatch(r"[\w/-]+/[\w-]+\.py", span)}
    assert {
        file for file in files if not any((at / file).exists() for at in (ROOT, ROOT / "memwiki"))
    } == set()
    names = {
        match[1]
        for span in spans
        if (match := re.fullmatch(r"(?:\w+\.)*(\w+)(?:\([^()]*\))?", span))
    }
    assert {name for name in names if is_ours(name) and name not in words} == set()


def test_each_test_that_security_md_names_is_there():
    """As `below/tests.py`, or, in the section of models, as a file of that room."""
    text = (ROOT / "docs/security.md").read_text("utf-8")
    files = [each.as_posix() for each in (ROOT / "tests").rglob("test_*.py")]
    named = set(re.findall(r"`(?:tests/)?([\w/]*test_\w+\.py)`", text))
    assert {name for name in named if not any(each.endswith(f"/{name}") for each in files)} == set()
    tests = {
        name
        for each in files
        for name in re.findall(r"^def (test_\w+)", Path(each).read_text("utf-8"), re.MULTILINE)
    }
    assert set(re.findall(r"`(test_\w+)`", text)) <= tests


def is_ours(name: str) -> bool:
    """Whether a word can only be a name in code: `two_words` or `TwoWords`."""
    return bool(re.fullmatch(r"[A-Za-z]\w*_\w+|(?:[A-Z][a-z]+){2,}", name))


def test_the_glossary_has_each_word_once_and_in_order():
    text = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    terms = re.findall(r"^\| ([^|]+) \|", text.partition("|---|")[2], re.MULTILINE)
    assert len(terms) > 50
    assert terms == sorted(set(terms), key=str.lower)


def test_the_decisions_are_numbered_without_a_gap_and_titled_by_their_number():
    records = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    numbers = [int(record.name[:4]) for record in records]
    assert numbers == list(range(1, len(records) + 1))
    for number, record in zip(numbers, records, strict=True):
        text = record.read_text("utf-8")
        assert text.startswith(f"# {number}. ")
        assert all(f"**{part}.**" in text for part in ("Context", "Decision", "Consequence"))


def test_the_list_of_cases_is_that_of_the_tests():
    text = (ROOT / "docs" / "cases.md").read_text("utf-8")
    listed = re.findall(r"^\| (\d\d) \|.*\| yes \|$", text, re.MULTILINE)
    tests = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert sorted(set(re.findall(r"^ *def test_case_(\d+)_", tests, re.MULTILINE))) == listed


@for_each("path", WRITTEN)
def test_every_command_line_in_the_docs_exists(path):
    blocks = re.findall(r"```console\n(.*?)```", path.read_text("utf-8"), re.DOTALL)
    lines = re.findall(r"^(?:\$ )?memwiki .*", "\n".join(blocks), re.MULTILINE)
    for line in lines:
        words = [word for word in shlex.split(line, comments=True) if not word.startswith("$")][1:]
        while words[:1] in (["-C"], ["-n"]):
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
    calls = [
        each if isinstance(getattr(Workspace, each), property) else f"{each}("
        for each in (*public(Workspace), *public(Facets))
    ]
    calls += [f"{name}.{verb}(" for name, facet in FACETS.items() for verb in public(facet)]
    assert [call for call in calls if f"`{call}" not in text and f".{call}" not in text] == []


def test_a_method_is_named_in_one_row_of_the_python_api():
    text = (ROOT / "docs" / "python-api.md").read_text("utf-8")
    named = re.findall(r"^\| `([\w.]+\()", text, re.MULTILINE)
    assert len(named) > 50
    assert [each for each in set(named) if named.count(each) > 1] == []


def public(kind: type) -> list[str]:
    return [name for name in vars(kind) if not name.startswith("_")]


def test_every_page_of_the_docs_is_in_their_index():
    text = (ROOT / "docs" / "index.md").read_text("utf-8")
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if page != "index.md" and f"]({page})" not in text] == []


def test_every_picture_is_shown_and_small():
    texts = "".join(
        place.read_text("utf-8") for place in (ROOT / "README.md", ROOT / "docs/web.md")
    )
    pictures = sorted((ROOT / "docs/pictures").iterdir())
    assert pictures
    assert [each.name for each in pictures if f"pictures/{each.name})" not in texts] == []
    assert max(each.stat().st_size for each in pictures) < 150_000
