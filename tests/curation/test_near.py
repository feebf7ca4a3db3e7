"""Two entries that are nearly the same: a model proposes what becomes of both."""

from __future__ import annotations

import json

import pytest

from memwiki.errors import ModelError, NotFoundError
from memwiki.models.chat import ChatServer

KNOWN = "The office of the team in Kiel opens at nine in the morning on weekdays."
NEW = "The office of the team in Kiel opens at nine in the morning on all weekdays."
BOTH = "The office of the team in Kiel opens at nine in the morning on all weekdays."


def reply(action, text="", reasoning="They say the same."):
    return json.dumps({"action": action, "reasoning": reasoning, "text": text})


@pytest.fixture
def known(space):
    (entry,) = space.entries.add(KNOWN, confidence=0.6).added
    return entry


def added(space, **options):
    return space.entries.add(NEW, confidence=0.9, on_near="ask", **options)


def memory(root):
    return (root / "memory.md").read_text("utf-8")


def test_a_new_entry_is_written_and_a_replacement_is_proposed(space, root, known, answering):
    chat = answering(reply("replace"))
    report = added(space)
    (new,) = report.added
    assert chat.asked[0].job == "near/1"
    assert f"1 {KNOWN}\n2 {NEW}" in chat.asked[0].messages[1].text
    (row,) = report.proposals
    assert (row.open, row.flagged) == (0, 1)
    view = space.proposals.get(row.id)
    (operation,) = view.operations
    assert (operation.do, operation.state) == ("supersede_entry", "open"), operation.why
    assert operation.flags == ("supersedes", "changes a person's words")
    assert view.reasoning == "They say the same." and NEW in memory(root)
    before = memory(root)
    space.proposals.decide(view.id, accept="all")
    assert memory(root) == before  # never with all the rest
    space.proposals.decide(view.id, accept=[1])
    assert space.entries.get(known.id).status == "superseded"
    assert space.entries.get(known.id).fields["superseded_by"] == new.id
    assert space.entries.get(new.id).fields["supersedes"] == known.id
    assert memory(root).count(NEW) == 1
    space.undo()
    assert memory(root) == before


def test_a_merger_has_the_mean_confidence_and_the_words_of_both(space, root, known, answering):
    answering(reply("merge", BOTH))
    (row,) = added(space).proposals
    space.proposals.decide(row.id, accept=[1])
    (entry,) = [each for each in space.entries.list().entries if each.text == BOTH]
    assert (entry.confidence, entry.origin) == (0.75, "model")
    assert known.id in entry.fields["supersedes"]


def test_words_that_neither_entry_has_are_set_aside(space, known, answering):
    answering(reply("merge", "The office in Rome has 14 boats and a harbour of its own."))
    (row,) = added(space).proposals
    assert row.aside == 1


def test_where_both_stay_nothing_waits_and_the_reason_is_kept(space, known, answering):
    answering(reply("keep_both", reasoning="Two offices."))
    (row,) = added(space).proposals
    assert space.proposals.list().total == 0
    assert space.proposals.get(row.id).reasoning == "Two offices."


def test_a_merger_without_words_is_asked_for_again(space, known, answering):
    chat = answering(reply("merge"), reply("merge", BOTH))
    assert added(space).proposals[0].flagged == 1
    assert "merge needs a text" in chat.asked[1].messages[-1].text


def test_an_entry_is_written_even_when_no_model_answers(space, root, known, answering):
    answering("nonsense", "nonsense")
    report = added(space)
    assert len(report.added) == 1 and NEW in memory(root) and not report.proposals
    assert "no model was asked about what is near" in report.edited.notes[-1]


def test_an_entry_is_written_even_when_no_model_is_set(space, root, known):
    report = added(space)
    assert NEW in memory(root)
    assert "no model is set" in report.edited.notes[-1]


def test_what_is_not_near_asks_nobody(space, known, answering):
    chat = answering(reply("replace"))
    report = space.entries.add("Ben sails on Sundays.", on_near="ask")
    assert report.added and not report.proposals and not chat.asked


def test_what_is_known_already_is_not_written_and_asks_nobody(space, known, answering):
    chat = answering(reply("replace"))
    report = space.entries.add(KNOWN, on_near="ask")
    assert report.repeated and not chat.asked


def test_what_is_private_is_shown_to_no_model(space, root, known, answering):
    chat = answering(reply("replace"))
    report = added(space, private=True)
    assert report.added and not chat.asked, report
    assert space.entries.add(NEW, private=True, on_near="ask", dry_run=True).requests == ()


def test_any_model_can_answer(space, known):
    report = space.entries.add_all([{"text": NEW}], on_near="ask", brief=True)
    (brief,) = report.briefs
    assert brief.job == "near/1" and "`keep_both`" in brief.text
    view = space.curation.reply(brief.id, reply("replace"), model="claude")
    assert view.operations[0].do == "supersede_entry"


def test_a_pair_is_named_by_its_ids(space, known, answering):
    (new,) = space.entries.add(NEW).added
    answering(reply("keep_both"))
    assert space.curation.near_brief(known.id, new.id).job == "near/1"
    assert space.curation.near(known.id, new.id).proposals[0].job == "near/1"
    with pytest.raises(NotFoundError):
        space.curation.near(known.id, "m-zzzzzz")


def test_an_entry_that_went_meanwhile_is_no_part_of_a_proposal(space, known):
    (brief,) = space.entries.add_all([{"text": NEW}], on_near="ask", brief=True).briefs
    space.entries.delete(known.id)
    assert space.curation.reply(brief.id, reply("replace")).operations == ()


def test_a_successor_that_was_ended_meanwhile_makes_it_stale(space, root, known, answering):
    answering(reply("replace"))
    report = added(space)
    space.entries.delete(report.added[0].id)
    before = memory(root)
    space.proposals.decide(report.proposals[0].id, accept=[1])
    assert memory(root) == before


# --- the command ---


def test_the_command_asks_and_says_what_was_proposed(space, run, known, answering):
    answering(reply("replace"))
    code, out, err = run("add", NEW, "--on-near", "ask")
    assert code == 0 and "near (" in out and "1 flagged" in out, err


def test_the_command_hands_the_pair_over(space, run, known):
    code, out, err = run("add", NEW, "--on-near", "ask", "--brief")
    assert code == 0 and f"2 {NEW}" in out and "--reply FILE takes the answer" in err


def test_a_dry_run_shows_what_would_be_sent_and_writes_nothing(
    space, root, run, known, monkeypatch
):
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_MODEL", "tiny")
    monkeypatch.setattr(ChatServer, "ask", lambda *_: pytest.fail("a model was asked"))
    before = memory(root)
    code, out, _ = run("add", NEW, "--on-near", "ask", "--dry-run")
    assert code == 0 and "tiny at 127.0.0.1" in out and NEW in out
    assert memory(root) == before and space.proposals.list().total == 0


def test_a_brief_without_asking_is_refused(run):
    code, _, err = run("add", NEW, "--brief")
    assert code == 2 and "--brief without --on-near ask" in err


def test_an_error_of_the_model_is_told_where_the_pair_is_asked_for(space, known):
    (new,) = space.entries.add(NEW).added
    with pytest.raises(ModelError, match="no model is set"):
        space.curation.near(known.id, new.id)
