"""Answers that stand beside what was found: replies, pages that hits name; and names first."""

from __future__ import annotations

from datetime import date

import pytest

from memwiki.recall.names import asked_about, names_in
from memwiki.times.days import without_days
from tests.effort import for_each
from tests.recall.test_long_messages import LONG

HEAD = "---\ntype: session\n---\n\n"


def paths(answer) -> list[str]:
    return [hit.path for hit in answer.hits]


def ids(answer) -> list[str]:
    return [hit.id for hit in answer.hits]


def talk(*said: tuple[str, str]) -> str:
    rows = (
        f"### 2026-01-05T10:00:00Z user [name:: {who}] ^s-{i:04}\n\n{text}\n\n"
        for i, (who, text) in enumerate(said)
    )
    return HEAD + "".join(rows)


# --- conversations ---

ASKED = (
    ("Anna", "Which colour shall the boat have?"),
    ("Ben", "Teal."),
    ("Ben", "And a mast of pine."),
    ("Anna", "Dinner at eight."),
)


def test_a_reply_is_found_without_a_word_of_the_question(put, ws):
    put("sessions/a.md", talk(*ASKED))
    assert ids(ws.recall("which colour has the boat?")) == ["s-0000", "s-0001"]


def test_search_shows_nothing_without_a_word_of_the_query(put, ws):
    put("sessions/a.md", talk(*ASKED))
    answer = ws.search("colour boat")
    assert (ids(answer), answer.total) == (["s-0000"], 1)


def test_who_goes_on_speaking_does_not_reply(put, ws):
    put("sessions/a.md", talk(("Anna", "The boat is red."), ("Anna", "Dinner at eight.")))
    assert ids(ws.recall("boat")) == ["s-0000"]


@pytest.mark.parametrize(("who", "expected"), [("Ben", True), ("Anna", False)])
def test_only_those_whom_the_question_names_reply(put, ws, who, expected):
    put("sessions/a.md", talk(*ASKED))
    answer = ws.recall(f"which colour of the boat did {who} want?")
    assert ("s-0001" in ids(answer)) is expected


@pytest.mark.parametrize(("anna", "ben"), [("Anna", "Ben Okri"), ("安娜", "小本")])
def test_messages_of_whom_the_question_names_come_first(put, ws, anna, ben):
    put("sessions/a.md", talk((anna, "My boat is red, so red."), (anna, "Dinner at eight.")))
    put("sessions/b.md", talk((ben, "My boat is red, so red!"), (ben, "Lunch at noon.")))
    for who, path in ((anna, "sessions/a.md"), (ben.split()[0], "sessions/b.md")):
        assert paths(ws.recall(f"the red boat of {who}"))[0] == path


def test_the_reply_to_any_part_of_a_long_message_is_the_next_message(put, ws):
    put("sessions/a.md", talk(("Anna", LONG), ("Ben", "Aha.")))
    assert ids(ws.recall("zebras"))[-1] == "s-0001"


def test_a_message_alone_in_its_session_keeps_what_its_words_give(put, ws):
    put("sessions/a.md", talk(("Anna", "The boat is red."), ("Ben", "Dinner at eight.")))
    put("memory.md", "# M\n\n- Anna: The boat is red. ^m-aaaaaa\n")
    lone, entry = (
        next(hit for hit in ws.recall("red boat", explain=True).hits if hit.id == id_)
        for id_ in ("s-0000", "m-aaaaaa")
    )
    assert lone.scores["text"] >= entry.scores["text"]


def test_what_people_answer_one_another_counts_more_than_what_an_assistant_is_told(put, ws):
    """Two questions alike, each with its answer; what an assistant asks counts .7 by itself."""

    def ask(name: str, asking: str, answer: str) -> None:
        text = talk((asking, "Is the boat ready?"), ("Ben", answer))
        put(f"sessions/{name}.md", text.replace("user [name:: Bot]", "assistant"))

    ask("a", "Anna", "Not before June, says Eve.")
    ask("b", "Bot", "Ask at the harbour, please.")
    hits = {hit.path: hit for hit in ws.recall("boat", explain=True).hits if hit.id == "s-0001"}
    scores = [hits[f"sessions/{name}.md"].scores["text"] for name in "ab"]
    assert scores[0] / scores[1] > 2, "1.43 is what its .7 alone gives"


def test_a_reply_that_may_not_be_shown_is_not(put, ws):
    put("sessions/a.md", talk(*ASKED))
    assert ids(ws.recall("which colour has the boat? name:Anna")) == ["s-0000"]


