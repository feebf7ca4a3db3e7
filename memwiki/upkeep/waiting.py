"""Which entries wait for a consolidation, and which of them matter enough to become core."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from memwiki.config import Config
from memwiki.facts.value import CORE, DAILY, category_of, importance_of, is_current, status_of
from memwiki.index.cards.entries import EntryCard
from memwiki.markdown.describe import inner_path, is_in, is_kept
from memwiki.markdown.fields import unit_interval
from memwiki.markdown.page_entries import is_item
from memwiki.memory.addresses import PageOutlines
from memwiki.memory.draft import why_noise
from memwiki.memory.judgement.similarity import without_last_tags
from memwiki.memory.listing import dated
from memwiki.memory.view import LocatedEntry
from memwiki.nouns import Layers

STAGED = "staged"
CONSOLIDATED = "consolidated"  # the day on which an entry was looked at

_TRUSTED = frozenset(("", "user", "agent"))  # origins; what others bring in is data
_FEWEST_CHARACTERS = 10
_FEWEST_LETTERS = 2  # beside the figures of a time
_NO_LETTER = re.compile(r"[\W\d_]+")
_BLOCK = re.compile(r"[`~]{3}|[|>#<]")  # code, tables, quotes
_ASKING = ("?", "？")


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


def matters(text: str, fields: Mapping[str, str], config: Config) -> bool:
    """Whether an entry is to be promoted."""
    least = config.consolidation.promote_at
    written = unit_interval(fields.get("importance", ""))
    if not is_trusted(fields) or not _is_fact(text, is_weighed=bool(written)):
        return False
    return (float(written) if written else _as_core(text, config)) >= least


def _as_core(text: str, config: Config) -> float:
    words = config.memory.boost_words
    return importance_of(text, category=CORE, is_structured=False, boost_words=words)


def _is_fact(text: str, *, is_weighed: bool) -> bool:
    """Whether a text can be a memory; a question is one only when somebody gave it a weight."""
    words = without_last_tags(text)[0].strip()
    return not (
        len(words) < _FEWEST_CHARACTERS
        or len(_NO_LETTER.sub("", words)) < _FEWEST_LETTERS
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
            entry = located.entry
            is_one = matters(entry.text, entry.fields, config)
            yield Waiting(located, card.key, is_day, is_one)
    for card in queue.days:
        if not _may_matter(card, pages, config):
            continue
        located = pages.of(card)
        if located is None or not is_item(pages[card.path], located.entry):
            continue  # a heading with its prose stays as it is
        if matters(located.entry.text, located.entry.fields, config):
            yield Waiting(located, card.key, is_day=True, matters=True)


def _may_matter(card: EntryCard, pages: PageOutlines, config: Config) -> bool:
    """Whether the lines of an entry, unread as yet, hold what makes it important."""
    if written := unit_interval(card.fields.get("importance", "")):
        return float(written) >= config.consolidation.promote_at
    lines = pages[card.path].lines[card.line_start - 1 : card.line_end]
    return _as_core("\n".join(lines), config) >= config.consolidation.promote_at
