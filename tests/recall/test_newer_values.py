"""Of two values of one thing the newer one answers first, and the older one says so."""

from __future__ import annotations

import pytest

from tests.effort import for_each

MARK = "an older value"


def ids(answer) -> list[str]:
    return [hit.id for hit in answer.hits]


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        ("The door code is 4711.", "The door code is 9023.", "what is the door code?"),
        ("我住在北京。", "我住在上海。", "我住在哪里？"),
        ("I live in Berlin.", "I live in Hamburg.", "where do I live?"),
    ],
)
def test_the_newer_of_two_values_comes_first_wherever_it_stands(put, ws, old, new, question):
    rows = (
        f"- {old} [created:: 2024-03-01] ^m-aaaaaa\n",
        f"- {new} [created:: 2025-03-01] ^m-bbbbbb\n",
    )
    for lines in (rows, rows[::-1]):
        put("memory.md", f"# Memory\n\n{''.join(lines)}")
        answer = ws.recall(question)
        assert ids(answer) == ["m-bbbbbb", "m-aaaaaa"]
        newer, older = answer.hits
        assert MARK in older.reasons
        assert MARK not in newer.reasons
        assert newer.score >= older.score


def test_a_prompt_says_what_is_older_and_what_holds_no_longer_is_no_known_fact(put, ws):
    put(
        "memory.md",
        "# Memory\n\n"
        "- My doctor is Dr. Weber. [importance:: 0.9] [created:: 2021-03-01] ^m-aaaaaa\n"
        "- My doctor is Dr. Krause. [created:: 2025-03-01] ^m-bbbbbb\n"
        "- The gym is Fit. [valid_to:: 2022-01-01] [created:: 2021-03-01] ^m-cccccc\n"
        "- The gym is Mac. [valid_from:: 2999-01-01] [created:: 2021-03-01] ^m-dddddd\n",
    )
    assert "gym" not in ws.prompt().text
    for answer in (ws.recall("who is my doctor?"), ws.recall("which gym is it?")):
        lines = ws.prompt(answer).text.splitlines()
        told = [line.split(" | ")[1] for line in lines if line.startswith("- ") and "|" in line]
        assert {MARK, "valid to 2022-01-01", "valid from 2999-01-01"}.intersection(told)


CHAIN = (
    "- I live in Hamburg. [created:: 2019-03-01] ^m-aaaaaa\n"
    "- I moved to Berlin. [created:: 2021-03-01] ^m-bbbbbb\n"
    "- We moved to Leipzig. [created:: 2024-03-01] ^m-cccccc\n"
    "- I work for Siemens. [created:: 2018-03-01] ^m-dddddd\n"
    "- I joined Bosch. [created:: 2020-03-01] ^m-eeeeee\n"
    "- I left Bosch for SAP. [created:: 2022-03-01] ^m-ffffff\n"
)


@for_each(
    ("question", "found"),
    [
        ("where do I live?", "m-cccccc m-aaaaaa"),
        ("where did I live in 2022?", "m-bbbbbb m-aaaaaa"),
        ("where did I live before 2020?", "m-aaaaaa"),
        ("where did I live from 2018 to 2021?", "m-bbbbbb m-aaaaaa"),
        ("where have I lived since 2020?", "m-cccccc m-aaaaaa"),
        ("who do I work for?", "m-ffffff m-eeeeee m-dddddd"),
    ],
)
def test_of_a_chain_of_values_the_newest_of_the_time_that_is_asked_comes_first(
    put, ws, question, found
):
    put("memory.md", f"# Memory\n\n{CHAIN}")
    assert ids(ws.recall(question))[: len(found.split())] == found.split()


def test_what_was_written_down_later_tells_of_the_time_that_it_names(put, ws):
    put(
        "memory.md",
        "# Memory\n\n"
        "- The gym is Fit. [created:: 2024-01-01] [valid_from:: 2016-01-01] [valid_to:: 2019-01-01]"
        " ^m-aaaaaa\n"
        "- The gym is Mac. [created:: 2014-01-01] ^m-bbbbbb\n",
    )
    assert ids(ws.recall("what was the gym in 2017?")) == ["m-aaaaaa", "m-bbbbbb"]
    put(
        "memory.md",
        "# Memory\n\n"
        "- The deadline of the 2025 tax return is May 31. [created:: 2025-01-05] ^m-aaaaaa\n"
        "- The deadline of the 2025 tax return is July 31. [created:: 2026-03-05] ^m-bbbbbb\n",
    )
    assert ids(ws.recall("what is the deadline of the 2025 tax return?")) == [
        "m-bbbbbb",
        "m-aaaaaa",
    ]


