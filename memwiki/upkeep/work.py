"""What every step of upkeep knows, the entries before it, and the pages that it changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from memwiki.answers.entries import EntryView
from memwiki.answers.index import CollectionCount
from memwiki.answers.upkeep import UpkeepStep
from memwiki.config import Config
from memwiki.dates import date_in, iso_date
from memwiki.errors import MemwikiError
from memwiki.facts.value import CONVERSATION, age_days, days_since, mean_score, value_of
from memwiki.files.read import read
from memwiki.files.usage_log import PAGE, Subject, Sum
from memwiki.markdown.describe import inner_path, is_in, shorten
from memwiki.markdown.fields import first_text
from memwiki.markdown.frontmatter import load
from memwiki.markdown.page_entries import entries_of
from memwiki.markdown.source import decode
from memwiki.memory.page_edits import PageEdits
from memwiki.memory.view import LocatedEntry, Views
from memwiki.names import stem_of
from memwiki.nouns import Layers
from memwiki.patterns import pattern
from memwiki.sync.context import Context
from memwiki.sync.reading import Reading
from memwiki.upkeep.retention import rule_of

WhyLeft: TypeAlias = Callable[[str], str]  # why a file is left as it is; "" when it may be changed
_SHOWN = 60  # characters of a text
_MESSAGE = pattern(rb"^### (\d{4}-\d\d-\d\d)", re.MULTILINE)
_MAX_HEAD_BYTES = 65_536  # more than front matter has
_DATES = ("ended", "updated", "started", "created")


def may_change_all(_path: str) -> str:
    """For whoever may change every file."""
    return ""


class SessionAge(NamedTuple):
    """A session file, and how old and of what value it is."""

    path: str
    age_days: float
    value: float


class StepKey(NamedTuple):
    """What a step is, whenever it is looked for: what it does to which words."""

    verb: str
    path: str
    id: str = ""  # of an entry that has one
    text: str = ""  # of the entry
    other: str = ""  # the words or the id of the entry that it becomes part of, or is tied to
    other_page: str = ""


Wants: TypeAlias = Callable[[StepKey, LocatedEntry | None], bool]  # whether a step is taken


def wants_all(_key: StepKey, _entry: LocatedEntry | None) -> bool:
    """For a run that takes every step."""
    return True


class UpkeepWork(NamedTuple):
    """What holds for one upkeep, gathered before the lock is taken."""

    config: Config
    now_ns: int
    paths: Sequence[str]  # of the pages with entries that are seen, archive aside
    views: Views
    ids: Sequence[str] = ()  # that no entry of the index bears
    conversations: Sequence[SessionAge] = ()
    links: Mapping[str, Sequence[str]] = {}  # pages that name an entry by its page, by its id
    has_summaries: bool = False  # whether an entry names others as its sources
    wants: Wants = wants_all
    is_reviewed: bool = False  # a person looks at each step

    def takes(self, verb: str, entry: LocatedEntry, other: str = "", other_page: str = "") -> bool:
        """Whether a step with an entry is taken."""
        path, _, known = entry
        return self.wants(StepKey(verb, path, known.id, known.text, other, other_page), entry)

    def takes_file(self, verb: str, path: str, what: str = "") -> bool:
        """Whether a step with a whole file is taken."""
        return self.wants(StepKey(verb, path, text=what), None)


class StoredEntry(NamedTuple):
    """An entry as its page has it now, and what follows from that."""

    located: LocatedEntry
    view: EntryView


class Done(NamedTuple):
    """What a step of upkeep did."""

    steps: tuple[UpkeepStep, ...] = ()
    notes: tuple[str, ...] = ()
    collections: tuple[CollectionCount, ...] = ()


def all_done(parts: Iterable[Done]) -> Done:
    """What several steps did, as one."""
    return Done(*(tuple(chain.from_iterable(each)) for each in zip(*parts, strict=True)))


def home_of(path: str, layers: Layers) -> str:
    """The folder of the namespace that a page is in, with a slash at its end; "" for none."""
    return path.removesuffix(inner_path(path, layers))


def stored_entries(
    work: UpkeepWork, pages: PageEdits, paths: Sequence[str]
) -> Iterator[StoredEntry]:
    """The entries of some pages; a page that cannot be read or changed has none."""
    for path in paths:
        try:
            pages.require_changeable(path)
            page = pages.page(path)
        except MemwikiError:
            continue
        for entry in entries_of(page).entries:
            located = LocatedEntry(path, page.type, entry)
            yield StoredEntry(located, work.views.of(located))


def step_of(verb: str, located: LocatedEntry, to: str, reason: str) -> UpkeepStep:
    """What becomes of an entry."""
    path, _, entry = located
    text = shorten(" ".join(entry.text.split()), _SHOWN)
    return UpkeepStep(verb, path, entry.line_start, entry.id, text, to, reason)


def conversations(view: Reading, used: Callable[[Subject], Sum]) -> Iterator[SessionAge]:
    """The files below the folder of sessions; none where all are kept anyway."""
    context = view.context
    folder = context.layers.sessions
    is_asked = bool(folder) and rule_of(CONVERSATION, context.config).is_on
    for path in view.lookup.all_paths() if is_asked else ():
        if not (view.scope.sees(path) and is_in(inner_path(path, context.layers), folder)):
            continue
        day = day_of_session(path, context)
        if day is not None:
            usage, now = used(Subject(PAGE, path)), context.clock()
            days, weights = days_since(usage, day, "", now), context.config.memory.value_weights
            value = value_of(usage.recalls, mean_score(usage), days, weights)
            yield SessionAge(path, age_days(day, "", now), round(value, 4))


def day_of_session(path: str, context: Context) -> str | None:
    """The last day that a conversation says of itself, "" when it says none; None where it cannot
    be read."""
    try:
        data = read(context.root, path, context.max_bytes)[0]
    except MemwikiError:
        return None
    head = decode(path, data[:_MAX_HEAD_BYTES]).text.replace("\r\n", "\n").split("\n")
    fields = load(path, head).front_matter.fields
    dates = [iso_date(first_text(fields.get(name, "")))[:10] for name in _DATES]
    dates += [iso_date(day.decode()) for day in _MESSAGE.findall(data)[-1:]]
    return max([*dates, date_in(stem_of(path))])
