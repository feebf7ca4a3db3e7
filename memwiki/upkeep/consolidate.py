"""Consolidation under the lock: what was judged, carried out on the pages as they are now; and all
upkeep as one run, of which it is a part."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from memwiki.answers.entries import UpkeepStep
from memwiki.change.plan import Plan
from memwiki.entry_fields import unit_interval
from memwiki.errors import MemwikiError, ProtectedError
from memwiki.facts.identity import identity
from memwiki.facts.value import CORE, category_of
from memwiki.index.projection import Progress
from memwiki.judgement.similarity import Verdict
from memwiki.markdown.entries import type_of_heading
from memwiki.memory.addresses import PageEntries, day_if_event, free_id
from memwiki.memory.page_edits import PageEdits, left_note
from memwiki.memory.placement import EntryPage, entry_page_of
from memwiki.memory.view import LocatedEntry
from memwiki.nouns import STAGED, Entry
from memwiki.sync.live import LiveIndex
from memwiki.text import pattern
from memwiki.upkeep.archive import write_snapshot
from memwiki.upkeep.batch import Contradiction, Join, JudgedBatch, Tie, judged_batch
from memwiki.upkeep.put_away import put_overflow_away
from memwiki.upkeep.relating import WEIGHT
from memwiki.upkeep.retire import compress_entries, retire_entries
from memwiki.upkeep.waiting import (
    CONSOLIDATED,
    Fate,
    Fates,
    Way,
    day_of_entry,
    is_trusted,
    join_entries,
    keeps_all,
    matters,
    unite_lists,
)
from memwiki.upkeep.work import Done, Part, UpkeepWork, WhyLeft, home_of, step_of

_CALLED = pattern(r"([^\W\d]\w{0,20})[:：]")  # Decision: ...
_RULE = pattern(
    r"(?:\A|[:：.!?][ \t]*)(?:always|never)\b|\bmust\b(?! have)|必须|禁止|不得|务必", re.IGNORECASE
)
_HERE = (Way.STAY, Way.MOVE, Way.COPY)  # what an entry says holds on
_RELATED = "related"


class _Step(NamedTuple):
    """What became of an entry, if it could be done."""

    verb: str
    fate: Fate
    to: Fate | str
    reason: str
    way: Way | None = None  # which its fate has to have come to


def consolidate_batch(batch: JudgedBatch, work: UpkeepWork, pages: PageEdits) -> Done:
    """Join, promote, link and relate the entries of a batch."""
    run = _Run(batch, work, pages)
    run.plan()
    run.fates.carry_out()
    return Done(tuple(run.steps()), tuple(dict.fromkeys(run.notes())))


class _Run:
    """One batch on its way into the pages."""

    def __init__(self, batch: JudgedBatch, work: UpkeepWork, pages: PageEdits) -> None:
        self._batch, self._work, self._pages = batch, work, pages
        self.fates = Fates(pages, batch.ids)
        self._at: dict[int, Fate] = {}  # by the place in the batch
        self._steps: list[_Step] = []
        self._notes: list[str] = []
        self._core: dict[str, PageEntries] = {}  # what pages of core say as the run begins
        self._promoted: dict[tuple[str, str], list[Fate]] = {}  # by page of core and what it says

    def plan(self) -> None:
        """Say what every entry is to become."""
        for at, each in enumerate(self._batch.waiting):
            if fate := self._fate(each.located):
                self._at[at] = fate
                fate.is_day = each.is_day
        for at, join in self._batch.joins.items():
            self._join(at, join)
        for clash in self._batch.contradictions:
            self._contradict(clash)
        self._keep()
        for at, names in self._batch.names.items():
            self._link(at, names)
        for tie in self._batch.ties:
            self._tie(tie)
        self._suggest_near_in_time()

    def _fate(self, located: LocatedEntry) -> Fate | None:
        try:
            return self.fates.of(located)
        except MemwikiError as error:
            later = "" if isinstance(error, ProtectedError) else "left for the next run: "
            self._notes.append(later + error.message)
            return None

    def _takes(self, verb: str, fate: Fate, other: str = "", other_page: str = "") -> bool:
        located = LocatedEntry(fate.path, "", fate.entry)
        return self._work.takes(verb, located, other, other_page)

    # --- joining ---

    def _join(self, at: int, join: Join) -> None:
        each, fate, into = self._batch.waiting[at], self._at.get(at), self._fate(join.into)
        if fate is None or into is None or (each.is_day and not each.matters):
            return
        is_same = join.likeness.verdict is Verdict.SAME
        what = "the same" if is_same else f"near, {join.likeness.score:.2f}"
        self._make_part(fate, into, what, is_referred=at in self._batch.referred)

    def _make_part(self, fate: Fate, into: Fate, what: str, *, is_referred: bool) -> None:
        """One entry becomes part of another; one that a link names stays, struck out."""
        # Two entries may bear one id, and be found as one.
        is_other = fate is not into and into.way in _HERE and fate.is_hidden == into.is_hidden
        is_whole = is_other and keeps_all(fate.says, into.says)
        if not (is_whole and self.fates.may_leave(fate) and self.fates.is_item(into)):
            return
        if not self._takes("merged", fate, into.entry.text, into.path):
            return
        one = fate.says._replace(id="" if fate.is_day else fate.entry.id)
        max_tags = self._work.config.memory.max_tags
        before, into.says = into.says, join_entries(into.says, one, max_tags=max_tags)
        if into not in self._at.values() and into.says.text != before.text:
            _set(into, updated=self._pages.day)
        fate.into, fate.way = into, Way.GONE
        if fate.is_day:
            fate.way = Way.MARKED
            self.fates.id_of(into)
        elif is_referred:
            self._strike(fate, into)
        self._steps.append(_Step("merged", fate, into, what))

    def _strike(self, fate: Fate, by: Fate) -> None:
        fate.way, fate.into = Way.STRUCK, by
        _set(fate, superseded_by=self.fates.id_of(by), valid_to=self._pages.day)
        _drop_staged(fate)

    # --- conflicts ---

    def _contradict(self, clash: Contradiction) -> None:
        old, new = self._fate(clash.old), self._fate(clash.new)
        if not (old and new and old.way in _HERE and new.way in _HERE) or old is new:
            return
        reason = f"{', '.join(clash.reasons)}, {clash.score:.2f}"
        if not clash.is_sure or (clash.is_reviewed and not self._work.is_reviewed):
            self._steps.append(_Step("conflict", new, old, reason))
            new.is_rival |= is_trusted(new.says.fields) and self._is_or_becomes_core(old)
            return
        if not self._takes("superseded", old, new.entry.text, new.path):
            return
        self._strike(old, new)
        new.is_successor = new.is_successor or self._is_core(old)
        _set(
            new,
            supersedes=unite_lists(new.says.fields.get("supersedes", ""), self.fates.id_of(old)),
        )
        self._steps.append(_Step("superseded", old, new, reason))

    # --- keeping ---

    def _keep(self) -> None:
        """What is left becomes active where it is, or goes to core."""
        asked = {id(fate) for fate in self._at.values()}
        touched = {id(step.to) for step in self._steps if step.verb == "merged"}
        for fate in list(self.fates):
            if fate.way is not Way.STAY or id(fate) not in asked | touched:
                continue
            is_one = fate.is_rival or matters(fate.says, self._work.config)
            if is_one or fate.is_successor:
                self._promote(fate, is_one=is_one)
            if fate.way not in _HERE or id(fate) not in asked:
                continue
            if fate.way is Way.STAY and not self._takes("active", fate):
                continue
            _drop_staged(fate)
            _set(fate, **{CONSOLIDATED: self._pages.day})
            if fate.way is Way.STAY:
                self._steps.append(_Step("active", fate, "", "below the importance of core"))

    def _promote(self, fate: Fate, *, is_one: bool) -> None:
        if self._is_core(fate):
            return
        if fate.is_day and fate.says.type == "event":  # as all lines of a day are
            fate.says = fate.says._replace(type=_type_said(fate.says.text))
        target = self._target(fate)
        if not target.path or not self.fates.may_leave(fate):
            return
        if into := self._same_in_core(target.path, fate.says):
            self._make_part(fate, into, "the same", is_referred=False)
            if fate.way is not Way.STAY:
                return
        is_taken = is_one and self._takes("promoted", fate, other_page=target.path)
        if not (is_taken or fate.is_successor):  # which goes where what it ends was
            return
        try:
            self.fates.hide(fate, target)
        except MemwikiError as error:
            fate.note = error.message
            return
        if day := day_of_entry(LocatedEntry(fate.path, "", fate.says)):
            _set(fate, created=fate.says.fields.get("created") or day)
        fate.target, fate.way = target, Way.MOVE
        if fate.is_day:
            fate.way, fate.id = Way.COPY, free_id(self.fates.ids, self._pages.page(fate.path))
        self.fates.id_of(fate)
        self._promoted.setdefault((target.path, identity(fate.says.text)), []).append(fate)
        self._steps.append(_Step("promoted", fate, target.path, self._why(fate), fate.way))

    def _same_in_core(self, path: str, says: Entry) -> Fate | None:
        """The entry that says the same as another and goes to a page of core, or is there; each
        page is read once."""
        happened = day_if_event(says)
        for fate in self._promoted.get((path, identity(says.text)), ()):
            if not happened or day_if_event(fate.says) in ("", happened):
                return fate
        if self._pages.data(path) is None:
            return None
        page = self._pages.page(path)
        if path not in self._core:
            self._core[path] = PageEntries(page, wanted=len(self._at))
        entry = self._core[path].same(says.text, happened=happened)
        return self._fate(LocatedEntry(path, page.type, entry)) if entry else None

    def _is_core(self, fate: Fate) -> bool:
        page_type = self._pages.page(fate.path).type
        return category_of(fate.path, self._work.config.layers, page_type) == CORE

    def _is_or_becomes_core(self, fate: Fate) -> bool:
        is_rival = fate.is_rival or matters(fate.says, self._work.config)
        return is_rival or self._is_core(fate)

    def _target(self, fate: Fate) -> EntryPage:
        layers, type_ = self._work.config.layers, fate.says.type
        target = entry_page_of("", type_, self._pages.day, layers, is_staged=False)
        home = home_of(fate.path, layers)
        return target._replace(path=f"{home}{target.path}") if target.path else target

    def _why(self, fate: Fate) -> str:
        if fate.is_successor:
            return "in the place of an entry of core"
        if fate.is_rival and not matters(fate.says, self._work.config):
            return "may contradict an entry of core"
        written = unit_interval(fate.says.fields.get("importance", ""))
        return f"importance {written}" if written else "important by its words"

    # --- names and relations ---

    def _alive(self, at: int) -> Fate | None:
        """An entry of the batch that may be given fields; lines of days are left alone."""
        fate = self._at.get(at)
        if fate is None or fate.way not in _HERE:
            return None
        return None if fate.is_day and fate.way is not Way.COPY else fate

    def _link(self, at: int, names: tuple[str, ...]) -> None:
        fate, named = self._alive(at), ", ".join(names)
        if fate and self._takes("linked", fate, named):
            _set(fate, entities=unite_lists(fate.says.fields.get("entities", ""), named))
            self._steps.append(_Step("linked", fate, named, "named in its text"))

    def _tie(self, tie: Tie) -> None:
        fate = self._alive(tie.new)
        other = self._alive(tie.other) if tie.other >= 0 else None
        id_ = other.id if other else self._id_of_known(tie)
        related = fate.says.fields.get(_RELATED, "") if fate else ""
        if fate is None or not (other or id_) or not _are_ids(related):
            return
        if id_ and id_ in (fate.id, *_parts(related)):
            return
        said, path = (other.entry.text, other.path) if other else (id_, tie.path)
        if self._takes("related", fate, said, path):
            if other:
                id_ = self.fates.id_of(other)
            _set(fate, related=unite_lists(related, f"{id_} {WEIGHT:g}"))
            reason = f"both name {', '.join(tie.names)}"
            self._steps.append(_Step("related", fate, id_, reason))

    def _id_of_known(self, tie: Tie) -> str:
        """The id of an entry that was known before, if it still holds; "" when it does not."""
        if tie.other >= 0:
            return ""
        is_over = any(fate.entry.id == tie.id and fate.way not in _HERE for fate in self.fates)
        try:
            is_there = f"^{tie.id}" in self._pages.page(tie.path).text
        except MemwikiError:
            is_there = False
        return tie.id if is_there and not is_over else ""

    def _suggest_near_in_time(self) -> None:
        for new, other, minutes, words, confidence in self._batch.near_in_time:
            one, two = self._alive(new), self._alive(other)
            if one and two:
                reason = f"{minutes} min apart, {', '.join(words)}, confidence {confidence:g}"
                self._steps.append(_Step("candidate", one, two, reason))

    # --- the report ---

    def steps(self) -> Iterator[UpkeepStep]:
        """The steps that were done."""
        for verb, fate, to, reason, way in self._steps:
            if fate.is_done:
                located = LocatedEntry(fate.path, "", fate.entry)
                if way in (None, fate.way):
                    yield step_of(verb, located, str(to), reason)
                else:
                    yield step_of("active", located, "", f"not promoted: {fate.note}")

    def notes(self) -> Iterator[str]:
        """What a person should know."""
        yield from self._notes
        for path, reason in self._batch.left_as_is.items():
            yield left_note(path, reason)
        for fate in self.fates:
            if why := fate.problem or fate.note:
                place = f"{fate.path}:{fate.entry.line_start}"
                yield why if why.startswith(place) else f"{place}: {why}"
        if self._batch.left:
            yield f"{self._batch.left} more wait for the next run"


def _parts(value: str) -> list[str]:
    return [each.strip().split(" ")[0] for each in value.split(",")]


def _are_ids(value: str) -> bool:
    return not value or all(part.lstrip("^").startswith("m-") for part in _parts(value))


def _set(fate: Fate, **fields: str) -> None:
    fate.says = fate.says._replace(fields={**fate.says.fields, **fields})


def _drop_staged(fate: Fate) -> None:
    fields = dict(fate.says.fields)
    if fields.get("status") == STAGED:
        del fields["status"]
    fate.says = fate.says._replace(fields=fields)


def whole_upkeep(
    live: LiveIndex,
    repairs: Callable[[LiveIndex, Progress | None], Plan],
    why_left: WhyLeft,
    progress: Progress | None = None,
) -> list[Part]:
    """The parts of a run of everything; `repairs` plans what `check --fix` repairs."""
    fixing = partial(_repaired, repairs(live, progress))
    joining = consolidation(live, why_left, progress)
    parts: list[Part] = [fixing, joining, retire_entries, compress_entries, put_overflow_away]
    return [*parts, write_snapshot] if live.context.config.memory.has_snapshot else parts


def consolidation(live: LiveIndex, why_left: WhyLeft, progress: Progress | None) -> Part:
    """The part that joins, promotes, links and relates a batch of the entries that wait."""
    return partial(consolidate_batch, judged_batch(live, progress, why_left))


def _repaired(plan: Plan, work: UpkeepWork, pages: PageEdits) -> Done:
    edits = (e for e in plan.edits if work.takes_file("fixed", e.path, e.reason))
    taken = pages.take(plan._replace(edits=tuple(edits)))
    steps = (UpkeepStep("fixed", e.path, 0, "", "", e.path, e.reason) for e in taken)
    return Done(tuple(steps))


def _type_said(text: str) -> str:
    """What a line of a day is by its words: what it calls itself, a rule, else an event."""
    called = _CALLED.match(text)
    return (called and type_of_heading(called[1])) or ("fact" if _RULE.search(text) else "event")