# --- what is more of an answer ---


@for_each(
    ("question", "first"),
    [
        ("When did the boat come to Kiel?", "m-bbbbbb"),
        ("How did the boat come to Kiel?", "m-aaaaaa"),
        ("船什么时候到基尔？", "m-dddddd"),
    ],
)
def test_where_a_question_asks_when_what_names_a_time_comes_first(reading, question, first):
    memory = (
        "# M\n\n- The boat did come to Kiel, by night. ^m-aaaaaa\n"
        "- In May 2024 the old boat had come to Kiel to be sold. ^m-bbbbbb\n"
        "- 船到基尔了，很慢。 ^m-cccccc\n- 听说去年夏天那条老船到基尔了。 ^m-dddddd\n"
    )
    assert ids(reading({"memory.md": memory}).recall(question))[0] == first


def test_the_time_of_a_message_is_not_what_it_says(put, ws):
    put("sessions/a.md", talk(("Anna", "The boat is in Kiel."), ("Ben", "Dinner.")))
    where, when = (ws.recall(f"{ask} is the boat in Kiel?").hits[0] for ask in ("where", "when"))
    assert when.score < 1.1 * where.score


@pytest.mark.parametrize(("anna", "mark"), [("Anna", "?"), ("安娜", "？")])
def test_who_is_asked_about_does_not_answer_with_a_question(put, ws, anna, mark):
    put("sessions/a.md", talk((anna, f"Is my boat red{mark}")))
    put("sessions/b.md", talk((anna, "My boat is red, with a white mast and sails of grey linen.")))
    assert paths(ws.recall(f"the red boat of {anna}"))[0] == "sessions/b.md"
    assert paths(ws.recall("the red boat"))[0] == "sessions/a.md"


# --- along names ---


@pytest.mark.parametrize(
    "naming",
    [
        "Moored at Old Harbour.",
        "Moored [here](<old harbour.md>).",
        "[[old harbour|There]] it lies.",
    ],
)
def test_a_page_that_the_best_hit_names_comes_along(put, ws, naming):
    put("boat.md", f"# Boat\n\nThe green boat. {naming}\n")
    put("old harbour.md", "# Old Harbour\n\nDeep water.\n")
    put("other.md", "# Other\n\nDeep water.\n")
    assert paths(ws.recall("green boat")) == ["boat.md", "old harbour.md"]


def test_a_list_of_names_points_nowhere(put, ws):
    named = [f"place{i} quay" for i in range(12)]
    put("boats.md", "# Boats\n\nGreen boats lie at: " + ", ".join(named) + ".\n")
    for name in named:
        put(f"{name}.md", f"# {name}\n\nWater.\n")
    assert paths(ws.recall("green boats")) == ["boats.md"]


def test_what_a_hit_names_never_comes_before_it_nor_when_it_may_not_be_shown(put, ws):
    put("boat.md", "# Boat\n\nThe green boat lies in Old Harbour.\n")
    put("old harbour.md", "---\nprivate: true\n---\n# Old Harbour\n\nDeep water.\n")
    assert paths(ws.recall("green boat")) == ["boat.md"]
    assert paths(ws.recall("green boat", private=True)) == ["boat.md", "old harbour.md"]


def test_names_in_a_text_are_links_words_in_a_row_and_words_with_a_capital():
    found = {*names_in("See [[Tea|it]], [x](a/Green%20Cup.md), or Old Harbour in 北京市海淀区.")}
    assert {"tea", "green-cup", "old-harbour", "harbour", "北京市", "海淀区"} <= found
    assert "see" not in found
    assert "in" not in found


# --- names first ---


@for_each(
    ("question", "name"),
    [
        ("What is a linear B?", "linear B"),
        ("who was Anna Freud", "Anna Freud"),
        ("tell me about tea", "tea"),
        ("TiDB 简介是什么？", "TiDB 简介"),
        ("什么是分区表", "分区表"),
        ("分区表什么意思", "分区表"),
        ("リネアとは何ですか", "リネア"),
        ("where is tea", ""),
        ("什么", ""),
        ("", ""),
    ],
)
def test_what_a_question_is_about_that_asks_for_nothing_else(question, name):
    assert asked_about(question) == name


@for_each("question", ["automato finito", "autômato finito", "what is automato finito?"])
@for_each("verb", ["search", "recall"])
def test_a_page_comes_first_by_its_name_without_accents(reading, question, verb):
    pages = {f"{i}.md": f"# Teoria {i}\n\n{'Autômato finito, um autômato. ' * 5}" for i in range(3)}
    ws = reading({"af.md": "# Autômato Finito\n\nUma máquina.\n", **pages})
    assert paths(getattr(ws, verb)(question))[0] == "af.md"


