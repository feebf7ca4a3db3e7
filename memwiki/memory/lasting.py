"""The core memories of a prompt: how the person wants it and what is always to be done before what
is so, and of two that contradict each other the newer one first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice

from memwiki import __version__
from memwiki.answers.entries import EntryView
from memwiki.config.schema import MemoryConfig
from memwiki.digest import text_hash
from memwiki.index.cache_files import read_sealed, write_sealed
from memwiki.memory.listing import core_entries
from memwiki.nouns import OLDER
from memwiki.recall.prompt import CONVENTIONS, PREFERENCES, PromptItem
from memwiki.records import grouped
from memwiki.sync.live import LiveIndex
from memwiki.text import pattern

_MAX_COMPARED = 256  # of the first ones: what takes the place of one shown may be far behind
_KEPT = "core.json"
_ORDER = pattern(
    r"\b(?:always|never|must(?!['’]ve|\s+have\s+been))\b"
    r"|总是|始终|从不(?!同)|绝不|(?<!不)必须|禁止|严禁|不得(?!不)|务必",
    re.IGNORECASE,
)


def lasting_items(live: LiveIndex) -> list[PromptItem]:
    """The core memories in the order in which they are worth the room, each older value behind
    what takes its place."""
    rows = [(PromptItem.of_entry(each), each) for each in core_entries(live, None)]
    rows.sort(key=lambda row: _rank(row[0]))
    older = _older(live, rows)
    items = [item for item, _ in rows]
    return [*_newer_first(items, older)] if older else items


def _rank(item: PromptItem) -> int:
    """How late it comes: behind preferences what orders something, then the rest."""
    is_order = item.group == CONVENTIONS or item.type == "lesson" or _ORDER.search(item.text)
    return 0 if item.group == PREFERENCES else 1 if is_order else 2


def _newer_first(items: Sequence[PromptItem], older: Mapping[int, int]) -> Iterator[PromptItem]:
    """The items, each older one behind the one that it leads to in the end."""

    def last(at: int) -> int:
        while at in older:
            at = older[at]
        return at

    for at, all_ in grouped((last(i), i) for i in range(len(items))).items():
        yield items[at]
        rest = [items[i]._replace(age=OLDER, newer=items[older[i]].place) for i in all_ if i != at]
        yield from sorted(rest, key=lambda each: each.when, reverse=True)


def _older(live: LiveIndex, rows: Sequence[tuple[PromptItem, EntryView]]) -> Mapping[int, int]:
    """Which of the first that say a day are older values, and of which. It is kept, as the judge
    takes longer than the rest of a command."""
    ends = "valid_to"  # what has ended contradicts nothing
    dated = (i for i, (item, each) in enumerate(rows) if item.date and ends not in each.fields)
    compared = sorted(islice(dated, _MAX_COMPARED), key=lambda i: rows[i][0].when)
    if len(compared) < 2:
        return {}
    entries = [rows[i][1] for i in compared]
    said = [(each.path, each.section, each.type, each.text, each.fields) for each in entries]
    under = (__version__, live.settings.stamp(), live.context.config.memory)
    key = text_hash(repr((under, said)), 16).hex()
    file = live.cache_folder.path / _KEPT if live.cache_folder else None
    kept = (read_sealed(file) if file else None) or {}
    if kept.get("of") != key:
        kept = {"of": key, "older": _conflicting(live.context.config.memory, entries)}
        with suppress(OSError):
            if file:
                write_sealed(file, kept)
    return {compared[old]: compared[new] for old, new in kept["older"]}


def _conflicting(settings: MemoryConfig, entries: Sequence[EntryView]) -> list[tuple[int, int]]:
    """The places of each older value, and of the newest that contradicts it; the last are the
    newest, but of one day only within a section."""
    from memwiki.judgement.near_pairs import conflicts  # kept as a rule
    from memwiki.memory.known_facts import fact_of, rules_of

    facts = [fact_of(each, settings.entity_attributes) for each in entries]
    days = [(each.updated or each.created, each.path, each.section) for each in entries]
    pairs = ((old, new) for old, new, _ in conflicts(facts, rules_of(settings)))
    return [*{old: new for old, new in pairs if _are_apart(days[old], days[new])}.items()]


def _are_apart(old: tuple[str, str, str], new: tuple[str, str, str]) -> bool:
    return old[0] != new[0] or old[1:] == new[1:]