def test_where_all_is_later_than_what_is_asked_the_newest_comes_first(put, ws):
    put(
        "memory.md",
        "# Memory\n\n"
        "- My boss is Ann. [created:: 2018-03-01] ^m-aaaaaa\n"
        "- My boss is Bo. [created:: 2021-03-01] ^m-bbbbbb\n",
    )
    newer, older = ws.recall("who was my boss in 2015?").hits
    assert (newer.id, newer.age, older.age) == ("m-bbbbbb", "a later value", MARK)
    newer, older = ws.recall("who was my boss in 2020?").hits
    assert (newer.id, newer.age, older.age) == ("m-aaaaaa", "", "a later value")


def test_what_is_known_of_later_days_only_is_marked_where_a_time_that_is_over_is_asked(put, ws):
    put(
        "memory.md",
        "# Memory\n\n- The rate limit is 2000 requests a minute. [created:: 2026-10-06]\n",
    )
    (hit,) = ws.recall("what was the rate limit in April 2026?").hits
    assert hit.age == "a later value"
    (hit,) = ws.recall("what is the rate limit?").hits
    assert hit.age == ""


def test_what_was_only_written_in_the_month_asked_for_comes_behind_what_answers(put, ws):
    put(
        "memory.md",
        "# Memory\n\n"
        "- Maya is the tech lead. [created:: 2025-03-03] ^m-aaaaaa\n"
        "- The printer is on floor 2. [created:: 2025-08-03] ^m-bbbbbb\n"
        "- Rosa drinks tea. [created:: 2025-08-26] ^m-cccccc\n",
    )
    assert ids(ws.recall("who was tech lead in August 2025?"))[0] == "m-aaaaaa"
    assert set(ids(ws.recall("what happened in August 2025?"))) == {"m-bbbbbb", "m-cccccc"}


def test_what_was_superseded_since_answers_for_the_days_in_which_it_held(put, ws):
    put(
        "memory.md",
        "# Memory\n\n"
        "- ~~The owner is Ben.~~ [created:: 2025-04-01] [superseded_by:: m-bbbbbb]"
        " [valid_to:: 2025-09-01] ^m-aaaaaa\n"
        "- The owner is Carla. [created:: 2025-09-01] [supersedes:: m-aaaaaa] ^m-bbbbbb\n",
    )
    then, now = ws.recall("who was the owner in May 2025?").hits
    assert (then.id, then.age, now.age) == ("m-aaaaaa", "superseded", "a later value")
    for question in ("who is the owner?", "who was the owner in October 2025?"):
        assert ids(ws.recall(question)) == ["m-bbbbbb"]
    assert ids(ws.recall("who was the owner in March 2025?")) == ["m-bbbbbb"]
    assert ids(ws.recall("what was the rent in May 2025?")) == []


def test_one_subject_and_topic_with_another_object_is_another_value(put, ws):
    put(
        "memory.md",
        "# Memory\n\n"
        "- Moved in with Lena at last, the boat as home. [subject:: me] [topic:: home]"
        " [object:: boat] [created:: 2024-03-01] ^m-aaaaaa\n"
        "- The new home is a tower. [subject:: me] [topic:: home] [object:: tower]"
        " [created:: 2025-03-01] ^m-bbbbbb\n",
    )
    assert ids(ws.recall("my home"))[0] == "m-bbbbbb"
    assert ids(ws.recall("boat as home at last")) == ["m-bbbbbb", "m-aaaaaa"], "however it is asked"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The blue boat lies in Kiel.", "The blue boat was built of oak."),
        ("Anna likes tea.", "Anna likes hiking in tea gardens."),
    ],
)
def test_what_holds_beside_the_other_is_not_marked(put, ws, one, other):
    put(
        "memory.md",
        f"# Memory\n\n- {one} [created:: 2024-03-01] ^m-aaaaaa\n"
        f"- {other} [created:: 2025-03-01] ^m-bbbbbb\n",
    )
    answer = ws.recall("Anna tea boat blue")
    assert len(answer.hits) == 2
    assert not any(MARK in hit.reasons for hit in answer.hits)


@pytest.mark.parametrize(
    ("mark", "between", "older"),
    [
        ("", "", []),
        ("[created:: 2024-03-01]", "", ["m-aaaaaa"]),  # `add` writes below what is there
        ("[created:: 2024-03-01]", "\n## Of the house\n\n", []),
    ],
)
def test_of_one_day_what_stands_below_in_its_section_is_newer(put, ws, mark, between, older):
    put(
        "memory.md",
        f"# Memory\n\n- The door code is 4711. {mark} ^m-aaaaaa\n{between}"
        f"- No, the door code is 9023. {mark} ^m-bbbbbb\n",
    )
    answer = ws.recall("what is the door code?")
    assert [hit.id for hit in answer.hits if MARK in hit.reasons] == older
    assert not older or answer.hits[0].id == "m-bbbbbb"


