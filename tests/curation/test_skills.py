"""How a finished task was done, as a skill: proposed with the lines of each step."""

from __future__ import annotations

import json

import pytest

from memwiki.cli.main import main
from memwiki.errors import ModelError, UsageError

LOG = """\
The build failed with an error about sqlite.
I deleted the folder .cache and ran make clean.
I installed libsqlite3-dev with apt.
Then I ran make test, and all of it passed.
"""
STEPS = [
    {"lines": [2], "text": "Delete the folder .cache and run make clean."},
    {"lines": [3], "text": "Install libsqlite3-dev with apt."},
    {"lines": [4], "text": "Run make test."},
]
REPLY = {"name": "Fix a build that failed with an error of sqlite", "steps": STEPS}


def reply(**changes):
    return json.dumps({"reasoning": "It took an hour.", **REPLY, **changes})


@pytest.fixture
def asked(space, answering):
    """The operations that come of a reply, and what was asked."""

    def ask(answer, **options):
        chat = answering(answer)
        options = options or {"text": LOG}
        (row,) = space.curation.extract(**options, skill=True).proposals
        return chat, space.proposals.get(row.id)

    return ask


def test_a_trail_becomes_a_skill_once_it_is_accepted(space, root, asked):
    named = {"name": "Fix a failed build of sqlite"}
    chat, view = asked(reply(**named))
    assert chat.asked[0].job == "skill/1" and "3 I installed" in chat.asked[0].messages[1].text
    (operation,) = view.operations
    assert (operation.do, operation.state) == ("record_skill", "open"), operation.why
    assert [each.line for each in operation.evidence] == [2, 3, 4]
    space.proposals.decide(view.id, accept=[1])
    text = (root / "learnings.md").read_text()
    assert (
        f"## Skills\n- {named['name']} " in text and "  - Install libsqlite3-dev with apt." in text
    )
    space.undo()
    assert "libsqlite3" not in (root / "learnings.md").read_text()


def test_a_step_that_its_lines_do_not_say_sets_the_skill_aside(asked):
    lie = {"lines": [3], "text": "Install postgres 14 with brew."}
    _, view = asked(reply(steps=[*STEPS[:1], lie]))
    assert view.operations[0].state == "aside" and "step 2" in view.operations[0].why
    far = {"lines": [99], "text": "Run make test."}
    _, view = asked(reply(steps=[*STEPS[:2], far]), text=f"{LOG}That is all.")
    assert view.operations[0].state == "aside"


def test_what_is_routine_is_no_skill(asked):
    _, view = asked(reply(name="", steps=[], reasoning="Routine."))
    assert view.operations == () and view.reasoning == "Routine."


@pytest.mark.parametrize("changes", [{"steps": []}, {"name": ""}, {"steps": STEPS * 5}])
def test_half_a_skill_is_asked_for_again(space, answering, changes):
    answering(reply(**changes), reply(**changes))
    with pytest.raises(ModelError, match="not as asked"):
        space.curation.extract(text=LOG, skill=True)


def test_goal_and_result_can_be_cited_too(asked):
    steps = [{"lines": [2], "text": "Delete the damaged cache."}]
    given = {"goal": "Fix the build", "result": "Deleting the damaged cache fixed it."}
    chat, view = asked(reply(name="Fix the build", steps=steps), **given)
    assert "1 Goal of the task: Fix the build" in chat.asked[0].messages[1].text
    assert view.operations[0].state == "open", view.operations[0].why


def test_a_session_is_a_trail(space, asked):
    steps = [{"lines": [1], "text": "Move to Kiel."}, {"lines": [3], "text": "Drink no coffee."}]
    _, view = asked(reply(name="Prefer green tea", steps=steps), source="talk")
    assert view.source == "sessions/talk.md"
    assert "assistant" not in str(view.operations[0].flags)


def test_any_model_can_answer(space):
    brief = space.curation.extract_brief(text=LOG, skill=True)
    assert brief.job == "skill/1" and '"steps"' in brief.text
    view = space.curation.reply(brief.id, reply(), model="claude")
    assert view.operations[0].do == "record_skill"


def test_a_trail_that_is_too_long_is_an_error(space, answering):
    answering(reply(), context_tokens=256)
    with pytest.raises(UsageError, match="is longer than 128 tokens"):
        space.curation.extract(text=LOG * 40, skill=True)


def test_the_command_line_prints_the_job(space, root, capsys):
    log = root / "build.txt"
    log.write_text(LOG)
    assert main(["-C", str(root), "extract", str(log), "--skill", "--brief"]) == 0
    assert "how to do such a task" in capsys.readouterr().out
