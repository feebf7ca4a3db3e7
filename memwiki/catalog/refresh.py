"""Keeping the catalogs in step with the pages, as sync keeps the index in step with the files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, TypeAlias

from memwiki.answers.catalog import CatalogReport
from memwiki.catalog.block import adopted, filled, fresh, is_bare, is_ours, said, shape_of
from memwiki.catalog.folders import tree
from memwiki.catalog.layout import INDEX, Catalog, Cut, Pages, Right, catalogs
from memwiki.catalog.page import base_of
from memwiki.catalog.store import LISTED, REMARK, ListingStore
from memwiki.change.apply import apply
from memwiki.change.plan import Edit, Plan
from memwiki.digest import digest_of
from memwiki.errors import ConfigError, MemwikiError, NotFoundError
from memwiki.files.read import read
from memwiki.index.damage import DAMAGE, disk_errors_named
from memwiki.index.projection import changed_tree
from memwiki.index.stores import Stores
from memwiki.names import fold
from memwiki.sync.keeper import Keeper
from memwiki.sync.reading import refresh

_STRAY = (
    "no catalog belongs here, and its block is not as memwiki wrote it; it stays as it is:"
    " remove the file or its markers"
)
_EMPTY = ["No pages are listed here any more."]
_ROUNDS = 3  # a page that changes while catalogs are written is taken in by the next round


Known: TypeAlias = tuple[int, str, str]  # mark, digest, what was said


class Kept(NamedTuple):
    """What a sync did to the catalogs on the way."""

    written: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Survey:
    """What the catalogs should be compared with what they are."""

    tree: str
    cuts: dict[str, Cut] = field(default_factory=dict)
    edits: list[Edit] = field(default_factory=list)
    right: list[Right] = field(default_factory=list)
    unmarked: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    pages: int = 0
    known: dict[str, Known] = field(default_factory=dict)  # as they were last found right
    is_thorough: bool = False  # whether all files are read and all is said
    is_adopting: bool = False  # whether files of people's own may get a block
    adopts: bool = False  # a page becomes a catalog, so that it is not listed any more


def keep_in_step(keeper: Keeper) -> Kept:
    """Write the catalogs that the last syncs made stale, where they are enabled; never fails."""
    if not keeper.config.catalog.enabled:
        return Kept()
    try:
        with disk_errors_named(), keeper.opened() as stores:
            if is_settled(stores):
                return Kept()
        report = _write(keeper, is_thorough=False, is_adopting=False)
    except (MemwikiError, *DAMAGE) as error:
        with suppress(MemwikiError, *DAMAGE), keeper.amending() as stores:
            stores.cards.note(LISTED, "")  # what was noted of the pages may be what is wrong
        return Kept(notes=(f"the catalogs were not updated: {error}",))
    return Kept((*report.written, *report.removed), report.notes)


def is_settled(stores: Stores) -> bool:
    """Whether the catalogs are known to list the pages as they are."""
    return stores.cards.state(REMARK) == stores.cards.tree()


def catalog(keeper: Keeper, *, check: bool, adopt: bool) -> CatalogReport:
    """Bring every catalog in step, or with `check` say which are not."""
    if not keeper.config.catalog.enabled:
        raise ConfigError(
            "catalog: is not enabled in this workspace",
            hint="memwiki config set catalog.enabled true",
        )
    freshness = refresh(keeper)
    with disk_errors_named():
        if check:
            survey = _survey(keeper, is_thorough=True, is_adopting=False)
            report = _report(survey)._replace(stale=tuple(edit.path for edit in survey.edits))
        else:
            report = _write(keeper, is_thorough=True, is_adopting=adopt)
    return report._replace(fresh=freshness.fresh, reason=freshness.reason)


def _write(keeper: Keeper, *, is_thorough: bool, is_adopting: bool) -> CatalogReport:
    written, removed, notes = dict[str, None](), dict[str, None](), dict[str, None]()
    for _ in range(_ROUNDS):
        survey = _survey(keeper, is_thorough=is_thorough, is_adopting=is_adopting)
        applied = apply(keeper.root, Plan(tuple(survey.edits), "catalogs"))
        done = set(applied.paths)
        notes |= dict.fromkeys(applied.notes)
        for edit in survey.edits:
            if edit.path in done:
                (removed if edit.data is None else written)[edit.path] = None
        if survey.edits:
            keeper.follow([edit.path for edit in survey.edits])
        if not survey.adopts and _settle(keeper, survey):
            break
    report = _report(survey)
    return report._replace(
        written=tuple(written), removed=tuple(removed), notes=(*notes, *report.notes)
    )


def _settle(keeper: Keeper, survey: Survey) -> bool:
    """Note that all is right, unless something else changed while the catalogs were written."""
    before = [(edit.path, edit.expect) for edit in survey.edits if edit.expect]
    after = [(edit.path, digest_of(edit.data)) for edit in survey.edits if edit.data is not None]
    expected = changed_tree(survey.tree, before, after)
    with keeper.amending() as stores:
        if stores.cards.tree() != expected:
            return False
        listed = ListingStore(stores.cards, keeper.config.layers)
        listed.remember(survey.right, survey.cuts, expected)
    return True


def _report(survey: Survey) -> CatalogReport:
    return CatalogReport(
        unmarked=tuple(survey.unmarked), notes=tuple(survey.notes), catalogs=len(survey.right),
        pages=survey.pages,
    )  # fmt: skip


def _survey(keeper: Keeper, *, is_thorough: bool, is_adopting: bool) -> Survey:
    """Compare what there should be with what there is; files that are known to be right are not read,
    unless it is to be `thorough`."""
    layers = keeper.config.layers
    with keeper.amending() as stores:
        ListingStore(stores.cards, layers).update()
        tree = stores.cards.tree()
    survey = Survey(tree, is_thorough=is_thorough, is_adopting=is_adopting)
    with keeper.opened() as stores:
        return _compared(keeper, ListingStore(stores.cards, layers), survey)


def _compared(keeper: Keeper, listed: ListingStore, survey: Survey) -> Survey:
    with listed.as_of_now():
        files = {fold(path): (path, digest) for path, digest in listed.files().items()}
        survey.known = listed.marks()
        survey.cuts = {} if survey.is_thorough else listed.cuts()
        wanted = set()
        for each, own_index in _wanted(listed, survey):
            path, digest = files.get(fold(each.path), (each.path, ""))
            wanted.add(path)
            known = survey.known.get(path)
            if known and not survey.is_thorough and known[:2] == (each.mark, digest):
                survey.right.append(Right(path, *known))
            elif own_index and not digest and not survey.is_adopting:
                survey.unmarked.append(own_index)
            else:
                _compare(keeper, survey, each, path if digest else own_index or path)
        for path, _ in files.values():
            if path not in wanted and base_of(path, keeper.config.layers) is not None:
                _retire(keeper, survey, path)
    return survey


def _wanted(listed: ListingStore, survey: Survey) -> Iterator[tuple[Catalog, str]]:
    """Every catalog that there should be, with the path of an index of people's own in its place."""
    known = set(survey.cuts)
    for base in listed.bases():
        root = tree(listed.sums(base), base)
        survey.pages += root.pages
        own = {folder.path: folder.own_index for folder in root.walk() if folder.own_index}
        shown = partial(listed.highlights, base)
        pages = Pages(listed.rows, listed.listings, listed.chosen, shown, survey.cuts)
        for each in catalogs(root, pages):
            folder, _, name = each.path.rpartition("/")
            known.discard(folder)
            taken = own.get(folder, "") if name == INDEX else ""
            yield each, f"{folder}/{taken}" if taken and folder else taken
    for folder in known:  # no longer there
        survey.cuts.pop(folder, None)


