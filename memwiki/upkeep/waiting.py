"""Which entries wait for a consolidation, what matters enough for core, and what may become one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from memwiki.config import Config
from memwiki.dates import date_in, iso_date
from memwiki.entry_fields import unit_interval
from memwiki.facts.identity import identity, without_last_tags
from memwiki.facts.value import CORE, DAILY, category_of, importance_of, is_current, status_of
from memwiki.index.cards.entries import EntryCard
from memwiki.markdown.describe import inner_path, is_in, is_kept
from memwiki.markdown.entries import read_marks
from memwiki.markdown.page_entries import is_item
from memwiki.memory.addresses import PageOutlines
from memwiki.memory.draft import why_noise
from memwiki.memory.insertion import merge_entries
from memwiki.memory.listing import dated
from memwiki.memory.view import LocatedEntry
from memwiki.names import fold, stem_of
from memwiki.nouns import Entry, Layers
from memwiki.text import pattern

STAGED = "staged"
CONSOLIDATED = "consolidated"  # the day on which an entry was looked at

_TRUSTED = frozenset(("", "user", "agent"))  # origins; what others bring in is data
_MIN_CHARACTERS = 10
_MIN_LETTERS = 2  # beside the figures of a time
_NO_LETTER = pattern(r"[\W\d_]+")
_BLOCK = pattern(r"[`~]{3}|[|>#<]")  # code, tables, quotes
_ASKING = ("?", "？")
MERGED = "merged"  # the ids of the entries that are part of this one

_EVENTS = frozenset(("event", "事件"))
# What may differ between two entries that say the same; all else tells them apart.
_OF_KEEPING = frozenset(
    "created updated importance confidence status origin source session consolidated merged "
    "entities supersedes".split()
)
_OWN = ("status", CONSOLIDATED, "superseded_by", "valid_to")
_IDS = pattern(r"\^?m-[A-Za-z0-9]+(?: [\d.]+)?(?:, ?\^?m-[A-Za-z0-9]+(?: [\d.]+)?)*\Z")


class Waiting(NamedTuple):
    """An entry that nobody has looked at yet."""

    located: LocatedEntry
    key: bytes  # of its unit in the index
    is_day: bool  # in a daily note, which keeps its lines
    matters: bool  # enough to become core


def is_trusted(fields: Mapping[str, str]) -> bool:
    """Whether a person or an agent said it: what a page or tool says is never promoted by itself,
    nor does it change what they said."""
    return fields.get("origin", "") in _TRUSTED


def matters(entry: Entry, config: Config) -> bool:
    """Whether an entry is to be promoted."""
    written = unit_interval(entry.fields.get("importance", ""))
    is_one = is_trusted(entry.fields) and _is_fact(entry.text, is_weighed=bool(written))
    return is_one and _is_enough(written, entry.text, config)


def _is_enough(written: str, text: str, config: Config) -> bool:
    """Whether the importance that is written, else that of a text in core, is that of core."""
    words = config.memory.boost_words
    importance = (
        float(written)
        if written
        else importance_of(text, category=CORE, is_structured=False, boost_words=words)
    )
    return importance >= config.consolidation.promote_at


def _is_fact(text: str, *, is_weighed: bool) -> bool:
    """Whether a text can be a memory; a question is one only when somebody gave it a weight."""
    words = without_last_tags(text)[0].strip()
    return not (
        len(words) < _MIN_CHARACTERS
        or len(_NO_LETTER.sub("", words)) < _MIN_LETTERS
        or _BLOCK.match(words)
        or (words.endswith(_ASKING) and not is_weighed)
        or why_noise(words)
    )


class Queue(NamedTuple):
    """The cards of what may wait, staged entries first, the oldest first."""

    staged: list[EntryCard]
    days: list[EntryCard]


def queue(cards: Iterator[EntryCard], config: Config) -> Queue:
    """What waits as far as the index tells."""
    layers, found = config.layers, Queue([], [])
    for card in cards:
        path = inner_path(card.path, layers)
        if is_kept(card.path, layers) or not is_current(card.fields, is_struck=False):
            continue
        is_staged = status_of(card.fields, is_struck=False) == STAGED
        is_day = is_in(path, layers.daily)
        if is_staged or (is_in(path, layers.inbox) and CONSOLIDATED not in card.fields):
            found.staged.append(card)
        # The first words of what was said in a session are a note of that day, no memory.
        elif is_day and layers.memory and is_trusted(card.fields) and "session" not in card.fields:
            found.days.append(card)
    for each in found:
        each.sort(key=lambda card: (_rank(card, layers), dated(card), card.path, card.line_start))
    return found


def _rank(card: EntryCard, layers: Layers) -> int:
    """What others are joined to goes first: core, and lines of days last."""
    category = category_of(card.path, layers, card.page_type)
    return {CORE: 0, DAILY: 2}.get(category, 1)


def waiting(queue: Queue, config: Config, pages: PageOutlines) -> Iterator[Waiting]:
    """What waits, in order; of the days' lines only those that matter, as the others stay."""
    for card in queue.staged:
        located = pages.of(card)
        if located and not why_noise(located.entry.text):
            is_day = is_in(inner_path(card.path, config.layers), config.layers.daily)
            yield Waiting(located, card.key, is_day, matters(located.entry, config))
    for card in queue.days:
        located = pages.of(card) if _may_matter(card, pages, config) else None
        # A heading with its prose stays as it is.
        is_one = located and is_item(pages[card.path], located.entry)
        if located and is_one and matters(located.entry, config):
            yield Waiting(located, card.key, is_day=True, matters=True)


