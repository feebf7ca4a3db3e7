"""A question is prose; only filters are syntax."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.recall.parse import read_question
from memwiki.recall.query import FilterKind, text_terms
from memwiki.times.days import Days
from tests.effort import for_each

TODAY = date(2026, 11, 22)


def read(text):
    known = (*FilterKind, "status")
    return read_question(text, TODAY, lambda f: f.kind is not FilterKind.FIELD or f.name in known)


def test_marks_of_the_query_language_exclude_nothing():
    question = read('Is the -draft of "blue tea" in wor* ?')
    assert {"draft", "blue", "tea", "wor"} <= set(question.query.words)
    assert (question.query.excluded, question.query.prefixes) == ((), ())
    assert question.phrases == ("blue tea",)


def test_filters_are_read_and_what_is_no_field_is_a_word():
    query = read("tea tag:drink status:draft note:green").query
    assert [f.kind for f in query.filters] == [FilterKind.TAG, FilterKind.FIELD]
    assert "note:green" in query.words


@for_each(
    ("text", "is_causal", "is_relational"),
    [
        ("why did it fail", True, False),
        ("这为什么失败", True, False),
        ("what is connected with tea", False, True),
        ("茶有关的事", False, True),
        ("becauseway and relatedness", False, False),
        ("what is Tea linked with?", False, True),
        ("how are tea and milk connected?", False, True),
        ("茶和牛奶有联系吗", False, True),
        ("how do I change a linked list", False, False),
        ("how fast is our connection", False, False),
        ("茶店的联系方式", False, False),
    ],
)
def test_words_tell_what_is_asked_for(text, is_causal, is_relational):
    question = read(text)
    assert (question.is_causal, question.is_relational) == (is_causal, is_relational)


@for_each(
    "text",
    [
        "When did Anna move?",
        "since when's it broken?",
        "Which year was it?",
        "How long ago did we meet?",
        "安娜什么时候搬家的？",
        "哪天交稿",
        "いつ引っ越した？",
    ],
)
def test_a_question_may_ask_for_a_time(text):
    assert read(text).is_temporal


@for_each(
    "text",
    ["Where was I when Anna moved?", "What do I want when I ask for flights?", "いつも何を飲む？"],
)
def test_a_time_that_is_only_told_is_not_asked_for(text):
    assert not read(text).is_temporal


@for_each(
    ("text", "first", "last"),
    [
        ("on 2026-05-03?", date(2026, 5, 3), date(2026, 5, 3)),
        ("in 2026-05", date(2026, 5, 1), date(2026, 5, 31)),
        ("what was in 2024?", date(2024, 1, 1), date(2024, 12, 31)),
        ("2024年的事", date(2024, 1, 1), date(2024, 12, 31)),
    ],
)
def test_days_months_and_years_that_a_question_names_are_times(text, first, last):
    assert read(text).days == (Days(first, last),)


@for_each("text", ["version 20245", "m-2024-x", "call 1234567", "2024-13-77"])
def test_other_numbers_are_no_times(text):
    assert read(text).days == ()


def test_single_letters_are_words():
    assert read("vitamin C?").query.words == ("vitamin", "C?")


@for_each("text", ["(tea OR milk)", "tea OR", "-(tea milk)", "((tea"])
def test_or_and_parentheses_are_prose(text):
    query = read(text).query
    assert {word.strip("-()") for word in query.words} <= {"tea", "OR", "milk"}
    assert (query.condition, query.excluded, query.notes) == ((), (), ())


def test_comparisons_are_filters_in_a_question():
    query = read("tea status:>b has:author").query
    assert [(each.kind, each.sign) for each in query.filters] == [("field", ">"), ("has", "")]


@given(st.text())
def test_any_text_is_a_question(text):
    question = read(text)
    assert all(word.strip() for word in question.query.words)
    assert question.text == text


def test_a_long_question_is_read_in_time_linear_in_it():
    assert len(read("2024-1 why " * 50_000).days) == 1


def test_a_time_in_words_is_named_and_its_words_stay():
    question = read("what did Anna say last week")
    assert question.days == (Days(date(2026, 11, 9), date(2026, 11, 15)),)
    assert {"last", "week"} <= set(question.query.words)


@for_each(
    ("text", "terms"),
    [
        ("what's the wifi password", ["wifi", "password"]),
        ("I don’t know Zoë's number", ["don", "t", "know", "zoe", "number"]),
        ("qu'est-ce que l'arbre d'Anna", ["arbr", "anna"]),
        ("O'Brien and rock'n'roll", ["o", "brien", "rock", "roll"]),
        ("don't", ["don", "t"]),
        ("t's list, I'm told", ["t", "s", "list", "told"]),
        ("what can't I eat", ["t", "eat"]),
        ("who's there", ["who", "there"]),
    ],
)
def test_what_an_apostrophe_leaves_of_a_word_is_not_asked_for(text, terms):
    assert text_terms(read(text).query) == terms


def test_in_long_talk_a_negation_is_a_way_of_speaking():
    talk = "I really don't like the rain in autumn so we stayed at home and baked bread all day"
    assert "t" not in text_terms(read(talk).query)
    assert "bake" in text_terms(read(talk).query)


@pytest.mark.parametrize(
    ("asked", "is_of_us"),
    [
        ("Where do I work?", True),
        ("what I'd said", True),
        ("the user’s dentist", True),
        ("Wo arbeitet unsere Mutter?", True),
        ("我住在哪里", True),
        ("how does I/O work", False),
        ("the username of Anna", False),
        ("why did MySQL stop", False),
    ],
)
def test_a_question_of_us_is_told_by_its_words(asked, is_of_us):
    assert read(asked).is_of_us is is_of_us


@pytest.mark.parametrize(
    ("question", "is_said"),
    [
        ("how big may a request be?", False),
        ("May I push on Friday?", False),
        ("what is due in May?", True),
        ("was the release in May the last one?", True),
        ("the plan of May for Atlas", True),
        ("how old is May the cat?", True),
        ("during May we made a trip, where?", True),
        ("how big may the title be?", False),
    ],
)
def test_may_is_a_month_where_it_is_one(question, is_said):
    words = read(question).query.words
    assert ("may" in {word.casefold().strip("?") for word in words}) is is_said
