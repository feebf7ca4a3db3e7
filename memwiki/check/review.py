"""What the rules find in a workspace: worked out, or as it was kept while nothing changed."""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache, partial
from types import MappingProxyType
from typing import TypeAlias

from memwiki import __version__
from memwiki.answers.check import Problems, merge_runs, sorted_problems
from memwiki.check.facts import EntryPart, Facts, entry_parts, facts_of, frame_of
from memwiki.check.overview import (
    Catalogs,
    CheckEnvironment,
    WorkspaceOverview,
    alike,
    vectors_mark,
)
from memwiki.check.rule import CheckedPage, CheckRule, Finding, ParsedPages, checked_page, found
from memwiki.check.rules import (
    ENTITY_RULES,
    ENTRY_RULES,
    FRAME_RULES,
    PAGE_RULES,
    REVIEW_FORMAT,
    RULES,
    WORKSPACE_RULES,
    with_tried_fixes,
)
from memwiki.check.store import (
    BATCH,
    FINDINGS,
    STORE,
    DiskAnswers,
    FindingStore,
    RecordingDisk,
    Review,
    SavedFindings,
    looked_after,
)
from memwiki.clock import local_day
from memwiki.digest import blake2b, text_hash
from memwiki.errors import LockedError, MemwikiError, WriteError
from memwiki.files.lock import Lock
from memwiki.files.read import FileContents, contents
from memwiki.index.cache_folder import CleanScan
from memwiki.index.cards.store import Cards
from memwiki.index.graph import LinkGraph
from memwiki.index.integrity import close_record, is_intact, open_record
from memwiki.index.projection import Progress, fill, lacking, uncollected
from memwiki.index.storage_sqlite import DAMAGE, MISSHAPEN, SqlError, is_damage
from memwiki.judgement.meetings import NOTHING, Compared, packed, unpacked
from memwiki.markdown.border import contain_errors, describe_error, is_unparsed
from memwiki.markdown.describe import inner_path, is_in, is_kept
from memwiki.markdown.parse import WholeFile
from memwiki.markdown.stretches import KnownStretches
from memwiki.nouns import UNPARSED, Layers, Problem
from memwiki.records import NamedTuple
from memwiki.scope import scope_of
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading

_LOCK = "findings.lock"
_LOCK_WAIT_MS = 60_000
_PART = 512  # pages that are looked at while others may use the store
_ALL = "all"
_NONE: KnownStretches = MappingProxyType({})
_KEPT_RULES = {*FRAME_RULES, *ENTRY_RULES, *ENTITY_RULES}
_OTHERS = tuple(rule for rule in WORKSPACE_RULES if rule not in _KEPT_RULES)
_Keep: TypeAlias = Callable[[FindingStore], None]  # what a check leaves in the store at its end
_FAILED = "memwiki could not check this page; please report it with this line: "


class CheckContext(NamedTuple):
    """The workspace that is checked."""

    live: LiveIndex
    view: Reading
    catalogs: Catalogs


class Run(NamedTuple):
    """Rules of which the findings are kept; `key` names all that they see besides what the disk
    says, "" when not all pages are known, and `kept` is what they found under it."""

    name: str
    key: str
    rules: Sequence[CheckRule[WorkspaceOverview]]
    kept: SavedFindings | None


class Reviews(NamedTuple):
    """What is known of every page."""

    own: Problems  # of the rules that look at one page
    facts: Mapping[str, Facts]
    runs: Sequence[Run]
    first_seen: Mapping[str, tuple[str, str]]  # source -> (digest, day)


class CheckResult(NamedTuple):
    """What the rules find, and in which pages they looked."""

    problems: Problems
    pages: Collection[str]


def findings_of(
    context: CheckContext, codes: Sequence[str], progress: Progress | None
) -> CheckResult:
    """All findings, or at least those of some codes."""
    live, view, _ = context
    proved = live.clean_scan() if view.freshness.fresh and not view.freshness.reason else None
    kept = _kept(context, proved) if proved else None
    if kept:
        return kept
    disk, keeping = RecordingDisk(live.context), list[_Keep]()
    with view.stores.cards.one_moment():
        reviews = _reviews(live, view, progress)
        with uncollected():
            problems = _worked_out(context, reviews, disk, codes, keeping)
    if proved and not codes:
        keeping.append(partial(_keep, context, proved, problems._replace(answers=disk.answers)))
    if keeping:
        with suppress(LockedError, WriteError, SqlError), _open_store(live) as store:
            for keep in keeping:  # nothing is lost but time where one fails
                keep(store)
    return CheckResult(problems.problems, reviews.facts)


