"""`Workspace.check`: what is wrong with the pages, and fixing or accepting it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memwiki.answers.check import CheckReport
from memwiki.answers.pages import Edited
from memwiki.catalog.state import is_settled
from memwiki.check import run
from memwiki.check.overview import Catalogs
from memwiki.commit.carry_out import carry_out
from memwiki.index.projection import Progress
from memwiki.markdown.describe import SNAPSHOT
from memwiki.sync.reading import Reading, linked_reading, rebuilding, scope_there
from memwiki.workspace.asking import IndexFacing


class CheckFacet(IndexFacing):
    """Checks a workspace and its catalogs."""

    @rebuilding
    def run(
        self,
        paths: Sequence[str] = (),
        only: Sequence[str] = (),
        *,
        baseline: str = "",
        progress: Progress | None = None,
    ) -> CheckReport:
        """What is wrong with the pages below these paths, and of these codes only.

        A `baseline` file names what is known and left out.
        """
        scope = scope_there(self.live.context)
        if scope.base:
            paths = [scope.asked_path(path) for path in paths] or [scope.base]
        context = self.live.context
        ignore = context.config.check.ignore
        asked = run.question(context.root, paths, only, baseline, ignore)
        for path in asked.paths:  # as links lead there
            scope.require_inside(path)
        is_asked = asked.is_about_catalogs and self.live.context.config.catalog.enabled
        with linked_reading(self.live, progress) as view:
            if not is_asked or is_settled(view.stores.cards):
                return run.check(asked, self.live, view, self._catalogs(view, ()), progress)
        stale = self._stale()  # not within: it syncs, and may close what a reading has open
        with linked_reading(self.live, progress) as view:
            return run.check(asked, self.live, view, self._catalogs(view, stale), progress)

    def _stale(self) -> tuple[str, ...]:
        """The catalogs that do not list the pages as they are, those not yet written, too."""
        from memwiki.workspace.catalog import CatalogFacet

        return CatalogFacet(self.live).check().stale

    def _catalogs(self, view: Reading, stale: Sequence[str]) -> Catalogs:
        """What is wrong with the catalogs; one that was never written is not missed."""
        context = self.live.context
        if not context.config.catalog.enabled:
            return Catalogs()
        from memwiki.catalog.listing import BUDGET

        others = (context.layers.log, SNAPSHOT)
        written = {path: size for path, size in view.lookup.hidden() if path not in others}
        large = tuple(path for path, size in written.items() if size > BUDGET.bytes)
        behind = tuple(path for path in stale if path in written)
        return Catalogs(is_settled(view.stores.cards), behind, large)

    def fix(
        self,
        report: CheckReport,
        *,
        dry_run: bool = False,
        announce: Callable[[Edited], None] | None = None,
    ) -> Edited:
        """Fix what can be fixed safely; `announce` is given the diff before anything is written."""
        plan = run.fixed(self.live, report.problems)
        shown = carry_out(self.live, plan, dry_run=True)
        if announce:
            announce(shown)
        if dry_run or not plan.edits:
            return shown
        return carry_out(self.live, plan)._replace(diff=shown.diff)

    def accept(self, report: CheckReport, baseline: str) -> Edited:
        """Record the problems of a report in a baseline file, which then holds these and no
        others."""
        return carry_out(self.live, run.accepted(self.live.context.root, report, baseline))
