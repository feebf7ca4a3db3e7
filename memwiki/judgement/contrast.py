"""Whether two short statements say different things of one matter: what they share is aligned, and
what is left on each side decides."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from memwiki.index.keyword.tokens import stem
from memwiki.judgement import statement_words as known
from memwiki.judgement.statement import NAME, Statement, Word

_COVERED, _COVERED_BY_CHANGE = 0.4, 0.34  # of the shorter one, by what both say
_ZH_DATE = ("年", "月", "日", "号")
_MAX_HOLDER_WORDS = 2  # words
_FIRST, _FIRST_ZH = 1, 3  # words of a statement that tell what it is about
_IDEA = "="
_GENERAL = frozenset("默认值类型单位格式大小")  # of whatever a page is about
_WEIGHTY = 3
_COVERED_BY_DENIAL = 0.5
_DENIED, _DENIED_ZH = 2, 1
_MAX_VALUE_WORDS, _MAX_VALUE_CHARS_ZH = 4, 8
_MIN_LETTERS = 3  # of a word that is the start of another one
_ALIKE_LETTERS, _ALIKE_SHARE = 5, 0.6  # of two words of one root: owner, ownership


class Span(NamedTuple):
    """A part of both in which they are the same, or not."""

    is_same: bool
    places: tuple[int, int]
    mine: tuple[Word, ...]
    theirs: tuple[Word, ...]
    rest: int  # words that follow


class Contrast(NamedTuple):
    """What stands in the place of what, without words that only changed places."""

    places: tuple[int, int]
    mine: tuple[Word, ...]
    theirs: tuple[Word, ...]
    rest: int  # words that follow


class Pair(NamedTuple):
    old: Statement
    new: Statement
    mine: tuple[Word, ...]
    theirs: tuple[Word, ...]  # words of one root spelled as in the old one
    shared: frozenset[str]
    moved: frozenset[str]
    weight: float  # how much both say; a Chinese character counts half
    covered: float
    differences: tuple[Contrast, ...]

    marks: frozenset[str]  # of either
    is_denial: bool  # one alone denies
    is_change: bool  # one alone tells of a change
    is_chinese: bool
    is_of_user: bool


def are_contrary(old: Statement | None, new: Statement | None) -> bool:
    """Whether both can hardly hold at one time."""
    if old is None or new is None or not _may_exclude(old, new):
        return False
    pair = _aligned(old, new)
    if not _is_of_one_matter(pair):
        return False
    if _begin_apart(pair):
        return _is_other_holder(pair)
    if pair.is_denial:
        return _is_denied(pair) or (pair.is_change and _differ(pair))
    return _differ(pair)


def _differ(pair: Pair) -> bool:
    if turned := _turned(pair):
        return _is_other_state(pair, turned)
    is_over = _is_other_amount(pair) or (pair.is_change and _is_changed(pair))
    return is_over or _is_other_value(pair)


def _may_exclude(old: Statement, new: Statement) -> bool:
    """Whether neither speaks of another time, under a condition, or of one thing beside others."""
    if old.is_chinese != new.is_chinese or old.text == new.text or old.years != new.years:
        return False
    if {"condition", "addition", "later"} & (old.marks | new.marks):
        return False
    if "earlier" in old.marks ^ new.marks or not _may_share_enough(old, new):
        return False
    return known.POINTING.isdisjoint((old.text.split()[0], new.text.split()[0]))


def _may_share_enough(old: Statement, new: Statement) -> bool:
    """Whether as many words begin alike as have to be shared; cheap, and right nearly always."""
    user = 2 * (old.is_of_user and new.is_of_user)
    alike = len(old.beginnings & new.beginnings) * (1 + old.is_chinese)
    return alike + user >= _COVERED_BY_CHANGE * min(len(old.words), len(new.words))


# --- alignment ---


def _aligned(old: Statement, new: Statement) -> Pair:
    mine = old.words
    theirs = tuple(_spelled_as(word, mine) for word in new.words)
    spans = _spans(mine, theirs)
    same = [word for span in spans if span.is_same for word in _telling(span.mine)]
    moved = _moved(spans, is_chinese=old.is_chinese)
    weight, covered = _weights(old, new, same, sum(moved.values()))
    return Pair(
        old,
        new,
        mine,
        theirs,
        frozenset(word.text for word in same) | moved.keys(),
        frozenset(moved),
        weight,
        covered,
        tuple(_differences(spans, moved)),
        old.marks | new.marks,
        is_denial="negation" in old.marks ^ new.marks,
        is_change="change" in old.marks ^ new.marks,
        is_chinese=old.is_chinese,
        is_of_user=old.is_of_user and new.is_of_user,
    )


def _spans(mine: tuple[Word, ...], theirs: tuple[Word, ...]) -> list[Span]:
    texts = [word.text for word in mine], [word.text for word in theirs]
    return [
        Span(tag == "equal", (start, other), mine[start:end], theirs[other:last], len(mine) - end)
        for tag, start, end, other, last in SequenceMatcher(
            None, *texts, autojunk=False
        ).get_opcodes()
    ]


def _moved(spans: Sequence[Span], *, is_chinese: bool) -> Counter[str]:
    """Words that both have in different places. A figure is another one elsewhere in Chinese."""
    apart = [span for span in spans if not span.is_same]
    found = Counter(word.text for span in apart for word in span.mine)
    found &= Counter(word.text for span in apart for word in span.theirs)
    return Counter({text: n for text, n in found.items() if not (is_chinese and text.isdigit())})


def _differences(spans: Sequence[Span], moved: Mapping[str, int]) -> Iterator[Contrast]:
    apart = [
        Contrast(span.places, _without(span.mine, moved), _without(span.theirs, moved), span.rest)
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
    old: Statement, new: Statement, same: Sequence[Word], moved: int
) -> tuple[float, float]:
    """How much both say, and the share of it in the shorter one. A Chinese character is half."""
    has_user = old.is_of_user and new.is_of_user
    shortest = min(len(old.words), len(new.words))
    if not old.is_chinese:
        count = len(same) + moved + has_user
        return count, count / shortest
    latin = sum(word.text.isascii() for word in same)
    ideas = sum(word.text[0] == _IDEA for word in same)
    covered = len(same) + moved + ideas + 2 * has_user
    return (len(same) + latin) / 2 + has_user, covered / shortest


def _telling(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words without a single Chinese character, which many words share."""
    return words if len(words) > 1 or words[0].text.isascii() else ()


