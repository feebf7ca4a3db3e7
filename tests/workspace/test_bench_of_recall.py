"""Recall measured by questions whose pages are known."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.cli.main import main
from memwiki.errors import NotFoundError, UsageError
from memwiki.files.usage_log import usage_files
from memwiki.health.bench import cases_in, report
from tests.effort import for_each

TEXT = """
--- wiki/tea.md ---
# Green tea

Tea is kept in the cupboard.
--- wiki/boat.md ---
---
questions:
  - which boat is in the harbour?
  - 茶在哪里
---
# The boat

The boat is in the harbour.
--- memory.md ---
# Memory

- The office key is under the mat. ^m-aaaaaa
"""


@pytest.fixture
def vault(ws, write_blocks):
    write_blocks(TEXT)
    return ws


def lines(*cases: dict[str, object]) -> str:
    return "\n".join(json.dumps(each, ensure_ascii=False) for each in cases)


def test_pages_by_any_name_and_entries_are_found_and_misses_say_what_came(vault, root):
    found = vault.bench(
        lines(
            {"question": "where is the tea kept?", "page": "Green tea"},
            {"question": "where is the office key?", "pages": ["m-aaaaaa"]},
            {"question": "where is the boat?", "pages": ["wiki/tea", "boat"]},
            {"question": "boat in the harbour", "pages": ["wiki/tea.md"]},
        )
    )
    assert (found.questions, found.hit_at_1, found.hit_at_5, found.mrr) == (4, 0.75, 0.75, 0.75)
    (miss,) = found.misses
    assert (miss.question, miss.place) == ("boat in the harbour", "questions:4")
    assert miss.instead[0].path == "wiki/boat.md"
    assert miss.instead[0].score > 0


def test_a_bench_is_neither_recorded_nor_kept(vault, root):
    vault.bench(lines({"question": "where is the tea kept?", "page": "tea"}))
    assert list(usage_files(root)) == []
    assert vault.index.metrics().recalls == 0
    assert not vault.recall("where is the tea kept?", limit=10).cached


def test_pages_ask_their_own_questions(vault):
    every = vault.bench()
    assert (every.questions, every.hit_at_1, every.misses) == (2, 1, ())
    assert vault.bench(paths=["wiki"]).questions == 2
    with pytest.raises(UsageError, match="no questions"):
        vault.bench(paths=["wiki/tea.md"])


@for_each(
    "line",
    [
        "{",
        "[]",
        "null",
        '{"question": "a"}',
        '{"question": "a", "pages": []}',
        '{"question": " ", "page": "tea"}',
        '{"question": "a", "pages": [1]}',
        '{"question": "\\ud800", "page": "tea"}',
        '{"question": "a\\u0000", "page": "tea"}',
        "[" * 100_000,
    ],
)
def test_a_malformed_line_is_named_with_what_a_line_is(line):
    with pytest.raises(UsageError, match=r"^my questions:3: ") as error:
        list(cases_in("my questions", f'\ufeff{{"question": "a", "page": "b"}}\n\n{line}\n'))
    assert "pages" in error.value.hint


@pytest.mark.parametrize("name", ["no such page", "m-zzzzzz"])
def test_an_unknown_page_is_named_with_file_and_line(vault, name):
    with pytest.raises(NotFoundError, match=r"^q:1: ") as error:
        vault.bench(lines({"question": "a", "page": name}), name="q")
    assert error.value.hint


def test_questions_that_are_no_texts_are_named_with_their_page(vault, put):
    put("wiki/tea.md", "---\nquestions: [{a: b}]\n---\n# Tea\n")
    with pytest.raises(UsageError, match=r"^wiki/tea.md:2: the question is no text"):
        vault.bench()


def test_no_question_is_no_division(vault):
    assert report([], 10, is_fresh=True).mrr == 0
    with pytest.raises(UsageError, match="no questions"):
        vault.bench("\n \n")


@given(st.text())
def test_any_text_is_cases_or_refused_by_its_line(text):
    try:
        assert all(case.question.strip() and case.pages for case in cases_in("q", text))
    except UsageError as error:
        assert error.message.startswith("q:")
        assert error.hint


def test_the_command_line_reads_a_file_a_folder_and_standard_input(
    vault, root, capsys, monkeypatch
):
    (root / "q.jsonl").write_text(lines({"question": "boat harbour", "page": "tea"}), "utf-8")
    assert main(["-C", str(root), "bench", "recall", "q.jsonl", "--limit", "3"]) == 0
    shown = capsys.readouterr().out
    assert "1 question: hit@1 0.000, hit@5 0.000, MRR@3 0.000, 1 missed" in shown
    assert "missed: boat harbour  (wanted tea; q.jsonl:1)\n    wiki/boat.md  0." in shown
    assert main(["-C", str(root), "bench", "recall", "wiki", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["questions"] == 2
    data = lines({"question": "tea", "page": "Nope"}).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert main(["-C", str(root), "bench", "recall", "-"]) == 1
    assert "Nope" in capsys.readouterr().err
