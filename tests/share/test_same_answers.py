"""A seeded small twin of `benchmarks/shared_index.py`: what was fed, edited and deleted answers as
a new index of the files does, with the same scores, and takes little of the server."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

from memwiki.index.keyword import segments

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
from shared_answers import Traffic, agreement, forget_rows, grown, questions_of, tau

ENGLISH = [f"{a}{b}" for a in ("heron", "stork", "ibis", "egret") for b in ("wood", "lake", "ing")]
CHINESE = "水鸟湖泊森林河流草地山谷"
COMMON = ("water", "水鸟")


def page(rng: Random, number: int) -> str:
    words = rng.choices(ENGLISH, [1 / (n + 1) for n in range(len(ENGLISH))], k=30)
    if number % 2:
        words = ["".join(rng.choices(CHINESE, k=6)) for _ in range(8)]
    words[-1] = "".join(rng.choices("abcdefgh", k=6))  # which no other page holds
    common, end = COMMON[number % 2], "。" if number % 2 else "."
    rest = f"{common} {' '.join(words[3:])}{end}"
    return f"# {' '.join(words[:2])} {number}\n\n## {words[2]} {common}\n\n{rest}\n"


def fed_after_edits(ws, fed, monkeypatch) -> None:
    """Of several segments, with units that were deleted since the last merge."""
    monkeypatch.setattr(segments, "_MAX_UNITS", 64)
    rng = Random(5)
    for number in range(120):
        (ws.root / f"{number}.md").write_text(page(rng, number))
    fed()
    for number in rng.sample(range(120), 8):
        (ws.root / f"{number}.md").write_text(page(rng, number))
        fed()
    for number in rng.sample(range(120), 10):
        (ws.root / f"{number}.md").unlink()
    fed()
    ws.index.reindex()


def test_hits_are_those_of_a_new_index_of_the_files_and_no_word_is_read_twice(
    ws, fed, monkeypatch, reader
):
    """Hits, their scores and their order; and what was read of a word is not read again."""
    fed_after_edits(ws, fed, monkeypatch)
    questions = questions_of(ws.root, 20)
    shared = reader()
    found = {question: agreement(ws, shared, question) for question in questions}
    assert len(questions) == 20
    assert {q: each for q, each in found.items() if each != (True, 1.0, 1.0)} == {}
    shared = reader()
    questions = [*questions_of(ws.root, 10), *COMMON]
    shared.search(questions[0])
    for question in questions:
        forget_rows(shared)
        with Traffic() as new:
            shared.search(question)
        with Traffic() as again:
            shared.search(question)
        assert again.size_bytes < new.size_bytes
        assert again.statements < new.statements


def test_a_grown_vault_has_as_many_pages_more_and_its_words_are_as_common(ws, tmp_path):
    rng = Random(3)
    for number in range(40):
        (ws.root / f"{number}.md").write_text(page(rng, number))
    grown(ws.root, tmp_path / "grown", 3)
    every = [sorted((tmp_path / "grown" / n).rglob("*.md")) for n in "012"]
    assert [len(each) for each in every] == [40, 40, 40]
    first, second, _ = ([path.read_text() for path in each] for each in every)
    assert first == [path.read_text() for path in sorted(ws.root.glob("*.md"))]
    assert sum(text.count("water") for text in second) == sum(t.count("water") for t in first)
    assert second != first


def test_kendall_tau_counts_pairs_that_are_the_other_way_round():
    one = {"a": 3.0, "b": 2.0, "c": 1.0}
    assert tau(one, one) == 1.0
    assert tau(one, {"a": 1.0, "b": 2.0, "c": 3.0}) == -1.0
    assert tau(one, {"a": 2.0, "b": 3.0, "c": 1.0}) == pytest.approx(1 / 3)
    assert tau({}, {}) == 1.0
    assert tau({"a": 1.0}, {}) == 1.0
