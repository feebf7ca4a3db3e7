"""Which hit comes first, and why."""

from __future__ import annotations

from itertools import groupby
from random import Random

import pytest

from memwiki.index.keyword.backend import Snapshot
from memwiki.recall.bm25 import BM25
from memwiki.recall.fusion import says_nothing
from tests.effort import for_each


def order(ws, query: str) -> list[str]:
    return [hit.path for hit in ws.search(query).hits]


def reasons(ws, query: str) -> dict[str, tuple[str, ...]]:
    return {hit.path: hit.reasons for hit in ws.search(query, explain=True).hits}


MENTIONS = "".join(f"Cache layer, cache layer. {n}\n\n" for n in range(30))


@pytest.mark.parametrize(
    ("page", "text", "query"),
    [
        ("x.md", "# Cache Layer\n\ntext\n", "cache layer"),
        ("x.md", "---\ntitle: Cache Layer\n---\ntext\n", "Cache layer"),
        ("x.md", "---\naliases: [Cache Layer]\n---\n# X\n\ntext\n", "cache LAYER"),
        ("deep/Cache Layer.md", "# X\n\ntext\n", "cache layer"),
        ("cache-layer.md", "# X\n\ntext\n", "Cache Layer"),
        ("x.md", "---\nid: cl-7\n---\n# X\n\ntext\n", "cl-7"),
        ("x.md", "# X\n\n## Cache layer\n\ntext\n", "cache layer"),
        ("缓存层.md", "# X\n\ntext\n", "缓存层"),
        ("數據庫.md", "# X\n\ntext\n", "数据库"),
        ("x.md", "# 数据库\n\ntext\n", "數據庫"),
        ("tcp.md", "# TCP/IP\n\ntext\n", "TCP/IP"),
        ("c.md", "# C++\n\ntext\n", "C++"),
    ],
)
def test_a_page_whose_name_is_the_question_comes_first(put, ws, page, text, query):
    put(page, text)
    put("much.md", f"# Everything about it\n\n{MENTIONS} cl-7 TCP IP C 缓存层 缓存层 数据库\n")
    assert order(ws, query)[0] == page


def test_names_of_the_page_come_before_headings_in_others(put, ws):
    put("a.md", "# Other\n\n## Heron\n\nheron heron heron\n")
    put("b.md", "# Heron\n\ntext\n")
    assert order(ws, "heron") == ["b.md", "a.md"]


def test_a_heading_that_many_pages_share_says_nothing(put, ws):
    for number in range(8):
        put(f"{number}.md", f"# Page {number}\n\n## See also\n\nnothing\n")
    put("about.md", "# About links\n\nSee also see also: what to see also, also seen.\n")
    assert order(ws, "see also")[0] == "about.md"


def test_why_a_hit_was_found_is_told_when_asked(put, ws):
    put("a.md", "# Heron\n\ntext\n")
    put("b.md", "---\naliases: [Heron]\n---\n# B\n\ntext\n")
    put("c.md", "# C\n\nA heron stands.\n")
    found = reasons(ws, "heron")
    assert found["a.md"][0] == "exact title"
    assert found["b.md"][0] == "exact alias"
    assert found["c.md"] == ("words: heron",)


def test_the_words_that_were_found_are_told_as_they_are_written(put, ws):
    put("a.md", "# A\n\nDaily notes: a note, kept daily. 每天備份。\n")
    assert reasons(ws, "daily note 备份")["a.md"] == ("words: Daily, notes, 備份",)
    assert all(hit.reasons == () for hit in ws.search("heron").hits)


def test_rare_words_count_more_than_common_ones(put, ws):
    for number in range(20):
        put(f"{number}.md", f"# N{number}\n\ncommon text\n")
    put("rare.md", "# Rare\n\ntext with a bittern\n")
    assert order(ws, "common bittern")[0] == "rare.md"


