"""What every step of upkeep knows, and the entries that it has before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memwiki.answers.entries import EntryView
from memwiki.answers.upkeep import CollectionCount, UpkeepStep
from memwiki.config import Config
from memwiki.errors import MemwikiError
from memwiki.markdown.describe import inner_path, shorten
from memwiki.markdown.page_entries import entries_of
from memwiki.memory.view import Located, Views
from memwiki.model import Layers
from memwiki.upkeep.page_edits import PageEdits

_SHOWN = 60


class Conversation(NamedTuple):
    """A session file, and how old and of what value it is."""

    path: str
    age_days: float
    value: float


class Work(NamedTuple):
    """What holds for one upkeep, gathered before the lock is taken."""

    config: Config
    now_ns: int
    paths: Sequence[str]  # of the pages with entries that are seen, archive aside
    views: Views
    ids: Sequence[str] = ()  # that no entry of the index bears
    conversations: Sequence[Conversation] = ()
    links: Mapping[str, Sequence[str]] = {}  # pages that name an entry by its page, by its id
    has_summaries: bool = False  # whether an entry names others as its sources


class HeldEntry(NamedTuple):
    """An entry as its page has it now, and what follows from that."""

    located: Located
    view: EntryView


class Done(NamedTuple):
    """What a step of upkeep did."""

    steps: tuple[UpkeepStep, ...] = ()
    notes: tuple[str, ...] = ()
    collections: tuple[CollectionCount, ...] = ()


def home_of(path: str, layers: Layers) -> str:
    """The folder of the namespace that a page is in, with a slash at its end; "" for none."""
    return path.removesuffix(inner_path(path, layers))


def held_entries(work: Work, pages: PageEdits, paths: Sequence[str]) -> Iterator[HeldEntry]:
    """The entries of some pages; a page that cannot be read or changed has none."""
    for path in paths:
        try:
            pages.require_changeable(path)
            page = pages.page(path)
        except MemwikiError:
            continue
        for entry in entries_of(page).entries:
            located = Located(path, page.type, entry)
            yield HeldEntry(located, work.views.of(located))


def step_of(verb: str, held: HeldEntry, to: str, reason: str) -> UpkeepStep:
    """What becomes of an entry."""
    path, _, entry = held.located
    text = shorten(" ".join(entry.text.split()), _SHOWN)
    return UpkeepStep(verb, path, entry.line_start, entry.id, text, to, reason)
