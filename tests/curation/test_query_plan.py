"""A question whose search a model plans: rounds, one budget, and plain recall where it fails."""

from __future__ import annotations

import json
from threading import Event

import pytest

from memwiki.curation import ask as asking
from memwiki.curation.ask import PLAN
from memwiki.curation.jobs import schema_of
from memwiki.models.opening import ModelRun
from memwiki.models.port import ModelReply
from memwiki.nouns import Hit, HitKind
from memwiki.recall.plans import interleave_hits
from memwiki.text import tokens

PAGES = """
--- memwiki.toml ---
[layers]
memory = "memory.md"
[models]
withhold = ["clients/**"]
--- boat.md ---
# Boat

The long green boat is moored at [[harbour]].
--- harbour.md ---
# Harbour

The quay of Kiel.

- The code is 4711. [private:: true]
--- ida.md ---
# Ida Holm

She plays the cello on Sundays.
--- band.md ---
# Quartet

Four musicians of Rostock.
--- clients/acme.md ---
# Acme boat

The boat of Acme sank.
--- memory.md ---
# Memory
- Anna prefers green tea. [type:: preference]
"""
QUESTION = "where is the long green boat?"


def plan(query="quay", **more):
    return json.dumps({"semantic_query": query, **more})


@pytest.fixture
def space(opened, write_blocks):
    write_blocks(PAGES)
    return opened()


def test_a_plan_is_asked_and_what_it_finds_comes_in_turns_with_the_rest(space, answering):
    chat = answering(plan("cello on Sundays"))
    plain = space.recall(QUESTION)
    answer = space.recall(QUESTION, plan=True)
    (asked,) = chat.asked
    assert asked.job == "query_plan/1"
    assert asked.messages[1].text.startswith(f"Question: {QUESTION}\n\n<lines-")
    assert answer.hits[0] == plain.hits[0]
    assert answer.hits[1].path == "ida.md"
    assert {each.path for each in plain} < {each.path for each in answer}
    (row,) = answer.plan.rounds
    assert (row.query, row.depth, row.search_mode, row.added) == (
        "cello on Sundays",
        0,
        "hybrid",
        1,
    )
    assert (answer.plan.used, answer.plan.reason) == (True, "")
    assert answer.total == plain.total + 1


def test_rounds_go_on_from_what_the_last_one_named(space, answering):
    replies = [plan("harbour quay", more=True), plan("cello", more=True)]
    chat = answering(*replies, plan("musicians", more=True), plan("never asked"))
    answer = space.recall(QUESTION, plan=True)
    assert [each.query for each in answer.plan.rounds] == ["harbour quay", "cello", "musicians"]
    first, second, third = (each.messages[1].text for each in chat.asked)
    assert "Nothing was found so far." in first and "moored" not in first
    assert "moored at [[harbour]]" in second and "The quay of Kiel" in second
    assert "She plays the cello" in third
    assert "Acme" not in third + second and "4711" not in third + second


def test_the_same_is_not_asked_again(space, answering):
    again = plan("the long green boat", more=True)
    chat = answering(again, again, plan("never asked"))
    answer = space.recall(QUESTION, plan=True)
    assert len(chat.asked) == len(answer.plan.rounds) == 2
    assert answer.hits == space.recall(QUESTION).hits


def test_all_of_a_plan_counts(space, answering, monkeypatch):
    seen = []
    real = space._recalled
    monkeypatch.setattr(
        type(space),
        "_recalled",
        lambda _, text, options: seen.append((text, options)) or real(text, options),
    )
    answering(
        plan(
            "tea",
            memory_types=["preference"],
            subject_includes=["Anna", "tea"],
            expand_depth=2,
            relation_filters=["because", "supports"],
            search_mode="bm25",
        )
    )
    answer = space.recall(QUESTION, plan=True, budget=1_000)
    (_, plain), (text, made) = seen
    assert text == "tea Anna"
    assert (made.types, made.mode, made.depth) == (("preference",), "deep", 2)
    assert (made.relation, made.search_mode) == ("because", "bm25")
    assert plain.budget is made.budget is None and not (plain.plan or made.plan)
    assert [each.path for each in answer if each.path == "memory.md"]


def test_what_was_asked_for_counts_more_than_a_plan(space, answering):
    answering(plan("quay", memory_types=["event"], search_mode="embedding"))
    answer = space.recall(QUESTION, plan=True, types=["preference"], search_mode="bm25")
    assert answer.plan.rounds[0].types == ("preference",)
    assert {each.path for each in answer} <= {"memory.md"}


def test_all_rounds_share_one_budget(space, answering):
    answering(plan("quay", more=True), plan("cello"))
    answer = space.recall(QUESTION, plan=True, budget=40)
    assert answer.tokens <= 40 and answer.left_out["over budget"]
    answering(plan("quay"))
    assert len(space.recall(QUESTION, plan=True, limit=2).hits) == 2


