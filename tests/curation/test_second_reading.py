"""What is proposed is read a second time beside its lines, by a model or by who takes a brief."""

from __future__ import annotations

import json
import re

import pytest

from memwiki.curation.jobs import schema_of
from memwiki.curation.verifying import VERIFY
from memwiki.errors import (
    ConflictError,
    NeedsModelError,
    NotFoundError,
    UsageError,
)
from memwiki.models.faults import ModelCutError, ModelReplyError, ModelSlowError
from memwiki.text import tokens

SOURCE = """\
# Pumps

Anna measured forty old houses in Kiel.
The pumps of Ben failed twice in winter.
Electricity paid for half of the heat.
"""
CLAIMS = (
    ("Anna measured forty old houses in Kiel.", 2),
    ("The pumps of Ben failed twice in winter.", 3),
    ("Electricity paid for half of the heat.", 4),
)


def verdicts(*said, why="the lines name somebody else"):
    told = {"y": "said", "n": "not_said", "c": "contradicted"}
    rows = [
        {"claim": n, "lines_say": why, "verdict": told[each]}
        for n, each in enumerate(said, 1)
        if each in told
    ]
    return json.dumps({"verdicts": rows})


def ingest_reply(claims=CLAIMS, **more):
    return json.dumps({"claims": [{"text": t, "lines": [n], **more} for t, n in claims]})


@pytest.fixture
def proposed(space):
    """A proposal with three claims that their lines say."""

    def propose(**more):
        kept = space.curation.keep(SOURCE.encode(), "pumps.md")
        brief = space.curation.ingest_brief(kept.text)
        view = space.curation.reply(brief.id, ingest_reply(**more), model="first")
        assert {each.state for each in view.operations} == {"open"}, view.operations
        return view

    return propose


def states(view):
    return [(each.n, each.do, each.state, each.text) for each in view.operations]


def test_what_the_second_reading_does_not_find_is_set_aside_alone(space, root, proposed, answering):
    view = proposed()
    chat = answering(verdicts("y", "c", "y"))
    (row,) = space.curation.verify(view.id).proposals
    assert (row.id, row.open, row.aside) == (view.id, 1, 1)
    asked = chat.asked[0].messages[1].text
    assert chat.asked[0].job == "verify/1"
    assert "2 [3] The pumps of Ben failed twice in winter.\n" in asked
    assert "1 # Pumps\n2 Anna measured" in asked
    first, second = space.proposals.get(view.id).operations
    assert first.text == " ".join((CLAIMS[0][0], CLAIMS[2][0])) and first.state == "open"
    assert [each.line for each in first.evidence] == [3, 5]
    assert second.text == CLAIMS[1][0] and [each.line for each in second.evidence] == [4]
    assert (second.state, second.why) == (
        "aside",
        "a second reading: the lines name somebody else",
    )
    space.proposals.decide(view.id, accept="all")
    (page,) = (root / "wiki").rglob("pumps*.md")
    text = page.read_text("utf-8")
    assert CLAIMS[0][0] in text and CLAIMS[1][0] not in text and "[[raw/pumps]] line 5" in text
    space.proposals.decide(view.id, accept=[2])
    assert CLAIMS[1][0] in page.read_text("utf-8")


def test_a_new_page_keeps_the_claims_that_stand(space, root, proposed, answering):
    view = proposed(new="Pumps of Kiel")
    answering(verdicts("n", "y", "y"))
    space.curation.verify(view.id)
    kept, left = space.proposals.get(view.id).operations
    assert (kept.do, kept.state, left.do, left.state) == ("add_page", "open", "add_claims", "aside")
    space.proposals.decide(view.id, accept=[kept.n])
    space.proposals.decide(view.id, accept=[left.n])
    (page,) = (root / "wiki").rglob("pumps-of-kiel.md")
    assert all(text in page.read_text("utf-8") for text, _ in CLAIMS)


def test_an_operation_of_which_nothing_stands_is_aside_as_it_is(space, proposed, answering):
    view = proposed(new="Pumps of Kiel")
    answering(verdicts("n", "n", "c", why=""))
    space.curation.verify(view.id)
    (only,) = space.proposals.get(view.id).operations
    assert (only.do, only.state) == ("add_page", "aside")
    assert only.why == "a second reading: not said; a second reading: contradicted"


def test_what_was_read_is_not_asked_again_and_nothing_is_opened(space, proposed, answering):
    view = proposed()
    answering(verdicts("y", "n", "-"), verdicts("y"))
    space.curation.verify(view.id)
    chat = answering(verdicts("y"))  # the one without a verdict
    space.curation.verify(view.id)
    assert f"Claims:\n1 [4] {CLAIMS[2][0]}\n<" in chat.asked[0].messages[1].text
    assert [each.state for each in space.proposals.get(view.id).operations] == ["open", "aside"]
    with pytest.raises(NotFoundError, match="nothing of it waits"):
        space.curation.verify(view.id)


