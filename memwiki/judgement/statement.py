"""A short statement as it is compared with others: its clauses, and their words in order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice, zip_longest
from typing import TypeAlias

from memwiki.facts.identity import HAN, ZH_DIGITS, normal_form
from memwiki.index.keyword.tokens import stem
from memwiki.judgement import concepts
from memwiki.judgement import statement_words as known
from memwiki.judgement.clauses import (
    clauses_of,
    has_verb,
    is_list_item,
    may_have_verb,
    verb_at,
)
from memwiki.judgement.lexicon import MONTHS, spelled_out, with_plain_figures, with_plain_numbers
from memwiki.records import NamedTuple
from memwiki.text import has_chinese, pattern

NAME = "name"  # the kind of a capitalised word; other kinds are of amounts
AMOUNTS = frozenset(("number", "clock", "date", "day", "month"))
_NAME_ZH = 2  # characters that a statement begins with, for want of capitals
_MAX_CHARS = 400  # characters
BEGINNING = 2  # words that tell what a statement may be about; one of Chinese has them
_MAX_WORDS = 20  # of a statement; two Chinese characters are one
# Begins with one set of signs, as others below: so it is searched for in a tenth of the time.
_SENTENCE_END = pattern(
    r"[.!;。！；\n](?:(?<=[。！；\n])|(?<!\bDr.)(?<!\bSt.)(?<!\bMr.)(?<!\bMs.)(?<!\bMrs.)(?:\s|$))"
)
_MAX_SENTENCES = 2
_BEGINNING = 3  # letters
_MARKS = pattern(r"[]*_`\[](?:(?<=[*_`])[*_`]{0,2}|(?<=\[)\[|(?<=\])\])")
_HELD = "|".join(
    word.title() for word, idea in concepts.RELATIONS.items() if idea in concepts.SLOTS
)
_LABEL = pattern(
    rf"^(\w[\w-]*(?: [\w'’-]+){{0,6}} (?:[a-z][\w-]*|[A-Z]{{2,}})|{_HELD}): "
    r"(?=[^\W\d][\w-]*(?: \w+){0,2}\.?$|[^\s\d]?\d[\d,:%-]*\w{0,3}(?: \w+){0,3}\.?$)"
)
_LABEL_ZH = pattern(r"^([^,。，:：]{2,10})(?<!\d)[:：] ?(?=[^,。，:：]{1,20}。?$)")
_ANNOUNCED = pattern(
    r"^(?:note|update|policy|new policy|rule|decision|reminder): |"
    "^(?:约定|规定|备注|更新|通知|注意|决定|提醒)[:：] ?",
    re.IGNORECASE,
)
_A_DATE = pattern(r"[a-z]{3}_\d+")
_A_MONTH = "|".join(f"{month}|{month[:3]}" for month in MONTHS)
_DAY = pattern(r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?")
_YEAR = pattern(r"(?<![\w-])(?:19|20)\d\d(?![\w-])|(?:19|20)\d\d(?=年)")
_CLOCK = pattern(r"\d+m")
_DATE = pattern(
    rf"\b(?:(?P<month>{_A_MONTH}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\w:.])"
    rf"|(?P<day_first>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<month_last>{_A_MONTH}))\b"
)
_DIGIT = pattern(r"\d(?<!\w.)")  # that begins a word
_HALF_DAY = 720  # minutes
_AT = pattern(r"\bat (1?\d)(?= (?:on|in|every|now|until)\b|$)")
_ZH_DATE = pattern(r"(\d\d?)月(\d{1,2})[日号號]")
_NO_THINGS = known.PRONOUNS | known.CHANGES | known.ASPECTS
_FIGURES = pattern(r"[v$€£]?\d[\d.,:%-]*[a-z]{0,2}")
_CONTEXTS = frozenset(("change", "condition", "earlier", "later"))  # of all clauses
_ZH_FIGURES = pattern(f"[{ZH_DIGITS}兩]+")
_ZH_WHEN = pattern("^[^我用,]{1,6}[年月日天晚早周]")
_ZH_DAY, _ZH_DAYS = pattern("(?:[周週]|星期|礼拜)$"), frozenset("一二三四五六日天末")
_ZH_NO, GAP_ZH, _ZH_IDEA = "\x01", "\x02", 0xE000
_ZH_TOKEN = pattern(
    f"[\x01\x02\ue000-\ue0ff]|[{ZH_DIGITS}兩]+|[{HAN}]|[0-9][0-9a-z.:-]*"
    f"|[^\\s{HAN}0-9\x01\x02\ue000-\ue0ff][^\\s{HAN}\x01\x02\ue000-\ue0ff]*"
)


Signs: TypeAlias = Mapping[str, tuple[int, str]]  # of each line the sign, and the word that says it


class Word(NamedTuple):
    text: str  # its stem, or the idea it is a word for
    raw: str
    governor: str  # what stands before it
    kind: str = ""
    unit: str = ""  # what stands after it
    is_one: bool = False  # a thing of its kind: after "a"


class Ended(NamedTuple):
    """What was before, and what took its place: stems, of Chinese a text; none of what is over."""

    what: tuple[str, ...]
    by: tuple[str, ...]


class Statement(NamedTuple):
    """`marks` are change, negation, addition, condition, earlier, later, list, event,
    done (once, by somebody) and clauses (it is of several)."""

    words: tuple[Word, ...]
    text: str
    marks: frozenset[str]
    signs: Signs  # what it says that is or is not
    years: frozenset[str]
    is_chinese: bool
    person: str  # the pronoun it begins with; "user" is I and we
    beginnings: frozenset[str]  # of the words
    subject: frozenset[str] = frozenset()  # words before the verb
    ended: tuple[Ended, ...] = ()  # what was before, of a change it tells
    is_main: bool = True  # no later clause
    within: str = ""  # the text of which it is a clause
    names: frozenset[str] = frozenset()  # its first word, and those with a capital
    has_amount: bool = False
    has_class: bool = False  # a word of a class of which there is one
    verb: str = ""  # the first
    kin: frozenset[str] = frozenset()  # relatives that are spoken of
    relations: frozenset[str] = frozenset()  # what it says there is one of
    times: frozenset[str] = frozenset()  # last year, this morning
    is_of_points: bool = False  # it points at what stands elsewhere
    head: str = ""  # the noun that the verb is said of, the stem; no name
    is_of_other: bool = False  # it begins with somebody's name: Emma's birthday, 小红的电话


@lru_cache(maxsize=500)  # one question reads a memory a few times, and the next one many of them
def statements_of(text: str) -> tuple[Statement, ...]:
    """What a text says: the whole, where it is short, and each clause of several. None of what is
    a list of links, or asks."""
    plain = _stated(text)
    is_chinese = has_chinese(plain)
    read = _chinese if is_chinese else _english
    whole = read(plain)
    parts = tuple(_parts(plain, read, is_chinese=is_chinese))
    if whole and parts:
        whole = whole._replace(marks=whole.marks | {"clauses"})
    return (*((whole,) if whole else ()), *parts)


def beginning_of(text: str) -> tuple[str, ...]:
    """The first two words of the first of these statements, () of none; no more of it is read."""
    if not (plain := _stated(text)):
        return ()
    is_chinese = has_chinese(plain)
    begin = _beginning_zh if is_chinese else _beginning
    whole = begin(plain)
    return whole or next(filter(None, map(begin, clauses_of(plain, is_chinese=is_chinese))), ())


def _stated(text: str) -> str:
    """What a text may state, without its marks; "" of what states nothing."""
    text = text.strip().rstrip("!！")  # as a sentence may end
    if len(text) > _MAX_CHARS or is_list_item(text):
        return ""
    plain = known.with_names(_ANNOUNCED.sub("", _MARKS.sub("", text)))
    is_short = len(_SENTENCE_END.findall(plain)) <= _MAX_SENTENCES
    return plain if is_short and may_have_verb(plain) else ""


def _parts(
    text: str, read: Callable[[str], Statement | None], *, is_chinese: bool
) -> Iterator[Statement]:
    """The clauses of a text. The time and the condition of one are those of all."""
    if not (clauses := clauses_of(text, is_chinese=is_chinese)):
        return
    marks = _CONTEXTS & (_marks_zh if is_chinese else _marks)(text)
    years = frozenset(_YEAR.findall(normal_form(text)))
    for at, clause in enumerate(clauses):
        if part := read(clause):
            yield part._replace(marks=part.marks | marks, years=years, is_main=at == 0, within=text)


def _statement(
    words: tuple[Word, ...],
    plain: str,
    marks: frozenset[str],
    signs: Signs,
    *,
    is_chinese: bool,
    person: str,
    names: frozenset[str],
    kin: frozenset[str],
    ended: tuple[Ended, ...],
    subject: frozenset[str] = frozenset(),
    verb: str = "",
    head: str = "",
    is_of_other: bool = False,
) -> Statement:
    return Statement(
        words,
        plain,
        marks,
        signs,
        years=frozenset(_YEAR.findall(plain)),
        is_chinese=is_chinese,
        person=person,
        beginnings=frozenset(word.text[:_BEGINNING] for word in words),
        subject=subject,
        ended=ended,
        names=names,
        has_amount=any(word.kind in AMOUNTS for word in words),
        has_class=any(
            word.kind in ("colour", "rate")
            or word.raw in concepts.CLASSES
            or word.text in concepts.CLASSES
            for word in words
        ),
        verb=verb,
        kin=kin,
        relations=concepts.SINGLE.intersection(word.text for word in words),
        times=frozenset(known.RELATIVE.findall(plain)),
        is_of_points=known.POINTING.match(plain) is not None,
        head=head,
        is_of_other=is_of_other,
    )


def _ended(
    plain: str,
    forms: Iterable[re.Pattern[str]],
    read: Callable[[str], tuple[str, ...]],
) -> Iterator[Ended]:
    for form in forms:
        for match in form.finditer(plain):
            if what := read(match["old"]):
                by = match["new"] if "new" in form.groupindex else None
                yield Ended(what, read(by) if by else ())


def unit_of(word: Word) -> str:
    """What an amount is counted in, in one spelling; "" of none."""
    idea = _word_of(word.unit) if word.unit else ""
    idea = concepts.RELATIONS.get(idea, idea)
    return "" if idea[:1] == concepts.IDEA and idea not in concepts.UNITS else idea


# --- English ---


def _marks(text: str) -> frozenset[str]:
    plain = _plain(text)
    return frozenset(_english_marks(plain.split(), plain))


def _plain(text: str) -> str:
    plain = with_plain_figures(normal_form(spelled_out(text)))
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


def _sentence(text: str) -> tuple[str, list[str], frozenset[str]] | None:
    """A text as it is read, its words, and those with a capital, where it is a sentence."""
    if ": " in text:
        text = _LABEL.sub(r"\1 is ", text)
    if known.UNSAID_USER.match(text):
        text = f"user {text[0].lower()}{text[1:]}"
    plain = _plain(text)
    raw, capitals = plain.split(), _capitals(text)
    is_one = len(raw) <= _MAX_WORDS and has_verb(raw, capitals)
    return (plain, raw, capitals) if is_one else None


def _beginning(text: str) -> tuple[str, ...]:
    found = _sentence(text)
    words = _english_words(concepts.with_phrases(found[1]), found[2]) if found else ()
    return tuple(word.text for word in islice(words, BEGINNING))


def _english(text: str) -> Statement | None:
    if not (found := _sentence(text)):
        return None
    plain, raw, capitals = found
    joined = concepts.with_phrases(raw)
    if not (words := tuple(_english_words(joined, capitals))):
        return None
    at = verb_at(raw, capitals)
    subject, head = _subject(raw[:at], capitals)
    return _statement(
        words,
        plain,
        frozenset(_english_marks(raw, plain)),
        _signs(joined),
        is_chinese=False,
        subject=subject,
        person=_person(raw),
        names=frozenset((words[0].text, *(w.text for w in words if w.kind == NAME))),
        kin=frozenset(concepts.RELATIONS.get(word, word) for word in known.KIN.intersection(raw)),
        verb=raw[at],
        head=head,
        is_of_other=known.WHOSE.match(text) is not None,
        ended=tuple(dict.fromkeys(_ended(plain, known.ENDED, _stems))),
    )


def _stems(text: str) -> tuple[str, ...]:
    words = _english_words(concepts.with_phrases(text.split()), frozenset())
    return tuple(word.text for word in words if word.text not in concepts.LIGHT)


def _subject(before: list[str], capitals: frozenset[str]) -> tuple[frozenset[str], str]:
    """The words before the verb, and their noun: the last one, of "electricity for the flat" the
    first; "" of a single word, which may be a name."""
    if before and before[0] in known.PRONOUNS | known.ORDERING:
        return frozenset(), ""
    words = [*_english_words(concepts.with_phrases(before), capitals)]
    end = next((at for at, word in enumerate(before) if word in known.PLACING), len(before))
    said = " ".join(before[:end])
    nouns = [w for w in words if w.text not in concepts.LIGHT and w.raw.split("_")[0] in said]
    is_thing = len(before) > 1 and nouns and nouns[-1].kind != NAME
    is_thing = is_thing and _NO_THINGS.isdisjoint(before)
    return frozenset(word.text for word in words), nouns[-1].text if is_thing else ""


def _signs(raw: list[str]) -> Signs:
    """What is or is not; of qualities what is said to be so."""
    found, before = dict[str, tuple[int, str]](), ""
    if concepts.SIGNS.keys().isdisjoint(raw):
        return found
    for word in raw:
        line, sign = concepts.SIGNS.get(word, ("", 0))
        if line and (line not in concepts.QUALITIES or before in known.SEEMING):
            found[line] = sign, word
        before = before if word in known.DEGREES else word
    return found


def _person(raw: list[str]) -> str:
    if not known.USER.isdisjoint(raw[:3]):
        return "user"
    return raw[0] if raw[0] in ("he", "she", "they") else ""


def _capitals(text: str) -> frozenset[str]:
    """Words with a capital after the first one."""
    marked = (w for w in text.split()[1:] if not w.islower() and any(map(str.isupper, w)))
    return frozenset(each for word in marked for each in normal_form(spelled_out(word)).split())


def _english_words(raw: list[str], capitals: frozenset[str]) -> Iterator[Word]:
    before = last = ""
    for word, after in zip_longest(raw, raw[1:], fillvalue=""):
        if word in concepts.RELATIONS:
            yield Word(concepts.RELATIONS[word], word, before)
        elif not (word in known.UNSAID or not any(map(str.isalnum, word))):
            kind = _kind(word) or (NAME if word in capitals else "")
            yield Word(stem(word), word, before, kind, after, last in ("a", "an"))
        end = word.rpartition("_")[2] if word in concepts.RELATIONS else word
        if end not in known.SKIPPED or end in known.GOVERNING:
            before = end
        last = word


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
    if known.PLAN.search(plain):
        yield "plan"
        if known.LATER.search(plain):
            yield "later"
    if (raw[0] == "called" or known.WAS_DONE.search(plain)) and found.isdisjoint(known.CHANGES):
        yield "done"
    if raw[verb_at(raw)] in known.EVENTS:
        yield "event"


# --- Chinese ---


def _plain_zh(text: str) -> tuple[str, str]:
    text = known.ZH_NOT_AT_ALL.sub(r"不吃\g<what>", _LABEL_ZH.sub(r"\1是", text))
    return text, _ZH_DATE.sub(r"\1-\2日", with_plain_figures(normal_form(text)))


def _beginning_zh(text: str) -> tuple[str, ...]:
    _, plain = _plain_zh(text)
    words = () if len(plain) > 2 * _MAX_WORDS else chinese_words(plain)
    found = tuple(word.text for word in islice(words, BEGINNING))
    return found if len(found) == BEGINNING else ()


def _chinese(text: str) -> Statement | None:
    text, plain = _plain_zh(text)
    words = tuple(chinese_words(plain))
    if len(plain) > 2 * _MAX_WORDS or len(words) < BEGINNING:
        return None
    said = [(concepts.ZH_SIGN_OF[each[0]], each[0]) for each in concepts.ZH_SIGNS.finditer(plain)]
    return _statement(
        words,
        plain,
        _marks_zh(text),
        {line: (sign, word) for (line, sign), word in said},
        is_chinese=True,
        person=_person_zh(plain),
        names=frozenset((plain[:_NAME_ZH],)),
        kin=frozenset(known.ZH_KIN.findall(plain)),
        is_of_other=known.ZH_PERSON.match(plain) is not None,
        ended=tuple(_ended(plain, known.ZH_ENDED, _text_of_zh)),
    )


def _text_of_zh(text: str) -> tuple[str, ...]:
    plain = known.ZH_OLD.sub("", text)
    return (plain,) if len(plain) > 1 else ()


def _marks_zh(text: str) -> frozenset[str]:
    plain = with_plain_numbers(normal_form(text))
    marks = {mark for mark, form in known.ZH_MARKS.items() if re.search(form, plain)}
    if known.ZH_NEGATIONS.search(plain) or known.ZH_ENDS.search(plain):
        marks.add("negation")
    return frozenset(marks)


def _person_zh(plain: str) -> str:
    if known.ZH_USER.match(_ZH_WHEN.sub("", plain)):
        return "user"
    return plain[0] if plain[0] in "他她" else ""


def chinese_words(plain: str) -> Iterator[Word]:
    """Each character but those that govern others or say nothing; Latin words whole."""
    text = concepts.ZH_RELATIONS.sub(_as_idea, plain.replace("使用", "用"))
    text = known.ZH_SKIPPED.sub(GAP_ZH, known.ZH_USER.sub(GAP_ZH, text))
    text = known.ZH_NEGATIONS.sub(_ZH_NO, known.ZH_ENDS.sub(_ZH_NO, text))
    before = ""
    for match in _ZH_TOKEN.finditer(text):
        token = match[0]
        if governs_zh(token, before) or token in (_ZH_NO, GAP_ZH, ","):
            before += "" if token == GAP_ZH else token
            continue
        after = text[match.end() : match.end() + 1]
        yield Word(_word_of(token), token, before[-6:], _chinese_kind(token, before, after), after)
        before += token


def _word_of(token: str) -> str:
    """The idea that a token stands for, or the token."""
    idea = ord(token[0]) - _ZH_IDEA
    names = concepts.ZH_RELATION_NAMES
    return names[idea] if 0 <= idea < len(names) else token


def _as_idea(match: re.Match[str]) -> str:
    return chr(_ZH_IDEA + concepts.ZH_RELATION_OF[match[0]])


def governs_zh(sign: str, before: str) -> bool:
    """Whether a value follows a sign: not in 成都 and 华为."""
    if sign == "成":
        return before[-1:] in (*"改換换变",)
    parts = {"为": "华", "要": "摘纪概重主首次简"}.get(sign, "")
    return sign in {*known.ZH_GOVERNING} and before[-1:] not in (*parts,)


def _chinese_kind(token: str, before: str, after: str) -> str:
    if token in _ZH_DAYS and _ZH_DAY.search(before):
        return "day"
    if _ZH_FIGURES.fullmatch(token):
        is_of_name = (
            len(token) == 1
            and (not after or before[-2:-1] in ("由", "归"))  # 由李四负责
            and before[-1:] not in ("初", "第")
            and not governs_zh(before[-1:], before[:-1])
        )
        return "" if is_of_name else "number"  # 张三
    return _kind(token)
