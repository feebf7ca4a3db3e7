"""Whether two statements exclude each other in whatever order and words they say it: one denies
what the other says, or both say the same of one thing but for one value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from memwiki.index.keyword.tokens import stem
from memwiki.judgement import statement_words as known
from memwiki.judgement.alignment import is_of_one_person, is_of_root, kin_of
from memwiki.judgement.concepts import (
    CLASSES,
    IDEA,
    LIGHT,
    OF_NAMES,
    QUALITIES,
    REGIONS,
    RELATIONS,
    ROLES,
    SAYING,
    UNITS,
    VALUED,
    ZH_REGIONS,
)
from memwiki.judgement.lexicon import in_base, number_of
from memwiki.judgement.matter import are_led_by, tells_which
from memwiki.judgement.statement import AMOUNTS, NAME, Statement, Word, unit_of
from memwiki.judgement.told import topic_of
from memwiki.text import pattern

Content: TypeAlias = Mapping[str, Word]

_SIGNS = pattern(r"[^\d.:-]+")
_CLOCK = pattern(r"\d+:\d+")
_MAX_MORE = 3  # words that one says besides
_MAX_VALUE, _MAX_VALUE_ZH = 3, 6  # words, characters
_MIN_DENIED, _MIN_DENIED_ZH = 2, 3
_ENDS = frozenset(("=begin", "=finish", "=leave", "=arrive"))
_PERIODS = frozenset(("=second", "=minute", "=hour", "=day", "=week", "=month", "=year"))
_TIMES = frozenset(("clock", "date", "day", "month"))
_CURRENCIES = {"$": "=dollar", "€": "=euro", "£": "pound", "¥": "yuan"}
_MEASURES = frozenset(("=second", "=megabyte", "=yuan", "=dollar", "=euro"))
_NO_UNITS = frozenset(("a", "instead_of", "last", "this", "every"))
_MANY = known.LIKES | frozenset("support learn studi visit accept offer avail includ".split())
_LARGE = pattern("[万亿]")
_MINE = pattern(r"\b(?:my|our)\b|我")
_BACK = frozenset(("back", "return", "returning", "回", "返"))
_HAS = pattern(r"\b(?:has|have|owns?) (?!\w+ed\b|been\b|an? new\b)")
_ROOT = 6  # letters, by which words of one root begin alike
_MODAL = "allowed"
_BEING = pattern(r"\b(?:is|are|was|were|prefers?)\b|[是在要开]|=")
_ABLE = pattern(r"\b(?:can|could)\b")
_ALWAYS = pattern(r"\bnever\b|从来|从未|从不")
_PLACING_ZH = tuple("在对给跟比")
_QUALIFYING = known.PLACES | frozenset("for during from to of with between without".split())


def exclude(one: Statement, other: Statement) -> bool:
    """Whether both can hardly hold at one time, where they may meet."""
    is_denial = _is_negative(one) != _is_negative(other)
    # The lines of which both say that it is and is not.
    turned = {
        line
        for line in _common(one, other)
        if _sign(one, line) != _sign(other, line)
        and not (_is_of_subject(one, line) and _is_of_subject(other, line))
    }
    if turned or is_denial:
        return (bool(turned) or not _common(one, other)) and _are_opposed(one, other, turned)
    return _may_differ(one, other) and _give_other_values(one, other)


# --- what one denies ---


def _is_negative(said: Statement) -> bool:
    return ("negation" in said.marks) != (said.signs.get(_MODAL, (1, ""))[0] < 0)


def _common(one: Statement, other: Statement) -> set[str]:
    return {line for line in one.signs.keys() & other.signs.keys() if line != _MODAL}


def _is_of_subject(said: Statement, line: str) -> bool:
    """Whether it tells which ones are meant: short answers are fine, long ones are not."""
    words, word = said.text.split(), said.signs[line][1].split("_")[0]
    return said.verb in words and word in words and words.index(word) < words.index(said.verb)


def _sign(said: Statement, line: str) -> int:
    return said.signs[line][0] * (-1 if "negation" in said.marks else 1)


def _are_opposed(one: Statement, other: Statement, turned: set[str]) -> bool:
    """Whether one denies what the other says: all it speaks of stands in the other."""
    line = min(turned, default="")
    is_of_sides = line and one.signs[line][0] != other.signs[line][0]
    is_first = _sign(one, line) < 0 if is_of_sides else _is_negative(one)
    denial, said = (one, other) if is_first else (other, one)
    if not _are_of_one_time(denial, said, line) or _kin(one, line) != _kin(other, line):
        return False
    denied, stated = _content(denial, line), _content(said, line)
    if line and _is_open_to_both(denied, said):
        return False
    if denied.keys() == stated.keys():
        return bool(denied or one.subject & other.subject) or is_of_one_person(one, other)
    shared = {text for text in denied if _stands_in(text, stated)}
    is_permitted = not line and _MODAL in said.signs
    if line and not shared:
        return False
    is_all = len(shared) == len(denied) or (
        is_permitted and all(_stands_in(text, denied) for text in stated)
    )
    return is_all and _is_enough(denial, said, shared, next(iter(stated), ""), line)


def _is_open_to_both(denied: Content, said: Statement) -> bool:
    """Whether a thing may be both: it opens at nine and closes at six, is off and can be on."""
    return any(word.kind == "clock" for word in denied.values()) or (
        _ABLE.search(said.text) is not None
    )


def _are_of_one_time(denial: Statement, said: Statement, line: str) -> bool:
    is_state = line and line not in QUALITIES  # what was closed last night is closed
    if _ALWAYS.search(denial.text) or (is_state and denial.times and denial.text[:5] != "last "):
        return True
    return denial.years == said.years and "earlier" not in denial.marks ^ said.marks


def _kin(said: Statement, line: str) -> frozenset[str]:
    return kin_of(said, said.signs[line][1]) if line else said.kin


def _is_enough(denial: Statement, said: Statement, shared: set[str], first: str, line: str) -> bool:
    """Whether so much is denied that the other says it of the same thing."""
    if denial.person != said.person and "user" in (denial.person, said.person):
        return False
    is_one_person = is_of_one_person(denial, said)
    count = len(shared) + 2 * is_one_person
    if denial.is_chinese:
        if not (line or is_one_person or shared - topic_of(denial.text)):
            return False
        count += sum(text.isascii() for text in shared)
        return count >= (_MIN_DENIED if line else _MIN_DENIED_ZH)
    if not (line or shared - denial.subject):
        return False  # all it tells is what it is about
    if not line and count < _MIN_DENIED:
        return "change" in denial.marks and not shared.isdisjoint(said.names)
    return (
        is_one_person
        or bool(denial.subject & said.subject)
        or any(first == text or is_of_root(first, text) for text in shared)
    )


def _stands_in(text: str, content: Iterable[str]) -> bool:
    if text in content or " " in text:
        return text in content
    return any(text[:_ROOT] == other[:_ROOT] and is_of_root(text, other) for other in content)


def _content(said: Statement, line: str = "") -> dict[str, Word]:
    """The words that tell what it is about, without those that say which side of a line it is, by
    whom, or when it came to be."""
    signs = [word for each, (_, word) in said.signs.items() if line or each == _MODAL]
    if said.is_chinese:
        signs.extend(_ALWAYS.findall(said.text))
    without = {*signs, *" ".join(said.times).split()}
    return {
        text: word
        for text, word in _numbered(said)
        if word.text not in LIGHT
        and word.raw not in without
        and not (line and word.raw in known.WISHES)
        and not (line and word.governor == "by")
        and not (said.is_chinese and any(word.raw in each for each in signs))
    }


def _numbered(said: Statement) -> Iterator[tuple[str, Word]]:
    """The words, amounts by kind and figure; a Chinese character that comes again is another one:
    李敏对花生过敏."""
    met: set[str] = set()
    for word in said.words:
        text = f"{word.kind} {_figure(word)}" if word.kind in AMOUNTS else word.text
        yield f"{text}²" if text in met and said.is_chinese else text, word
        met.add(text)


# --- another value ---


def _may_differ(one: Statement, other: Statement) -> bool:
    marks = one.marks | other.marks
    if not (one.is_main and other.is_main) and "change" not in marks:
        return False
    if one.years != other.years or "addition" in marks or "list" in marks:
        return False
    apart = one.marks ^ other.marks
    if not apart.isdisjoint(("earlier", "done")) or "event" in one.marks & other.marks:
        return False
    if one.kin != other.kin or (one.times and other.times and one.times != other.times):
        return False
    if one.has_class and other.has_class:
        return True
    return (one.has_amount and other.has_amount) or not one.relations.isdisjoint(other.relations)


def _give_other_values(one: Statement, other: Statement) -> bool:
    """Whether both say the same of one thing but for one value."""
    mine, theirs = _valued(one), _valued(other)
    shared = mine.keys() & theirs.keys()
    lost = {text: word for text, word in mine.items() if text not in shared}
    won = {text: word for text, word in theirs.items() if text not in shared}
    if not (lost and won) or not shared:
        return False
    relations = one.relations & other.relations & VALUED
    return _is_other_amount(one, other, shared, lost, won) or (
        bool(relations) and _is_other_name(one, other, relations, shared, lost, won)
    )


def _valued(said: Statement) -> dict[str, Word]:
    lately = " ".join(said.times).split()
    return {
        text: word
        for text, word in _numbered(said)
        if (word.kind in AMOUNTS or word.text not in LIGHT) and word.raw not in lately
    }


def _figure(word: Word) -> str:
    return in_base(_count(word), unit_of(word))[0]


def _count(word: Word) -> str:
    if not word.raw.isascii():
        return word.raw if _LARGE.search(word.raw) else str(number_of(word.raw))
    return _SIGNS.sub("", word.raw) or _NUMBERS.get(word.raw, word.raw.removesuffix("s"))


_NUMBERED = (
    "one first single|two second double|three third|four fourth|five fifth|six sixth|"
    "seven seventh|eight eighth|nine ninth|ten tenth|eleven eleventh|twelve twelfth"
)
_NUMBERS = {
    word: str(number)
    for number, words in enumerate(_NUMBERED.split("|"), start=1)
    for word in words.split()
}


def _is_other_amount(
    one: Statement, other: Statement, shared: set[str], lost: Content, won: Content
) -> bool:
    """Whether all that differs is one amount of one kind and unit, or one of a class."""
    mine, theirs = _amounts(lost), _amounts(won)
    if len(mine) != 1 or len(theirs) != 1:
        return False
    (first,), (last,) = mine, theirs
    is_of_kind = class_of(first) == class_of(last) and _have_one_unit(first, last)
    # 99 yuan and version 2.4
    is_number_of = _unit(first) != _unit(last) and "=version" in one.relations ^ other.relations
    if is_of_root(first.raw, last.raw) or is_number_of:  # 1.29 and 1.29.4
        return False
    has_periods = _have_periods(lost, first) and _have_periods(won, last)  # a month, a year
    if not is_of_kind or has_periods or not _say_no_more(one, other, lost, won, (first, last)):
        return False
    said = ([w for w in words.values() if w.text not in UNITS] for words in (lost, won))
    is_same_frame = 1 in map(len, said)
    least = 1 if is_same_frame else _MIN_DENIED - is_of_one_person(one, other)
    if (
        len(shared) < least
        or all(" " in text for text in shared)
        or _are_of_two(one, other, shared, (first, last))
    ):
        return False
    if first.kind not in AMOUNTS:
        is_at_hours = are_at_other_hours(one, other, first, last)
        return not (is_at_hours or _is_beside(one, other, first, last))
    return _is_value(first, last, one, other) or (
        is_same_frame and _is_said_of(first, one) and _is_said_of(last, other)
    )


def _is_beside(one: Statement, other: Statement, first: Word, last: Word) -> bool:
    """Whether each may be so: of two things, as the left and the right door, or of many."""
    if tells_which(first, one) and tells_which(last, other):
        return True
    return _takes_many(one, first) or _takes_many(other, last)


def are_at_other_hours(one: Statement, other: Statement, first: Word, last: Word) -> bool:
    """Whether both tell what is done, which may be done at two times of a day."""
    if {class_of(first), class_of(last)} != {"part"} or "change" in one.marks | other.marks:
        return False
    return not any(_BEING.search(said.text) for said in (one, other))


def _are_of_two(
    one: Statement, other: Statement, shared: set[str], values: tuple[Word, ...]
) -> bool:
    """Whether each is of something that the other does not speak of at all: Emma is 12, and Emma
    wears size 28."""
    is_count = all(word.kind == "number" for word in values)
    if is_count and one.subject == shared == other.subject and not _are_governed(values):
        return True
    rates = [
        {word.text for word in said.words if word.kind == "rate"} & said.subject
        for said in (one, other)
    ]
    if all(rates) and rates[0] != rates[1]:
        return True  # the daily fee, the weekly fee
    mine, theirs = ({word.text for word in said.words} for said in (one, other))
    apart = one.subject.isdisjoint(theirs | other.subject) and other.subject.isdisjoint(mine)
    named = any if "user" in (one.person, other.person) else all  # we track bugs: no requests
    return apart and named((one.subject, other.subject))


def _is_said_of(value: Word, said: Statement) -> bool:
    """Whether it is what is said of the subject: not of Room 101, nor which film was seen."""
    if value.governor.endswith("第"):
        return False
    at = said.words.index(value)
    if value.kind in _TIMES or _unit(value) or said.is_chinese:
        return at > 0 or said.person != ""
    named = value
    while at and (named is value or named.kind == NAME):
        at -= 1
        named = said.words[at]
        if _may_govern(named.governor):
            return True
    return False


def _are_governed(values: Iterable[Word]) -> bool:
    return all(_may_govern(word.governor) for word in values)


def _may_govern(word: str) -> bool:
    return (
        word in known.GOVERNING
        or word in RELATIONS
        or stem(word) in LIGHT
        or stem(word) in known.CHOSEN
    )


def _takes_many(said: Statement, value: Word) -> bool:
    """Whether it is one of several: somebody speaks, likes, supports it."""
    if said.is_chinese:
        if class_of(value) == "language" and value.governor.endswith("写"):
            return False
        return "去过" in said.text or known.ZH_MANY.search(value.governor) is not None
    if value.is_one or _ABLE.search(said.text):
        return True
    return not _MANY.isdisjoint(word.text for word in said.words)


def _amounts(words: Content) -> list[Word]:
    """The amounts, or for want of them what is of a class of which there is one."""
    found = [word for word in words.values() if word.kind in AMOUNTS]
    return found or [word for word in words.values() if class_of(word)]


def class_of(word: Word) -> str:
    """What a word is one of, of which there is one at a time: its kind or class; "" of none."""
    if word.kind not in ("", NAME):
        return word.kind
    return CLASSES.get(word.raw) or CLASSES.get(word.text, "")


def _have_periods(words: Content, value: Word) -> bool:
    return any(word.text in _PERIODS and word.raw != value.unit for word in words.values())


def _say_no_more(
    one: Statement, other: Statement, lost: Content, won: Content, values: tuple[Word, ...]
) -> bool:
    """Whether one alone says more, little, and not where or of whom."""
    mine = [*_besides(one, lost, values)]
    theirs = [*_besides(other, won, values)]
    ends = [{word.text for word in each} & _ENDS for each in (mine, theirs)]
    if all(ends) and ends[0] != ends[1]:
        return False  # work that starts at 8 and finishes at 17
    if mine and theirs:
        mine, theirs = ([w for w in each if w.text not in SAYING] for each in (mine, theirs))
    if mine and theirs:
        return False
    more = [*mine, *theirs]
    return len(more) <= _MAX_MORE * (1 + one.is_chinese) and not any(map(_qualifies, more))


def _besides(said: Statement, words: Content, values: tuple[Word, ...]) -> Iterator[Word]:
    for word in words.values():
        is_said = word in values or word.text in UNITS or word.raw == said.verb
        if not is_said and word.kind != "rate":
            yield word


def _is_value(one: Word, other: Word, mine: Statement, theirs: Statement) -> bool:
    """Whether they are what is said, and no part of a name: film 12, Python 3.11, 第三章."""
    if "change" in mine.marks ^ theirs.marks:
        return True
    if not (one.governor + one.unit + other.governor + other.unit).isascii():
        return min(len(one.governor), len(other.governor)) > 1
    return any(_may_govern(word.governor) or not word.raw[0].isalnum() for word in (one, other))


def _have_one_unit(one: Word, other: Word) -> bool:
    """Whether both are counted in one unit, or one ends with a figure, and so tells none."""
    mine, theirs = _unit(one), _unit(other)
    is_bare = one.unit == "" or other.unit == ""
    return mine == theirs or (is_bare and "" in (mine, theirs) and mine + theirs in _MEASURES)


def _unit(word: Word) -> str:
    if word.kind in _TIMES:
        return ""
    if word.raw[0] in _CURRENCIES:
        return _CURRENCIES[word.raw[0]]
    unit = in_base(_count(word), unit_of(word))[1]
    if not unit.isascii() or unit[:1] == IDEA:
        return "" if _CLOCK.fullmatch(word.raw) else unit
    found = stem(unit)
    is_none = unit in known.NO_UNITS or unit in _NO_UNITS or (found in LIGHT and unit[-1] != "s")
    return "" if is_none else found


def _qualifies(word: Word) -> bool:
    is_placed = word.governor in _QUALIFYING or word.governor[-1:] in _PLACING_ZH
    return word.kind == NAME or is_placed or word.raw in _BACK


def _is_other_name(
    one: Statement,
    other: Statement,
    relations: frozenset[str],
    shared: set[str],
    lost: Content,
    won: Content,
) -> bool:
    """Whether all that differs is what a thing has one of."""
    mine, theirs = [*_besides(one, lost, ())], [*_besides(other, won, ())]
    longest = _MAX_VALUE_ZH if one.is_chinese else _MAX_VALUE
    if "negation" in one.marks or not mine or not theirs or max(len(mine), len(theirs)) > longest:
        return False
    if any(word.kind in AMOUNTS for word in (*mine, *theirs)) or are_nested(mine, theirs):
        return False
    if not (_is_named(mine, one, relations) and _is_named(theirs, other, relations)):
        return False
    both = (one, other)
    if any(map(_HAS.search, (one.text, other.text))):
        return False  # a flat in Oslo, besides that in Kiel
    is_mine = all(_MINE.search(said.text) for said in both)
    is_all = all(said.words[0].text in relations for said in both) and (
        one.is_chinese or all(word.kind == NAME for word in (*mine, *theirs))
    )
    if not (shared - relations or is_of_one_person(one, other) or is_mine or is_all):
        return False
    begins = [said.words[0] in words for said, words in ((one, mine), (other, theirs))]
    return not any(begins) or not (relations.isdisjoint(ROLES) or are_led_by(one, other))


def are_nested(mine: Sequence[Word], theirs: Sequence[Word]) -> bool:
    """Whether one place may be in the other one: a town in a country."""
    return _names_region(mine) != _names_region(theirs)


def _names_region(words: Sequence[Word]) -> bool:
    if words[0].raw.isascii():
        return any(word.raw in REGIONS for word in words)
    return ZH_REGIONS.search("".join(word.raw for word in words)) is not None


def _is_named(words: list[Word], said: Statement, relations: frozenset[str]) -> bool:
    """Whether what differs is one value: names, or what a word that governs values stands before,
    in one place."""
    places = [said.words.index(word) for word in words]
    if places != [*range(places[0], places[0] + len(places))]:
        return False
    if said.is_chinese:
        return _is_named_zh(words, said)
    if all(word.kind == NAME for word in words):
        return words[0].governor != "with"
    if said.text.startswith(f"{words[0].raw} ") and not relations.isdisjoint(ROLES):
        return said.subject == {words[0].text}  # a name, as the first word may be
    return words[0].governor in known.GOVERNING - {"with"} and not (relations & OF_NAMES)


def _is_named_zh(words: list[Word], said: Statement) -> bool:
    if any(f"{word.raw}的" in said.text for word in words):
        return False  # it tells which one is meant
    if all(word.raw.isascii() for word in words):
        return True
    is_first = words[0] is said.words[0]
    return is_first or words[0].governor[-1:] in (*known.ZH_GOVERNING, "向", "给", "跟")
