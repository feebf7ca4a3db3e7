"""Whether the lines that a fact cites say it: rules over words, English and Chinese.

Words tell what a line speaks of, not what it means: what is set aside is shown with its reason, and
what is supported is still read by a person.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from datetime import date, timedelta
from functools import cached_property, partial
from typing import NamedTuple

from memwiki.dates import MONTHS, iso_date
from memwiki.facts.identity import normal_form
from memwiki.index.keyword.tokens import count_terms, query_terms
from memwiki.judgement import statement_words as known
from memwiki.judgement.lexicon import Kind, lexicon, spelled_out, with_plain_numbers
from memwiki.judgement.similarity import words_of
from memwiki.names import fold
from memwiki.numbers import counted, plural
from memwiki.proposals.beside import (
    Likest,
    beside,
    clause_lines,
    content_of,
    in_words,
    other_word,
    sentences,
)
from memwiki.proposals.claims import names_in, numbers_in, stated_numbers
from memwiki.proposals.denials import unlike_denial
from memwiki.proposals.given_up import why_given_up
from memwiki.proposals.limits import (
    left_out,
    one_for_both,
    other_unit,
    over_general,
    why_generalised,
    why_hedged,
    why_limited,
    without_condition,
)
from memwiki.proposals.numbering import NumberedSource, SourceLine, headings_over
from memwiki.proposals.opposites import opposite_of
from memwiki.proposals.rows import (
    NamedRow,
    above,
    columns_of,
    headers_over,
    is_of_another_column,
    is_of_another_number,
    is_of_another_row,
    parallel_rows,
    rows_around,
)
from memwiki.proposals.sides import crossed, exchanged_words, turned_round
from memwiki.proposals.unsure import why_unsure
from memwiki.text import has_chinese, is_cjk, pattern
from memwiki.times.day_names import DAYS
from memwiki.times.days import days_in, days_of_no_year

AROUND = 2  # lines before and behind a cited one
_MAX_CITED = 20  # lines; what rests on a whole conversation rests on nothing
# Of the share in English, for pairs of characters (benchmarks/grounding.py, 2026-11-25).
CHINESE_SHARE = 0.75
# A page is told in other words than a conversation. Of 412 true claims that cite another line of
# their page 395 are set aside, 403 at the whole share (2026-11-29).
_FILE_SHARE = 0.75
_PAGE = 200  # lines before and behind the cited ones
_OFTEN = 3  # lines of a file with a name that all of it is about
_DATE = pattern(r"(?<![0-9])[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?(?![0-9-])")  # is of no row
_YEAR = timedelta(days=365)
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
_CLOCK = pattern(r"(?<![0-9])[0-9]{1,3}m(?![a-z])")  # as times are written in one form
_CODE = pattern(r"`([^`]+)`")
_FIGURES = pattern("[0-9]+")
_OTHER = pattern(r"\b(?:another|the other|both|either)\b|另一|两者|双方")  # there are two
_LISTED = pattern(r"\S, (?:and |or )?(?=\S)|\S (?:and|or) (?=\S)|[、和与或]")  # before one more
_MIN_CLAUSE = 5  # tokens of one that is compared by itself
_OPTION = pattern(r"(?<![\w/.<-])(?:--?|/)[A-Za-z][\w:-]*")
_IDENTIFIER = pattern(r"(?<![\w.@/])[A-Za-z]\w+(?:\.[A-Za-z]\w+)+|\b[A-Za-z]\w*_\w+", re.ASCII)
_SIGN = pattern(r"\w+|[^\w\s<>\[\](){}!#^|~%$\\‹›`]")


class Support(NamedTuple):
    """The share of a fact's words that stand around the cited lines, and why it is set aside."""

    share: float
    why: str = ""


