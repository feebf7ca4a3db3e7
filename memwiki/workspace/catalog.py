"""`Workspace.catalog`: the index.md files of the folders."""

from __future__ import annotations

from memwiki.answers.pages import CatalogReport
from memwiki.commit.catalogs import report_of, surveyed, write_catalogs
from memwiki.errors import ConfigError
from memwiki.index.damage import disk_errors_named
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Freshness, rebuilding
from memwiki.sync.reading import refresh as refresh_index
from memwiki.workspace.asking import IndexFacing


class CatalogFacet(IndexFacing):
    """The index.md files that list the pages of each folder; ConfigError where they are not
    enabled."""

    @rebuilding
    def update(self, *, adopt: bool = False) -> CatalogReport:
        """Write those that are not up to date.

        `adopt` puts the block of entries into index files that people wrote themselves.
        """
        freshness = _refreshed(self.live)
        with disk_errors_named():
            report = write_catalogs(self.live, is_thorough=True, is_adopting=adopt)
        return report._replace(fresh=freshness.fresh, reason=freshness.reason)

    @rebuilding
    def check(self) -> CatalogReport:
        """Say which are stale, and write nothing."""
        freshness = _refreshed(self.live)
        with disk_errors_named():
            survey = surveyed(self.live, is_thorough=True, is_adopting=False)
        return report_of(survey)._replace(
            stale=survey.plan.paths, fresh=freshness.fresh, reason=freshness.reason
        )


def _refreshed(live: LiveIndex) -> Freshness:
    if not live.context.config.catalog.enabled:
        raise ConfigError(
            "catalog: is not enabled in this workspace", "memwiki config set catalog.enabled true"
        )
    return refresh_index(live)
