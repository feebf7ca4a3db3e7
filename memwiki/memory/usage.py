"""What was recalled, and how well: noted after an answer, asked by name, rank or query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import date

from memwiki.answers.entries import EntryView, TrailList, TrailRow, UsageList, UsageRow
from memwiki.answers.recall import PromptBlock, Recall
from memwiki.clock import iso_of, local_day
from memwiki.errors import AmbiguousError, MemwikiError, NotFoundError
from memwiki.facts.value import entry_subject, last_recalled, mean_score, usage_table
from memwiki.files import usage_log
from memwiki.files.usage_log import (
    ENTITY,
    ENTRY,
    PAGE,
    IsErased,
    RecallTiming,
    Subject,
    Sum,
    record_line,
)
from memwiki.index.cards.entries import EntryCards
from memwiki.index.usage import UsageTable
from memwiki.markdown.entries import ID_NAME
from memwiki.memory.addresses import PageOutlines, find_entry
from memwiki.memory.entities import entities_of_view
from memwiki.names import fold, is_page_name, require_text
from memwiki.nouns import Entry, Hit, HitKind
from memwiki.scope import EVERY
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, used_reading


def subject_of(recalled: EntryView | Entry | str) -> Subject:
    """Who was recalled: an entry or its id, the path of a page, or the name of an entity."""
    if isinstance(recalled, EntryView | Entry):
        return entry_subject(recalled.id, recalled.text)
    if ID_NAME.fullmatch(recalled):
        return Subject(ENTRY, recalled)
    return Subject(PAGE, recalled) if is_page_name(recalled) else Subject(ENTITY, fold(recalled))


def record(
    context: Context,
    query: str,
    recalled: Iterable[tuple[EntryView | Entry | str, float]],
    timed: tuple[float, bool] | None = None,
) -> bool:
    """Count what a query recalled, each with its score from 0 to 1, and in how many milliseconds,
    or from the cache; False where nothing can be written."""
    found = ((subject_of(each), score) for each, score in recalled)
    at = context.clock() // 10**9
    line = record_line(at, query, found, RecallTiming(at, *timed) if timed else None)
    return not line or usage_log.UsageLog(context.root).append(line)


def note_recall(context: Context, question: str, answer: Recall | PromptBlock) -> bool:
    """Count what an answer recalled, now that it is out; False where nothing can be written."""
    timed = None if answer.ms is None else (answer.ms, answer.cached)
    return record(context, question, _recalled(context, answer.hits), timed)


def _recalled(
    context: Context, hits: Iterable[Hit]
) -> Iterator[tuple[EntryView | Entry | str, float]]:
    """Hits with their scores; an entry without an id as its file says it now."""
    pages = PageOutlines(context)
    for hit in hits:
        found: Entry | str = hit.path
        if hit.kind is HitKind.ENTRY:
            with suppress(MemwikiError):
                located = None if hit.id else pages.at(hit.path, hit.line_start)
                found = located.entry if located else hit.id or hit.path
        yield found, hit.score


def forget(
    context: Context,
    entries: Iterable[Entry],
    pages: Iterable[str] = (),
    is_erased: IsErased | None = None,
) -> bool:
    """Clear entries from usage, under their words too, pages, and the queries that found them or
    repeat their text; whether nothing is left."""
    subjects = {Subject(PAGE, path) for path in pages}
    for entry in entries:
        subjects |= {entry_subject(entry.id, entry.text), entry_subject("", entry.text)}
    return usage_log.forget(context.root, subjects, is_erased)


@contextmanager
def _usage(live: LiveIndex) -> Iterator[tuple[Reading, UsageTable]]:
    """The cards, and what is known of usage now."""
    with used_reading(live) as view:
        yield view, usage_table(view.stores, live.context)


def usage_of(live: LiveIndex, name: str) -> UsageList:
    """How an entry, page or entity was used; NotFoundError for what is none of these."""
    require_text("usage", name)
    with _usage(live) as (view, table):
        subject = _subject(name, live, view, table)
        return UsageList((_row(subject, table.of(subject)),), 1, view.freshness.fresh)


def most_used(live: LiveIndex, limit: int | None) -> UsageList:
    """What was recalled most often."""
    with _usage(live) as (view, table):
        is_shown = _filter(live, view)
        found = [each for each in table.all() if is_shown(each[0])]
        found.sort(key=lambda each: (-each[1].recalls, -each[1].score, -each[1].at, each[0]))
        rows = tuple(_row(*each) for each in found[:limit])
        return UsageList(rows, len(found), view.freshness.fresh)


def recalled_by(live: LiveIndex, query: str, limit: int | None) -> UsageList:
    """What a query recalled, its last answer first."""
    with _usage(live) as (view, table):
        trails = table.found_by(query)
        every = dict.fromkeys(subject for trail in trails for subject in trail.subjects)
        subjects = list(filter(_filter(live, view), every))
        rows = tuple(_row(subject, table.of(subject)) for subject in subjects[:limit])
        return UsageList(rows, len(subjects), view.freshness.fresh)


def trails_of(live: LiveIndex, words: str, limit: int | None) -> TrailList:
    """Which questions led to what, the newest first; only those that hold all words, if any."""
    require_text("usage", words)
    wanted = fold(words).split()
    with _usage(live) as (view, table):
        is_shown, rows = _filter(live, view), list[TrailRow]()
        for trail in table.trails():
            asked = fold(trail.query)
            names = tuple(each.name for each in trail.subjects if is_shown(each))
            if names and all(word in asked for word in wanted):
                rows.append(TrailRow(iso_of(trail.at * 10**9), trail.query, names))
        return TrailList(tuple(rows[:limit]), len(rows), view.freshness.fresh)


def _subject(name: str, live: LiveIndex, view: Reading, table: UsageTable) -> Subject:
    """The entry, else the page, else the entity that bears a name; one that is gone, too."""
    try:
        entry = find_entry(name, view).entry
        return entry_subject(entry.id, entry.text)
    except NotFoundError:
        given = subject_of(name)
    try:
        return Subject(PAGE, view.find(name))
    except (NotFoundError, AmbiguousError):
        is_shown = _filter(live, view)
        for subject in (given, Subject(ENTITY, fold(name))):
            if table.of(subject).recalls and is_shown(subject):
                return subject
        raise


def recall_days(live: LiveIndex, view: Reading) -> list[date]:
    """The days of the recalls that are kept, those which found something that is shown."""
    is_shown = _filter(live, view)
    trails = usage_table(view.stores, live.context).trails()
    return [local_day(each.at * 10**9) for each in trails if any(map(is_shown, each.subjects))]


def _filter(live: LiveIndex, view: Reading) -> Callable[[Subject], bool]:
    """Whether usage of a subject is shown: in a namespace, and where something is private to who
    asks, only what is known to be there."""
    scope, cards = view.scope, EntryCards(view.stores.cards.db)
    is_masked = live.context.is_public and live.whole.has_private()
    if not is_masked and (scope.name == EVERY or not scope.layers.namespaces):
        return lambda _: True
    is_known_only = is_masked or bool(scope.base)
    known = entities_of_view(view) if is_known_only else ()
    entities = {fold(name) for each in known for name in (each.name, *each.spellings)}

    def is_shown(subject: Subject) -> bool:
        if subject.kind == PAGE:
            is_there = not is_masked or view.lookup.card(subject.name) is not None
            return is_there and scope.owns(subject.name)
        if subject.kind == ENTITY:
            return subject.name in entities or not is_known_only
        found = cards.with_id(subject.name)
        return any(scope.owns(card.path) for card in found) if found else not is_known_only

    return is_shown


def _row(subject: Subject, total: Sum) -> UsageRow:
    return UsageRow(*subject, total.recalls, mean_score(total), last_recalled(total))
