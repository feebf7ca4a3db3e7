"""The curator: what may belong together is found without a model, decided by one, and proposed."""

from __future__ import annotations

import json

import pytest

from memwiki.errors import ModelError, NotFoundError, UsageError
from memwiki.models.chat import ChatServer
from tests.proposals.conftest import SETTINGS

MEMORY = (
    SETTINGS
    + """
--- memory.md ---
---
type: memory
---
# Memory

## Facts
- Anna moved to the city of Kiel in March. [created:: 2026-01-01] ^m-aaaaaa
- In March Anna moved to the big city of Kiel. [created:: 2026-01-02] ^m-bbbbbb
- Ben has a dog named Rex. [created:: 2026-01-01] [subject:: Ben] [topic:: dog] ^m-cccccc
- Ben has no dog named Rex. [created:: 2026-05-01] [subject:: Ben] ^m-dddddd
- The boiler was repaired since it leaked. [created:: 2026-02-01] [entities:: boiler] ^m-eeeeee
- The boiler leaks in the cellar. [created:: 2026-01-20] [entities:: boiler] ^m-ffffff
- The secret boiler of Anna. [private:: true] [entities:: boiler] ^m-gggggg
--- wiki/kiel.md ---
# Kiel

The city is at the end of the Baltic fjord. The mayor is 47. [private:: true]

Its harbour has ferries to Oslo and Gothenburg.
--- wiki/oslo.md ---
---
description: A city of Norway.
---
# Oslo

It is far.
--- inbox/2026-01-03.md ---
- Buy milk for the weekend. [importance:: 0.1] [created:: 2026-01-03] ^m-hhhhhh
"""
)
KEEP = {"joins": [{"lines": [1, 2], "keep": 2}]}
JOIN = {"joins": [{"lines": [1, 2], "text": "Anna moved to the big city of Kiel in March."}]}
ENDS = {"settled": [{"line": 1, "by": 2, "outcome": "ends"}]}
RETIRE = {"retire": [1], "reasoning": "It passed."}
BECAUSE = {"relations": [{"line": 4, "other": 3, "relation": "because"}]}

JOBS = ["doubles", "conflicts", "weak", "relations", "describe"]
ABOUT = {"lines": [2], "text": "A harbour with ferries to Oslo and Gothenburg."}


@pytest.fixture
def space(opened, write_blocks):
    write_blocks(MEMORY.replace('log = "log.md"', 'log = "log.md"\ninbox = "inbox"'))
    return opened()


@pytest.fixture
def curated(space, answering):
    """What a job proposes when the model answers so."""

    def curate(what, *replies, **options):
        chat = answering(*map(json.dumps, replies))
        report = space.curation.curate(what, **options)
        operations = [e for each in report for e in space.proposals.get(each.id).operations]
        return chat, report, operations

    return curate


def test_what_says_the_same_is_one_entry_once_a_person_says_so(space, root, curated):
    chat, report, (operation,) = curated("doubles", JOIN)
    asked = chat.asked[0].messages[1].text
    assert "have to do with each other: 1-2" in asked and "m-aaaaaa" not in asked
    assert "1 Anna moved to the city of Kiel in March. [2026-01-01]" in asked
    assert (operation.do, operation.state) == ("join_entries", "open"), operation.why
    assert operation.flags == ("supersedes", "changes a person's words")
    assert (report.merged, report.deleted) == (1, 0)
    assert (report.total_before, report.total_after) == (7, 6)
    before = (root / "memory.md").read_bytes()
    space.proposals.decide(report.proposals[0].id, accept="all")
    assert (root / "memory.md").read_bytes() == before
    space.proposals.decide(report.proposals[0].id, accept=[1])
    assert space.entries.get("m-aaaaaa").status == "superseded"
    assert "~~Anna moved to the city of Kiel in March.~~" in (root / "memory.md").read_text()
    space.undo()
    assert (root / "memory.md").read_bytes() == before


