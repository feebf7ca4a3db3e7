"""What the lines set against what they say: what was before, what is rejected for another thing;
and the subject of a clause with what another one says of something else."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import product

from memwiki.proposals.beside import FUNCTION, PREPOSITIONS, Tokens, sentences
from memwiki.proposals.claims import numbers_in
from memwiki.proposals.unsure import OVER, SENTENCE, Content
from memwiki.text import RUN, is_cjk, pattern

_CLAUSE = pattern(
    r"[,，;；。:：!?！？\n]+|\.(?=\s|\Z)|\b(?:and|but|while|whereas|though|although)\b",
    re.IGNORECASE,
)
_IDIOMS = "only|just|to mention|sure|necessarily|bad|too|least|all|every|yet|that|so|really|much"
_SPAN = r"([^,.;:，。；：\n]{1,60})"
_REJECTED = pattern(
    rf"\bnot (?!(?:{_IDIOMS})\b){_SPAN}?,? but (?!also|only)"
    rf"|, (?:and )?not (?!(?:{_IDIOMS})\b){_SPAN}"
    rf"|(?:\A|[.;:!] )not (?!(?:{_IDIOMS})\b){_SPAN}:"
    rf"|\b(?:instead of|rather than|as opposed to|no longer){_SPAN}"
    rf"|\brather [^,.;:\n]{{1,60}}? than {_SPAN}"
    rf"|(?:而不是|而非|不再?是|不在|不要用?|不用|别用?)([^，。；、,;！!\n]{{1,20}})",
    re.IGNORECASE,
)
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
        rest = "\n".join(each for each in _CLAUSE.split(lines) if each not in over)
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
        for clause in _CLAUSE.split(sentence):
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


_MAX_END = 24  # characters
_SPEAKER = frozenset("i we 我 们".split())
_LEADING = frozenset("my our the a an his her their your 的".split())
_POINTING = frozenset("it them him her that this these those 它 他 她 这 那".split())
_NO_SUBJECT = (
    PREPOSITIONS
    | _POINTING
    | _SPEAKER
    | frozenset(
        "you he she they which who there sinc until till now then later also still again today "
        "yesterday tomorrow not never befor after onli 你 谁 现 后 再 又 也 还 今 昨 明 以 之 都 "
        "就".split()
    )
)
_MAX_CLAUSES = 40
_MAX_HEAD = 6  # tokens of the subject of a clause


def crossed(text: str, lines: str, speakers: Collection[str]) -> str:
    """Why a fact has the subject of one clause before what another says of another subject: "Ann
    likes jazz" of "Ann likes rock, Bob likes jazz"; "" where it has not."""
    told = [_without(_LEADING, each) for part in _CLAUSE.split(lines) for each in sentences(part)]
    names = {token for name in speakers for each in sentences(name) for token in each}
    for part in _CLAUSE.split(text):
        for mine in (_without(_LEADING | names, each) for each in sentences(part)):
            if not any(_is_within(mine, each) for each in told) and _is_crossed(mine, told):
                return "it says of one what the cited lines say of another"
    return ""


def _without(words: Collection[str], tokens: Tokens) -> Tokens:
    """The tokens from the first on that is none of these, nor what is theirs."""
    rest = (at for at, each in enumerate(tokens) if each.partition("'")[0] not in words)
    return tokens[next(rest, len(tokens)) :]


def _is_within(mine: Tokens, theirs: Tokens) -> bool:
    """Whether all the tokens stand in others, in their order."""
    rest = iter(theirs)
    return all(each in rest for each in mine)


def _is_crossed(mine: Tokens, told: Sequence[Tokens]) -> bool:
    own = [_without(_SPEAKER | _LEADING, each) for each in told]
    begun = ((each, _common(mine, each)) for each in own)
    ended = ((each, _common(mine[::-1], each[::-1])) for each in told)
    firsts = [(one, first) for one, first in begun if 0 < first < len(mine)][:_MAX_CLAUSES]
    lasts = [(other, last) for other, last in ended if 0 < last < len(mine)][:_MAX_CLAUSES]
    return any(
        first + last >= len(mine)
        and one != other
        and not _POINTING.issuperset(one[first:])
        and _is_subject(other[: len(other) - last], mine)
        for (one, first), (other, last) in product(firsts, lasts)
    )


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many tokens two begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _is_subject(head: Tokens, mine: Tokens) -> bool:
    """Whether what a clause begins with is another one than a fact is about; of Chinese one
    character is enough, as 小李 is another one than 小王."""
    telling = {each for each in head if each not in FUNCTION}
    others = telling.difference(mine)
    is_other = bool(others) and (others == telling or all(map(is_cjk, telling)))
    has_none = any(each.partition("'")[0] in _NO_SUBJECT for each in head)
    return is_other and len(head) <= _MAX_HEAD and not has_none
