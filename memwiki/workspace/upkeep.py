"""`Workspace.upkeep`: keeping memories, each run one plan that is shown, journalled and undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from memwiki.answers.upkeep import UpkeepReport
from memwiki.change.plan import Plan
from memwiki.clock import local_day
from memwiki.files.read import current_bytes
from memwiki.files.usage_lines import Sum
from memwiki.index.cards.entries import EntryCards
from memwiki.markdown.describe import inner_path, is_in
from memwiki.memory.usage_facts import usage_table
from memwiki.memory.view import Views
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import used_reading
from memwiki.upkeep.page_edits import PageEdits
from memwiki.upkeep.work import Done, Work
from memwiki.workspace.carry_out import carry_out_locked

Part = Callable[[Work, PageEdits], Done]  # one step of upkeep, on top of the earlier ones


class UpkeepFacet:
    """Joins, promotes and retires memories."""

    def __init__(self, live: LiveIndex) -> None:
        self.live = live

    def _work(self) -> Work:
        """What all steps know; usage as of now, as the index is not opened under the lock."""
        context = self.live.context
        layers = context.layers
        with used_reading(self.live) as view:
            used = dict(usage_table(view.stores, context).all())
            paths = dict.fromkeys(card.path for card in EntryCards(view.stores.cards.db).all())

        views = Views(context.config, context.clock(), lambda subject: used.get(subject, Sum()))
        kept = [path for path in paths if not is_in(inner_path(path, layers), layers.archive)]
        return Work(context.config, context.clock(), kept, views)

    def _carried_out(
        self, op: str, parts: Sequence[Part], work: Work, *, dry_run: bool
    ) -> UpkeepReport:
        """Do some steps as one change."""
        context = self.live.context
        day = local_day(context.clock()).isoformat()
        done: list[Done] = []

        def make() -> Plan:
            pages = PageEdits(
                partial(current_bytes, context.root), context.layers, day, context.max_bytes
            )
            done[:] = [part(work, pages) for part in parts]
            return _plan(op, pages, done)

        edited = carry_out_locked(self.live, make, dry_run=dry_run)
        notes = tuple(note for each in done for note in each.notes)
        return UpkeepReport(
            tuple(step for each in done for step in each.steps),
            tuple(count for each in done for count in each.collections),
            edited._replace(notes=(*notes, *edited.notes)),
        )


def _plan(op: str, pages: PageEdits, done: Sequence[Done]) -> Plan:
    """One change with a line of the journal for each kind of step."""
    steps = [step for each in done for step in each.steps]
    counts: dict[str, int] = {}
    for step in steps:
        counts[step.verb] = counts.get(step.verb, 0) + 1
    title = ", ".join(f"{verb} {count}" for verb, count in counts.items()) or "nothing to do"
    return Plan(tuple(pages.edits()), title, op)
