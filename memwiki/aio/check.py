"""`AsyncWorkspace.check`: what is wrong with the pages, and fixing or accepting it."""

# Generated from memwiki/workspace/check.py: python docs/generate_aio.py
from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.aio.face import Face
from memwiki.aio.workers import Steps
from memwiki.workspace.check import CheckFacet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memwiki.answers.check import CheckReport
    from memwiki.answers.edits import Edited
    from memwiki.index.projection import Progress


class AsyncCheckFacet(Face[CheckFacet]):
    """Checks a workspace and its catalogs."""

    async def run(
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
        steps = Steps(progress)
        return await self._read(
            lambda it: it.run(paths, only, baseline=baseline, progress=steps.note),
            steps,
            is_long=True,
        )

    async def fix(
        self,
        report: CheckReport,
        *,
        dry_run: bool = False,
        announce: Callable[[Edited], None] | None = None,
    ) -> Edited:
        """Fix what can be fixed safely; `announce` is given the diff before anything is written."""
        return await self._write(lambda it: it.fix(report, dry_run=dry_run, announce=announce))

    async def accept(self, report: CheckReport, baseline: str) -> Edited:
        """Record the problems of a report in a baseline file, which then holds these and no
        others."""
        return await self._write(lambda it: it.accept(report, baseline))
