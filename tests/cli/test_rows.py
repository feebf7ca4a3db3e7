"""`--format TEMPLATE` and `--jsonl`: rows for other programs."""

from __future__ import annotations

import io
import json
import shlex
import sys

import pytest

from memwiki.cli.main import main

LINES = {
    "list": ("{path}|{title}|{tags}", "a.md|A|x\n"),
    "search tea": ("{path}:{line_start}: {excerpt}", "wiki/home.md:7: a blue scheme\n"),
    "outline A": ("{line_start}-{line_end} {level} {title} {tokens}", "3-9 2 B 12\n"),
    "tags": ("{count} {tag}", "2 design\n"),
    "check": ("{path}:{line}: {severity}", "wiki/home.md:3: warning\n"),
    "graph": ("{distance} {path}", "0 wiki/home.md\n1 wiki/search.md\n"),
}


@pytest.mark.parametrize("command", LINES)
def test_each_row_is_printed_as_the_template_says(memwiki_, command):
    template, lines = LINES[command]
    assert memwiki_(*command.split(), "--format", template) in (0, 3)
    assert memwiki_.out == lines


@pytest.mark.parametrize("command", ["list", "search tea", "tags", "check", "links Home"])
def test_each_row_is_one_json_object(memwiki_, command):
    assert memwiki_(*command.split(), "--jsonl") in (0, 3)
    rows = [json.loads(line) for line in memwiki_.out.splitlines()]
    assert all(isinstance(row, dict) and row for row in rows)
    assert len(rows) == (0 if "links" in command else 1)


@pytest.mark.parametrize("command", ["list", "search tea", "tags", "check", "links Home", "graph"])
def test_a_field_that_there_is_not_is_refused_before_anything_is_done(memwiki_, command):
    assert memwiki_(*command.split(), "--format", "{nope}") == 2
    assert "there is no field {nope}" in memwiki_.err
    assert "fields: {" in memwiki_.err
    assert memwiki_.workspace.calls == []


@pytest.mark.parametrize(
    "line",
    ["list --json --jsonl", "list --json --format {path}", "list --jsonl --format {path}"],
)
def test_two_forms_at_once_are_refused(memwiki_, line):
    assert memwiki_(*line.split()) == 2
    assert "choose one" in memwiki_.out + memwiki_.err


def test_what_check_changes_is_not_printed_in_a_form(memwiki_):
    assert memwiki_("check", "--fix", "--jsonl") == 2


@pytest.mark.parametrize("command", ["graph", "recall tea"])
def test_a_kind_that_is_none_is_refused_with_those_that_there_are(memwiki_, command):
    assert memwiki_(*command.split(), "--format", "yaml") == 2
    assert "text" in memwiki_.err
    assert "json" in memwiki_.err


def test_a_recall_is_printed_by_a_template(ws, put, capsys):
    put("wiki/tea.md", "# Tea\n\nTea is green and comes from China.\n")
    ws.sync()
    question = ["recall", "where does tea come from?", "-C", str(ws.root)]
    assert main([*question, "--format", "{path}\\t{title}"]) == 0
    assert capsys.readouterr().out == "wiki/tea.md\tTea\n"
    assert main([*question, "--format", "markdown"]) == 0
    assert capsys.readouterr().out.startswith("- [Tea]")


@pytest.mark.parametrize("command", ["recall 'where does tea come from?'", "graph Tea", "graph"])
def test_a_recall_and_a_graph_are_one_json_object_a_line(ws, put, capsys, command):
    put("wiki/tea.md", "# Tea\n\nTea is green and comes from [[China]].\n")
    put("wiki/china.md", "# China\n\nA country with tea.\n")
    ws.sync()
    assert main([*shlex.split(command), "--jsonl", "-C", str(ws.root)]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["path"] for row in rows} == {"wiki/tea.md", "wiki/china.md"}


@pytest.mark.parametrize("command", ["recall tea", "graph"])
@pytest.mark.parametrize("other", ["--json", "--format=json", "--format={path}"])
def test_lines_of_json_go_with_no_other_form(memwiki_, command, other):
    assert memwiki_(*command.split(), "--jsonl", other) == 2
    assert "choose one" in memwiki_.out + memwiki_.err


def test_a_reader_that_ends_early_is_no_error(memwiki_, monkeypatch):
    class Closed(io.StringIO):
        def write(self, _text: str) -> int:
            raise BrokenPipeError

        def fileno(self) -> int:
            raise OSError

    monkeypatch.setattr(sys, "stdout", Closed())
    assert main(["list", "--jsonl"]) == 0
