"""Whether two short statements say different things of one matter: what they share is aligned, and
what is left on each side decides."""

from __future__ import annotations

from collections.abc import Sequence

from memwiki.index.keyword.tokens import stem
from memwiki.judgement import statement_words as known
from memwiki.judgement.alignment import (
    Contrast,
    Pair,
    align_statements,
    are_of_two_things,
    is_of_one_person,
)
from memwiki.judgement.concepts import IDEA, SIGNS, UNITS
from memwiki.judgement.frames import are_at_other_hours, are_nested, exclude
from memwiki.judgement.matter import (
    LEAST_BY_CHANGE_ZH,
    are_led_by,
    is_moved,
    is_of_one_matter,
    least_shared,
    may_be_of_one_matter,
)
from memwiki.judgement.plans import is_undone
from memwiki.judgement.replaced import (
    WORK,
    ends_another,
    is_of_another_matter,
    is_over,
    is_rejection_of_another,
    tell_apart,
)
from memwiki.judgement.statement import AMOUNTS, NAME, Statement, Word, governs_zh
from memwiki.judgement.told import is_told_anew
from memwiki.judgement.traits import are_of_two_kinds, are_on_for_others
from memwiki.text import pattern

_BOUND = frozenset(("condition", "later"))
_GETTING = frozenset("get gets has have".split())
_MAX_HOLDER_WORDS = 2  # words
_WEIGHTY = 3
_MAX_CHANGED_WORDS = 5
_MAX_VALUE_WORDS, _MAX_VALUE_CHARS_ZH = 4, 8
_NICKNAMED = ("小", "老", "阿")
_MAX_NAME_ZH = 3  # characters
_ABLE = pattern(r"\b(?:can|could|supports?|supported|available)\b")
_OF_ONE = known.THIRD - {*"has plays uses".split()}  # no other besides
_BEFORE_ADDRESS = frozenset(("is", "https", "http"))
_DESCRIBING = pattern(r"(?:ed|ing|ful|ous|ive|able|ible|al|ic|less|ly)$")
_ONE_OF_MANY = pattern(r"(?:an?|one|another|some) ")
_ADDRESS = pattern(r"[^\s/@]+@[^\s/@]+|[\w.~:-]*(?:/[\w.~:-]+)+/?|(?:[\w-]+\.)+[a-z]{2,}|#[\w-]+")
_HAS = pattern(r"(?:\S+ ){1,3}(?:has|have|had) (?!\w+ed\b|been\b)")


def are_contrary(old: Sequence[Statement], new: Sequence[Statement]) -> bool:
    """Whether what two texts say can hardly hold at one time."""
    if not (old and new):
        return False
    is_told = "change" in old[0].marks ^ new[0].marks and tell_apart(old, new)
    if not (is_told or any(_exclude(one, other) for one in old for other in new)):
        return False
    return not (is_rejection_of_another(old, new) or is_rejection_of_another(new, old))


def _exclude(one: Statement, other: Statement) -> bool:
    over = is_over(one, other)
    may_be_undone = ("plan" in one.marks) != ("plan" in other.marks)
    if over or are_of_two_kinds(one, other) or (may_be_undone and is_undone(one, other)):
        return True
    if "on" in one.signs and "on" in other.signs and are_on_for_others(one, other):
        return True
    if over is None and one.is_chinese and _is_told_anew(one, other):
        return True
    may_share = over is None and _may_share_enough(one, other)
    may_exclude = _may_meet(one, other)
    if not (may_share or may_exclude) or are_of_two_things(one, other):
        return False
    if one.is_chinese and _share_a_measure_alone(one, other):
        return False
    # The same whichever is the newer.
    old, new = (one, other) if one.text < other.text else (other, one)
    return (may_share and _are_contrary(old, new)) or (may_exclude and exclude(one, other))


def _is_told_anew(one: Statement, other: Statement) -> bool:
    is_anew = is_told_anew(one, other) or is_told_anew(other, one)
    return is_anew and _may_exclude(one, other)


def _share_a_measure_alone(one: Statement, other: Statement) -> bool:
    """Whether nothing but a unit, or how often, is in both: 每月 99 元."""
    measures = UNITS.union(word.text for word in one.words if word.text[0] == "每")
    shared = {word.text for word in one.words}.intersection(word.text for word in other.words)
    return bool(shared) and shared <= measures