def test_of_many_values_the_newest_comes_first_and_all_others_are_marked(put, ws):
    years = (2023, 2025, 2021, 2024, 2022)
    rows = (f"- The door code is {y}7. [created:: {y}-03-01] ^m-aaa{y}\n" for y in years)
    put("memory.md", f"# Memory\n\n{''.join(rows)}")
    answer = ws.recall("what is the door code?")
    assert answer.hits[0].id == "m-aaa2025"
    assert [hit.id for hit in answer.hits if MARK not in hit.reasons] == ["m-aaa2025"]
    assert [hit.score for hit in answer] == sorted((hit.score for hit in answer), reverse=True)


def test_of_two_values_of_one_key_the_newer_one_is_first_however_much_better_the_older_is(put, ws):
    key = "[key:: office/place]"
    put(
        "memory.md",
        "# Memory\n\n## Facts\n\n"
        f"- The office of Anna is near the harbour. {key} [created:: 2025-01-05] ^m-aaaaaa\n"
        f"- Anna moved to Kiel with everybody last summer. {key} [created:: 2026-05-05] ^m-bbbbbb\n"
        "- Tea is green. [created:: 2026-05-05] ^m-cccccc\n",
    )
    hits = ws.recall("Where near the harbour is the office of Anna?").hits
    assert [hit.id for hit in hits[:2]] == ["m-bbbbbb", "m-aaaaaa"]
    assert MARK in hits[1].reasons


def test_what_holds_today_comes_before_what_is_over_or_not_begun(put, ws):
    put(
        "memory.md",
        "# Memory\n\n"
        "- The discount code is SPRING. [valid_to:: 2026-05-01] [created:: 2026-04-01] ^m-spring\n"
        "- The discount code is WINTER. [valid_from:: 2126-12] [created:: 2026-04-02] ^m-winter\n"
        "- The discount code is AUTUMN. [valid_from:: 2024-09] [created:: 2026-04-01] ^m-autumn\n",
    )
    hits = ws.recall("what is the discount code now").hits
    assert hits[0].id == "m-autumn"
    marks = {hit.id: " ".join(hit.reasons) for hit in hits}
    assert "valid from 2126-12" in marks["m-winter"]
    assert "valid to 2026-05-01" in marks["m-spring"]
    assert MARK not in marks["m-autumn"]


def test_of_a_year_that_is_asked_for_the_value_that_held_then_comes_first(put, ws):
    put(
        "memory.md",
        "# Memory\n\n"
        "- The gate code is ALPHA. [valid_to:: 2126-11] [created:: 2024-04-02] ^m-alphaa\n"
        "- The gate code is BRAVO. [valid_from:: 2127-01-01] [created:: 2024-04-01] ^m-bravoo\n",
    )
    assert ws.recall("what is the gate code").hits[0].id == "m-alphaa"
    assert ws.recall("what will the gate code be in 2127").hits[0].id == "m-bravoo"


CHANGES = [
    ("User lives in Munich.", "User moved to Hamburg.", "where does the user live?"),
    ("User works at Google.", "User quit Google.", "where does the user work?"),
    (
        "The server runs Ubuntu 22.",
        "The server was upgraded to Ubuntu 24.",
        "what runs the server?",
    ),
    ("王芳负责支付项目。", "支付项目交给李强了。", "谁负责支付项目？"),
]


@pytest.mark.parametrize(("old", "new", "question"), CHANGES)
@pytest.mark.parametrize("others", [0, 300])
def test_a_change_told_in_other_words_comes_first(put, ws, old, new, question, others):
    noise = (f"- User {verb} boat {n}. [created:: 2026-01-01]\n" for verb, n in _noise(others))
    put(
        "memory.md",
        f"# Memory\n\n- {old} [created:: 2026-03-01] ^m-aaaaaa\n{''.join(noise)}"
        f"- {new} [created:: 2026-05-01] ^m-bbbbbb\n",
    )
    hits = {hit.id: hit for hit in ws.recall(question)}
    assert next(iter(hits)) == "m-bbbbbb"
    assert MARK in hits["m-aaaaaa"].reasons
    assert ids(ws.recall(question, limit=1)) == ["m-bbbbbb"]
    assert "m-bbbbbb" not in ids(ws.recall(question, until="2026-04-01"))