def test_a_page_with_more_of_the_words_comes_first(put, ws):
    put("one.md", "# One\n\nheron heron heron heron\n")
    put("both.md", "# Both\n\nheron and bittern\n")
    assert order(ws, "heron bittern")[0] == "both.md"


def test_a_page_is_one_hit_with_its_best_block(put, ws):
    filler = "filler text of no interest\n\n" * 60
    put(
        "a.md",
        f"# A\n\n## First\n\n{filler}\n\n## Second\n\nheron bittern\n\n## Third\n\n{filler} "
        "heron\n",
    )
    (hit,) = ws.search("heron bittern").hits
    assert hit.section.endswith("Second")
    assert "heron bittern" in hit.excerpt
    lines = (ws.root / "a.md").read_text().split("\n")
    assert "heron bittern" in "\n".join(lines[hit.line_start - 1 : hit.line_end])


def test_the_words_of_a_question_do_not_drown_what_it_is_about(put, ws):
    put("answer.md", "# Birds\n\nHerons migrate in October.\n")
    put("chat.md", "# Chat\n\nWhat do you do when you do what you do in the when\n")
    assert order(ws, "When do the herons migrate?")[0] == "answer.md"


def test_question_words_alone_are_searched(put, ws):
    put("a.md", "# The Who\n\nA band.\n")
    assert order(ws, "who") == ["a.md"]
    assert order(ws, "the who") == ["a.md"]


@for_each("query", ["C#", "C++", "A*", ".NET", "@anna", "what is A* good for?"])
def test_a_sign_that_is_part_of_a_word_tells_it_from_the_letters_alone(reading, query):
    answer = "# Notes\n\nLong ago we chose C#, C++, A*, .NET and @anna, all in one year.\n"
    others = "\n\nA net, plan C, anna, c, net, a, an, anna: good net.\n"
    pages = {f"{n}.md": f"# Net {n}{others}" for n in range(4)}
    assert order(reading({"answer.md": answer, **pages}), query)[0] == "answer.md"


JAPANESE = """
--- backup.md ---
# バックアップ

毎晩二時にサーバーのデータを外付けディスクへ保存する。
--- cat.md ---
# 猫の世話

ミケは一日に二回ごはんを食べる。薬は夜だけ飲ませる。
--- trip.md ---
# 京都旅行

十一月に三泊した。宿は駅から歩いて十分だった。
--- deploy.md ---
# デプロイ手順

本番へ出す前にテストをすべて通す。
--- note.md ---
# 雑記

いつでも読めるようにしておくものです。どうすればいいですか、何ですかと聞かれる。
--- questions.md ---
# よくある質問

これは何ですか。どうやって使うのですか。いつですか。どこにありますか。どこにありましたか。
"""


@for_each(
    ("query", "path"),
    [
        ("バックアップはいつ取りますか？", "backup.md"),
        ("猫の薬はいつ飲ませればいいですか？", "cat.md"),
        ("京都で泊まった宿はどこにありましたか？", "trip.md"),
        ("デプロイとは何ですか", "deploy.md"),
        ("よくある", "questions.md"),
    ],
)
def test_what_a_japanese_question_is_asked_with_does_not_drown_what_it_is_about(
    reading, query, path
):
    ws = reading(JAPANESE)
    assert order(ws, query)[0] == path
    assert ws.recall(query).hits[0].path == path


def test_what_long_talk_repeats_counts_by_the_root_of_its_number(put, ws):
    put("tired.md", "# One\n\nI was tired, tired, tired.\n")
    put("magic.md", "# Two\n\nA magic show and the rabbit.\n")
    talk = (
        "the rabbit of the magic show slept beside seven green chairs under lamps last winter "
        "near harbour walls"
    )
    assert order(ws, f"tired {talk}")[0] == "magic.md"
    assert order(ws, f"{'tired ' * 60} {talk}")[0] == "tired.md"