def _may_meet(one: Statement, other: Statement) -> bool:
    """Whether they may be of one matter, and hold now; cheap."""
    if one.is_chinese != other.is_chinese or one.text == other.text:
        return False
    if one.beginnings.isdisjoint(other.beginnings) and not is_of_one_person(one, other):
        return False
    if one.is_of_points or other.is_of_points:
        return False
    return _BOUND.isdisjoint(one.marks) and _BOUND.isdisjoint(other.marks)


def _are_fond(pair: Pair) -> bool:
    """Whether one is fond of what the other tells to be over."""
    liked = [not known.FOND.isdisjoint(w.text for w in words) for words in (pair.mine, pair.theirs)]
    return liked[0] != liked[1] and "=home" in {w.text for w in (*pair.mine, *pair.theirs)}


def _are_contrary(old: Statement, new: Statement) -> bool:
    if not (_may_exclude(old, new) and may_be_of_one_matter(old, new)):
        return False
    pair = align_statements(old, new)
    if not is_of_one_matter(pair):
        return False
    if _begin_apart(pair):
        return _is_other_holder(pair)
    if pair.is_denial and not (pair.is_chinese and pair.is_change):
        return False
    is_over = pair.is_change and _is_changed(pair) and not _are_fond(pair)
    return is_over or _is_other_value(pair) or _is_other_end(pair)


def _may_exclude(old: Statement, new: Statement) -> bool:
    """Whether neither speaks of another time, under a condition, or of one thing beside others."""
    marks = old.marks | new.marks
    is_alike = old.is_chinese == new.is_chinese and old.years == new.years
    if not is_alike or old.text == new.text or {"condition", "addition", "later"} & marks:
        return False
    if not (old.is_main and new.is_main) and marks.isdisjoint(("change", "negation")):
        return False
    if "event" in old.marks & new.marks and "change" not in marks:
        return False
    apart = old.marks ^ new.marks
    if "earlier" in apart or ("done" in apart and "change" not in marks):
        return False
    both = (old, new)
    # The other begins when that is over.
    is_till = "change" in apart and any(" until " in f"{it.text} {it.within}" for it in both)
    if is_till or all(said.text.startswith("there ") for said in both):
        return False
    return not (old.is_of_points or new.is_of_points)


def _may_share_enough(old: Statement, new: Statement) -> bool:
    """Whether as many words begin alike as have to be shared; cheap, and right nearly always."""
    alike = len(old.beginnings & new.beginnings) + 2 * (old.person == new.person != "")
    if old.is_chinese:
        return 2 * alike >= LEAST_BY_CHANGE_ZH * min(len(old.words), len(new.words))
    return alike >= least_shared(old, new) * min(len(old.words), len(new.words))


# --- of one matter ---


def _is_of_one_subject(pair: Pair) -> bool:
    """Whether all words before each verb are in both."""
    subjects = pair.old.subject, pair.new.subject
    return pair.is_of_user or all(each and each <= pair.shared | {"=name"} for each in subjects)


def _begin_apart(pair: Pair) -> bool:
    """Whether both begin with what differs, as two subjects."""
    if pair.old.person != pair.new.person and not pair.moved:
        other = pair.theirs if pair.old.person else pair.mine
        return other[0].text not in pair.shared
    if not pair.differences or pair.is_of_user:
        return False
    first, begin = pair.differences[0], int(pair.mine[0].text in _NICKNAMED)  # 小王, 小李
    places = (pair.mine.index(first.mine[0]), pair.theirs.index(first.theirs[0]))
    return places in ((0, 0), (begin, begin))


def _is_other_holder(pair: Pair) -> bool:
    """Whether one thing has another lead by the other statement."""
    if len(pair.differences) != 1 or pair.is_denial or "earlier" in pair.marks or pair.weight < 1.5:
        return False
    first = pair.differences[0]
    if not (pair.is_chinese or (pair.old.subject and pair.new.subject)):
        return False
    if max(len(first.mine), len(first.theirs)) > _MAX_HOLDER_WORDS:
        return False
    if any(word.is_one for word in (*pair.mine, *pair.theirs)):
        return False  # each has a boat
    if are_led_by(pair.old, pair.new):
        return False
    is_role = known.ROLE.match(pair.old.text) and known.ROLE.match(pair.new.text)
    return "=lead" in pair.shared or is_role is not None or _is_handed_on(pair)


def _is_handed_on(pair: Pair) -> bool:
    """Whether somebody has a duty, and by the other statement somebody else has it now."""
    is_news = "change" in pair.old.marks ^ pair.new.marks
    return is_news and pair.old.verb == pair.new.verb in known.DUTIES


# --- what tells that one is over ---


def _amount(words: Sequence[Word]) -> Word | None:
    return next((word for word in reversed(words) if word.kind not in ("", NAME)), None)