@pytest.mark.parametrize("mark", ["origin:: web", "status:: staged"])
def test_what_nobody_of_ours_said_never_comes_before_what_somebody_did(put, ws, mark):
    put(
        "memory.md",
        "# Memory\n\n- User lives in Munich. [created:: 2026-03-01] ^m-aaaaaa\n"
        f"- User moved to Hamburg. [created:: 2026-05-01] [{mark}] ^m-bbbbbb\n",
    )
    first, *_ = ws.recall("where does the user live?")
    assert first.id == "m-aaaaaa"
    assert MARK not in first.reasons


def test_the_newest_that_counts_is_brought_in_however_many_newer_ones_do_not(put, ws):
    noise = (f"- User {verb} boat {n}. [created:: 2026-01-01]\n" for verb, n in _noise(300))
    put(
        "memory.md",
        "# Memory\n\n- User lives in Munich. [created:: 2026-03-01] ^m-aaaaaa\n"
        f"{''.join(noise)}- User moved to Hamburg. [created:: 2026-05-01] ^m-bbbbbb\n"
        "- User moved to Kiel. [created:: 2026-06-01] [origin:: web] ^m-cccccc\n"
        "- ~~User moved to Bonn.~~ [created:: 2026-07-01] [superseded_by:: m-bbbbbb] ^m-dddddd\n",
    )
    assert ids(ws.recall("where does the user live?", limit=2)) == ["m-bbbbbb", "m-aaaaaa"]


def test_what_a_contradiction_brings_in_is_counted_once_and_has_to_score_enough(put, ws):
    old = "- User lives in Munich. [created:: 2026-03-01] ^m-aaaaaa\n"
    new = "- User moved to Hamburg. [created:: 2026-05-01]"
    put("memory.md", f"# Memory\n\n{old}{new} ^m-bbbbbb\n")
    answer = ws.recall("where does the user live?", min_score=0.3)
    assert (ids(answer), answer.total, answer.left_out) == (["m-bbbbbb", "m-aaaaaa"], 2, {})
    put("memory.md", f"# Memory\n\n{old}{new} [valid_to:: 2026-06-01] ^m-bbbbbb\n")
    answer = ws.recall("where does the user live?", min_score=0.3)
    assert ids(answer) == ["m-aaaaaa"]
    put("memory.md", f"# Memory\n\n{old}")
    put("wiki/b.md", f"{new} ^m-bbbbbb\n")
    put("wiki/c.md", f"{new} ^m-bbbbbb\n")
    answer = ws.recall("where does the user live?")
    assert (len(answer.hits), answer.total) == (2, 2)


@pytest.mark.parametrize(
    ("asked", "other", "question"),
    [
        (
            "The API key of Stripe is in vault A.",
            "The API key of Slack is in B.",
            "API key of Stripe",
        ),
        ("The manager of Anna is Hugo.", "The manager of Lara is Tara.", "Anna's manager"),
        ("Person51 lives in Bonn.", "Person27 moved to Kiel.", "where does Person51 live?"),
        ("小林在银行工作。", "小红从腾讯离职了。", "小林在哪里工作？"),
        (
            "Incident INC-46: nobody could log in for two hours; DNS provider outage.",
            "We switched the DNS provider to NS1.",
            "What was INC-46 about?",
        ),
    ],
)
def test_what_newer_memories_say_of_others_stays_behind(put, ws, asked, other, question):
    put(
        "memory.md",
        f"# Memory\n\n- {asked} [created:: 2026-03-01] ^m-aaaaaa\n"
        f"- {other} [created:: 2026-05-01] ^m-bbbbbb\n",
    )
    first, *_ = ws.recall(question)
    assert (first.id, MARK in first.reasons) == ("m-aaaaaa", False)


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        (
            "Our DNS provider is Route 53.",
            "We switched the DNS provider to NS1.",
            "Do we still use Route 53?",
        ),
        (
            "Mia takes piano lessons on Tuesdays.",
            "Piano lessons moved to Thursdays.",
            "When does Mia have piano lessons?",
        ),
        (
            "The API of Atlas listens on port 8080.",
            "The API listens on port 8081 now.",
            "Which port does the API of Atlas use?",
        ),
        ("AI 摘要用的是 Qwen。", "AI 摘要换成了 DeepSeek。", "我们还用 Qwen 吗？"),
    ],
)
def test_the_newer_value_comes_first_where_only_the_old_one_or_its_owner_is_named(
    put, ws, old, new, question
):
    put(
        "memory.md",
        f"# Memory\n\n- {old} [created:: 2026-03-01] ^m-aaaaaa\n"
        f"- {new} [created:: 2026-05-01] ^m-bbbbbb\n",
    )
    first, second, *_ = ws.recall(question)
    assert (first.id, second.id) == ("m-bbbbbb", "m-aaaaaa")
    assert MARK in second.reasons


