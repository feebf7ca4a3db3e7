"""Summaries of conversations, and entries in other words, proposed by a model."""

from __future__ import annotations

import io
import json
import sys

import pytest

from memwiki.errors import NotFoundError, UsageError
from memwiki.models.chat import ChatServer

SUMMARY = json.dumps(
    {
        "sentences": [
            {"lines": [1], "text": "Anna moved to Kiel and prefers green tea."},
            {"lines": [3], "text": "Ben sold his dog in October."},
        ]
    }
)
WORDS = json.dumps({"text": "Anna lives in Berlin, Germany."})


def test_a_summary_is_proposed_with_the_lines_that_say_it(space, root, answering):
    chat = answering(SUMMARY)
    report = space.curation.summarise("talk")
    assert chat.asked[0].job == "summarise/1"
    view = space.proposals.get(report.proposals[0].id)
    (operation,) = view.operations
    assert operation.do == "summarise_session" and operation.state == "open", operation.why
    assert [each.id for each in operation.evidence] == ["s-0001", "s-0003"]
    space.proposals.decide(view.id, accept="all")
    text = (root / "sessions/talk.md").read_text("utf-8")
    assert text.endswith(
        "## Summary\n\nAnna moved to Kiel and prefers green tea. Ben sold his dog in October.\n"
    )
    assert space.session("talk").get().summary.startswith("Anna moved to Kiel")


def test_a_summary_that_says_more_than_the_lines_is_set_aside(space, answering):
    answering(json.dumps({"sentences": [{"lines": [1], "text": "Anna bought 14 boats in Rome."}]}))
    report = space.curation.summarise("talk", accept=True)
    assert report.proposals[0].aside == 1 and not report.notes


def test_a_summary_can_be_made_by_any_model(space):
    brief = space.curation.summarise_brief("talk")
    assert "At most five sentences" in brief.text and brief.job == "summarise/1"
    view = space.curation.reply(brief.id, SUMMARY, model="claude")
    assert view.operations[0].state == "open"
    edited = space.proposals.edit(view.id, 1, "Of tea.")
    assert edited.operations[0].text == "Of tea."


def test_a_conversation_that_is_too_long_for_the_model_is_an_error(space, answering):
    for number in range(60):
        space.session("talk").add_message("user", f"And thing number {number} is here.", "Anna")
    answering(SUMMARY, context_tokens=256)
    with pytest.raises(UsageError, match="is longer than 128 tokens"):
        space.curation.summarise("talk")


def test_a_session_that_is_not_there_is_an_error(space):
    with pytest.raises(NotFoundError, match="nowhere: no session"):
        space.curation.summarise_brief("nowhere")


def test_an_instruction_gives_an_entry_other_words(space, root, answering):
    chat = answering(WORDS)
    report = space.curation.instruct("m-aaaaaa", "say that it is in Germany")
    assert chat.asked[0].messages[1].text.count("\n") == 3
    assert "1 Anna lives in Berlin.\n2 say that it is in Germany" in chat.asked[0].messages[1].text
    view = space.proposals.get(report.proposals[0].id)
    (operation,) = view.operations
    assert (operation.do, operation.state) == ("update_entry", "open"), operation.why
    assert operation.flags == ("supersedes", "changes a person's words")
    space.proposals.decide(view.id, accept=[1])
    memory = (root / "memory.md").read_text("utf-8")
    assert "~~Anna lives in Berlin.~~" in memory and "- Anna lives in Berlin, Germany." in memory


def test_the_same_entry_can_be_changed_time_and_again(space, answering):
    answering(WORDS, WORDS)
    for _ in range(2):
        space.curation.instruct("m-bbbbbb", "shorter")
    assert space.proposals.list().total == 2


def test_an_entry_that_changed_meanwhile_keeps_its_words(space):
    brief = space.curation.instruct_brief("m-aaaaaa", "say that it is in Germany")
    space.entries.delete("m-aaaaaa")
    assert space.curation.reply(brief.id, WORDS).operations == ()


