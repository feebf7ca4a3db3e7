"""The fusion of scores: what each says of a passage, from 0 to 1 and absolute, and their mean."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping, Set
from functools import lru_cache
from math import exp, inf, log1p
from sys import byteorder
from typing import TypeAlias

from memwiki.facts.value import (
    category_of,
    days_since,
    entry_subject,
    known_importance,
    mean_score,
    status_of,
    usage_table,
    value_of,
)
from memwiki.files.usage_log import Subject, Sum
from memwiki.index.cards.lookup import Card
from memwiki.index.keyword.tokens import query_terms
from memwiki.index.units import UnitKey
from memwiki.markdown.outline import Outline
from memwiki.markdown.units import entry_at
from memwiki.names import bare_letters, fold, slug
from memwiki.nouns import STAGED
from memwiki.numbers import named_number
from memwiki.options import RecallOptions, Strategy
from memwiki.recall.channels import AnswerIndex, Passage, RankedUnit
from memwiki.recall.conversation import is_named
from memwiki.recall.days import DaysChannel
from memwiki.recall.filters import is_session_named
from memwiki.recall.memories import IN_OTHER_WORDS
from memwiki.recall.names import NAMING
from memwiki.recall.parse import Question
from memwiki.recall.phrases import words_of
from memwiki.recall.query import is_asking
from memwiki.records import NamedTuple
from memwiki.text import WORD, is_cjk, pattern, simplified
from memwiki.times.days import has_days

# What each strategy weighs. `hybrid` was measured: decisions 76 and 80.
WEIGHTS: Mapping[Strategy, Mapping[str, float]] = {
    Strategy.HYBRID: {"text": 0.64, "overlap": 0.16, "graph": 0.2},
    Strategy.TEXT: {"text": 1.0},
    Strategy.OVERLAP: {"overlap": 1.0},
    Strategy.GRAPH: {"graph": 1.0},
    Strategy.TEMPORAL: {"text": 0.5, "time": 0.5},
    Strategy.REFERENCE: {"text": 0.5, "reference": 0.5},
    Strategy.PAGES: {"overlap": 0.5, "graph": 0.2, "time": 0.1, "reference": 0.2},
    Strategy.MEMORIES: {"text": 0.4, "importance": 0.2, "graph": 0.2, "time": 0.1, "usage": 0.1},
    Strategy.PROFILE: {"text": 0.6, "recalled": 0.2, "importance": 0.2},
}
NAMES = ("text", "overlap", "graph", "time", "reference", "importance", "usage", "recalled")
Grams: TypeAlias = frozenset[int]

_BESIDE = 0.25  # at least, of what days tell of a memory that says something else
_ON_THE_DAY = 1.5  # times the total of what was written in the days that a question names
_DAY_WORDS = 1  # of a question that its days are worth by themselves
_TITLED = 0.05  # for a page whose whole title of two words or more stands in the question
_CALLED = 1.0  # for a page whose name is the question: it comes first
_OWN, _THEIRS = 0.6, 0.4  # of a page that a good hit names: of its own total and of the hit's
_WHEN = 1.3  # times the total of what names a time, where the question asks when
_ASKING = 0.8  # times that of a message which only asks, of a speaker whom the question names
_STANDING = 0.1  # for a standing instruction whose occasion shares a word
_MIN_CJK_TITLE = 4  # characters: two words
# What somebody wants done each time that something comes up.
STANDING = pattern(
    r"\b(?:when(?:ever)?|if|every time|each time|any ?time) (?:I|we|the user) (?:ever )?"
    r"(?:asks?|mentions?|talks?|says?|requests?|inquires?|wants? to know)\b"
    r"|(?:每次|每当|每當|当|當|如果|只要|凡是)[^。，,]{0,4}(?:我|用户|用戶)[^。，,]{0,4}(?:问|問|提|说|說|聊)",
    re.IGNORECASE,
)
_PROPERTIES = pattern(r"^[ \t]*(?:[-*+][ \t]+)?[\w-]+::.*$", re.MULTILINE)
_STATE = pattern(
    r"^[ \t]*(?:[-*+][ \t]+)?(?:tags?|alias(?:es)?|id|collapsed|type|title)::.*$",
    re.MULTILINE,
)
_CLAUSE_END = pattern(r"[,，。；;.!\n](?!\w)|，|。")
_QUESTION_MARKS = ("?", "？")
_BODY = 0.4  # of the overlap; title and description count whole: decision 23
_GRAM, _CJK_GRAM = 3, 2  # characters; a Chinese word has two
_PACK = 4  # UTF-16 units that a number holds
_UTF16 = f"utf-16-{'le' if byteorder == 'little' else 'be'}"
_MAX_CHARACTERS = 800  # characters of a body that are compared, or read for times
_RECALL_DAYS = 30.0
# A memory or a message says at once what a page may have scattered over 1,500 characters; and
# what somebody asks of us is in memories.
_SAID_AT_ONCE, _SAID_OF_US = 1.5, 2.0
_NO_ANSWER = 0.5  # times the total of a page that holds no longer, or has a name and no text
_LOW_TRUST = 0.8  # what is staged or of uncertain origin ranks a little lower
_PREFERRED = 1.25  # with a session its own messages and memories rank as much higher
_UNSURE = frozenset({"web", "tool"})  # origins: nobody of ours said it


class ScoredPassage(NamedTuple):
    """A passage with its scores, their weighted mean, and how many others say the same."""

    passage: Passage
    scores: Mapping[str, float]
    total: float
    reason: str
    trust: Trust
    is_older: bool = False  # than another hit that says otherwise

    def lifted(self, named_by: float) -> ScoredPassage:
        """The same where something that was found, with this total, names its page."""
        return self._replace(total=max(self.total, _OWN * self.total + _THEIRS * named_by))


class Fusion:
    """Scores the passages of one answer."""

    def __init__(
        self,
        index: AnswerIndex,
        question: Question,
        options: RecallOptions,
        days: DaysChannel,
        weights: Mapping[str, float],
        superseded: Set[int],  # pages
    ) -> None:
        self._index, self._question, self._options, self._days = index, question, options, days
        self._weights, self._superseded = weights, superseded
        more = _SAID_OF_US if question.is_of_us else _SAID_AT_ONCE
        self._at_once = more if len(weights) > 1 else 1.0  # one score alone stays alone
        self._asked = slug(bare_letters(question.text))
        beside = telling_terms(question.beside_days)
        self._about = frozenset(beside)
        self._day_share = _DAY_WORDS / (_DAY_WORDS + len(beside))
        needs_usage = options.explain or not {"usage", "recalled"}.isdisjoint(weights)
        self.trust = TrustReader(index, needs_usage=needs_usage)

    def scored(
        self,
        rows: Iterable[RankedUnit],
        passages: Mapping[UnitKey, Passage],
        around: Mapping[bytes, float],
    ) -> list[ScoredPassage]:
        """Units by their text scores, with those that the graph gives hits, if they are there."""
        references: Mapping[str, int] = {}
        if self._wants("reference"):
            paths = {each.card.path for each in passages.values()}
            references = self._index.graph.reference_counts(paths)
        found = []
        for row in rows:
            passage = passages.get(row.key)
            if passage:
                graph = around.get(row.key.hit, 0.0)
                found.append(self._one(passage, row, graph, references.get(passage.card.path, 0)))
        return found

    def most_unread(self, card: Card | None) -> float:
        """What a unit that has no word of the question gets at most, whatever its text says; of a
        block its page is known. Times, days, sessions and phrases are not asked for."""
        if card is None:
            named, titled = 0.0, 0.0
        else:
            named = overlap(self._question.text, card.title, card.description, "")
            titled = _TITLED * titled_share(card.title, self._asked)
        total = weighted({"overlap": min(named + _BODY, 1.0)}, self._weights)
        total *= _WHEN if self._question.is_temporal else 1
        return total * self._at_once + titled

    def _wants(self, name: str) -> bool:
        return self._options.explain or name in self._weights

    def _one(
        self, passage: Passage, row: RankedUnit, graph: float, references: int
    ) -> ScoredPassage:
        trust = self.trust.of(passage)
        # What holds a quoted phrase is half way to 1.
        text = (1 + row.score) / 2 if self._has_phrases(passage) else row.score
        found = {"text": text, "graph": graph}
        if self._wants("overlap"):
            card, is_block = passage.card, passage.key.is_block
            title, description = (card.title, card.description) if is_block else ("", "")
            found["overlap"] = overlap(self._question.text, title, description, passage.body)
        names_one = self._days.are_named_in(passage)
        if self._wants("time") or self._days.is_asked:
            found["time"] = 1.0 if names_one else by_age(self._days.distance(passage.date))
        if self._wants("reference"):
            found["reference"] = by_references(references)
        found["importance"] = trust.importance
        found["usage"] = by_usage(trust.value)
        if "recalled" in self._weights:
            found["recalled"] = by_last_recall(trust.last_recall_days)
        total = weighted(found, self._weights) * (_LOW_TRUST if trust.is_low else 1)
        total = self._of_days(total, passage, found, self._days.weight(names_one=names_one))
        total = total * self._as_answer(passage) + self._bonus(passage, row)
        if self._is_to_the_point(passage, trust):
            total *= self._at_once if row.reason != IN_OTHER_WORDS else (1 + self._at_once) / 2
        if self._is_no_answer(passage):
            total *= _NO_ANSWER
        session = self._options.session
        if session and (passage.is_entry or is_session_named(passage.card.path, session)):
            total *= _PREFERRED
        return ScoredPassage(passage, found, total, row.reason, trust)

    def _of_days(
        self, total: float, passage: Passage, scores: Mapping[str, float], told: float
    ) -> float:
        """With days that the question names: more for what was written in them or nearly, or names
        them, and something for it whatever it says, the less the more words were asked."""
        if not self._days.is_asked:
            return total
        near = scores["time"]
        if self._about and "created" in passage.fields:  # it may hold since long before
            said = self._about.intersection(telling_terms(passage.said))
            told *= max(len(said) / len(self._about), _BESIDE)
        return total * (1 + (_ON_THE_DAY - 1) * near) + self._day_share * told * near

    def _as_answer(self, passage: Passage) -> float:
        """How much more or less of an answer a text is than others about the same: a time says
        when, and a question of somebody says little about who asked it."""
        question, said = self._question, passage.said
        is_timed = question.is_temporal and has_days(said[:_MAX_CHARACTERS], self._index.today)
        asks = said.rstrip().endswith(_QUESTION_MARKS)
        is_asking = asks and is_named(passage.location.fields.get("name", ""), question.text)
        return (_WHEN if is_timed else 1) * (_ASKING if is_asking else 1)

    def _is_to_the_point(self, passage: Passage, trust: Trust) -> bool:
        """Whether it says at once what was asked: somebody of ours in a memory or a message, or a
        page that is called so."""
        if passage.key.is_block:
            return self._about == {*telling_terms(passage.card.title)}
        return not trust.is_low

    def _bonus(self, passage: Passage, row: RankedUnit) -> float:
        """What counts whatever the rest of the text says."""
        if passage.key.is_block:
            if row.reason in NAMING:
                return _CALLED
            return _TITLED * titled_share(passage.card.title, self._asked)
        return _STANDING if row.score and self._is_occasion(passage.body) else 0.0

    def _is_no_answer(self, passage: Passage) -> bool:
        """Whether a page is superseded, or has no text and no property that says what was asked."""
        if not passage.key.is_block or passage.key.page in self._superseded:
            return passage.key.is_block
        text = passage.body
        return says_nothing(text) and self._about.isdisjoint(telling_terms(_STATE.sub("", text)))

    def _is_occasion(self, text: str) -> bool:
        """Whether what comes up in the question is what an instruction stands for."""
        when = STANDING.search(text)
        occasion = _CLAUSE_END.split(text[when.end() :], maxsplit=1)[0] if when else ""
        return not self._about.isdisjoint(telling_terms(occasion))

    def _has_phrases(self, passage: Passage) -> bool:
        """Whether it holds all that was quoted: whole words, but any part of a CJK run."""
        if not self._question.phrases:
            return False
        text = words_of(passage.text)
        phrases = map(words_of, self._question.phrases)
        return all((each.strip() if is_cjk(each) else each) in text for each in phrases)


def says_nothing(text: str) -> bool:
    """Whether nothing but properties and empty list items stands in a text, as in pages that a
    click on a link made."""
    if len(text) > _MAX_CHARACTERS:
        return False
    return not WORD.search(_PROPERTIES.sub("", text) if "::" in text else text)


def telling_terms(text: str) -> list[str]:
    """The terms of a text without those that a question is asked with."""
    return [term for term in query_terms(text) if not is_asking(term)]


def titled_share(title: str, asked: str) -> float:
    """How much of a question, given as a slug, is a whole title of two words or more in it."""
    name = slug(bare_letters(title))
    if is_cjk(name):
        is_in = len(name) >= _MIN_CJK_TITLE and name in asked
    else:
        is_in = "-" in name and f"-{name}-" in f"-{asked}-"
    return len(name) / len(asked) if is_in else 0.0


def overlap(question: str, title: str, description: str, body: str) -> float:
    """The n-gram Dice of the question as asked with the title, the description and the body,
    together: a page whose title and body both answer says more than one of them.

    Source: Dice, "Measures of the Amount of Ecologic Association Between Species", 1945.
    """
    size = _CJK_GRAM if is_cjk(question) else _GRAM
    wanted = _grams_of_question(question, size)
    named = sum(dice(wanted, _grams(text, size)) for text in (title, description) if text)
    return min(named + _BODY * dice(wanted, _grams(body, size)), 1.0)


def dice(one: Grams, other: Grams) -> float:
    """Twice what both hold, of what they hold together."""
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def _grams(text: str, size: int) -> Grams:
    """Every so many UTF-16 units that follow each other, packed into a number, which takes half
    the time of tuples (2026-11-22); of less text all of it."""
    words = " ".join(WORD.findall(simplified(text[:_MAX_CHARACTERS]).casefold()))
    units = array("H", words.encode(_UTF16, "surrogatepass"))
    count = len(units) - size + 1
    if count < 1:
        return frozenset([int.from_bytes(units.tobytes(), "big")] if units else ())
    packed = array("H", bytes(_PACK * units.itemsize * count))
    for i in range(size):
        packed[i::_PACK] = units[i : i + count]
    return frozenset(memoryview(packed).cast("B").cast("Q"))


_grams_of_question = lru_cache(maxsize=8)(_grams)


def by_age(days: float) -> float:
    """1 / (1 + days), also to a time that the question names; a time to come is today."""
    return 1 / (1 + max(days, 0.0))


def by_last_recall(days: float) -> float:
    """exp(-days since the last recall / 30)."""
    return exp(-max(days, 0.0) / _RECALL_DAYS) if days < inf else 0.0


def by_references(count: int) -> float:
    """The more links refer to it, the nearer to 1: half at between one and two."""
    return log1p(count) / (1 + log1p(count))


def by_usage(value: float) -> float:
    """The value of a memory, which has no bound, as a share."""
    return value / (1 + value) if value > 0 else 0.0


def weighted(scores: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The weighted mean."""
    total = sum(weights.values())
    return sum(weights[name] * scores.get(name, 0.0) for name in weights) / total if total else 0.0