def _may_matter(card: EntryCard, pages: PageOutlines, config: Config) -> bool:
    """Whether the lines of an entry, unread as yet, hold what makes it important."""
    written = unit_interval(card.fields.get("importance", ""))
    lines = pages[card.path].lines[card.line_start - 1 : card.line_end]
    return _is_enough(written, "\n".join(lines), config)


def can_join(one: LocatedEntry, into: LocatedEntry) -> bool:
    """Whether nothing that either says is lost when the first becomes part of the second."""
    existing, fields = into.entry.fields, one.entry.fields
    if fold(fields.get("private", "")) != fold(existing.get("private", "")):
        return False
    if any(_is_nested(value) and existing.get(name) != value for name, value in fields.items()):
        return False
    if _is_event(one) and _is_event(into) and day_of_entry(one) != day_of_entry(into):
        return False
    if not is_trusted(fields) and is_trusted(existing):
        return identity(one.entry.text) == identity(into.entry.text)
    return is_trusted(fields) == is_trusted(existing) and _agree(fields, existing)


def _is_nested(value: str) -> bool:
    """Whether a value is a list below its entry: it would not be the same in a line."""
    return "\n" in value or value.startswith("- ")


def _agree(fields: Mapping[str, str], existing: Mapping[str, str]) -> bool:
    both = (fields.keys() & existing.keys()) - _OF_KEEPING
    return all(
        fields[name] == existing[name] or _are_ids(fields[name], existing[name]) for name in both
    )


def _are_ids(*values: str) -> bool:
    return all(map(_IDS.match, values))


def _is_event(located: LocatedEntry) -> bool:
    return fold(located.entry.type) in _EVENTS


def day_of_entry(located: LocatedEntry) -> str:
    """The day on which an entry was made: as it says, else by the name of its page."""
    return iso_date(located.entry.fields.get("created", ""))[:10] or date_in(stem_of(located.path))


def joined(known: Entry, one: Entry, *, max_tags: int) -> Entry:
    """What an entry says when another one becomes part of it."""
    fields = {name: value for name, value in one.fields.items() if name not in _OWN}
    if not is_trusted(one.fields) and is_trusted(known.fields):
        return _naming(known, one, known.fields)
    new = merge_entries(known, one.text, one.tags, fields, max_tags=max_tags)
    joined_fields = {**known.fields, **{k: v for k, v in new.changes.items() if v is not None}}
    for name in fields.keys() & known.fields.keys():
        if name == "entities" or _are_ids(fields[name], known.fields[name]):
            joined_fields[name] = united(known.fields[name], fields[name])
    return _naming(
        known._replace(text=new.text, tags=read_marks(new.text).tags), one, joined_fields
    )


def _naming(known: Entry, one: Entry, fields: Mapping[str, str]) -> Entry:
    """The entry with the id of what became part of it."""
    named = united(fields.get(MERGED, ""), united(one.id, one.fields.get(MERGED, "")))
    return known._replace(fields={**fields, MERGED: named} if named else fields)


def united(one: str, other: str) -> str:
    """Two lists as one, each part once."""
    parts = [each.strip() for value in (one, other) for each in value.split(",")]
    return ", ".join(dict.fromkeys(filter(None, parts)))
