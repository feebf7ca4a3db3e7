"""Whether one text tells of a change in what the other says, in whatever words: both are of one
subject and share one thing more, or each has another one of a class of which there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memwiki.judgement import statement_words as known
from memwiki.judgement.alignment import is_of_root
from memwiki.judgement.concepts import IDEA, LIGHT
from memwiki.judgement.frames import class_of
from memwiki.judgement.replaced import ends_another, is_what_came
from memwiki.judgement.statement import NAME, Statement, Word
from memwiki.text import pattern

_BOUND = frozenset(("condition", "later", "addition"))
_FIRST_ZH = 2  # characters of a statement that tell what it is about
_MIN_SHARED_ZH = 2  # characters that both say besides
_TIMES = frozenset("clock date day month rate part".split())
_ABLE = pattern(r"\b(?:can|could|should|able)\b")
_ALL = pattern(r"\b(?:all|everything|everybody|everyone)\b|全部|整体|统一|所有|都|全")
_GONE = pattern(
    r"\b(?:not|gone|shut|deleted|removed|closed|retired|turned_off)\b|不|没|删|停|下线|关|解散|卖|退"
)
_MAX_TOLD = 14  # words
_USING = frozenset("use uses run runs".split())
_COVERED, _COVERED_BY_WORDS = 0.33, 0.5
# Of these a team has one, whatever it is said of.
_COMMON = frozenset("chat forge ci tracker cloud packager".split())


def tell_apart(old: Sequence[Statement], new: Sequence[Statement]) -> bool:
    """Whether one tells that what the other says is over."""
    if not (old and new) or old[0].is_chinese != new[0].is_chinese:
        return False
    is_told = ["change" in each[0].marks for each in (old, new)]
    if is_told[0] == is_told[1] or any(_BOUND & each.marks for each in (*old, *new)):
        return False
    said, teller = (new, old) if is_told[0] else (old, new)
    if ends_another(said[0], teller[0]):
        return False
    return _may_be_over(said[0], teller[0]) and _is_over(said, teller)


def _may_be_over(said: Statement, teller: Statement) -> bool:
    """Whether it holds now, and names neither what came nor what may be done; cheap."""
    if "earlier" in said.marks or said.is_of_points or said.kin != teller.kin:
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
    kinds = {kind for kind in both if told[kind] - classes[kind]}
    if kinds & _COMMON and _is_of_all(said[0], teller[0], mine, theirs):
        return True
    is_gone = "negation" in teller[0].marks
    shared = {text for text in mine if _is_in(text, theirs)}
    is_same = len(shared) == len(mine) or all(_is_in(text, mine) for text in theirs)
    if len(theirs) > _MAX_TOLD or (is_same and not is_gone):
        return False
    is_idea = any(text[0] == IDEA for text in shared)
    is_near = is_gone or is_idea
    if said[0].is_chinese:
        return _is_of_one_start(said[0], teller[0], shared, is_kind=bool(kinds))
    if not _is_of_one_subject(said[0], teller[0], theirs, is_part=bool(kinds)):
        return False
    is_put = said[0].verb in _USING and any(
        word.kind == NAME and word.text not in mine for word in theirs.values()
    )
    is_more = is_put or (bool(shared - said[0].subject) and (is_idea or len(shared) > 1))
    least = _COVERED if is_near or is_put else _COVERED_BY_WORDS
    return bool(kinds) or (is_more and len(shared) >= len(mine) * least)


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
    is_idea = any(text[0] == IDEA for text in shared)
    is_more = is_idea or is_kind or len(shared.difference(start)) >= _MIN_SHARED_ZH
    return start in teller.text and is_more


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
