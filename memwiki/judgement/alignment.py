"""What two statements share and what each has in the place of what, word by word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from memwiki.judgement import statement_words as known
from memwiki.judgement.concepts import IDEA, RELATIONS
from memwiki.judgement.statement import NAME, Statement, Word
from memwiki.text import pattern

_WORD = pattern(r"[a-z]+")
_COUNTED = pattern(r"[a-z](\d\d?)[a-z]")
_USUAL_VALUE_ZH = 2  # characters
_MIN_LETTERS = 3  # of a word that is the start of another one
_PARTED = frozenset("_/")  # what stands between the parts of a name: apps/web is not apps/api
_ALIKE_LETTERS, _ALIKE_SHARE = 5, 0.6  # of two words of one root: owner, ownership


class Contrast(NamedTuple):
    """What stands in the place of what, or what both have there."""

    places: tuple[int, int]
    mine: tuple[Word, ...]
    theirs: tuple[Word, ...]
    rest: int  # words that follow
    is_same: bool = False


class Pair(NamedTuple):
    old: Statement
    new: Statement
    mine: tuple[Word, ...]
    theirs: tuple[Word, ...]  # words of one root spelled as in the old one
    shared: frozenset[str]
    moved: frozenset[str]
    weight: float  # how much both say; a Chinese character counts half
    covered: float
    differences: tuple[Contrast, ...]  # without words that only changed places

    marks: frozenset[str]  # of either
    is_denial: bool  # one alone denies
    is_change: bool  # one alone tells of a change
    is_chinese: bool
    is_of_user: bool


def align_statements(old: Statement, new: Statement) -> Pair:
    """Both statements side by side."""
    mine = old.words
    theirs = spelled_as(new.words, mine)
    spans = _spans(mine, theirs)
    same = [word for span in spans if span.is_same for word in _telling(span.mine)]
    moved = _moved(spans, is_chinese=old.is_chinese)
    differences = tuple(_differences(spans, moved))
    longer = _excess(differences) if old.is_chinese else 0
    weight, covered = _weights(old, new, same, sum(moved.values()), longer)
    return Pair(
        old,
        new,
        mine,
        theirs,
        frozenset(word.text for word in same) | moved.keys(),
        frozenset(moved),
        weight,
        covered,
        differences,
        old.marks | new.marks,
        is_denial="negation" in old.marks ^ new.marks,
        is_change="change" in old.marks ^ new.marks,
        is_chinese=old.is_chinese,
        is_of_user=is_of_one_person(old, new),
    )


def _spans(mine: tuple[Word, ...], theirs: tuple[Word, ...]) -> list[Contrast]:
    texts = [word.text for word in mine], [word.text for word in theirs]
    codes = SequenceMatcher(None, *texts, autojunk=False).get_opcodes()
    count = len(mine)
    return [
        Contrast((start, other), mine[start:end], theirs[other:last], count - end, tag == "equal")
        for tag, start, end, other, last in codes
    ]


def _moved(spans: Sequence[Contrast], *, is_chinese: bool) -> Counter[str]:
    """Words that both have in different places. A figure is another one elsewhere in Chinese."""
    apart = [span for span in spans if not span.is_same]
    mine = [word.text for span in apart for word in span.mine]
    theirs = [word.text for span in apart for word in span.theirs]
    if frozenset(mine).isdisjoint(theirs):  # as a rule
        return Counter()
    found = Counter(mine) & Counter(theirs)
    return Counter({text: n for text, n in found.items() if not (is_chinese and text.isdigit())})


def _differences(spans: Sequence[Contrast], moved: Mapping[str, int]) -> Iterator[Contrast]:
    apart = [
        span._replace(mine=_without(span.mine, moved), theirs=_without(span.theirs, moved))
        for span in spans
        if not span.is_same
    ]
    replaced = [each for each in apart if each.mine and each.theirs]
    lost = tuple(word for each in apart for word in each.mine)
    won = tuple(word for each in apart for word in each.theirs)
    if replaced or not (lost and won):
        yield from replaced
    else:  # in another order
        yield Contrast((1, 1), lost, won, 0)


def _without(words: tuple[Word, ...], moved: Mapping[str, int]) -> tuple[Word, ...]:
    return tuple(word for word in words if word.text not in moved)


def _weights(
    old: Statement, new: Statement, same: Sequence[Word], moved: int, longer: int
) -> tuple[float, float]:
    """How much both say, and the share of it in the shorter one, of which so much less counts. A
    Chinese character is half."""
    has_user = is_of_one_person(old, new)
    shortest = min(len(old.words), len(new.words)) - longer
    if not old.is_chinese:
        count = len(same) + moved + has_user
        return count, count / shortest
    latin = sum(word.text.isascii() for word in same)
    ideas = sum(word.text[0] == IDEA for word in same)
    covered = len(same) + moved + ideas + 2 * has_user
    return (len(same) + latin) / 2 + has_user, covered / shortest


def _excess(differences: Sequence[Contrast]) -> int:
    """By how much the shorter side of the only difference is longer than a usual value."""
    if len(differences) != 1:
        return 0
    return max(0, min(len(differences[0].mine), len(differences[0].theirs)) - _USUAL_VALUE_ZH)


def is_of_one_person(old: Statement, new: Statement) -> bool:
    """Whether both begin with one pronoun."""
    return old.person == new.person != ""


def _telling(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words without a single Chinese character, which many words share."""
    return words if len(words) > 1 or words[0].text.isascii() else ()


