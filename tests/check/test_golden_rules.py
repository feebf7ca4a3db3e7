"""Every rule finds what its golden examples say, there and nowhere else."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from golden_examples import GOLDEN, examples

from memwiki.check.rule import Family
from memwiki.check.rules import PAGE_RULES, RULES, WORKSPACE_RULES
from memwiki.nouns import Severity
from memwiki.workspace import Workspace
from tests.effort import for_each

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


@pytest.fixture(scope="module")
def template(tmp_path_factory) -> tuple[Path, dict[Path, bytes]]:
    """A folder from the template, and the files that each example finds in it."""
    root = tmp_path_factory.mktemp("golden") / "ws"
    Workspace.init(root)
    return root, files_of(root)


@pytest.fixture
def fresh(template) -> Iterator[Path]:
    root, before = template
    yield root
    put_back(root, before)


def files_of(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def put_back(root: Path, before: dict[Path, bytes]) -> None:
    for path, data in files_of(root).items():
        if path not in before:
            path.unlink()
        elif data != before[path]:
            path.write_bytes(before[path])
    for folder in sorted(filter(Path.is_dir, root.rglob("*")), reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.code)
def test_a_code_is_found_where_its_example_says(fresh, example):
    """The index and what was found in unchanged pages are those of the example before."""
    example.write(fresh)
    space = Workspace.open(
        fresh,
        find=False,
        clock=lambda: TODAY_NS,
        environ={"MEMWIKI_CACHE_DIR": str(fresh.parent / "cache"), "MEMWIKI_DEBUG": "1"},
    )
    report = space.check.run(only=[example.code])
    space.close()
    assert [f"{each.path}:{each.line}" for each in report.problems] == list(example.places)
    assert {each.code for each in report.problems} <= {example.code}


@for_each("code", RULES)
def test_every_code_has_an_example_that_is_found_and_one_that_is_not(code):
    shown = {bool(each.places) for each in EXAMPLES if each.code == code}
    assert shown == ({False} if code in NEED_MORE_THAN_FILES else {True, False})


def test_every_golden_file_belongs_to_a_code():
    assert {path.stem for path in GOLDEN.glob("*.md")} == set(RULES)


@for_each("rule", [*PAGE_RULES, *WORKSPACE_RULES])
def test_a_rule_is_described(rule):
    assert rule.says.endswith(".")
    assert len(rule.says) < 160
    assert rule.family in Family
    assert rule.severity in Severity
    assert rule.code == rule.code.lower().replace("_", "-")


def test_no_two_rules_share_a_code():
    assert len(RULES) == len(PAGE_RULES) + len(WORKSPACE_RULES)