def _noise(count: int):
    return ((("likes", "owns", "paints")[n % 3], n) for n in range(count))


def test_of_what_all_of_a_memory_is_about_nothing_is_added(put, ws):
    rows = (f"- We met Jana at pier {n}. [created:: 2026-05-{n + 10}]\n" for n in range(12))
    put(
        "memory.md",
        "# Memory\n\n- My sister is Jana. [created:: 2026-03-01] ^m-aaaaaa\n" + "".join(rows),
    )
    assert ids(ws.recall("who is my sister?")) == ["m-aaaaaa"]


@pytest.mark.parametrize(
    ("facts", "question"),
    [
        (("Pancakes need 3 eggs.", "Waffles need 4 eggs."), "how many eggs"),
        (("Paid 300 euros to Ann.", "Paid 120 euros to Bo."), "how much did I pay?"),
        (("房租三千。", "房租涨到三千五。"), "房租多少？"),
    ],
)
def test_all_words_that_say_what_it_is_about_are_an_answer_in_a_small_memory(
    put, ws, facts, question
):
    others = (f"- Fact number {n} is about thing {n}.\n" for n in range(10))
    put("memory.md", "# Memory\n\n" + "".join(f"- {each}\n" for each in facts) + "".join(others))
    assert ws.recall(question).has_relevant
    assert not ws.recall("how much did I lend to Carla?").has_relevant


def test_of_what_happened_no_story_ends_another(put, ws):
    put(
        "memory.md",
        "# 记忆\n\n"
        "- 小林在元旦晚会上和同学们一起做了灯笼和窗花，感到非常开心。"
        " [created:: 2022-01-01] ^m-lanter\n"
        "- 小林和好朋友阿杰参加了春季跳绳比赛，得到了团队第二名，感觉非常开心。"
        " [created:: 2023-04-21] ^m-jumper\n",
    )
    hits = ws.recall("小林在晚会上和同学们做了灯笼", explain=True).hits
    assert hits[0].id == "m-lanter"
    assert not any("older" in reason for hit in hits for reason in hit.reasons)


@for_each(
    ("old", "new", "question"),
    [
        ("小王住在北京，和妻子一起。", "小王住在上海，和妻子一起。", "小王住在哪里"),
        ("我的医生是王医生，他在市一医院。", "我的医生是李医生，他在市二医院。", "我的医生是谁"),
        (
            "The user works at Acme, and likes it.",
            "The user works at Globex, and likes it.",
            "where does the user work",
        ),
        (
            "我的牙医是王医生，诊所在人民路，每周二和周四开门，停车在后面。",
            "我的牙医是林医生，她在图书馆旁边的健康中心，只能电话预约。",
            "我的牙医是谁",
        ),
        (
            "The wifi password is sunflower22, the router stands behind the television.",
            "The wifi password is marigold31; everybody has to log in again after the party.",
            "what is the wifi password",
        ),
    ],
)
def test_of_two_values_told_in_clauses_the_older_one_is_marked(put, ws, old, new, question):
    put(
        "memory.md",
        f"# Memory\n\n- {old} [created:: 2024-01-01] ^m-oldone\n"
        f"- {new} [created:: 2025-03-01] ^m-newone\n",
    )
    hits = ws.recall(question, explain=True).hits
    assert [hit.id for hit in hits] == ["m-newone", "m-oldone"]
    assert "an older value" in hits[1].reasons


@pytest.mark.parametrize(
    ("one", "other", "first"),
    [
        ("Node 18 is required.", "Node 20 is required there.", "m-bbbbbb"),
        ("Ask Dana before a release.", "Ask Priya before a release, please.", "m-bbbbbb"),
        ("Ask for a release.", "Somebody asked for a release, too.", "m-aaaaaa"),
        ("Ask Dana before a release.", "A release of the blue boat is near, ask.", "m-aaaaaa"),
    ],
)
def test_of_memories_with_the_same_words_the_newer_is_first_and_none_marked(
    put, ws, one, other, first
):
    put(
        "memory.md",
        f"# Memory\n\n- {one} [created:: 2024-03-01] ^m-aaaaaa\n"
        f"- {other} [created:: 2025-03-01] ^m-bbbbbb\n",
    )
    answer = ws.recall("is Node required, and do I ask before a release?")
    assert answer.hits[0].id == first
    assert not any(hit.age for hit in answer.hits)
    assert [hit.score for hit in answer] == sorted((hit.score for hit in answer), reverse=True)
