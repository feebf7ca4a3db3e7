"""What is said to have made room for something else, or to be over: what says it still is
excludes it. And whether one text tells of a change in what the other says, in whatever words: both
are of one subject and share one thing more, or each has another one of a class of which there is
one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Sized
from collections.abc import Set as AbstractSet
from itertools import pairwise

from memwiki.judgement import statement_words as known
from memwiki.judgement.alignment import are_of_two_subjects, is_of_root
from memwiki.judgement.concepts import CLASSES, IDEA, LIGHT, RELATIONS, SIGNS, ZH_RELATIONS
from memwiki.judgement.frames import class_of
from memwiki.judgement.statement import AMOUNTS, NAME, Ended, Statement, Word
from memwiki.judgement.told import may_be_changed, topic_of
from memwiki.text import pattern

_PAST = frozenset(("condition", "earlier", "later", "negation"))
WORK = "=work"
_AT_WORK = frozenset("at in for with as joined joins".split())  # before where somebody works
_WIDE = frozenset(("=home", WORK))  # said of everybody
_COPULAS = frozenset("is are called named".split())
_CHOOSING = frozenset("as use uses using".split())
_DONE_WITH = pattern(  # what one needs for it
    r"(?:\w+ed|\w+en|built|run|done|made|set|kept|sent|held|runs|comes?) (?:with|by|on|in|from|via)"
)
_HIS = {"he": "he", "his": "he", "him": "he", "she": "she", "her": "she", "their": "they"}
_FIRST_ZH = 2  # characters of a statement that tell what it is about
_WHOSE_ZH = "的"


def is_over(one: Statement, other: Statement) -> bool | None:
    """Whether one tells that something made room for another, and the other says it is there. None
    where the other is neither about that nor says what came."""
    if one.is_chinese != other.is_chinese or not (one.ended or other.ended):
        return None
    told = [
        (said, teller, ended)
        for teller, said in ((one, other), (other, one))
        for ended in teller.ended
    ]
    if any(_says_still(*each) for each in told):
        return True
    is_told = any(_found(said, ended.by) or _is_about(said, ended.what) for said, _, ended in told)
    return False if is_told else None


def _is_about(said: Statement, what: tuple[str, ...]) -> bool:
    if said.is_chinese:
        return said.text.startswith(what)
    return said.verb not in _COPULAS and said.subject.issuperset(what)


def _says_still(said: Statement, teller: Statement, ended: Ended) -> bool:
    if not _PAST.isdisjoint(said.marks) or "condition" in teller.marks or said.is_of_points:
        return False
    if is_what_came(said, ended):
        return False
    return (_is_still_zh if said.is_chinese else _is_still)(said, teller, ended)


def ends_another(said: Statement, teller: Statement) -> bool:
    """Whether one tells the end of what the other does not speak of, and no more: a car that was
    sold in the town where somebody lives."""
    if "clauses" in teller.marks:
        return False
    if said.is_chinese:
        return said.person != "user" and any(_is_apart_zh(said, it) for it in _changed_zh(teller))
    told = [text for ended in teller.ended for text in ended.what]
    is_replaced = any(ended.by for ended in teller.ended)
    is_one_of_many = not known.LIKES_WITH.isdisjoint(told)  # of two allergies one is gone
    is_said = all if is_one_of_many else any
    return bool(told) and not is_replaced and not is_said(_found(said, (text,)) for text in told)


def _changed_zh(teller: Statement) -> Iterator[str]:
    """What is given up, or is another one now; who 换了小米 has another thing."""
    for ended in teller.ended:
        yield from () if ended.by else ended.what
    for told in known.ZH_CHANGED.finditer(teller.text):
        if told[0][0] != "换" or ZH_RELATIONS.search(told["what"]):
            yield told["what"]


def _is_apart_zh(said: Statement, what: str) -> bool:
    """Whether no two characters of it stand in what is said."""
    parts = [first + last for first, last in pairwise(what)] or [what]
    return not any(part in said.text for part in parts)


def is_what_came(said: Statement, ended: Ended) -> bool:
    """Whether a statement names what took the place of something."""
    return bool(ended.by and _found(said, ended.by))


def _found(said: Statement, what: tuple[str, ...]) -> list[Word]:
    """The words that say something, of Chinese any; none where not all of it is said."""
    if said.is_chinese:
        return [*said.words] if what and all(word in said.text for word in what) else []
    found = [
        next((w for w in reversed(said.words) if w.text == text or is_of_root(w.text, text)), None)
        for text in what
    ]
    return [] if None in found else [word for word in found if word]


# --- English ---


def _is_still(said: Statement, teller: Statement, ended: Ended) -> bool:
    value = _found(said, ended.what)
    if not value or "event" in said.marks or value[0].governor == "about":
        return False
    if _is_called_off(said, teller, ended):
        return True
    if said.kin != teller.kin or are_of_two_subjects(said, teller):
        return False
    if not known.FOND.isdisjoint(word.text for word in said.words):
        return False  # of what was left one may be fond
    if said.subject.issuperset(word.text for word in value) or not _ends(value, teller):
        return False
    return _is_of_one_matter(said, teller, ended, value)


def _ends(value: list[Word], teller: Statement) -> bool:
    """Whether it is all of a value: no archive of it. Of a name more may be told: a Pixel 6."""
    after = value[-1].unit
    if value[-1].is_one and value[-1].kind == NAME:
        return True  # a Skoda Octavia
    if not after or len(value) > 1 or value[-1].kind in AMOUNTS or value[-1].raw in SIGNS:
        return True
    is_said = after in RELATIONS or after in teller.text.split()  # of one kind of tea
    return is_said or after in known.SKIPPED or after[0].isdigit() or after == "instead_of"


def _is_of_one_matter(said: Statement, teller: Statement, ended: Ended, value: list[Word]) -> bool:
    first = next(word for word in value if word.text not in said.subject)
    if known.RENAMED.search(teller.text):
        return _is_value(said, first, teller)
    mine, theirs = ({word.text for word in each.words} for each in (said, teller))
    shared = (mine & theirs) - {*ended.what}
    kinds = {CLASSES.get(word.raw, CLASSES.get(word.text, "")) for word in value}
    if {f"{IDEA}{kind}" for kind in kinds if kind} & mine or shared - _WIDE:
        return True
    if said.person or teller.person:
        person, whose = (
            (each.person or _HIS.get(each.text.split()[0], "")) for each in (said, teller)
        )
        if person == whose and person:
            return True
    if not teller.subject:
        return value[0].kind == NAME and value[0].governor in _COPULAS
    return teller.subject <= {*ended.what, value[-1].text} and _is_value(said, first, teller)


def _is_value(said: Statement, value: Word, teller: Statement) -> bool:
    """Whether it is what something is, or with which it is done: no sofa on which it is, no friend.
    What was sold, others may go on with."""
    if said.person not in ("", "user"):
        return False
    if value.governor in _COPULAS or value.governor in _CHOOSING:
        return True
    is_named = value.kind == NAME or value.is_one or not value.raw.isalpha()
    words = said.text.partition(f" {value.raw}")[0].split()
    is_done = any(map(_DONE_WITH.fullmatch, (f"{one} {by}" for one, by in pairwise(words[-3:]))))
    return is_named and is_done and " sold" not in teller.text


def _is_called_off(said: Statement, teller: Statement, ended: Ended) -> bool:
    """Whether what is told to be off is all that the other says something of."""
    match = known.CALLED_OFF.search(teller.text)
    what = {*ended.what}
    is_it = said.subject <= what or (len(what) > 1 and said.head in what)
    if match is None or ended.by or not said.subject or not is_it:
        return False
    return match[0] != "turned_off" or any(word.kind in _TIMES for word in said.words)


# --- Chinese ---


def _is_still_zh(said: Statement, teller: Statement, ended: Ended) -> bool:
    (what,) = ended.what
    at = said.text.find(what)
    if at < 1 or said.text[at + len(what) :].startswith(_WHOSE_ZH):
        return False
    ideas = {word.text for word in said.words} & {word.text for word in teller.words}
    is_of_idea = any(text[0] == IDEA and text not in _WIDE for text in ideas)
    start = said.text[:_FIRST_ZH]
    if start in teller.text.replace(what, "") or (is_of_idea and not teller.person):
        return True
    return said.person == teller.person == "user" or (
        teller.person == "user" and what.isascii() and said.text[at - 1] in known.ZH_GOVERNING
    )


_BOUND = frozenset(("condition", "later", "addition"))
_DUE_ZH = pattern("还没|尚未")
_MIN_SHARED_ZH = 2  # characters that both say besides
_TIMES = frozenset("clock date day month rate part".split())
_ABLE = pattern(r"\b(?:can|could|should|able)\b")
_ALL = pattern(r"\b(?:all|everything|everybody|everyone)\b|全部|整体|统一|所有|都|全")
_GONE = pattern(
    r"\b(?:not|gone|shut|deleted|removed|closed|retired|turned_off)\b|不|没|删|停|下线|关|解散|卖|退"
)
_MAX_TOLD = 14  # words
# What was never taken is not replaced when something else is.
_REJECTED = pattern(
    r"\b(?:decided|voted) against\b|\b(?:rejected|ruled out|turned down|declined)\b"
    r"|否决|决定不|不采用|不考虑"
)
_USING = frozenset("use uses run runs runs_on".split())
_STUDYING = frozenset("learn studi speak understand".split())  # one language besides others
_COVERED, _COVERED_BY_WORDS = 0.33, 0.5
# Of these a team has one, whatever it is said of.
_COMMON = frozenset("chat forge ci tracker cloud packager".split())


def is_rejection_of_another(one: Sequence[Statement], other: Sequence[Statement]) -> bool:
    """Whether a text says what was not taken, and the other one does not speak of that."""
    if not any(_REJECTED.search(each.text) for each in one):
        return False
    theirs = _content(other)
    return not any(word.kind == NAME and _is_in(word.text, theirs) for word in one[0].words)


def tell_apart(old: Sequence[Statement], new: Sequence[Statement]) -> bool:
    """Whether one, which alone tells of a change, tells that what the other says is over."""
    if old[0].is_chinese != new[0].is_chinese or any(_BOUND & it.marks for it in (*old, *new)):
        return False
    said, teller = (new, old) if "change" in old[0].marks else (old, new)
    if ends_another(said[0], teller[0]):
        return False
    return _may_be_over(said[0], teller[0]) and _is_over(said, teller)


def _may_be_over(said: Statement, teller: Statement) -> bool:
    """Whether it holds now, and names neither what came nor what may be done; cheap."""
    if said.is_of_points or said.kin != teller.kin or {"earlier", "done"} & said.marks:
        return False
    is_new = any(is_what_came(said, ended) for ended in teller.ended)
    return not is_new and _ABLE.search(said.text) is None


def _is_over(said: Sequence[Statement], teller: Sequence[Statement]) -> bool:
    mine, theirs = _content(said), _content(teller)
    classes, told = _classes(mine), _classes(theirs)
    both = classes.keys() & told.keys()
    is_still = any(_is_so_still(classes[kind], told[kind], teller) for kind in both - _TIMES)
    if is_still or "=birth" in mine or not known.FOND.isdisjoint(mine.keys() - theirs.keys()):
        return False
    is_gone = "negation" in teller[0].marks
    is_all_gone = is_gone and _is_all_ended(teller[0])
    many = {"language"} if not _STUDYING.isdisjoint(theirs) else set()
    kinds = {kind for kind in both - many if told[kind] - classes[kind] and not is_all_gone}
    if kinds & _COMMON and _is_of_all(said[0], teller[0], mine, theirs):
        return True
    shared = {text for text in mine if _is_in(text, theirs)}
    is_same = len(shared) == len(mine) or all(_is_in(text, mine) for text in theirs if text != WORK)
    if len(theirs) > _MAX_TOLD or (is_same and not is_gone):
        return False
    if said[0].is_chinese:
        return _is_of_one_start(said[0], teller[0], shared, is_kind=bool(kinds))
    if is_of_another_matter(said[0], teller[0], shared):
        return False
    more = [word for text, word in theirs.items() if text not in mine and word.raw not in _USING]
    is_use = not _USING.isdisjoint((said[0].verb, said[0].words[0].raw))
    is_put = is_use and bool(more) and all(word.kind == NAME for word in more)
    return _is_of_one_subject(said[0], teller[0], theirs, is_part=bool(kinds)) and (
        bool(kinds)
        or (is_put and _is_put_alone(said[0], mine))
        or _is_covered(said[0].subject, mine, shared, is_gone=is_gone)
    )


def is_of_another_matter(said: Statement, teller: Statement, shared: AbstractSet[str]) -> bool:
    """Whether one tells how somebody works and the other where, or a thing of somebody was changed
    that the other does not speak of: an exam, and no flight."""
    if said.is_chinese:
        return False
    if shared - said.subject == {WORK}:
        both = [{word.governor for word in each.words} for each in (said, teller)]
        return "to" not in both[0] | both[1] and any(map(_AT_WORK.isdisjoint, both))
    is_his = teller.is_of_other and bool(teller.subject & said.subject and teller.head)
    return is_his and not _is_in(teller.head, {word.text: word for word in said.words})


def _is_all_ended(teller: Statement) -> bool:
    """Whether what is gone is all that is told; Chinese names what came in the same clause."""
    is_plain = not teller.is_chinese and "clauses" not in teller.marks
    return is_plain and not any(ended.by for ended in teller.ended)


def _is_put_alone(said: Statement, mine: Sized) -> bool:
    """Whether nothing is told but who uses what: not where, or for what."""
    return len(mine) <= len(said.subject) + 1


def _is_covered(subject: Collection[str], mine: Sized, shared: set[str], *, is_gone: bool) -> bool:
    """Whether both say enough of the same."""
    is_idea = any(text[0] == IDEA for text in shared)
    is_more = bool(shared.difference(subject)) and (is_idea or len(shared) > 1)
    least = _COVERED if is_gone or is_idea else _COVERED_BY_WORDS
    return is_more and len(shared) >= len(mine) * least


def _is_of_all(
    said: Statement, teller: Statement, mine: Mapping[str, Word], theirs: Mapping[str, Word]
) -> bool:
    """Whether it is of the whole team, or of what both speak of."""
    if said.person == "user" or _ALL.search(teller.text):
        return True
    if said.is_chinese:
        return said.text[:_FIRST_ZH] in teller.text
    return all(_is_in(text, theirs) for text in said.subject) or all(
        _is_in(text, mine) for text in teller.subject
    )


def _is_of_one_start(
    said: Statement, teller: Statement, shared: set[str], *, is_kind: bool
) -> bool:
    start = said.text[: 1 if said.person in (*"他她",) else _FIRST_ZH]
    if (first := said.words[0].raw).isascii():
        start = first
    topic = topic_of(said.text) & topic_of(teller.text)
    more = shared.difference(start, topic)
    is_idea = any(text[0] == IDEA for text in more)
    is_due = _DUE_ZH.search(said.text) is not None and topic == topic_of(said.text) != frozenset()
    is_more = is_idea or is_kind or is_due or len(more) >= _MIN_SHARED_ZH
    is_subject = start in teller.text and (said.person or may_be_changed(said, teller, shared))
    return bool(is_subject) and is_more


def _is_so_still(values: set[str], told: set[str], teller: Sequence[Statement]) -> bool:
    """Whether what came is what the other says: no clause tells that it is gone."""
    return any(
        not any(_GONE.search(part.text) and value in part.text for part in teller[1:])
        for value in values & told
    )


def _is_of_one_subject(
    said: Statement, teller: Statement, told: Mapping[str, Word], *, is_part: bool
) -> bool:
    if said.person or teller.person:
        return said.person == teller.person
    mine = {word.text: word for word in said.words}
    is_all = all(_is_in(text, told) for text in said.subject) or (
        is_part and all(_is_in(text, mine) for text in teller.subject)
    )
    return bool(said.subject) and is_all and any(_is_in(text, mine) for text in teller.subject)


def _content(said: Sequence[Statement]) -> dict[str, Word]:
    return {w.text: w for each in said for w in each.words if w.text not in LIGHT}


def _classes(words: Mapping[str, Word]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for word in words.values():
        kind = class_of(word)
        if kind and kind != "number":
            found.setdefault(kind, set()).add(word.raw)
    return found


def _is_in(text: str, words: Mapping[str, Word]) -> bool:
    return text in words or any(is_of_root(text, other) for other in words)
