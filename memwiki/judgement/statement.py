"""A short statement as it is compared with others: its clauses, and the words that say something,
in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise, zip_longest

from memwiki.facts.identity import HAN, ZH_DIGITS, normalised
from memwiki.index.keyword.tokens import stem
from memwiki.judgement import statement_words as known
from memwiki.judgement.lexicon import MONTHS, spelled_out, with_plain_numbers
from memwiki.patterns import pattern
from memwiki.records import NamedTuple
from memwiki.text import has_chinese

_MAX_CLAUSES = 4
_BREAK = pattern(
    r"(?<!\bDr)(?<!\bSt)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bProf)\.\s+"
    r"|[,;]\s+(?:and|but|so)?\b\s*|\s+(?:because|but|although|though|until|after|before)\s+"
    r"|:\s+(?=\w+ \w+ \w)"
)
_AND = pattern(r"\s+and\s+(?:(?:now|then|only|just)\s+)?(?=(\w+))")
_BREAK_ZH = pattern("[，。；,;]")
_OWN = pattern(
    r"(?:he|she|it|they|we|i|you|the|a|an|my|our|his|her|their|your|all|everyone|everybody|nobody|nothing|"
    r"use|always|never|please|[A-Z]\w*)\b"
)
_SOMEBODY = pattern(
    r"(?:he|she|it|they|we|i|you|everyone|everybody|nobody|nothing)\b", re.IGNORECASE
)
_PRONOUN = pattern(r"(?:he|she|it|they)\b(?P<is>['’]s)?\s+", re.IGNORECASE)
_CONTEXT_ZH = pattern(
    "(?:在|当|對|对|于|从|從|为|根据|按)|.*(?:[时時后後前里中上下日年月天号]|期间|环境)$"
)
_TOPIC_ZH = pattern(
    "[^，。；,;]{1,7}?(?=[的是在到用有不没沒把将將已现現改换換搬从從对對由归歸要会會每去上因喜最跳转轉戒調调]"
    "|[，。；,;])"
)


def clauses_of(text: str, *, is_chinese: bool) -> tuple[str, ...]:
    """Each clause of a text of several, short ones with what stands before them."""
    found = _clauses_zh(text) if is_chinese else _clauses(text)
    return tuple(dict.fromkeys(each for each in found if each != text))[:_MAX_CLAUSES]


def _clauses(text: str) -> Iterator[str]:
    parts = [part for each in _joined(_BREAK.split(text)) for part in _coordinated(each)]
    if len(parts) < 2:
        return
    subject = subject_of(parts[0])
    yield parts[0]
    for part in parts[1:]:
        pronoun = _PRONOUN.match(part)
        if subject and pronoun:
            verb = "is " if pronoun["is"] else ""
            yield f"{subject} {verb}{part[pronoun.end() :]}"
        else:
            yield part if _OWN.match(part) or not subject else f"{subject} {part}"


def _joined(parts: list[str | None]) -> Iterator[str]:
    """The parts, those that are no clause with the one before; a beginning with the next one."""
    held = ""
    for part in filter(None, parts):
        if held and (_is_clause(part) and _is_clause(held)):
            yield held
            held = part
        else:
            held = f"{held}, {part}" if held else part
    if held:
        yield held


def _is_clause(part: str) -> bool:
    words = spelled_out(part.lower()).split()
    return bool(_OWN.match(part) or words[0] in known.FINITE) and has_verb(words)


def _coordinated(part: str) -> Iterator[str]:
    """Both halves of what somebody does and then does; two things are no halves."""
    match = _AND.search(part)
    if match and _SOMEBODY.match(part, match.end()) and _is_clause(part[match.end() :]):
        yield part[: match.start()]
        yield part[match.end() :]
        return
    is_verb = match is not None and match[1].lower() in known.FINITE | known.THIRD
    if match and is_verb and has_verb(part[: match.start()].lower().split()):
        subject = subject_of(part)
        yield part[: match.start()]
        yield f"{subject} {part[match.end() :]}"
    else:
        yield part


def subject_of(clause: str) -> str:
    """What stands before the first verb."""
    words = clause.split()
    return " ".join(words[: verb_at([word.lower() for word in words])])


def has_verb(raw: list[str], capitals: frozenset[str] = frozenset()) -> bool:
    """Whether the first words make a sentence."""
    if raw[0] in known.USER or raw[0] in (
        "they",
        "he",
        "she",
        "you",
        "use",
        "always",
        "never",
        "please",
    ):
        return True
    if raw[0] in known.CHANGES and not known.USER.isdisjoint(raw[1:3]):
        return True
    if raw[0] in known.ORDERS:
        return False  # nobody is said to be able
    return len(raw) > 2 and verb_at(raw[:-1][:9], capitals) > 0


def verb_at(raw: list[str], capitals: frozenset[str] = frozenset()) -> int:
    """The place of the first verb after a subject; 0 of none."""
    return next(
        (
            at
            for at, pair in enumerate(pairwise(raw), start=1)
            if pair[1] not in capitals and is_verb(*pair)
        ),
        0,
    )


def is_verb(before: str, word: str) -> bool:
    """Whether it may be one: a known one, "lives", or what follows a plural."""
    if word in known.FINITE:
        return True
    if not word.isalpha() or word in known.SKIPPED or before in known.DETERMINERS:
        return False
    is_third = word.endswith("s") and not word.endswith(("ss", "us", "is"))
    is_plural = before.endswith("s") and not before.endswith(("ss", "us", "is"))
    return is_third or (is_plural and not word.endswith(("ing", "ed")))


def _clauses_zh(text: str) -> Iterator[str]:
    parts = [part.strip() for part in _BREAK_ZH.split(text) if part.strip()]
    if len(parts) > 1 and _CONTEXT_ZH.match(parts[0]):
        parts = [f"{parts[0]},{part}" for part in parts[1:]]
    if len(parts) < 2:
        return
    topic = _TOPIC_ZH.match(text)
    yield parts[0]
    for part in parts[1:]:
        yield part
        if topic and not part.startswith(topic[0]):
            yield topic[0] + part


NAME = "name"  # the kind of a capitalised word; other kinds are of amounts
AMOUNTS = frozenset(("number", "clock", "date", "day", "month"))
_NAME_ZH = 2  # characters that a statement begins with, for want of capitals
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
_LABEL = pattern(
    r"^([A-Z][\w-]*(?: [\w'’-]+){0,3} [a-z][\w-]*): (?=[^\W\d][\w-]*(?: \w+){0,2}$|\d+$)"
)
_CLAUSE = pattern("[,.;，。；]")
_YET = pattern(r" (?:yet|anymore|any (?:more|longer))\b.*$")
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
_CONTEXTS = frozenset(("change", "condition", "earlier", "later"))  # of all clauses
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
    names: frozenset[str] = frozenset()  # its first word, and those with a capital
    has_amount: bool = False


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


def _names(words: tuple[Word, ...]) -> frozenset[str]:
    return frozenset((words[0].text, *(w.text for w in words if w.kind == NAME)))


def _has_amount(words: tuple[Word, ...]) -> bool:
    return any(word.kind in AMOUNTS for word in words)


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
        names=_names(words),
        has_amount=_has_amount(words),
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
        end = (clause.rstrip("了的吗呢") or text[: match.start()]).casefold()
        said = [*map(_word_of, _ZH_TOKEN.findall(known.ZH_IDEAS.sub(_as_idea, end)))]
    else:
        object_ = f" {normalised(clause)}"
        object_ = _WHEN.sub("", _YET.sub("", object_)).strip() or object_
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
        names=frozenset((plain[:_NAME_ZH],)),
        has_amount=_has_amount(words),
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
        yield Word(_word_of(token), token, before[-6:], _chinese_kind(token, before), after)
        before += token


def _word_of(token: str) -> str:
    """The idea that a token stands for, or the token."""
    idea = ord(token[0]) - _ZH_IDEA
    return known.ZH_IDEA_NAMES[idea] if 0 <= idea < len(known.ZH_IDEA_NAMES) else token


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
