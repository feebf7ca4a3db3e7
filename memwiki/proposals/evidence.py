"""Whether the lines that a fact cites say it: rules over words, English and Chinese.

Words tell what a line speaks of, not what it means: what is set aside is shown with its reason, and
what is supported is still read by a person.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from datetime import date
from functools import cached_property
from typing import NamedTuple

from memwiki.dates import MONTHS, iso_date
from memwiki.facts.identity import normalised
from memwiki.index.keyword.tokens import count_terms, is_cjk, query_terms
from memwiki.judgement import statement_words as known
from memwiki.judgement.lexicon import Kind, any_of, lexicon, spelled_out, with_plain_numbers
from memwiki.judgement.similarity import words_of
from memwiki.names import fold
from memwiki.numbers import counted, plural
from memwiki.patterns import pattern
from memwiki.proposals.claims import names_in, numbers_in, stated_numbers
from memwiki.proposals.numbering import NumberedSource, SourceLine, headings_over
from memwiki.proposals.opposites import opposite_of
from memwiki.proposals.rows import NamedRow, is_of_another_row, rows_around
from memwiki.text import has_chinese, whole_words
from memwiki.times.day_names import DAYS
from memwiki.times.days import days_in

AROUND = 2  # lines before and behind a cited one
_MAX_CITED = 20  # lines; what rests on a whole conversation rests on nothing
# Of the share in English, for pairs of characters (benchmarks/grounding.py, 2026-11-25).
CHINESE_SHARE = 0.75
_OFTEN = 3  # lines of a file with a name that all of it is about
_MAX_SHOWN = 3  # names or numbers in a reason
_MAX_SHOWN_CHARACTERS = 40

_KINDS = lexicon().kinds
_SAYS_NOTHING = frozenset(
    term
    for word in known.SKIPPED
    | known.POINTING_WORDS
    | known.USER
    | {word for word, kind in _KINDS.items() if kind in (Kind.STOP, Kind.NEGATION)}
    | set("as both but during her him if many more most much one or such".split())
    | set("their them when while".split())
    for term in query_terms(word)
)
_NEGATIONS = [word for word, kind in _KINDS.items() if kind is Kind.NEGATION and word.isascii()]
_IDIOMS = (  # that deny nothing, and questions: "shouldn't I"
    "not (?:only|just|wait|forget|worry|to mention|i|you|he|she|we|they)"
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
_INSTEAD = "rather than|instead of|as opposed to"
# What "no longer" may be made of, and "does not".
_NO_OR_ENDED = pattern(
    rf"{_NO.pattern}|{whole_words(any_of(_ENDED))}|g[ai]ven? up|{_INSTEAD}|{_ZH_ENDED}",
    re.IGNORECASE,
)
_ZH_NO_DENIAL = pattern(r"(\w)[不没]\1|有没有|不好意思|对不起|差不多|[说只]不定")  # 是不是 asks
_CONDITION = pattern(r"\Awithout\b[^,.;]{1,60},", re.IGNORECASE)  # under which something is so
_WITHOUT = pattern(r"\bwithout\b", re.IGNORECASE)  # denies a part, and nothing of the whole
_CLOCK = pattern(r"(?<![0-9])[0-9]{1,3}m(?![a-z])")  # as times are written in one form
_CLAUSE_END = pattern(
    r"[.!?;,:\n。！？；，：]+|\b(?:but|although|though|while|because)\b|但是?|因为|所以"
)
_CODE = pattern(r"`([^`]+)`")
_SIGN = pattern(r"\w+|[^\w\s<>\[\](){}!#^|~%$\\‹›`]")
_UNIVERSAL = pattern(
    r"\b(?:always|entirely|every\w*|exactly|identical(?:ly)?|completely|whatever)\b"
    "|完全|所有|全部|总是|一律",
    re.IGNORECASE,
)
_OF_ALL = pattern(
    rf"{_UNIVERSAL.pattern}|\b(?:all|any|each|entire|exact|fully|in general|whole)\b|每|都|任何|全",
    re.IGNORECASE,
)


class Support(NamedTuple):
    """The share of a fact's words that stand around the cited lines, and why it is set aside."""

    share: float
    why: str = ""


