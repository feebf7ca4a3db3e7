"""A query: its words, phrases and filters as they are typed, what they are once read, or a
condition that joins them; and the terms that the index is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from math import sqrt
from typing import TypeAlias

from memwiki.index.keyword.backend import Snapshot
from memwiki.index.keyword.tokens import (
    count_terms,
    function_words,
    grouped_numbers,
    other_spelling,
    plain_words,
    query_terms,
    searchable,
    stem,
)
from memwiki.records import NamedTuple
from memwiki.text import is_cjk, pattern


class FilterKind(StrEnum):
    TAG = "tag"
    TYPE = "type"
    PATH = "path"
    TITLE = "title"
    SECTION = "section"
    SINCE = "since"
    UNTIL = "until"
    IS = "is"
    HAS = "has"
    FIELD = "field"  # any other front matter or entry field; `name` says which


class Filter(NamedTuple):
    """A condition on what may be found; dates in `value` are whole ISO days, both ends included.
    The value of a field is compared by `sign` (< <= > >=) where there is one."""

    kind: FilterKind
    value: str
    name: str = ""
    is_excluded: bool = False
    sign: str = ""

    @property
    def as_typed(self) -> str:
        """A field as it is asked for."""
        return f"{self.name}:{self.sign}{self.value}"


class TermKind(StrEnum):
    WORD = "word"
    PHRASE = "phrase"
    PREFIX = "prefix"


class Term(NamedTuple):
    """Text that is asked for within a condition."""

    kind: TermKind
    text: str
    is_excluded: bool = False


class Joint(StrEnum):
    ALL = "all"
    ANY = "any"
    NONE = "none"


class Joined(NamedTuple):
    """The last so many parts of a condition, joined to one."""

    joint: Joint
    parts: int


# Parts in postfix order, so that no depth of parentheses is a depth of calls.
Condition: TypeAlias = tuple[Term | Filter | Joined, ...]


class Query(NamedTuple):
    """A question, read; `excluded` holds words, phrases (with a space) and prefixes (with a
    `*`). Where a `condition` joins them all, `words` and `prefixes` only rank what it lets
    through."""

    text: str
    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    condition: Condition = ()
    notes: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether the text itself may be a name: words and nothing else, or a condition."""
        return not (self.phrases or self.prefixes or self.excluded or self.filters) or bool(
            self.condition
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """All words, phrases and prefixes."""
        return (*self.words, *self.phrases, *self.prefixes)

    @property
    def has_terms(self) -> bool:
        """Whether it asks for any text at all, or only filters."""
        return bool(self.texts)

    @property
    def every_filter(self) -> tuple[Filter, ...]:
        """The filters, those within the condition included."""
        return (*self.filters, *(each for each in self.condition if isinstance(each, Filter)))

    @property
    def is_about_links(self) -> bool:
        """Whether a filter asks where the links of other pages lead."""
        return any(
            each.kind is FilterKind.IS and each.value == "orphan" for each in self.every_filter
        )

    @property
    def needs_terms(self) -> bool:
        """Whether what holds none of the words and phrases cannot fit the condition."""
        needed: list[bool] = []
        for step in self.condition:
            if isinstance(step, Joined):
                values = take(needed, step.parts)
                needed.append(_NEEDS[step.joint](values))
            else:
                needed.append(isinstance(step, Term) and not step.is_excluded)
        return all(needed)


_NEEDS: dict[Joint, Callable[[list[bool]], bool]] = {
    Joint.ALL: any,
    Joint.ANY: all,
    Joint.NONE: lambda _: False,
}


def take(values: list[bool], count: int) -> list[bool]:
    """The last so many values, taken off."""
    taken = values[-count:]
    del values[-count:]
    return taken


def known_fields_only(query: Query, is_known: Callable[[Filter], bool]) -> Query:
    """The same where a `word:word` whose first word is no field anywhere is words."""
    strange = {each for each in query.every_filter if not is_known(each)}
    if not strange:
        return query
    return query._replace(
        filters=tuple(each for each in query.filters if each not in strange),
        words=(*query.words, *_texts(query.every_filter, strange, is_excluded=False)),
        excluded=(*query.excluded, *_texts(query.filters, strange, is_excluded=True)),
        condition=tuple(
            Term(TermKind.WORD, step.as_typed, step.is_excluded)
            if isinstance(step, Filter) and step in strange
            else step
            for step in query.condition
        ),
    )


def _texts(
    filters: tuple[Filter, ...], strange: set[Filter], *, is_excluded: bool
) -> Iterator[str]:
    for each in filters:
        if each in strange and each.is_excluded == is_excluded:
            yield each.as_typed


class QueryItem(NamedTuple):
    """A word, a phrase or a filter as typed; `key` is empty for plain text."""

    text: str
    key: str = ""
    is_phrase: bool = False
    is_excluded: bool = False
    sign: str = ""

    @property
    def as_typed(self) -> str:
        """What it is searched for by if it is no syntax."""
        return f"{self.key}:{self.sign}{self.text}" if self.key else self.text

    @property
    def is_word(self) -> bool:
        """Whether it is a word, neither quoted nor excluded nor a filter."""
        return not (self.key or self.is_phrase or self.is_excluded)


class Parenthesis(NamedTuple):
    """One that stands at the start or end of a piece; a minus before it excludes the group."""

    is_open: bool
    is_excluded: bool = False


Piece: TypeAlias = QueryItem | Parenthesis

_CLOSING = {'"': '"', "“": "”“", "”": "”“", "「": "」", "『": "』"}
QUOTES = "".join({*_CLOSING, "」", "』"})
_OPENS, _CLOSES = "(（", ")）"
_KEY = pattern(r"([^\W\d][\w-]+)[:：]")
_SIGN = pattern(r"[<>]=?")
_KEYS = frozenset(FilterKind) - {FilterKind.FIELD}
# `http://x`, `C:/x`, `C:\x` and `std::vector` are words.
_NO_VALUE = ("/", "\\", ":")
_SCHEMES = frozenset({"mailto", "urn", "tel", "data"})


def items(text: str) -> Iterator[QueryItem]:
    """The pieces of prose, in which parentheses belong to their words."""
    reading = _Reading(text)
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        item, position = reading.item(position, len(text))
        if _says_anything(item):
            yield item


def pieces(text: str) -> Iterator[Piece]:
    """The pieces of a query, in which parentheses may group."""
    reading = _Reading(text)
    position = 0
    while position < len(text):
        is_minus = text[position] == "-" and text[position + 1 : position + 2] in (*_OPENS,)
        if text[position].isspace():
            position += 1
        elif is_minus or text[position] in _OPENS:
            yield Parenthesis(is_open=True, is_excluded=is_minus)
            position += 1 + is_minus
        elif text[position] in _CLOSES:
            yield Parenthesis(is_open=False)
            position += 1
        else:
            item, end = reading.item(position, len(text))
            bare = end if item.is_phrase else _before_closing(text, position, end)
            if bare < end:
                item, end = reading.item(position, bare)
            if _says_anything(item):
                yield item
            position = end


def _says_anything(item: QueryItem) -> bool:
    return bool(item.key or item.text.strip("-*" + QUOTES))


def _before_closing(text: str, start: int, end: int) -> int:
    """Where a word ends without parentheses at its end that it does not open itself: `f(x))`."""
    opened = sum(text.count(mark, start, end) for mark in _OPENS)
    opened -= sum(text.count(mark, start, end) for mark in _CLOSES)
    while opened < 0 and text[end - 1] in _CLOSES:
        end, opened = end - 1, opened + 1
    return end


class _Reading:
    """A text, and where each closing quote stands last: beyond it none is looked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._last = {mark: text.rfind(mark) for mark in QUOTES}

    def item(self, start: int, stop: int) -> tuple[QueryItem, int]:
        """The piece that begins here, and where it ends."""
        text = self._text
        is_excluded = _starts_exclusion(text, start)
        start += is_excluded
        key = _key_at(text, start, stop)
        value_start = start + len(key) + 1 if key else start
        sign = self._sign_at(key, value_start, stop)
        value_start += len(sign)
        phrase = self._phrase_at(value_start, stop)
        end = phrase[1] if phrase else self._word_end(value_start, stop)
        value = phrase[0] if phrase else text[value_start:end].strip(QUOTES)
        return QueryItem(value, key, phrase is not None, is_excluded, sign), end

    def _sign_at(self, key: str, start: int, stop: int) -> str:
        """How the value of a field is compared; a sign without a value belongs to a word."""
        match = _SIGN.match(self._text, start, stop) if key and key.lower() not in _KEYS else None
        following = self._text[match.end() : min(match.end() + 1, stop)] if match else ""
        return match[0] if match and following.strip() else ""

    def _phrase_at(self, start: int, stop: int) -> tuple[str, int] | None:
        """Content and end of the quoted text that opens here; None when it never closes."""
        text = self._text
        closing = _CLOSING.get(text[start : start + 1]) if start < stop else None
        if closing is None:
            return None
        marks = [mark for mark in closing if self._last[mark] > start]
        if not marks:
            return None
        end = re.compile(f"[{''.join(marks)}]").search(text, start + 1, stop)
        if end is None:
            return None
        return " ".join(text[start + 1 : end.start()].split()), end.end()

    def _word_end(self, start: int, stop: int) -> int:
        """A word ends at a blank, or where a phrase opens (CJK text has no blank before it)."""
        end = start + 1
        while end < stop and not self._text[end].isspace():
            if self._text[end] in _CLOSING and self._phrase_at(end, stop) is not None:
                break
            end += 1
        return min(end, stop)


def _starts_exclusion(text: str, start: int) -> bool:
    """A minus before a word, phrase or filter; `->`, `--flag` and a lone `-` are words."""
    following = text[start + 1 : start + 2]
    return (
        text[start] == "-"
        and bool(following)
        and (following.isalnum() or following in "_#.@" + QUOTES)
    )


def _key_at(text: str, start: int, stop: int) -> str:
    match = _KEY.match(text, start, stop)
    if match is None:
        return ""
    key, value = match[1], text[match.end() : min(match.end() + 1, stop)]
    is_known = key.lower() in _KEYS
    if not value.strip() or key.lower() in _SCHEMES:
        return ""
    if value in _NO_VALUE and not (is_known and value == "/"):
        return ""
    # Chinese prose is full of full-width colons: only our own words are keys before one.
    return key if is_known or text[match.end() - 1] == ":" else ""


_EXPANSIONS = 32  # terms a prefix may stand for
_LONG = 12  # terms; a question of more is somebody's talk
_LIGHT_WEIGHT = 0.3  # of a term that says more of how is asked than of what
_KANA = frozenset(map(chr, range(0x3041, 0x3097)))  # a Japanese term of nothing else is grammar

# Words a question is asked with and not about. Only the question loses them: the index keeps all.
ASKING = frozenset(
    """
    a about after all am an and any are as at be been before being but by can could did do does
    doing for from get had has have having he her hers him his how i if in into is it its just
    me might my of off on or our ours out over she should so some such than that the their
    theirs them then there these they this those to too under until up us very was we were what
    when where which while who whom whose why will with would you your yours tell ever
    如何 哪些 哪儿 哪兒 哪里 哪裡 是否 多少 可以 能否 请问
    """.split()
)
# Characters of 是什么, 什么意思, 怎么样, 为什么, 是谁: in a question a term of nothing but these
# says nothing, while 样本 or 行为 do.
_FUNCTION = frozenset("的了吗呢吧是在和与或有这那个什么甚麼嗎怎样樣哪谁誰为為何用意思來来会會")

# Of Chinese a term is a pair of characters: with one of these it is half of two words, as rare as
# it is meaningless.
_GRAMMAR = _FUNCTION - set("用意思來来会會") | set(
    "啊呀我你他她它们們想把被让讓就都也还還能可以些某跟而且并但不没沒很太最请請几從从到对對其之于"
)
_NOW = frozenset("现在 現在 目前 如今".split())
# What a Chinese question is asked with beside its grammar: what is left of it alone, 住 or 伞, is
# what it asks for.
_AROUND_LONE = pattern(
    rf"(?:什么时候|什麼時候|{'|'.join(_NOW)}|如何|哪[儿兒里裡]|[^㐀-䶿一-鿿]|[{''.join(sorted(_GRAMMAR))}])+"
)
# Words of which a sentence in another European language has one: to load the lists takes 4 ms.
_FOREIGN = frozenset(
    """
    das dem den der die ein eine einen ich ist kann man mit und wie wir zu au ce ces de des
    du est et je la le les ma mon que qui sur un une como con cual del el es esta las los mi
    para por puedo se una che come da del della di il per quando si ao em meu na no o os
    posso qual um uma een en het hoe ik kan mijn naar van wat voor hva hvordan jeg og pa hur
    jag och vad hvad bir nasil ne ve hogyan egy az mika miten on в для и из как какие когда
    мне можно на не о по с у что я
    """.split()
)
# Verbs and pronouns that nearly anything is asked with; as stems, as the index has them.
_LIGHT = frozenset(
    """
    abl alreadi also anybodi anyon anyth came come even everyon everyth gave get give given
    go goe gone got happen instead keep kept let like look lot made make need nobodi noth
    put realli said say somebodi someon someth still sure tell thing told tri want way well
    """.split()
)


# What is left of a short word beside an apostrophe, the `s` of what's and the `j` of j'ai: where
# few pages are written as one talks it is as rare as what is asked for. The `t` of don't tells.
_ELIDED = pattern(
    r"(?<=\w\w)['’](?:[sdm]|ll|re|ve)\b|\bi['’](?:[dm]|ll|ve)\b"
    r"|\b(?:[cdjlmnst]|qu)['’](?=\w\w)",
    re.IGNORECASE,
)


_NEGATION = pattern(r"\w{2,6}n['’]t\b", re.IGNORECASE)  # in somebody's talk a way of speaking


def text_terms(query: Query) -> list[str]:
    """The terms of the words and phrases; question words only where nothing else is asked, or
    where a condition needs them."""
    if query.condition:
        return _terms([*query.words, *query.phrases])
    whole = [part for word in query.words for part in _ELIDED.sub(" ", word).split()]
    if len(whole) > _LONG:
        whole = [word for word in whole if not _NEGATION.match(word)]
    words = [word for word in whole if not is_asking(word.casefold())]
    foreign = foreign_asking(query.text)
    found = _terms([*words, *query.phrases])
    terms = [term for term in found if not is_asking(term) and term not in foreign]
    every = _terms([*(whole or query.words), *query.phrases])
    numbers = grouped_numbers(searchable(query.text)) if len(query.words) > 1 else ()
    return list(dict.fromkeys((*(terms or every), *numbers)))


def term_weights(query: Query, prefixed: Iterable[str] = ()) -> Mapping[str, float]:
    """The terms that are looked for, with their weights: in long talk the square root of how often
    each stands there, and single characters beside the pairs; light ones count less in a
    question that is a sentence: of keywords each is meant."""
    weights = dict.fromkeys((*text_terms(query), *prefixed), 1.0)
    for term, count in count_terms(query.text).items() if len(weights) > _LONG else ():
        if term in weights or (len(term) == 1 and is_cjk(term) and not is_asking(term)):
            weights[term] = sqrt(count)
    said = " ".join(query.words)
    for part in _AROUND_LONE.split(said) if is_cjk(said) else ():
        if len(part) == 1:
            weights.setdefault(part, 1.0)
    is_sentence = any(map(is_asking, query_terms(query.text)))
    return {
        term: weight * _LIGHT_WEIGHT if is_light(term, is_sentence=is_sentence) else weight
        for term, weight in weights.items()
    }


def is_light(term: str, *, is_sentence: bool = True) -> bool:
    """Whether a term says more of how a question is asked than of what it is about."""
    if _KANA.issuperset(term) or term in _NOW:
        return True
    return is_sentence and (term in _LIGHT or not _GRAMMAR.isdisjoint(term))


def is_asking(term: str) -> bool:
    """Whether a word or term, folded, is one that a question is asked with."""
    return term in ASKING or _FUNCTION.issuperset(term)


def foreign_asking(question: str) -> frozenset[str]:
    """The terms of the words that a question in a European language but English is asked with:
    where few pages are in it, `une` or `для` is as rare as what is asked for.

    The language is the one that most words are of, two at least; a word that is not the
    first and has a capital is a name's.
    """
    words = [] if is_cjk(question) else plain_words(question)
    asked = {word.casefold() for word in words}
    english = max(len(asked & ASKING), 1)
    if 3 * english >= len(asked) or _FOREIGN.isdisjoint(asked):
        return frozenset()
    said = max((asked & each for each in function_words()), key=len)
    names = {word.casefold() for word in words[1:] if not word.islower()}
    return frozenset(query_terms(" ".join(said - names)) if len(said) > english else ())


def prefix_terms(query: Query, snapshot: Snapshot) -> list[str]:
    """The terms that the prefixes stand for; a condition needs those of each."""
    if query.condition and len(query.prefixes) > 1:
        each = (Query(prefix, prefixes=(prefix,)) for prefix in query.prefixes)
        return [term for one in each for term in prefix_terms(one, snapshot)]
    found: dict[str, None] = {}
    for prefix in spellings(query.prefixes):
        # The index holds stems, so `configurat*` has to meet `configur` too.
        for start in dict.fromkeys((*query_terms(prefix)[-1:], stem(prefix.casefold()))):
            found.update(dict.fromkeys(snapshot.expand(start, _EXPANSIONS)))
    return list(found)[:_EXPANSIONS]


def spellings(words: Sequence[str]) -> Iterable[str]:
    """The words, then the same as pages may spell them otherwise, `ue` for `ü`."""
    return filter(None, (*words, *map(other_spelling, words)))


def _terms(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(term for text in texts for term in query_terms(text)))
