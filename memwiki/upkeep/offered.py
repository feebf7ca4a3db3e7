"""Upkeep put up for review: each step an operation, made again when it is accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from memwiki.answers.curation import ProposalList
from memwiki.answers.entries import UpkeepStep
from memwiki.change.plan import Plan
from memwiki.markdown.describe import shorten
from memwiki.markdown.units import entries_of
from memwiki.memory.page_edits import PageEdits
from memwiki.memory.view import LocatedEntry
from memwiki.nouns import Json
from memwiki.numbers import counted
from memwiki.proposals.acceptance import KeptUp
from memwiki.proposals.flags import Flag, change_flags
from memwiki.proposals.operations import (
    MAX_OPERATIONS,
    UNDECIDED,
    Do,
    Operation,
    State,
)
from memwiki.proposals.review import row_of
from memwiki.proposals.store import ProposalStore
from memwiki.protected import is_archived
from memwiki.sync.live import LiveIndex
from memwiki.upkeep.retire import put_away
from memwiki.upkeep.work import (
    Done,
    Part,
    StepKey,
    StoredEntry,
    UpkeepWork,
    WhyLeft,
    all_done,
    home_of,
    pages_now,
    work_of,
)

JOB = "upkeep/1"
_BY = "memwiki"
_GONE = "upkeep would not do this any more"
_MAX_SHOWN = 120  # characters of where an entry goes
_FLAGS = {
    "merged": Flag.SUPERSEDES,
    "superseded": Flag.SUPERSEDES,
    "retired": Flag.RETIRES,
    "purged": Flag.RETIRES,
}


class _StepChoice:
    """Which steps a run takes, and which it met in doing so."""

    def __init__(self, chosen: Iterable[StepKey] | None = None) -> None:
        self._chosen = None if chosen is None else frozenset(chosen)
        self._met: dict[tuple[str, str, int], list[tuple[StepKey, str]]] = {}

    def wants(self, key: StepKey, entry: LocatedEntry | None) -> bool:
        """Whether it is taken; noted by where it is, in the order of the steps of a run."""
        is_taken = self._chosen is None or key in self._chosen
        if is_taken:
            line, origin = 0, ""
            if entry:
                line, origin = entry.entry.line_start, entry.entry.fields.get("origin", "")
            self._met.setdefault((key.verb, key.path, line), []).append((key, origin))
        return is_taken

    def done(self, steps: Iterable[UpkeepStep]) -> Iterator[_OfferedStep]:
        """What was done, of all that was taken."""
        for each in steps:
            if met := self._met.get((each.verb, each.path, each.line)):
                yield _OfferedStep(each, *met.pop(0))


class _OfferedStep(NamedTuple):
    """A step that can be taken by itself."""

    step: UpkeepStep
    key: StepKey
    origin: str  # of the entry


class UpkeepOffer:
    """The steps of upkeep, one by one; what the index knows is asked once, before the lock."""

    def __init__(self, live: LiveIndex, parts: Callable[[WhyLeft], Sequence[Part]]) -> None:
        self._live, self._make_parts = live, parts

    def prepare(self) -> None:
        """Ask the index what is to be known."""
        _ = self._work, self._parts

    @cached_property
    def _work(self) -> UpkeepWork:
        return work_of(self._live)

    @cached_property
    def _parts(self) -> Sequence[Part]:
        return self._make_parts(self._why_left)

    # --- put up ---

    def put_up(self) -> ProposalList:
        """Keep proposals of what is to do and nobody has seen yet; a note says how many steps wait
        already, or were rejected."""
        store = ProposalStore(self._live)
        seen = {
            _key_of(each)
            for kept in store.all()
            if (kept.job, kept.base) == (JOB, store.base)
            for each in kept.operations
            if each.state in UNDECIDED or each.state is State.REJECTED
        }
        found = list(dict.fromkeys(self._offered()))
        new = [each for each in found if each.key not in seen]
        made = tuple(
            row_of(store.put_up(JOB, _operations(new[at : at + MAX_OPERATIONS]), _BY))
            for at in range(0, len(new), MAX_OPERATIONS)
        )
        before = len(found) - len(new)
        noted = f"{counted(before, 'step')} put up before: memwiki review --all"
        return ProposalList(made, len(made), (noted,) if before else ())

    def _offered(self) -> Iterator[_OfferedStep]:
        """What each part would do to the pages as they are, whatever the other ones do."""
        self.prepare()
        for part in self._parts:
            choice, left = _StepChoice(), dict[str, str]()
            while True:
                pages = pages_now(self._live, left)
                done = part(self._work._replace(wants=choice.wants, is_reviewed=True), pages)
                if not (reached := self._reached(pages, left)):
                    break
                left |= reached
                choice = _StepChoice()
            yield from choice.done(done.steps)

    # --- accepted ---

    def made(self, operations: Sequence[Operation], pages: PageEdits) -> KeptUp:
        """Some steps on top of what the pages are to be; what upkeep would not do is refused."""
        self.prepare()
        wanted, refused = {each.n: _key_of(each) for each in operations}, dict[int, str]()
        left = dict[str, str]()
        while True:
            choice = _StepChoice(wanted.values())
            inner = PageEdits(pages.data, pages.layers, pages.day, pages.max_bytes, left)
            done = self._run(choice, inner)
            if reached := self._reached(inner, left):
                left |= reached
                continue
            keys = {each.key for each in choice.done(done.steps)}
            missing = [n for n, key in wanted.items() if key not in keys]
            if not missing:
                return KeptUp(Plan(tuple(inner.edits()), "upkeep", "accept"), refused)
            for n in missing:
                refused[n] = "; ".join(left.values()) or _GONE
                del wanted[n]

    def _run(self, choice: _StepChoice, pages: PageEdits) -> Done:
        work = self._work._replace(wants=choice.wants, is_reviewed=True)
        return all_done([part(work, pages) for part in self._parts])

    def put_away(self, entries: Sequence[LocatedEntry], pages: PageEdits) -> int:
        """Let entries that were joined go to the archive; how many went."""
        layers = pages.layers
        found = list(_joined_entries(entries, self._work, pages))
        home = home_of(entries[0].path, layers)
        return len(put_away(home, [(each, "joined") for each in found], self._work, pages).steps)

    # --- what both need ---

    def _reached(self, pages: PageEdits, left: Mapping[str, str]) -> dict[str, str]:
        """The files that would change and stay as they are, each with why."""
        found = {edit.path: self._why_left(edit.path) for edit in pages.edits()}
        return {path: why for path, why in found.items() if why and path not in left}

    def _why_left(self, path: str) -> str:
        context = self._live.context
        if is_archived(path, context.layers):
            return ""  # what retires goes there
        return context.why_left_alone(path)


def _joined_entries(
    entries: Sequence[LocatedEntry], work: UpkeepWork, pages: PageEdits
) -> Iterator[StoredEntry]:
    """Entries as they are now that they are struck out; none of the archive."""
    met = set[tuple[str, int]]()
    for path, page_type, known in entries:
        for each in entries_of(pages.page(path)).entries:
            is_it = each.is_superseded and each.text == known.text and known.id in ("", each.id)
            located = LocatedEntry(path, page_type, each)
            if is_it and located.place not in met and not is_archived(path, pages.layers):
                met.add(located.place)
                yield StoredEntry(located, work.views.of(located))
                break


def _operations(steps: Sequence[_OfferedStep]) -> Iterator[Operation]:
    for n, each in enumerate(steps, 1):
        yield _operation(n, each)


def _operation(n: int, offered: _OfferedStep) -> Operation:
    step, key, origin = offered
    values: dict[str, Json] = {
        "step": key.verb,
        "page": key.path,
        "entry": key.id,
        "text": key.text,
        "other": key.other,
        "other_page": key.other_page,
        "to": shorten(" ".join((key.other or step.to).split()), _MAX_SHOWN),
        "reason": step.reason,
    }
    flags = change_flags(_FLAGS.get(key.verb), [origin] if key.text else ())
    given = {name: value for name, value in values.items() if value}
    return Operation(n, Do.UPKEEP, given, support=1.0, flags=flags)


def _key_of(operation: Operation) -> StepKey:
    """The step that an operation offers."""
    return StepKey(
        *map(operation.text_of, ("step", "page", "entry", "text", "other", "other_page"))
    )