def test_the_command_line_asks_for_a_summary(space, run, answering):
    answering(SUMMARY)
    code, out, _ = run("session", "end", "talk", "--summarise")
    assert code == 0 and "1 to accept" in out
    assert space.session("talk").get().ended
    code, out, err = run("session", "end", "talk", "--summarise", "--brief")
    assert code == 1 and "all of it was answered" in err


def test_a_text_of_nothing_is_no_job(space, run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b" \n")))
    code, _, err = run("extract", "-", "--brief")
    assert code == 2 and err.startswith("the text is empty\n")
    with pytest.raises(UsageError, match="the text is empty"):
        space.curation.extract_brief(text="")


def test_an_address_is_not_fetched(run):
    code, _, err = run("ingest", "https://example.invalid/x")
    assert code == 2 and err.startswith("https://example.invalid/x: addresses are not fetched\n")
    assert "--source URL" in err


@pytest.mark.parametrize(
    ("words", "sent"),
    [
        (["session", "end", "talk", "--summarise"], "At most five sentences"),
        (["entry", "update", "m-aaaaaa", "--instruct", "shorter"], "2 shorter"),
        (["extract", "talk"], "numbered lines of a conversation"),
    ],
)
def test_a_dry_run_shows_what_would_be_sent_and_sends_nothing(
    space, root, run, monkeypatch, words, sent
):
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_MODEL", "small")
    monkeypatch.setattr(ChatServer, "ask", None)
    before = (root / "sessions/talk.md").read_bytes()
    code, out, _ = run(*words, "--dry-run")
    assert code == 0 and sent in out and "127.0.0.1" in out
    assert space.proposals.list(all=True).total == 0
    assert (root / "sessions/talk.md").read_bytes() == before


def test_the_command_line_prints_a_brief_for_an_instruction(space, run):
    code, out, err = run("entry", "update", "m-aaaaaa", "--instruct", "shorter", "--brief")
    assert code == 0 and "2 shorter" in out and "--reply FILE" in err


@pytest.mark.parametrize(
    "words",
    [
        ["session", "end", "talk", "--summarise", "--summary", "x"],
        ["entry", "update", "m-aaaaaa", "words", "--instruct", "shorter"],
        ["entry", "update", "m-aaaaaa", "--expect", "abc", "--instruct", "shorter"],
        ["session", "end", "talk", "--summarise", "--brief", "--dry-run"],
        ["entry", "update", "m-aaaaaa", "--instruct", "shorter", "--brief", "--dry-run"],
        ["review", "p-aaaaaa", "--edit", "1", "--text", "x", "--dry-run"],
        ["review", "p-aaaaaa", "--reply", "answer.json", "--dry-run"],
    ],
)
def test_what_cannot_be_asked_together_is_an_error(space, run, words):
    code, _, err = run(*words)
    assert code == 2 and "together" in err


@pytest.mark.parametrize(
    "words",
    [
        ["session", "end", "talk", "--brief"],
        ["entry", "update", "m-aaaaaa", "words", "--brief"],
        ["review", "p-aaaaaa", "--text", "x"],
        ["review", "p-aaaaaa", "--model", "x"],
    ],
)
def test_what_does_nothing_by_itself_is_an_error(space, run, words):
    code, _, err = run(*words)
    assert code == 2 and " without --" in err


def test_status_tells_that_proposals_wait(space, run):
    assert space.index.status().proposals == 0
    space.curation.extract_brief("talk")
    assert space.index.status().proposals == 1
    assert "1 waits for memwiki review" in run("status")[1]


def test_without_the_extra_a_job_says_what_to_install(space, run, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("memwiki.curation")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pydantic", None)
    code, _, err = run("extract", "talk", "--brief")
    assert code == 1 and "pip install 'memwiki[models]'" in err
    assert run("review")[0] == 0
