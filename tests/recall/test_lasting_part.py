"""What a prompt begins with: what orders something before facts, and no older value as if it held;
what is put up for a question never is an older value alone."""

from __future__ import annotations

import pytest

from memwiki.judgement import near_pairs
from memwiki.nouns import HitKind
from memwiki.recall.prompt import PromptItem, block
from tests.effort import for_each

MARK = "an older value"
QUESTION = "# For this question\n"
OLD = "- Always use pnpm in Atlas. [type:: convention] [created:: 2026-11-01] ^m-aaaaaa\n"
NEW = "- Use bun in Atlas from now on. [type:: convention] [created:: 2026-11-05] ^m-bbbbbb\n"


def lines_of(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("- ")]


def told(text: str) -> list[str]:
    """The memories of a prompt, each with its mark before it."""
    return [" | ".join(line.split(" | ")[1:-1]) for line in lines_of(text)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Always use pnpm in Atlas.", "Use bun in Atlas from now on."),
        ("The Atlas API listens on port 8080.", "The Atlas API listens on port 8081."),
        ("支付模块的负责人是王芳。", "支付模块的负责人改为陈刚。"),
    ],
)
def test_of_two_values_a_prompt_begins_with_the_newer_one(put, ws, old, new):
    rows = (
        f"- {old} [importance:: 0.9] [created:: 2026-11-01] ^m-aaaaaa\n",
        f"- {new} [created:: 2026-11-05] ^m-bbbbbb\n",
        "- The office is in Kiel. [importance:: 0.8] [created:: 2026-10-01] ^m-cccccc\n",
    )
    for lines in (rows, rows[::-1]):
        put("memory.md", f"# Memory\n\n{''.join(lines)}")
        expected = [new, f"{MARK} | {old}", "The office is in Kiel."]
        assert told(ws.prompt().text) == expected
        assert told(ws.prompt().text) == expected  # as it was kept


def test_an_older_value_stands_behind_the_newest_whatever_their_types(put, ws):
    put(
        "memory.md",
        "# Memory\n\n"
        "- [preference] The door code is 4711. [created:: 2026-03-01] ^m-aaaaaa\n"
        "- [fact] The door code is 9023. [created:: 2026-05-01] ^m-bbbbbb\n"
        "- [preference] The door code is 1234. [created:: 2026-04-01] ^m-cccccc\n",
    )
    text = ws.prompt().text
    codes = ("9023", "1234", "4711")
    assert [next(c for c in codes if c in line) for line in lines_of(text)] == [*codes]
    assert [MARK in line for line in lines_of(text)] == [False, True, True]
    assert "User Preferences" not in text


def test_an_older_value_is_left_out_where_the_newer_one_does_not_fit():
    old, new = item("Old.", line=3), item("New. " + "word " * 200, line=4)
    older = old._replace(age=MARK, newer=new.place)
    assert told(block([new, older], None, 500, has_scores=False).text)[1] == f"{MARK} | Old."
    packed = block([new, older], None, 100, has_scores=False)
    assert (packed.text, packed.left_out) == ("", 2)


def test_preferences_and_what_orders_something_come_before_facts(put, ws):
    wanted = {
        "preference": "Likes short answers.",
        "convention": "Commits are in English.",
        "lesson": "Mocked clocks hide bugs.",
        "runbook": "生产数据禁止导出。",
        "decision": "Never deploy on Fridays.",
    }
    facts = "".join(
        f"- [fact] Room {n} is on floor {n % 7}. [importance:: 1] [created:: 2026-09-01]\n"
        for n in range(40)
    )
    orders = "".join(f"- [{type_}] {text}\n" for type_, text in wanted.items())
    put("memory.md", f"# Memory\n\n{facts}{orders}")
    shown = told(ws.prompt(budget=300).text)
    assert {*wanted.values()} < {*shown}
    assert shown[:2] == [wanted["preference"], wanted["convention"]]


def test_the_lasting_part_is_the_same_for_every_question(put, ws):
    rest = "".join(f"- Room {n} is in Kiel. [created:: 2026-11-02]\n" for n in range(20))
    put("memory.md", f"# Memory\n\n{OLD}{NEW}{rest}")
    questions = ("what to use in Atlas?", "where is Kiel?", "xylophone")
    texts = [ws.prompt(ws.recall(each, record=False), budget=300).text for each in questions]
    parts = {text.split(QUESTION)[0].split("(")[0] for text in texts}
    assert len(parts) == 1
    assert MARK in parts.pop()


@for_each(
    "other",
    [
        "## Other\n\n- The door code is 9023. [created:: 2026-05-01]\n",  # who knows which is newer
        "- The door code is 9023.\n",
        "- The door code is 9023. [created:: 2026-04-02] [valid_to:: 2999-01-01]\n",
    ],
)
def test_what_is_not_plainly_older_bears_no_mark(put, ws, other):
    one = "- The door code is 4711. [created:: 2026-05-01]\n"
    put("memory.md", f"# Memory\n\n{one}\n{other}")
    assert MARK not in ws.prompt().text


