"""What an entry of an agent or a model plainly ends, put up for review once that entry is added."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from memwiki.answers.additions import AddReport
from memwiki.answers.entries import EntryConflict
from memwiki.entry_fields import MODEL
from memwiki.errors import MemwikiError
from memwiki.nouns import Json
from memwiki.proposals.flags import Flag
from memwiki.proposals.operations import MAX_OPERATIONS, Do, Operation, Proposal, ProposalSource
from memwiki.proposals.review import row_of
from memwiki.proposals.store import ProposalStore
from memwiki.sync.live import LiveIndex

JOB = "add/1"


def put_up_endings(live: LiveIndex, report: AddReport) -> AddReport:
    """Keep what the added entries plainly end as proposals, each an operation; the report names
    them."""
    store = ProposalStore(live)
    due = [each for each in report.conflicts if each.is_due]
    texts = {each.id: each.text for each in report.added}
    try:
        made = tuple(
            row_of(store.put(_proposal(live, store, due[at : at + MAX_OPERATIONS], texts)))
            for at in range(0, len(due), MAX_OPERATIONS)
        )
    except MemwikiError as error:  # the entries are added: were they again, they would be repeats
        edited = report.edited
        note = f"added, but what it ends is not put up for review: {error.message}"
        return replace(report, edited=edited._replace(notes=(*edited.notes, note)))
    return replace(report, proposals=made)


def _proposal(
    live: LiveIndex, store: ProposalStore, due: Sequence[EntryConflict], texts: dict[str, str]
) -> Proposal:
    return Proposal(
        store.new_id(),
        store.now,
        JOB,
        ProposalSource("", ""),
        tuple(_operation(n, each, texts[each.added]) for n, each in enumerate(due, 1)),
        live.context.actor,
        is_answered=True,
    )


def _operation(n: int, due: EntryConflict, text: str) -> Operation:
    old = due.entry
    values: dict[str, Json] = {
        "entry": old.name,
        "successor": due.added,
        "text": text,
        "was": {old.name: old.text, due.added: text},
    }
    return Operation(n, Do.SUPERSEDE, values, support=1.0, flags=tuple(_flags(old.origin)))


def _flags(origin: str) -> Iterator[str]:
    yield Flag.SUPERSEDES.value
    if origin != MODEL:
        yield Flag.PERSON.value
