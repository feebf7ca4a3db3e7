"""`Workspace.check`: what is wrong with the pages, and fixing or accepting it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from memwiki.index.projection import Progress
from memwiki.names import texts
from memwiki.sync.reading import Facing, rebuilding

if TYPE_CHECKING:
    from memwiki.answers.check import CheckReport
    from memwiki.answers.pages import Edited


class CheckFacet(Facing):
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
        from memwiki.check.run import checked

        return checked(self.live, texts(paths), texts(only), baseline, progress)

    def fix(
        self,
        report: CheckReport,
        *,
        dry_run: bool = False,
        announce: Callable[[Edited], None] | None = None,
    ) -> Edited:
        """Fix what can be fixed safely; `announce` is given the diff before anything is written."""
        from memwiki.check.run import fix

        return fix(self.live, report, dry_run=dry_run, announce=announce)

    def accept(self, report: CheckReport, baseline: str) -> Edited:
        """Record the problems of a report in a baseline file, which then holds these and no
        others."""
        from memwiki.check.run import accepted
        from memwiki.commit.carry_out import carry_out

        return carry_out(self.live, accepted(self.live.context.root, report, baseline))
