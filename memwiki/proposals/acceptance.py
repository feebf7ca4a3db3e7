"""Operations that were accepted, as one plan made under the lock from the pages as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import NamedTuple, Protocol, TypeAlias

from memwiki.change.plan import ETAG_DIGITS, Plan
from memwiki.commit.additions import merge_found, page_of_merge
from memwiki.commit.entry_edits import found_entry, new_ids
from memwiki.commit.page_edits import tags_in_use
from memwiki.entry_fields import MODEL
from memwiki.errors import ConflictError, MemwikiError, NotFoundError, ProtectedError, UsageError
from memwiki.files.read import current_bytes
from memwiki.markdown.edit.fields import set_field
from memwiki.markdown.fields import first_text
from memwiki.markdown.outline import outline_of
from memwiki.markdown.units import entries_of
from memwiki.memory.addition import prepare
from memwiki.memory.addresses import as_it_is
from memwiki.memory.draft import AddOptions, field_value, request_of
from memwiki.memory.entity_merge import EntityMerge, alias_plan
from memwiki.memory.page_edits import PageEdits
from memwiki.memory.plans import (
    PageBytes,
    join_plan,
    relate_plan,
    retire_plan,
    succeed_plan,
    supersede_plan,
)
from memwiki.memory.view import LocatedEntry, entry_name
from memwiki.names import fold, is_page_name, without_suffix
from memwiki.numbers import counted
from memwiki.pages.page import page_plan, require_editable, require_parsed
from memwiki.proposals.numbering import source_at
from memwiki.proposals.operations import (
    BY_MEMWIKI,
    Do,
    Evidence,
    Operation,
    Proposal,
    State,
    why_not,
)
from memwiki.proposals.page_operations import page_step
from memwiki.proposals.wording import UNWRITABLE, plain_values
from memwiki.protected import is_archived
from memwiki.sessions.page import end_plan, paths_of, summary_of
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading

_Step: TypeAlias = Callable[[PageEdits], Plan]
_MAX_SOURCES = 3  # that an entry names
_SKILL_IMPORTANCE = 0.7
_TASK = "task_completion"  # the source of what a finished task told


class KeptUp(NamedTuple):
    """The plan of some steps of upkeep, and by number why the others are not in it."""

    plan: Plan
    refused: Mapping[int, str]


class UpkeepSteps(Protocol):
    """Steps of upkeep that can be taken by themselves; upkeep is a higher room."""

    def prepare(self) -> None:
        """Ask the index what is to be known, before the lock is taken."""

    def made(self, operations: Sequence[Operation], pages: PageEdits) -> KeptUp:
        """Some of them together, on top of what the pages are to be."""

    def put_away(self, entries: Sequence[LocatedEntry], pages: PageEdits) -> int:
        """Let entries that were joined go to the archive; how many went."""


class Acceptance:
    """Operations of one proposal on their way into pages; `decided` says what became of each."""

    def __init__(
        self,
        live: LiveIndex,
        proposal: Proposal,
        operations: Sequence[Operation],
        upkeep: UpkeepSteps | None = None,
    ) -> None:
        self._live, self._proposal, self._upkeep = live, proposal, upkeep
        self._shown = live.public() if proposal.source.path else live
        self._failed: dict[int, Operation] = {}
        self._kept_up: KeptUp | None = None  # what upkeep did of this plan
        self._merged: dict[str, str] = {}  # names of entities, by what they become
        self._steps = dict(self._prepared(operations))
        self._operations = operations
        self.decided: tuple[Operation, ...] = ()

    def plan(self) -> Plan:
        """All that still fits, in the order of the operations; what fits no longer is stale."""
        context = self._live.context
        read = partial(current_bytes, context.root)
        pages = PageEdits(read, context.layers, context.today, context.max_bytes)
        self._kept_up, self._merged = None, {}
        self.decided = tuple(self._decide(each, pages) for each in self._operations)
        count = sum(each.state is State.ACCEPTED for each in self.decided)
        title = f"accepted {counted(count, 'operation')} of {self._proposal.id}"
        return Plan(tuple(pages.edits()), title, "accept", details=tuple(self._details()))

    def _decide(self, operation: Operation, pages: PageEdits) -> Operation:
        if operation.n in self._failed:
            return self._failed[operation.n]
        try:
            self._require_source(operation)
            plan = self._steps[operation.n](pages)
            retires = operation.do is Do.UPKEEP or operation.values.get("archive") is True
            self._require_allowed(plan, is_upkeep=retires)
        except MemwikiError as error:
            return _stale(operation, error)
        for edit in plan.edits:
            pages.write(edit.path, edit.data, edit.reason)
        return operation._replace(state=State.ACCEPTED, why="")

    def _require_source(self, operation: Operation) -> None:
        """Refuse what rests on words that its source has no longer."""
        path = self._proposal.source.path
        if not (path and operation.evidence):
            return
        texts = self._source_texts
        if gone := [e for e in operation.evidence if not any(e.quote in text for text in texts)]:
            raise ConflictError(
                f"{path}:{gone[0].line}: says something else by now", "propose it again", path=path
            )

    @cached_property
    def _source_texts(self) -> Sequence[str]:
        lines = source_at(self._shown, self._proposal.source.path).lines
        return [each.text for each in lines]

    def _require_allowed(self, plan: Plan, *, is_upkeep: bool) -> None:
        context = self._live.context
        for edit in plan.edits:
            context.scope().require_own(edit.path)
            if is_upkeep and is_archived(edit.path, context.layers):
                continue  # what retires goes there
            if reason := context.why_left_alone(edit.path):
                raise ProtectedError(f"{edit.path}: {reason}", "reject it", path=edit.path)

    def _details(self) -> Iterator[str]:
        """What the journal says of it."""
        proposal, source = self._proposal, self._proposal.source
        yield f"proposed by: {proposal.by}"
        if source.path:
            name = without_suffix(source.path)
            yield f"source: [[{name}]] {source.digest[:ETAG_DIGITS]}"
        yield f"proposal: {proposal.id}"
        yield f"accepted by: {self._live.context.actor or 'the user'}"

    # --- what each operation does ---

    def _prepared(self, operations: Sequence[Operation]) -> Iterator[tuple[int, _Step]]:
        """What the index has to say before the lock is taken."""
        for each in operations:
            try:
                yield each.n, self._step(each)
            except MemwikiError as error:
                self._failed[each.n] = _stale(each, error)

    def _step(self, operation: Operation) -> _Step:
        """How it is carried out, in plain words whoever wrote the file that it was read from."""
        if operation.do in BY_MEMWIKI:
            return _MAKERS[operation.do](self, operation)
        plain = operation._replace(values=plain_values(operation.values))
        is_whole = len(operation.texts_of("claims")) == len(plain.texts_of("claims"))
        if why_not(plain.do, plain.values) or not is_whole:
            raise UsageError(UNWRITABLE, "put it into other words")
        return _MAKERS[plain.do](self, plain)

    def _superseding(self, operation: Operation) -> _Step:
        known, ids = self._entry(operation, "entry"), new_ids(self._live, 2)
        if operation.text_of("successor"):
            new = self._entry(operation, "successor")
            return self._on_bytes(partial(succeed_plan, known, new, ids), [known, new])
        words = self._with_marks(operation)
        return self._on_bytes(partial(supersede_plan, known, words, ids, origin=MODEL), [known])

    def _joining(self, operation: Operation) -> _Step:
        named = dict.fromkeys(operation.texts_of("entries"))
        known = [self._known_entry(operation, each) for each in named]
        ids, words = new_ids(self._live, 2 * len(known)), self._with_marks(operation)
        join = self._on_bytes(partial(join_plan, known, words, ids, origin=MODEL), known)
        if operation.values.get("archive") is not True:
            return join
        upkeep = self._prepared_upkeep()

        def step(pages: PageEdits) -> Plan:
            plan = join(pages)
            after = PageEdits(pages.data, pages.layers, pages.day, pages.max_bytes)
            if len(list(after.take(plan))) != len(plan.edits) or (
                upkeep.put_away(known, after) != len(known)
            ):
                raise ConflictError("not all of them can go to the archive", "reject it")
            return plan._replace(edits=tuple(after.edits()))

        return step

    def _retiring(self, operation: Operation) -> _Step:
        known = self._entry(operation, "entry")
        return self._on_bytes(partial(retire_plan, known), [known])

    def _relating(self, operation: Operation) -> _Step:
        one, other = self._entry(operation, "entry"), self._entry(operation, "other")
        word, ids = operation.text_of("relation"), new_ids(self._live, 1)
        return self._on_bytes(partial(relate_plan, one, other, word, None, ids), [])

    def _merging(self, operation: Operation) -> _Step:
        live = self._live
        merge = merge_found(live, operation.text_of("entity"), operation.text_of("into"))
        begin = None if merge.path else page_of_merge(live, merge)

        def step(pages: PageEdits) -> Plan:
            self._require_apart(merge)
            plan = begin() if begin else None
            path = plan.edits[0].path if plan else merge.path
            if plan and pages.data(path) is None:
                return plan
            return alias_plan(pages.page(path), merge).plan

        return step

    def _require_apart(self, merge: EntityMerge) -> None:
        """Refuse what would merge a name once more, or into one that is merged itself."""
        alias, name = fold(merge.alias), fold(merge.name)
        if {alias, name} & self._merged.keys() or alias in self._merged.values():
            raise ConflictError(f"{merge.alias}: another merge comes first", "accept it after that")
        self._merged[alias] = name

    def _entry(self, operation: Operation, name: str) -> LocatedEntry:
        return self._known_entry(operation, operation.text_of(name))

    def _known_entry(self, operation: Operation, id_: str) -> LocatedEntry:
        """An entry that an operation names, if it says what it said when it was proposed."""
        said = operation.was.get(id_)
        try:
            known = found_entry(self._live, id_)
        except NotFoundError:
            if moved := self._moved_entry(id_, said):
                return moved
            raise
        if said in (None, known.entry.text):
            return known
        if moved := self._moved_entry(id_, said):
            return moved
        raise ConflictError(f"{id_}: says something else by now", "propose it again")

    def _moved_entry(self, name: str, said: str | None) -> LocatedEntry | None:
        """The one entry with some words on the page of `PATH:LINE`, where lines above came or
        went."""
        context = self._live.context
        path = name.rpartition(":")[0]
        data = current_bytes(context.root, path) if is_page_name(path) else None
        if data is None:
            return None
        page = outline_of(path, data, context.layers)
        found = [e for e in entries_of(page).entries if e.text == said and not e.is_superseded]
        return LocatedEntry(path, page.type, found[0]) if len(found) == 1 else None

    def _on_bytes(self, plan: Callable[[PageBytes], Plan], ended: Sequence[LocatedEntry]) -> _Step:
        """The step of a plan that ends some entries, each if it holds as it did before."""

        def step(pages: PageEdits) -> Plan:
            for each in ended:
                _require_holding(each, pages)
            data = PageBytes(
                lambda path: pages.page(path).data, pages.layers, pages.day, pages.max_bytes
            )
            return plan(data)

        return step

    def _adding(self, operation: Operation) -> _Step:
        values = dict(operation.values)
        if operation.do is Do.SKILL:
            text = "\n".join(
                [
                    operation.text_of("name"),
                    *(f"- {each}" for each in operation.texts_of("steps")),
                ]
            )
            values = {"text": text, "type": "skill", "importance": _SKILL_IMPORTANCE}
        if tags := operation.texts_of("tags"):
            values["tags"] = list(tags_in_use(self._live, is_making=True).of_words(tags))
        given = values.get("attributes")
        attributes = {**given} if isinstance(given, dict) else {}
        asked = request_of(
            {
                **values,
                "attributes": {**attributes, "by": self._by},
                "origin": MODEL,
                "source": self._cited(operation),
            }
        )
        ready = prepare(self._live, [asked], AddOptions())
        return lambda pages: ready.plan(pages.data).plan

    def _upkeeping(self, operation: Operation) -> _Step:
        upkeep = self._prepared_upkeep()

        def step(pages: PageEdits) -> Plan:
            if self._kept_up is None:
                self._kept_up = upkeep.made(list(self._steps_of_upkeep()), pages)
            if why := self._kept_up.refused.get(operation.n):
                raise ConflictError(f"{operation.text_of('page')}: {why}", "reject it")
            plan, empty = self._kept_up.plan, Plan((), "", "accept")
            self._kept_up = self._kept_up._replace(plan=empty)
            return plan

        return step

    def _prepared_upkeep(self) -> UpkeepSteps:
        if self._upkeep is None:
            raise UsageError("a step of upkeep", "memwiki review accepts it")
        self._upkeep.prepare()
        return self._upkeep

    def _steps_of_upkeep(self) -> Iterator[Operation]:
        """All that are accepted, which are taken together as in any other run."""
        for each in self._operations:
            if each.do is Do.UPKEEP and each.n in self._steps:
                yield each

    def _with_marks(self, operation: Operation) -> str:
        """The words of an operation with who proposed them and where they are from."""
        marks = {"by": self._by, "source": self._cited(operation)}
        fields = (f"[{name}:: {value}]" for name, value in marks.items() if value)
        return " ".join([operation.text_of("text"), *fields])

    @property
    def _by(self) -> str:
        return _writable("by", self._proposal.by)

    def _cited(self, operation: Operation) -> str:
        path, goal = self._proposal.source.path, self._proposal.goal
        source = citation_of(path, operation.evidence) or (_TASK if goal else "")
        return _writable("source", source)

    def _summarising(self, operation: Operation) -> _Step:
        context = self._live.context
        paths = paths_of(context, operation.text_of("session"))
        summary = " ".join(operation.texts_of("sentences"))

        def step(pages: PageEdits) -> Plan:
            page = pages.page(paths.path)
            if summary_of(page) not in ("", summary):
                raise ConflictError(
                    f"{paths.path}: has a summary already", "reject it", path=paths.path
                )
            return end_plan(paths.path, page.data, context.layers, "", summary)

        return step

    def _growing(self, operation: Operation) -> _Step:
        return page_step(self._live, self._proposal, operation)

    def _describing(self, operation: Operation) -> _Step:
        with reading(self._live) as view:
            path = view.find_own(operation.text_of("page"))
            require_parsed(path, view.lookup.problems_of(path))
        require_editable(path, self._live.context.layers)

        def step(pages: PageEdits) -> Plan:
            page = pages.page(path)
            if first_text(page.front.fields.get("description", "")):
                raise ConflictError(f"{path}: has a description by now", "reject it", path=path)
            after = set_field(page, "description", operation.text_of("text"))
            return page_plan(page, after, "described")

        return step


_MAKERS: Mapping[Do, Callable[[Acceptance, Operation], _Step]] = {
    Do.ADD: Acceptance._adding,
    Do.SKILL: Acceptance._adding,
    Do.SUPERSEDE: Acceptance._superseding,
    Do.UPDATE: Acceptance._superseding,
    Do.JOIN: Acceptance._joining,
    Do.RETIRE: Acceptance._retiring,
    Do.RELATE: Acceptance._relating,
    Do.MERGE: Acceptance._merging,
    Do.SUMMARISE: Acceptance._summarising,
    Do.DESCRIBE: Acceptance._describing,
    Do.PAGE: Acceptance._growing,
    Do.CLAIMS: Acceptance._growing,
    Do.CONTRADICTION: Acceptance._growing,
    Do.UPKEEP: Acceptance._upkeeping,
}


def _require_holding(known: LocatedEntry, pages: PageEdits) -> None:
    """Refuse to end an entry that was ended or changed meanwhile."""
    now = as_it_is(pages.page, known)[1]
    if now.is_superseded or now.text != known.entry.text:
        raise ConflictError(
            f"{entry_name(known.path, known.entry)}: was ended or changed meanwhile", "reject it"
        )


def citation_of(path: str, evidence: Sequence[Evidence]) -> str:
    """Where words are from, as it is written in an entry; "" for nowhere."""
    if not path:
        return ""
    name = without_suffix(path)
    ids = [each.id for each in evidence if each.id]
    if ids:
        return ", ".join(f"[[{name}#^{each}]]" for each in ids[:_MAX_SOURCES])
    lines = ", ".join(str(each.line) for each in evidence[:_MAX_SOURCES])
    return f"[[{name}]] lines {lines}" if lines else f"[[{name}]]"


def _writable(name: str, value: str) -> str:
    """The value of a field as it can be written; "" where it cannot, such as a link to a page with
    brackets in its name."""
    try:
        return field_value(name, value)
    except UsageError:
        return ""


def _stale(operation: Operation, error: MemwikiError) -> Operation:
    return operation._replace(state=State.STALE, why=error.message)
