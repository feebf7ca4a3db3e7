"""A field of an entry is one row: what is added to the table is at every door."""

import ast
import json
import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from types import NoneType
from typing import get_args, get_type_hints

import pytest

from memwiki import entry_fields
from memwiki.entry_fields import FIELDS, EntryValues, FieldKind, field_text, given_fields
from memwiki.errors import UsageError

ROOT = Path(__file__).parents[1]
WITH_MOOD = """
import importlib.util, io, json, sys
from contextlib import redirect_stdout

from memwiki import entry_fields as table

tools = table.FieldUse
text = table.EntryField(
    "mood", help="How it felt.", metavar="M", filter="Of this mood.", about="how it felt",
    tools=(tools.ADD, tools.UPDATE), is_inherited=True,
)
share = table.EntryField(
    "warmth", table.FieldKind.SHARE, help="How warm.", metavar="X", merge=table.Merge.HIGHER
)
table.FIELDS = (*table.FIELDS, text, share)

from memwiki.cli.main import main
from memwiki.tools import DoorSettings
from memwiki.tools import call
from memwiki.tools import definitions
from memwiki.workspace import Workspace

root, docs = sys.argv[1:]

def cli(*arguments):
    with redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")) as out:
        assert main(["-C", root, *arguments]) == 0, arguments
        out.flush()
        return out.buffer.getvalue().decode()

seen = {}
cli("add", "Rain all day.", "--key", "rain", "--mood", "calm", "--warmth", "0.25")
with Workspace.open(root) as ws:
    storm = {"text": "The storm came at night.", "mood": "uneasy"}
    call(ws, "add", {"memories": [storm]}, settings=DoorSettings())
    ws.entries.add("Snow in the garden.", mood="quiet", warmth=0.1, key="snow")
seen["file"] = (ws.root / "memory.md").read_text("utf-8")
seen["json"] = json.loads(cli("entry", "get", "rain", "--json"))["fields"]
seen["text"] = cli("entry", "get", "rain")
seen["listed"] = cli("entry", "list", "--mood", "uneasy")
seen["found"] = cli("search", "mood:uneasy")
seen["found by number"] = cli("search", "warmth:<0.2")
cli("entry", "update", "rain", "--set", "mood=glad")
with Workspace.open(root) as ws:
    seen["updated"] = ws.entries.get("rain").fields["mood"]
    call(ws, "update", {"id": "rain", "mood": "merry"}, settings=DoorSettings())
    seen["updated by a tool"] = ws.entries.get("rain").fields["mood"]
    ws.entries.supersede("rain", "Sun all day.")
    seen["inherited"] = ws.entries.get("rain").fields["mood"]
    slip = {"memories": [{"text": "x", "moot": "y"}]}
    seen["refused"] = call(ws, "add", slip, settings=DoorSettings()).text
schemas = {each["name"]: each["inputSchema"]["properties"] for each in definitions("small")}
seen["schema of add"] = schemas["add"]["memories"]["items"]["properties"]["mood"]
seen["schema of update"] = schemas["update"]["mood"]
spec = importlib.util.spec_from_file_location("generate", docs)
generate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(generate)
pages = generate.pages()
seen["cli.md"], seen["tools.md"] = pages["cli.md"], pages["tools.md"]
print(json.dumps(seen))
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What each door says once two rows more are in the table."""
    root = tmp_path_factory.mktemp("fields")
    space = root / "space"
    env = {**os.environ, "MEMWIKI_CACHE_DIR": str(root / "cache"), "HOME": str(root)}
    (space / ".memwiki").mkdir(parents=True)
    (space / "memory.md").write_text("# Memory\n", "utf-8")
    command = [sys.executable, "-c", WITH_MOOD, str(space), str(ROOT / "docs" / "generate.py")]
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_new_field_is_written_by_the_command_by_a_tool_and_from_python(seen):
    for line in (
        "Rain all day. [key:: rain] [mood:: calm] [warmth:: 0.25]",
        "The storm came at night. [origin:: agent] [mood:: uneasy]",
        "Snow in the garden. [key:: snow] [mood:: quiet] [warmth:: 0.1]",
    ):
        assert line in seen["file"]


def test_a_new_field_is_shown_as_json_and_as_text(seen):
    assert seen["json"]["mood"] == "calm"
    assert seen["json"]["warmth"] == "0.25"
    assert "mood calm" in seen["text"]


def test_entries_are_listed_and_found_by_a_new_field(seen):
    assert "The storm" in seen["listed"]
    assert "Rain" not in seen["listed"]
    assert "The storm" in seen["found"]
    assert "Snow" in seen["found by number"]


def test_a_new_field_is_updated_and_goes_on_in_what_supersedes_an_entry(seen):
    assert seen["updated"] == "glad"
    assert seen["updated by a tool"] == "merry"
    assert seen["inherited"] == "merry"


def test_a_new_field_is_in_the_schemas_of_the_tools(seen):
    said = {"type": "string", "description": "how it felt"}
    assert seen["schema of add"] == seen["schema of update"] == said
    assert "mood" in seen["refused"]  # as what may have been meant


def test_a_new_field_is_in_the_generated_pages(seen):
    assert "--mood M" in seen["cli.md"]
    assert "Of this mood." in seen["cli.md"]
    assert "mood" in seen["tools.md"]


TYPES = {
    FieldKind.TEXT: {str},
    FieldKind.SHARE: {float, NoneType},
    FieldKind.FLAG: {bool},
    FieldKind.MOMENT: {datetime, str, NoneType},
}


def test_the_keywords_of_python_are_the_rows_of_the_table():
    hints = get_type_hints(EntryValues)
    assert tuple(hints) == tuple(row.name for row in given_fields())
    for row in given_fields():
        if row.kind in TYPES:
            assert set(get_args(hints[row.name]) or [hints[row.name]]) == TYPES[row.kind]


def test_each_field_is_stored_under_a_name_of_its_own():
    names = [row.stored for row in FIELDS]
    assert len(set(names)) == len(names)


def test_a_share_of_nothing_is_written_and_a_choice_is_one_of_those_known():
    assert field_text(entry_fields.field_of("importance"), 0.0) == "0"
    assert field_text(entry_fields.field_of("staged"), False) == ""
    with pytest.raises(UsageError, match="someone is not one of user, agent, tool, web"):
        field_text(entry_fields.field_of("origin"), "someone")


def names_in(node):
    """The texts of a literal list, set or tuple."""
    each = node.elts if isinstance(node, ast.List | ast.Set | ast.Tuple) else ()
    return {one.value for one in each if isinstance(one, ast.Constant)}


def test_no_other_file_lists_the_fields_that_are_shares():
    shares = entry_fields.stored_names(FieldKind.SHARE)
    assert shares == {"importance", "confidence"}
    texts = {path: path.read_text("utf-8") for path in (ROOT / "memwiki").rglob("*.py")}
    for path, text in texts.items():
        if all(f'"{name}"' in text for name in shares):
            assert not [each for each in ast.walk(ast.parse(text)) if names_in(each) >= shares], (
                path
            )
