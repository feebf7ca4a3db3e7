"""What is called fixable is fixed, and nothing else: the number told is the number that is gone."""

import pytest
from golden_examples import examples

from memwiki.check.rules import PAGE_RULES
from memwiki.workspace import Workspace

FIXABLE = {rule.code for rule in PAGE_RULES if rule.fix} | {"link-case"}
EXAMPLES = [each for each in examples() if each.code in FIXABLE and each.places]
UNREADABLE = b"caf\xe9\nThe gar\xe2\x80\x8bden. The gar\xe2\x80\x8bden.\n"
MIXED = """\
\ufeff---
title: Plan: the second
---
# Facts
- The gate is locked at night. ^m-1a2b3c
- The gate is locked at night. ^m-1a2b3c
- The gate is loc\u200bked at night. ^m-1a2b3c

[gate](Gate.md) and [so](Gate%2Emd)\r
[gate](Gate.md)
"""


def fix_all(space: Workspace) -> tuple[list, list, str]:
    """What was promised, what was found afterwards, and what the fix says of it."""
    before = space.check.run()
    edited = space.check.fix(before)
    promised = [each for each in before.problems if each.fixable]
    assert len({(each.path, each.code, each.line) for each in promised}) == len(promised)
    return promised, space.check.run().problems, edited.title


@pytest.fixture
def adopted(tmp_path):
    Workspace.init(tmp_path / "new")
    space = Workspace.open(tmp_path / "new", find=False)
    yield space
    space.close()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.code)
def test_every_finding_that_is_called_fixable_is_gone_after_the_fix(example, adopted):
    example.write(adopted.root)
    promised, left, title = fix_all(adopted)
    assert example.code in {each.code for each in promised}
    assert not [each for each in left if each.fixable]
    assert title.startswith(f"fixed {len(promised)} problem")
    gone = {(each.path, each.code, each.message) for each in promised}
    assert not gone & {(each.path, each.code, each.message) for each in left}


def test_fixes_that_meet_in_one_page_keep_what_each_promised(adopted):
    for path, data in (("gate.md", b"# Gate\n"), ("memory.md", MIXED.encode())):
        (adopted.root / path).write_bytes(data)
    promised, left, title = fix_all(adopted)
    assert {each.code for each in promised} == {
        *("bom", "front-matter-repaired", "entry-duplicate", "hidden-character"),
        *("eol-mixed", "link-case"),
    }
    assert title == f"fixed {len(promised)} problems in 1 file"
    assert [(each.code, each.line) for each in left if each.path == "memory.md"] == [
        ("link-case", 7)
    ]


def test_what_a_fix_cannot_mend_is_not_called_fixable(adopted):
    (adopted.root / "a.md").write_bytes(UNREADABLE)
    before = adopted.check.run(only=["hidden-character"])
    assert [each.fixable for each in before.problems] == [False]
    assert adopted.check.fix(before).title == "fixed 0 problems in 0 files"


def test_a_target_that_only_some_places_can_be_swapped_in_is_promised_for_these(ws, put):
    put("b.md", "# B\n")
    put("a.md", "[b](B.md)\n[b](B%2Emd)\n")
    report = ws.check.run(only=["link-case"])
    assert [(each.line, each.fixable) for each in report.problems] == [(1, True), (2, False)]
    assert ws.check.fix(report).title == "fixed 1 problem in 1 file"
    assert [each.line for each in ws.check.run(only=["link-case"]).problems] == [2]


def test_a_file_that_was_fixed_meanwhile_is_not_counted(ws, put):
    put("a.md", "gar\u200bden\n")
    put("b.md", "gar\u200bden\n")
    report = ws.check.run(only=["hidden-character"])
    put("b.md", "garden\n")
    assert ws.check.fix(report).title == "fixed 1 problem in 1 file"
