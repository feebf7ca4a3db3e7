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
from memwiki.sync.keeper import Keeper

_ROUNDS = 3  # a page that changes while catalogs are written is taken in by the next round


class Refreshed(NamedTuple):
    """What a sync did to the catalogs on the way."""

    written: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def keep_up_to_date(keeper: Keeper) -> Refreshed:
    """Write the catalogs that the last syncs made stale, where they are enabled; never fails."""
    if not keeper.config.catalog.enabled:
        return Refreshed()
    try:
        with disk_errors_named(), keeper.opened() as stores:
            if is_settled(stores.cards):
                return Refreshed()
        report = _write(keeper, is_thorough=False, is_adopting=False)
    except (MemwikiError, *DAMAGE) as error:
        with suppress(MemwikiError, *DAMAGE), keeper.amending() as stores:
            forget(stores.cards)  # what was noted of the pages may be what is wrong
        return Refreshed(notes=(f"the catalogs were not updated: {error}",))
    return Refreshed((*report.written, *report.removed), report.notes)


def catalog(keeper: Keeper, *, check: bool, adopt: bool) -> CatalogReport:
    """Bring every catalog up to date, or with `check` say which are not."""
    if not keeper.config.catalog.enabled:
        raise ConfigError(
            "catalog: is not enabled in this workspace",
            hint="memwiki config set catalog.enabled true",
        )
    freshness = reading.refresh(keeper)
    with disk_errors_named():
        if check:
            survey = _survey(keeper, is_thorough=True, is_adopting=False)
            report = _report(survey)._replace(stale=survey.plan.paths)
        else:
            report = _write(keeper, is_thorough=True, is_adopting=adopt)
    return report._replace(fresh=freshness.fresh, reason=freshness.reason)


def _write(keeper: Keeper, *, is_thorough: bool, is_adopting: bool) -> CatalogReport:
    written, removed, notes = dict[str, None](), dict[str, None](), dict[str, None]()
    for _ in range(_ROUNDS):
        survey = _survey(keeper, is_thorough=is_thorough, is_adopting=is_adopting)
        applied = apply(keeper.root, survey.plan)
        done = set(applied.paths)
        notes |= dict.fromkeys(applied.notes)
        for edit in survey.edits:
            if edit.path in done:
                (removed if edit.data is None else written)[edit.path] = None
        if survey.edits:
            keeper.follow(survey.plan.paths)
        if not survey.adopts and _settle(keeper, survey):
            break
    report = _report(survey)
    return report._replace(
        written=tuple(written), removed=tuple(removed), notes=(*notes, *report.notes)
    )


def _survey(keeper: Keeper, *, is_thorough: bool, is_adopting: bool) -> Survey:
    layers = keeper.config.layers
    with keeper.amending() as stores:
        ListingStore(stores.cards, layers).update()
    with keeper.opened() as stores:
        return refresh.survey(
            keeper.root, stores.cards, layers, is_thorough=is_thorough, is_adopting=is_adopting
        )


def _settle(keeper: Keeper, survey: Survey) -> bool:
    with keeper.amending() as stores:
        return refresh.settle(stores.cards, keeper.config.layers, survey)


def _report(survey: Survey) -> CatalogReport:
    return CatalogReport(
        unmarked=tuple(survey.unmarked), notes=tuple(survey.notes), catalogs=len(survey.right),
        pages=survey.pages,
    )  # fmt: skip