def test_somebody_else_answers_a_brief(space, proposed, root, run):
    view = proposed()
    code, out, err = run("review", view.id, "--verify", "--brief")
    assert code == 0 and out.startswith("You check claims")
    (brief,) = re.findall(r"memwiki review (p-\w+) --reply FILE takes the answer", err)
    answer = root / "answer.json"
    answer.write_text(f"Here it is:\n```json\n{verdicts('c', 'y', 'y')}\n```", "utf-8")
    code, out, _ = run("review", brief, "--reply", str(answer), "--model", "another")
    assert code == 0 and f"{view.id}  ingest/1 by first" in out and "a second reading" in out
    with pytest.raises(UsageError, match="was answered already"):
        space.curation.reply(brief, verdicts("y"))


def test_a_reply_to_other_claims_is_refused(space, proposed, answering):
    view = proposed()
    brief = space.curation.verify_brief(view.id)
    with pytest.raises(ModelReplyError, match="is not as asked"):
        space.curation.reply(brief.id, '{"verdicts": [{"claim": 1, "verdict": "perhaps"}]}')
    answering(verdicts("c"))
    space.curation.verify(view.id)
    with pytest.raises(ConflictError, match="proposes something else by now"):
        space.curation.reply(brief.id, verdicts("n"))
    assert [each.state for each in space.proposals.get(view.id).operations] == ["open", "aside"]


def test_numbers_of_no_claim_change_nothing(space, proposed):
    view = proposed()
    brief = space.curation.verify_brief(view.id)
    rows = [{"claim": n, "verdict": "contradicted"} for n in (-1, 0, 4, 10**9)]
    space.curation.reply(brief.id, json.dumps({"verdicts": rows}))
    assert states(space.proposals.get(view.id)) == states(view)


def test_facts_of_a_conversation_are_read_by_their_messages(space, answering):
    operations = [
        {"do": "add_entry", "text": "Anna prefers green tea in the morning.", "lines": [1]},
        {"do": "relate_entries", "entry": "m-1", "other": "m-2", "relation": "refines"},
    ]
    view = space.proposals.propose(operations[:1], source="talk")
    (operation,) = view.operations
    chat = answering(verdicts("n"))
    space.curation.verify(view.id)
    assert f"Claims:\n1 [1] {operation.text}" in chat.asked[0].messages[1].text
    assert space.proposals.get(view.id).operations[0].state == "aside"


def test_what_a_person_decided_stays(space, proposed, answering):
    view = proposed()
    answering(verdicts("n", "n", "n"))
    space.proposals.decide(view.id, accept="all")
    with pytest.raises(NotFoundError):
        space.curation.verify(view.id)


def test_with_the_setting_all_that_a_model_proposes_is_read_twice(space, root, answering):
    verified(root)
    kept = space.curation.keep(SOURCE.encode(), "pumps.md")
    chat = answering(ingest_reply(), verdicts("y", "n", "y"))
    report = space.curation.ingest(kept.text, accept=True)
    assert [each.job for each in chat.asked] == ["ingest/1", "verify/1"]
    (row,) = report.proposals
    assert (row.open, row.aside, row.decided) == (0, 1, 1)
    (page,) = (root / "wiki").rglob("pumps*.md")
    text = page.read_text("utf-8")
    assert CLAIMS[0][0] in text and CLAIMS[1][0] not in text


def test_where_the_second_reading_fails_nothing_is_accepted(space, root, answering, monkeypatch):
    verified(root)
    kept = space.curation.keep(SOURCE.encode(), "pumps.md")
    chat = answering(ingest_reply())
    ask = chat.ask

    def failing(asked):
        if asked.job == "verify/1":
            raise ModelSlowError("model", "was silent", "")
        return ask(asked)

    monkeypatch.setattr(chat, "ask", failing)
    report = space.curation.ingest(kept.text, accept=True)
    assert "was silent" in report.error
    assert [each.open for each in report.proposals] == [1]


def test_a_long_proposal_is_read_in_portions(space, answering):
    lines = [f"House {n} of {'very ' * 30}old Kiel has {n} rooms." for n in range(1, 30)]
    kept = space.curation.keep(("# Houses\n\n" + "\n".join(lines)).encode(), "houses.md")
    brief = space.curation.ingest_brief(kept.text)
    claims = [(line, n) for n, line in enumerate(lines, 2)][:12]
    view = space.curation.reply(brief.id, ingest_reply(claims))
    chat = answering(*[verdicts(*"n" * 12)] * 20, context_tokens=4096)
    report = space.curation.verify(view.id)
    assert len(chat.asked) > len(report.proposals) == report.portions == 1
    shown = "".join(each.messages[1].text for each in chat.asked)
    assert all(f"] {line}" in shown for line, _ in claims)
    assert {each.state for each in space.proposals.get(view.id).operations} == {"aside"}


