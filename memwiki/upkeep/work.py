"""What every step of upkeep knows, the entries before it, and the pages that it changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from memwiki.answers.entries import EntryView
from memwiki.answers.index import CollectionCount
from memwiki.answers.upkeep import UpkeepStep
from memwiki.change.plan import Edit, Plan, edit_of
from memwiki.config import Config
from memwiki.dates import date_in, iso_date
from memwiki.digest import digest_if_any
from memwiki.errors import MemwikiError, NotFoundError, ProtectedError
from memwiki.facts.value import CONVERSATION, age_days, days_since, mean_score, value_of
from memwiki.files.read import read
from memwiki.files.usage_log import PAGE, Subject, Sum
from memwiki.markdown.describe import inner_path, is_in, shorten
from memwiki.markdown.fields import first_text
from memwiki.markdown.frontmatter import load
from memwiki.markdown.outline import Outline, outline_of
from memwiki.markdown.page_entries import entries_of
from memwiki.markdown.source import decode
from memwiki.memory.placement import EntryPage, page_for
from memwiki.memory.view import LocatedEntry, Views
from memwiki.names import stem_of
from memwiki.nouns import Layers
from memwiki.pages.page import too_large
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


def left_note(path: str, reason: str) -> str:
    """The note on a file that was left as it is."""
    return f"{path}: {reason}; left as it is"


class _File(NamedTuple):
    before: bytes | None
    now: bytes | None
    reasons: tuple[str, ...] = ()
    page: Outline | None = None


class PageEdits:
    """The files that upkeep looks at, as its earlier steps left them."""

    def __init__(
        self,
        read: Callable[[str], bytes | None],
        layers: Layers,
        day: str,
        max_bytes: int,
        left: Mapping[str, str] = {},
    ) -> None:
        self._read, self.layers, self.day, self.max_bytes = read, layers, day, max_bytes
        self.left = left  # files that stay as they are, each with why
        self._files: dict[str, _File] = {}

    def data(self, path: str) -> bytes | None:
        """The bytes of a file as they are to be; None when there is none."""
        return self._file(path).now

    def page(self, path: str) -> Outline:
        """A page as it is to be; NotFoundError where there is none, NotEditableError where it
        cannot be changed."""
        file = self._file(path)
        if file.page is not None:
            return file.page
        if file.now is None:
            raise NotFoundError.at(path, "no such page", "it was removed meanwhile")
        if len(file.now) > self.max_bytes:
            raise too_large(path, self.max_bytes)
        page = outline_of(path, file.now, self.layers)
        self._files[path] = file._replace(page=page)
        return page

    def require_changeable(self, path: str) -> None:
        """Refuse a file that stays as it is."""
        if reason := self.left.get(path):
            raise ProtectedError(left_note(path, reason), path=path)

    def page_for(self, target: EntryPage) -> Outline:
        """A page that takes entries, made where there is none."""
        self.require_changeable(target.path)
        if self._file(target.path).now is not None:
            return self.page(target.path)
        return page_for(target, None, self.day, self.layers, self.max_bytes)

    def put(self, page: Outline, reason: str) -> None:
        """What a page is to be, and why."""
        self.write(page.path, page.data, reason)
        self._files[page.path] = self._files[page.path]._replace(page=page)

    def write(self, path: str, data: bytes | None, reason: str) -> None:
        """What a file is to be, None when it goes, and why."""
        file = self._file(path)
        reasons = tuple(dict.fromkeys((*file.reasons, reason)))
        self._files[path] = _File(file.before, data, reasons)

    def take(self, plan: Plan) -> Iterator[Edit]:
        """Take over the edits of a plan that was made from the files as they are, but those of
        files that are other ones by now or stay as they are; yields what was taken."""
        for edit in plan.edits:
            is_same = digest_if_any(self.data(edit.path)) == edit.expect
            if is_same and edit.path not in self.left:
                self.write(edit.path, edit.data, edit.reason)
                yield edit

    def edits(self) -> Iterator[Edit]:
        """What changes, file by file."""
        for path, (before, now, reasons, _) in self._files.items():
            if before != now:
                yield edit_of(path, before, now, "; ".join(reasons))

    def _file(self, path: str) -> _File:
        file = self._files.get(path)
        if file is None:
            data = self._read(path)
            file = self._files[path] = _File(data, data)
        return file


class SessionAge(NamedTuple):
    """A session file, and how old and of what value it is."""

    path: str
    age_days: float
    value: float


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
