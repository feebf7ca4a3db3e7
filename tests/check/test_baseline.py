"""What is known is not reported again, wherever it moves; what is new is."""

import json

import pytest

from memwiki.check import run
from memwiki.check.run import as_json, known_of, read_baseline
from memwiki.errors import ConfigError
from memwiki.nouns import Problem, Severity
from tests.effort import for_each


def unknown(problems, known):
    return list(run.unknown(problems, known))


def problem(path="a.md", line=1, code="bom", message="a mark"):
    return Problem(path, line, code, Severity.INFO, message)


def test_a_known_problem_is_known_on_another_line():
    assert unknown([problem(line=9)], known_of([problem(line=1)])) == []


@for_each("other", [problem(path="b.md"), problem(code="secret"), problem(message="another mark")])
def test_another_page_code_or_message_is_another_problem(other):
    assert unknown([other], known_of([problem()])) == [other]


def test_of_more_equal_problems_than_are_known_the_last_are_new():
    known = known_of([problem(line=1), problem(line=5)])
    now = [problem(line=2), problem(line=4), problem(line=6)]
    assert unknown(now, known) == [problem(line=6)]


def test_asking_twice_gives_the_same_answer():
    known = known_of([problem()])
    assert unknown([problem()], known) == unknown([problem()], known) == []


def test_a_baseline_is_read_as_it_was_written():
    known = known_of([problem(), problem(), problem(path="ü \ud800.md")])
    assert read_baseline("known.json", as_json(known)) == known


def test_a_baseline_has_one_line_for_each_problem_in_a_fixed_order():
    rows = [problem(path=path) for path in "cab"]
    written = as_json(known_of(rows))
    assert written == as_json(known_of(reversed(rows)))
    lines = written.decode().splitlines()[1:-1]
    assert [json.loads(line.strip(" ,"))["path"] for line in lines] == [*"abc"]


def test_a_baseline_of_nothing_is_a_baseline():
    assert read_baseline("known.json", as_json(known_of([]))) == {}


@for_each("data", [b"", b"[]", b"{}", b'{"known": 3}', b'{"known": [{}]}', b"\xff"])
def test_another_file_is_no_baseline_and_the_error_names_the_way_to_one(data):
    with pytest.raises(ConfigError, match="not a baseline") as caught:
        read_baseline("known.json", data)
    assert "--write-baseline" in caught.value.hint
