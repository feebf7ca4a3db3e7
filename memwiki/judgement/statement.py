"""A short statement as it is compared with others: the words that say something, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, zip_longest
from typing import NamedTuple

from memwiki.facts.identity import HAN, ZH_DIGITS, normalised
from memwiki.index.keyword.tokens import stem
from memwiki.judgement import statement_words as known
from memwiki.judgement.lexicon import COUNTS, MONTHS, spelled_out, with_plain_numbers
from memwiki.patterns import pattern
from memwiki.text import has_chinese

NAME = "name"  # the kind of a capitalised word; other kinds are of amounts
_MAX_CHARS = 400  # characters
_MAX_WORDS = 20  # of a statement; two Chinese characters are one
# Links, tables, code, headings, questions, lists of terms.
_NO_STATEMENT = pattern(r"^[`#>*]|\]\(|\||#\d|@\w|\w\(|[!！?？…]|: .*: | [-–—] |[:：]$")
_SENTENCE_END = pattern(r"[.!;](?:\s|$)|[。！；]|\n")
_MAX_SENTENCES = 2
_BEGINNING = 3  # letters
_MARKS = pattern(r"[*_`]{1,3}|\[\[|\]\]")
_LABEL = pattern(r"^([A-Z]\w* \w[\w ]{2,30}): (?=[^\W\d]\w*(?: \w+){0,2}$)")
_CLAUSE = pattern(r"[^,.;，。；]*")
_NO = pattern(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|avoids?|stop)\b|"
    rf"n['’]t\b|{known.ZH_NEGATIONS.pattern}",
    re.IGNORECASE,
)
_YEAR = pattern(r"(?<![\w-])(?:19|20)\d\d(?![\w-])|(?:19|20)\d\d(?=年)")
_CLOCK = pattern(r"\d+m")
_DAY = pattern(r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?")
_FIGURES = pattern(r"[v$€£]?\d[\d.,:%-]*[a-z]{0,2}")
_ZH_FIGURES = pattern(f"[{ZH_DIGITS}兩]+")
_ZH_DAY = pattern("(?:[周週]|星期|礼拜)$")
_ZH_NO, _ZH_GAP, _ZH_IDEA = "\x01", "\x02", 0xE000
_ZH_TOKEN = pattern(
    f"[\x01\x02\ue000-\ue0ff]|[{ZH_DIGITS}兩]+|[{HAN}]|[0-9][0-9a-z.:-]*"
    f"|[^\\s{HAN}0-9\x01\x02\ue000-\ue0ff][^\\s{HAN}\x01\x02\ue000-\ue0ff]*"
)


class Word(NamedTuple):
    text: str  # its stem, or the idea it is a word for
    raw: str
    governor: str  # what stands before it
    kind: str = ""
    unit: str = ""  # what stands after it


class Statement(NamedTuple):
    """`marks` are change, negation, addition, condition, earlier, later and list."""

    words: tuple[Word, ...]
    text: str
    marks: frozenset[str]
    states: dict[int, int]  # which side of which line of known states
    years: frozenset[str]
    denied: str  # the last word of what is denied
    is_chinese: bool
    is_of_user: bool
    beginnings: frozenset[str]  # of the words


def statement_of(text: str) -> Statement | None:
    """None of what is long, a list of links, or asks."""
    text = text.strip()
    if len(text) > _MAX_CHARS or _NO_STATEMENT.search(text):
        return None
    plain = _MARKS.sub("", text)
    if len(_SENTENCE_END.findall(plain)) > _MAX_SENTENCES:
        return None
    return _chinese(plain) if has_chinese(plain) else _english(plain)


def _beginnings(words: tuple[Word, ...]) -> frozenset[str]:
    return frozenset(word.text[:_BEGINNING] for word in words)


# --- English ---


def _english(text: str) -> Statement | None:
    text = _LABEL.sub(r"\1 is ", text)
    plain = with_plain_numbers(normalised(spelled_out(text)))
    plain = re.sub(r"\bno longer\b", "not anymore", plain.replace("any more", "anymore"))
    plain = known.TURNED.sub(r"is turned_\1", plain.replace("used to ", "used_to "))
    raw = plain.split()
    words = tuple(_english_words(raw, _capitals(text)))
    if not words or len(raw) > _MAX_WORDS or not _has_verb(raw):
        return None
    return Statement(
        words,
        plain,
        frozenset(_english_marks(raw, plain)),
        {known.SIDES[word][0]: known.SIDES[word][1] for word in raw if word in known.SIDES},
        frozenset(_YEAR.findall(plain)),
        _denied(text),
        is_chinese=False,
        is_of_user=not known.USER.isdisjoint(raw[:3]),
        beginnings=_beginnings(words),
    )


def _capitals(text: str) -> frozenset[str]:
    """Words with a capital after the first one."""
    marked = (word for word in text.split()[1:] if any(map(str.isupper, word)))
    return frozenset(each for word in marked for each in normalised(spelled_out(word)).split())


def _english_words(raw: list[str], capitals: frozenset[str]) -> Iterator[Word]:
    before = ""
    for word, after in zip_longest(raw, raw[1:], fillvalue=""):
        if word in known.IDEAS:
            yield Word(known.IDEAS[word], word, before)
        elif not _is_skipped(word):
            kind = _kind(word) or (NAME if word in capitals else "")
            yield Word(stem(word), word, before, kind, after)
        if word not in known.SKIPPED or word in known.GOVERNING:
            before = word


def _is_skipped(word: str) -> bool:
    return any(
        word in words for words in (known.SKIPPED, known.USER, known.NEGATIONS, known.CHANGES)
    )


def _kind(word: str) -> str:
    if _CLOCK.fullmatch(word):
        return "clock"
    if _DAY.fullmatch(word):
        return "day"
    if word in MONTHS and word != "may":
        return "month"
    return "number" if word in COUNTS or _FIGURES.fullmatch(word) else ""


def _english_marks(raw: list[str], plain: str) -> Iterator[str]:
    found = frozenset(raw)
    for mark, words in (
        ("negation", known.NEGATIONS),
        ("change", known.CHANGES),
        ("addition", known.ADDITIONS),
        ("condition", known.CONDITIONS),
        ("list", ("and", "or", "&")),
    ):
        if not found.isdisjoint(words):
            yield mark
    if not known.EARLIER.isdisjoint(raw[:4]) or "used_to" in found or known.WAS.search(plain):
        yield "earlier"
    if known.LATER.search(plain):
        yield "later"


def _has_verb(raw: list[str]) -> bool:
    """Whether the first words make a sentence."""
    if raw[0] in known.USER or raw[0] in ("they", "he", "she", "use", "always", "never", "please"):
        return True
    if raw[0] in ("can", "could"):
        return False  # nobody is said to be able
    return len(raw) > 2 and any(_is_verb(*pair) for pair in pairwise(raw[:-1][:9]))


def _is_verb(before: str, word: str) -> bool:
    """Whether it may be one: a known one, "lives", or what follows a plural."""
    if word in known.FINITE:
        return True
    if not word.isalpha() or word in known.SKIPPED:
        return False
    is_third = word.endswith("s") and not word.endswith(("ss", "us"))
    return is_third or (before.endswith("s") and not word.endswith(("ing", "ed")))


def _denied(text: str) -> str:
    """The last word of the clause that follows a negation."""
    match = _NO.search(text)
    clause = _CLAUSE.match(text, match.end()) if match else None
    if clause is None:
        return ""
    if has_chinese(text):
        said = _ZH_TOKEN.findall(clause[0].casefold().rstrip("了的吗呢"))
    else:
        said = [word for word in normalised(clause[0]).split() if not _is_skipped(word)]
    return stem(said[-1]) if said else ""


# --- Chinese ---


def _chinese(text: str) -> Statement | None:
    plain = with_plain_numbers(normalised(text))
    words = tuple(_chinese_words(plain))
    if len(plain) > 2 * _MAX_WORDS or len(words) < 2:
        return None
    marks = {mark for mark, form in known.ZH_MARKS.items() if re.search(form, plain)}
    if known.ZH_NEGATIONS.search(plain):
        marks.add("negation")
    return Statement(
        words,
        plain,
        frozenset(marks),
        dict(known.SIDES[match[0]] for match in known.ZH_STATES.finditer(plain)),
        frozenset(_YEAR.findall(plain)),
        _denied(text),
        is_chinese=True,
        is_of_user=known.ZH_USER.match(plain) is not None,
        beginnings=_beginnings(words),
    )


def _chinese_words(plain: str) -> Iterator[Word]:
    """Each character but those that govern others or say nothing; Latin words whole."""
    text = known.ZH_SKIPPED.sub(_ZH_GAP, known.ZH_USER.sub(_ZH_GAP, plain.replace("使用", "用")))
    text = known.ZH_IDEAS.sub(_as_idea, known.ZH_NEGATIONS.sub(_ZH_NO, text))
    before = ""
    for match in _ZH_TOKEN.finditer(text):
        token = match[0]
        if _governs(token, before) or token in (_ZH_NO, _ZH_GAP, ","):
            before += "" if token == _ZH_GAP else token
            continue
        after = text[match.end() : match.end() + 1]
        idea = ord(token[0]) - _ZH_IDEA
        is_idea = 0 <= idea < len(known.ZH_IDEA_NAMES)
        word = known.ZH_IDEA_NAMES[idea] if is_idea else token
        yield Word(word, token, before[-6:], _chinese_kind(token, before), after)
        before += token


def _as_idea(match: re.Match[str]) -> str:
    return chr(_ZH_IDEA + (match.lastindex or 1) - 1)


def _governs(sign: str, before: str) -> bool:
    """Whether a value follows: not in 成都 and 华为."""
    if sign == "成":
        return before[-1:] in "改换換变"
    return sign in known.ZH_GOVERNING and not (sign == "为" and before.endswith("华"))


def _chinese_kind(token: str, before: str) -> str:
    if _ZH_DAY.search(before):
        return "day"
    return _kind(token) or ("number" if _ZH_FIGURES.fullmatch(token) else "")