class CitedLines:
    """The lines that are cited, with those around them and the headings over them; what few facts
    need is worked out late."""

    def __init__(self, source: NumberedSource, cited: Sequence[int]) -> None:
        over = {at - 1 for number in cited for at in headings_over(source.lines, number)}
        places = sorted(
            {
                at
                for number in cited
                for at in range(number - 1 - AROUND, number + AROUND)
                if 0 <= at < len(source.lines)
            }
            | over
        )
        around = [source.lines[at] for at in places]
        said = [source.lines[at] for at in sorted({number - 1 for number in cited} | over)]
        self.source = source
        self._numbers = cited
        self.cited = [source.lines[number - 1] for number in cited]
        self.speakers = frozenset(line.speaker for line in around if line.speaker)
        self.text = "\n".join(line.text for line in around)
        self.told = (
            self.text if self.speakers else "\n".join((source.title, *(e.text for e in said)))
        )
        self.terms = frozenset(count_terms("\n".join((source.title, self.text, *self.speakers))))
        self.of_speakers = frozenset(count_terms("\n".join(self.speakers)))

    @cached_property
    def rows(self) -> list[NamedRow]:
        """Of the tables and lists that the cited lines are in; none in a conversation."""
        if self.speakers:
            return []
        return rows_around(self.source.lines, self._numbers, _telling)

    @cached_property
    def days(self) -> frozenset[date]:
        """The day of the source, and the first and last of each time that the lines name."""
        when = self.source.date
        written = days_in(iso_date(when)[:10] or when, date.min)
        if not written:
            return frozenset()
        today = written[0].first
        found = (*written, *days_in(self.text, today))
        return frozenset(day for each in found for day in (each.first, each.last))


def judge_support(
    text: str, subject: str, cited: Sequence[int], source: NumberedSource, least: float = 0.4
) -> Support:
    """Whether the cited lines, numbered from 1, say what a text says about its subject."""
    if why := _why_not_cited(cited, len(source.lines)):
        return Support(0.0, why)
    passage = CitedLines(source, sorted(set(cited)))
    words = _content(text, passage)
    if not words:
        return Support(0.0, "it says nothing that could be looked up")
    share = len(words & passage.terms) / len(words)
    why = (
        _silent_subject(subject, passage)
        or _unknown_number(text, passage)
        or _unknown_name(text, subject, passage)
        or _too_few_words(words, share, least)
        or _only_around(words, passage)
        or _unlike_denial(text, words, passage)
        or _other_code(text, passage)
        or _opposite(text, passage)
        or _over_general(text, passage)
        or _other_row(text, passage)
    )
    return Support(share, why)


def _why_not_cited(cited: Sequence[int], count: int) -> str:
    if not cited:
        return "it cites no line"
    if len(cited) > _MAX_CITED:
        return f"it cites {len(cited)} lines, and one fact may cite {_MAX_CITED}"
    strange = next((number for number in cited if not 1 <= number <= count), None)
    if strange is not None:
        return f"there is no line {strange}: the source has {counted(count, 'line')}"
    return ""


# --- 1 and 2: numbers and names stand around the cited line ---


def _unknown_number(text: str, passage: CitedLines) -> str:
    missing = stated_numbers(text)
    if missing:
        missing -= numbers_in("\n".join((passage.told, *passage.speakers)))
    if missing and len(passage.cited) > 1:
        missing -= {f"{len(passage.cited)}"}  # "two rules", with the line of each
    if missing:
        missing -= _dated(text, passage)
    if missing and _is_time_of_day(text, missing, passage):
        return ""
    return _missing(sorted(missing), "number")


def _is_time_of_day(text: str, numbers: frozenset[str], passage: CitedLines) -> bool:
    """Whether the numbers are those of a time that the lines write otherwise: 9 pm is 21:00."""
    times, told = (
        {*_CLOCK.findall(with_plain_numbers(each))}
        for each in (normalised(text), normalised(passage.text))
    )
    rest = stated_numbers(_CLOCK.sub(" ", with_plain_numbers(normalised(text))))
    return bool(times) and times <= told and rest.isdisjoint(numbers)


def _unknown_name(text: str, subject: str, passage: CitedLines) -> str:
    names = dict.fromkeys((*names_in(text), *names_in(subject)))
    missing = [name for name in names if not _is_known(name, passage.terms)]
    missing = [name for name in missing if not _recurs(name, passage.source)]
    if missing:
        days = _dated(text, passage)
        missing = [name for name in missing if fold(name) not in days]
    return _missing(missing, "name")


