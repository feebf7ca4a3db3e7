"""One suite for all channels of recall: what each finds may be shown, and is found again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from math import isfinite

import pytest

from memwiki.options import RecallOptions
from memwiki.recall.channels import AnswerIndex, Channel, Scores
from memwiki.recall.conversation import ConversationChannel
from memwiki.recall.days import DaysChannel
from memwiki.recall.filters import Conditions, Matches
from memwiki.recall.graph import GraphChannel
from memwiki.recall.names import AlongNames, NamesChannel
from memwiki.recall.parse import Question, read_question
from memwiki.recall.query import term_weights
from memwiki.recall.words import WordsChannel
from memwiki.sync.reading import linked_reading

QUESTION = "why is the harbour related to tea on 2026-05-03?"
HOUSE = """
--- memwiki.toml ---
[layers]
sessions = "sessions"
--- tea.md ---
# Tea

Green tea comes from the [[harbour]].
--- harbour.md ---
# Harbour

Ships bring tea, because of [[boats]].
--- boats.md ---
# Boats

Red ones.
--- memory.md ---
# Memory

- The harbour sells tea. [created:: 2026-05-03] ^m-aaaaaa
--- sessions/s.md ---
---
type: session
---

### user ^s-0001

Where is tea sold?

### assistant ^s-0002

In the harbour, every day.
"""
CHANNELS: dict[str, Callable[[AnswerIndex, Question, Conditions], Channel]] = {
    "words": lambda index, question, conditions: WordsChannel(
        index, term_weights(question.query), conditions, limit=20
    ),
    "names": lambda index, question, conditions: NamesChannel(
        question.query._replace(text="harbour"), index.lookup, conditions
    ),
    "conversation": lambda index, *_: ConversationChannel(index.lookup),
    "talk": lambda index, question, _: ConversationChannel(index.lookup, question.text),
    "along": lambda index, _, conditions: AlongNames(index, conditions),
    "graph": lambda index, question, conditions: GraphChannel(
        index, question, RecallOptions(depth=2), conditions
    ),
    "days": lambda index, question, conditions: DaysChannel(index, question.days, conditions),
}


@pytest.fixture
def index(write_blocks, opened) -> Iterator[AnswerIndex]:
    write_blocks(HOUSE)
    ws = opened()
    with linked_reading(ws.live) as view:
        yield AnswerIndex(ws.live, view)


def found(index: AnswerIndex, name: str, hidden: frozenset[int] = frozenset()) -> Scores:
    """What a channel finds beside the words, when some pages may not be shown."""
    conditions = Conditions(unwanted=(Matches(hidden),) if hidden else ())
    question = read_question(QUESTION, date(2026, 6, 1), lambda _: False)
    before = {} if name == "words" else dict(found(index, "words", hidden))
    given = dict(before)
    channel = CHANNELS[name](index, question, conditions)
    scores = channel.find({} if name == "days" else given)
    assert given == before, "what was found is not changed"
    assert list(channel.find({} if name == "days" else given).items()) == list(scores.items())
    return scores


@pytest.mark.parametrize("name", CHANNELS)
def test_a_channel_finds_units_of_the_index_with_a_score_of_each(index, name):
    scores = found(index, name)
    assert scores
    assert set(scores) <= set(index.lookup.all_units())
    assert all(isfinite(score) and score >= 0 for score in scores.values())


@pytest.mark.parametrize("name", CHANNELS)
def test_a_channel_finds_nothing_that_may_not_be_shown(index, name):
    number = index.lookup.card("harbour.md").number
    hidden = frozenset({number, index.lookup.card("memory.md").number})
    units = {key for page in hidden for key in index.lookup.stored_keys(page)}
    assert units.isdisjoint(found(index, name, hidden))


def test_a_conversation_keeps_all_that_was_found_and_lowers_no_persons_message(index):
    words, raised = found(index, "words"), found(index, "conversation")
    assert list(raised) == list(words)
    assistants = index.lookup.units_of_type("assistant")
    assert all(raised[key] >= words[key] for key in words if key not in assistants)
