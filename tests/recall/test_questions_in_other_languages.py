"""A question in another language than most pages: what it is asked with says nothing."""

import pytest

from memwiki.recall.query import foreign_asking
from tests.effort import for_each


@pytest.fixture
def mostly_english(put, ws):
    for number in range(30):
        put(
            f"{number}.md",
            f"# Page {number}\n\nHow the {number} oil tanks of the house are read.\n",
        )
    return ws


def first(ws, question: str) -> str:
    return ws.recall(question).hits[0].path


@pytest.mark.parametrize(
    ("about", "beside", "question"),
    [
        (
            "On doit purger la chaudière avant l'hiver.",
            "Pour la fête je ne sais pas quand les amis peuvent venir ; une chaudière.",
            "Quand est-ce que je peux purger la chaudière, et pour quand ?",
        ),
        (
            "Den Kessel im Herbst entlüften, dann den Druck prüfen.",
            "Wie und wann wir die Feier machen, kann ich nicht sagen. Der Kessel ist es nicht.",
            "Wie und wann kann ich den Kessel entlüften?",
        ),
        (
            "Котёл нужно продуть осенью.",
            "Как и когда мы это сделаем, я не знаю. Для котёл это можно и так.",
            "Как и когда можно продуть котёл?",
        ),
    ],
)
def test_rare_words_of_a_language_that_anything_is_asked_with_weigh_nothing(
    put, mostly_english, about, beside, question
):
    put("about.md", f"# A\n\n{about}\n")
    put("beside.md", f"# B\n\n{beside}\n")
    assert first(mostly_english, question) == "about.md"


@pytest.mark.parametrize(
    ("title", "question"),
    [
        ("Kessel", "Was ist ein Kessel?"),
        ("Chaudière", "Qu'est-ce qu'une chaudière ?"),
        ("Chaudière", "Qu’est-ce que c’est qu’une chaudière ?"),
        ("Chaudière", "Qu'est-ce que la chaudière ?"),
        ("Caldera", "¿Qué es una caldera?"),
        ("Caldaia", "Cos'è una caldaia?"),
        ("Caldeira", "O que é a caldeira?"),
        ("Ketel", "Wat is een ketel?"),
        ("Котёл", "Что такое котёл?"),
        ("Котел", "Що таке котел?"),
    ],
)
def test_a_page_whose_name_is_asked_about_comes_first(put, mostly_english, title, question):
    put("much.md", f"# Everything\n\n{question} {title} {title}\n")
    put("named.md", f"# {title}\n\nIn the cellar.\n")
    assert first(mostly_english, question) == "named.md"


@for_each(
    "question",
    [
        "",
        "how do I man the bar",
        "son of Sam",
        "over the die",
        "install postgres",
        "怎么用 Ollama",
        "la caldera",
    ],
)
def test_of_english_and_of_keywords_each_word_counts_as_before(question):
    assert foreign_asking(question) == frozenset()


def test_a_word_of_a_title_counts_whatever_it_means_elsewhere():
    assert not {"mis", "los", "la"} & foreign_asking("Les Mis tickets for Tuesday")
    assert not {"los", "vega"} & foreign_asking("Las Vegas Los Alamos trip")


def test_a_word_in_capitals_is_a_name():
    assert "la" in foreign_asking("Comment est la carte ?")
    assert "la" not in foreign_asking("Comment est la ville de LA ?")


def test_where_nothing_else_is_asked_all_words_count(put, ws):
    put("a.md", "# A\n\nWas ist das denn nun.\n")
    assert [hit.path for hit in ws.recall("was ist das denn nun").hits] == ["a.md"]
