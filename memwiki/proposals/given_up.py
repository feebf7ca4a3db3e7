"""What the lines say of before alone, or reject for another thing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memwiki.proposals.beside import CLAUSE
from memwiki.proposals.claims import numbers_in
from memwiki.proposals.denials import INSTEAD
from memwiki.proposals.unsure import OVER, SENTENCE, Content
from memwiki.text import RUN, pattern

_IDIOMS = "only|just|to mention|sure|necessarily|bad|too|least|all|every|yet|that|so|really|much"
_SPAN = r"([^,.;:，。；：\n]{1,60})"
_REJECTED = pattern(
    rf"\bnot (?!(?:{_IDIOMS})\b){_SPAN}?,? but (?!also|only)"
    rf"|, (?:and )?not (?!(?:{_IDIOMS})\b){_SPAN}"
    rf"|(?:\A|[.;:!] )not (?!(?:{_IDIOMS})\b){_SPAN}:"
    rf"|\b(?:{INSTEAD}){_SPAN}|\bno longer((?: [^\s,.;:]+){{1,2}})"
    rf"|\brather [^,.;:\n]{{1,60}}? than {_SPAN}"
    rf"|(?:而不是|而非|不再?是|不在|不要用?|不用|别用?)([^，。；、,;！!\n]{{1,20}})",
    re.IGNORECASE,
)
_MAX_END = 24  # characters of a fact, in which the last word that counts stands
_SETS_AGAINST = pattern(
    r"\b(?:not|no|never|instead|rather|than|over|longer|\w+n['’]t|stop\w*|quit\w*)\b|[不没非别]|而是",
    re.IGNORECASE,
)
_BEFORE = pattern(
    rf"{OVER.pattern}|\b(?:formerly|previously|years ago|back then|in the past)"
    r"|\b(?:was|were|had)\b.{1,200}?\b(?:until|till|before|then|once)\b"
    r"|\b(?:until|till)\b.{1,200}?\b(?:was|were|had)\b|曾经?(?!理)|过去(?!吧)|原[来先]|早先",
    re.IGNORECASE,
)
_DATE = pattern(r"\d{4}-\d\d-?")  # all of it but the day
_WAS = pattern(r"\b(?:was|were|had)\b", re.IGNORECASE)
_SINCE = pattern(r"\b(?:now|since|these days|nowadays|currently)\b", re.IGNORECASE)
# What of a fact says that it is of before.
_TOLD_SO = pattern(
    r"\b(?:used|was|were|had|did|former\w*|previous\w*|before|until|till|ago|once|past|no longer"
    r"|\w{2,}ed|old)\b|以前|[曾过]|原[来先]|之前|早先|了",
    re.IGNORECASE,
)


def why_given_up(text: str, lines: str, content: Content) -> str:
    """Why a fact says what the lines say to be over, or reject for something else; "" where they
    do not."""
    if not _SETS_AGAINST.search(text):
        spans = [next(filter(None, found)) for found in _REJECTED.findall(lines)]
        if _says_of(text, spans, _REJECTED.sub(" ", lines), content):
            return "it says what the cited lines set aside for something else"
    if not _TOLD_SO.search(text):
        over = [*_of_before(lines)]
        rest = "\n".join(each for each in CLAUSE.split(lines) if each not in over)
        if _says_of(_end(text, content), over, rest, content):
            return "it says of now what the cited lines say of before"
    return ""


def _end(text: str, content: Content) -> str:
    """The last word that says something; of Chinese the last ones."""
    words = (each for each in reversed(RUN.findall(text)) if content(each) or numbers_in(each))
    return next(words, "")[-_MAX_END:]


def _of_before(lines: str) -> Iterator[str]:
    for sentence in SENTENCE.split(lines):
        is_since = _SINCE.search(sentence)
        for clause in CLAUSE.split(sentence):
            is_was = is_since and _WAS.search(clause) and not _SINCE.search(clause)
            if is_was or _BEFORE.search(clause):
                yield clause


def _says_of(text: str, spans: Sequence[str], rest: str, content: Content) -> bool:
    """Whether a text says a word or a number that stands in these stretches alone."""
    told = "\n".join(spans)
    if not told:
        return False
    words = content(text) & content(told) - content(rest)
    numbers = numbers_in(_DATE.sub(" ", text))
    return bool(words or numbers & numbers_in(told) - numbers_in(rest))
