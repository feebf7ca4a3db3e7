"""Rows in the form of a template: names of fields, and nothing that could run."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.answers.pages import PageRow
from memwiki.errors import UsageError
from memwiki.nouns import Hit, Problem, Severity
from memwiki.present.plain import as_json, template_form
from tests.effort import for_each

ROW = PageRow("a b/c.md", "Tea  & {milk}\n", "concept", "", ("x", "y z"), "2026-09-01", 3)


def filled(template: str, row: object = ROW) -> str:
    return template_form(template, row._fields)(row)


@for_each(
    ("template", "line"),
    [
        ("{path}\\t{title}", "a b/c.md\tTea & {milk}"),
        ("{links} {{{type}}} }}{{", "3 {concept} }{"),
        ("{tags}|{description}|{updated}", "x, y z||2026-09-01"),
        ("\\n\\\\n\\x\\", "\n\\n\\x\\"),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_a_template_is_filled_with_the_fields_of_a_row(template, line):
    assert filled(template) == line


@for_each(
    "template",
    [
        "{pth}",
        "{}",
        "{0}",
        "{path.upper}",
        "{path[0]}",
        "{path!r}",
        "{path:>9}",
        "{__class__}",
        "{_fields}",
        "{count}",
        "{ path}",
        "{\ud800}",
    ],
)
def test_what_is_no_field_is_refused_and_the_fields_are_named(template):
    with pytest.raises(UsageError) as refused:
        filled(template)
    assert "no field" in refused.value.message
    assert "{path}, {title}" in refused.value.hint


@for_each("template", ["{path", "path}", "{a{path}", "}"])
def test_a_single_brace_is_refused(template):
    with pytest.raises(UsageError, match="single"):
        filled(template)


def test_a_value_is_one_harmless_line_and_a_path_stays_as_it_is():
    row = ROW._replace(path="a  b\t.md", title="x\x1b[2J\ty", tags=("a\nb",))
    assert filled("{path}|{title}|{tags}", row) == "a  b\\t.md|x y|a b"


def test_an_enumeration_a_number_and_a_mapping_have_a_form():
    problem = Problem("a.md", 3, "x", Severity.ERROR, "m", fixable=True)
    assert filled("{severity} {line} {fixable}", problem) == "error 3 true"
    hit = Hit("a.md", "", "", "", 1, 1, 0.25, "", (), "", scores={"text": 0.5})
    assert filled("{score} {scores}", hit) == '0.25 {"text": 0.5}'


@given(st.text(alphabet=st.sampled_from("{}\\tn pathl🗂\ud800\n.[!:"), max_size=40))
def test_any_template_is_filled_or_refused(template):
    try:
        line = filled(template)
    except UsageError:
        return
    plain = template.replace("{{", "").replace("}}", "")
    assert "{" in line or "{" not in plain or "{path}" in template or "{title}" in template


@given(st.text(), st.text())
def test_a_json_line_is_one_line_that_holds_every_field(title, tag):
    row = ROW._replace(title=title, tags=(tag,))
    line = as_json(row)
    assert "\n" not in line
    assert json.loads(line)["title"] == title
