"""Upkeep put up for review: each step by itself, accepted by number, taken back by undo."""

from __future__ import annotations

import json
import random

import pytest

from memwiki.errors import UsageError
from tests.effort import tries
from tests.upkeep.test_upkeep_of_a_workspace import HOUSE, NOW, SETTINGS, files

MORE = """
--- inbox/2026-08-31.md ---
- Ben uses Vim. [subject:: Ben] [topic:: editor] [object:: Vim] [status:: staged] ^m-iiiiii
- The customer must always get an invoice. [status:: staged] ^m-jjjjjj
- No id is written here. [status:: staged]
--- wiki/ben.md ---
---
type: memory
---
# Ben

## Facts
- Ben uses Emacs. [subject:: Ben] [topic:: editor] [object:: Emacs] ^m-kkkkkk
"""


@pytest.fixture
def house(root, opened, write_blocks):
    (root / "memwiki.toml").write_text(SETTINGS)
    write_blocks(HOUSE + MORE)
    return opened(clock=lambda: NOW)


def put_up(house):
    """The operations of all proposals, by what they do to which entry or page."""
    made = house.upkeep.propose().proposals
    return {
        (each.values["step"], each.values.get("entry") or each.values["page"]): (row.id, each)
        for row in made
        for each in house.proposals.get(row.id).operations
    }


def test_putting_up_changes_no_page(house, root):
    before = files(root)
    assert put_up(house)
    assert files(root) == before


def test_each_step_of_a_run_is_an_operation_with_its_diff(house):
    steps = {(step.verb, step.id or step.path) for step in house.upkeep.run(dry_run=True).steps}
    found = put_up(house)
    assert {("promoted", "m-dddddd"), ("merged", "m-cccccc"), ("superseded", "m-kkkkkk")} <= steps
    assert {("retired", "m-ffffff"), ("retired", "sessions/old.md")} <= steps
    assert steps - found.keys() == {("promoted", "m-iiiiii")}  # along with what it supersedes
    assert found["superseded", "m-kkkkkk"][1].diff.count("Ben uses Vim.") == 2
    for _, operation in found.values():
        assert operation.state == "open" and operation.diff and not operation.why, operation
    assert "archive/sessions/old.md" in found["retired", "sessions/old.md"][1].diff
    assert "\n-- Tea is" not in found["promoted", "m-dddddd"][1].diff


def test_what_ends_an_entry_is_flagged_and_all_leaves_it(house, root):
    found = put_up(house)
    flagged = {step for (step, _), (_, each) in found.items() if each.flags}
    assert flagged == {"merged", "superseded", "retired"}
    for row in house.proposals.list().proposals:
        house.proposals.decide(row.id, accept="all")
    left = [each for id_, _ in found.values() for each in house.proposals.get(id_).operations]
    assert {each.state for each in left if each.flags} == {"open"}
    assert house.entries.get("m-kkkkkk").status == "active"
    assert (root / "sessions/old.md").exists()


def test_one_is_accepted_by_number_and_undo_takes_each_back(house, root):
    for id_, operation in put_up(house).values():
        before = files(root)
        done = house.proposals.decide(id_, accept=[operation.n])
        assert done.accepted == (operation.n,), (operation, done.stale)
        assert files(root) != before
        house.undo()
        assert files(root) == before


def test_accepting_all_by_number_is_what_a_run_does(house, root, write_blocks):
    run_first = house.upkeep.run
    run_first()
    expected = files(root)
    house.undo()
    (row,) = house.upkeep.propose().proposals
    numbers = [each.n for each in house.proposals.get(row.id).operations]
    done = house.proposals.decide(row.id, accept=numbers)
    assert done.stale == () and files(root).keys() == expected.keys()
    now = files(root)
    assert sorted(b"\n".join(now.values()).split()) == sorted(b"\n".join(expected.values()).split())


