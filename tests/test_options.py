"""An option of search or recall is one row, and every door has it."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memwiki.config.schema import RecallConfig
from memwiki.errors import UsageError
from memwiki.options import OptionKind, RecallOptions, SearchOptions, check_options, rows
from tests.effort import for_each

ROOT = Path(__file__).parents[1]
ROW = """\
    mood: Annotated[
        str, Option(OptionKind.TEXT, "In this mood.", "MOOD", tool=ToolArgument("a mood"))
    ] = ""
"""
LOOK = """
import importlib.util, json, sys
from memwiki import Workspace
from memwiki.cli.main import main
from memwiki.tools import DoorSettings
from memwiki.tools import call
from memwiki.tools import tools
from memwiki.recall import recall as room

folder = sys.argv[1]
seen, real = [], room.recall

def noted(live, text, options, *others):
    seen.append((text, options.mood))
    return real(live, text, options, *others)

room.recall = noted
space = Workspace.adopt(folder)
space.recall("python", mood="glad")
call(space, "recall", {"question": "tool", "mood": "sad"}, settings=DoorSettings())
space.close()
main(["-C", folder, "recall", "line", "--mood", "calm"])
spec = importlib.util.spec_from_file_location("generate", "docs/generate.py")
generate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(generate)
pages = generate.pages()
schema = tools("small")["recall"].schema["properties"]["mood"]
print(json.dumps([seen, schema, pages["cli.md"], pages["tools.md"]]))
"""


def test_an_option_that_is_added_in_one_place_is_at_every_door(tmp_path):
    shutil.copytree(ROOT / "memwiki", tmp_path / "memwiki", ignore=shutil.ignore_patterns("*.pyc"))
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    options = tmp_path / "memwiki" / "options.py"
    text = options.read_text("utf-8")
    before = "    private: Annotated["
    assert text.count(before) == 1
    options.write_text(text.replace(before, ROW + before), encoding="utf-8")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "tea.md").write_text("# Tea\n\nGreen.\n", encoding="utf-8")
    command = [sys.executable, "-c", LOOK, str(tmp_path / "notes")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    seen, schema, cli, tools = json.loads(done.stdout.splitlines()[-1])
    assert seen == [["python", "glad"], ["tool", "sad"], ["line", "calm"]]
    assert schema == {"type": "string", "description": "a mood"}
    assert re.search(r"--mood MOOD +In this mood\.", cli)
    assert "`mood?` (text): a mood" in tools


@pytest.mark.parametrize("record", [SearchOptions, RecallOptions])
def test_every_option_is_at_the_command_line_or_at_a_tool(record):
    assert rows(record)
    assert [name for name, row in rows(record).items() if not (row.help or row.tool)] == []


SETTINGS = RecallConfig(max_results=7, mode="deep", min_score=0.5, depth=3)


def test_what_is_not_given_is_as_the_settings_say_it():
    found = check_options(RecallOptions(), SETTINGS)
    assert (found.limit, found.mode, found.min_score, found.depth) == (7, "deep", 0.5, 3)
    assert check_options(RecallOptions(limit=2, mode="fast"), SETTINGS).limit == 2


@for_each(
    "given",
    [{"limit": 0}, {"budget": -1}, {"mode": "slow"}, {"strategy": ""}, {"min_score": 1.5}],
)
def test_a_value_out_of_its_range_is_refused_by_name(given):
    with pytest.raises(UsageError, match=f"^{next(iter(given))}: "):
        check_options(RecallOptions(**given), SETTINGS)


def test_the_python_docs_name_every_option():
    text = (ROOT / "docs" / "python-api.md").read_text("utf-8")
    for verb, record in (("search", SearchOptions), ("recall", RecallOptions)):
        signature = re.search(rf"^\| `{verb}\(\w+, \*, (.*?)\)`", text, re.MULTILINE)[1]
        assert {*re.findall(r"(\w+)=", signature), "progress"} == {*record._fields}


def test_a_number_has_a_range_and_a_choice_its_words():
    for row in (*rows(SearchOptions).values(), *rows(RecallOptions).values()):
        assert row.least >= 0
        assert list(row.choices) or row.kind is not OptionKind.CHOICE
