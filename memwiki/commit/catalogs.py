"""Writing the catalogs that are not right, in rounds until they list the pages as they are."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from memwiki.answers.catalog import CatalogReport
from memwiki.catalog import refresh
from memwiki.catalog.refresh import CatalogDiff
from memwiki.catalog.store import ListingStore
from memwiki.change.apply import apply
from memwiki.index.damage import ReplacedError
from memwiki.sync.live import LiveIndex
from memwiki.sync.open_index import SWAPS

_ROUNDS = 3  # a page that changes while catalogs are written is taken in by the next round


def write_catalogs(live: LiveIndex, *, is_thorough: bool, is_adopting: bool) -> CatalogReport:
    """Write those that are not right; `thorough` means all are read, and all is said."""
    written, removed, notes = dict[str, None](), dict[str, None](), dict[str, None]()
    for _ in range(_ROUNDS):
        survey = surveyed(live, is_thorough=is_thorough, is_adopting=is_adopting)
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
    report = report_of(survey)
    return report._replace(
        written=tuple(written), removed=tuple(removed), notes=(*notes, *report.notes)
    )


def surveyed(live: LiveIndex, *, is_thorough: bool, is_adopting: bool) -> CatalogDiff:
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


def report_of(survey: CatalogDiff) -> CatalogReport:
    """What a survey found, with nothing written."""
    return CatalogReport(
        unmarked=tuple(survey.unmarked),
        notes=tuple(survey.notes),
        catalogs=len(survey.right),
        pages=survey.pages,
    )
