"""Whether two statements give one thing another amount, however each of them says it: a price, a
port, a version, a time."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.index.keyword.tokens import stem
from memwiki.judgement import statement_words as known
from memwiki.judgement.alignment import kin_of
from memwiki.judgement.statement import AMOUNTS, NAME, Statement, Word
from memwiki.patterns import pattern

_MIN_SHARED = 2  # words, of which none is an amount that differs
_MAX_MORE = 3  # words that one says besides
_SIGNS = pattern(r"[^\d.:-]+")
_CLOCK = pattern(r"\d+:\d+")
_GENERAL_ZH = frozenset("时间点期号份现在是的到从为有会要和与了个这那都也由")
# What an amount is of, in any words.
_GENERAL = frozenset(
    map(
        stem,
        "cost costs charge charges price priced fee pay pays need needs require requires run runs "
        "listen listens connect connects connection connections go goes come set version "
        "minimum maximum "
        "least most total number amount old new value customer people month monthly year yearly "
        "week weekly day hour dollar dollars euro euros pound pounds yuan".split(),
    )
)
_ONE = {
    stem(word): f"={words.split()[0]}"
    for words in (
        "leave leaves leaving depart departs departure",
        "fly flies flight flights",
        "arrive arrives arrival",
        "start starts begin begins",
        "end ends finish finishes",
        "database databases db",
        "repository repositories repo",
        "production prod",
    )
    for word in words.split()
}
_PLACING_ZH = tuple("在对给跟比")
_QUALIFYING = known.PLACES | frozenset("for during from to of with between without".split())


def give_other_amounts(old: Statement, new: Statement) -> bool:
    """Whether both say the same of one thing but for one amount of one kind and unit."""
    if not (old.has_amount and new.has_amount):
        return False
    if "negation" in old.marks ^ new.marks or "list" in old.marks | new.marks:
        return False
    mine, theirs = _amounts(old), _amounts(new)
    lost, won = mine.keys() - theirs.keys(), theirs.keys() - mine.keys()
    if len(lost) != 1 or len(won) != 1:
        return False
    if kin_of(old) != kin_of(new):
        return False
    one, other = mine[lost.pop()], theirs[won.pop()]
    if one.kind != other.kind or _unit(one) != _unit(other) or not _is_value(one, other):
        return False
    return _are_of_one_thing(old, new, len(mine.keys() & theirs.keys()))


def _amounts(said: Statement) -> dict[tuple[str, str], Word]:
    """The amounts of a statement by kind and figure."""
    return {(w.kind, _SIGNS.sub("", w.raw) or w.raw): w for w in said.words if w.kind in AMOUNTS}


def _is_value(one: Word, other: Word) -> bool:
    """Whether they are what is said, and no part of a name: film 12, Python 3.11, 第三章."""
    if not (one.governor + one.unit + other.governor + other.unit).isascii():
        return min(len(one.governor), len(other.governor)) > 1
    return any(
        word.governor in known.GOVERNING
        or stem(word.governor) in _GENERAL
        or not word.raw[0].isalnum()
        for word in (one, other)
    )


def _unit(word: Word) -> str:
    if not word.unit.isascii():
        return "" if _CLOCK.fullmatch(word.raw) else word.unit
    found = stem(word.unit)
    is_none = word.unit in known.NO_UNITS or word.unit in ("a", "instead_of") or found in _GENERAL
    return "" if is_none else found


def _are_of_one_thing(old: Statement, new: Statement, amounts: int) -> bool:
    """Whether all that one says of what it is about stands in the other, which says little more,
    and not where or of whom."""
    mine, theirs = dict(_content(old)), dict(_content(new))
    shared = mine.keys() & theirs.keys()
    if len(shared) + amounts < _MIN_SHARED or not shared:
        return False
    more = [said[word] for said in (mine, theirs) for word in said.keys() - shared]
    if mine.keys() != shared and theirs.keys() != shared:
        return False
    return len(more) <= _MAX_MORE and not any(map(_qualifies, more))


def _content(said: Statement) -> Iterator[tuple[str, Word]]:
    for word in said.words:
        text = _ONE.get(word.text, word.text)
        is_general = text in _GENERAL or text in _GENERAL_ZH or word.kind in (*AMOUNTS, "rate")
        if not is_general:
            yield text, word


def _qualifies(word: Word) -> bool:
    return word.kind == NAME or word.governor in _QUALIFYING or word.governor[-1:] in _PLACING_ZH