def _is_known(name: str, told: Container[str]) -> bool:
    """Whether a name stands there: a Chinese one in all its pairs, any other as a word."""
    terms = query_terms(name)
    return all(each in told for each in (terms if is_cjk(name) else terms[:1]))


def _recurs(name: str, source: NumberedSource) -> bool:
    """Whether a file speaks of this name again and again, as of what it is about; who speaks in a
    conversation names himself."""
    texts = (line.text for line in source.lines if not (line.role or line.speaker))
    return sum(_is_known(name, count_terms(text)) for text in texts) >= _OFTEN


def _missing(found: Sequence[str], noun: str) -> str:
    if not found:
        return ""
    shown = [each[:_MAX_SHOWN_CHARACTERS] for each in found[:_MAX_SHOWN]]
    if len(found) > len(shown):
        shown.append("others")
    verb = plural(len(found), "is", "are")
    return f"the {plural(len(found), noun)} {', '.join(shown)} {verb} in no cited line"


def _dated(text: str, passage: CitedLines) -> frozenset[str]:
    """What the days that the lines mean are called: year, weekday, month; the day of the month and
    the number of the month where a text names that month, too."""
    found = set[str]()
    for day in passage.days:
        month = MONTHS[day.month - 1]
        found |= {f"{day.year}", DAYS[day.weekday()].lower(), month.lower(), month[:3].lower()}
        forms = (month[:3], f"{day.month}月", f"-{day.month:02}", f"/{day.month:02}")
        if any(form in text for form in forms):
            found |= {f"{day.day}", f"{day.month}"}
    return frozenset(found)


# --- 3: enough of the words stand there ---


def _content(text: str, passage: CitedLines) -> frozenset[str]:
    """The terms of a text that say something, without figures and the names of who speaks."""
    text = spelled_out(text)
    if has_chinese(text):
        text = known.ZH_SKIPPED.sub(" ", known.ZH_USER.sub(" ", text))
        for speaker in filter(is_cjk, passage.speakers):
            text = text.replace(speaker, " ")
    terms = words_of(text) - _SAYS_NOTHING - passage.of_speakers
    return frozenset(
        term for term in terms if is_cjk(term) or (len(term) > 1 and not term[0].isdigit())
    )


def _too_few_words(words: frozenset[str], share: float, least: float) -> str:
    chinese = sum(map(is_cjk, words)) / len(words)
    if share >= least * (1 - chinese + chinese * CHINESE_SHARE):
        return ""
    return f"only {share:.0%} of its words are in or around the cited lines"


def _only_around(words: frozenset[str], passage: CitedLines) -> str:
    """Of 5 % of wrong citations that the share lets through, these are a third (2026-11-25)."""
    told = count_terms("\n".join(line.text for line in passage.cited))
    return "none of its words is in a cited line" if words.isdisjoint(told) else ""


# --- 4: the fact denies what the cited line denies, and nothing else ---


class Clause(NamedTuple):
    """What stands before a negation, and behind it; in Chinese all is behind, as 用不上 has its
    verb before it. None where nothing is denied."""

    before: str
    behind: str | None


def _unlike_denial(text: str, words: frozenset[str], passage: CitedLines) -> str:
    lines = "\n".join(line.text for line in passage.cited)
    claimed = _clauses(_CONDITION.sub("", text), _NO)
    denied = [each for each in claimed if each.behind is not None]
    if denied:
        return _not_denied(denied, _clauses(lines, _NO_OR_ENDED), passage)
    if _NO_OR_ENDED.search(text):
        return ""
    told = _clauses(_WITHOUT.sub(" ", lines), _NO)
    parts = (_content(each, passage) for each in _CLAUSE_END.split(text))
    is_turned = _are_denied(words, _clauses(lines, _NO), passage) or any(
        _is_nearest_denied(each, told, passage) for each in parts
    )
    return "it says what the cited lines deny" if is_turned else ""


def _not_denied(denied: Sequence[Clause], told: Sequence[Clause], passage: CitedLines) -> str:
    if not told:
        return "it denies something, and no cited line does"
    denials = [
        _content(f"{each.before} {each.behind}", passage)
        for each in told
        if each.behind is not None
    ]
    if not all(denials):
        return ""  # "No, I don't" denies what was asked
    known_words = frozenset[str]().union(*denials)
    for each in denied:
        words = _content(f"{each.before} {each.behind}", passage)
        if words and words.isdisjoint(known_words):
            return "it denies something else than the cited lines"
    return ""


