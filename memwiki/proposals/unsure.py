"""What the lines of a conversation only ask, suppose or hold possible, or say is over."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from memwiki.text import pattern

Content = Callable[[str], frozenset[str]]  # the terms of a text that say something

SENTENCE = pattern(r"(?<=[.!?;])\s|(?<=[。；！？\n])")
_CLAUSE = pattern(r"(?<=[,，])(?=\D)|\s(?=but\b)")
_OPENING = r"\A\W*(?:(?:so|and|but|oh|hey|well|wow|then|now|also)\b\W*)*"
# "Can you remember that ..." asks for something to be done, and says it.
_ASKS = pattern(
    rf"{_OPENING}(?:what if|how about|shall|should|do|does|did|am|are|is|was|were|have|has|had"
    r"|(?:can|could|will|would)(?! you)) "
    r"(?!you believe|there|i (?:tell|say)|.*\b(?:that|my|our|mine)\b)",
    re.IGNORECASE,
)
_ZH_ASKS = pattern(
    r"\A(?!.*(?:记|帮我|提醒|[好行对]吗|可以吗))"
    r".*(?:吗|[沒没]有|[对是好]不[对是好]|吧[?？]|[会要能该是]不[会要能该是].{0,40}[?？])[呀啊]?[?？]?\s*\Z"
)
_WILL = r"(?:\b(?:will|would|could)|['’](?:ll|d))\b"
_IF = pattern(
    rf"{_OPENING}(?:(?:only )?if|unless|in case)\b"
    r"(?! (?:you|anyone|i|we) (?:forg[eo]t|asks?|care|miss|missed|wonder))"
    rf"|{_WILL}.{{1,200}}(?<!see )(?<!great )(?<!nice )(?<!good )(?<!it )\b(?:if|unless)\b"
    "|如果|要是|假如|的话",
    re.IGNORECASE,
)
_THEN = pattern(rf"{_WILL}|[就那]", re.IGNORECASE)
_POSSIBLE = pattern(
    r"\b(?:i|we|he|she|they) may\b|(?<!others )(?<!people )\b(?:might|(?:maybe|perhaps|possibly"
    r"|probably)(?! \d| i should| tell| mention| know| remember))\b|(?<!尽)可能|也许|或许|说不定"
    r"|\b(?:imagine|suppose|supposing|assuming|let['’]?s (?:say|assume)|pretend|i doubt|i wish"
    r"|dream(?:ed|t)|(?:am|are|is|['’]m|['’]s|['’]re) (?:considering|thinking (?:of|about)"
    r"|dreaming of)|would be (?:nice|great|good|lovely) to (?:have|own|live))\b"
    r"|假设|假定|假如|设想|怀疑|梦见|梦到",
    re.IGNORECASE,
)
OVER = pattern(
    r"(?<!\bis )(?<!\bare )(?<!\bam )(?<!\bwas )(?<!\bwere )(?<!\bbe )(?<!\bbeen )(?<!\bget )"
    r"(?<!\bgets )(?<!\bgot )(?<!\bgetting )(?<!['’]m )(?<!['’]s )(?<!['’]re )\bused to (?!it\b)"
    r"|曾经|(?:\A|(?<=[我他她它们家，,]))以前(?!的)",
    re.IGNORECASE,
)
_DENIED = pattern(r"\b(?:not|never|no longer|\w+n['’]t)\b|[不没]", re.IGNORECASE)
# What of a fact says so, too, or tells what somebody said.
_TOLD_SO = pattern(
    r"\b(?:doubt\w*|wish\w*|dream\w*|imagine[ds]?|imagining|supposed?|assume[ds]?|assuming"
    r"|may|might|maybe|perhaps|possib\w+|probabl\w+|could|would|can|if|unless|when\w*|likely"
    r"|potential\w*|consider\w*|think\w*|thought|plan\w*|want\w*|hop(?:e|es|ed|ing)|ask\w*"
    r"|wonder\w*|interest\w*|curious|suggest\w*|unsure|recommend\w*|invit\w+|offer\w*|used"
    r"|acknowledg\w+|mention\w*|encourag\w+|express\w*|not|no|never)\b"
    r"|\b(?:as soon as|in case|during)\b|可能|也许|或许|想|打算|如果|要是|假如|问|希望|考虑|建议"
    "|以前|原来|[就时则会曾前过不没]",
    re.IGNORECASE,
)
_PAST = pattern(r"\b(?:\w{2,}ed|was|were|had|did)\b", re.IGNORECASE)


# ", but that is only a guess"
_TAKEN_BACK = pattern(
    r"\bbut (?:that|this|it)(?:['’]s| is| was) (?:only |just |all )?"
    r"(?:an? (?:guess|joke|lie|rumou?r|myth)|wrong|not true|untrue|false)\b"
    r"|但(?:那|这)?(?:只)?是?(?:猜|错的|假的|玩笑|谣言|不对)",
    re.IGNORECASE,
)


class _OpenClause(NamedTuple):
    text: str
    why: str


def why_unsure(text: str, lines: str, content: Content) -> str:
    """Why a fact is no more than asked, supposed, possible or over, where it says it plainly; ""
    where some of what it says is said so."""
    if _TOLD_SO.search(text):
        return ""
    words, told = content(text), [*_clauses(lines, is_past=bool(_PAST.search(text)))]
    plain = words & content("\n".join(each.text for each in told if not each.why))
    shared = [(words & content(each.text), each.why) for each in told if each.why]
    unsure = frozenset[str]().union(*(each for each, _ in shared))
    if 2 * len(unsure) < len(words) or not plain <= unsure or 3 * len(plain) > len(words):
        return ""
    return max(shared, key=lambda each: len(each[0]))[1]


def _clauses(lines: str, *, is_past: bool) -> Iterator[_OpenClause]:
    """The clauses of the lines, without those that deny something as it is."""
    for sentence in SENTENCE.split(lines):
        is_question, why = sentence.rstrip().endswith("?"), ""
        is_supposed = False
        if _TAKEN_BACK.search(sentence):
            why = "the cited lines take it back"
        for each in _CLAUSE.split(sentence):
            if (is_question and _ASKS.search(each)) or _ZH_ASKS.search(each):
                why = "the cited lines only ask it"
            elif _IF.search(each):
                is_supposed = True
            elif is_supposed and _THEN.search(each):
                why = "it leaves out a condition"
            own = why or _unsure(each, is_past=is_past)
            if own or not _DENIED.search(each):
                yield _OpenClause(each, own)


def _unsure(clause: str, *, is_past: bool) -> str:
    """What says that a clause is supposed, possible or over, as a reason."""
    if _IF.search(clause):
        return "it leaves out a condition"
    found = _POSSIBLE.search(clause) or (not is_past and OVER.search(clause))
    return f"it leaves out {found[0].strip().lower()}" if found else ""