def _spelled_as(word: Word, others: Sequence[Word]) -> Word:
    alike = [other.text for other in others if other.text[0] == word.text[0]]
    if not alike or word.text in alike:
        return word
    return word._replace(
        text=next((text for text in alike if _is_of_root(text, word.text)), word.text)
    )


def _is_of_root(one: str, other: str) -> bool:
    """Whether two Latin words begin alike, or one version is a part of the other."""
    if not (one.isascii() and other.isascii()) or "=" in (one[0], other[0]):
        return False
    if one[0].isdigit() or other[0].isdigit():
        return one.startswith(f"{other}.") or other.startswith(f"{one}.")
    short, long = sorted((one, other), key=len)
    same = next(
        (at for at, pair in enumerate(zip(short, long, strict=False)) if pair[0] != pair[1]),
        len(short),
    )
    if same == len(short):
        return same > _MIN_LETTERS or (same == _MIN_LETTERS and len(long) < same + 3)
    return same >= _ALIKE_LETTERS and same >= _ALIKE_SHARE * len(short)


# --- of one matter ---


def _is_of_one_matter(pair: Pair) -> bool:
    has_turned = pair.is_change or pair.is_denial
    if pair.weight < 1 or pair.covered < (_COVERED_BY_CHANGE if has_turned else _COVERED):
        return False
    if _kin(pair.mine) != _kin(pair.theirs) and not pair.is_change:
        return False
    if pair.is_chinese and pair.shared <= _GENERAL:
        return False
    return pair.is_of_user or _begins_with_shared(pair, has_turned=has_turned)


def _kin(words: Sequence[Word]) -> set[str]:
    """Relatives that are spoken of: Anna lives elsewhere than Anna's sister."""
    return {word.raw for word in words if word.raw in known.KIN or known.ZH_KIN.fullmatch(word.raw)}


def _begins_with_shared(pair: Pair, *, has_turned: bool) -> bool:
    """Whether what one begins with is in both: of a change, the one that tells what was before."""
    if not has_turned:
        return _has_shared((pair.mine[0], pair.theirs[0]), pair)
    is_told_by_new = not pair.new.marks.isdisjoint(("change", "negation"))
    older, newer = pair.mine, pair.theirs
    if not is_told_by_new:
        older, newer = newer, older
    first = _FIRST_ZH if pair.is_chinese else _FIRST
    is_of_user = pair.new.is_of_user if is_told_by_new else pair.old.is_of_user
    return _has_shared(older[:first], pair) and (
        is_of_user or _has_shared(newer[: first + 2], pair)
    )


def _has_shared(words: Sequence[Word], pair: Pair) -> bool:
    return any(word.text in pair.shared for word in words)