def test_what_contradicts_what_is_judged_once_until_a_memory_changes(put, ws, opened, monkeypatch):
    judged, judge = list[int](), near_pairs.conflicts

    def counted(facts, rules):
        judged.append(len(facts))
        return judge(facts, rules)

    monkeypatch.setattr(near_pairs, "conflicts", counted)
    put("memory.md", f"# Memory\n\n{NEW}- No day says this.\n")
    ws.prompt()
    assert judged == []  # one alone contradicts nothing
    put("memory.md", f"# Memory\n\n{OLD}{NEW}- No day says this.\n")
    first = ws.prompt().text
    assert first == opened().prompt().text == ws.prompt(ws.recall("xylophone")).text
    assert judged == [2]
    put("memory.md", f"# Memory\n\n{OLD}{NEW.replace('bun', 'yarn')}")
    assert "yarn" in ws.prompt().text
    assert judged == [2, 2]


# --- what is put up for a question ---


def item(text: str, type_: str = "fact", line: int = 3, age: str = "") -> PromptItem:
    return PromptItem(text, "2026-05-03", "memory.md", line, line, type_, 0.5, HitKind.ENTRY, age)


PORT = item("The API listens on port 8081.", line=4)
OLD_PORT = item("The API listens on port 8080.", line=3, age=MARK)
OTHER = item("The API has a rate limit.", line=5)


@for_each("core", [(), (PORT,), (PORT, OTHER), (PORT, OLD_PORT._replace(age=""))])
def test_an_older_value_is_never_put_up_alone(core):
    packed = block(core, [OTHER, PORT, OLD_PORT], 500, has_scores=False)
    shown = told(packed.text.partition(QUESTION)[2])
    assert shown[-2:] == [PORT.text, f"{MARK} | {OLD_PORT.text}"]
    assert packed.found == (0, 1, 2)


def test_an_older_value_stands_behind_the_newer_one_of_another_type():
    old, liked = OLD_PORT._replace(type="preference"), item("Likes APIs.", "preference", line=9)
    shown = told(block((), [liked, PORT, old], 500, has_scores=False).text)
    assert shown == [liked.text, PORT.text, f"{MARK} | {old.text}"]


def test_what_the_core_marks_as_older_is_not_said_again():
    core = [PORT, OLD_PORT._replace(newer=PORT.place)]
    packed = block(core, [PORT, OLD_PORT], 500, has_scores=False)
    assert (QUESTION in packed.text, packed.found, packed.left_out) == (False, (0, 1), 0)


def test_an_older_value_without_a_newer_one_is_left_out():
    packed = block((), [OLD_PORT], 500, has_scores=False)
    assert (packed.text, packed.found) == ("", ())


@for_each("budget", range(60, 140, 4))
def test_the_newer_one_gets_the_room_first(budget):
    core = [PORT, item("Core. " + "word " * 20, line=9)]
    packed = block(core, [PORT, OLD_PORT], budget, has_scores=False)
    asked = packed.text.partition(QUESTION)[2]
    assert OLD_PORT.text not in asked or PORT.text in asked


def test_what_answers_best_stands_first():
    best, liked = item("Deploy on Monday.", "decision", line=6), item("Likes tea.", "preference")
    found = [best, liked, OTHER, item("Deploy with care.", "decision", line=7)]
    shown = told(block((), found, 500, has_scores=False).text)
    assert shown == [best.text, found[3].text, liked.text, OTHER.text]


def test_the_prompt_of_a_question_has_the_newer_value_first(put, ws):
    put("memory.md", f"# Memory\n\n{OLD}{NEW}")
    text = ws.prompt(ws.recall("what do we use in Atlas?"), core=False).text
    assert [("bun" in line, MARK in line) for line in lines_of(text)] == [
        (True, False),
        (False, True),
    ]


def test_what_a_prompt_begins_with_is_the_same_after_recalls(put, ws):
    put(
        "memory.md",
        "# Memory\n\n"
        "- The office is in Kiel. [created:: 2026-10-01] ^m-aaaaaa\n"
        "- The car is a red Fiat. [created:: 2026-10-03] ^m-bbbbbb\n"
        "- The dentist is Dr. Weiss. [created:: 2026-10-02] ^m-cccccc\n",
    )
    before = ws.prompt().text
    for _ in range(3):
        ws.recall("which dentist")
    assert told(before) == [
        "The car is a red Fiat.",
        "The dentist is Dr. Weiss.",
        "The office is in Kiel.",
    ]
    assert ws.prompt().text == before


def test_what_ends_an_instruction_is_looked_for_far_behind_it(put, ws):
    facts = "".join(
        f"- Room {n} of the archive holds {n % 13} boxes. [created:: 2026-04-01] ^m-{n:06d}\n"
        for n in range(100, 200)
    )
    put(
        "memory.md",
        "# Memory\n\n- [convention] Package manager is npm; run everything with `npm run`."
        f" [created:: 2026-03-02] ^m-aaaaaa\n{facts}"
        "- [decision] Switched from npm to pnpm. [importance:: 0.1] [created:: 2026-05-06] ^m-bb\n",
    )
    first, second = (each for each in told(ws.prompt().text) if "npm" in each)
    assert first == "Switched from npm to pnpm."
    assert second.startswith(MARK)