class CitedLines:
    """The lines that are cited, with those around them and the headings over them; what few facts
    need is worked out late."""

    def __init__(self, source: NumberedSource, cited: Sequence[int]) -> None:
        over = {at - 1 for number in cited for at in headings_over(source.lines, number)}
        heads = {*headers_over(source.lines, cited).values()}
        over |= {*above(source.lines, cited)} | heads
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
        self.numbers = cited
        self.heads = [source.lines[at].text for at in heads]  # of the tables
        self.cited = [source.lines[number - 1] for number in cited]
        self.speakers = frozenset(line.speaker for line in around if line.speaker)
        self.text = "\n".join(line.text for line in around)
        self.told = (
            self.text if self.speakers else "\n".join((source.title, *(e.text for e in said)))
        )
        self.terms = frozenset(count_terms("\n".join((source.title, self.text, *self.speakers))))
        self.of_speakers = frozenset(count_terms("\n".join(self.speakers)))

    @cached_property
    def lines(self) -> str:
        """The cited lines alone."""
        return "\n".join(line.text for line in self.cited)

    def has_sentences(self, text: str) -> bool:
        """Whether the lines of a file say each sentence of a text word for word."""
        return not self.speakers and {*sentences(text)} <= {*sentences(self.lines)}

    def repeats(self, text: str) -> bool:
        """Whether each sentence of a text is all or a part of one of the lines, word for word."""
        told = [f" {' '.join(each)} " for each in sentences(self.lines)]
        return all(any(f" {' '.join(each)} " in line for line in told) for each in sentences(text))

    def share_of(self, words: frozenset[str]) -> float:
        """How much of these is said: in a file by the cited lines and their headings alone, in a
        conversation around them, too."""
        said = self.terms if self.speakers else frozenset(count_terms(self.told))
        return len(words & said) / len(words)

    @cached_property
    def counts(self) -> set[int]:
        """How many things may be counted in words: lines of one each, what a line has as code."""
        codes = (len({*_CODE.findall(line.text)}) for line in self.cited)
        listed = (len(_LISTED.findall(line.text)) + 1 for line in self.cited)
        return {count for count in (len(self.cited), *codes, *listed) if count > 1}

    @cached_property
    def words_of_page(self) -> frozenset[str]:
        """The tokens of the sentences within some hundred lines."""
        first, last = max(self.numbers[0] - _PAGE, 0), self.numbers[-1] + _PAGE
        texts = "\n".join(line.text for line in self.source.lines[first:last])
        return frozenset(token for tokens in sentences(texts) for token in tokens)

    @cached_property
    def rows(self) -> list[list[NamedRow]]:
        """Of the tables and lists that the cited lines are in; none in a conversation."""
        if self.speakers:
            return []
        return rows_around(self.source.lines, self.numbers, _telling)

    def is_parallel(self, text: str) -> bool:
        """Whether a sentence says of one thing what those of the lines say of another."""
        is_clauses = "\n" in text
        rows = parallel_rows(clause_lines(self.lines) if is_clauses else self.lines)
        return any(
            is_of_another_row("", frozenset(content_of(each)), rows) for each in sentences(text)
        )

    @cached_property
    def days(self) -> frozenset[date]:
        """The day of the source, and the first and last of each time that the lines name."""
        when = self.source.date
        written = days_in(iso_date(when)[:10] or when, date.min)
        if not written:
            return frozenset()
        today = written[0].first
        found = [*written, *days_in(self.text, today)]
        for until in (today, today + _YEAR):  # the last one of 3 May, or the next
            found += days_of_no_year(self.text, until)
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
    share = passage.share_of(words)
    why = (
        _silent_subject(subject, passage)
        or _unknown_number(text, passage)
        or _unknown_name(text, subject, passage)
        or _too_few_words(words, share, least * (1 if passage.speakers else _FILE_SHARE))
        or _only_around(words, passage)
        or _other_code(text, passage)
        or ("" if passage.has_sentences(text) else _said_otherwise(text, passage))
        or _other_row(text, passage)
        or crossed(text, passage.lines, passage.speakers)
    )
    return Support(share, why)


def is_said(text: str, passage: CitedLines) -> bool:
    """Whether the lines say each number and name of a text."""
    return not (_unknown_number(text, passage) or _unknown_name(text, "", passage))


def _said_otherwise(text: str, passage: CitedLines) -> str:
    return (
        unlike_denial(
            text,
            passage.lines,
            lambda each: _content(each, passage),
            in_file=not passage.speakers,
        )
        or _opposite(text, passage)
        or over_general(text, passage.told)
        or _told_apart(text, passage)
    )


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
    if missing:
        missing -= frozenset(map(str, passage.counts)) - {*_FIGURES.findall(text)}
    if _OTHER.search(passage.told):
        missing -= {"2"}
    if missing:
        missing -= _dated(text, passage)
    if missing and _is_time_of_day(text, missing, passage):
        return ""
    return _missing(sorted(missing), "number")