def _begin_apart(pair: Pair) -> bool:
    """Whether both begin with what differs, as two subjects."""
    if pair.old.is_of_user != pair.new.is_of_user:
        other = pair.theirs if pair.old.is_of_user else pair.mine
        return other[0].text not in pair.shared
    if not pair.differences or pair.is_of_user:
        return False
    first = pair.differences[0]
    return first.mine[0] is pair.mine[0] and first.theirs[0] is pair.theirs[0]


def _is_other_holder(pair: Pair) -> bool:
    """Whether one thing has another lead by the other statement."""
    if len(pair.differences) != 1 or pair.is_denial or "earlier" in pair.marks or pair.weight < 1.5:
        return False
    first = pair.differences[0]
    if max(len(first.mine), len(first.theirs)) > _MAX_HOLDER_WORDS:
        return False
    is_role = known.ROLE.match(pair.old.text) and known.ROLE.match(pair.new.text)
    return "=lead" in pair.shared or is_role is not None


# --- what tells that one is over ---


def _is_denied(pair: Pair) -> bool:
    """Whether one denies of its subject what the other says."""
    denied = (pair.old if "negation" in pair.old.marks else pair.new).denied
    if not any(denied == text or _is_of_root(text, denied) for text in pair.shared if denied):
        return False
    least = _DENIED_ZH if pair.is_chinese else _DENIED
    is_of_another = any(_is_other_name(each, pair) for each in pair.differences[:1])
    return pair.weight >= least and pair.covered >= _COVERED_BY_DENIAL and not is_of_another


def _is_other_name(each: Contrast, pair: Pair) -> bool:
    """Whether a name within what both say is another one."""
    is_within = each.rest and each.places[0] and not pair.is_change
    return bool(is_within) and (pair.is_chinese or each.mine[-1].kind == NAME)


def _turned(pair: Pair) -> set[int]:
    """The lines of states of which each statement names another side."""
    old, new = pair.old.states, pair.new.states
    return {line for line in old.keys() & new.keys() if old[line] != new[line]}


def _is_other_state(pair: Pair, turned: set[int]) -> bool:
    """Whether a thing is on by one and off by the other: not elsewhere."""
    if pair.is_chinese:
        return len(pair.differences) <= 1
    states = {word for word, (line, _) in known.SIDES.items() if line in turned}
    is_elsewhere = any(
        all(any(word.raw not in states for word in side) for side in (each.mine, each.theirs))
        for each in pair.differences
    )
    return pair.is_change or not is_elsewhere


def _is_other_amount(pair: Pair) -> bool:
    found = pair.differences
    return bool(found) and all(
        _differ_in_amount(each, pair) and (len(found) == 1 or _is_time(each)) for each in found
    )


def _is_time(each: Contrast) -> bool:
    """Whether it tells when: other numbers that differ together are labels of a series."""
    amount = _amount(each.mine)
    return amount is not None and (amount.kind != "number" or amount.unit in _ZH_DATE)


def _differ_in_amount(each: Contrast, pair: Pair) -> bool:
    mine, theirs = _amount(each.mine), _amount(each.theirs)
    if mine is None or theirs is None or mine.kind != theirs.kind:
        return False
    if mine.raw.rstrip("s") == theirs.raw.rstrip("s"):
        return False
    if pair.is_chinese:
        return mine.unit == theirs.unit or mine.governor[-1:] == theirs.governor[-1:]
    return _unit(mine) == _unit(theirs) and not _is_aside(each, mine, theirs, pair)


def _is_aside(each: Contrast, mine: Word, theirs: Word, pair: Pair) -> bool:
    """Whether an amount without a unit is only a part of what differs, or a label."""
    if _is_apart(each, mine, theirs, 0) and each.mine[0].governor in known.GOVERNING:
        return True  # the port of the API is
    if _unit(mine):
        return False
    if _is_apart(each, mine, theirs, -1):
        return True  # at 8 on weekdays
    is_first = each.places == (1, 1) and each.rest and mine.unit in known.SKIPPED and mine.unit
    return not pair.is_change and (bool(is_first) or _takes_many(pair, each))  # Room 101 has


def _is_apart(each: Contrast, mine: Word, theirs: Word, end: int) -> bool:
    """Whether other words stand at one end of both sides."""
    return each.mine[end] is not mine and each.theirs[end] is not theirs


def _amount(words: Sequence[Word]) -> Word | None:
    return next((word for word in reversed(words) if word.kind not in ("", NAME)), None)


def _unit(word: Word) -> str:
    return "" if word.unit in known.GOVERNING else stem(word.unit)


