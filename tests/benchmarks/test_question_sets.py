"""The questions of the benchmarks: every answer stands where its label says, and is what it is."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

import ablation
import questions

from memwiki.index.keyword.tokens import query_terms
from memwiki.recall.parse import parse_query
from memwiki.recall.query import text_terms

_FILES = sorted((questions.HERE / "data" / "questions").glob("*.jsonl"))
_FIELD = re.compile(r"\[\w+:: [^\]]*\]|\^m-\w+")


def test_every_question_has_an_id_of_its_own_and_an_answer() -> None:
    rows = [json.loads(line) for file in _FILES for line in file.read_text("utf-8").splitlines()]
    assert len({row["id"] for row in rows}) == len({row["question"] for row in rows}) == len(rows)
    assert all(row["pages"] for row in rows)


def test_answers_of_the_household_stand_where_their_labels_say() -> None:
    for known in questions.read_questions(questions.HOUSEHOLD):
        places = dict(questions.entry_places(questions.HOUSEHOLD, known.pages))
        assert all((questions.HOUSEHOLD / place.path).is_file() for place in places.values())


def test_what_only_links_tell_has_no_word_of_its_question() -> None:
    for known in questions.read_questions(questions.HOUSEHOLD):
        if known.group in {"causal", "related"}:
            asked = set(text_terms(parse_query(known.question, date(2026, 9, 20))))
            for place in dict(questions.entry_places(questions.HOUSEHOLD, known.pages)).values():
                lines = Path(questions.HOUSEHOLD, place.path).read_text("utf-8").splitlines()
                said = _FIELD.sub("", "\n".join(lines[place.first - 1 : place.last]))
                assert not asked.intersection(query_terms(said)), known.id


def test_the_figures_count_the_first_hit_that_answers() -> None:
    found = questions.figures([[["a"]], [[], ["a"]], [[]] * 6, []])
    assert found == {"n": 4, "hit@1": 0.25, "hit@5": 0.5, "MRR": 0.375}


def test_an_ablation_shows_points_and_stars_those_that_are_sure() -> None:
    def figures(*ranks: float) -> list[ablation.Figures]:
        return [ablation.Figures(float(rank > 0), rank) for rank in ranks]

    runs = [
        ("as it is", {"a": figures(0.5, 0.5, 0.5, 0.5), "b": figures(1, 1, 0, 0)}),
        ("other", {"a": figures(1, 1, 1, 1), "b": figures(1, 1, 0, 1)}),
    ]
    assert [*ablation._rows(runs, 0)] == [("as it is", "1.000", "0.500"), ("other", "", "+25.0")]
    assert [*ablation._rows(runs, 1)] == [
        ("as it is", "0.500", "0.500"),
        ("other", "+50.0*", "+25.0"),
    ]


def test_halves_follow_from_the_id_and_are_about_as_large() -> None:
    ids = [known.id for known in questions.read_questions(questions.HOUSEHOLD)]
    assert len(ids) * 0.4 < sum(map(ablation.half_of, ids)) < len(ids) * 0.6