def _is_time_of_day(text: str, numbers: frozenset[str], passage: CitedLines) -> bool:
    """Whether the numbers are those of a time that the lines write otherwise: 9 pm is 21:00."""
    times, told = (
        {*_CLOCK.findall(with_plain_numbers(each))}
        for each in (normal_form(text), normal_form(passage.text))
    )
    rest = stated_numbers(_CLOCK.sub(" ", with_plain_numbers(normal_form(text))))
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
        number = f"{day.month:02}"
        forms = (month[:3], f"{day.month}月", f"-{number}", f"/{number}", f"{number}-")
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
    told = count_terms("\n".join((passage.lines, *passage.heads)))
    return "none of its words is in a cited line" if words.isdisjoint(told) else ""


# --- 5: code stands there as it is, and the text says no opposite of what the lines say, nothing
# of all, and of no row what another says ---


def _other_code(text: str, passage: CitedLines) -> str:
    """What is written as code is copied, not told: it stands there letter by letter."""
    told = _signs(passage.told)
    missing = [each for each in _CODE.findall(text) if _signs(each) not in told]
    return _missing(missing or [*_strange_names(text, passage)], "code")


def _strange_names(text: str, passage: CitedLines) -> Iterator[str]:
    """Options, which are what they are in capitals or not, and names with parts, in a file."""
    if passage.speakers:
        return
    told = passage.told.replace("\\", "")
    yield from (each for each in _OPTION.findall(text) if each not in told)
    page = [line.text.casefold() for line in passage.source.lines]
    for each in map(str.casefold, _IDENTIFIER.findall(text)):
        if each not in told.casefold() and sum(each in line for line in page) < _OFTEN:
            yield each


def _signs(text: str) -> str:
    """Its words and signs, each between blanks, but for those that are taken from what a model
    writes."""
    return f" {' '.join(_SIGN.findall(text.casefold()))} "


def _opposite(text: str, passage: CitedLines) -> str:
    if passage.repeats(text):
        return ""
    pairs = [] if passage.speakers else [*beside(text, passage.lines), *_clauses(text, passage)]
    return _said_instead(opposite_of(text, passage.lines, pairs), text, passage)


def _said_instead(words: tuple[str, str], text: str, passage: CitedLines) -> str:
    said, told = in_words(words[0], text), in_words(words[1], passage.lines)
    return f"it says {said}, where the cited lines say {told}" if said else ""


def _told_apart(text: str, passage: CitedLines) -> str:
    """What lines say the other way round, and those of a file otherwise; a conversation is told
    again in other words."""
    pairs, is_repeated = beside(text, passage.lines), passage.repeats(text)
    if not is_repeated and (places := exchanged_words(pairs)):
        return f"it has {in_words(places, text)} in each other's place"
    if not is_repeated and turned_round(text, passage.lines, _telling):
        return "it says the other way round what the cited lines say"
    if passage.speakers:
        content = partial(_content, passage=passage)
        unsure = why_unsure(text, passage.lines, content)
        return unsure or why_given_up(text, passage.lines, content)
    parts = beside(clause_lines(text), clause_lines(passage.lines))
    long = _clauses(text, passage)
    instead = other_word([*pairs, *long], passage.lines, lambda: passage.words_of_page)
    return (
        _said_instead(instead, text, passage)
        or left_out(parts, text, passage.lines)
        or why_hedged([*pairs, *parts], text, passage.lines)
        or why_limited(parts, passage.told)
        or without_condition(text, passage.lines)
        or one_for_both(pairs)
        or why_generalised(text, passage.told)
        or other_unit(text, passage.told)
    )


def _clauses(text: str, passage: CitedLines) -> list[Likest]:
    """The longer clauses of a text, each with the one of the lines that is most like it."""
    parts = beside(clause_lines(text), clause_lines(passage.lines))
    return [each for each in parts if len(each.mine) >= _MIN_CLAUSE]


def _other_row(text: str, passage: CitedLines) -> str:
    """The name of one row, or one number, with what is said of another alone."""
    if is_of_another_number(_DATE.sub(" ", text), passage.lines, _telling):
        return "it says of one number what the lines say of another"
    if any(is_of_another_row(text, _telling(text), rows) for rows in passage.rows) or (
        not passage.speakers and any(map(passage.is_parallel, (text, clause_lines(text))))
    ):
        return "it says of one row what another says"
    columns = columns_of(passage.source.lines, passage.numbers, _telling)
    if is_of_another_column(_telling(text), columns):
        return "it says of one column what another says"
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