@pytest.mark.parametrize("verb", ["search", "recall"])
def test_a_file_name_of_one_word_comes_before_its_children(reading, verb):
    pages = {"pages/tar.md": "# Archiving utility\n\nPack files.\n"}
    for child in ("create", "extract"):
        pages[f"pages/tar-{child}.md"] = f"# tar {child}\n\ntar tar tar: {child} with tar.\n"
    ws = reading(pages)
    assert paths(getattr(ws, verb)("tar"))[0] == "pages/tar.md"


# --- standing instructions, days ---


def test_a_standing_instruction_comes_along_with_what_it_is_about(put, ws):
    put(
        "memory.md",
        "# M\n\n- When I ask about flights, show prices in euros first, please. ^m-aaaaaa\n"
        "- Flights leave from gate four, as always. ^m-bbbbbb\n",
    )
    assert ids(ws.recall("gate flights four leave"))[0] == "m-bbbbbb"
    assert ids(ws.recall("cheap flights to Rome"))[0] == "m-aaaaaa"


def test_an_instruction_counts_more_for_its_occasion_and_not_for_what_is_to_be_done(put, ws):
    put(
        "memory.md",
        "# M\n\n- When I say ship it, open a request and tell Dana. ^m-aaaaaa\n"
        "- The limit is 250 requests a minute for each client. ^m-bbbbbb\n",
    )
    assert ids(ws.recall("how many requests a client?"))[0] == "m-bbbbbb"
    assert ids(ws.recall("a request of a client"))[0] == "m-bbbbbb"
    assert ids(ws.recall("please ship the release"))[0] == "m-aaaaaa"


def test_words_count_beside_the_days_of_a_question(put, opened):
    put("daily/2026-01-04.md", "# Sunday\n\nRain, and nothing else.\n")
    put(
        "lease.md", "---\nupdated: 2020-01-01\n---\n# Lease\n\nThe lease of the flat ends in May.\n"
    )
    noon = 1_767_614_400_000_000_000  # 2026-01-05
    ws = opened(clock=lambda: noon)
    assert (
        paths(ws.recall("when does the lease of the flat end, we said yesterday"))[0] == "lease.md"
    )
    assert paths(ws.recall("what was yesterday"))[0] == "daily/2026-01-04.md"


def test_what_a_question_says_beside_its_days():
    today = date(2026, 1, 5)
    asked = "What did we do with the lease yesterday, on 2026-01-02 and 3 May 2025?"
    assert without_days(asked, today).split() == "What did we do with the lease , on and ?".split()
    assert without_days("昨天的租约", today).strip() == "的租约"


# --- what lies elsewhere, and odd input ---


def test_names_in_another_namespace_change_nothing(put, opened):
    put("memwiki.toml", '[layers]\nnamespaces = "namespaces"\n')
    put("namespaces/home/boat.md", "# Boat\n\nThe green boat lies in Old Harbour.\n")
    put("namespaces/home/old harbour.md", "# Old Harbour\n\nDeep water.\n")
    home = opened(namespace="home")
    before = paths(home.recall("green boat"))
    assert len(before) == 2
    for i in range(8):
        put(f"namespaces/work/{i}/old harbour.md", "# Old Harbour\n\nShallow water.\n")
    assert paths(opened(namespace="home").recall("green boat")) == before


def test_messages_that_say_no_role_or_an_odd_name_are_talk_too(put, ws):
    heads = (
        "### 2026-01-05T10:00:00Z ^s-0001",
        "### user [name:: ] ^s-0002",
        "### user [name:: {1}]",
    )
    said = "".join(f"{head}\n\nThe green boat {i}.\n\n" for i, head in enumerate(heads))
    put("sessions/a.md", f"{HEAD}{said}### [name:: 7] user ^s-0009\n\nDinner.\n")
    assert ws.recall("green boat of 7 {1}?").hits


@for_each("question", ["what is ?", "是什么", "とは", "tell me about ...", "# #", "[["])
def test_a_question_about_nothing_is_answered(reading, question):
    odd = "# !\n\n[[]] [[|x]] []( ) [a](%ff%00.md) [[#x]]\n"
    ws = reading({"a.md": "# A\n\nWhat is it: 是什么, とは.\n", "-.md": odd})
    assert ws.recall(question).fresh
