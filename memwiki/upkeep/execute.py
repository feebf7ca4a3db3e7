"""Some steps of upkeep as one change, and what the run did, kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import starmap

from memwiki.answers.index import UpkeepRun
from memwiki.answers.upkeep import UpkeepReport
from memwiki.change.plan import Plan
from memwiki.clock import iso_of, local_day
from memwiki.commit.carry_out import carry_out
from memwiki.errors import MemwikiError
from memwiki.facts.value import usage_table
from memwiki.files.read import current_bytes
from memwiki.files.usage_log import Sum
from memwiki.index.cards.entries import EntryCard, EntryCards
from memwiki.markdown.describe import is_kept
from memwiki.memory.known_facts import free_ids
from memwiki.memory.page_edits import PageEdits, left_note
from memwiki.memory.plans import pages_naming
from memwiki.memory.view import Views
from memwiki.numbers import counted
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, used_reading
from memwiki.upkeep.relating import is_summary
from memwiki.upkeep.retention import SHARE
from memwiki.upkeep.runs import note_run
from memwiki.upkeep.work import Done, UpkeepWork, WhyLeft, all_done, conversations, may_change_all

_ENTRIES, _FILES = ("entry", "entries"), ("file", "files")
_NOUNS = dict.fromkeys(("fixed", "wrote", "purged"), _FILES)
Part = Callable[[UpkeepWork, PageEdits], Done]  # one step of upkeep, on top of the earlier ones


def execute_noted(
    live: LiveIndex,
    op: str,
    parts: Callable[[], Sequence[Part]],
    *,
    dry_run: bool,
    why_left: WhyLeft = may_change_all,
) -> UpkeepReport:
    """Do some steps, and keep what the run did or why it failed."""
    context = live.context

    def note(did: str, error: str = "", report: UpkeepReport | None = None) -> None:
        if not dry_run:
            counts = report.collections if report else ()
            note_run(context.root, UpkeepRun(op, iso_of(context.clock()), did, error, counts))

    try:
        report = execute(live, op, parts(), dry_run=dry_run, why_left=why_left)
    except MemwikiError as error:
        note("", error.message)
        raise
    note(report.edited.title, report=report)
    return report


def execute(
    live: LiveIndex,
    op: str,
    parts: Sequence[Part],
    *,
    dry_run: bool,
    why_left: WhyLeft = may_change_all,
) -> UpkeepReport:
    """Do some steps as one change; where they reach a file that stays as it is, again without
    those."""
    work = work_of(live)
    done: list[Done] = []
    left: dict[str, str] = {}

    def make() -> Plan:
        while True:
            pages = pages_now(live, left)
            done[:] = [part(work, pages) for part in parts]
            plan = _plan(op, pages, done)
            reached = {path: why_left(path) for path in plan.paths if path not in left}
            if not any(reached.values()):
                return plan
            left.update((path, reason) for path, reason in reached.items() if reason)

    edited = carry_out(live, make, dry_run=dry_run)
    steps, notes, collections = all_done(done)
    notes = tuple(dict.fromkeys([*starmap(left_note, left.items()), *notes]))
    return UpkeepReport(steps, collections, edited._replace(notes=(*notes, *edited.notes)))


def work_of(live: LiveIndex) -> UpkeepWork:
    """What all steps know; usage as of now, as the index is not opened under the lock."""
    context = live.context
    with used_reading(live) as view:
        used = dict(usage_table(view.stores, context).all())
        known = EntryCards(view.stores.cards.db)
        cards = list(known.all())
        ids = _ids(known, cards)
        sessions = tuple(conversations(view, lambda subject: used.get(subject, Sum())))
        paths = dict.fromkeys(card.path for card in cards)
        kept = [path for path in paths if view.scope.sees(path)]
        links = links_to(kept, view)
    views = Views(context.config, context.clock(), lambda subject: used.get(subject, Sum()))
    has_summaries = any(is_summary(card.fields) for card in cards)
    return UpkeepWork(
        context.config, context.clock(), kept, views, ids, sessions, links, has_summaries
    )


def links_to(paths: Sequence[str], view: Reading) -> Mapping[str, Sequence[str]]:
    """The pages that name entries of some pages; sources and what retired stay as they are."""
    layers = view.context.layers
    found = pages_naming(paths, view.lookup, layers)
    return {
        id_: [each for each in sources if not is_kept(each, layers)]
        for id_, sources in found.items()
    }


def pages_now(live: LiveIndex, left: Mapping[str, str] = {}) -> PageEdits:
    """The pages as they are now, of which some stay so."""
    context = live.context
    day = local_day(context.clock()).isoformat()
    read = partial(current_bytes, context.root)
    return PageEdits(read, context.layers, day, context.max_bytes, left)


def _ids(known: EntryCards, cards: Sequence[EntryCard]) -> tuple[str, ...]:
    """Ids for those that may retire without one: no run lets go more than a tenth of all, or one
    of each page."""
    without = sum(not card.id for card in cards)
    pages = len({card.path for card in cards})
    return free_ids(known, min(without, len(cards) // SHARE + pages))


def _plan(op: str, pages: PageEdits, done: Sequence[Done]) -> Plan:
    """One change, whose title counts the steps."""
    counts = Counter(step.verb for step in all_done(done).steps)
    edits = tuple(pages.edits())
    parts = (
        f"{verb} {counted(count, *_NOUNS.get(verb, _ENTRIES))}" for verb, count in counts.items()
    )
    return Plan(edits, ", ".join(parts) if edits else "nothing to do", op)
