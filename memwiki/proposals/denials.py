"""Whether a text denies what the lines deny, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from memwiki.judgement import statement_words as known
from memwiki.judgement.lexicon import Kind, any_of, lexicon, spelled_out
from memwiki.text import CJK_FROM, has_chinese, pattern, whole_words

_KINDS = lexicon().kinds
_NEGATIONS = [word for word, kind in _KINDS.items() if kind is Kind.NEGATION and word.isascii()]
_IDIOMS = (  # that deny nothing, and questions: "shouldn't I"
    "not (?:only|just|wait|forget|worry|to mention|i|you|he|she|it|we|they)"
    "|no (?:doubt|matter|problem|wonder|worries)"
)
_NO = pattern(
    rf"(?!(?:{_IDIOMS})\b){whole_words(any_of(_NEGATIONS))}|{known.ZH_NEGATIONS.pattern}",
    re.IGNORECASE,
)
_ENDED = (
    "avoid avoids avoided failed hardly lack lacks lacked quit quits rarely refuse "
    "refuses refused stop stops stopped unable"
).split()
_ZH_ENDED = "戒(?!指)|[停辞][了掉]|拒绝|很少|放弃|无法|不可"
INSTEAD = "rather than|instead of|as opposed to"
# What "no longer" may be made of, and "does not".
_NO_OR_ENDED = pattern(
    rf"{_NO.pattern}|{whole_words(any_of(_ENDED))}|g[ai]ven? up|{INSTEAD}|{_ZH_ENDED}",
    re.IGNORECASE,
)
_ZH_NO_DENIAL = pattern(r"(\w)[不没]\1|有没有|不好意思|对不起|差不多|[说只]不定")  # 是不是 asks
_CONDITION = pattern(
    r"\Awithout\b(?:[^,.;]{1,60},| \S+(?= (?:an?|the|no) ))", re.IGNORECASE
)  # under which something is so
_WITHOUT = pattern(r"\bwithout\b", re.IGNORECASE)  # denies a part, and nothing of the whole
_NOT_WITHOUT = pattern(r"\bwithout\b(.{1,60}?)\bnot\b", re.IGNORECASE)  # only with
_NO_THING = pattern(r"\b(?:\w+\s+)?(?:no|without)\s+\w+", re.IGNORECASE)
_ZH_NO_THING = pattern(r"[尚还]?[未不没无]\w{1,4}的")  # what is not so is spoken of
_DENIED_VERB = pattern(
    r"\b(?:not|never)\s+(?:be\s+)?([a-z]+(?:\s+(?:or|nor)\s+[a-z]+)?)"
    r"|\bwithout\s+([a-z]+ing)\b|不(\w\w)\w{0,6}的(?:情况|前提)下",
    re.IGNORECASE,
)
# What says that something is not so without a negation.
_MEANT = pattern(
    r"\b(?:otherwise|unless|only|except|other than|los[et]s?|lost|fail(?:s|ed|ure)?|ignored?|"
    r"missing|deprecated|removed|disabled|invalid|inactiv\w*|unavailable|unsupported|undefined|"
    r"optional|too|bypass\w*|skip\w*|prevent\w*|avoid\w*|exclu\w*|forbid\w*|prohibit\w*|"
    r"reject\w*|suppress\w*|lack\w*|stop\w*|block\w*|den(?:y|ies|ied)|hid(?:e|es|den)|hardly|"
    r"rarely|seldom|few|little|difficult|hard|impossible|instead|rather|independent\w*|directly|"
    r"before|finish\w*|until|un\w{5,}|in(?:correct|dependent|complete|sufficient)\w*)\b"
    "|失效|失败|废弃|弃用|丢失|关闭|禁用|否则|仅|只|除|忽略|删除|缺|绕过|跳过|避免|防止|阻止|拒绝|排除"
    "|截断|隐藏|独立|直接|之前|难以|停止|屏蔽|限制|结束|完成",
    re.IGNORECASE,
)
_ONLY = pattern(r"\bonly\b|[仅只]", re.IGNORECASE)
_BEYOND = pattern(
    r"\b(?:other|others|else|except|unless|outside|than|beyond|alone|but|if|when|where|elsewhere)\b"
    "|[除外其别非若]|如果|否则",
    re.IGNORECASE,
)
_HALF_DENIED = pattern(
    r"\b(?:only|optional(?:ly)?|less|unless|except|instead|rather|prevents?|disabled?|fail\w*|merely|"
    r"too|un\w{4,}|in(?:valid|correct|complete|sufficient)\w*)\b",
    re.IGNORECASE,
)
_CLAUSE_END = pattern(
    r"[.!?;,:]+(?=\s|\Z)|[\n。！？；，：]+|\b(?:but|although|though|while|because)\b|但是?|因为|所以"
)


Content = Callable[[str], frozenset[str]]  # the terms of a text that say something
_TURNED = "it says what the cited lines deny"


class Clause(NamedTuple):
    """What stands before a negation, and behind it; in Chinese all is behind, as 用不上 has its
    verb before it. None where nothing is denied."""

    before: str
    behind: str | None


def unlike_denial(text: str, lines: str, content: Content, *, in_file: bool) -> str:
    """Why a text denies otherwise than the lines; "" where it denies what they do. What is said in
    a conversation is told again in too different words to be read clause by clause."""
    claimed = _clauses(_NOT_WITHOUT.sub(r"\1", _CONDITION.sub("", text)), _NO)
    denied = [each for each in claimed if each.behind is not None]
    if denied and (why := _not_denied(denied, text, lines, content, in_file=in_file)):
        return why
    if not in_file and _NO_OR_ENDED.search(text):
        return ""
    if in_file and _is_verb_denied(text, lines, content):
        return _TURNED
    told = _clauses(_ZH_NO_THING.sub(" ", _WITHOUT.sub(" ", lines)), _NO)
    if not told:
        return ""
    plain = [each for each in _CLAUSE_END.split(text) if not _NO_OR_ENDED.search(spelled_out(each))]
    if not denied and not _NO_OR_ENDED.search(text) and _are_denied(content(text), lines, content):
        return _TURNED
    is_turned = any(_is_nearest_denied(content(each), told, content) for each in plain)
    return _TURNED if is_turned else ""


def _not_denied(
    denied: Sequence[Clause], text: str, lines: str, content: Content, *, in_file: bool
) -> str:
    told = [_clause_told(each, text, in_file=in_file) for each in _clause_texts(lines)]
    denials = [content(f"{each.before} {each.behind}") for each in told if each.behind is not None]
    if not denials:
        return "it denies something, and no cited line does"
    if not all(denials):
        return ""  # "No, I don't" denies what was asked
    known_words = frozenset[str]().union(*denials)
    pairs = frozenset[str]().union(*(_pairs(each.behind) for each in told))
    # A file's denial is told again in clauses of another size: all that the text says counts.
    whole = content(text) if in_file else frozenset()
    for each in denied:
        words = content(f"{each.before} {each.behind}")
        is_known = not known_words.isdisjoint(words | whole) or _pairs(each.behind) & pairs
        if words and not is_known:
            return "it denies something else than the cited lines"
        if _is_nearest_plain(words, told, text, content):
            return "it denies what the cited lines say"
    return ""


def _is_nearest_plain(
    words: frozenset[str], told: Sequence[Clause], text: str, content: Content
) -> bool:
    """Whether the clause that shares most of the words, and more than any other, denies nothing."""
    by_clause = [(len(words & content(f"{e.before} {e.behind or ''}")), e) for e in told]
    most, nearest = max(by_clause, key=lambda each: each[0])
    return (
        (nearest.behind is None or _is_only(nearest.behind, text))
        and not _WITHOUT.search(text)
        and 3 * most >= 2 * len(words)
        and most > 2
        and all(shared < most - 1 for shared, each in by_clause if each is not nearest)
    )


def _is_only(clause: str, text: str) -> bool:
    """Whether a clause denies no more than by "only", and a text of nothing else."""
    return bool(
        _ONLY.search(clause) and not _NO_OR_ENDED.search(clause) and not _BEYOND.search(text)
    )


def _is_meant(clause: str, text: str) -> bool:
    """Whether a clause says that something is not so in a word that the text has not."""
    said = {each[0].casefold() for each in _MEANT.finditer(text)}
    return any(each[0].casefold() not in said for each in _MEANT.finditer(clause))


def _pairs(text: str | None) -> frozenset[str]:
    """The pairs of Chinese characters, function words and all."""
    pairs = ("".join(each) for each in pairwise(text or ""))
    return frozenset(each for each in pairs if each[0] > CJK_FROM and each[1] > CJK_FROM)


def _are_denied(words: frozenset[str], lines: str, content: Content) -> bool:
    """Whether half of the words are in the lines, and all of these behind negations alone."""
    told = _clauses(lines, _NO)
    behind = words & content("\n".join(each.behind or "" for each in told))
    if 2 * len(behind) < len(words):
        return False
    return words.isdisjoint(content("\n".join(each.before for each in told)))


def _is_nearest_denied(words: frozenset[str], told: Sequence[Clause], content: Content) -> bool:
    """Whether the clause that shares most of the words, and more than any other, denies them."""
    shared = sorted((_shared(words, each, content) for each in told), key=lambda each: -sum(each))
    if not shared or (len(shared) > 1 and sum(shared[0]) == sum(shared[1])):
        return False
    before, behind = shared[0]
    return behind > before and behind > 1 and 2 * (before + behind) >= len(words)


def _shared(words: frozenset[str], told: Clause, content: Content) -> tuple[int, int]:
    """How many of the words are before a negation, or in a clause without one, and how many are
    behind it."""
    behind = words & content(told.behind or "")
    before = words & content(told.before) - behind
    return len(before), len(behind)


def _is_verb_denied(text: str, lines: str, content: Content) -> bool:
    """Whether the text says plainly what stands right behind a negation in the lines, and nowhere
    else there; "with no value" denies the value alone."""
    denied = frozenset[str]().union(*(content(each) for each in _verbs_denied(lines)))
    if not denied:
        return False
    plain = (
        each
        for each in _CLAUSE_END.split(_NO_THING.sub(" ", spelled_out(text)))
        if not _NO_OR_ENDED.search(each) and not _HALF_DENIED.search(each)
    )
    said = frozenset[str]().union(*(content(each) for each in plain))
    return bool(said & denied - content(_DENIED_VERB.sub(" ", spelled_out(lines))))


def _verbs_denied(lines: str) -> list[str]:
    return ["".join(filter(None, each)) for each in _DENIED_VERB.findall(spelled_out(lines))]


def _clause_texts(text: str) -> list[str]:
    return _CLAUSE_END.split(_ZH_NO_DENIAL.sub(" ", spelled_out(text)))


def _clauses(text: str, denying: re.Pattern[str]) -> list[Clause]:
    """The clauses of a text that denies something; none of any other."""
    found = [_clause(each, denying.search(each)) for each in _clause_texts(text)]
    return found if any(each.behind is not None for each in found) else []


def _clause_told(part: str, text: str, *, in_file: bool) -> Clause:
    """A clause of the lines; in a file one that means a denial without a negation is one, too."""
    clause = _clause(part, _NO_OR_ENDED.search(part))
    if in_file and clause.behind is None and _is_meant(part, text):
        return Clause("", part)
    return clause


def _clause(text: str, negation: re.Match[str] | None) -> Clause:
    if negation is None:
        return Clause(text, None)
    if has_chinese(negation[0]):
        return Clause("", text)
    return Clause(text[: negation.start()], text[negation.end() :])