def test_an_entry_that_says_all_stays_as_it_is(space, root, curated):
    _, report, (operation,) = curated("doubles", KEEP)
    assert operation.do == "supersede_entry" and report.merged == 1
    space.proposals.decide(report.proposals[0].id, accept=[1])
    assert space.entries.get("m-aaaaaa").fields["superseded_by"] == "m-bbbbbb"
    assert (root / "memory.md").read_text().count("big city of Kiel") == 1


def test_words_that_no_joined_entry_has_are_set_aside(curated):
    lie = {"joins": [{"lines": [1, 2], "text": "Anna moved to Kiel with 14 cats of Ben."}]}
    _, report, (operation,) = curated("doubles", lie)
    assert operation.state == "aside" and report.merged == 0


def test_where_few_words_are_asked_for_long_ones_are_asked_again(curated):
    short = {"joins": [{"lines": [1, 2], "text": "In March Anna moved to the city of Kiel."}]}
    long = {
        "joins": [{"lines": [1, 2], "text": "Anna moved to the big city of Kiel in March, in Mar."}]
    }
    chat, _, (operation,) = curated("doubles", long, short, short=True)
    assert len(chat.asked) == 2 and "50 characters" in chat.asked[0].messages[0].text
    assert operation.text == short["joins"][0]["text"]


def test_what_holds_no_more_is_ended_by_what_does(space, curated):
    chat, report, (operation,) = curated("conflicts", ENDS)
    assert "1 Ben has a dog named Rex. [2026-01-01]" in chat.asked[0].messages[1].text
    assert operation.do == "supersede_entry" and (report.deleted, report.merged) == (1, 0)
    space.proposals.decide(report.proposals[0].id, accept=[1])
    ended = space.entries.get("m-cccccc").fields
    assert (ended["superseded_by"], ended["valid_to"]) == ("m-dddddd", "2026-05-01")


def test_what_is_ended_by_what_was_said_before_held_until_now(space, curated):
    _, report, _ = curated("conflicts", {"settled": [{"line": 2, "by": 1, "outcome": "ends"}]})
    space.proposals.decide(report.proposals[0].id, accept=[1])
    assert space.entries.get("m-dddddd").fields["valid_to"] == space.live.context.today


def test_a_contradiction_that_nobody_can_settle_is_noted(space, curated):
    _, report, (operation,) = curated(
        "conflicts", {"settled": [{**ENDS["settled"][0], "outcome": "contradicts"}]}
    )
    assert operation.do == "relate_entries" and not operation.flags
    space.proposals.decide(report.proposals[0].id, accept="all")
    assert "m-cccccc" in space.entries.get("m-dddddd").fields["contradicts"]


def test_what_nobody_needs_retires(space, root, curated):
    chat, report, (operation,) = curated("weak", RETIRE)
    assert chat.asked[0].messages[1].text.count("\n") == 2, "core and recalled ones are not shown"
    assert (operation.do, operation.flags[0]) == ("retire_entry", "retires")
    assert space.proposals.get(report.proposals[0].id).reasoning == "It passed."
    space.proposals.decide(report.proposals[0].id, accept=[1])
    assert "~~Buy milk for the weekend.~~" in (root / "inbox/2026-01-03.md").read_text()


def test_a_pair_is_related_with_all_the_rest(space, curated):
    chat, report, _ = curated("relations", BECAUSE)
    asked = chat.asked[0].messages[1].text
    assert "secret" not in asked
    assert "3 The boiler leaks in the cellar." in asked
    space.proposals.decide(report.proposals[0].id, accept="all")
    assert "m-ffffff" in space.entries.get("m-eeeeee").fields["because"]
    chat, again, _ = curated("relations", BECAUSE)
    assert not chat.asked and not again.proposals


