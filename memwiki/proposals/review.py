"""Proposals looked at and decided: shown with their diffs, accepted, rejected, edited."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from pathlib import Path

from memwiki.answers.curation import (
    CitedLine,
    OperationView,
    ProposalList,
    ProposalRow,
    ProposalView,
    Reviewed,
)
from memwiki.answers.pages import Edited
from memwiki.commit.carry_out import carry_out
from memwiki.errors import MemwikiError, NotEditableError, NotFoundError, UsageError
from memwiki.files.read import read
from memwiki.markdown.outline import outline_of
from memwiki.markdown.units import entries_of
from memwiki.names import is_page_name
from memwiki.nouns import Json
from memwiki.proposals.acceptance import Acceptance, UpkeepSteps
from memwiki.proposals.numbering import session_source, source_at
from memwiki.proposals.operations import UNDECIDED, Do, Operation, Proposal, State, statements_of
from memwiki.proposals.proposing import known_entry
from memwiki.proposals.store import ID, ProposalStore, no_such_proposal
from memwiki.proposals.wording import plain_sentence
from memwiki.scope import EVERY
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading

ALL = "all"
_MAX_READ = 500  # files of a list, unless more rows are asked for: anybody may put some there
_MAX_NOTES = 20


def list_proposals(live: LiveIndex, *, is_all: bool, limit: int | None) -> ProposalList:
    """The proposals that wait, or all that are kept, the newest first; where there is a limit,
    those of a limited number of files."""
    store = ProposalStore(live)
    most = None if limit is None else max(_MAX_READ, limit)
    root = Path(live.context.root)
    every = store.all(most)
    unread = {each.id for each in every if each.unread}
    waiting = [each for each in every if is_all or each.open or _is_asked(root, each, unread)]
    rows = [
        row_of(each)._replace(is_dropped=not (each.is_answered or _is_asked(root, each, unread)))
        for each in waiting
        if _may_be_shown(live, each)
    ]
    notes = store.notes[:_MAX_NOTES]
    if store.unread:
        notes.append(f"{store.unread:,} older files were not read; a larger limit shows them")
    return ProposalList(tuple(rows[:limit]), len(rows), tuple(notes), store.unread)


def _is_asked(root: Path, proposal: Proposal, unread: Container[str]) -> bool:
    """Whether it is a brief that can still be answered: what it was made from is there, and waits
    for a second reading if that is what is asked."""
    path, (about, *_) = proposal.source.path, (*proposal.known, "")
    if ID.fullmatch(about) and about not in unread:
        return False
    return not proposal.is_answered and (not path or (root / path).is_file())


def waiting_list(live: LiveIndex) -> ProposalList:
    """How many proposals wait for somebody: `total`, or at least that where files are unread."""
    return list_proposals(live, is_all=False, limit=2 * live.context.config.curation.max_open)


def waiting_count(live: LiveIndex) -> int:
    """How many of them are known to wait: enough of them to tell whether there is room for more."""
    return waiting_list(live).total


def row_of(proposal: Proposal) -> ProposalRow:
    """A proposal in a list."""
    operations = proposal.operations
    open_ = [each for each in operations if each.state is State.OPEN]
    flagged = sum(bool(each.flags) for each in open_)
    return ProposalRow(
        proposal.id,
        proposal.at,
        proposal.job,
        proposal.model,
        proposal.source.path,
        len(open_) - flagged,
        flagged,
        sum(each.state in (State.ASIDE, State.STALE) for each in operations),
        sum(each.state not in UNDECIDED for each in operations),
        proposal.is_answered,
    )


def show_proposal(live: LiveIndex, id_: str, upkeep: UpkeepSteps | None = None) -> ProposalView:
    """A proposal, with what accepting each operation would change; NotFoundError."""
    proposal = find_proposal(live, id_)
    source = proposal.source
    views = tuple(_operation_view(live, proposal, each, upkeep) for each in proposal.operations)
    return ProposalView(
        proposal.id,
        proposal.at,
        proposal.job,
        proposal.model,
        proposal.host,
        source.path,
        source.digest,
        views,
        is_answered=proposal.is_answered,
        # It cites no line, so that nothing tells whether what it speaks of is private by now.
        reasoning="" if live.context.is_public else proposal.reasoning,
    )


def find_proposal(live: LiveIndex, id_: str) -> Proposal:
    """The proposal with this id, with or without its first two characters."""
    name = id_.strip().lower()
    proposal = ProposalStore(live).get(name if name.startswith("p-") else f"p-{name}")
    if not _may_be_shown(live, proposal):
        raise no_such_proposal(proposal.id)
    return proposal


def found_here(live: LiveIndex, id_: str) -> Proposal:
    """The same, to be changed. Raises NotEditableError for one of a namespace where all of them are
    worked in."""
    proposal = find_proposal(live, id_)
    if (base := live.context.scope().base) != proposal.base:
        name = proposal.base.rpartition("/")[2]
        raise NotEditableError.at(
            proposal.id, f"belongs to {proposal.base or base}", "memwiki -n {} review {}", name, id_
        )
    return proposal


def _may_be_shown(live: LiveIndex, proposal: Proposal) -> bool:
    """Whether it is of what is worked in, as pages are, and nothing in it has become private, where
    what is private is not there."""
    scope = live.context.scope()
    if scope.name != EVERY and scope.base != proposal.base:
        return False
    if not live.context.is_public:
        return True
    try:
        path = proposal.source.path
        texts = [each.text for each in source_at(live, path).lines] if path else []
        quotes = [line.quote for each in proposal.operations for line in each.evidence]
        is_said = not path or all(any(quote in text for text in texts) for quote in quotes)
        return is_said and all(_names_what_is_there(live, each) for each in proposal.operations)
    except MemwikiError:
        return False


def _names_what_is_there(live: LiveIndex, operation: Operation) -> bool:
    """Whether the entries that an operation names say what they said, and its page is there, which
    nothing tells of entities; raises NotFoundError where one is not."""
    if (other := operation.text_of("other")) and operation.do is not Do.UPKEEP:
        known_entry(live, other)
    if session := operation.text_of("session"):
        session_source(live, session)
    for page in _pages_of(operation):
        with reading(live) as view:
            if view.find(page, is_only=True) != page and is_page_name(page):
                return False  # another page answers to the name of one that is not there
    if operation.do is Do.MERGE:
        return False  # it quotes nothing, so that nothing tells an entity from one of its name
    if operation.do is Do.UPKEEP and not _stands_there(live, operation):
        return False
    return all(known_entry(live, id_).text == said for id_, said in operation.was.items())


def _pages_of(operation: Operation) -> Iterator[str]:
    """The pages that an operation names, those aside that are to be made."""
    page = operation.text_of("page")
    is_made = operation.text_of("step") == "wrote"  # by upkeep, of what is public
    is_title = operation.do is Do.CLAIMS and not is_page_name(page)  # of a page that is proposed
    if page and not (is_made or is_title):
        yield page
    if other := operation.text_of("against"):
        yield other


def _stands_there(live: LiveIndex, operation: Operation) -> bool:
    """Whether the words of a step of upkeep, and those of the entry that it is tied to, are on
    their pages."""
    pairs = (operation.text_of("page"), "text"), (operation.text_of("other_page"), "other")
    return all(
        _has_entry(live, path, said)
        for path, name in pairs
        if path and (said := operation.text_of(name))
    )


def _has_entry(live: LiveIndex, path: str, said: str) -> bool:
    context = live.context
    page = outline_of(path, read(context.root, path), context.layers)
    return any(said in (each.text, each.id) for each in entries_of(page).entries)


def _operation_view(
    live: LiveIndex, proposal: Proposal, operation: Operation, upkeep: UpkeepSteps | None
) -> OperationView:
    diff, why = "", operation.why
    if maker := _maker(proposal, operation):
        why = "; ".join(filter(None, (why, f"its page is made by operation {maker}")))
    elif operation.state in UNDECIDED:
        acceptance = Acceptance(live, proposal, [operation], upkeep)
        diff = carry_out(live, acceptance.plan, dry_run=True).diff
        found = (why, *(each.why for each in acceptance.decided))
        why = "; ".join(dict.fromkeys(filter(None, found)))
    return OperationView(
        operation.n,
        operation.do.value,
        operation.sentence,
        {name: value for name, value in operation.values.items() if name not in ("was", "cited")},
        tuple(CitedLine(*each) for each in operation.evidence),
        operation.support,
        operation.flags,
        operation.state.value,
        why,
        diff,
    )


def _maker(proposal: Proposal, operation: Operation) -> int:
    """The operation that waits and makes the page of this one; 0 for none."""
    page = operation.text_of("page") if operation.state in UNDECIDED else ""
    others = (each for each in proposal.operations if each.do is Do.PAGE)
    waiting = (each for each in others if each.state in UNDECIDED and each.text_of("title") == page)
    return next((each.n for each in waiting), 0)


def decide(
    live: LiveIndex,
    id_: str,
    accept: Sequence[int] | str,
    reject: Sequence[int] | str,
    *,
    dry_run: bool,
    upkeep: UpkeepSteps | None = None,
) -> Reviewed:
    """Accept some operations as one change and reject others; "all" accepts what is supported and
    not flagged, and rejects whatever is undecided.

    One decides at a time. Raises UsageError for a number that is undecided no more, NotFoundError
    for one that is none.
    """
    if dry_run:
        return _decided(live, id_, accept, reject, is_dry=True, upkeep=upkeep)
    with ProposalStore(live).deciding():
        return _decided(live, id_, accept, reject, is_dry=False, upkeep=upkeep)


def _decided(
    live: LiveIndex,
    id_: str,
    accept: Sequence[int] | str,
    reject: Sequence[int] | str,
    *,
    is_dry: bool,
    upkeep: UpkeepSteps | None,
) -> Reviewed:
    proposal = found_here(live, id_)
    taken, gone = _accepted(proposal, accept), _rejected(proposal, reject)
    if both := sorted({each.n for each in taken} & {each.n for each in gone}):
        raise UsageError(f"review: {both[0]} is accepted and rejected", "name it once")
    acceptance = Acceptance(live, proposal, taken, upkeep)
    edited = (
        carry_out(live, acceptance.plan, dry_run=is_dry)
        if taken
        else Edited("accept", _untaken(proposal, gone), (), dry_run=is_dry)
    )
    done = {each.n: each for each in acceptance.decided}
    done |= {each.n: each._replace(state=State.REJECTED) for each in gone}
    after = with_operations(proposal, done.values())
    if not is_dry:
        after = ProposalStore(live).settle(proposal.id, done.values())
    return Reviewed(
        proposal.id,
        tuple(each.n for each in acceptance.decided if each.state is State.ACCEPTED),
        tuple(each.n for each in gone),
        tuple((each.n, each.why) for each in acceptance.decided if each.state is State.STALE),
        len(after.open),
        edited,
    )


def _untaken(proposal: Proposal, gone: Sequence[Operation]) -> str:
    """What is said where no operation is accepted."""
    if gone:
        return f"rejected {len(gone)} of {proposal.id}"
    if not proposal.open:
        return f"accepted none of {proposal.id}: each was decided already"
    return f"accepted none of {proposal.id}: each undecided one is flagged or not supported"


def _accepted(proposal: Proposal, wanted: Sequence[int] | str) -> list[Operation]:
    """What is accepted: by number anything undecided, all together only what is safe."""
    if wanted == ALL:
        return [each for each in proposal.operations if is_safe(each)]
    return _undecided(proposal, wanted)


def is_safe(operation: Operation) -> bool:
    """Whether it may be accepted without being looked at by itself."""
    return operation.state is State.OPEN and not operation.flags


def _rejected(proposal: Proposal, wanted: Sequence[int] | str) -> list[Operation]:
    return list(proposal.open) if wanted == ALL else _undecided(proposal, wanted)


def _undecided(proposal: Proposal, wanted: Iterable[object]) -> list[Operation]:
    found = _numbered(proposal, wanted)
    for each in found:
        if each.state not in UNDECIDED:
            raise UsageError(
                f"{proposal.id}: operation {each.n} was {each.state} already",
                "memwiki review {} --reopen {} lets it be decided anew",
                proposal.id,
                str(each.n),
            )
    return found


def _numbered(proposal: Proposal, wanted: Iterable[object]) -> list[Operation]:
    known = {each.n: each for each in proposal.operations}
    found = []
    for n in dict.fromkeys(wanted):
        operation = known.get(n) if isinstance(n, int) else None
        if operation is None:
            raise NotFoundError(
                f"{proposal.id}: has no operation {n}", "memwiki review {}", proposal.id
            )
        found.append(operation)
    return sorted(found, key=lambda each: each.n)


def with_operations(proposal: Proposal, changed: Collection[Operation]) -> Proposal:
    """A proposal with some operations as they are now."""
    now = {each.n: each for each in changed}
    return proposal._replace(
        operations=tuple(now.get(each.n, each) for each in proposal.operations)
    )


def reopen_operations(live: LiveIndex, id_: str, numbers: Sequence[int]) -> Proposal:
    """Operations that were decided may be decided anew, as after an undo; stale ones among them
    stay so.

    Raises UsageError for one that waits and where all are stale, NotFoundError for one that is
    none.
    """
    proposal = found_here(live, id_)
    asked = _numbered(proposal, numbers)
    decided = [each.n for each in asked if each.state not in UNDECIDED]
    for each in asked:
        if each.state in UNDECIDED and (each.state is not State.STALE or not decided):
            raise UsageError(
                f"{proposal.id}: operation {each.n} is undecided", "memwiki review {}", proposal.id
            )
    return ProposalStore(live).reopen(proposal.id, decided)


def reword_operation(live: LiveIndex, id_: str, n: int, text: str) -> Proposal:
    """An operation in a person's own words: what they say needs no line that supports it.

    Raises UsageError for an operation that writes no words, and for words that cannot be written.
    """
    with ProposalStore(live).deciding():
        return _reworded(live, found_here(live, id_), n, text)


def _reworded(live: LiveIndex, proposal: Proposal, n: int, text: str) -> Proposal:
    (operation,) = _undecided(proposal, [n])
    names = ("text", "sentences", "claims")
    name = next((each for each in names if each in operation.values), "")
    if not name:
        raise UsageError(f"{proposal.id}: operation {n} has no text to edit", "reject it")
    words = plain_sentence(text)
    if not words:
        raise UsageError("text: says nothing that can be written", "one plain sentence")
    said: Json = words if name == "text" else [words]
    values = {**operation.values, name: said}
    if name == "claims":  # which rests on all that they did
        values["cited"] = [[*range(len(operation.evidence))]]
    after = operation._replace(values=values, state=State.OPEN, why="")
    return ProposalStore(live).settle(
        proposal.id, [after], [each.text for each in statements_of(after)]
    )
