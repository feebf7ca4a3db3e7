"""`memwiki review`, as a shell runs it."""

from __future__ import annotations

import io
import json

import pytest

from memwiki.cli.commands import review
from tests.proposals.conftest import MOVED, TEA


@pytest.fixture
def person(monkeypatch):
    """Somebody who sits there and answers."""
    monkeypatch.setattr(review, "has_person", lambda: True)

    def answers(*lines):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))

    return answers


def test_nothing_waits_at_first(space, run):
    assert run("review") == (0, "", "Nothing found.\n")


def test_a_list_says_how_much_waits_and_for_what(space, proposed, run):
    view = proposed()
    code, out, _ = run("review")
    assert code == 0
    assert out.startswith(f"{view.id}  1 to accept, 1 flagged  sessions/talk.md")


def test_one_is_shown_with_lines_and_diff(space, proposed, run):
    view = proposed()
    code, out, _ = run("review", view.id)
    assert code == 0
    assert "Anna prefers green tea." in out and "sessions/talk.md:6" in out
    assert "! supersedes, changes a person's words" in out and "+++ b/memory.md" in out


@pytest.mark.parametrize(
    ("words", "accepted", "rejected"),
    [
        (["--accept", "1"], [1], []),
        (["--accept", "1,2"], [1, 2], []),
        (["--accept", "1-2"], [1, 2], []),
        (["--accept", "all"], [1], []),
        (["--reject", "all"], [], [1, 2]),
        (["--accept", "2", "--reject", "1"], [2], [1]),
    ],
)
def test_numbers_decide(space, proposed, run, words, accepted, rejected):
    code, out, _ = run("review", proposed().id, *words, "--json")
    found = json.loads(out)
    assert code == 0 and (found["accepted"], found["rejected"]) == (accepted, rejected)


def test_a_number_that_there_is_not_is_an_error(space, proposed, run):
    code, _, err = run("review", proposed().id, "--accept", "7")
    assert code == 1 and "has no operation 7" in err


def test_what_is_not_there_is_an_error(space, run):
    code, _, err = run("review", "p-zzzzzz")
    assert code == 1 and "p-zzzzzz: no proposal has this id" in err


def test_a_person_goes_through_them_one_by_one(space, root, proposed, run, person):
    view = proposed(TEA, MOVED)
    person("?", "y", "n")
    code, _, err = run("review", view.id)
    assert code == 0
    assert "accept this? [y,n,e,d,a,q,?]" in err and "y accept it" in err
    assert "Anna prefers green tea." in (root / "memory.md").read_text("utf-8")
    assert [each.state for each in space.proposals.get(view.id).operations] == [
        "accepted",
        "rejected",
    ]


@pytest.mark.parametrize(
    ("answers", "states"),
    [
        (["q"], ["open", "open"]),
        (["d"], ["open", "open"]),
        ([], ["open", "open"]),
        (["a"], ["accepted", "open"]),
        (["n", "q"], ["rejected", "open"]),
        (["e", "Anna likes it green.", "n"], ["accepted", "rejected"]),
        (["e", "", ""], ["open", "open"]),
        (["e", "", "y", "n"], ["accepted", "rejected"]),
        (["e", "", "e", "Anna likes it green.", "n"], ["accepted", "rejected"]),
        (["e"], ["open", "open"]),
    ],
)
def test_what_is_answered_decides(space, proposed, run, person, answers, states):
    view = proposed(TEA, MOVED)
    person(*answers)
    assert run("review", view.id)[0] == 0
    assert [each.state for each in space.proposals.get(view.id).operations] == states


def test_no_new_words_are_told_and_asked_for_again(space, proposed, run, person):
    view = proposed(TEA, MOVED)
    person("e", "", "n", "n")
    _, _, err = run("review", view.id)
    assert "No words were given: 1 is as it was." in err
    assert err.count("(1) accept this?") == 2 and err.count("(2) accept this?") == 1