def test_a_page_without_a_description_is_described(space, root, curated):
    chat, report, (operation,) = curated("summaries", ABOUT)
    (asked,) = chat.asked
    assert asked.job == "describe/1" and "ferries to Oslo" in asked.messages[1].text
    assert "mayor" not in asked.messages[1].text, "what is private is shown to nobody"
    assert (operation.do, operation.state, operation.flags) == ("describe_page", "open", ())
    space.proposals.decide(report.proposals[0].id, accept="all")
    text = (root / "wiki/kiel.md").read_text()
    assert f"description: {ABOUT['text']}" in text and "The mayor is 47." in text
    chat, _, _ = curated("summaries")
    assert not chat.asked


def test_a_description_that_its_lines_do_not_say_is_set_aside(curated):
    _, _, (operation,) = curated("summaries", {"lines": [1], "text": "Rome has 14 theatres."})
    assert operation.state == "aside"
    _, _, operations = curated("summaries", {"text": ""})
    assert operations == []


def test_all_is_asked_one_job_after_another_and_never_twice(space, root, curated):
    before = (root / "memory.md").read_bytes()
    chat, report, _ = curated("", JOIN, ENDS, RETIRE, BECAUSE, ABOUT)
    assert [each.job.removesuffix("/1") for each in chat.asked] == JOBS
    assert (report.merged, report.deleted, report.portions) == (1, 2, 5)
    assert (root / "memory.md").read_bytes() == before
    chat, again, _ = curated("")
    assert not chat.asked and again.notes == ("there is nothing to ask",)
    space.entries.update("m-bbbbbb", "In March Anna moved to the huge city of Kiel.")
    chat, _, _ = curated("doubles", {"joins": []})
    assert len(chat.asked) == 1, "another text is another question"


def test_what_failed_is_asked_the_next_time(space, curated):
    _, report, _ = curated("", JOIN)
    assert report.error and len(report.proposals) == 1
    chat, _, _ = curated("", ENDS, RETIRE, BECAUSE, ABOUT)
    assert [each.job.removesuffix("/1") for each in chat.asked] == JOBS[1:]


def test_any_model_can_answer(space):
    brief = space.curation.curate_brief("doubles")
    assert brief.job == "doubles/1" and '"joins"' in brief.text
    assert space.curation.curate_brief("doubles").id == brief.id
    view = space.curation.reply(brief.id, json.dumps(JOIN), model="claude")
    assert view.operations[0].do == "join_entries" and view.operations[0].state == "open"
    with pytest.raises(NotFoundError, match="nothing to ask"):
        space.curation.curate_brief("doubles")


def test_an_entry_that_changed_since_the_brief_is_left_alone(space):
    brief = space.curation.curate_brief("doubles")
    space.entries.update("m-aaaaaa", "Anna moved to Rome.")
    assert space.curation.reply(brief.id, json.dumps(JOIN)).operations == ()


def test_without_a_model_the_way_is_told(space):
    with pytest.raises(ModelError, match="no model is set"):
        space.curation.curate()
    with pytest.raises(UsageError, match="cannot be curated"):
        space.curation.curate("everything")


HOSTILE = [
    ("doubles", {"joins": [{"lines": [1, 1, 1], "keep": 1}]}),
    ("doubles", {"joins": [{"lines": [0, -1, 99, 1], "text": "Anna moved."}]}),
    ("doubles", {"joins": [{"lines": [1, 2], "keep": 3}]}),
    ("conflicts", {"settled": [{"line": 1, "by": 1, "outcome": "ends"}]}),
    ("conflicts", {"settled": [{"line": 99, "by": 2, "outcome": "ends"}]}),
    ("weak", {"retire": [0, -3, 77], "reasoning": "All of it."}),
    ("relations", {"relations": [{"line": 1, "other": 1, "relation": "because"}]}),
    ("relations", {"relations": [{"line": -1, "other": 2, "relation": "refines"}]}),
]


@pytest.mark.parametrize(("what", "reply"), HOSTILE)
def test_a_reply_about_nothing_that_was_shown_proposes_nothing(curated, what, reply):
    assert curated(what, reply)[2] == []