def _worked_out(
    context: CheckContext,
    reviews: Reviews,
    disk: RecordingDisk,
    codes: Sequence[str],
    keeping: list[_Keep],
) -> SavedFindings:
    """All findings; what they took is gone before anybody looks for cycles of objects in it."""
    overview = _overview(context, reviews, disk, keeping)
    kept_runs = [_of_run(run, overview, disk, codes, keeping) for run in reviews.runs]
    asked = [rule for rule in _OTHERS if not codes or rule.code in codes]
    others = _found(asked, overview, overview.layers)
    return _merged(context.live, [reviews.own, *kept_runs, others])


def _found(
    rules: Iterable[CheckRule[WorkspaceOverview]], overview: WorkspaceOverview, layers: Layers
) -> Problems:
    return sorted_problems(_problems(found(rules, overview), layers))


def _of_run(
    run: Run,
    overview: WorkspaceOverview,
    disk: RecordingDisk,
    codes: Sequence[str],
    keeping: list[_Keep],
) -> Problems:
    """What rules find; as it was kept while all that they see stays the same."""
    if run.kept and disk.says(run.kept.answers):
        disk.remember(run.kept.answers)
        return run.kept.problems
    asked = [rule for rule in run.rules if not codes or rule.code in codes]
    problems = _found(asked, overview, overview.layers)
    if run.key and not codes:
        kept = SavedFindings(problems, disk.answers)
        keeping.append(lambda store: store.keep(run.name, run.key, kept))
    return problems


def _merged(live: LiveIndex, runs: Sequence[Problems]) -> SavedFindings:
    """All problems in their order, as they were kept when each run found the same."""
    of = " ".join(run.digest for run in runs)
    with _kept_in(live) as store:
        kept = store.kept(_ALL, of)
        if kept:
            return kept
    return SavedFindings(merge_runs(runs), DiskAnswers({}, {}), of)


def _runs(live: LiveIndex, view: Reading, store: FindingStore) -> Iterator[Run]:
    """The rules of which the findings are kept; without keys where the store is not up to date with
    the cards."""
    is_known = store.tree() == view.stores.cards.tree()
    config = view.context.config
    files = sorted(path for _, path in view.lookup.all_attachments())
    entries = (store.entries_tree(), config.memory, vectors_mark(live))
    for name, rules, seen in (
        ("entries", ENTRY_RULES, entries),
        ("entities", ENTITY_RULES, (*entries, config.entities, store.frames(), files)),
        ("frames", FRAME_RULES, (store.frames(), files)),
    ):
        codes = sorted(rule.code for rule in rules)
        key = _hash(seen, codes, __version__, sys.version) if is_known else ""
        kept = None
        with suppress(*DAMAGE, MemwikiError):  # what is damaged is worked out again
            kept = store.kept(name, key)
        yield Run(name, key, rules, kept)


def _hash(*parts: object) -> str:
    return text_hash(repr(parts), 16).hex()


def _problems(findings: Iterable[Finding], layers: Layers) -> Iterator[Problem]:
    for code, line, message, path, swap, is_mended in findings:
        is_fixable = (is_mended or swap is not None) and not is_kept(path, layers)
        yield Problem(path, line, code, RULES[code].severity, message, is_fixable)


def overview_of(context: CheckContext) -> WorkspaceOverview:
    """The workspace as rules see it."""
    reviews = _reviews(context.live, context.view, None)
    return _overview(context, reviews, RecordingDisk(context.live.context), [])


def _overview(
    context: CheckContext, reviews: Reviews, disk: RecordingDisk, keeping: list[_Keep]
) -> WorkspaceOverview:
    live, view, catalogs = context

    compared = cache(partial(_compared, live))

    def keep_compared(namespace: str, now: Compared) -> None:
        before, first = compared(namespace)
        parts = packed(now, _compared_under(live), before)
        keeping.append(lambda store: store.keep_parts(f"compared {namespace}", parts, first))

    return WorkspaceOverview(
        view.lookup,
        LinkGraph(view.stores.cards, scope_of(live.context.layers)),  # what is found is kept
        live.context.layers,
        reviews.facts,
        CheckEnvironment(
            local_day(live.context.clock()),
            disk.read,
            disk.exists,
            reviews.first_seen,
            "" if view.freshness.fresh or not live.is_synced else view.freshness.reason,
            catalogs,
            partial(_entries, live, view),
            live.context.config.memory,
            live.context.config.entities,
            lambda namespace: compared(namespace)[0],
            keep_compared,
            partial(alike, live),
        ),
    )