def test_a_dry_run_asks_nobody_and_decides_nothing(space, root, proposed, run, person):
    view = proposed(TEA)
    before = (root / "memory.md").read_bytes()
    person("y")
    for words in ([], ["--accept", "1"]):
        code, out, _ = run("review", view.id, "--dry-run", *words)
        assert code == 0 and "Anna prefers green tea." in out
    assert (root / "memory.md").read_bytes() == before
    assert space.proposals.get(view.id).operations[0].state == "open"


@pytest.mark.parametrize("words", [[], ["--dry-run"]])
def test_what_fits_no_longer_is_said_with_the_exit_code(space, proposed, run, words):
    view = proposed(MOVED)
    space.entries.delete("m-aaaaaa")
    code, out, _ = run("review", view.id, "--accept", "1", *words)
    assert code == 1 and "1 is stale: " in out


def test_other_words_can_be_given(space, proposed, run):
    view = proposed(TEA)
    code, out, _ = run("review", view.id, "--edit", "1", "--text", "Anna likes green tea.")
    assert code == 0 and "Anna likes green tea." in out
    code, _, err = run("review", view.id, "--edit", "1")
    assert code == 2 and "give the words with --text" in err


@pytest.mark.parametrize("option", ["--accept", "--reject"])
def test_what_names_no_operations_is_an_error(space, proposed, run, option):
    view = proposed(TEA)
    for given in ("x", ",", "1-", "1;2", "3-1", "1-99999999999999", "9" * 5000, "-1", "1--2"):
        code, _, err = run("review", view.id, f"{option}={given}")
        assert code == 2 and "is no list of numbers" in err, given
        assert space.proposals.get(view.id).operations[0].state == "open", given


def test_a_decision_names_one_proposal_and_one_thing_to_do(space, proposed, run):
    view = proposed(TEA)
    code, _, err = run("review", "--accept", "all")
    assert code == 2 and "which proposal" in err
    code, _, err = run("review", view.id, "--accept", "1", "--edit", "1", "--text", "x")
    assert code == 2 and "together" in err
    assert space.proposals.get(view.id).operations[0].state == "open"


def test_what_was_answered_by_hand_waits_for_nobody(space, run, tmp_path):
    brief = space.curation.extract_brief("talk")
    assert "by nobody yet" in run("review", brief.id)[1]
    (tmp_path / "answer.json").write_text('{"facts": []}')
    code, out, _ = run("review", brief.id, "--reply", str(tmp_path / "answer.json"))
    assert code == 0 and "extract/1 by a model" in out


def test_the_error_of_what_is_decided_names_the_way_to_decide_it_anew(space, proposed, run):
    view = proposed()
    assert run("review", view.id, "--reject", "1")[0] == 0
    code, _, err = run("review", view.id, "--accept", "1")
    assert code == 2 and f"memwiki review {view.id} --reopen 1" in err
    code, out, _ = run("review", view.id, "--reopen", "1")
    assert code == 0 and "was rejected before" in out
    assert run("review", view.id, "--accept", "1")[0] == 0


def test_of_several_the_stale_one_stays_so_and_the_others_are_decided_anew(space, proposed, run):
    view = proposed(MOVED, TEA)
    space.entries.delete("m-aaaaaa")
    assert run("review", view.id, "--accept", "1,2")[0] == 1
    code, _, err = run("review", view.id, "--reopen", "1,2")
    assert code == 1 and "operation 1: was stale before and stays so" in err
    assert [e.state for e in space.proposals.get(view.id).operations] == ["stale", "aside"]
    code, _, err = run("review", view.id, "--reopen", "1,2")
    assert code == 2 and "is undecided" in err


def test_reopening_takes_numbers_alone(space, proposed, run):
    view = proposed()
    for wrong in (["all"], ["x"], ["1", "--accept", "2"], ["1", "--dry-run"]):
        code, _, err = run("review", view.id, "--reopen", *wrong)
        assert code == 2 and "reopen" in err, wrong
