"""How a memory was used, as its view tells it."""

from __future__ import annotations

from math import inf

from memwiki.clock import day_of, iso_of
from memwiki.dates import date_in, iso_date, named_day
from memwiki.digest import text_hash
from memwiki.facts.identity import normalised
from memwiki.files.usage_log import ENTRY, PER_POINT, Subject, Sum
from memwiki.index.stores import Stores
from memwiki.index.usage import UsageTable, table_in_memory
from memwiki.names import stem_of
from memwiki.sync.context import Context

_HASH_BYTES = 12
_DAY_SECONDS = 86_400


def entry_subject(id_: str, text: str) -> Subject:
    """An entry as usage knows it: by its id, without one by the hash of its normalised text."""
    return Subject(ENTRY, id_ or text_hash(normalised(text), _HASH_BYTES).hex())


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
    today = day_of(now_ns)
    day = named_day(iso_date(created)[:10] or date_in(stem_of(path)), today, is_end=False)
    return (today - day).days if day else inf
