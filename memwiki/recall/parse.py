"""What a person types into the search box -> a query, and prose -> a question; it never fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING

from memwiki.entry_fields import canonical
from memwiki.index.keyword.tokens import normalise
from memwiki.recall.query import (
    QUOTES,
    Condition,
    Filter,
    FilterKind,
    Query,
    QueryItem,
    Term,
    TermKind,
    items,
    known_fields_only,
    pieces,
)
from memwiki.records import NamedTuple
from memwiki.text import is_cjk, pattern

if TYPE_CHECKING:
    from memwiki.times.days import Days

_KINDS = {kind.value: kind for kind in FilterKind}
_DATE_KINDS = (FilterKind.SINCE, FilterKind.UNTIL)
_UNQUOTED = str.maketrans(dict.fromkeys(QUOTES, " "))
_STATES = frozenset({"orphan", "entry"})
_AGED = frozenset({"created", "updated"})  # fields that may be compared with an age: `<2w`
_MAY_JOIN = pattern(r"\bOR\b|[()（）]")
# Words by which a question asks for causes or relations, not for what says the words.
_CAUSAL = ("因为", "所以", "为什么", "为何", "原因", "导致")
_RELATED = pattern(
    # A linked list, our connection or 联系方式 are things, and ask for nothing that is linked.
    r"\b(?:related|relations?|connections? (?:to|with|between))\b"
    r"|\b(?:linked|connected)(?= (?:to|with|by)\b|\W*$)"
    r"|有关|关于|相关|联系(?!人|方式|电话|地址|邮箱|信息)"
)
_CAUSAL_WORDS = pattern(r"\b(?:why|because|reasons?|causes?|caused|lead(?:s|ing)? to|led to)\b")
# Words by which it asks for a time.
_WHEN = pattern(
    r"\bwhen(?:'s|’s| (?:did|do|does|is|was|were|are|will|has|have|had|would|can|should))\b"
    r"|\b(?:what|which) (?:day|date|week|month|year)\b|\bhow long ago\b"
    r"|什么时候|什麼時候|何时|何時|哪一?[天年月日]|[几幾][号號月]|多久(?:以?前)|いつ(?!も)"
)
# What is allowed, and no month: "how long may a title be?"
_MAY = pattern(
    r"(?:\A\s*[Mm]ay|(?<!in )(?<!by )(?<!of )(?<!since )(?<!until )(?<!last )(?<!next )(?<!this )"
    r"(?<!during )(?<!and )(?<!or )(?<!from )(?<!to )(?<!on )(?<!through )(?<!till )(?<!before )"
    r"(?<!after )(?<!early )(?<!late )(?<!mid )(?<!\d )\bmay) "
    r"(?=(?i:i|we|you|he|she|it|they|one|anyone|somebody|a|an|the|my|our|your|his|her|their|its|this"
    r"|that|these|those|be|not|have)\b)"
)
# Words by which it asks for what was: "may I push today?" asks for nothing that is of today.
_PAST = pattern(
    r"\b(?:did|was|were|had|said|told|wrote|news?|(?!allowed|needed|required|supposed)[a-z]{3,}ed)"
    r"\b|了|过|過|刚|剛|发生|發生|新"
)
# Words by which it asks of who keeps these memories.
_WE = frozenset(
    "i me my mine we us our ours user ich mich mein meine meinen meiner wir uns unsere unseren je"
    " mes nous notre yo nosotros".split()
)
_CJK_WE = ("我", "咱", "用户", "用戶", "私は", "私の", "僕")
# Words by which it asks for the last or the first of several times; the group is what says so.
# What is called so is none: the last chapter, Anna's last name, the First World War, 晚上次数.
_NO_NAME = r"(?<!\bthe )(?<!\ba )(?<!\bmy )(?<!\bour )(?<!\bhis )(?<!\bher )(?<!\bbeen )(?<!['’]s )"
_WHEN_DID = r"\b(?i:when) (?:did|was|were|have|had|has) .{1,80}?"
_LAST_TIME = pattern(
    rf"{_WHEN_DID}{_NO_NAME}\b(last)\b(?! (?:summer|autumn|fall|winter|spring|night|weekend)\b)"
    r"|\b((?i:last time|zuletzt|derniere fois|ultima (?:vez|volta)))\b"
    r"|\b((?i:latest)|(?i:most) recent(?:ly)?)\b(?! versions?\b| releases?\b)"
    r"|\b(?i:what)(?:['’]s| is) (new) (?:with|about|at|in|on)\b"
    r"|(?<![早晚])(上一?次)(?!数)|(最近一次|最[后後]一次)"
)
_FIRST_TIME = pattern(
    rf"{_WHEN_DID}(?:\b(first time)\b|{_NO_NAME}\b(first)\b)|(第一次|首次)(?!世界)"
)
_AROUND = "?!.,:;()*_\"'’“”"
_CJK_WHEN = pattern(r"是?(?:什么时候|什麼時候|何时|何時)")


class Occasion(StrEnum):
    """Which of several times is asked for."""

    NONE = ""
    FIRST = "first"
    LAST = "last"


def parse_query(text: str, today: date) -> Query:
    """Read a query; what cannot be read as syntax is searched as words."""
    if not _MAY_JOIN.search(text):
        return parse_prose(text, today)
    from memwiki.recall.grouping import Grouping

    grouping = Grouping(pieces(text), lambda item: _leaf(item, today))
    if not grouping.is_joined:
        return parse_prose(text, today)._replace(notes=grouping.notes)
    return _joined_query(text, grouping.condition, grouping.ranking)._replace(notes=grouping.notes)


def parse_prose(text: str, today: date) -> Query:
    """The same where nothing is joined: OR and parentheses are text."""
    found: dict[TermKind, list[str]] = {kind: [] for kind in TermKind}
    excluded: list[str] = []
    filters: list[Filter] = []
    for item in items(text):
        leaf = _leaf(item, today)
        if isinstance(leaf, Filter):
            filters.append(leaf)
        elif leaf.is_excluded:
            excluded.append(item.as_typed)
        else:
            found[leaf.kind].append(leaf.text)
    return Query(
        text,
        words=_distinct(found[TermKind.WORD]),
        phrases=_distinct(found[TermKind.PHRASE]),
        prefixes=_distinct(found[TermKind.PREFIX]),
        excluded=_distinct(excluded),
        filters=tuple(dict.fromkeys(filters)),
    )


def _joined_query(text: str, condition: Condition, ranking: Sequence[Term]) -> Query:
    words = [each.text for each in ranking if each.kind is not TermKind.PREFIX]
    prefixes = [each.text for each in ranking if each.kind is TermKind.PREFIX]
    return Query(text, _distinct(words), prefixes=_distinct(prefixes), condition=condition)


def _leaf(item: QueryItem, today: date) -> Term | Filter:
    condition = _filter(item, today)
    if condition is not None:
        return condition
    if item.is_phrase and not item.key:
        return Term(TermKind.PHRASE, item.text, item.is_excluded)
    if _is_prefix(item.as_typed):
        return Term(TermKind.PREFIX, item.as_typed[:-1], item.is_excluded)
    return Term(TermKind.WORD, item.as_typed, item.is_excluded)


def _is_prefix(word: str) -> bool:
    stem = word[:-1]
    is_name = len(stem) == 1 and stem.isupper()  # A* is a way to search, not all that begins so
    return word.endswith("*") and "*" not in stem and any(map(str.isalnum, stem)) and not is_name


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


class Question(NamedTuple):
    """A question, read: its words and filters, the phrases that were quoted, the days it names,
    what it says beside these, whether it asks for causes, for what is related, when, of who asks
    or of what is to be done now, and for which of several times."""

    text: str
    query: Query
    phrases: tuple[str, ...] = ()
    days: tuple[Days, ...] = ()
    beside_days: str = ""
    is_causal: bool = False
    is_relational: bool = False
    is_temporal: bool = False
    is_of_us: bool = False
    is_of_now: bool = False
    occasion: Occasion = Occasion.NONE

    @property
    def is_deep(self) -> bool:
        """Whether it asks for more than what says its words."""
        return self.is_causal or self.is_relational


def read_question(text: str, today: date, is_known: Callable[[Filter], bool]) -> Question:
    """Read a question; a minus, a star and quotation marks exclude nothing, and a `word:word` is
    a filter only where there is such a field."""
    from memwiki.times.days import days_in, days_of_no_year, without_days  # a search names none

    asked = _MAY.sub("", text) if "may " in text.casefold() else text
    read = known_fields_only(parse_prose(asked, today), is_known)
    parts = (*read.words, *read.prefixes, *read.excluded, *read.phrases)
    words = tuple(dict.fromkeys(word for part in parts for word in part.split()))
    plain = normalise(asked)
    folded, days = plain.casefold(), days_in(plain, today) or days_of_no_year(plain, today)
    occasion, said = (Occasion.NONE, "") if days else _occasion(plain)
    if occasion:
        words = _without(said, words) or words
    return Question(
        text,
        Query(text.translate(_UNQUOTED), words, filters=read.filters),
        read.phrases,
        days,
        without_days(plain, today) if days else asked,
        is_causal=any(word in folded for word in _CAUSAL) or bool(_CAUSAL_WORDS.search(folded)),
        is_relational=bool(_RELATED.search(folded)),
        is_temporal=bool(_WHEN.search(folded)),
        is_of_us=_is_of_us(folded),
        is_of_now=not _PAST.search(folded) and any(x.first <= today <= x.last for x in days),
        occasion=occasion,
    )


def _is_of_us(question: str) -> bool:
    """Whether it asks of who keeps the memories: `i'd` does, `I/O` not."""
    words = (word.strip(_AROUND).replace("’", "'") for word in question.split())
    is_said = not _WE.isdisjoint(word.partition("'")[0] for word in words)
    return is_said or any(word in question for word in _CJK_WE)


def _occasion(question: str) -> tuple[Occasion, str]:
    """Which of several times is asked for, and in what words."""
    for occasion, asked in ((Occasion.LAST, _LAST_TIME), (Occasion.FIRST, _FIRST_TIME)):
        if match := asked.search(question):
            return occasion, next(filter(None, match.groups()))
    return Occasion.NONE, ""


def _without(said: str, words: Sequence[str]) -> tuple[str, ...]:
    """The words without those that ask for a time."""
    if is_cjk(said):
        cut = (_CJK_WHEN.sub(" ", word.replace(said, " ")) for word in words)
        return tuple(part for each in cut for part in each.split())
    rest = {at: normalise(word.strip(_AROUND)) for at, word in enumerate(words)}
    for part in said.split():
        rest.pop(next((at for at, word in rest.items() if word == part), -1), "")
    return tuple(words[at] for at in rest)


def first_unreadable(text: str, today: date) -> QueryItem | None:
    """The first filter of a query whose value means nothing, which is searched as words."""
    read = (each for each in pieces(text) if isinstance(each, QueryItem))
    return next((each for each in read if not _is_readable(each, today)), None)


def _is_readable(item: QueryItem, today: date) -> bool:
    if not item.key or not item.text:
        return True
    if item.sign and canonical(item.key) in _AGED:
        return _day(item.text, today) is not None
    return _filter(item, today) is not None


# --- filters -------------------------------------------------------------------------------------


def _filter(item: QueryItem, today: date) -> Filter | None:
    if not item.key or not item.text:
        return None
    kind = _KINDS.get(item.key.lower(), FilterKind.FIELD)
    if kind is FilterKind.FIELD:
        value = _compared(item, today) if item.sign else item.text
        return Filter(kind, value, item.key, item.is_excluded, item.sign)
    value = _value(kind, item.text, today)
    return Filter(kind, value, is_excluded=item.is_excluded) if value else None


def _compared(item: QueryItem, today: date) -> str:
    """What a field is compared with: an age such as `2w` is a day."""
    is_age = canonical(item.key) in _AGED and item.text[-1:].isalpha()
    day = _day(item.text, today) if is_age else None
    return day.isoformat() if day else item.text


def _value(kind: FilterKind, text: str, today: date) -> str:
    """The value in its one spelling, "" when it cannot be read."""
    if kind in _DATE_KINDS:
        day = _day(text, today, is_end=kind is FilterKind.UNTIL)
        return day.isoformat() if day else ""
    if kind is FilterKind.IS:
        return text.lower() if text.lower() in _STATES else ""
    if kind is FilterKind.TAG:
        return text.lstrip("#").removesuffix("*").rstrip("/")
    if kind is FilterKind.HAS:
        return text if text.isprintable() else ""
    return text


def _day(text: str, today: date, *, is_end: bool = False) -> date | None:
    from memwiki.times.asked import asked_day  # few queries ask for a time

    return asked_day(text, today, is_end=is_end)
