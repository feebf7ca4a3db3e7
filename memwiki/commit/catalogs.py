"""`Workspace.catalog`: writing the catalogs that are not right, in rounds until they list the pages
as they are."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from memwiki.answers.index import Changes
from memwiki.catalog.state import forget, is_settled, was_listed
from memwiki.errors import ConfigError, LockedError, MemwikiError, WriteError
from memwiki.index.storage_sqlite import DAMAGE, ReplacedError, disk_errors_named
from memwiki.index.stores import Stores
from memwiki.nouns import Layers
from memwiki.sync.builds import READER_WAIT_MS
from memwiki.sync.live import LiveIndex
from memwiki.sync.open_index import SWAPS
from memwiki.sync.reading import Facing, Freshness, rebuilding_verbs, refresh

if TYPE_CHECKING:
    from memwiki.answers.pages import CatalogReport
    from memwiki.catalog.refresh import CatalogDiff
    from memwiki.catalog.store import ListingStore

_MAX_UNLISTED = 200  # changed pages, which take whoever lists them a millisecond each
_MAX_ROUNDS = 3  # a page that changes while catalogs are written is taken in by the next round


@rebuilding_verbs
class CatalogFacet(Facing):
    """The index.md files that list the pages of each folder; ConfigError where they are not
    enabled."""

    def update(self, *, adopt: bool = False) -> CatalogReport:
        """Write those that are not up to date.

        `adopt` puts the block of entries into index files that people wrote themselves.
        """
        freshness = _refreshed(self.live)
        with disk_errors_named():
            report = write_catalogs(self.live, is_thorough=True, is_adopting=adopt)
        return report._replace(fresh=freshness.fresh, reason=freshness.reason)

    def check(self) -> CatalogReport:
        """Say which are stale, and write nothing."""
        return checked_catalogs(self.live)


def write_catalogs(live: LiveIndex, *, is_thorough: bool, is_adopting: bool) -> CatalogReport:
    """Write those that are not right; `is_thorough` means all are read, and all is said."""
    from memwiki.catalog.refresh import settle
    from memwiki.change.apply import apply  # what lists pages alone changes no file

    written, removed, notes = dict[str, None](), dict[str, None](), dict[str, None]()
    for _ in range(_MAX_ROUNDS):
        survey = survey_catalogs(live, is_thorough=is_thorough, is_adopting=is_adopting)
        applied = apply(live.context.root, survey.plan)
        done = set(applied.paths)
        notes |= dict.fromkeys(applied.notes)
        for edit in survey.edits:
            if edit.path in done:
                (removed if edit.data is None else written)[edit.path] = None
        if survey.edits:
            live.sync_paths(survey.plan.paths)
        if survey.adopts:
            continue
        with live.amending() as stores:
            if settle(stores.cards, live.context.layers, survey):
                break
    report = report_of(survey)
    return report._replace(
        written=tuple(written), removed=tuple(removed), notes=(*notes, *report.notes)
    )


def survey_catalogs(live: LiveIndex, *, is_thorough: bool, is_adopting: bool) -> CatalogDiff:
    """What there should be and what there is, again where the index was replaced meanwhile."""
    for _ in range(SWAPS):
        with suppress(ReplacedError):
            return _survey(live, is_thorough=is_thorough, is_adopting=is_adopting)
    return _survey(live, is_thorough=is_thorough, is_adopting=is_adopting)


def _survey(live: LiveIndex, *, is_thorough: bool, is_adopting: bool) -> CatalogDiff:
    from memwiki.catalog.refresh import survey

    context = live.context
    with live.amending() as stores:
        _listings(stores, context.layers).update()
    with live.opened() as stores:
        seen = partial(survey, context.root, stores.cards, context.layers)
        return seen(is_thorough=is_thorough, is_adopting=is_adopting)


def checked_catalogs(live: LiveIndex) -> CatalogReport:
    """Say which are stale, those not yet written, too; ConfigError where catalogs are not
    enabled."""
    freshness = _refreshed(live)
    with disk_errors_named():
        survey = survey_catalogs(live, is_thorough=True, is_adopting=False)
    return report_of(survey)._replace(
        stale=survey.plan.paths, fresh=freshness.fresh, reason=freshness.reason
    )


def _refreshed(live: LiveIndex) -> Freshness:
    if not live.context.config.catalog.enabled:
        raise ConfigError(
            "catalog: is not enabled in this workspace", "memwiki config set catalog.enabled true"
        )
    return refresh(live)


def report_of(survey: CatalogDiff) -> CatalogReport:
    """What a survey found, with nothing written."""
    from memwiki.answers.pages import CatalogReport

    return CatalogReport(
        unmarked=tuple(survey.unmarked),
        notes=tuple(survey.notes),
        catalogs=len(survey.right),
        pages=survey.pages,
    )


def _listings(stores: Stores, layers: Layers) -> ListingStore:
    from memwiki.catalog.store import ListingStore  # most changes list nothing

    return ListingStore(stores.cards, layers)


def list_pages(live: LiveIndex) -> None:
    """List what changed, which `browse` shows; while others write, what was listed before will
    do."""
    layers = live.context.layers
    with live.opened() as stores:
        listed = _listings(stores, layers)
        if was_listed(stores.cards) and listed.tree() == stores.cards.tree():
            return
    try:
        with live.amending(READER_WAIT_MS) as stores:
            _listings(stores, layers).update()
    except (LockedError, WriteError):
        with live.opened() as stores:
            if was_listed(stores.cards):
                return
        with live.amending() as stores:  # nothing was listed before: this is waited for
            _listings(stores, layers).update()


def list_pages_if_possible(live: LiveIndex) -> None:
    """The same beforehand; where it fails, whoever browses does it then."""
    with suppress(MemwikiError, *DAMAGE):
        list_pages(live.public(is_current=True))


def list_what_was_taken_in(live: LiveIndex) -> None:
    """List the pages where this process took in many, as a question does that makes the index: no
    answer waits for it, and nobody who browses next."""
    if live.taken_in > _MAX_UNLISTED:
        list_pages_if_possible(live)


def _may_wait(live: LiveIndex, changes: Changes) -> bool:
    """Whether whoever browses next may list what changed: it is a quarter of what a sync of one
    page costs, which is done far more often."""
    if len(changes.added) + len(changes.modified) + len(changes.removed) > _MAX_UNLISTED:
        return False
    with suppress(MemwikiError, *DAMAGE), live.opened() as stores:
        return was_listed(stores.cards)
    return False


def after_sync(live: LiveIndex, changes: Changes) -> Changes:
    """Bring the catalogs up to date, where they are enabled, and add to the changes what was
    written.

    Reading commands sync, too, and write nothing: so it is not these changes that decide, but
    what the catalogs last saw. What goes wrong here is a note: the sync itself is done.
    """
    if not live.context.config.catalog.enabled:
        if not _may_wait(live, changes):
            list_pages_if_possible(live)
        return changes
    try:
        live = live.public(is_current=True)  # a catalog is for everybody
        with disk_errors_named(), live.opened() as stores:
            if is_settled(stores.cards):
                return changes
        report = write_catalogs(live, is_thorough=False, is_adopting=False)
    except (MemwikiError, *DAMAGE) as error:
        with suppress(MemwikiError, *DAMAGE), live.amending() as stores:
            forget(stores.cards)  # what was noted of the pages may be what is wrong
        return changes._replace(notes=(*changes.notes, f"the catalogs were not updated: {error}"))
    catalogs = (*report.written, *report.removed)
    return changes._replace(catalogs=catalogs, notes=(*changes.notes, *report.notes))
