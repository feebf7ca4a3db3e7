"""`Workspace.catalog`: catalogs brought up to date, planned in their room, carried out and followed
here."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from memwiki.answers.catalog import CatalogReport
from memwiki.catalog import refresh
from memwiki.catalog.refresh import CatalogDiff
from memwiki.catalog.store import ListingStore
from memwiki.change.apply import apply
from memwiki.errors import ConfigError
from memwiki.index.damage import ReplacedError, disk_errors_named
from memwiki.sync.live import LiveIndex
from memwiki.sync.open_index import SWAPS
from memwiki.sync.reading import Freshness
from memwiki.sync.reading import refresh as refresh_index
from memwiki.sync.rebuild import rebuilding

_ROUNDS = 3  # a page that changes while catalogs are written is taken in by the next round


class CatalogFacet:
    """The index.md files that list the pages of each folder; ConfigError where they are not
    enabled."""

    def __init__(self, live: LiveIndex) -> None:
        self.live = live

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
            survey = _surveyed(self.live, is_thorough=True, is_adopting=False)
        return _report(survey)._replace(
            stale=survey.plan.paths, fresh=freshness.fresh, reason=freshness.reason
        )


def _refreshed(live: LiveIndex) -> Freshness:
    if not live.context.config.catalog.enabled:
        raise ConfigError(
            "catalog: is not enabled in this workspace",
            hint="memwiki config set catalog.enabled true",
        )
    return refresh_index(live)


def write_catalogs(live: LiveIndex, *, is_thorough: bool, is_adopting: bool) -> CatalogReport:
    """Write those that are not right; `thorough` means all are read, and all is said."""
    written, removed, notes = dict[str, None](), dict[str, None](), dict[str, None]()
    for _ in range(_ROUNDS):
        survey = _surveyed(live, is_thorough=is_thorough, is_adopting=is_adopting)
        applied = apply(live.context.root, survey.plan)
        done = set(applied.paths)
        notes |= dict.fromkeys(applied.notes)
        for edit in survey.edits:
            if edit.path in done:
                (removed if edit.data is None else written)[edit.path] = None
        if survey.edits:
            live.sync_paths(survey.plan.paths)
        if not survey.adopts and _settle(live, survey):
            break
    report = _report(survey)
    return report._replace(
        written=tuple(written), removed=tuple(removed), notes=(*notes, *report.notes)
    )


def _surveyed(live: LiveIndex, *, is_thorough: bool, is_adopting: bool) -> CatalogDiff:
    """What there should be and what there is, again where the index was replaced meanwhile."""
    for _ in range(SWAPS):
        with suppress(ReplacedError):
            return _survey(live, is_thorough=is_thorough, is_adopting=is_adopting)
    return _survey(live, is_thorough=is_thorough, is_adopting=is_adopting)


def _survey(live: LiveIndex, *, is_thorough: bool, is_adopting: bool) -> CatalogDiff:
    context = live.context
    with live.amending() as stores:
        ListingStore(stores.cards, context.layers).update()
    with live.opened() as stores:
        survey = partial(refresh.survey, context.root, stores.cards, context.layers)
        return survey(is_thorough=is_thorough, is_adopting=is_adopting)


def _settle(live: LiveIndex, survey: CatalogDiff) -> bool:
    with live.amending() as stores:
        return refresh.settle(stores.cards, live.context.layers, survey)


def _report(survey: CatalogDiff) -> CatalogReport:
    return CatalogReport(
        unmarked=tuple(survey.unmarked),
        notes=tuple(survey.notes),
        catalogs=len(survey.right),
        pages=survey.pages,
    )