def _is_changed(pair: Pair) -> bool:
    """Whether one tells of a change in what the other says."""
    said = min(pair.old, pair.new, key=lambda each: "change" in each.marks)
    is_done = "done" in said.marks or "negation" in pair.old.marks & pair.new.marks
    if is_done or any(ends_another(*each) for each in _both(pair)) or _gets_more(pair):
        return False
    known_too = pair.shared if pair.is_chinese else pair.shared | {WORK}
    is_known = any(all(w.text in known_too for w in words) for words in (pair.mine, pair.theirs))
    if is_known or is_of_another_matter(pair.old, pair.new, pair.shared):
        return False
    if not pair.is_chinese and not _is_near(pair):
        return False
    if len(pair.differences) != 1:
        least = _WEIGHTY if pair.differences else 2
        return pair.weight >= least or _is_elsewhere(pair)
    return pair.weight >= 2 or pair.is_chinese or _is_one_value_other(pair) or _is_elsewhere(pair)


def _is_elsewhere(pair: Pair) -> bool:
    """Whether one thing is in a place, or at a time, and the other tells that it was moved."""
    if not is_moved(pair.old, pair.new):
        return False
    mine = {word.kind for each in pair.differences for word in each.mine}
    theirs = {word.kind for each in pair.differences for word in each.theirs}
    return mine & AMOUNTS == theirs & AMOUNTS and _is_of_one_subject(pair)


def _is_one_value_other(pair: Pair) -> bool:
    """Whether the only difference are names or trades, or one says that it has another name."""
    if _are_names(pair) or _are_trades(pair):
        return True
    return any("=name" in one.relations and "renamed" in other.text for one, other in _both(pair))


def _gets_more(pair: Pair) -> bool:
    """Whether an amount is what somebody gets by one, and something else by the other."""
    sides = (side for each in pair.differences for side in each[1:3])
    is_got = {pair.old.verb, pair.new.verb} <= _GETTING
    return is_got and len({_amount(side) is None for side in sides}) > 1


def _both(pair: Pair) -> tuple[tuple[Statement, Statement], ...]:
    return (pair.old, pair.new), (pair.new, pair.old)


def _is_near(pair: Pair) -> bool:
    is_loose = not (_is_of_one_subject(pair) or pair.moved)
    if is_loose and pair.weight < _WEIGHTY and not (pair.old.person or pair.new.person):
        return False
    sides = (side for each in pair.differences for side in each[1:3])
    if any(len(side) > _MAX_CHANGED_WORDS for side in sides):
        return False
    has_subject = not pair.is_of_user or pair.old.subject or pair.new.subject
    if has_subject or (len(pair.differences) == 1 and _are_names(pair)):
        return True
    return pair.weight >= _WEIGHTY or any(w[0] == IDEA for w in pair.shared)


def _are_names(pair: Pair) -> bool:
    """Whether each side of the only difference has a name, and one stands after a preposition."""
    sides = pair.differences[0].mine, pair.differences[0].theirs
    names = [[word for word in side if word.kind == NAME] for side in sides]
    return all(names) and any(_is_governed(words[0], pair) for words in names)


def _are_trades(pair: Pair) -> bool:
    """Whether each side of the only difference ends with what somebody is by trade: a baker."""
    sides = pair.differences[0].mine, pair.differences[0].theirs
    if not {pair.old.verb, pair.new.verb} <= known.SEEMING | {"works"}:
        return False
    return all(known.TRADE.search(side[-1].raw) and side[-1].raw not in known.KIN for side in sides)


# --- another value ---


def _value(words: tuple[Word, ...], pair: Pair) -> tuple[Word, ...]:
    """The words from the first on that is governed."""
    at = next(
        (
            at
            for at, word in enumerate(words)
            if (_is_governed(word, pair) and word.raw not in known.PLACED)
        ),
        0,
    )
    return words[at:]


def _is_governed(word: Word, pair: Pair) -> bool:
    if pair.is_chinese:
        return governs_zh(word.governor[-1:], word.governor[:-1])
    return word.governor in known.GOVERNING


