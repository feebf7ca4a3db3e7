"""Entries that were added, as rows."""

from __future__ import annotations

from memwiki.answers.additions import AddReport
from memwiki.answers.proposals import ProposalRow
from memwiki.numbers import counted
from memwiki.present.curation import request_rows
from memwiki.present.edits import diff_row
from memwiki.present.entries import entry_row
from memwiki.present.proposals import proposal_line
from memwiki.present.rows import Line, Rows, rows_of

_ENDING = "add/1"  # the job that puts up what an added entry ends


@rows_of.register
def _(answer: AddReport) -> Rows:
    if answer.edited.dry_run:
        yield diff_row(answer.edited)
        yield from request_rows(answer.requests)
        return
    for outcome, label, entries in (
        ("added", "added", answer.added),
        ("replaced", "replaced", answer.replaced),
        ("repeated: known already", "known already", answer.repeated),
        ("superseded", "superseded", answer.superseded),
    ):
        yield from (entry_row(each, outcome, label) for each in entries)
    for near in answer.near:
        outcome = f"near ({near.similarity:.2f})"
        yield entry_row(near.entry, outcome, f"{outcome}:", depth=1)
    for proposal in answer.proposals:
        yield _ending(answer, proposal) if proposal.job == _ENDING else proposal_line(proposal)
    for brief in answer.briefs:
        yield from rows_of(brief)
    for conflict in answer.conflicts:
        reasons = ", ".join(conflict.reasons)
        outcome = f"conflict with {conflict.added} ({reasons})"
        yield entry_row(conflict.entry, outcome, f"may contradict ({reasons}):", depth=1)


def _ending(answer: AddReport, proposal: ProposalRow) -> Line:
    due = counted(sum(each.is_due for each in answer.conflicts), "memory", "memories")
    return Line((f"ends {due} once that is accepted: memwiki review {proposal.id}",), depth=1)