def _entries(live: LiveIndex, view: Reading) -> list[tuple[str, EntryPart]]:
    """The entries of the pages that are checked."""
    with _open_store(live) as store:
        known = view.stores.cards.digests()
        try:
            return [(path, part) for path, part in store.entries() if path in known]
        except DAMAGE as error:
            if is_damage(error):
                store.start_over()  # who asks again finds it whole
            raise


def _compared(live: LiveIndex, namespace: str) -> tuple[Compared, bytes]:
    """What the last check compared in a namespace, and the first part of it as it is kept."""
    with _kept_in(live) as store, suppress(*MISSHAPEN, zlib.error):
        parts = store.parts(f"compared {namespace}")
        return unpacked(parts, _compared_under(live)), parts[0]
    return NOTHING, b""


def _compared_under(live: LiveIndex) -> str:
    return _hash(live.context.config.memory, __version__, sys.version)


# --- kept ----------------------------------------------------------------------------------------


def _key(context: CheckContext, proved: CleanScan, store: FindingStore) -> str:
    """Everything that the findings follow from besides what the disk said; "" when the catalogs are
    behind, as only a look at them tells what is wrong with them."""
    live, view, catalogs = context
    tree, config = view.stores.cards.tree(), live.context.config
    if store.tree() != tree or not catalogs.is_settled:
        return ""
    codes = sorted(rule.code for rule in WORKSPACE_RULES)
    today = local_day(live.context.clock()).isoformat()
    seen = (
        tuple(proved),
        tree,
        today,
        config.catalog.enabled,
        store.sources(),
        vectors_mark(live),
    )
    return _hash(*seen, config.memory, config.entities, codes, __version__, sys.version)


def _kept(context: CheckContext, proved: CleanScan) -> CheckResult | None:
    """What is known without looking, if nothing changed since the last check."""
    with _kept_in(context.live) as store:
        kept = store.kept(_ALL, _key(context, proved, store))
        if kept and RecordingDisk(context.live.context).says(kept.answers):
            return CheckResult(kept.problems, store.paths())
    return None


@contextmanager
def _kept_in(live: LiveIndex) -> Iterator[FindingStore]:
    """The store, for what may be known without looking: what is damaged or gone is found out by
    working everything out."""
    with _open_store(live, is_read=True) as store, suppress(*DAMAGE, MemwikiError):
        yield store


def _keep(
    context: CheckContext, proved: CleanScan, kept: SavedFindings, store: FindingStore
) -> None:
    """Keep findings, when it is sure that the index did not change while they were worked out."""
    with context.live.unchanged_since(proved) as stands:
        key = _key(context, proved, store) if stands else ""
        if key:
            store.keep(_ALL, key, kept)


# --- reviews -------------------------------------------------------------------------------------


def _reviews(live: LiveIndex, view: Reading, progress: Progress | None) -> Reviews:
    """The findings and facts of every page, the missing worked out; a damaged store starts over by
    itself."""
    cards = view.stores.cards
    hidden = {path for path, _ in view.lookup.hidden()}
    parsed = ParsedPages(cards)

    def review(path: str, digest: str, store: FindingStore | None = None) -> Review | None:
        if path in hidden:
            return Review(path, digest)
        return _review(live.context, path, parsed, store.stretches(path) if store else _NONE)

    def filled(store: FindingStore) -> Reviews:
        fill(store, cards, partial(review, store=store), batch=BATCH, progress=progress)
        with uncollected():
            facts = store.facts()
        findings = store.findings()
        if store.tree() != cards.tree():  # it may hold pages that another check saw since
            known = cards.digests()
            facts = {path: each for path, each in facts.items() if path in known}
            findings = (each for each in findings if each.path in known)
        own = sorted_problems(_problems(findings, live.context.layers))
        runs = tuple(_runs(live, view, store))
        return Reviews(own, facts, runs, _first_seen(live, view, store))

    if live.cache_folder is not None:
        _fill_in_parts(live, cards, review, progress)
    with _open_store(live) as store:
        try:
            return filled(store)
        except DAMAGE as error:
            if not is_damage(error):
                raise
            store.start_over()
            return filled(store)


