"""A short statement as it is compared with others: the words that say something, in order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import zip_longest

from memwiki.facts.identity import HAN, ZH_DIGITS, normalised
from memwiki.index.keyword.tokens import stem
from memwiki.judgement import statement_words as known
from memwiki.judgement.clauses import clauses_of, has_verb, verb_at
from memwiki.judgement.lexicon import MONTHS, spelled_out, with_plain_numbers
from memwiki.patterns import pattern
from memwiki.records import NamedTuple
from memwiki.text import has_chinese

NAME = "name"  # the kind of a capitalised word; other kinds are of amounts
_MAX_CHARS = 400  # characters
_MAX_WORDS = 20  # of a statement; two Chinese characters are one
# Links, tables, code, headings, questions, formulas, lists of terms.
_NO_STATEMENT = pattern(
    r"^(?:[#>*]|`(?![^`]+` (?:is|are|was|has|defaults|should|must)\b))"
    r"|\]\(|\||#\d|@\w|\w\(|[!！?？…]|\$[\\A-Za-z]|: .*: | [-–—] |[:：]$"
    r"|^(?:[A-Z]\w*|\d+)(?: (?:[A-Z]\w*|\d+|\(.*\)))+: (?:\S+ ){3}"
)
_SENTENCE_END = pattern(r"[.!;](?:\s|$)|[。！；]|\n")
_MAX_SENTENCES = 2
_BEGINNING = 3  # letters
_MARKS = pattern(r"[*_`]{1,3}|\[\[|\]\]")
_LABEL = pattern(r"^([A-Z][\w-]*(?: [\w'’-]+){0,3} [a-z][\w-]*): (?=[^\W\d][\w-]*(?: \w+){0,2}$)")
_CLAUSE = pattern("[,.;，。；]")
_NO = pattern(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|avoids?|stop|stopped|"
    r"quits?|gave up|called off|broke up with|dropped|sold)\b|"
    rf"n['’]t\b|{known.ZH_NEGATIONS.pattern}",
    re.IGNORECASE,
)
_A_DATE = pattern(r"[a-z]{3}_\d+")
_A_MONTH = "|".join(f"{month}|{month[:3]}" for month in MONTHS)
_DAY = pattern(r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?")
_WHEN = pattern(
    r" (?:(?:in|on|at|since|after|from|during|for) )?(?:the |last |this |next )?"
    rf"(?:spring|summer|autumn|fall|winter|weekends?|weekdays?|week|month|year|today|yesterday|"
    rf"mornings?|evenings?|nights?|\d+|{'|'.join(MONTHS)}|{_DAY.pattern})\b.*$"
)
_YEAR = pattern(r"(?<![\w-])(?:19|20)\d\d(?![\w-])|(?:19|20)\d\d(?=年)")
_CLOCK = pattern(r"\d+m")
_DATE = pattern(
    rf"\b(?:(?P<month>{_A_MONTH}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\w:.])"
    rf"|(?P<day_first>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<month_last>{_A_MONTH}))\b"
)
_DIGIT = pattern(r"\d")
_HALF_DAY = 720  # minutes
_AT = pattern(r"\bat (1?\d)(?= (?:on|in|every|now|until)\b|$)")
_ZH_DATE = pattern(r"(\d{1,2})月(\d{1,2})[日号號]")
_FIGURES = pattern(r"[v$€£]?\d[\d.,:%-]*[a-z]{0,2}")
_CONTEXTS = frozenset(("change", "addition", "condition", "earlier", "later"))  # of all clauses
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
    is_one: bool = False  # a thing of its kind: after "a"


class Statement(NamedTuple):
    """`marks` are change, negation, addition, condition, earlier, later and list."""

    words: tuple[Word, ...]
    text: str
    marks: frozenset[str]
    states: dict[int, int]  # which side of which line of known states
    years: frozenset[str]
    denied: str  # the last word of what is denied
    is_chinese: bool
    person: str  # the pronoun it begins with; "user" is I and we
    beginnings: frozenset[str]  # of the words
    subject: frozenset[str] = frozenset()  # words before the verb
    ended: tuple[str, ...] = ()  # what was before, of a change it tells
    is_main: bool = True  # no later clause


def is_list_item(text: str) -> bool:
    """Whether it looks like a link, a heading, code, a question or a list, and no sentence."""
    return _NO_STATEMENT.search(text) is not None


def statements_of(text: str) -> tuple[Statement, ...]:
    """What a text says: the whole, where it is short, and each clause of several. None of what is
    a list of links, or asks."""
    text = text.strip().rstrip("!！")  # as a sentence may end
    if len(text) > _MAX_CHARS or is_list_item(text):
        return ()
    plain = known.LEFT.sub("quit ", _MARKS.sub("", text))
    if len(_SENTENCE_END.findall(plain)) > _MAX_SENTENCES:
        return ()
    is_chinese = has_chinese(plain)
    read = _chinese if is_chinese else _english
    whole = read(plain)
    return (*((whole,) if whole else ()), *_parts(plain, read, is_chinese=is_chinese))


def _parts(
    text: str, read: Callable[[str], Statement | None], *, is_chinese: bool
) -> Iterator[Statement]:
    """The clauses of a text. The time and the condition of one are those of all."""
    clauses = clauses_of(text, is_chinese=is_chinese)
    if not clauses:
        return
    marks = _CONTEXTS & (_marks_zh if is_chinese else _marks)(text)
    years = frozenset(_YEAR.findall(normalised(text)))
    for at, clause in enumerate(clauses):
        if part := read(clause):
            yield part._replace(marks=part.marks | marks, years=years, is_main=at == 0)


def _beginnings(words: tuple[Word, ...]) -> frozenset[str]:
    return frozenset(word.text[:_BEGINNING] for word in words)


# --- English ---


def _marks(text: str) -> frozenset[str]:
    plain = _plain(text)
    return frozenset(_english_marks(plain.split(), plain))


def _plain(text: str) -> str:
    plain = with_plain_numbers(normalised(spelled_out(text)))
    for part, form, one in known.PHRASES:
        if part in plain:
            plain = form.sub(one, plain)
    if not _DIGIT.search(plain):
        return plain
    return _DATE.sub(_as_date, _AT.sub(_as_clock, plain))


def _as_clock(match: re.Match[str]) -> str:
    return f"at {int(match[1]) * 60 % _HALF_DAY}m"


def _as_date(match: re.Match[str]) -> str:
    month, day = match["month"] or match["month_last"], match["day"] or match["day_first"]
    return f"{month[:3]}_{day}"


def _english(text: str) -> Statement | None:
    text = _LABEL.sub(r"\1 is ", text)
    plain = _plain(text)
    raw = plain.split()
    capitals = _capitals(text)
    words = tuple(_english_words(raw, capitals))
    if not words or len(raw) > _MAX_WORDS or not has_verb(raw, capitals):
        return None
    return Statement(
        words,
        plain,
        frozenset(_english_marks(raw, plain)),
        {known.SIDES[word][0]: known.SIDES[word][1] for word in raw if word in known.SIDES},
        frozenset(_YEAR.findall(plain)),
        _denied(text),
        is_chinese=False,
        subject=_subject(raw, capitals),
        person=_person(raw),
        beginnings=_beginnings(words),
        ended=tuple(
            stem((match[1] or match[2]).split()[-1]) for match in known.ENDED.finditer(plain)
        ),
    )


def _subject(raw: list[str], capitals: frozenset[str]) -> frozenset[str]:
    before = [] if raw[0] in known.PRONOUNS else raw[: verb_at(raw, capitals)]
    return frozenset(word.text for word in _english_words(before, capitals))


def _person(raw: list[str]) -> str:
    if not known.USER.isdisjoint(raw[:3]):
        return "user"
    return raw[0] if raw[0] in ("he", "she", "they") else ""


def _capitals(text: str) -> frozenset[str]:
    """Words with a capital after the first one."""
    marked = (word for word in text.split()[1:] if any(map(str.isupper, word)))
    return frozenset(each for word in marked for each in normalised(spelled_out(word)).split())


def _english_words(raw: list[str], capitals: frozenset[str]) -> Iterator[Word]:
    before = last = ""
    for word, after in zip_longest(raw, raw[1:], fillvalue=""):
        if word in known.IDEAS:
            yield Word(known.IDEAS[word], word, before)
        elif not _is_skipped(word):
            kind = _kind(word) or (NAME if word in capitals else "")
            yield Word(stem(word), word, before, kind, after, last in ("a", "an"))
        if word not in known.SKIPPED or word in known.GOVERNING:
            before = word
        last = word


def _is_skipped(word: str) -> bool:
    return word in known.UNSAID or not any(map(str.isalnum, word))


def _kind(word: str) -> str:
    if kind := known.KINDS.get(word):
        return kind
    if _CLOCK.fullmatch(word):
        return "clock"
    if _DAY.fullmatch(word):
        return "day"
    if _A_DATE.fullmatch(word):
        return "date"
    return "number" if _FIGURES.fullmatch(word) else ""


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
    if raw[verb_at(raw)] in known.EVENTS:
        yield "event"


def _denied(text: str) -> str:
    """The last word of the clause that follows a negation."""
    match = _NO.search(text)
    if match is None:
        return ""
    clause = _CLAUSE.split(text[match.end() :], 1)[0]
    if has_chinese(text):
        said = _ZH_TOKEN.findall((clause.rstrip("了的吗呢") or text[: match.start()]).casefold())
    else:
        object_ = f" {normalised(clause)}"
        object_ = _WHEN.sub("", object_).strip() or object_
        said = [word for word in object_.split() if not _is_skipped(word)]
    return stem(said[-1]) if said else ""


# --- Chinese ---


def _chinese(text: str) -> Statement | None:
    plain = _ZH_DATE.sub(r"\1-\2日", with_plain_numbers(normalised(text)))
    words = tuple(_chinese_words(plain))
    if len(plain) > 2 * _MAX_WORDS or len(words) < 2:
        return None
    return Statement(
        words,
        plain,
        _marks_zh(text),
        dict(known.SIDES[match[0]] for match in known.ZH_STATES.finditer(plain)),
        frozenset(_YEAR.findall(plain)),
        _denied(text),
        is_chinese=True,
        person=_person_zh(plain),
        beginnings=_beginnings(words),
        ended=tuple(match[1] or match[2] for match in known.ZH_ENDED.finditer(plain)),
    )


def _marks_zh(text: str) -> frozenset[str]:
    plain = with_plain_numbers(normalised(text))
    marks = {mark for mark, form in known.ZH_MARKS.items() if re.search(form, plain)}
    return frozenset(marks | ({"negation"} if known.ZH_NEGATIONS.search(plain) else set()))


def _person_zh(plain: str) -> str:
    if known.ZH_USER.match(plain):
        return "user"
    return plain[0] if plain[0] in "他她" else ""


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
