"""What an entry of an agent or a model plainly ends, put up for review once that entry is added."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Unpack

from memwiki.answers.curation import AddReport
from memwiki.answers.entries import EntryConflict
from memwiki.answers.pages import Edited
from memwiki.commit import entry_edits
from memwiki.commit.entry_edits import dated_text, found_entry
from memwiki.commit.page_edits import EditOptions
from memwiki.config.schema import REVIEW
from memwiki.entry_fields import PERSONS
from memwiki.errors import MemwikiError, UsageError
from memwiki.memory.view import LocatedEntry, entry_name
from memwiki.nouns import Json
from memwiki.proposals.flags import Flag, change_flags
from memwiki.proposals.operations import MAX_OPERATIONS, Do, Operation
from memwiki.proposals.review import row_of
from memwiki.proposals.store import ProposalStore
from memwiki.proposals.wording import plain_sentence
from memwiki.sync.live import LiveIndex

JOB, UPDATE_JOB = "add/1", "update/1"


def put_up_endings(live: LiveIndex, report: AddReport) -> AddReport:
    """Keep what the added entries plainly end as proposals, each an operation; the report names
    them."""
    store = ProposalStore(live)
    due = [each for each in report.conflicts if each.is_due]
    texts, most = {each.id: each.text for each in report.added}, MAX_OPERATIONS
    parts = [_endings(due[at : at + most], texts) for at in range(0, len(due), most)]
    try:
        made = tuple(row_of(store.put_up(JOB, part, live.context.actor)) for part in parts)
    except MemwikiError as error:  # the entries are added: were they again, they would be repeats
        edited = report.edited
        note = f"added, but what it ends is not put up for review: {error.message}"
        return report._replace(edited=edited._replace(notes=(*edited.notes, note)))
    return report._replace(proposals=made)


def supersede(
    live: LiveIndex, name: str, text: str, origin: str, **how: Unpack[EditOptions]
) -> Edited:
    """Strike an entry out and write what holds now below it; that of an agent waits for a person,
    where it is so set."""
    known, words = found_entry(live, name), dated_text(live, text) or ""
    is_agents = bool(live.context.actor) or origin not in PERSONS
    if is_agents and live.context.config.doors.supersede == REVIEW:
        return _put_up_successor(live, known, words, dry_run=how.get("dry_run", False))
    return entry_edits.supersede(live, known, words, origin, **how)


def _put_up_successor(live: LiveIndex, known: LocatedEntry, text: str, *, dry_run: bool) -> Edited:
    """Keep what an agent would write in the place of an entry as a proposal. Raises UsageError for
    words that cannot be written."""
    if not (words := plain_sentence(text)):
        raise UsageError("text: says nothing that can be written", "one plain sentence")
    name, entry = entry_name(known.path, known.entry), known.entry
    values: dict[str, Json] = {"entry": name, "text": words, "was": {name: entry.text}}
    flags = change_flags(Flag.SUPERSEDES, [entry.fields.get("origin", "")])
    made = Operation(1, Do.SUPERSEDE, values, support=1.0, flags=flags)
    title = f"{name} stays until a person accepts it: memwiki review"
    if not dry_run:
        kept = ProposalStore(live).put_up(UPDATE_JOB, [made], live.context.actor)
        title = f"{title} {kept.id}"
    return Edited("supersede", title, (), dry_run=dry_run)


def _endings(due: Sequence[EntryConflict], texts: dict[str, str]) -> Iterator[Operation]:
    for n, each in enumerate(due, 1):
        yield _operation(n, each, texts[each.added])


def _operation(n: int, due: EntryConflict, text: str) -> Operation:
    old = due.entry
    values: dict[str, Json] = {
        "entry": old.name,
        "successor": due.added,
        "text": text,
        "was": {old.name: old.text, due.added: text},
    }
    flags = change_flags(Flag.SUPERSEDES, [old.origin])
    return Operation(n, Do.SUPERSEDE, values, support=1.0, flags=flags)