@for_each(
    "query", ["缓存是什么", "缓存是什么意思", "缓存怎么样", "为什么缓存", "谁的缓存", "什麼是缓存"]
)
def test_what_a_chinese_question_is_asked_with_does_not_drown_what_it_is_about(reading, query):
    pages = {f"filler{n}.md": "# 别的\n\n缓慢的存放。\n" for n in range(4)}
    pages["answer.md"] = "# 层\n\n缓存放在内存里。\n"
    pages["chat.md"] = "# 闲谈\n\n这是什么意思?怎么样?为什么?是谁?谁的?什麼是?\n"
    assert order(reading(pages), query)[0] == "answer.md"


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("我现在住哪儿？", "我住在望京西园。"),
        ("住哪", "我住在望京西园。"),
        ("伞什么时候丢的？", "丢了一把雨伞。"),
        ("有什么不能吃的吗？", "不吃香菜。"),
    ],
)
def test_what_a_chinese_question_asks_for_may_be_one_character(put, ws, query, answer):
    for n, text in enumerate(["现在改喝美式咖啡了。", "如今哪儿都贵。", "我在看书。", answer]):
        put(f"page-{n}.md", f"# {n}\n\n{text}\n")
    assert ws.recall(query).hits[0].path == "page-3.md"


@pytest.mark.parametrize(
    ("query", "answer", "chat"),
    [
        ("I want to put something on the roof", "The roof is of tin.", "Put it there."),
        ("I want the boiler warm", "The boiler is old.", "You want it."),
        ("怎么让锅炉热", "锅炉在地下室。", "什么让人笑。"),
    ],
)
def test_words_that_anything_is_asked_with_weigh_less_than_what_is_asked_for(
    put, ws, query, answer, chat
):
    for n in range(3):  # so that what is asked for is the commoner word
        put(f"page-{n}.md", f"# {n}\n\n{answer}\n")
    for n in range(6):
        put(f"other-{n}.md", f"# Other {n}\n\nOf trees.\n")
    put("chat.md", f"# Talk\n\n{chat}\n")
    assert order(ws, query)[-1] == "chat.md"


@pytest.mark.parametrize(
    ("query", "asked", "beside"),
    [
        ("Go error handling", "Go", "Error handling"),
        ("Make cache folder", "Make", "Cache folder"),
        ("成都 特色美食", "成都", "特色美食"),
    ],
)
def test_of_bare_keywords_each_is_meant(put, ws, query, asked, beside):
    put("a.md", f"# {asked}\n\nOf trees and of birds, and of them long, then of {beside}.\n")
    put("b.md", f"# {beside}\n\n{beside}.\n")
    for number in range(9):
        put(f"c{number}.md", f"# Trees\n\nOf {asked}.\n")
        put(f"d{number}.md", f"# Birds\n\nOf {beside}.\n")
    assert order(ws, query)[0] == "a.md"


def test_characters_of_questions_are_found_where_nothing_else_is_asked_or_in_other_words(put, ws):
    put("a.md", "# 意思\n\n有意思。\n")
    put("b.md", "# 样本\n\n行为。\n")
    assert order(ws, "什么意思") == ["a.md"]
    assert order(ws, "样本是什么") == ["b.md"]
    assert order(ws, "行为") == ["b.md"]


PLAIN = """
--- kiel.md ---
# Kiel

By the sea. Vitamin d there, and a kettle of green tea.
--- tea/green-tea.md ---
---
aliases: [绿茶]
---
# Green tea

Tea that is green. 绿茶是一种茶。
--- list.md ---
# List

## Vitamin

Vitamin c, vitamin d, vitamin c. Tea, tea, kettle.
--- memory.md ---
# Memory

- The kettle is green. ^m-aaaaaa
- 绿茶放在柜子里。 ^m-bbbbbb
"""


