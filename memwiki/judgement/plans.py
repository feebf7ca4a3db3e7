"""What was to come, or may have been so, and that it did not."""

from __future__ import annotations

from collections.abc import Collection

from memwiki.index.keyword.tokens import stem
from memwiki.judgement import statement_words as known
from memwiki.judgement.alignment import is_of_root
from memwiki.judgement.concepts import LIGHT, RELATIONS
from memwiki.judgement.statement import Statement
from memwiki.text import pattern

_CALLED_OFF = pattern(rf"{known.CALLED_OFF.pattern}|\b(?:decided against|abandoned|shelved)\b")
_KEPT = pattern(r"\b(?:stays?|remains?|(?:is|are) kept)\b")
_ENDING = pattern(
    r"(?:drop|remov|delet|archiv|shut|clos|cancel|retir|stop|end|sell|sold|leav|replac|deprecat)"
)
_NO_ACTS = known.SKIPPED | {"be"}
_SAYING_SO = frozenset("decid shelv abandon called_off turned_off scrap".split())


def is_undone(one: Statement, other: Statement) -> bool:
    """Whether one tells a plan or what may be, and the other that nothing came of it."""
    plan, told = (one, other) if "plan" in one.marks else (other, one)
    match = known.PLAN.search(plan.text)
    if match is None or plan.kin != told.kin or {"condition", "list"} & (plan.marks | told.marks):
        return False
    content = _content(plan)
    act = next(iter(_acts(plan.text[match.end() - 1 :])), "")
    if _KEPT.search(told.text):
        is_done_to = plan.text.startswith("will be ", match.start())
        things = told.subject - LIGHT - (frozenset() if is_done_to else plan.subject)
        return bool(things) and _ENDING.match(act) is not None and _stand_in(things, content)
    said = _content(told) - _SAYING_SO
    if not said or not _stand_in(said, content):
        return False
    if _CALLED_OFF.search(told.text):
        return bool(said - plan.subject)
    is_denied = "negation" in told.marks and len(said) > 1
    return is_denied and _stand_in({RELATIONS.get(act, stem(act))}, said)


def _content(said: Statement) -> set[str]:
    return {word.text for word in said.words if word.text not in LIGHT}


def _acts(text: str) -> list[str]:
    """The words from what is to be done on: not how it is."""
    return [
        word
        for word in text.split()
        if len(word) > 1 and word not in _NO_ACTS and not word.endswith("ly")
    ]


def _stand_in(words: Collection[str], others: Collection[str]) -> bool:
    return all(any(it == word or is_of_root(it, word) for it in others) for word in words)
