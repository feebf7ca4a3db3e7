"""Checking a workspace: bring reviews up to date, run rules, leave out what is known, fix."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TypeAlias

from memwiki.answers.check import CheckReport, Counts, Problems, Tally, pack_problems
from memwiki.answers.pages import Edited
from memwiki.catalog.listing import BUDGET
from memwiki.catalog.state import is_settled
from memwiki.change.plan import Edit, Plan, edit_of
from memwiki.check.link_targets import swapped
from memwiki.check.overview import Catalogs
from memwiki.check.review import CheckContext, findings_of, overview_of
from memwiki.check.rule import checked_page, found
from memwiki.check.rules import GROUPS, PAGE_RULES, RULES, WORKSPACE_RULES
from memwiki.commit.carry_out import carry_out
from memwiki.commit.catalogs import checked_catalogs
from memwiki.digest import blake2b, digest_of
from memwiki.errors import (
    AlreadyExistsError,
    ArgumentError,
    ConfigError,
    MemwikiError,
    NotFoundError,
    UnreadableError,
    UnsafePathError,
    shell_word,
)
from memwiki.files.paths import contain, files_given
from memwiki.files.read import read
from memwiki.index.projection import Progress
from memwiki.markdown.describe import SNAPSHOT
from memwiki.names import CONFIG_FILE, is_within
from memwiki.nouns import Problem, Severity
from memwiki.numbers import counted
from memwiki.records import NamedTuple
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, linked_reading, scope_there

Known: TypeAlias = Counter[tuple[str, str, str]]
# What `--fix` repairs, infos aside: no other rule has to be run for that.
_REPAIRED = (
    "link-case",
    *(rule.code for rule in PAGE_RULES if rule.fix and rule.severity is not Severity.INFO),
)
CATALOG_CODES = frozenset({"catalog-stale", "catalog-over-budget"})


def known_of(problems: Iterable[Problem]) -> Known:
    """How often each finding stands in each page, by path, code and digest of the message."""
    return Counter(map(_key, problems))


def as_json(known: Known) -> bytes:
    """A baseline as a file: one finding a line, sorted, so that it can be read and merged."""
    rows = [
        json.dumps({"path": path, "code": code, "message": digest, "count": known[key]})
        for key in sorted(known)
        for path, code, digest in (key,)
    ]
    body = ",\n".join(f"  {row}" for row in rows)
    return f'{{"version": 1, "known": [\n{body}\n]}}\n'.encode()


def read_baseline(name: str, data: bytes) -> Known:
    """The findings of a baseline file; ConfigError when it is none."""
    try:
        rows = json.loads(data)["known"]
        return Counter({(r["path"], r["code"], r["message"]): int(r["count"]) for r in rows})
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise ConfigError.at(
            name,
            "not a baseline of memwiki",
            "memwiki check --baseline {} --write-baseline writes one",
            name,
        ) from error


def is_baseline(data: bytes) -> bool:
    """Whether a file holds a baseline, and may be written over by one."""
    try:
        read_baseline("", data)
    except ConfigError:
        return False
    return True


def unknown(problems: Iterable[Problem], known: Known) -> Iterator[Problem]:
    """The problems that a baseline does not hold; of more equal ones than it holds, the last."""
    left = known.copy()
    for problem in problems:
        key = _key(problem)
        if left[key] > 0:
            left[key] -= 1
        else:
            yield problem


def _key(problem: Problem) -> tuple[str, str, str]:
    digest = blake2b(problem.message.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return problem.path, problem.code, digest


class CheckScope(NamedTuple):
    """What a check is asked: only problems below these paths, and of these codes, and none of those
    that are known."""

    paths: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    known: Known | None = None
    ignored: frozenset[str] = frozenset()  # codes that the settings leave out

    @property
    def is_about_catalogs(self) -> bool:
        """Whether what is wrong with the catalogs is asked for."""
        return not self.codes or not CATALOG_CODES.isdisjoint(self.codes)

    def covers(self, path: str) -> bool:
        """Whether problems of a file are asked for."""
        return not self.paths or any(is_within(path, part) for part in self.paths)

    def narrowed(self, problems: Problems) -> Problems:
        """Those of the problems that are asked for."""
        if not (self.paths or self.codes):
            return problems
        codes = set(self.codes or RULES)
        return pack_problems(
            each for each in problems if each.code in codes and self.covers(each.path)
        )

    def counting(self, problems: Problems) -> Problems:
        """Those that the settings do not leave out."""
        if self.ignored.isdisjoint(RULES):
            return problems
        return pack_problems(each for each in problems if each.code not in self.ignored)


def question(
    root: Path,
    paths: Sequence[str] = (),
    only: Sequence[str] = (),
    baseline: str = "",
    ignore: Sequence[str] = (),
) -> CheckScope:
    """Paths inside the workspace, codes that there are, or an error that names the nearest, and
    what a baseline file holds. Codes that are asked for are not ignored."""
    inside = tuple(files_given(root, paths))
    codes = _codes(only)
    for code in codes:
        if code not in RULES:
            raise ArgumentError("only", code, "no such code", _hint(code))
    ignored = frozenset() if codes else ignored_codes(ignore)
    known = _baseline(root, baseline) if baseline else None
    return CheckScope(inside, tuple(codes), known, ignored)


def ignored_codes(names: Sequence[str]) -> frozenset[str]:
    """The codes that check.ignore names; ConfigError for one that there is not."""
    codes = frozenset(_codes(names))
    for code in sorted(codes - RULES.keys()):
        raise ConfigError(f"check.ignore: {code}: no such code", _hint(code), path=CONFIG_FILE)
    return codes


def _codes(names: Sequence[str]) -> list[str]:
    return [code for each in names for code in GROUPS.get(each, (each,))]


def _hint(code: str) -> str:
    """The code meant: the same words in another order, or nearly the same letters."""
    words = sorted(code.lower().replace("_", "-").split("-"))
    same = [known for known in RULES if sorted(known.split("-")) == words]
    near = same or get_close_matches(code, RULES, n=1, cutoff=0.5)
    return f"did you mean {near[0]}?" if near else "docs/checks.md lists them all"


def checked(
    live: LiveIndex,
    paths: Sequence[str] = (),
    only: Sequence[str] = (),
    baseline: str = "",
    progress: Progress | None = None,
) -> CheckReport:
    """What is wrong with the pages below these paths, and of these codes only."""
    context, config = live.context, live.context.config
    scope = scope_there(context)
    if scope.base:
        paths = [scope.asked_path(path) for path in paths] or [scope.base]
    asked = question(context.root, paths, only, baseline, config.check.ignore)
    for path in asked.paths:  # as links lead there
        scope.require_inside(path)
    is_asked = asked.is_about_catalogs and config.catalog.enabled
    with linked_reading(live, progress) as view:
        if not is_asked or is_settled(view.stores.cards):
            return check(asked, live, view, _catalogs(view, ()), progress)
    stale, unread = _stale(live)  # not within: it syncs, and may close what is open
    with linked_reading(live, progress) as view:
        catalogs = _catalogs(view, stale)._replace(unread=unread)
        return check(asked, live, view, catalogs, progress)


def _stale(live: LiveIndex) -> tuple[tuple[str, ...], tuple[MemwikiError, ...]]:
    """The catalogs that are behind, and why one cannot be read."""
    try:
        return checked_catalogs(live).stale, ()
    except (UnsafePathError, UnreadableError) as error:
        return (), (error,)


def _catalogs(view: Reading, stale: Sequence[str]) -> Catalogs:
    """What is wrong with the catalogs; one that was never written is not missed."""
    context = view.context
    if not context.config.catalog.enabled:
        return Catalogs()
    others = (context.layers.log, SNAPSHOT)
    written = {path: size for path, size in view.lookup.hidden() if path not in others}
    large = tuple(path for path, size in written.items() if size > BUDGET.bytes)
    behind = tuple(path for path in stale if path in written)
    return Catalogs(is_settled(view.stores.cards), behind, large)


def check(
    asked: CheckScope, live: LiveIndex, view: Reading, catalogs: Catalogs, progress: Progress | None
) -> CheckReport:
    """The problems of a workspace, but for those that are known."""
    answer = findings_of(CheckContext(live, view, catalogs), asked.codes, progress)
    narrowed = asked.narrowed(answer.problems)
    problems = asked.counting(narrowed)
    fresh = problems if asked.known is None else pack_problems(unknown(problems, asked.known))
    pages = sum(map(asked.covers, answer.pages))
    return CheckReport(
        fresh,
        _counts(fresh.tally),
        pages,
        len(problems) - len(fresh),
        len(narrowed) - len(problems),
        fresh=view.freshness.fresh,
        reason=view.freshness.reason,
    )


def accepted(root: Path, report: CheckReport, name: str) -> Plan:
    """A baseline file with the problems of a report and no others, as a plan."""
    path = contain(root, name)
    try:
        old = read(root, path)
    except NotFoundError:
        old = None
    if old and not is_baseline(old):
        raise AlreadyExistsError.at(
            path,
            "already exists and is not a baseline",
            "choose a file for the baseline alone, such as check.json",
        )
    expect = digest_of(old) if old is not None else ""
    edit = Edit(path, expect, as_json(known_of(report.problems)), "baseline of check", old)
    title = f"recorded {counted(len(report.problems), 'problem')} in {path}"
    return Plan((edit,), title)


def repairs(live: LiveIndex, progress: Progress | None) -> Plan:
    """What `check --fix` repairs, infos aside, as a plan."""
    return fixed(live, checked(live, (), _REPAIRED, "", progress).problems)


def fixed(live: LiveIndex, problems: Iterable[Problem]) -> Plan:
    """What can be fixed safely, as a plan."""
    codes = defaultdict[str, list[str]](list)
    for problem in problems:
        if problem.fixable:
            codes[problem.path].append(problem.code)
    swaps = _swaps(live, {code for found_here in codes.values() for code in found_here})
    edits = [
        edit
        for path in codes
        for edit in _edit(live.context, path, list(dict.fromkeys(codes[path])), swaps.get(path, {}))
    ]
    count = sum(len(codes[edit.path]) for edit in edits)
    title = f"fixed {counted(count, 'problem')} in {counted(len(edits), 'file')}"
    return Plan(tuple(edits), title, op="check --fix" if edits else "")


def fix(
    live: LiveIndex,
    report: CheckReport,
    *,
    dry_run: bool,
    announce: Callable[[Edited], None] | None,
) -> Edited:
    """Fix what can be fixed safely; `announce` is given the diff before anything is written."""
    plan = fixed(live, report.problems)
    shown = carry_out(live, plan, dry_run=True)
    if announce:
        announce(shown)
    if dry_run or not plan.edits:
        return shown
    return carry_out(live, plan)._replace(diff=shown.diff)


def _swaps(live: LiveIndex, codes: set[str]) -> Mapping[str, Mapping[str, str]]:
    """What the rules about the whole workspace would swap in each page."""
    rules = [rule for rule in WORKSPACE_RULES if rule.code in codes]
    swaps = defaultdict[str, dict[str, str]](dict)
    if rules:
        with linked_reading(live) as view, view.stores.cards.one_moment():
            for each in found(rules, overview_of(CheckContext(live, view, Catalogs()))):
                if each.swap:
                    swaps[each.path][each.swap.old] = each.swap.new
    return swaps


def _edit(
    context: Context, path: str, codes: Sequence[str], swaps: Mapping[str, str]
) -> Iterator[Edit]:
    data = read(context.root, path)
    mended = swapped(data, swaps)  # first of all, while lines are as they were found
    # In the order of the table, so that the outcome is always the same; and again, since without
    # what is hidden two entries may be one.
    for rule in PAGE_RULES * 2:
        if rule.code in codes and rule.fix:
            mended = rule.fix(checked_page(context, path, mended))
    if mended != data:
        yield edit_of(path, data, mended, ", ".join(codes))


def _counts(tally: Tally) -> Counts:
    severities = (Severity.ERROR, Severity.WARNING, Severity.INFO)
    return Counts(
        *(tally.get((each, False), 0) + tally.get((each, True), 0) for each in severities)
    )


def _baseline(root: Path, name: str) -> Known:
    try:
        data = read(root, contain(root, name))
    except NotFoundError as error:
        error.hint = f"memwiki check --baseline {shell_word(name)} --write-baseline writes it"
        raise
    return read_baseline(name, data)
