"""Every rule finds what its golden examples say, there and nowhere else."""

import pytest
from golden_examples import GOLDEN, examples

from memwiki.check.rule import Family
from memwiki.check.rules import PAGE_RULES, RULES, WORKSPACE_RULES
from memwiki.model import Severity
from memwiki.workspace import Workspace

EXAMPLES = list(examples())
# These are found in test_findings_of_the_workspace.py.
NEED_MORE_THAN_FILES = {
    "raw-modified",
    "index-out-of-step",
    "page-unparsed",
    "catalog-stale",
    "catalog-over-budget",
}
TODAY_NS = 1_795_000_000 * 10**9  # 2026-11-18


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.code)
def test_a_code_is_found_where_its_example_says(tmp_path, example):
    root = tmp_path / "ws"
    example.write(Workspace.init(root) and root)
    space = Workspace.open(root, find=False, clock=lambda: TODAY_NS)
    report = space.check.run(only=[example.code])
    space.close()
    assert [f"{each.path}:{each.line}" for each in report.problems] == list(example.places)
    assert {each.code for each in report.problems} <= {example.code}


@pytest.mark.parametrize("code", RULES)
def test_every_code_has_an_example_that_is_found_and_one_that_is_not(code):
    shown = {bool(each.places) for each in EXAMPLES if each.code == code}
    assert shown == ({False} if code in NEED_MORE_THAN_FILES else {True, False})


def test_every_golden_file_belongs_to_a_code():
    assert {path.stem for path in GOLDEN.glob("*.md")} == set(RULES)


@pytest.mark.parametrize("rule", [*PAGE_RULES, *WORKSPACE_RULES], ids=lambda rule: rule.code)
def test_a_rule_is_described(rule):
    assert rule.says.endswith(".")
    assert len(rule.says) < 160
    assert rule.family in Family
    assert rule.severity in Severity
    assert rule.code == rule.code.lower().replace("_", "-")


def test_no_two_rules_share_a_code():
    assert len(RULES) == len(PAGE_RULES) + len(WORKSPACE_RULES)