def spelled_as(words: Sequence[Word], others: Sequence[Word]) -> tuple[Word, ...]:
    """Words, those of one root with another one spelled as it."""
    return tuple(_spelled_as(word, others) for word in words)


def _spelled_as(word: Word, others: Sequence[Word]) -> Word:
    alike = [other.text for other in others if other.text[0] == word.text[0]]
    if not alike or word.text in alike:
        return word
    return word._replace(
        text=next((text for text in alike if is_of_root(text, word.text)), word.text)
    )


def is_of_root(one: str, other: str) -> bool:
    """Whether two Latin words begin alike, or one version is a part of the other."""
    if one[0] != other[0] or one[0] == IDEA or not (one.isascii() and other.isascii()):
        return False
    if _stands_for(one, other) or _stands_for(other, one):
        return True
    if one[0].isdigit() or other[0].isdigit() or not _PARTED.isdisjoint(one + other):
        return any(
            long.startswith(f"{short}{mark}")
            for long, short in ((one, other), (other, one))
            for mark in ".-"
        )
    short, long = sorted((one, other), key=len)
    same = next(
        (at for at, pair in enumerate(zip(short, long, strict=False)) if pair[0] != pair[1]),
        len(short),
    )
    if same == len(short):
        return same > _MIN_LETTERS
    return same >= _ALIKE_LETTERS and same >= _ALIKE_SHARE * len(short)


def _stands_for(short: str, long: str) -> bool:
    """Whether a number counts the letters left out of a word: k8s. A stem has half of them."""
    match = _COUNTED.fullmatch(short)
    size = int(match[1]) + 2 if match else 0
    return short[0] == long[0] and size // 2 < len(long) <= size


def are_of_two_things(one: Statement, other: Statement) -> bool:
    """Whether one is said of a thing that the other does not speak of, and tells nothing of the
    other's: the launch, its party; the new one, the old one."""
    if _is_of_mine(one, other) or _is_of_mine(other, one):
        return True
    numbers = [set(known.WHICH.findall(said.text)) for said in (one, other)]
    names = [  # for whom a thing is: the plan for Acme
        {word.text for word in said.words if (word.kind, word.governor) == (NAME, "for")}
        & said.subject
        for said in (one, other)
    ]
    if any(all(which) and which[0].isdisjoint(which[1]) for which in (numbers, names)):
        return True
    return bool(one.head and other.head) and any(
        not _stands_in(said.head, {w.text for w in than.words})
        and not _stands_in(than.head, {w.text for w in said.words} - said.subject)
        for said, than in ((one, other), (other, one))
    )


def _is_of_mine(one: Statement, other: Statement) -> bool:
    """Whether one is of me and the other of somebody, or both of two people, of whom one character
    is the same (小红, 小明), or one of a thing of which a clause before tells which one it is."""
    if one.is_of_other and other.is_of_other and one.is_chinese:
        is_led = "=lead" in one.relations & other.relations  # of which there is one
        return one.text[0] == other.text[0] and one.names != other.names and not is_led
    if not one.is_main and one.subject and one.subject < other.subject:
        return not all(text in one.within for text in other.subject - one.subject)
    is_named = other.words[0].text in {word.text for word in one.words}  # our Atlas, Atlas's
    return one.person == "user" and other.is_of_other and not is_named


def are_of_two_subjects(one: Statement, other: Statement) -> bool:
    """Whether each is of something that the other does not speak of."""
    mine, theirs = ({word.text for word in said.words} for said in (one, other))
    return bool(one.subject - theirs - other.subject and other.subject - mine - one.subject)


def _stands_in(text: str, words: Iterable[str]) -> bool:
    return any(text == word or is_of_root(text, word) for word in words)


def kin_of(said: Statement, but: str = "") -> frozenset[str]:
    """Relatives that are spoken of, but for those in some words: Anna lives elsewhere than Anna's
    sister."""
    text = said.text.replace(but, " ") if but else said.text
    if said.is_chinese:
        return frozenset(known.ZH_KIN.findall(text))
    return frozenset(
        RELATIONS.get(word, word) for word in known.KIN.intersection(_WORD.findall(text))
    )