def _are_denied(words: frozenset[str], told: Sequence[Clause], passage: CitedLines) -> bool:
    """Whether half of the words are in the lines, and all of these behind negations alone."""
    behind = words & _content("\n".join(each.behind or "" for each in told), passage)
    if 2 * len(behind) < len(words):
        return False
    return words.isdisjoint(_content("\n".join(each.before for each in told), passage))


def _is_nearest_denied(words: frozenset[str], told: Sequence[Clause], passage: CitedLines) -> bool:
    """Whether the clause that shares most of the words, and more than any other, denies them."""
    shared = sorted((_shared(words, each, passage) for each in told), key=lambda each: -sum(each))
    if not shared or (len(shared) > 1 and sum(shared[0]) == sum(shared[1])):
        return False
    before, behind = shared[0]
    return behind > before and behind > 1 and 2 * (before + behind) >= len(words)


def _shared(words: frozenset[str], told: Clause, passage: CitedLines) -> tuple[int, int]:
    """How many of the words are before a negation, or in a clause without one, and how many are
    behind it."""
    behind = words & _content(told.behind or "", passage)
    before = words & _content(told.before, passage) - behind
    return len(before), len(behind)


def _clauses(text: str, denying: re.Pattern[str]) -> list[Clause]:
    """The clauses of a text that denies something; none of any other."""
    text = _ZH_NO_DENIAL.sub(" ", spelled_out(text))
    if not denying.search(text):
        return []
    return [_clause(each, denying.search(each)) for each in _CLAUSE_END.split(text)]


def _clause(text: str, negation: re.Match[str] | None) -> Clause:
    if negation is None:
        return Clause(text, None)
    if has_chinese(negation[0]):
        return Clause("", text)
    return Clause(text[: negation.start()], text[negation.end() :])


# --- 5: code stands there as it is, and the text says no opposite of what the lines say, nothing
# of all, and of no row what another says ---


def _other_code(text: str, passage: CitedLines) -> str:
    """What is written as code is copied, not told: it stands there letter by letter."""
    told = _signs(passage.told)
    missing = [each for each in _CODE.findall(text) if _signs(each) not in told]
    return _missing(missing, "code")


def _signs(text: str) -> str:
    """Its words and signs, each between blanks, but for those that are taken from what a model
    writes."""
    return f" {' '.join(_SIGN.findall(text.casefold()))} "


def _opposite(text: str, passage: CitedLines) -> str:
    said, told = opposite_of(text, "\n".join(line.text for line in passage.cited))
    return f"it says {said}, where the cited lines say {told}" if said else ""


def _over_general(text: str, passage: CitedLines) -> str:
    """That something holds for all, where the lines say it of nothing as a whole."""
    said = _UNIVERSAL.search(text)
    if said is None or _OF_ALL.search(passage.told):
        return ""
    return f"it says {said[0].lower()}, and no cited line does"


def _other_row(text: str, passage: CitedLines) -> str:
    """The name of one row, with what another says of its own."""
    rows = passage.rows
    if len(rows) > 1 and is_of_another_row(_telling(text), rows):
        return "it says of one row what another says"
    return ""


def _telling(text: str) -> frozenset[str]:
    return frozenset(count_terms(text)) - _SAYS_NOTHING


# --- 6: who is spoken of speaks, if he took part ---


def _silent_subject(subject: str, passage: CitedLines) -> str:
    if not subject or _is_one_of(subject, passage.cited):
        return ""
    if _is_one_of(subject, passage.source.lines):
        return f"{subject[:_MAX_SHOWN_CHARACTERS]} speaks in no cited line"
    return ""


def _is_one_of(subject: str, lines: Sequence[SourceLine]) -> bool:
    """Whether one of these lines is said by the subject, who may be called by a part of a name."""
    said_by = {(line.speaker, line.role) for line in lines}
    is_user = fold(subject) in known.USER or known.ZH_USER.fullmatch(subject) is not None
    if is_user and any(role == "user" for _, role in said_by):
        return True
    name = {*fold(subject).split()}
    speakers = ({*fold(speaker).split()} for speaker, _ in said_by)
    return bool(name) and any(each and (name <= each or each <= name) for each in speakers)
