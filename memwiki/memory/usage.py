"""What was recalled, and how well: noted after an answer, asked by name, rank or query."""

from __future__ import annotations

from collections.abc import Iterable

from memwiki.answers.entries import EntryView
from memwiki.answers.usage import UsageList, UsageRow
from memwiki.errors import AmbiguousError, NotFoundError
from memwiki.files import usage_log
from memwiki.files.usage_lines import ENTITY, ENTRY, PAGE, Subject, Sum, record_line
from memwiki.index.usage import UsageTable
from memwiki.markdown.entry_marks import ID_NAME
from memwiki.memory.finding import find_entry
from memwiki.memory.usage_facts import entry_subject, last_recalled, mean_score, usage_table
from memwiki.model import Entry
from memwiki.names import fold, is_page_name, require_text
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, used_reading


def subject_of(recalled: EntryView | str) -> Subject:
    """Who was recalled: an entry or its id, the path of a page, or the name of an entity."""
    if isinstance(recalled, EntryView):
        return entry_subject(recalled.id, recalled.text)
    if ID_NAME.fullmatch(recalled):
        return Subject(ENTRY, recalled)
    return Subject(PAGE, recalled) if is_page_name(recalled) else Subject(ENTITY, fold(recalled))


def record(context: Context, query: str, recalled: Iterable[tuple[EntryView | str, float]]) -> bool:
    """Count what a query recalled, each with its score; False where nothing can be written."""
    found = ((subject_of(each), score) for each, score in recalled)
    line = record_line(context.clock() // 10**9, query, found)
    return not line or usage_log.UsageLog(context.root).append(line)


def forget(context: Context, entry: Entry) -> bool:
    """Clear an entry from usage, under its words too, and the queries that found it; whether
    nothing is left."""
    subjects = dict.fromkeys([entry_subject(entry.id, entry.text), entry_subject("", entry.text)])
    return usage_log.forget(context.root, subjects)


def usage_of(live: LiveIndex, name: str) -> UsageList:
    """How an entry, page or entity was used; NotFoundError for what is none of these."""
    require_text("usage", name)
    with used_reading(live) as view:
        table = usage_table(view.stores, live.context)
        subject = _named(name, view, table)
        return UsageList((_row(subject, table.of(subject)),), 1, view.freshness.fresh)


def most_used(live: LiveIndex, limit: int | None) -> UsageList:
    """What was recalled most often."""
    with used_reading(live) as view:
        found = usage_table(view.stores, live.context).all()
        found.sort(key=lambda each: (-each[1].recalls, -each[1].score, -each[1].at, each[0]))
        rows = tuple(_row(*each) for each in found[:limit])
        return UsageList(rows, len(found), view.freshness.fresh)


def recalled_by(live: LiveIndex, query: str, limit: int | None) -> UsageList:
    """What a query recalled, its last answer first."""
    with used_reading(live) as view:
        table = usage_table(view.stores, live.context)
        subjects = dict.fromkeys(s for trail in table.found_by(query) for s in trail.subjects)
        rows = tuple(_row(subject, table.of(subject)) for subject in [*subjects][:limit])
        return UsageList(rows, len(subjects), view.freshness.fresh)


def _named(name: str, view: Reading, table: UsageTable) -> Subject:
    """The entry, else the page, else the entity that bears a name; one that is gone, too."""
    try:
        entry = find_entry(name, view).entry
        return entry_subject(entry.id, entry.text)
    except NotFoundError:
        given = subject_of(name)
    try:
        return Subject(PAGE, view.find(name))
    except (NotFoundError, AmbiguousError):
        for subject in (given, Subject(ENTITY, fold(name))):
            if table.of(subject).recalls:
                return subject
        raise


def _row(subject: Subject, held: Sum) -> UsageRow:
    return UsageRow(*subject, held.recalls, mean_score(held), last_recalled(held))
