"""How a memory was used, as its view tells it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from math import exp, inf, log1p
from posixpath import basename

from memwiki.clock import iso_of, local_day
from memwiki.config.schema import MemoryConfig
from memwiki.dates import date_in, day_here, iso_date, named_day
from memwiki.digest import text_hash
from memwiki.entry_fields import FIELDS, FieldKind, unit_interval
from memwiki.facts.identity import normal_form
from memwiki.files.usage_log import ENTRY, PER_POINT, Subject, Sum
from memwiki.index.stores import Stores
from memwiki.index.usage import UsageTable, table_in_memory
from memwiki.markdown.describe import inner_path, is_in, is_session
from memwiki.names import fold, stem_of
from memwiki.nouns import VALID, Layers
from memwiki.numbers import named_number
from memwiki.sync.context import Context
from memwiki.text import CJK, whole_words

_HASH_BYTES = 12
_DAY_SECONDS = 86_400
BOUNDS = ("valid_from", "valid_to")
CORE = "core"
DAILY = "daily"
CONVERSATION = "conversation"
PROMOTED_TO = "promoted_to"  # names the core entry that says what a line of a day said
_BASES = {CORE: 0.7, DAILY: 0.3, CONVERSATION: 0.2}
_CUSTOM = 0.4
_STRUCTURED = 0.5
_STRUCTURE = [row.stored for row in FIELDS if row.is_naming and row.kind is FieldKind.TEXT]
_BOOST, _MAX_BOOST = 0.1, 0.2
_BOOST_WORDS = (
    "decision always never important critical must requirement policy rule principle "
    "决定 决策 总是 始终 从不 绝不 重要 关键 必须 要求 政策 规则 原则"
).split()
# Chinese has no blanks: words that hold one of ours and mean another thing.
_OTHER_WORDS = "严重 关键词 关键字 关键帧 从不同 需要求 无须".split()
# "no decision yet"
_DENIED, _ZH_DENIED = r"(?:\b(?:not|no)|n['’]t)\s+(?:an?\s+)?", "(?:不是?|没有?|未)"
_GUESSES = ("must have been", "must've", "must’ve")  # no rule, but what somebody supposes
_WEIGHTS = (0.3, 0.5, 0.2)
_RATES = {"event": 0.05, "opinion": 0.03, "fact": 0.01, "relation": 0.005}  # a day
_RATE = 0.01  # of types that nobody lists


def entry_subject(id_: str, text: str) -> Subject:
    """An entry as usage knows it: by its id, without one by the hash of its normalised text."""
    return Subject(ENTRY, id_ or text_hash(normal_form(text), _HASH_BYTES).hex())


def usage_table(stores: Stores, context: Context) -> UsageTable:
    """What is known of usage: the tables beside the cards, else the files themselves."""
    table = UsageTable(stores.cards.db, context.root)
    return table if table.is_current() else table_in_memory(context.root)


def mean_score(used: Sum) -> float:
    """The mean score of the recalls, 0 for none."""
    return round(used.score / used.recalls / PER_POINT, 4) if used.recalls else 0.0


def last_recalled(used: Sum) -> str:
    """When it was recalled last; "" for never."""
    return iso_of(used.at * 10**9) if used.recalls else ""


def days_since(used: Sum, created: str, path: str, now_ns: int) -> float:
    """The days since the last recall; since creation if there was none, endless if none is
    known."""
    if used.recalls:
        return (now_ns / 10**9 - used.at) / _DAY_SECONDS
    return age_days(created, path, now_ns)


def age_days(created: str, path: str, now_ns: int) -> float:
    """The days since creation, by the entry or the name of its page; endless if none is known."""
    today = local_day(now_ns)
    day = named_day(iso_date(created)[:10] or date_in(stem_of(path)), today, is_end=False)
    return (today - day).days if day else inf


def category_of(path: str, layers: Layers, front_type: str) -> str:
    """core, daily or conversation; another page of entries is a category of its own name."""
    path = inner_path(path, layers)
    core = (layers.memory, layers.learnings, layers.wiki)
    if fold(front_type) == "memory" or any(is_in(path, layer) for layer in core):
        return CORE
    if is_in(path, layers.daily):
        return DAILY
    if is_session(path, front_type, layers):
        return CONVERSATION
    # Pages of a folder for what nobody has reviewed yet are one category, not one a day.
    if is_in(path, layers.inbox):
        return basename(layers.inbox.strip("/"))
    name = stem_of(path)
    return basename(path) if name in (CORE, DAILY, CONVERSATION) else name


def status_of(fields: Mapping[str, str], *, is_struck: bool) -> str:
    """What an entry says of its state; struck out it is superseded, else active."""
    if is_struck or "superseded_by" in fields:
        return "superseded"
    return fields.get("status", "") or "active"


def is_current(fields: Mapping[str, str], *, is_struck: bool) -> bool:
    """Whether an entry is what is known: not superseded, and not kept in core since."""
    return status_of(fields, is_struck=is_struck) != "superseded" and PROMOTED_TO not in fields


def validity(fields: Mapping[str, str], first: date, last: date) -> str:
    """From or up to when an entry holds, as it says; "" where it does in any of these days."""
    start, end = (day_here(iso_date(fields.get(name, ""))) for name in BOUNDS)
    if start > last.isoformat()[: len(start)]:
        return f"{VALID} from {start}"
    return f"{VALID} to {end}" if end and end < first.isoformat()[: len(end)] else ""


def importance_of(
    text: str, *, category: str, is_structured: bool, boost_words: Iterable[str] = ()
) -> float:
    """The importance from 0 to 1, by where a memory stands and by words that say it matters."""
    base = _STRUCTURED if is_structured else _BASES.get(category, _CUSTOM)
    words, form = _boosting(tuple(boost_words))
    boosts = len(words.intersection(form.findall(fold(text))))
    return round(min(1.0, base + min(_MAX_BOOST, _BOOST * boosts)), 2)


def known_importance(
    text: str, fields: Mapping[str, str], category: str, boost_words: Sequence[str]
) -> float:
    """The importance of an entry: as written, else as judged by its place and words."""
    written = unit_interval(fields.get("importance", ""))
    if written:
        return float(written)
    is_structured = any(name in fields for name in _STRUCTURE)
    return importance_of(
        text, category=category, is_structured=is_structured, boost_words=boost_words
    )


@lru_cache(maxsize=8)
def _boosting(more: tuple[str, ...]) -> tuple[frozenset[str], re.Pattern[str]]:
    """The words that say that a memory matters, and what finds them."""
    words = frozenset(filter(None, (fold(word.strip()) for word in (*_BOOST_WORDS, *more))))
    longest_first = sorted({*words, *_OTHER_WORDS, *_GUESSES}, key=len, reverse=True)
    chinese = "|".join(re.escape(word) for word in longest_first if re.match(f"[{CJK}]", word))
    others = "|".join(re.escape(word) for word in longest_first if not re.match(f"[{CJK}]", word))
    return words, re.compile(f"(?:{_ZH_DENIED})?(?:{chinese})|(?:{_DENIED})?{whole_words(others)}")


def value_of(
    recalls: int, mean_score: float, days: float, weights: Sequence[float] = _WEIGHTS
) -> float:
    """0.3 ln(1 + recalls) + 0.5 mean score + 0.2 / (1 + days since the last recall).

    `days` are those since it was made when it was never recalled; a time to come is today.
    """
    often, well, lately = weights
    return often * log1p(recalls) + well * mean_score + lately / (1 + max(days, 0.0))


def decay_of(
    category: str,
    type_: str,
    importance: float,
    age_days: float,
    recalls: int,
    settings: MemoryConfig,
) -> float:
    """What age leaves, as the settings have it: 1 of core and of what nobody dates.

    Either 2^(-age / half-life), or importance x exp(-rate x age) x (1 + ln(1 + recalls)), where a
    time to come is today.
    """
    if category == CORE or age_days == inf:
        return 1.0
    age = max(age_days, 0.0)
    if settings.decay == "half_life":
        return float(2.0 ** (-age / settings.half_life_days))
    rate = {**_RATES, **rates_of(settings.decay_rates)}.get(fold(type_), _RATE)
    return importance * exp(-rate * age) * (1 + log1p(recalls))


def rates_of(written: tuple[str, ...]) -> Mapping[str, float]:
    """Shares a day by type, as the setting has them."""
    found = filter(None, map(named_number, written))
    return {fold(type_): rate for type_, rate in found}