def with_links(weights: Mapping[str, float]) -> Mapping[str, float]:
    """The weights for a question about causes or relations: the graph, if it has a weight, has as
    much as all others together."""
    if "graph" not in weights:
        return weights
    others = sum(weight for name, weight in weights.items() if name != "graph")
    return {**weights, "graph": max(others, weights["graph"])}


def weights_of(strategy: Strategy | str, written: Iterable[str]) -> Mapping[str, float]:
    """What a strategy weighs; `hybrid` as the settings say it, where they do."""
    own = filter(None, map(named_number, written)) if strategy is Strategy.HYBRID else ()
    found = {name: weight for name, weight in own if name in NAMES and weight > 0}
    return found or WEIGHTS[Strategy(strategy)]


def weights_for(question: Question, weights: Mapping[str, float]) -> Mapping[str, float]:
    """The same for one question: the graph has as much as all else where it asks for that; one
    score alone stays alone."""
    return with_links(weights) if question.is_deep else weights


class Trust(NamedTuple):
    """The same for one passage; what is no memory has the defaults."""

    importance: float = 0.5  # 0 to 1
    value: float = 0.0  # by use, without a bound
    last_recall_days: float = inf
    is_superseded: bool = False
    is_low: bool = False  # staged, or nobody of ours said it


