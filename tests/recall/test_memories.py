"""Memories that say in other words what was asked."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from memwiki.index.keyword.tokens import query_terms
from memwiki.recall import memories
from memwiki.recall.memories import other_words
from memwiki.recall.parse import Question
from memwiki.recall.query import Query, is_asking
from tests.effort import for_each

TABLE = Path(memories.__file__).with_name("senses.txt").read_text("utf-8")
LINES = [line for line in TABLE.splitlines() if line and not line.startswith("#")]
MEMORIES = """\
# Memory

- Sandra Oduya is the user's manager. ^m-sandra
- Orders are in PostgreSQL 16. ^m-postgr
- Rex, a puppy, came in May. ^m-thedog
- Minou is a kitten. ^m-kitten
- 房东姓周。 ^m-fangdo
- The parcel is at number 9. ^m-parcel
"""


@pytest.fixture
def told(put, ws):
    put("memory.md", MEMORIES)
    return ws


class Counts(Counter[str]):
    """An index of which it is known in how many units a term stands."""

    unit_count = 9

    def prefetch(self, terms):
        """Nothing is far away."""

    def frequency(self, term):
        return self[term]


def counted(text, terms, counts, *phrases):
    """What the other word counts, 0 where it is not asked for."""
    question = Question(text, Query(text), phrases)
    return sum(each.weight for each in other_words(question, terms, counts) if each.term == "manag")


@for_each(
    ("question", "first"),
    [
        ("who is my boss?", "m-sandra"),
        ("Which database do we have?", "m-postgr"),
        ("where is my package", "m-parcel"),
        ("我的老板是谁", "m-sandra"),
        ("who is the landlord", "m-fangdo"),
        ("What's our dog called?", "m-thedog"),
        ("老闆是誰", "m-sandra"),
        ("我家的小狗叫什么名字", "m-thedog"),
    ],
)
def test_who_asks_in_other_words_hears_of_it(told, question, first):
    answer = told.recall(question, explain=True)
    assert answer.hits[0].id == first
    assert "in other words" in answer.hits[0].reasons


@for_each("question", ["who is my boss?", "Which database do we have?", "我的老板是谁"])
def test_a_memory_that_has_all_of_it_in_other_words_is_relevant(told, question):
    assert told.recall(question).has_relevant


def test_what_is_left_out_is_told_whoever_says_it(told, put):
    put(
        "learnings.md",
        "# Learnings\n\n- The kettle is blue. [superseded_by:: m-sandra] ^m-kettle\n"
        "- Li was the manager. [superseded_by:: m-sandra] ^m-before\n",
    )
    own, others = told.recall("kettle"), told.recall("boss")
    assert (own.hits, own.left_out, own.fallback) == ((), {"superseded": 1}, False)
    assert ([hit.id for hit in others.hits], others.left_out) == (["m-sandra"], {"superseded": 1})


def test_a_memory_that_has_a_part_of_it_in_other_words_may_be_chance(told):
    assert not told.recall("which boss signs invoices on holidays in Norway?").has_relevant


def test_what_is_of_a_kind_is_said_for_the_kind_and_for_no_other_one(told):
    assert {hit.id for hit in told.recall("which pets").hits} == {"m-thedog", "m-kitten"}
    told.entries.add("Pets are not allowed here.")
    assert {hit.id for hit in told.recall("whose cat").hits} == {"m-kitten"}


def test_the_words_of_the_question_come_before_others(told, put):
    put("learnings.md", "# Learnings\n\n- Ask the boss for the report. ^m-askbos\n")
    found = [hit.id for hit in told.recall("boss").hits]
    assert found == ["m-askbos", "m-sandra"]


def test_pages_are_found_by_the_words_that_they_have(told, put):
    put("wiki/people.md", "# Managers\n\nA manager leads.\n")
    assert [hit.path for hit in told.recall("boss").hits] == ["memory.md"]


def test_of_very_many_memories_those_in_other_words_are_found_too(told, monkeypatch):
    monkeypatch.setattr("memwiki.recall.memories._MAX_MEMORIES", 0)
    assert told.recall("who is my boss?").hits[0].id == "m-sandra"


def test_other_words_count_less_and_in_a_long_question_less_still():
    many = {"boss": 1.0, **dict.fromkeys("abcdefghi", 1.0)}
    both, other = Counts(boss=3, manag=3), Counts(manag=3)
    short = counted("boss", {"boss": 1.0}, both)
    assert 1 > short > counted("boss", many, both) > 0
    assert 1 > counted("boss", {"boss": 1.0}, other) > short
    assert short > counted("boss", {"boss": 1.0}, Counts(boss=3, manag=1)) > 0
    assert counted("boss", {"boss": 1.0}, Counts()) == 0


def test_other_words_are_half_as_much_to_the_point(told):
    (hit,) = told.recall("boss", explain=True).hits
    plain = 0.64 * hit.scores["text"] + 0.16 * hit.scores["overlap"]
    assert hit.score == pytest.approx(1.25 * plain, abs=0.001)


def test_what_is_quoted_is_meant_so_and_a_long_text_says_all():
    counts = Counts(boss=3, manag=3)
    assert counted('my "boss"', {"boss": 1.0}, counts, '"boss"'[1:-1]) == 0
    assert counted("boss", dict.fromkeys(map(str, range(50)), 1.0) | {"boss": 1.0}, counts) == 0


@for_each("question", ["大家都同意吗", "云南的专家", "火车站"])
def test_a_character_within_a_word_is_no_word(question):
    assert [sense.word for sense in memories._senses(question, {}) if len(sense.word) == 1] == []


def test_of_one_word_the_best_that_is_said_for_it_counts_and_not_all_together(told, put):
    put(
        "learnings.md",
        "# Learnings\n\n- Puppy, hound, poodle, husky. ^m-breeds\n- The dog barks. ^m-barksa\n",
    )
    assert told.recall("dog").hits[0].id == "m-barksa"


def test_what_has_the_word_itself_is_not_worth_less_for_another_one(told, put):
    put("learnings.md", "# Learnings\n\n- The dog is a pet. ^m-thepet\n")
    best = told.recall("our dog", explain=True).hits[0]
    assert best.id == "m-thepet"
    assert "in other words" not in best.reasons


def test_what_holds_a_part_of_a_word_is_found_behind_what_says_it_in_others(told, put):
    put("wiki/firm.md", "# Firm\n\nBossmann GmbH sends invoices.\n")
    answer = told.recall("boss")
    assert [hit.path for hit in answer.hits] == ["memory.md", "wiki/firm.md"]
    assert answer.fallback


def test_each_line_has_words_that_can_be_asked_for():
    for line in LINES:
        heads, _, kinds = line.partition(": ")
        words = [*heads.split(), *kinds.split()]
        terms = [tuple(query_terms(word)) for word in words]
        assert heads and len(words) > 1, line
        assert line == line.casefold() and len(set(terms)) == len(terms), line
        for word, found in zip(words, terms, strict=True):
            assert not all(map(is_asking, found)), (word, line)
            assert len(found) == 1 or not word.isascii(), (word, line)


def test_each_word_is_found_by_how_it_begins():
    for line in LINES[::40]:
        for word in line.partition(":")[0].split():
            (term, *_) = query_terms(word)
            weights = {term: 1.0}
            assert any(word == sense.word for sense in memories._senses(word, weights)), word