def _is_changed(pair: Pair) -> bool:
    """Whether one tells of a change in what the other says."""
    if any(all(word.text in pair.shared for word in words) for words in (pair.mine, pair.theirs)):
        return False
    if len(pair.differences) != 1:
        return pair.weight >= (_WEIGHTY if pair.differences else 2)
    return pair.weight >= 2 or pair.is_chinese or _are_names(pair)


def _are_names(pair: Pair) -> bool:
    """Whether each side of the only difference has a name, and one stands after a preposition."""
    sides = pair.differences[0].mine, pair.differences[0].theirs
    names = [[word for word in side if word.kind == NAME] for side in sides]
    return all(names) and any(_is_governed(words[0], pair) for words in names)


# --- another value ---


def _value(words: tuple[Word, ...], pair: Pair) -> tuple[Word, ...]:
    """The words from the first on that is governed."""
    at = next((at for at, word in enumerate(words) if _is_governed(word, pair)), 0)
    return words[at:]


def _is_governed(word: Word, pair: Pair) -> bool:
    if pair.is_chinese:
        return word.governor != "" and word.governor[-1] in known.ZH_GOVERNING
    return word.governor in known.GOVERNING


def _is_other_value(pair: Pair) -> bool:
    """Whether both say the same but for one value of one kind."""
    if len(pair.differences) != 1 or "list" in pair.marks:
        return False
    each = pair.differences[0]
    mine, theirs = _value(each.mine, pair), _value(each.theirs, pair)
    longest = _MAX_VALUE_CHARS_ZH if pair.is_chinese else _MAX_VALUE_WORDS
    amounts = [side for side in (mine, theirs) if _amount(side)]
    if max(len(mine), len(theirs)) > longest or len(amounts) > pair.is_chinese:  # 千岛湖 is a name
        return False
    if pair.is_chinese:
        return _is_other_value_zh(pair, each, mine[0].governor, theirs[0].governor)
    if pair.moved and _is_one_word_other(pair, each):
        return True
    is_whole = len(mine) == len(each.mine) and len(theirs) == len(each.theirs)
    return is_whole and not _takes_many(pair, each) and _is_other_value_en(pair, each)


def _is_one_word_other(pair: Pair, each: Contrast) -> bool:
    """Whether all but one word is the same, in another order: not Ann by Bob and Bob by Eva."""
    names = {word.text for word in pair.mine if word.kind == NAME}
    is_one = len(each.mine) == 1 == len(each.theirs)
    is_amount = _amount((*each.mine, *each.theirs)) is not None
    is_value = _is_governed(each.mine[0], pair) or _is_governed(each.theirs[0], pair)
    is_other = is_one and is_value and not is_amount
    return is_other and pair.weight >= 2 and names.isdisjoint(pair.moved)


def _takes_many(pair: Pair, each: Contrast) -> bool:
    """Whether what comes before the values takes several, as likes and has do."""
    before = pair.mine[: each.places[0]]
    has = re.match(r"\S+ (?:has|have|had) ", pair.old.text)
    return has is not None or any(word.text in known.LIKES for word in before)


def _is_other_value_en(pair: Pair, each: Contrast) -> bool:
    mine, theirs = each.mine[0], each.theirs[0]
    governors = {mine.governor, theirs.governor}
    if governors <= known.PLACES and pair.weight >= 2:
        return True
    if each.mine[-1].kind != each.theirs[-1].kind:
        return False
    if mine.kind == NAME and governors <= known.GOVERNING:
        return True
    return len(governors) == 1 and _is_one_of_kind(pair, each, mine.governor)


def _is_one_of_kind(pair: Pair, each: Contrast, governor: str) -> bool:
    """Whether there is one value after such a word."""
    if governor in ("is", "are"):
        return pair.weight >= 2 and len(each.mine) == 1 == len(each.theirs)
    is_used = governor in known.USED and each.rest > 0
    return is_used or governor in known.GOVERNING or governor in known.CHOSEN


def _is_other_value_zh(pair: Pair, each: Contrast, mine: str, theirs: str) -> bool:
    if not mine or not theirs or known.ZH_MANY.search(mine):
        return False
    last = {mine[-1], theirs[-1]}
    if not (len(last) == 1 or last <= {*"是叫为"}) or mine[-1] not in known.ZH_GOVERNING:
        return False
    if pair.old.text.endswith("的") != pair.new.text.endswith("的"):
        return False  # one tells how it is: 白色的
    if mine[-1] == "用":
        return bool(each.places[0] and each.rest)
    return pair.weight >= 1.5 or each.rest > 0