class TrustReader:
    """Works it out for the passages of one answer; usage is read only where it is needed."""

    def __init__(self, index: AnswerIndex, *, needs_usage: bool) -> None:
        self._index, self._pages = index, dict[str, Outline]()
        self._table = usage_table(index.stores, index.context) if needs_usage else None

    def of(self, passage: Passage) -> Trust:
        """What is known of a passage."""
        if not passage.is_entry:
            return Trust()
        context, fields, path = self._index.context, passage.fields, passage.card.path
        used = self._table.of(self._subject(passage)) if self._table else Sum()
        category = category_of(path, context.layers, passage.card.type)
        words, weights = context.config.memory.boost_words, context.config.memory.value_weights
        days = days_since(used, fields.get("created", ""), path, context.clock())
        status = status_of(fields, is_struck=False)
        return Trust(
            importance=known_importance(passage.body, fields, category, words),
            value=value_of(used.recalls, mean_score(used), days, weights),
            last_recall_days=days if used.recalls else inf,
            is_superseded=status == "superseded",
            is_low=status == STAGED or fold(fields.get("origin", "")) in _UNSURE,
        )

    def _subject(self, passage: Passage) -> Subject:
        """An entry as usage knows it: without an id by the text that its file has now."""
        card, location = passage.card, passage.location
        if location.id:
            return entry_subject(location.id, "")
        if card.path not in self._pages:
            text = self._index.texts[card].text
            self._pages[card.path] = Outline(self._index.context.layers, card.path, text)
        entry = entry_at(self._pages[card.path], location.line_start)
        return entry_subject("", entry.text if entry else passage.body)
