"""Bringing the catalogs up to date: planned in their room, carried out and followed here."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from memwiki.answers.catalog import CatalogReport
from memwiki.catalog import refresh
from memwiki.catalog.refresh import Survey
from memwiki.catalog.store import ListingStore, forget, is_settled
from memwiki.change.apply import apply
from memwiki.errors import ConfigError, MemwikiError
from memwiki.index.damage import DAMAGE, disk_errors_named
from memwiki.sync import reading
from memwiki.sync.live import LiveIndex

_ROUNDS = 3  # a page that changes while catalogs are written is taken in by the next round


class Refreshed(NamedTuple):
    """What a sync did to the catalogs on the way."""

    written: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def keep_up_to_date(live: LiveIndex) -> Refreshed:
    """Write the catalogs that the last syncs made stale, where they are enabled; never fails."""
    if not live.context.config.catalog.enabled:
        return Refreshed()
    try:
        with disk_errors_named(), live.opened() as stores:
            if is_settled(stores.cards):
                return Refreshed()
        report = _write(live, is_thorough=False, is_adopting=False)
    except (MemwikiError, *DAMAGE) as error:
        with suppress(MemwikiError, *DAMAGE), live.amending() as stores:
            forget(stores.cards)  # what was noted of the pages may be what is wrong
        return Refreshed(notes=(f"the catalogs were not updated: {error}",))
    return Refreshed((*report.written, *report.removed), report.notes)


def catalog(live: LiveIndex, *, check: bool, adopt: bool) -> CatalogReport:
    """Bring every catalog up to date, or with `check` say which are not."""
    if not live.context.config.catalog.enabled:
        raise ConfigError(
            "catalog: is not enabled in this workspace",
            hint="memwiki config set catalog.enabled true",
        )
    freshness = reading.refresh(live)
    with disk_errors_named():
        if check:
            survey = _survey(live, is_thorough=True, is_adopting=False)
            report = _report(survey)._replace(stale=survey.plan.paths)
        else:
            report = _write(live, is_thorough=True, is_adopting=adopt)
    return report._replace(fresh=freshness.fresh, reason=freshness.reason)


def _write(live: LiveIndex, *, is_thorough: bool, is_adopting: bool) -> CatalogReport:
    written, removed, notes = dict[str, None](), dict[str, None](), dict[str, None]()
    for _ in range(_ROUNDS):
        survey = _survey(live, is_thorough=is_thorough, is_adopting=is_adopting)
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


def _survey(live: LiveIndex, *, is_thorough: bool, is_adopting: bool) -> Survey:
    layers = live.context.layers
    with live.amending() as stores:
        ListingStore(stores.cards, layers).update()
    with live.opened() as stores:
        return refresh.survey(
            live.context.root,
            stores.cards,
            layers,
            is_thorough=is_thorough,
            is_adopting=is_adopting,
        )


def _settle(live: LiveIndex, survey: Survey) -> bool:
    with live.amending() as stores:
        return refresh.settle(stores.cards, live.context.layers, survey)


def _report(survey: Survey) -> CatalogReport:
    return CatalogReport(
        unmarked=tuple(survey.unmarked), notes=tuple(survey.notes), catalogs=len(survey.right),
        pages=survey.pages,
    )  # fmt: skip
