"""`Workspace.upkeep`: keeping memories, each run one plan that is shown, journalled and undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice, starmap

from memwiki.answers.upkeep import (
    ArchiveList,
    CompressionGroup,
    CompressionGroups,
    UpkeepReport,
    UpkeepRun,
    UpkeepState,
    UpkeepStep,
)
from memwiki.change.plan import Plan
from memwiki.change.undo import stack_of
from memwiki.clock import iso_of, local_day
from memwiki.dates import named_day
from memwiki.errors import ConfigError, MemwikiError, UsageError
from memwiki.facts.usage import usage_table
from memwiki.files.read import current_bytes
from memwiki.files.usage_lines import Sum
from memwiki.index.cards.entries import EntryCard, EntryCards
from memwiki.index.fill import Progress
from memwiki.markdown.describe import is_kept
from memwiki.memory.finding import PageOutlines
from memwiki.memory.judging import free_ids
from memwiki.memory.moving import pages_naming
from memwiki.memory.similar import KnownFacts
from memwiki.memory.view import Views
from memwiki.numbers import counted, limit_of
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading, used_reading
from memwiki.sync.rebuild import rebuilding
from memwiki.upkeep.compress import is_summary
from memwiki.upkeep.conversations import conversations
from memwiki.upkeep.page_edits import PageEdits, WhyLeft, left_note, may_change_all
from memwiki.upkeep.retention import SHARE
from memwiki.upkeep.runs import note_run, runs_of
from memwiki.upkeep.schedule import (
    CONSOLIDATE,
    RETAIN,
    WHOLE,
    seconds_until_retention,
    seconds_until_upkeep,
    writes_wanted,
)
from memwiki.upkeep.snapshot import snapshotted
from memwiki.upkeep.state import state_of
from memwiki.upkeep.work import Done, Work, held_entries
from memwiki.workspace.carry_out import carry_out_locked

Part = Callable[[Work, PageEdits], Done]  # one step of upkeep, on top of the earlier ones


class UpkeepFacet:
    """Joins, promotes and retires memories."""

    def __init__(self, live: LiveIndex) -> None:
        self.live = live

    @rebuilding
    def run(
        self,
        *,
        dry_run: bool = False,
        progress: Progress | None = None,
        why_left: WhyLeft = may_change_all,
    ) -> UpkeepReport:
        """All upkeep as one change: what `check --fix` repairs, consolidation, retention, overflow,
        and the snapshot where it is on.

        Steps that would change a file of which `why_left` says why it stays as it is, are left out,
        and a note names the file.
        """
        from memwiki.upkeep.overflow import overflowed
        from memwiki.upkeep.retire import compressed, retired

        def parts() -> list[Part]:
            found: list[Part] = [
                self._fixes(progress),
                self._consolidation(progress, why_left),
                retired,
                compressed,
                overflowed,
            ]
            if self.live.context.config.memory.has_snapshot:
                found.append(snapshotted)
            return found

        return self._noted(WHOLE, parts, dry_run=dry_run, why_left=why_left)

    # --- consolidation ---

    @rebuilding
    def consolidate(
        self, *, dry_run: bool = False, progress: Progress | None = None
    ) -> UpkeepReport:
        """Join, promote, link and relate the entries that wait: at most a batch of them."""
        return self._noted(CONSOLIDATE, lambda: [self._consolidation(progress)], dry_run=dry_run)

    @rebuilding
    def compressible(self) -> CompressionGroups:
        """Entries that hardly anybody recalls, in groups that a summary could stand for."""
        from memwiki.upkeep.compress import compressible

        work = self._work()
        held = held_entries(work, self._pages(), work.paths)
        found = compressible(held, work.now_ns, self.live.context.layers)
        return CompressionGroups(
            tuple(
                CompressionGroup(type_, tuple(each.view for each in group))
                for type_, group in found.items()
            )
        )

    def _consolidation(self, progress: Progress | None, why_left: WhyLeft = may_change_all) -> Part:
        from memwiki.upkeep.batch import judged_batch
        from memwiki.upkeep.consolidate import consolidated

        return partial(consolidated, judged_batch(self.live, progress, why_left))

    # --- the snapshot ---

    @rebuilding
    def snapshot(self, *, dry_run: bool = False) -> UpkeepReport:
        """Write the core memories to MEMORY_SNAPSHOT.md, from which `init` brings them back."""
        return self._noted("snapshot", lambda: [snapshotted], dry_run=dry_run)

    # --- retention ---

    @rebuilding
    def retain(self, *, dry_run: bool = False) -> UpkeepReport:
        """Let memories retire as the settings say; UsageError when they say nothing of it.

        Raises ConfigError when the workspace has no archive.
        """
        from memwiki.upkeep.retire import has_rules

        config = self.live.context.config
        if not has_rules(config):
            raise UsageError(
                "upkeep retain: no policy is set, so nothing retires",
                hint="memwiki config set retention.daily.policy ttl; then retention.daily.ttl_days",
            )
        if not config.layers.archive:
            raise ConfigError(
                "upkeep retain: this workspace has no archive for what retires",
                hint="memwiki config set layers.archive archive",
            )
        return self._retained(dry_run=dry_run)

    def _retained(self, *, dry_run: bool) -> UpkeepReport:
        from memwiki.upkeep.retire import retired

        return self._noted(RETAIN, lambda: [retired], dry_run=dry_run)

    @rebuilding
    def overflow(self, *, dry_run: bool = False) -> UpkeepReport:
        """Move the least important entries of a memory over its budget to linked pages; they stay
        core."""
        from memwiki.upkeep.overflow import overflowed

        return self._noted("overflow", lambda: [overflowed], dry_run=dry_run)

    # --- the archive ---

    @rebuilding
    def archived(self, query: str = "", *, limit: int | None = None) -> ArchiveList:
        """What retired, the newest month first; with a query what has all its words."""
        from memwiki.upkeep.archive import archived

        most = limit_of(limit)
        with reading(self.live) as view:
            found = list(archived(view, query))
            return ArchiveList(tuple(found[:most]), len(found), view.freshness.fresh)

    @rebuilding
    def restore(self, name: str, *, dry_run: bool = False) -> UpkeepReport:
        """Put a retired entry or conversation back where it was.

        Raises NotFoundError when the archive has no such one, AlreadyExistsError when its file is
        there again.
        """
        part = self._restoring(name)
        return self._carried_out("restore", [lambda _, pages: part(pages)], dry_run=dry_run)

    def _restoring(self, name: str) -> Callable[[PageEdits], Done]:
        from memwiki.upkeep import archive, restore

        context = self.live.context
        with reading(self.live) as view:
            if path := archive.session_named(name, view):
                return partial(restore.restored_file, path)
            known = archive.entry_named(name, view)
            pages = PageOutlines(context.root, context.layers, context.max_bytes)
            origin = restore.origin_in(known, pages, context)
            links = self._links([known.path], view)
        return partial(restore.restored, known, origin, links)

    @rebuilding
    def purge(self, older_than: str, *, dry_run: bool = False) -> UpkeepReport:
        """Delete what retired before a day, or longer ago than an age such as `30d` or `2w`."""
        from memwiki.upkeep.archive import old_files, purged

        day = named_day(older_than.strip(), local_day(self.live.context.clock()), is_end=False)
        if day is None:
            raise UsageError(
                f"{older_than}: neither a day nor an age",
                hint="for example 2026-01-31, 2026-01, 90d or 1y",
            )
        with reading(self.live) as view:
            files = old_files(view, day)
        return self._carried_out("purge", [lambda _, pages: purged(files, pages)], dry_run=dry_run)

    # --- when ---

    def state(self) -> UpkeepState:
        """What the last run did, and when the next one is due by itself."""
        return state_of(self.live.context)

    def seconds_until_run(self) -> float:
        """How long until `run` is due on its own schedule; 0 when it is."""
        context = self.live.context
        return seconds_until_upkeep(context.config, runs_of(context.root), context.clock())

    def retain_if_due(self) -> UpkeepReport | None:
        """Retire what a configured policy says, when that is due after so many writes; for whoever
        has written, when the answer is out."""
        return self._retained(dry_run=False) if self._is_retention_due() else None

    def _is_retention_due(self) -> bool:
        context = self.live.context
        if not context.config.is_retaining:
            return False
        runs = list(runs_of(context.root))
        if seconds_until_retention(runs, context.clock()) > 0:
            return False
        last = next((run.at for run in runs if run.op in (WHOLE, RETAIN)), "")
        wanted = writes_wanted(context.config)
        newest = islice(stack_of(context.root).newest(), wanted)
        return sum(str(record.fields.get("at", "")) > last for record in newest) >= wanted

    # --- how ---

    def _noted(
        self,
        op: str,
        parts: Callable[[], Sequence[Part]],
        *,
        dry_run: bool,
        why_left: WhyLeft = may_change_all,
    ) -> UpkeepReport:
        """Do some steps, and keep what the run did or why it failed."""
        context = self.live.context

        def note(did: str, error: str = "", report: UpkeepReport | None = None) -> None:
            if not dry_run:
                counts = report.collections if report else ()
                note_run(context.root, UpkeepRun(op, iso_of(context.clock()), did, error, counts))

        try:
            report = self._carried_out(op, parts(), dry_run=dry_run, why_left=why_left)
        except MemwikiError as error:
            note("", error.message)
            raise
        note(report.edited.title, report=report)
        return report

    def _work(self) -> Work:
        """What all steps know; usage as of now, as the index is not opened under the lock."""
        context = self.live.context
        with used_reading(self.live) as view:
            used = dict(usage_table(view.stores, context).all())
            cards = list(EntryCards(view.stores.cards.db).all())
            ids = _ids(KnownFacts(self.live, view), cards)
            sessions = tuple(conversations(view, lambda subject: used.get(subject, Sum())))
            paths = dict.fromkeys(card.path for card in cards)
            kept = [path for path in paths if view.scope.sees(path)]
            links = self._links(kept, view)
        views = Views(context.config, context.clock(), lambda subject: used.get(subject, Sum()))
        has_summaries = any(is_summary(card.fields) for card in cards)
        return Work(
            context.config, context.clock(), kept, views, ids, sessions, links, has_summaries
        )

    def _links(self, paths: Sequence[str], view: Reading) -> Mapping[str, Sequence[str]]:
        """The pages that name entries of some pages; sources and what retired stay as they are."""
        layers = self.live.context.layers
        found = pages_naming(paths, view.lookup, layers)
        return {
            id_: [each for each in sources if not is_kept(each, layers)]
            for id_, sources in found.items()
        }

    def _fixes(self, progress: Progress | None) -> Part:
        """What `check --fix` repairs, infos aside."""
        from memwiki.check.run import REPAIRED, fixed
        from memwiki.workspace.check import CheckFacet

        report = CheckFacet(self.live).run(only=REPAIRED, progress=progress)
        plan = fixed(self.live, report.problems)

        def part(_work: Work, pages: PageEdits) -> Done:
            taken = pages.take(plan)
            steps = (UpkeepStep("fixed", e.path, 0, "", "", e.path, e.reason) for e in taken)
            return Done(tuple(steps))

        return part

    def _pages(self, left: Mapping[str, str] = {}) -> PageEdits:
        """The pages as they are now, of which some stay so."""
        context = self.live.context
        day = local_day(context.clock()).isoformat()
        read = partial(current_bytes, context.root)
        return PageEdits(read, context.layers, day, context.max_bytes, left)

    def _carried_out(
        self,
        op: str,
        parts: Sequence[Part],
        *,
        dry_run: bool,
        why_left: WhyLeft = may_change_all,
    ) -> UpkeepReport:
        """Do some steps as one change; where they reach a file that stays as it is, again without
        those."""
        work = self._work()
        done: list[Done] = []
        left: dict[str, str] = {}

        def make() -> Plan:
            while True:
                pages = self._pages(left)
                done[:] = [part(work, pages) for part in parts]
                plan = _plan(op, pages, done)
                reached = {path: why_left(path) for path in plan.paths if path not in left}
                if not any(reached.values()):
                    return plan
                left.update((path, reason) for path, reason in reached.items() if reason)

        edited = carry_out_locked(self.live, make, dry_run=dry_run)
        told = [note for each in done for note in each.notes]
        notes = tuple(dict.fromkeys([*starmap(left_note, left.items()), *told]))
        return UpkeepReport(
            tuple(step for each in done for step in each.steps),
            tuple(count for each in done for count in each.collections),
            edited._replace(notes=(*notes, *edited.notes)),
        )


def _ids(known: KnownFacts, cards: Sequence[EntryCard]) -> tuple[str, ...]:
    """Ids for those that may retire without one: no run lets go more than a tenth of all, or one
    of each page."""
    without = sum(not card.id for card in cards)
    pages = len({card.path for card in cards})
    return free_ids(known, min(without, len(cards) // SHARE + pages))


def _plan(op: str, pages: PageEdits, done: Sequence[Done]) -> Plan:
    """One change, whose title counts the steps."""
    counts: dict[str, int] = {}
    for step in (step for each in done for step in each.steps):
        counts[step.verb] = counts.get(step.verb, 0) + 1
    edits = tuple(pages.edits())
    parts = (f"{verb} {counted(count, *_noun(verb))}" for verb, count in counts.items())
    return Plan(edits, ", ".join(parts) if edits else "nothing to do", op)


def _noun(verb: str) -> tuple[str, str]:
    return ("file", "files") if verb in ("fixed", "wrote", "purged") else ("entry", "entries")