def _is_other_value(pair: Pair) -> bool:
    """Whether both say the same but for one value of one kind."""
    if len(pair.differences) != 1 or "list" in pair.marks:
        return False
    each = pair.differences[0]
    mine, theirs = _value(each.mine, pair), _value(each.theirs, pair)
    longest = _MAX_VALUE_CHARS_ZH if pair.is_chinese else _MAX_VALUE_WORDS
    is_at_hours = are_at_other_hours(pair.old, pair.new, mine[0], theirs[0])
    if is_at_hours or are_nested(mine, theirs) or _is_one_of_several(pair):
        return False
    amounts = [side for side in (mine, theirs) if _amount(side)]
    if max(len(mine), len(theirs)) > longest or len(amounts) > pair.is_chinese:  # 千岛湖 is a name
        return False
    if (pair.moved and _is_one_word_other(pair, each)) or _is_other_in_role(pair, each):
        return True
    more = [
        [word for word in side[: -len(value)] if word.raw not in known.PLACED]
        for side, value in ((each.mine, mine), (each.theirs, theirs))
    ]
    if pair.is_chinese:
        return not all(more) and _is_other_value_zh(
            pair, each, _governor_zh(mine[0]), _governor_zh(theirs[0])
        )
    each = each._replace(mine=mine, theirs=theirs)
    return not any(more) and not _takes_many(pair, each) and _is_other_value_en(pair, each)


def _is_other_end(pair: Pair) -> bool:
    """Whether both say the same of one thing but for the end: coffee with milk, or black."""
    if len(pair.differences) != 1 or "list" in pair.marks or pair.is_chinese:
        return False
    each = pair.differences[0]
    if each.rest or are_nested(each.mine, each.theirs) or _is_one_of_several(pair):
        return False
    if not _is_of_one_subject(pair) or sum(word.kind in AMOUNTS for word in each.mine) > 1:
        return False
    are_names = all(word.kind == NAME for word in (*each.mine, *each.theirs))
    return _may_end_so(pair, each) and pair.weight >= (2 if are_names else _WEIGHTY)


def _may_end_so(pair: Pair, each: Contrast) -> bool:
    """Whether what both say ends in one way: a verb of one object, or the number of a room."""
    verbs = {pair.old.verb, pair.new.verb}
    governors = {side[0].governor for side in (each.mine, each.theirs)}
    if verbs <= known.BEING | {"will"}:
        return len(governors) == 1 and (
            governors <= known.GOVERNING or _is_label(min(governors), pair)
        )
    return len(verbs) == 1 and verbs <= _OF_ONE and governors != {"with"}


def _is_label(word: str, pair: Pair) -> bool:
    """Whether it is of a place that has a number: in room B204."""
    return all(f" in {word} " in said.text for said in (pair.old, pair.new))


def _is_one_of_several(pair: Pair) -> bool:
    """Whether it tells what something is able to do."""
    return not pair.is_chinese and all(_ABLE.search(said.text) for said in (pair.old, pair.new))


def _is_one_word_other(pair: Pair, each: Contrast) -> bool:
    """Whether all but one word is the same, in another order: not Ann by Bob and Bob by Eva."""
    names = {word.text for word in pair.mine if word.kind == NAME}
    is_one = max(len(each.mine), len(each.theirs)) <= (_MAX_NAME_ZH if pair.is_chinese else 1)
    is_amount = _amount((*each.mine, *each.theirs)) is not None
    is_value = any(
        _is_governed(side[0], pair) and side[0].governor not in known.BEING
        for side in (each.mine, each.theirs)
    )
    is_other = is_one and is_value and not is_amount
    return is_other and pair.weight >= 2 and names.isdisjoint(pair.moved)


def _is_other_in_role(pair: Pair, each: Contrast) -> bool:
    """Whether "the lead is Ann" stands beside "Bob is the lead"."""
    texts = sorted((pair.old.text, pair.new.text), key=lambda text: text.startswith("the "))
    if [text.startswith("the ") for text in texts] != [False, True]:
        return False
    is_one = len(each.mine) == len(each.theirs) == 1 and pair.weight >= 2
    return is_one and known.ROLE.match(texts[0]) is not None and not pair.old.kin


def _takes_many(pair: Pair, each: Contrast) -> bool:
    """Whether what comes before the values takes several, as likes and has do."""
    before = {word.text for word in pair.mine[: each.places[0]]}
    is_with = not known.LIKES_WITH.isdisjoint(before)
    if _HAS.match(pair.old.text) or (is_with and each.mine[0].governor in ("to", "in", "with")):
        return True
    return not _is_governed(each.mine[0], pair) and not known.LIKES.isdisjoint(before)


