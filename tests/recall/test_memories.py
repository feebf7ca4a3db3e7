"""Memories that say in other words what was asked."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from memwiki.index.keyword.tokens import query_terms
from memwiki.recall import memories
from memwiki.recall.memories import other_words
from memwiki.recall.query import is_asking
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

    def prefetch(self, terms):
        """Nothing is far away."""

    def frequency(self, term):
        return self[term]


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


def test_what_is_of_a_kind_stands_for_the_kind_and_not_for_another_one(told):
    assert {hit.id for hit in told.recall("which pets").hits} == {"m-thedog", "m-kitten"}
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
    both, other = Counts(boss=3, manag=1), Counts(manag=1)
    short = other_words("boss", {"boss": 1.0}, both)["manag"]
    assert 1 > short > other_words("boss", many, both)["manag"] > 0
    assert 1 > other_words("boss", {"boss": 1.0}, other)["manag"] > short
    assert other_words("boss", {"boss": 1.0}, Counts()) == {}


def test_each_line_has_words_that_can_be_asked_for():
    for line in LINES:
        heads, _, kinds = line.partition(": ")
        words = [*heads.split(), *kinds.split()]
        terms = [tuple(query_terms(word)) for word in words]
        assert heads and len(words) > 1, line
        assert line == line.casefold() and len(set(terms)) == len(terms), line
        for word, found in zip(words, terms, strict=True):
            assert len(word) < memories._MAX_WORD
            assert not all(map(is_asking, found)), (word, line)
            assert len(found) == 1 or not word.isascii(), (word, line)


def test_each_word_is_found_by_how_it_begins():
    for line in LINES[::40]:
        for word in line.replace(":", "").split():
            (term, *_) = query_terms(word)
            weights = {term: 1.0}
            assert any(word == sense.word for sense in memories._meant(word, weights)), word