@for_each(
    "query",
    "vitamin c|green tea|what is green tea|绿茶是什么|kettle|the sea|c|d|tea kettle|kiel|柜子|"
    "cabin|the|is vitamin tea|is green a xyz|see|ett lis".split("|"),
)
def test_search_and_recall_by_text_have_the_same_best_hit(reading, query):
    ws = reading(PLAIN)
    found, recalled = ws.search(query), ws.recall(query, strategy="text", record=False)
    best = [(each.path, each.line_start) for each in found.hits[:1]]
    assert best == [(each.path, each.line_start) for each in recalled.hits[:1]]


def test_sources_rank_a_little_lower_than_what_was_made_of_them(put, ws):
    put("memwiki.toml", '[layers]\nraw = "raw"\n')
    ws.reload()
    put("raw/a.md", "# A\n\nheron text\n")
    put("wiki/b.md", "# B\n\nheron text\n")
    assert order(ws, "heron") == ["wiki/b.md", "raw/a.md"]


def test_equal_hits_come_in_the_same_order_whatever_was_written_first(put, root, opened, cache):
    for name in ("a", "b", "c", "d"):
        put(f"{name}.md", "same heron text\n")
    first = order(opened(), "heron")
    put("b.md", "other\n")
    opened().sync()
    put("b.md", "same heron text\n")
    assert order(opened(), "heron") == first


def test_the_best_score_is_told_and_scores_fall(put, ws):
    for number in range(5):
        put(f"{number}.md", f"# P{number}\n\n{'heron ' * (number + 1)}{'x ' * 50}\n")
    scores = [hit.score for hit in ws.search("heron").hits]
    assert scores == sorted(scores, reverse=True)
    assert all(score > 0 for score in scores)


def test_the_limit_cuts_hits_and_not_the_total(put, ws):
    for number in range(30):
        put(f"{number}.md", "heron\n")
    assert (len(ws.search("heron").hits), ws.search("heron").total) == (20, 30)
    assert (len(ws.search("heron", limit=3).hits), ws.search("heron", limit=3).total) == (3, 30)


# --- scores --------------------------------------------------------------------------------------


class Postings(Snapshot):
    """A snapshot of three units."""

    generation, unit_count = 1, 3

    def __init__(self, **terms: dict[int, int]) -> None:
        self._terms = terms

    def frequency(self, term: str) -> int:
        return len(self._terms.get(term, ()))

    def prefetch(self, terms) -> None:
        pass

    def postings(self, term: str, among=None):
        rows = self._terms.get(term)
        if rows:
            yield list(rows), list(rows.values())


def test_nothing_found_has_no_scores():
    assert BM25(Postings(), ["heron"]).every() == {}


def test_a_unit_with_all_terms_beats_a_heavier_one_with_half_of_them():
    scores = BM25(Postings(a={0: 250, 1: 130}, b={1: 130}), ["a", "b"]).every()
    assert scores[1] > scores[0]