def test_nothing_is_sent_where_nothing_is_set(space, proposed, run, root):
    view = proposed()
    with pytest.raises(NeedsModelError):
        space.curation.verify(view.id)
    assert run("review", view.id, "--brief")[0] == 2
    assert run("review", view.id, "--verify", "--accept", "all")[0] == 2
    assert run("review", "--verify")[0] == 2


def test_the_prompt_is_small():
    form = json.dumps(schema_of(VERIFY.form))
    assert tokens(VERIFY.prompt.text) + tokens(form) <= 600


def verified(root):
    file = root / "memwiki.toml"
    file.write_text(file.read_text("utf-8") + "\n[models]\nverify = true\n", "utf-8")


def test_what_was_left_out_is_asked_once_more_and_never_accepted_unread(space, root, answering):
    verified(root)
    kept = space.curation.keep(SOURCE.encode(), "pumps.md")
    chat = answering(ingest_reply(), verdicts("y", "-", "-"), verdicts("y", "-"))
    report = space.curation.ingest(kept.text, accept=True)
    assert [each.job for each in chat.asked] == ["ingest/1", "verify/1", "verify/1"]
    assert f"Claims:\n1 [3] {CLAIMS[1][0]}" in chat.asked[2].messages[1].text
    assert "left out 1 claim" in report.error
    assert [(each.open, each.decided) for each in report.proposals] == [(1, 0)]
    answering(verdicts("y"))
    report = space.curation.ingest(kept.text, accept=True)
    assert [(each.open, each.decided) for each in report.proposals] == [(0, 1)]


def test_a_second_reading_that_is_too_long_goes_in_halves(space, root, answering, monkeypatch):
    verified(root)
    kept = space.curation.keep(SOURCE.encode(), "pumps.md")
    chat = answering(ingest_reply(), verdicts("y"), verdicts("-", "y", "y"))
    ask, cut = chat.ask, []

    def cutting(asked):
        if asked.job == "verify/1" and not cut:
            cut.append(asked)
            raise ModelCutError("model", 9)
        return ask(asked)

    monkeypatch.setattr(chat, "ask", cutting)
    report = space.curation.ingest(kept.text, accept=True)
    assert cut and not report.error
    assert [(each.open, each.decided) for each in report.proposals] == [(0, 1)]


def test_a_persons_own_words_are_not_judged(space, proposed):
    view = proposed()
    space.proposals.edit(view.id, 1, "Anna measured houses.")
    with pytest.raises(NotFoundError, match="nothing of it waits"):
        space.curation.verify_brief(view.id)


def test_what_rests_on_no_page_is_not_sent(space):
    view = space.proposals.propose([{"do": "retire_entry", "entry": "m-aaaaaa"}])
    with pytest.raises(NotFoundError, match="rests on no page"):
        space.curation.verify_brief(view.id)


def test_a_brief_is_kept_once_and_goes_with_what_it_asks_about(space, proposed):
    view = proposed()
    first, again = (space.curation.verify_brief(view.id) for _ in range(2))
    assert first.id == again.id
    assert {each.id for each in space.proposals.list().proposals} == {view.id, first.id}
    space.proposals.decide(view.id, accept="all")
    assert not space.proposals.list().proposals


def test_other_claims_make_the_page_that_is_made_no_more(space, root, answering):
    kept = space.curation.keep(SOURCE.encode(), "pumps.md")
    brief = space.curation.ingest_brief(kept.text)
    source = "The pumps of Ben failed twice in winter, see https://example.org."
    claims = [CLAIMS[0], (source, 3)]
    view = space.curation.reply(brief.id, ingest_reply(claims, new="Pumps of Ben"))
    before = [(each.do, each.state, bool(each.flags)) for each in view.operations]
    assert before == [("add_page", "open", False), ("add_claims", "open", True)], view.operations
    answering(verdicts("n", "y"))
    space.curation.verify(view.id)
    first, second = space.proposals.get(view.id).operations
    assert (first.do, first.state, second.do) == ("add_claims", "aside", "add_page")
    space.proposals.decide(view.id, accept=[2])
    space.proposals.decide(view.id, accept=[1])
    (page,) = (root / "wiki").rglob("pumps-of-ben.md")
    assert CLAIMS[0][0] in page.read_text("utf-8")
