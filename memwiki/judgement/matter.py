"""Whether two statements that are aligned speak of one matter: they share more than the person of
whom both speak."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from itertools import takewhile

from memwiki.judgement import statement_words as known
from memwiki.judgement.alignment import Pair, is_of_one_person, spelled_as
from memwiki.judgement.statement import NAME, Statement, Word
from memwiki.judgement.told import have_one_kind, may_be_changed, topic_of
from memwiki.text import pattern

# Of the shorter one, by what both say.
_COVERED, _COVERED_BY_MOVE = 0.5, 0.3
_OF_BEING = known.SEEMING | {"works"}
_COVERED_ZH, LEAST_BY_CHANGE_ZH = 0.4, 0.34
_GENERAL = frozenset("默认值类型单位格式大小")  # of whatever a page is about
_DAILY_ZH = frozenset(("每天",))
_NAMING_ZH = tuple("是叫姓为")
_STATES = frozenset(("=home", "=work"))  # what is told, and not of what
_IS_AT = pattern(r"\b(?:is|are|be) (?:in|on|at|under|behind|near|beside|opposite) ")
_LED_BY = pattern(r"\bby\b|(?!^)由")
# What a word tells which one is meant of: 左边的门是…, 冬季轮胎在…
_MEANT_ZH = pattern(
    "^(?:的|[^我你他她们咱是为在由有用归需要放很去住喝吃]{1,6}[是为在由有用归需要放很])"
)
_MOVED = pattern(r"\b(?:moved|relocated|shifted|rescheduled|postponed) to ")


def may_be_of_one_matter(old: Statement, new: Statement) -> bool:
    """Whether it is worth while to align them; cheap, and never wrong where it says no."""
    mine, theirs = old.relations, new.relations
    if old.kin != new.kin or (mine and theirs and mine.isdisjoint(theirs)):
        return False
    if old.is_chinese or is_of_one_person(old, new):
        return True
    spelled = spelled_as(new.words, old.words)
    in_both = {word.text for word in old.words}.intersection(word.text for word in spelled)
    return not _share_a_name_alone(old, new, spelled[0].text, in_both)


def is_of_one_matter(pair: Pair) -> bool:
    """Whether so much is shared that what differs may be two values of one thing, of what may be of
    one matter."""
    if pair.weight < 1 or pair.covered < _least(pair):
        return False
    if pair.is_chinese:
        return _is_of_one_matter_zh(pair)
    often = {word.text for word in pair.mine if word.kind == "rate"}
    if pair.is_of_user:
        return bool(pair.shared - often)
    return not _share_a_name_alone(pair.old, pair.new, pair.theirs[0].text, pair.shared)


def _share_a_name_alone(old: Statement, new: Statement, who: str, shared: AbstractSet[str]) -> bool:
    """Whether what both say is who they speak of, as Anna, and the verbs are of two matters. Of a
    thing less is told."""
    if "negation" in old.marks ^ new.marks or who != old.words[0].text:
        return False
    if not shared <= {who}:
        names = takewhile(lambda it: it.kind == NAME, old.words[1:])
        is_state = not known.BEING.isdisjoint((old.verb, new.verb))  # Ann Lee is back at work
        if not (is_state or _is_plain(old, new)) or not shared <= {who, *(it.text for it in names)}:
            return False
    return not ({old.verb, new.verb} <= _OF_BEING or old.text.startswith("the "))


def _is_plain(old: Statement, new: Statement) -> bool:
    """Whether no verb of either tells of a change."""
    return known.CHANGES.intersection(f"{old.text} {new.text}".split()) <= {"now"}


def least_shared(old: Statement, new: Statement) -> float:
    """The share of the shorter English one that both have to say."""
    may_move = "change" in old.marks ^ new.marks
    return _COVERED_BY_MOVE if may_move and is_moved(old, new) else _COVERED


def is_moved(one: Statement, other: Statement) -> bool:
    """Whether one says where something is, and the other alone where it was moved to."""
    return ("change" in one.marks) != ("change" in other.marks) and any(
        _IS_AT.search(said.text) and _MOVED.search(teller.text)
        for said, teller in ((one, other), (other, one))
    )


def tells_which(value: Word, said: Statement) -> bool:
    """Whether it tells which of several things is spoken of, and nothing of the one thing."""
    if not said.is_chinese:
        return said.subject > {value.text}
    _, _, behind = said.text.partition(value.text)
    return value is said.words[0] and _MEANT_ZH.search(behind) is not None


def are_led_by(one: Statement, other: Statement) -> bool:
    """Whether both name who leads a thing behind that thing: 前端由…; one may lead two."""
    return all(_LED_BY.search(said.text) for said in (one, other))


def _least(pair: Pair) -> float:
    if not pair.is_chinese:
        return least_shared(pair.old, pair.new)
    return LEAST_BY_CHANGE_ZH if pair.is_change or pair.is_denial else _COVERED_ZH


# --- Chinese ---


def _is_of_one_matter_zh(pair: Pair) -> bool:
    if pair.is_of_user:
        return bool(pair.shared) or _is_of_one_topic(pair, _DAILY_ZH)
    if pair.shared <= _GENERAL:
        return False
    both = (pair.old, pair.new), (pair.new, pair.old)
    if pair.is_change and not all(may_be_changed(*each, pair.shared) for each in both):
        return False
    who = _subject(pair).union("".join(pair.old.kin))
    if not pair.shared <= who or _is_of_one_topic(pair, who):
        return True
    if pair.old.kin or any(known.ZH_PERSON.match(said.text) for said in (pair.old, pair.new)):
        return _is_handed_over(pair)
    return have_one_kind(pair.old, pair.new)


def _is_handed_over(pair: Pair) -> bool:
    """Whether what somebody leads is told to be in other hands."""
    leads = ("=lead" in {word.text for word in said.words} for said in (pair.old, pair.new))
    return pair.is_change and any(leads) and any("交" in s.text for s in (pair.old, pair.new))


def _subject(pair: Pair) -> frozenset[str]:
    """The words by which both tell what they are about; where one does not, those of the other."""
    if "user" in (pair.old.person, pair.new.person):
        return frozenset()
    mine, theirs = topic_of(pair.old.text), topic_of(pair.new.text)
    return (mine & theirs if mine and theirs else mine | theirs) - _STATES


def _is_of_one_topic(pair: Pair, who: Collection[str]) -> bool:
    """Whether two things that are told of somebody have more in common than who it is: what is
    done, single characters of what it is done with, or of what is over with me two of these."""
    mine, theirs = ({w.text for w in words if not w.kind} for words in (pair.mine, pair.theirs))
    verbs, others = ({_verb(w) for w in words} for words in (pair.mine, pair.theirs))
    is_of_one_verb = any(verb[-1:] in {*known.ZH_GOVERNING} for verb in verbs & others)
    if is_of_one_verb and not pair.is_denial:
        return True
    return len((mine & theirs) - _GENERAL.union(who)) > (pair.is_denial and pair.is_of_user)


def _verb(word: Word) -> str:
    """What governs a word; of what something is, all of it: 是, and 鞋码是."""
    verb = word.governor[-1:]
    return word.governor if verb in _NAMING_ZH else verb