def _compare(keeper: Keeper, survey: Survey, wanted: Catalog, path: str) -> None:
    """Plan the edit that makes a file say what it should."""
    is_shard = not fold(path).endswith(f"/{INDEX}") and fold(path) != INDEX
    lines = wanted.lines()
    try:
        data = read(keeper.root, path)[0]
    except NotFoundError:
        _plan(survey, wanted, path, b"", fresh(lines, is_shard=is_shard))
        return
    before = data.decode("utf-8", "surrogateescape")
    if is_ours(before):
        after = filled(before, lines)
    elif is_shard and not survey.is_adopting:
        survey.unmarked.append(path)
        return
    else:
        after, survey.adopts = adopted(before, lines), True
    survey.notes += [f"{path}:{number}: {what}" for number, what in shape_of(after).problems]
    _plan(survey, wanted, path, data, after)


def _plan(survey: Survey, wanted: Catalog, path: str, before: bytes, text: str) -> None:
    after = text.encode("utf-8", "surrogateescape")
    lines = said(text) or ()
    survey.right.append(Right(path, wanted.mark, digest_of(after), _digest_of(lines)))
    if after != before:
        expect = digest_of(before) if before else ""
        survey.edits.append(Edit(path, expect, after, "catalog"))


def _retire(keeper: Keeper, survey: Survey, path: str) -> None:
    """Remove a catalog that is no longer needed, or empty its block where people wrote around it.

    What memwiki has not written as it stands is somebody's own, whatever it is called: it is named.
    """
    try:
        data = read(keeper.root, path)[0]
    except MemwikiError as error:
        survey.notes.append(error.message)
        return
    text = data.decode("utf-8", "surrogateescape")
    lines, known = said(text), survey.known.get(path)
    if lines != _EMPTY and (lines is None or not known or known[2] != _digest_of(lines)):
        if (survey.is_thorough or known) and is_ours(text):
            survey.notes.append(f"{path}: {_STRAY}")
    elif is_bare(text):
        survey.edits.append(Edit(path, digest_of(data), None, "no longer needed"))
    elif lines != _EMPTY:
        after = filled(text, _EMPTY).encode("utf-8", "surrogateescape")
        survey.edits.append(Edit(path, digest_of(data), after, "no longer needed"))


def _digest_of(lines: Sequence[str]) -> str:
    return digest_of("\n".join(lines).encode("utf-8", "surrogatepass"))
