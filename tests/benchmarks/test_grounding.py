"""What the benchmark of evidence makes of a conversation, and the pairs that come with it."""

from __future__ import annotations

import json
import lzma
import random
from collections import Counter

import grounding
import pytest

LABELS = {"supported": 75} | dict.fromkeys(
    ("wrong citation", "number", "name", "denial", "speaker"), 25
)


def row(session, speakers, words):
    lines = [
        {"speaker": speakers[at % 2], "text": f"I was at the {word} and it is fun"}
        for at, word in enumerate(words)
    ]
    facts = [
        {
            "about": speakers[at % 2],
            "text": f"{speakers[at % 2]} is at the {word}.",
            "lines": [at + 1],
        }
        for at, word in enumerate(words)
    ]
    return {"session": session, "date": "2026-03-05", "lines": lines, "facts": facts}


@pytest.fixture
def dev(tmp_path):
    rows = [
        row("one/1", ("Ruth", "Omar"), ("harbour", "bakery", "station", "library", "museum")),
        row("two/1", ("Dora", "Emil"), ("mountain", "glacier", "village", "chapel", "meadow")),
    ]
    path = tmp_path / "dev.jsonl.xz"
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join(map(json.dumps, rows)))
    return path


def test_negatives_are_what_their_name_says(dev):
    talks = grounding.talks_in(dev)
    found = list(grounding.negatives(talks))
    true = {claim.text: claim for talk in talks for claim in talk.claims}
    assert Counter(kind for kind, _ in found)["another conversation"] == 10
    for kind, claim in found:
        if kind == "another line of the session":
            assert abs(claim.cited[0] - true[claim.text].cited[0]) >= 3
        elif kind == "another conversation":
            assert claim.text.startswith(claim.subject)
            assert claim.source.lines[claim.cited[0] - 1].speaker == claim.subject
        else:
            assert claim.text not in true, kind
            assert claim.source in [talk.source for talk in talks]


def test_negatives_are_the_same_in_every_run(dev):
    talks = grounding.talks_in(dev)
    assert list(grounding.negatives(talks)) == list(grounding.negatives(talks))


def test_the_other_speaker_is_told_of_both():
    talk = grounding.talk_of(row("one/1", ("Ruth", "Omar"), ("harbour",)))
    claim = talk.claims[0]._replace(text="Ruth is with Omar.")
    moved = grounding.of_other(claim, ["Omar", "Ruth"], ["Ruth", "Omar"])
    assert (moved.text, moved.subject) == ("Omar is with Ruth.", "Omar")


def test_an_added_name_may_be_the_first_word(dev):
    claim = grounding.talks_in(dev)[0].claims[0]
    firsts = {grounding.with_name(claim, random.Random(seed)).text.split()[0] for seed in range(30)}
    assert {"Ruth", "At"} < firsts


def test_the_table_is_printed(dev, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["grounding.py", str(dev)])
    grounding.main()
    printed = capsys.readouterr().out
    assert "| true facts set aside | at most 7% | 0.0% | 10 |" in printed
    assert "| the other speaker | at least 97% | 100.0% | 10 |" in printed
    assert "| other half, 30% |" in printed


def test_an_answer_is_told_of_its_subject_by_its_words(dev, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["grounding.py", str(dev), "--answers"])
    grounding.main()
    printed = capsys.readouterr().out
    assert "| true facts set aside | at most 7% | 0.0% | 10 |" in printed
    assert "| the other speaker | at least 97% | 100.0% | 10 |" in printed


def test_what_is_judged_wrongly_is_listed(dev, capsys):
    grounding.show(grounding.talks_in(dev), "the other speaker")
    assert capsys.readouterr().out == ""


def test_there_are_200_labelled_pairs_in_halves_that_share_no_conversation():
    halves = [grounding.labelled(grounding.half(first)) for first in (0, 1)]
    assert Counter(label for half in halves for label, _ in half) == LABELS
    sources = [{str(claim.source) for _, claim in half} for half in halves]
    assert sources[0].isdisjoint(sources[1])
    for half in halves:
        for label, claim in half:
            lines = claim.source.lines
            assert all(1 <= number <= len(lines) for number in claim.cited)
            speakers = {lines[number - 1].speaker for number in claim.cited}
            assert (claim.subject in speakers) == (label != "speaker")


def test_the_threshold_for_chinese_is_the_highest_that_sets_the_fewest_aside():
    def set_aside(share):
        return grounding.count_labelled(grounding.labelled(grounding.half(0)), share)["supported"][
            True
        ]

    fewest = min(map(set_aside, grounding._SHARES))
    as_few = [share for share in grounding._SHARES if set_aside(share) == fewest]
    assert max(as_few) == grounding._CHINESE_LEAST