def test_the_rounds_are_shown_where_an_answer_is_explained(space, answering, run):
    answering(plan("cello on Sundays"))
    code, out, _ = run("recall", QUESTION, "--plan", "--explain")
    assert code == 0
    assert "round 1  cello on Sundays\n    search hybrid, new 1\n" in out
    assert "; round 1" in out
    answering(plan("cello on Sundays"))
    assert "round 1" not in run("recall", QUESTION, "--plan")[1]


@pytest.mark.parametrize(
    "text",
    ["", "no", '{"semantic_query": ""}', '{"semantic_query": "a", "expand_depth": 9}', "[" * 9_999],
)
def test_a_plan_that_is_none_leaves_plain_recall_and_says_so(space, answering, text):
    plain = space.recall(QUESTION)
    answering(text, text)
    answer = space.recall(QUESTION, plan=True)
    assert answer.hits == plain.hits and answer.total == plain.total
    assert not answer.plan.used and "is not as asked" in answer.plan.reason


def test_a_later_round_that_fails_leaves_what_is_there(space, answering, run):
    answering(plan("cello", more=True), "no", "no")
    answer = space.recall(QUESTION, plan=True)
    assert "ida.md" in {each.path for each in answer} and answer.plan.used
    answering("no", "no")  # the first plan is kept
    assert (
        "Planned for 1 round: recorded: the reply is not as asked"
        in run("recall", QUESTION, "--plan")[2]
    )


class SilentChat:
    """A Chat that answers when the test is over."""

    key, context_tokens = "slow slow", 4096

    def __init__(self):
        self.over = Event()

    def ask(self, ask):
        self.over.wait()
        return ModelReply(plan())

    def close(self):
        self.over.set()


def test_a_slow_model_is_not_waited_for(space, run, monkeypatch):
    chat = SilentChat()
    monkeypatch.setattr(ModelRun, "chat", lambda _: chat)
    monkeypatch.setattr(asking, "WAIT_SECONDS", 0.02)
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_MODEL", "slow")
    try:
        plain = space.recall(QUESTION)
        answer = space.recall(QUESTION, plan=True)
        assert answer.hits == plain.hits
        assert answer.plan.reason == "slow: gave no plan within 0.02 seconds"
        code, _, err = run("recall", QUESTION, "--plan")
        assert code == 0 and "Not planned: slow: gave no plan within" in err
    finally:
        chat.over.set()


def test_a_server_may_take_no_longer_than_is_waited(space, monkeypatch):
    seen = []
    monkeypatch.setattr(ModelRun, "chat", lambda run: seen.append(run.models.chat) or SilentChat())
    monkeypatch.setattr(asking, "WAIT_SECONDS", 0.02)
    space.recall(QUESTION, plan=True)
    assert (seen[0].idle_seconds, seen[0].total_seconds) == (0.02, 0.02)


def test_without_a_model_nothing_is_planned(space, run):
    answer = space.recall(QUESTION, plan=True)
    assert answer.hits == space.recall(QUESTION).hits
    assert answer.plan.reason == "models.chat: no model is set"
    code, out, err = run("recall", QUESTION, "--plan", "--json")
    assert code == 0 and json.loads(out)["plan"]["used"] is False and not err
    assert "plan" not in json.loads(run("recall", QUESTION, "--json")[1])


def test_a_prompt_says_beside_it_that_nothing_was_planned(space, run):
    code, out, err = run("recall", QUESTION, "--plan", "--format", "prompt")
    assert code == 0 and out.startswith("# USER MEMORY")
    assert err == "Not planned: models.chat: no model is set.\n"


def test_a_secret_in_a_question_is_not_sent(space, answering):
    chat = answering(plan(), plan())
    space.recall("what opens with ghp_16C7e42F292c6912E7710c838347Ae178B4a?", plan=True)
    assert "ghp_" not in chat.asked[0].messages[1].text


def test_a_file_is_not_loaded_for_a_plan(space, monkeypatch):
    monkeypatch.setenv("MEMWIKI_MODELS_CHAT_FILE", "big.gguf")
    reason = space.recall(QUESTION, plan=True).plan.reason
    assert reason == "big.gguf: loading a file takes longer than a plan may take"


def test_hits_come_in_turns_and_once():
    a, b, c = (Hit(f"{n}.md", n, "", "", 1, 1, 0.5, "", (), "", kind=HitKind.PAGE) for n in "abc")
    assert interleave_hits([[a, b], [b, c], []]) == [a, b, c]


def test_a_prompt_is_short():
    form = json.dumps(schema_of(PLAN.form), separators=(",", ":"))
    assert tokens(PLAN.prompt.text) + tokens(form) <= 600
