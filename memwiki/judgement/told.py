"""What a Chinese statement tells about, and of what kinds the values are that it tells. Whether one
may tell of a change in what the other tells: both are of one subject, and have a value of a kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache

from memwiki.judgement import statement_words as known
from memwiki.judgement.concepts import IDEA
from memwiki.judgement.statement import (
    AMOUNTS,
    GAP_ZH,
    Statement,
    Word,
    chinese_words,
    unit_of,
)
from memwiki.text import pattern

_LATELY = pattern("现在|現在|目前|如今|最近")
_WHEN = pattern(
    r"^(?:每[天日周月年]|[每上下这本]?(?:周|星期|礼拜)[一二三四五六日天末\d]|[今明昨前后去][天日晚年]"
    r"|[上下这本]个?月|早上|上午|中午|下午|晚上|\d+-\d+日|\d+m[点時时]?)+"
)
# What may be told begins with one of these, or with an amount: no parts of other words.
_PREDICATE = pattern(
    r"[是在到为為叫归歸由给給没沒不從从將将把被了已]|还(?![款原])|需(?!求)|姓(?!名)|有(?!效)|用(?!户)"
    r"|(?<=.)每|(?<=.)(?<![a-z\d.:#-])\d"
    rf"|{known.ZH_MARKS['change']}|{known.ZH_ENDS.pattern}|{known.ZH_TURNED.pattern}"
)
_ASPECTS = frozenset("时间日期比例价格数量费用地点")  # of a thing: told of them, it is told of it
_VALUES = {**dict.fromkeys("在到至回", "place"), **dict.fromkeys("是为用叫姓成", "value")}
_NAMED = frozenset(("place", "value"))
_TURNING = frozenset(("change", "negation"))
_DATED = frozenset("日号月")
_TIMES = frozenset(("clock", "date", "day", "month"))


@lru_cache(maxsize=500)  # each is compared with many
def topic_of(plain: str) -> frozenset[str]:
    """The words that tell what a statement is about; none where that is not known."""
    said = _WHEN.sub("", _LATELY.sub("", plain))
    found = _PREDICATE.search(said)
    return frozenset(w.text for w in chinese_words(said[: found.start()])) if found else frozenset()


def may_be_changed(said: Statement, teller: Statement, shared: AbstractSet[str]) -> bool:
    """Whether both are of one subject, and what is told to be another one now is of a kind that
    the other one has, and not what that one is about."""
    topic = topic_of(teller.text)
    if topic and (shared.isdisjoint(topic) or _is_known(teller, topic, shared)):
        return False
    kinds = _values(teller).keys() - {"place"} if known.ZH_TURNED.search(teller.text) else ()
    return not kinds or not kinds.isdisjoint(_values(said))


def _is_known(teller: Statement, topic: AbstractSet[str], shared: AbstractSet[str]) -> bool:
    """Whether all that is told of the topic is in both."""
    rest = {word.text for word in teller.words} - topic
    return bool(rest) and rest <= shared and teller.marks & _TURNING == {"change"}


def is_told_anew(said: Statement, teller: Statement) -> bool:
    """Whether a thing that one tells about is told by the other to be of another value now, of a
    kind of which the first one has a value."""
    turn = known.ZH_TURNED.search(teller.text)
    if not turn or "earlier" in said.marks or said.is_of_other or teller.is_of_other:
        return False
    topic = topic_of(teller.text) - _ASPECTS
    if not topic or not topic <= {word.text for word in said.words}:
        return False
    told, known_as = _values(teller, turn.end()), _values(said)
    is_about = topic <= topic_of(said.text)  # or speaks of it, and is about another one
    return any(
        told[kind].isdisjoint(known_as[kind])
        for kind in told.keys() & known_as.keys()
        if is_about or (teller.is_main and kind not in _NAMED)
    )


def have_one_kind(one: Statement, other: Statement) -> bool:
    """Whether what both say of a thing is of one kind: an amount, a product, a place."""
    return not _values(one).keys().isdisjoint(_values(other))


def _values(said: Statement, start: int = 0) -> dict[str, set[str]]:
    """By their kind the values that are told, from a place in it on."""
    topic, found = topic_of(said.text), dict[str, set[str]]()
    text = said.text[start:]
    for word in said.words:
        if not start or word.raw in text:
            for kind in _kinds_of(word, topic):
                found.setdefault(kind, set()).add(word.raw)
    return found


def _kinds_of(word: Word, topic: AbstractSet[str]) -> Iterator[str]:
    is_told = word.text not in topic
    if word.kind in _TIMES or word.unit in _DATED:
        if is_told:
            yield "date" if word.unit in _DATED else word.kind
        return
    if kind := _VALUES.get(word.governor[-1:]):
        yield kind
    if word.kind in AMOUNTS and is_told:
        yield unit_of(word).strip(GAP_ZH)
    elif word.text.isascii() and word.text[0] != IDEA and is_told:
        yield "value"