def _is_other_value_en(pair: Pair, each: Contrast) -> bool:
    mine, theirs = each.mine[0], each.theirs[0]
    governors = {mine.governor, theirs.governor}
    are_acts = governors == {"to"} and min(len(each.mine), len(each.theirs)) > 1
    if are_acts or (len(governors) > 1 and _is_of_each(pair)):
        return False  # decided to use one thing, and to drop another
    are_names = mine.kind == theirs.kind == NAME
    is_by = are_names and "by" in governors  # somebody
    if governors <= known.PLACES and pair.weight >= 2 and not is_by:
        return True
    if are_names and governors <= known.GOVERNING and (len(governors) == 1 or not is_by):
        return True
    is_like = each.mine[-1].kind == each.theirs[-1].kind and mine.is_one == theirs.is_one
    return is_like and len(governors) == 1 and _is_one_of_kind(pair, each, mine.governor)


def _is_of_each(pair: Pair) -> bool:
    """Whether one of them tells how often: on every push."""
    return any(not {"every", "each"}.isdisjoint(said.text.split()) for said in (pair.old, pair.new))


def _is_one_of_kind(pair: Pair, each: Contrast, governor: str) -> bool:
    """Whether there is one value after such a word."""
    if governor in _BEFORE_ADDRESS and all(map(_is_address, (each.mine, each.theirs))):
        return _is_of_one_subject(pair) and not _ONE_OF_MANY.match(pair.old.text)
    if governor in ("is", "are"):
        if each.mine[0].is_one:
            return _is_one_thing(pair, each)
        return _is_one_state(each) or _is_other_named(pair, each)
    if stem(governor) == "prefer" and not each.rest:
        return False  # short meetings, and dark chocolate
    is_used = governor in known.USED and each.rest > 0
    return is_used or governor in known.GOVERNING - known.ENDS or stem(governor) in known.CHOSEN


def _is_address(words: Sequence[Word]) -> bool:
    """Whether they are a path, or an address of a host, a page or a mailbox; not yes/no."""
    raw = words[0].raw
    is_told = raw[0] in "/#" or "@" in raw or "." in raw or raw.count("/") > 1
    return len(words) == 1 and is_told and _ADDRESS.fullmatch(raw) is not None


def _is_one_state(each: Contrast) -> bool:
    """Whether it is in one state of two: paid or unpaid, off or on; not strict and friendly."""
    if not len(each.mine) == 1 == len(each.theirs):
        return False
    one, other = each.mine[0].raw, each.theirs[0].raw
    line, sign = SIGNS.get(one, ("", 0))
    return (
        (sign != 0 and SIGNS.get(other) == (line, -sign))
        or f"un{one}" == other
        or f"un{other}" == one
    )


def _is_other_named(pair: Pair, each: Contrast) -> bool:
    """Whether a thing is called otherwise: the build tool make, or ninja; not how it is."""
    words = [*each.mine, *each.theirs]
    is_named = each.places[0] > 0 and pair.mine[each.places[0] - 1].raw in known.NAMED_THINGS
    are_names = all(
        word.raw not in known.STATES and not _DESCRIBING.search(word.raw) for word in words
    )
    return is_named and are_names and len(words) == 2 and not each.rest


def _is_one_thing(pair: Pair, each: Contrast) -> bool:
    """Whether what is a fox or an owl is one thing: a person may be a teacher and a father."""
    is_thing = pair.weight >= 2 or pair.old.text.startswith("the ")
    return is_thing and pair.mine[each.places[0] - 1].raw not in known.KIN - {"dog", "cat"}


def _governor_zh(word: Word) -> str:
    """What stands before a value of which the first character is in both: 是阿强, 是阿杰."""
    before = word.governor
    return before[:-1] if governs_zh(before[-2:-1], before[:-2]) else before


def _is_chosen_zh(pair: Pair, each: Contrast, mine: str, theirs: str) -> bool:
    """Whether the values are all that is used (用的是), or what is asked for each time (默认要)."""
    if all(side[0].governor.endswith("用是") for side in (each.mine, each.theirs)):
        return True
    return pair.weight >= 2 and all(map(known.ZH_USUAL.search, (mine, theirs)))


def _is_other_value_zh(pair: Pair, each: Contrast, mine: str, theirs: str) -> bool:
    if not mine or not theirs or known.ZH_MANY.search(mine):
        return False
    if _is_chosen_zh(pair, each, mine, theirs):
        return True
    last = {mine[-1], theirs[-1]}
    if not (len(last) == 1 or last <= {*"是叫为"}) or mine[-1] not in known.ZH_SETTING:
        return False
    if pair.old.text.endswith("的") != pair.new.text.endswith("的"):
        return False  # one tells how it is: 白色的
    if mine[-1] == "用":
        return bool(each.places[0] and each.rest)
    return pair.weight >= 1.5 or each.rest > 0