def _fill_in_parts(
    live: LiveIndex,
    cards: Cards,
    review: Callable[[str, str], Review | None],
    progress: Progress | None,
) -> None:
    """Look at the pages that the store lacks while others may use it: a check that comes meanwhile,
    or after this one was stopped, goes on with what is left. What goes wrong with the store here is
    found again, and repaired, by who fills the rest."""
    wanted, seen, total = cards.digests(), set[str](), 0
    while len(wanted) > _PART:
        try:
            with _open_store(live) as store:
                lacks, gone = lacking(wanted, store.digests())
        except DAMAGE:
            return
        paths = sorted(lacks - seen)
        total = total or len(paths)
        part = paths[:_PART]
        if len(paths) <= _PART:  # few are done in one go, with what is to be dropped
            return
        puts = _looked_at(part, wanted, review, progress, total - len(paths), total)
        seen.update(part)
        with suppress(*DAMAGE), _open_store(live) as store:
            store.apply(puts, gone)


def _looked_at(
    part: Sequence[str],
    wanted: Mapping[str, str],
    review: Callable[[str, str], Review | None],
    progress: Progress | None,
    done: int,
    total: int,
) -> list[Review]:
    puts = []
    for at, path in enumerate(part, done):
        if progress and not at % 32:
            progress(min(at, total), total)
        put = review(path, wanted[path])
        puts += [put] if put else []
    return puts


def _first_seen(
    live: LiveIndex, view: Reading, store: FindingStore
) -> Mapping[str, tuple[str, str]]:
    """What the sources were when a check first saw them; nothing else tells that one was
    changed."""
    layers = live.context.layers
    sources = {
        card.path: card.digest
        for card in (view.lookup.cards() if layers.raw else ())
        if is_in(inner_path(card.path, layers), layers.raw)
    }
    return store.first_seen(sources, local_day(live.context.clock()).isoformat())


@contextmanager
def _open_store(live: LiveIndex, *, is_read: bool = False) -> Iterator[FindingStore]:
    """The store of findings, if it is as it was left; anything else starts over."""
    codes = sorted(rule.code for rule in PAGE_RULES)
    parts = repr((REVIEW_FORMAT, codes, live.settings))
    recipe = blake2b(parts.encode(), digest_size=8).hexdigest()
    if live.cache_folder is None:
        with closing(FindingStore(":memory:", recipe)) as store:
            yield store
        return
    folder = live.cache_folder.path
    live.cache_folder.make()
    with Lock(folder / _LOCK, timeout_ms=_LOCK_WAIT_MS):
        looked_after(folder)
        if not is_read:
            open_record(folder, (FINDINGS,))
        try:
            with closing(FindingStore(os.fspath(folder / STORE), recipe)) as store:
                yield store
        finally:
            if not is_intact(folder, (FINDINGS,)):
                close_record(folder, (FINDINGS,), {})


def erase_findings(live: LiveIndex, paths: Iterable[str]) -> bool:
    """Keep nothing of what was found in these pages; False while a reader is in the way."""
    if live.cache_folder is None or not (live.cache_folder.path / STORE).exists():
        return True
    with _open_store(live) as store:
        return store.erase(paths)


def _review(
    context: Context, path: str, parsed: ParsedPages, known: KnownStretches = _NONE
) -> Review | None:
    try:
        data, _ = contents(context.root, path, context.max_bytes)
    except MemwikiError:
        return None  # gone or unreadable since the sync, which says so
    whole, held = WholeFile(data.digest, data.size), parsed.of(path, data.digest)
    before = parsed.stretches(path, data.digest)
    with uncollected():
        return contain_errors(
            lambda: _reviewed(
                context, data, checked_page(context, path, data.data, whole, held, known, before)
            ),
            lambda error: _unread(path, data, _FAILED + describe_error(error)),
        )


def _reviewed(context: Context, data: FileContents, sheet: CheckedPage) -> Review:
    if is_unparsed(sheet.page):
        return _unread(sheet.page.path, data)  # the index says why
    facts = facts_of(sheet)
    findings = tuple(with_tried_fixes(context, sheet, found(PAGE_RULES, sheet)))
    frame, entries = frame_of(sheet, facts), tuple(entry_parts(sheet, findings))
    return Review(sheet.page.path, sheet.page.digest, findings, facts, frame, entries)


def _unread(path: str, data: FileContents, why: str = "") -> Review:
    """What is known of a page that no rule could look at."""
    findings = (Finding(UNPARSED, 1, why),) if why else ()
    return Review(path, data.digest, findings, Facts(data.size, 0, "", 0, "", (), (), (), None))