@pytest.mark.parametrize("seed", range(tries(4)))
def test_any_choice_in_any_order_loses_nothing_and_is_taken_back(house, root, seed):
    chance, before = random.Random(seed), files(root)
    found = list(put_up(house).values())
    changes = 0
    for id_, operation in chance.sample(found, chance.randint(1, len(found))):
        if house.proposals.get(id_).operations[operation.n - 1].state == "open":
            changes += bool(house.proposals.decide(id_, accept=[operation.n]).accepted)
    assert changes
    for path, sentence in (("a", b"Ben uses Emacs."), ("b", b"Lunch with Ben."), ("c", b"Hello.")):
        assert sentence in b"\n".join(files(root).values()), path
    house.undo(changes)
    assert files(root) == before


def test_words_that_changed_meanwhile_make_a_step_stale(house, root):
    id_, promoted = put_up(house)["promoted", "m-dddddd"]
    inbox = root / "inbox/2026-08-30.md"
    inbox.write_text(inbox.read_text().replace("an invoice", "a receipt"))
    before = files(root)
    done = house.proposals.decide(id_, accept=[promoted.n])
    assert done.accepted == () and "upkeep would not do this" in done.stale[0][1]
    assert files(root) == before


def test_what_waits_or_was_rejected_is_not_put_up_again(house):
    found = put_up(house)
    ((id_, promoted),) = [found["promoted", "m-dddddd"]]
    house.proposals.decide(id_, reject=[promoted.n])
    again = house.upkeep.propose()
    assert again.proposals == ()
    assert again.notes == (f"{len(found)} steps put up before: memwiki review --all",)


def test_protected_pages_are_left_out(house, root):
    (root / "AGENTS.md").write_text("---\ntags: [a, a]\n---\n# Agents\n\nA hid\u200bden one.\n")
    (root / "wiki/tea.md").write_text("# Tea\n\nA hid\u200bden one.\n")
    found = put_up(house)
    assert ("fixed", "wiki/tea.md") in found
    assert not any("AGENTS.md" in each.diff for _, each in found.values())
    for id_ in {id_ for id_, _ in found.values()}:
        house.proposals.decide(id_, accept=[each.n for i, each in found.values() if i == id_])
    assert "hid\u200bden" in (root / "AGENTS.md").read_text()


def test_nobody_else_proposes_a_step(house):
    step = {"do": "upkeep", "step": "retired", "page": "memory.md"}
    with pytest.raises(UsageError, match="none that can be proposed"):
        house.proposals.propose([step])


def test_a_planted_step_does_only_what_upkeep_would_do(house, root):
    id_, _ = put_up(house)["promoted", "m-dddddd"]
    path = root / ".memwiki/proposals" / f"{id_}.json"
    kept = json.loads(path.read_text())
    for each in kept["operations"]:
        each |= {"step": "retired", "page": "memory.md", "entry": "m-aaaaaa", "flags": []}
    path.write_text(json.dumps(kept))
    before = files(root)
    assert house.proposals.decide(id_, accept="all").accepted == ()
    done = house.proposals.decide(id_, accept=[1])
    assert done.accepted == () and files(root) == before


def test_steps_with_private_words_are_hidden_from_who_may_not_see_them(house, root):
    put_up(house)
    assert house.public().proposals.list().total == 1
    memory = root / "memory.md"
    memory.write_text(memory.read_text().replace("cupboard. [", "cupboard. [private:: true] ["))
    assert house.public().proposals.list().total == 0


def test_more_than_a_proposal_holds_are_several(root, opened, write_blocks):
    (root / "memwiki.toml").write_text(SETTINGS)
    lines = "\n".join(f"- Note {n} on topic {n}. [status:: staged]" for n in range(40))
    write_blocks(f"--- inbox/2026-08-30.md ---\n{lines}\n")
    made = opened(clock=lambda: NOW).upkeep.propose().proposals
    assert [row.open for row in made] == [30, 10]


def test_the_command_puts_up_and_says_what_to_do_next(house, run):
    code, out, err = run("upkeep", "--propose")
    id_ = house.proposals.list().proposals[0].id
    assert code == 0 and id_ in out and f"memwiki review {id_}" in err
    shown = run("review", id_)[1]
    assert "upkeep: promoted" in shown and "important" in shown
    assert run("upkeep", "--propose", "--dry-run")[0] == 2
    assert run("upkeep", "--propose", "snapshot")[0] == 2