def test_an_entry_is_ended_once_whatever_a_reply_says(curated):
    twice = {"joins": [*JOIN["joins"], *KEEP["joins"]]}
    assert len(curated("doubles", twice)[2]) == 1
    circle = {"settled": [*ENDS["settled"], {"line": 2, "by": 1, "outcome": "ends"}]}
    assert len(curated("conflicts", circle)[2]) == 1


@pytest.mark.parametrize(
    ("what", "reply"),
    [
        ("doubles", {"joins": JOIN["joins"] * 31}),
        ("doubles", {"joins": [{"lines": [1, 2]}]}),
        ("conflicts", {"settled": [{"line": 1, "by": 2, "outcome": "delete"}]}),
        ("weak", {"retire": [1] * 31, "reasoning": "All."}),
        ("relations", {"relations": [{"line": 1, "other": 2, "relation": "deletes"}]}),
    ],
)
def test_a_reply_out_of_form_is_refused(curated, what, reply):
    with pytest.raises(ModelError, match="not as asked"):
        curated(what, reply, reply)


def test_words_of_a_reply_are_no_markdown(space, root, curated):
    planted = "Anna moved to the big city of Kiel in March [[evil]] #tag [key:: x] <b>"
    _, report, (operation,) = curated("doubles", {"joins": [{"lines": [1, 2], "text": planted}]})
    space.proposals.decide(report.proposals[0].id, accept=[operation.n])
    assert not {"[[evil]]", "#tag", "[key::", "<b>"} & set((root / "memory.md").read_text().split())


def test_neighbours_support_nothing(space, root, curated):
    text = "Anna moved to the big city of Kiel with Ben and Rex in March."
    joined = {"joins": [{"lines": [1, 2], "text": text}]}
    more = "- Ben and Rex are in the big city of Kiel. [created:: 2026-01-02] ^m-jjjjjj\n"
    more += "- In the big city of Kiel is Ben with Rex. [created:: 2026-01-02] ^m-kkkkkk\n"
    page = root / "memory.md"
    page.write_text(page.read_text().replace("## Facts\n", f"## Facts\n{more}"))
    chat, _, operations = curated("doubles", joined)
    assert "Rex" in chat.asked[0].messages[1].text
    assert operations[0].state == "aside"


def test_the_command_line_curates(space, run, answering):
    code, out, err = run("curate", "doubles", "--brief")
    assert code == 0 and "find those that do" in out and "--reply FILE takes the answer" in err
    answering(json.dumps(JOIN))
    code, out, _ = run("curate", "doubles")
    assert code == 0 and "1 flagged" in out and "7 entries, 6 once all is accepted" in out
    answering(json.dumps(BECAUSE))
    code, out, _ = run("curate", "relations", "--accept", "--json")
    assert code == 0 and json.loads(out)["total_after"] == 7
    assert space.entries.get("m-eeeeee").fields["because"].startswith("m-ffffff")
    code, _, err = run("curate", "nonsense", "--brief")
    assert code == 2 and "cannot be curated" in err


def test_a_dry_run_shows_what_would_be_sent_and_sends_nothing(space, root, run, monkeypatch):
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_MODEL", "small")
    monkeypatch.setattr(ChatServer, "ask", None)
    code, out, _ = run("curate", "--dry-run")
    assert code == 0 and out.count("small at 127.0.0.1") == 5
    assert "Anna moved to the city" in out and "secret" not in out
    assert space.proposals.list(all=True).total == 0


def test_a_page_that_is_withheld_is_shown_to_nobody(space, root):
    file = root / "memwiki.toml"
    file.write_text(f'{file.read_text()}\n[models]\nwithhold = ["memory.md"]\n')
    space.reload()
    with pytest.raises(NotFoundError, match="nothing to ask"):
        space.curation.curate_brief("doubles")
