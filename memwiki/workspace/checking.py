"""Checking a workspace: bring the reviews in step, run the rules, leave out, mend."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from difflib import get_close_matches
from typing import NamedTuple

from memwiki.answers.checking import CheckReport, Counts
from memwiki.answers.editing import Edited
from memwiki.change.plan import Edit, Plan
from memwiki.check.baseline import Known, as_json, known_of, read_baseline, unknown
from memwiki.check.facts import facts_of
from memwiki.check.findings import FindingsStore, Review, bring_in_step
from memwiki.check.mend import swapped
from memwiki.check.overview import Around, Catalogs, Overview
from memwiki.check.rule import Finding, Sheet, found, is_kept
from memwiki.check.table import PAGE_RULES, REVIEW_FORMAT, RULES, WORKSPACE_RULES
from memwiki.clock import day_of
from memwiki.digest import blake2b, digest_of
from memwiki.errors import IndexDamagedError, MemwikiError, NotFoundError, UsageError
from memwiki.files.lock import Lock
from memwiki.files.paths import contain
from memwiki.files.read import read
from memwiki.index.damage import is_damage
from memwiki.markdown.describe import inner_path, is_in
from memwiki.markdown.parse import parse
from memwiki.model import Layers, Problem, Severity
from memwiki.workspace.changing import carry_out
from memwiki.workspace.keeping.freshness import Reading, reading
from memwiki.workspace.keeping.keeper import Keeper
from memwiki.workspace.keeping.sync import Progress, is_below

_STORE, _LOCK = "findings.sqlite", "findings.lock"
_LOCK_WAIT_MS = 60_000


class Question(NamedTuple):
    """What a check is asked: only problems below these paths, and of these codes."""

    paths: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()

    def covers(self, path: str) -> bool:
        """Whether problems of a file are asked for."""
        return not self.paths or any(is_below(path, part) for part in self.paths)


def _question(keeper: Keeper, paths: Sequence[str], only: Sequence[str]) -> Question:
    """Paths inside the workspace and known codes, or an error that names the nearest."""
    inside = tuple(contain(keeper.root, path) for path in paths)
    for path in inside:
        if not (keeper.root / path).exists():
            raise NotFoundError(f"{path}: no such file or folder", hint="memwiki list", path=path)
    for code in only:
        if code not in RULES:
            near = _nearest(code)
            hint = f"did you mean {near}?" if near else "docs/checks.md lists them all"
            raise UsageError(f"--only {code}: no such code", hint=hint)
    return Question(inside, tuple(only))


def _nearest(code: str) -> str:
    """The code meant: the same words in another order, or nearly the same letters."""
    words = sorted(code.lower().replace("_", "-").split("-"))
    same = [known for known in RULES if sorted(known.split("-")) == words]
    return next(iter(same or get_close_matches(code, RULES, n=1, cutoff=0.5)), "")


def check(
    keeper: Keeper,
    paths: Sequence[str] = (),
    only: Sequence[str] = (),
    *,
    baseline: str = "",
    progress: Progress | None = None,
) -> CheckReport:
    """The problems of a workspace, but for those that a baseline file holds."""
    asked = _question(keeper, paths, only)
    known = _baseline(keeper, baseline) if baseline else None
    with reading(keeper, progress) as view:
        reviews = _reviews(keeper, view, progress)
        problems = _problems(keeper, view, reviews, asked)
    fresh = problems if known is None else unknown(problems, known)
    pages = sum(map(asked.covers, reviews))
    return CheckReport(
        tuple(fresh), _counts(fresh), pages, len(problems) - len(fresh),
        fresh=view.freshness.fresh, reason=view.freshness.reason,
    )  # fmt: skip


def write_baseline(keeper: Keeper, report: CheckReport, name: str) -> Edited:
    """Record the problems of a report in a baseline file, which then holds these and no others."""
    path = contain(keeper.root, name)
    try:
        old = read(keeper.root, path)[0]
    except NotFoundError:
        old = None
    expect = digest_of(old) if old is not None else ""
    edit = Edit(path, expect, as_json(known_of(report.problems)), "baseline of check", old)
    title = f"recorded {_number(len(report.problems), 'problem')} in {path}"
    return carry_out(keeper, Plan((edit,), title))


def fix(
    keeper: Keeper, report: CheckReport, *, dry_run: bool = False,
    announce: Callable[[Edited], None] | None = None,
) -> Edited:  # fmt: skip
    """Mend what can be mended safely; `announce` is given the diff before anything is written."""
    plan = _mended(keeper, report.problems)
    shown = carry_out(keeper, plan, dry_run=True)
    if announce:
        announce(shown)
    if dry_run or not plan.edits:
        return shown
    return carry_out(keeper, plan)._replace(diff=shown.diff)


def _mended(keeper: Keeper, problems: Iterable[Problem]) -> Plan:
    codes: dict[str, dict[str, None]] = {}
    count = 0
    for problem in problems:
        if problem.fixable:
            codes.setdefault(problem.path, {})[problem.code] = None
            count += 1
    swaps = _swaps(keeper, {code for held in codes.values() for code in held})
    edits = [
        edit
        for path in codes
        for edit in _edit(keeper, path, list(codes[path]), swaps.get(path, {}))
    ]
    title = f"fixed {_number(count, 'problem')} in {_number(len(edits), 'file')}"
    return Plan(tuple(edits), title, op="check --fix" if edits else "")


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _swaps(keeper: Keeper, codes: set[str]) -> Mapping[str, Mapping[str, str]]:
    """What the rules about the whole workspace would swap in each page."""
    rules = [rule for rule in WORKSPACE_RULES if rule.code in codes]
    swaps: dict[str, dict[str, str]] = {}
    if rules:
        with reading(keeper) as view:
            for each in found(rules, _overview(keeper, view, _reviews(keeper, view, None))):
                if each.swap:
                    swaps.setdefault(each.path, {})[each.swap.old] = each.swap.new
    return swaps


def _edit(
    keeper: Keeper, path: str, codes: Sequence[str], swaps: Mapping[str, str]
) -> Iterator[Edit]:
    data = read(keeper.root, path)[0]
    mended = swapped(data, swaps)  # first of all, while lines are as they were found
    for rule in PAGE_RULES:  # in the order of the table, so that the outcome is always the same
        if rule.code in codes and rule.fix:
            mended = rule.fix(_sheet(keeper, path, mended))
    if mended != data:
        yield Edit(path, digest_of(data), mended, ", ".join(codes), data)


def _problems(
    keeper: Keeper, view: Reading, reviews: Mapping[str, Review], asked: Question
) -> list[Problem]:
    wanted = set(asked.codes or RULES)
    rules = [rule for rule in WORKSPACE_RULES if rule.code in wanted]
    findings = [each for review in reviews.values() for each in review.findings]
    findings += found(rules, _overview(keeper, view, reviews))
    layers = keeper.config.layers
    problems = {
        _problem(each, layers)
        for each in findings
        if each.code in wanted and asked.covers(each.path)
    }
    return sorted(problems, key=lambda problem: (problem.path, problem.line, problem.code, problem))


def _overview(keeper: Keeper, view: Reading, reviews: Mapping[str, Review]) -> Overview:
    return Overview(
        view.lookup, view.graph, keeper.config.layers,
        {path: review.facts for path, review in reviews.items()},
        Around(
            day_of(keeper.clock()),
            lambda path: read(keeper.root, path)[0],
            lambda path: os.path.lexists(keeper.root / path),
            _first_seen(keeper, view),
            "" if view.freshness.fresh or not keeper.is_synced else view.freshness.reason,
            lambda: _catalogs(keeper, view),
        ),
    )  # fmt: skip


def _problem(finding: Finding, layers: Layers) -> Problem:
    rule = RULES[finding.code]
    is_fixable = (rule.fix or finding.swap) is not None and not is_kept(finding.path, layers)
    return Problem(
        finding.path, finding.line, finding.code, rule.severity, finding.message,
        fixable=is_fixable,
    )  # fmt: skip


def _counts(problems: Iterable[Problem]) -> Counts:
    held = dict.fromkeys(Severity, 0)
    for problem in problems:
        held[problem.severity] += 1
    return Counts(held[Severity.ERROR], held[Severity.WARNING], held[Severity.INFO])


def _baseline(keeper: Keeper, name: str) -> Known:
    try:
        data = read(keeper.root, contain(keeper.root, name))[0]
    except NotFoundError as error:
        error.hint = f"memwiki check --baseline {name} --write-baseline writes it"
        raise
    return read_baseline(name, data)


# --- reviews -------------------------------------------------------------------------------------


def _reviews(keeper: Keeper, view: Reading, progress: Progress | None) -> Mapping[str, Review]:
    """What is known of every page, the missing worked out; a damaged store starts over by itself."""
    wanted = {card.path: card.digest for card in view.lookup.cards()}
    tree = view.stores.cards.tree()

    def review(path: str) -> Review | None:
        return _review(keeper, path)

    with _open_store(keeper) as store:
        try:
            bring_in_step(store, wanted, tree, review, progress)
            return store.reviews()
        except (sqlite3.DatabaseError, IndexDamagedError) as error:
            if not is_damage(error):
                raise
            store.start_over()
            bring_in_step(store, wanted, tree, review, progress)
            return store.reviews()


def _catalogs(keeper: Keeper, view: Reading) -> Catalogs:
    """What is wrong with the catalogs; one that was never written is not missed."""
    if not keeper.config.catalog.enabled:
        return Catalogs()
    from memwiki.catalog.budget import BUDGET
    from memwiki.workspace.cataloguing import catalog, is_settled

    stale = () if is_settled(view.stores) else catalog(keeper, check=True, adopt=False).stale
    written = {
        path: size for path, size in view.lookup.hidden() if path != keeper.config.layers.log
    }
    large = tuple(path for path, size in written.items() if size > BUDGET.bytes)
    return Catalogs(tuple(path for path in stale if path in written), large)


def _first_seen(keeper: Keeper, view: Reading) -> Mapping[str, tuple[str, str]]:
    """What the sources were when a check first saw them; nothing else tells that one was changed."""
    layers = keeper.config.layers
    sources = {
        card.path: card.digest
        for card in view.lookup.cards()
        if is_in(inner_path(card.path, layers), layers.raw)
    }
    with _open_store(keeper) as store:
        return store.first_seen(sources, day_of(keeper.clock()).isoformat())


@contextmanager
def _open_store(keeper: Keeper) -> Iterator[FindingsStore]:
    codes = sorted(rule.code for rule in PAGE_RULES)
    parts = repr((REVIEW_FORMAT, codes, keeper.recipe))
    recipe = blake2b(parts.encode(), digest_size=8).hexdigest()
    if keeper.place is None:
        with closing(FindingsStore(":memory:", recipe)) as store:
            yield store
        return
    folder = keeper.place.folder
    keeper.place.make()
    with (
        Lock(folder / _LOCK, timeout_ms=_LOCK_WAIT_MS),
        closing(FindingsStore(os.fspath(folder / _STORE), recipe)) as store,
    ):
        yield store


def _review(keeper: Keeper, path: str) -> Review | None:
    try:
        data = read(keeper.root, path)[0]
    except MemwikiError:
        return None  # gone or unreadable since the sync, which says so
    sheet = _sheet(keeper, path, data)
    findings = tuple(found(PAGE_RULES, sheet))
    return Review(path, sheet.page.digest, findings, facts_of(sheet))


def _sheet(keeper: Keeper, path: str, data: bytes) -> Sheet:
    page = parse(path, data, keeper.config.layers, max_bytes=keeper.config.files.max_bytes)
    return Sheet(page, data, keeper.config.layers)