@pytest.mark.parametrize("share", [1, 20])
def test_units_come_in_the_order_of_their_scores_those_of_one_score_together(share, monkeypatch):
    rng, bounded, by_bounds = Random(1), [], BM25._by_bounds
    monkeypatch.setattr(BM25, "_by_bounds", lambda bm25: bounded.append(1) or by_bounds(bm25))
    monkeypatch.setattr("memwiki.recall.bm25._FEW_POSTINGS", 0)
    for count in (1, 40, 700):
        for highest in (1, 3, 255):
            sizes = rng.choices(range(1, count // share + 2 - (share == 1)), k=8)
            terms = {
                name: {u: rng.randint(1, highest) for u in sorted(rng.sample(range(count), n))}
                for name, n in zip("abcdefgh", sizes, strict=True)
            }
            snapshot = Postings(**terms)
            snapshot.unit_count = count
            scoring = BM25(snapshot, "abcdefghz")
            every = scoring.every()
            by_score = groupby(sorted(every, key=every.get, reverse=True), every.get)
            expected = [sorted(alike) for _, alike in by_score]
            assert [sorted(alike) for alike in scoring.ranked()] == expected
            assert [sorted(alike) for alike in by_bounds(scoring)] == expected
    assert len(bounded) < 9 if share > 1 else bounded  # where most units have few of the terms


def test_a_term_that_stands_everywhere_still_counts_a_little():
    scores = BM25(Postings(a={0: 100, 1: 100, 2: 100}, b={0: 100}), ["a", "b"]).every()
    assert scores[0] > scores[1] > 0


@pytest.mark.parametrize(
    ("question", "written"),
    [
        ("Kuehlschrank", "Kühlschrank"),
        ("Kühlschrank", "Kuehlschrank"),
        ("Århus", "Aarhus"),
        ("Aarhus", "Århus"),
        ("smørrebrød", "smoerrebroed"),
        ("48000", "48,000"),
        ("48,000", "48 000"),
        ("48 000", "48000"),
        ("FritzBox", "Fritz!Box"),
        ("fritzbox", "Fritz!Box"),
        ("Fritz!Box", "fritzbox"),
        ("Kuehlschrank kuehlschrank KUEHLSCHRANK", "Kühlschrank"),
        ("Donaudampfer", "Donau\u00addampfer"),
        ("Dateipfad", "Datei\u200bpfad"),
        ("buy", "bought"),
        ("bought", "buys"),
        ("mice", "mouse"),
    ],
)
def test_a_word_is_found_in_another_spelling(put, ws, question, written):
    put("a.md", f"# One\n\nA line before.\n\nThere is {written} here.\n")
    put("b.md", "# Other\n\nA house without one.\n")
    assert order(ws, question) == ["a.md"]
    assert [hit.path for hit in ws.recall(f"what of {question}?").hits] == ["a.md"]


@pytest.mark.parametrize(
    "query", ["Kuehlschr*", "Kühlschr*", "(Kuehlschrank line) OR zebra", "line -Handtuecher"]
)
def test_a_begun_a_joined_and_an_excluded_word_are_found_in_another_spelling(put, ws, query):
    put("a.md", "# One\n\nA line: the Kühlschrank.\n")
    put("b.md", "# Two\n\nA line: the Handtücher.\n")
    put("c.md", "# Three\n\nNothing: ein Kuehlschrank.\n")
    assert set(order(ws, query)) - {"c.md"} == {"a.md"}


@pytest.mark.parametrize("query", ["(buy OR zebra)", "buy", "apples -wolf"])
def test_forms_are_found_in_conditions_and_left_out(put, ws, query):
    put("a.md", "# One\n\nWe bought apples.\n")
    put("b.md", "# Two\n\nWolves and apples.\n")
    assert order(ws, query) == ["a.md"]


def test_signs_between_scripts_without_blanks_are_no_word(put, ws):
    put("a.md", "# One\n\n你好!世界 ok\n")
    assert order(ws, "猫!狗*") == []


def test_a_word_of_its_own_finds_no_other_word_that_is_a_form_of_it(put, ws):
    put("a.md", "# One\n\nTurn left at the tree.\n")
    put("b.md", "# Two\n\nThey leave at noon.\n")
    assert order(ws, "left") == ["a.md"]
    assert sorted(order(ws, "leave")) == ["a.md", "b.md"]


def test_a_rarer_spelling_does_not_come_before_the_word_itself(put, ws):
    put("rare.md", "# Rare\n\nMichal came by, and a long line of other words besides that.\n")
    for number in range(9):
        put(f"{number}.md", f"# Page {number}\n\nMichael came by.\n")
    assert order(ws, "Michael")[-1] == "rare.md"


_SCATTERED = "# Notes\n\nEach user of the editor may {}.\n\n" + "More text about panes. " * 12


def _beside_pages(put, opened):
    """A memory among pages that hold the same words, far from each other."""
    put("memory.md", "# Memory\n\n- User lives in Munich, in Sendling. ^m-aaaaaa\n")
    for number in range(12):
        text = _SCATTERED.format("switch the preview on") + " Where it updates live.\n"
        put(f"page{number}.md", f"{text}\nlive live user user {number}\n")
    return opened()


def test_what_is_said_at_once_comes_before_pages_with_its_words(put, opened):
    ws = _beside_pages(put, opened)
    assert ws.recall("where does the user live?").hits[0].path == "memory.md"


def test_a_question_of_us_asks_memories_more_than_another(put, opened):
    ws = _beside_pages(put, opened)

    def score(question):
        hits = ws.recall(question, limit=20).hits
        return next(hit.score for hit in hits if hit.path == "memory.md")

    assert score("in Sendling we are?") > 1.2 * score("in Sendling they are?")


def test_one_score_alone_counts_a_memory_like_a_page(put, opened):
    ws = _beside_pages(put, opened)
    by_text = ws.recall("where does the user live?", strategy="text").hits
    assert by_text[0].path == ws.search("where does the user live?").hits[0].path != "memory.md"


def test_a_memory_is_looked_at_however_many_pages_have_its_word(put, opened):
    put("memory.md", "# Memory\n\n- I work at the mill as an engineer since 2020. ^m-aaaaaa\n")
    for number in range(90):
        put(f"page{number}.md", f"# Work {number}\n\nwork work work {number}\n")
    assert any(
        hit.path == "memory.md" for hit in opened().recall("Where do I work?", limit=50).hits
    )


def test_what_nobody_of_ours_said_does_not_come_before_pages_for_being_short(put, opened):
    put(
        "memory.md",
        "# M\n\n- The kettle is loud. ^m-aaaaaa\n- The pot is old. [origin:: web] ^m-bbbbbb\n",
    )
    ws = opened()
    own, other = (ws.recall(f"what of our {each}").hits[0] for each in ("kettle", "pot"))
    assert own.score > 1.9 * other.score > 0


def test_a_page_that_is_called_what_is_asked_for_comes_before_a_memory_that_names_it(put, opened):
    put("wiki/list.md", "# Deploy checklist\n\nTag the build, tell the team, wait.\n")
    put("memory.md", "# M\n\n- Our deploy checklist is long. ^m-aaaaaa\n")
    assert opened().recall("what is our deploy checklist?").hits[0].path == "wiki/list.md"


def test_of_very_many_memories_those_that_pages_crowd_out_are_not_looked_at(
    put, opened, monkeypatch
):
    monkeypatch.setattr("memwiki.recall.memories._MAX_MEMORIES", 0)
    put("memory.md", "# Memory\n\n- I zorb at the mill as a keeper since 2020. ^m-aaaaaa\n")
    for number in range(90):
        put(f"page{number}.md", f"# Zorb {number}\n\nzorb zorb zorb {number}\n")
    hits = opened().recall("Where do I zorb?", limit=50).hits
    assert not any(hit.path == "memory.md" for hit in hits)


def test_a_page_without_text_comes_behind_what_answers(put, ws):
    put("wiki/Feathr 的文档是如何工作的.md", "tags:: Feathr\n\n-\n")
    put("wiki/Feathr.md", "- 文档在 https://feathr.example/docs\n- 由一家公司开发\n")
    assert ws.recall("Feathr 的文档在哪里").hits[0].path == "wiki/Feathr.md"
    put("wiki/Bo.md", "phone:: 555-1234\nemail:: bo@a.example\n")
    put("memory.md", "# Memory\n\n- Bo lives in Rome. ^m-aaaaaa\n")
    assert ws.recall("Bo's email address").hits[0].path == "wiki/Bo.md"
    assert says_nothing("tags:: a\nid:: 6\n\n- \n- alias:: b\n")
    assert not says_nothing("tags:: a\n\n- text\n")
