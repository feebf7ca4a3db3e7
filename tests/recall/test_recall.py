"""Recall: which passages answer a question, in which order, and what is left out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import pytest

from memwiki.errors import UsageError
from memwiki.options import Strategy
from memwiki.recall.bm25 import BM25
from memwiki.recall.cache import RecallCache
from memwiki.recall.prompt import PromptItem
from memwiki.text import tokens
from tests.effort import for_each

WORDS = "tea kettle harbour office rent green blue 茶 水壶 boat".split()


def paths(answer) -> list[str]:
    return [hit.path for hit in answer.hits]


def test_a_question_is_prose_and_quotes_raise_what_holds_the_phrase(put, ws):
    put("a.md", "# A\n\nThe blue kettle is hot. Blue blue blue kettle.\n")
    put("b.md", "# B\n\nA kettle, quite blue, on the table.\n")
    put("c.md", "# C\n\nOn the table a kettle blue as ever stands, and much else is there.\n")
    assert paths(ws.recall("-blue kettle*")) == paths(ws.recall("blue kettle"))
    quoted = ws.recall('where is a "kettle blue as ever"?')
    assert quoted.hits[0].path == "c.md"
    assert set(paths(quoted)) == {"a.md", "b.md", "c.md"}


def test_superseded_archived_and_private_are_left_out_and_counted(put, ws):
    put(
        "memory.md",
        "# Memory\n\n## Facts\n"
        "- ~~The office is in Kiel.~~ [superseded_by:: m-bbbbbb] ^m-aaaaaa\n"
        "- The office is in Ulm. [supersedes:: m-aaaaaa] ^m-bbbbbb\n"
        "- The key of the office is 7. [private:: true] ^m-cccccc\n",
    )
    put("memwiki.toml", '[layers]\narchive = "archive"\n')
    ws.reload()
    put("archive/old.md", "# Old\n\nThe office was in Oslo.\n")
    put("secret.md", "---\nprivate: true\n---\n# Secret\n\nThe office has a safe.\n")
    answer = ws.recall("where is the office?")
    assert [hit.id for hit in answer.hits] == ["m-bbbbbb"]
    assert answer.left_out == {"superseded": 1, "archived": 1}
    assert len(ws.recall("where is the office?", private=True).hits) == 3


def test_what_retired_is_counted_without_reading_the_index_twice(put, ws, monkeypatch):
    put("memwiki.toml", '[layers]\narchive = "archive"\n')
    ws.reload()
    for number in range(4):
        put(f"archive/{number}.md", f"# Old {number}\n\nThe office was in Oslo, in {number}.\n")
        put(f"{number}.md", f"# New {number}\n\nThe office is in Ulm.\n")
    put("sessions/a.md", "---\ntype: session\n---\n\n### user\n\nThe office, again.\n")
    asked, every = [], BM25.every
    monkeypatch.setattr(BM25, "every", lambda scoring: asked.append(1) or every(scoring))
    assert ws.recall("where is the office?").left_out["archived"] == 4
    assert len(asked) == 1


def test_of_equals_those_that_retired_are_counted_as_they_stand_among_the_others(put, ws):
    put("memwiki.toml", '[layers]\narchive = "archive"\n')
    ws.reload()
    for number in range(60):
        put(f"archive/{number}.md", "The office.\n")
        put(f"{number}.md", "The office.\n")
    assert 15 < ws.recall("where is the office?").left_out["archived"] < 35  # of the best 50


def test_staged_entries_and_those_from_the_web_rank_lower(put, ws):
    put(
        "memory.md",
        "# Memory\n\n- The boat is red now. [status:: staged] ^m-aaaaaa\n"
        "- The boat is red today. [origin:: web] ^m-bbbbbb\n- The boat is red. So so. ^m-cccccc\n",
    )
    assert ws.recall("which boat is red").hits[0].id == "m-cccccc"


def test_near_identical_passages_come_once_with_their_count(put, ws):
    for number in range(4):
        put(f"{number}.md", "# Boat\n\nThe boat in the harbour is green and old.\n")
    answer = ws.recall("which boat is in the harbour")
    assert len(answer.hits) == 1
    assert answer.hits[0].reasons == ("3 more like it",)
    assert answer.left_out == {"same as another": 3}


def test_a_page_answers_once_and_its_hit_holds_the_excerpt(put, ws, root):
    parts = "".join(f"## Part {n}\n\nThe kettle number {n}. {'hot ' * 300}\n\n" for n in range(9))
    put("long.md", f"# Long\n\n{parts}")
    put("memory.md", "# Memory\n\n- The kettle is old.\n  It is green.\n")
    for hit in ws.recall("kettle").hits:
        lines = (root / hit.path).read_text().split("\n")[hit.line_start - 1 : hit.line_end]
        shown = " ".join(hit.excerpt.strip("…").split())
        assert shown in " ".join(" ".join(lines).split())
    assert sorted(paths(ws.recall("kettle"))) == ["long.md", "memory.md"]


def test_why_questions_follow_causes(put, ws):
    put(
        "memory.md",
        "# Memory\n\n- We left Hamburg. [because:: m-bbbbbb] ^m-aaaaaa\n"
        "- The rent went up a lot. ^m-bbbbbb\n- Tea is green. ^m-cccccc\n",
    )
    answer = ws.recall("why did we leave Hamburg, why left?")
    assert answer.mode == "deep"
    assert [hit.id for hit in answer.hits] == ["m-bbbbbb", "m-aaaaaa"]  # the reason first
    assert ws.recall("why left Hamburg", mode="fast").mode == "fast"
    assert [h.id for h in ws.recall("why left Hamburg", mode="fast").hits] == ["m-aaaaaa"]


def test_a_page_that_is_called_by_a_common_word_does_not_come_first(put, ws):
    put("list.md", "# List\n\nNothing to see.\n")
    put("check.md", "# Check\n\nThe checker stops at a mistake. It may go on running.\n")
    for number in range(20):
        put(f"{number}.md", f"# Page {number}\n\nWhat number {number} says of the weather.\n")
    answer = ws.recall("can the checker keep running and list every mistake", mode="deep")
    assert paths(answer)[0] == "check.md"


def test_a_common_word_of_a_short_question_makes_no_hit_relevant(put, ws):
    for number in range(40):
        what = "the weather" if number % 2 else "cups"
        put(f"{number}.md", f"# Page {number}\n\nWhat number {number} says of {what}.\n")
    assert ws.recall("weather zeppelin").hits
    assert not ws.recall("weather zeppelin").has_relevant
    strange = " ".join(f"strange{number}" for number in range(40))
    put("zebra.md", "# Africa\n\nA zebra and a giraffe.\n")
    assert ws.recall(f"giraffe zebra {strange}").has_relevant


def test_related_questions_follow_links_to_the_depth(put, ws):
    put("tea.md", "# Tea\n\nSee [[water]].\n")
    put("water.md", "# Water\n\nSee [[well]].\n")
    put("well.md", "# Well\n\nDeep.\n")
    assert paths(ws.recall("what is related to tea", depth=1)) == ["tea.md", "water.md"]
    assert "well.md" in paths(ws.recall("what is related to tea", depth=2))
    assert paths(ws.recall("tea", channel="graph", relation="cites")) == ["tea.md"]


def test_relations_are_followed_in_either_language(put, ws):
    put(
        "memory.md",
        "# M\n\n- 我们离开了汉堡。 [因为:: m-bbbbbb] ^m-aaaaaa\n- 房租涨了。 ^m-bbbbbb\n",
    )
    assert [hit.id for hit in ws.recall("为什么离开汉堡").hits] == ["m-bbbbbb", "m-aaaaaa"]


def test_a_question_whose_words_find_little_asks_the_graph_where_it_names_a_page(put, ws):
    put("tea.md", "# Tea\n\nSee [[water]].\n")
    put("water.md", "# Water\n\nWet.\n")
    rare = "zyx wvu tsr qpo nml kji hgf edc"
    assert ws.recall(f"tea {rare}").mode == "deep"
    assert ws.recall(f"kettle {rare}").mode == "fast"


def test_what_nothing_holds_is_looked_for_as_parts_of_words(put, ws):
    put("a.md", "# A\n\nUnforgettable.\n")
    put("memory.md", "---\nprivate: true\n---\n# M\n\n- Unforgettable secret.\n")
    answer = ws.recall("forget")
    assert (answer.fallback, paths(answer), answer.has_relevant) == (True, ["a.md"], False)


@for_each(
    ("asked", "expected"),
    [
        ({"channel": "entries"}, ["memory.md"]),
        ({"channel": "pages"}, ["tea.md"]),
        ({"channel": "sessions"}, ["sessions/one.md", "sessions/two.md"]),
        ({"session": "one"}, ["memory.md", "sessions/one.md", "tea.md"]),
        ({"types": ["fact", "concept"]}, ["memory.md", "tea.md"]),
        ({"tags": ["drink"]}, ["tea.md"]),
        ({"subject": "Anna"}, ["memory.md"]),
        ({"since": "2026-01-01", "until": "2026-01-31"}, ["sessions/one.md"]),
        ({"min_score": 1.0}, ["tea.md"]),  # it is called that
    ],
)
def test_filters_say_what_may_answer(reading, asked, expected):
    head = "---\ntype: concept\ntags: [drink]\ncreated: 2020-01-01\n---\n"
    memory = "# M\n\n- Some tea. [subject:: Anna] [created:: 2021-01-01]\n"
    pages = {"tea.md": f"{head}# Leaf\n\nTea.\n", "memory.md": memory}
    for name, day in (("one", "2026-01-05"), ("two", "2026-02-05")):
        said = f"### {day}T10:00:00Z user ^s-0001\nThe {name} tea is here.\n"
        pages[f"sessions/{name}.md"] = f"---\ntype: session\nstarted: {day}\n---\n\n{said}"
    assert sorted(paths(reading(pages).recall("tea", **asked))) == expected


@pytest.mark.parametrize(
    "asked",
    [{"mode": "slow"}, {"strategy": "x"}, {"since": "soon"}, {"min_score": 2}, {"limit": 0}],
)
def test_what_cannot_be_meant_is_refused(ws, asked):
    with pytest.raises(UsageError):
        ws.recall("tea", **asked)


def test_a_date_that_the_question_names_raises_what_was_written_near_it(put, ws):
    put(
        "memory.md",
        "# M\n\n- Met Ada [created:: 2024-05-03]\n- Met Ada so [created:: 2026-05]\n",
    )
    answer = ws.recall("who met Ada in 2024-05?", strategy="temporal")
    assert answer.hits[0].updated == "2024-05-03"


@for_each("strategy", list(Strategy))
def test_every_strategy_explains_all_its_scores(reading, strategy):
    pages = {"tea.md": "# Tea\n\nGreen. [[water]]\n", "water.md": "# Water\n\nFor tea.\n"}
    ws = reading(pages)
    answer = ws.recall("tea", strategy=strategy, explain=True)
    assert answer.hits
    for hit in answer.hits:
        assert {"text", "overlap", "graph", "time", "reference", "importance", "usage"} <= {
            *hit.scores
        }
        assert all(0 <= score <= 1 for score in (hit.score, *hit.scores.values()))


def test_the_same_question_is_answered_from_memory_until_a_page_changes(put, ws):
    put("tea.md", "# Tea\n\nGreen.\n")
    first = ws.recall("green tea")
    again = ws.recall("green tea")
    assert (first.cached, again.cached, again.hits) == (False, True, first.hits)
    assert not ws.recall("green tea", limit=1).cached
    put("more.md", "# More\n\nGreen tea.\n")
    assert not ws.recall("green tea").cached


def test_use_counts_in_answers_from_the_next_change_of_an_entry_on(put, ws):
    put("memory.md", "# Memory\n\n- The boat is red. ^m-aaaaaa\n- A red boat, really. ^m-bbbbbb\n")

    def usage() -> float:
        found = ws.recall("red boat", strategy="memories", explain=True).hits
        return next(hit.scores["usage"] for hit in found if hit.id == "m-bbbbbb")

    first = usage()
    assert usage() == first and ws.recall("really?").hits[0].id == "m-bbbbbb"
    assert usage() == first
    ws.entries.add("The kettle is green.")
    assert usage() > first


def test_threads_share_kept_answers_and_none_gets_that_of_another(put, ws):
    put("tea.md", "# Tea\n\nGreen.\n")
    kept, answer = RecallCache(), ws.recall("tea", record=False)
    answers = [replace(answer, question=str(i)) for i in range(24)]

    def ask(start: int) -> list[tuple[str, str]]:
        found = []
        for turn in range(200):
            mine = answers[(start + turn) % 24]
            kept.put(mine.question, 0, mine, 16)
            got = kept.get(mine.question, 0, 60)
            found += [(mine.question, got.question)] if got else []
        return found

    with ThreadPoolExecutor(4) as pool:
        pairs = [pair for found in pool.map(ask, range(4)) for pair in found]
    assert pairs and all(asked == got for asked, got in pairs)
    assert sum(kept.get(each.question, 0, 60) is not None for each in answers) == 16


def test_an_answer_is_kept_for_a_time_and_only_so_many_are(put, opened):
    now = [1_800_000_000 * 10**9]
    ws = opened(clock=lambda: now[0])
    put("tea.md", "# Tea\n\nGreen.\n")
    put("memwiki.toml", "[recall]\ncache_size = 1\n")
    ws.reload()
    assert not ws.recall("tea").cached
    assert ws.recall("tea").cached
    ws.recall("green")
    assert not ws.recall("tea").cached
    now[0] += 301 * 10**9
    assert not ws.recall("tea").cached


def test_what_is_recalled_is_counted_and_found_by_the_question(put, ws):
    put("tea.md", "# Tea\n\nGreen.\n")
    put("memory.md", "# M\n\n- Likes tea. ^m-aaaaaa\n- Hates cold tea.\n")
    ws.recall("tea?")
    rows = {(row.kind, row.name): row for row in ws.entries.usage(query="tea?")}
    assert {("page", "tea.md"), ("entry", "m-aaaaaa")} <= set(rows)
    assert all(row.recalls == 1 for row in rows.values())
    assert ws.entries.get("memory.md:4").recalls == 1
    ws.recall("cold", record=False)
    assert not ws.entries.usage(query="cold").usage


def test_what_was_used_counts_where_usage_has_a_weight(put, ws):
    put("memory.md", "# M\n\n- Likes some tea. ^m-aaaaaa\n- Makes some tea. ^m-bbbbbb\n")
    for _ in range(5):
        ws.entries.record("x", [("m-bbbbbb", 1.0)])
    put("memwiki.toml", '[recall]\nweights = ["text 0.5", "usage 0.5"]\n')
    ws.reload()
    assert ws.recall("tea").hits[0].id == "m-bbbbbb"


def test_inject_gives_a_session_half_of_the_hits(put, ws):
    put("memory.md", "# M\n\n" + "".join(f"- Tea of kind {n * 7}.\n" for n in range(9)))
    said = "".join(f"### 2026-01-05 user ^s-000{n}\nTea at {n} o'clock.\n\n" for n in range(1, 9))
    put("sessions/one.md", f"---\ntype: session\n---\n\n{said}")
    text, hits = ws.inject("which tea", "one", 4)
    assert sum(hit.path == "sessions/one.md" for hit in hits) <= 2
    assert text.startswith("# USER MEMORY")
    assert tokens(text) <= ws.config.recall.budget_tokens


def test_what_is_private_is_never_in_a_prompt(put, ws):
    put("memory.md", "# M\n\n- The code is 7. [private:: true]\n- The code is long.\n")
    put("learnings.md", "---\nprivate: true\n---\n# L\n\n- The code works.\n")
    assert "long" in ws.prompt().text
    assert all(word not in ws.prompt(ws.recall("code")).text for word in ("is 7", "works"))


def test_an_echo_of_a_prompt_is_refused(put, ws):
    put("memory.md", "# M\n\n- The office is in Kiel.\n")
    text = ws.prompt(ws.recall("office")).text
    for echo in (text, next(line for line in text.split("\n") if "Kiel" in line)):
        with pytest.raises(UsageError, match="recall"):
            ws.entries.add(echo)


@pytest.fixture
def filled(put, ws):
    for number in range(12):
        said = " ".join(WORDS[number % 10 :][: 2 + number % 5] * (1 + number % 3))
        put(f"wiki/{number}.md", f"# Page {number}\n\n{said}.\n")
    put("memory.md", "# M\n\n" + "".join(f"- {a} {b}\n" for a, b in pairwise(WORDS)))
    ws.sync()
    ws.is_synced = False
    return ws


def test_recall_by_text_and_search_have_the_same_best_hit(filled):
    for question in (
        *WORDS,
        *map(" ".join, zip(WORDS, WORDS[2:], strict=False)),
        "page 3",
        "green tea boat",
    ):
        one = filled.recall(question, strategy="text", record=False).hits[0]
        other = filled.search(question).hits[0]
        assert (one.path, one.line_start) == (other.path, other.line_start), question


def test_a_recall_keeps_to_its_budget_and_its_order(filled):
    for budget in (0, 20, 60, 200):
        answer = filled.recall("green tea in the harbour", budget=budget, record=False)
        assert (
            answer.tokens == sum(tokens(PromptItem.of_hit(hit).line()) for hit in answer) <= budget
        )
    scores = [hit.score for hit in filled.recall("green tea", record=False)]
    assert scores == sorted(scores, reverse=True)


def test_the_lines_of_every_hit_hold_its_excerpt(filled, root, put):
    long = "\n\n".join(f"The boat of week {i} is blue. " + "And so on. " * 40 for i in range(9))
    put("sessions/s.md", f"---\ntype: session\n---\n\n### user ^s-0001\n\n{long}\n")
    put("deep.md", f"# Deep\n\n## One\n\nA green boat.\n\n### Two\r\n\r\nblue boat\n\n{long}\n")
    filled.sync()
    for question in (*WORDS, "green tea", "blue boat of week 7", "why is the boat blue?"):
        for mode in ("fast", "deep"):
            for hit in filled.recall(question, mode=mode, record=False):
                lines = (root / hit.path).read_text().split("\n")
                there = [line.lstrip("# ") for line in lines[hit.line_start - 1 : hit.line_end]]
                assert hit.excerpt.strip("…") in " ".join(" ".join(there).split()), (question, hit)


def test_order_is_total_and_does_not_depend_on_what_was_written_first(root, put, ws):
    texts = [f"# {word}\n\nThe same {word} boat is here {i % 3}.\n" for i, word in enumerate(WORDS)]
    found = []
    for names in (range(10), reversed(range(10))):
        for number in names:
            put(f"{number}.md", texts[number])
            ws.sync()
        found.append([ws.recall("same boat", mode=mode).hits for mode in ("fast", "deep")])
        for number in range(10):
            (root / f"{number}.md").unlink()
        ws.sync(force=True)
    assert found[0] == found[1]
    keys = [(-hit.score, hit.path) for hit in found[0][0]]
    assert len({*keys}) == len(keys) == 10


def test_a_page_that_shares_no_word_changes_no_text_score(put, opened):
    """With the number of documents held fixed: one such page takes the place of another."""
    put("tea.md", "# Tea\n\nGreen tea.\n")
    put("pot.md", "# Pot\n\nFor tea and more.\n")
    put("other.md", "# Other\n\nNothing here.\n")
    before = opened().recall("green tea", explain=True, record=False)
    put("other.md", "# Else\n\nWholly different, and at some length. " * 5)
    after = opened().recall("green tea", explain=True, record=False)
    assert [h.scores["text"] for h in before] == [h.scores["text"] for h in after]


@pytest.mark.parametrize("when", ["in May 2023", "2023年5月"])
def test_the_time_score_counts_from_the_time_that_is_named(put, ws, when):
    put("journal/2023-05-20.md", "# One\n\nThe boat was in the harbour.\n")
    put("journal/2026-01-02.md", "# Two\n\nThe boat was in the harbour, far north of here.\n")
    named = ws.recall(f"boat harbour {when}", strategy="temporal", explain=True)
    times = {hit.path: hit.scores["time"] for hit in named.hits}
    assert paths(named)[0] == "journal/2023-05-20.md"
    assert times["journal/2023-05-20.md"] == 1 > times["journal/2026-01-02.md"]
    plain = ws.recall("boat harbour", strategy="temporal", explain=True)
    assert {hit.path: hit.scores["time"] for hit in plain.hits}["journal/2023-05-20.md"] < 1


NOON = 1_789_300_800 * 10**9  # 2026-09-13, a Sunday


@pytest.mark.parametrize(
    ("question", "paths"),
    [
        ("What did I do last week?", ["daily/2026-09-02.md"]),
        ("昨天做了什么？", ["daily/2026-09-12.md"]),
        ("What happened in March 2026?", ["memory.md"]),
        ("what did I do on September 12th", ["daily/2026-09-12.md"]),
        ("9月2日做了什么", ["daily/2026-09-02.md"]),
        (
            "When did I repair the bicycle, and what else was on 2026-09-02?",
            ["daily/2026-09-02.md"],
        ),
    ],
)
def test_what_was_written_in_the_days_of_a_question_answers_it(put, opened, question, paths):
    put("memwiki.toml", '[layers]\nmemory = "memory.md"\ndaily = "daily"\n')
    put("daily/2026-09-02.md", "# Wednesday\n\nRepaired the old bicycle.\n")
    put("daily/2026-09-12.md", "# Saturday\n\nPlanted leeks.\n")
    put("memory.md", "- The roof got new tiles. [created:: 2026-03-08] ^m-000001\n")
    put(
        "week.md",
        "---\nupdated: 2020-01-01\n---\n# Last week\n\nWhat did I do last week: a song.\n",
    )
    answer = opened(clock=lambda: NOON).recall(question)
    assert [hit.path for hit in answer][:1] == paths
    assert answer.has_relevant


def test_days_change_nothing_where_one_score_alone_counts(put, opened):
    put("daily/2026-09-12.md", "# Saturday\n\nPlanted leeks.\n")
    assert not opened(clock=lambda: NOON).recall("昨天", strategy="text").hits


def test_with_a_session_its_messages_and_memories_are_raised_and_other_sessions_left_out(put, ws):
    said = "---\ntype: session\n---\n\n### user\n\nThe kettle is {}.\n"
    put("sessions/one.md", said.format("red"))
    put("sessions/two.md", said.format("green"))
    put("memory.md", "# Memory\n\n- The kettle is blue. ^m-aaaaaa\n")
    put("grey.md", "# Notes\n\nThe kettle is grey.\n")
    put("memwiki.toml", '[layers]\nsessions = "sessions"\nmemory = "memory.md"\n')
    ws.reload()
    assert {*paths(ws.recall("kettle is"))} >= {"sessions/two.md", "grey.md"}
    found = paths(ws.recall("kettle is", session="one"))
    assert found[0] == "sessions/one.md"
    assert {*found[1:]} == {"memory.md", "grey.md"}
    plain = {hit.path: hit.score for hit in ws.recall("kettle is")}
    raised = {hit.path: hit.score for hit in ws.recall("kettle is", session="one")}
    assert raised["memory.md"] > plain["memory.md"]
    assert raised["grey.md"] == plain["grey.md"]


def test_inject_passes_an_unused_share_over_gives_nothing_twice_and_uses_the_summary(put, ws):
    put("memwiki.toml", '[layers]\nsessions = "sessions"\nmemory = "memory.md"\n')
    ws.reload()
    rows = "".join(f"- The tea of person {i} is {WORDS[i]}. ^m-00000{i}\n" for i in range(6))
    put("memory.md", f"# Memory\n\n{rows}")
    talk = ws.session("one")
    talk.add_message("user", "Which tea is best?")
    talk.end("We spoke of tea, and chose zaffre.")
    _, hits = ws.inject("which tea", "one", 4)
    own = [hit for hit in hits if hit.path == "sessions/one.md"]
    assert any("zaffre" in hit.excerpt for hit in own)
    assert len(hits) == 4
    assert len({(hit.path, hit.line_start) for hit in hits}) == 4
    assert len(ws.inject("which tea", None, 4)[1]) == 4
    text, hits = ws.inject("zaffre", "one", 4)
    assert {hit.path for hit in hits} == {"sessions/one.md"} and "zaffre" in text


def graph_scores(ws, question: str) -> dict[str, float]:
    answer = ws.recall(question, mode="deep", explain=True, record=False)
    return {hit.path: hit.scores.get("graph", 0.0) for hit in answer.hits}


def test_the_beginning_of_a_name_finds_what_is_linked_with_it_and_a_whole_word_more_so(put, ws):
    put("people/a.md", "# Katherine Weber\n\nSailor. [[boat]]\n")
    put("people/b.md", "# 王小明\n\n[[茶馆]]\n")
    put("茶馆.md", "# 茶馆\n\n开门。\n")
    put("boat.md", "# Boat\n\nBlue.\n")
    put("people/odd.md", "# 100%_sure\n\nNothing. [[boat]]\n")
    part, word = (graph_scores(ws, f"where does {name} sail?") for name in ("Kath", "katherine"))
    assert 0 < part["people/a.md"] < word["people/a.md"]
    assert 0 < part["boat.md"] < word["boat.md"]
    assert graph_scores(ws, "小明和王小在哪里")["people/b.md"] > 0
    assert not graph_scores(ws, "where does Ka sail?").get("people/a.md")
    put("kathedral.md", "# Kathedral\n\nOld. [[茶馆]]\n")  # no entity
    assert not graph_scores(ws, "where does Kathe sail?").get("kathedral.md")
    assert not graph_scores(ws, "10%_ 1__ %%%").get("people/odd.md")


def test_a_word_with_which_many_titles_begin_names_none_of_them(put, ws):
    for number in range(6):
        put(f"people/{number}.md", f"# Harbour number {number}\n\nA boat {number}. [[x]]\n")
    put("x.md", "# X\n\nOther.\n")
    assert not any(graph_scores(ws, "which boat of harbour").values())
    (ws.root / "people/5.md").unlink()
    assert any(graph_scores(ws, "which boat of harbour").values())


def test_what_only_says_where_links_lead_answers_nothing(put, ws):
    put(
        "map.md",
        "# Map\n\n" + "Much else. " * 140 + "\n\n[publish]: a.md 'Publish notes'\n[x]: b.md\n",
    )
    put("a.md", "# Publish\n\nTo publish notes, push them.\n")
    answer = ws.recall("how do I publish my notes?")
    assert paths(answer) == ["a.md"]
    assert answer.left_out == {"link definitions": 1}
    assert paths(ws.search('"[publish]: a.md"')) == ["map.md"]
