"""Proposals, as rows."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.answers.proposals import (
    OperationView,
    ProposalList,
    ProposalRow,
    ProposalView,
    Reviewed,
    SourceLines,
)
from memwiki.numbers import counted
from memwiki.present.edits import diff_row, title_row
from memwiki.present.rows import (
    AsideCell,
    Line,
    NameCell,
    PathCell,
    Place,
    Quote,
    Row,
    Rows,
    TextCell,
    rows_of,
)

_SIGNS = {"open": " ", "aside": "?", "accepted": "+", "rejected": "-", "stale": "~"}


@rows_of.register
def _(answer: ProposalList) -> Rows:
    yield from map(proposal_line, answer.proposals)


def proposal_line(row: ProposalRow) -> Line:
    """A proposal on one line."""
    source = PathCell(row.source or "no source")
    aside = AsideCell(f"{row.at}  {row.model or row.job}")
    return Line((NameCell(row.id), state_text(row), source, aside), is_item=True)


def state_text(row: ProposalRow) -> str:
    """How many operations wait, and for what."""
    if not row.is_answered:
        return "waits for a reply"
    counts = {
        "to accept": row.open,
        "flagged": row.flagged,
        "aside": row.aside,
        "decided": row.decided,
    }
    return ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "nothing"


@rows_of.register
def _(answer: ProposalView) -> Rows:
    by = answer.model or ("a model" if answer.is_answered else "nobody yet")
    yield Line((NameCell(answer.id), f"{answer.job} by {by}"))
    if answer.source:
        yield Line((AsideCell("from"), PathCell(answer.source)))
    if answer.reasoning:
        yield Line((AsideCell("because"), TextCell(answer.reasoning)))
    for each in answer.operations:
        yield from operation_rows(each, answer.source)


def operation_rows(operation: OperationView, source: str) -> Iterator[Row]:
    """One operation: what it says, why it is flagged or aside, what it cites, and its diff."""
    sign = _SIGNS.get(operation.state, " ")
    flags = f"! {', '.join(operation.flags)}" if operation.flags else ""
    step, reason, page, to = (
        str(operation.values.get(name, "")) for name in ("step", "reason", "page", "to")
    )
    what = f"{operation.do}: {step}" if step else operation.do
    head = (NameCell(f"{operation.n}{sign}"), what, TextCell(operation.text))
    notes = tuple(filter(None, (flags, reason, operation.why)))
    yield Line(head, notes=notes, is_item=True)
    if step:
        yield Line((PathCell(page), *((AsideCell("->"), TextCell(to)) if to else ())), depth=2)
    for each in operation.evidence:
        where = f"{source}:{each.line}" if source and each.line else each.id or "cited"
        yield Line((PathCell(where), TextCell(each.quote)), depth=2)
    if operation.diff:
        yield Quote(operation.diff, Place(), {"diff": "nothing was changed"})


@rows_of.register
def _(answer: SourceLines) -> Rows:
    yield Quote("\n".join(answer.lines), Place(answer.source))


@rows_of.register
def _(answer: Reviewed) -> Rows:
    yield diff_row(answer.edited) if answer.edited.dry_run else title_row(answer.edited)
    for n, why in answer.stale:
        yield Line((f"{n} is stale: {why}",), depth=1)
    if answer.open and not answer.edited.dry_run:
        yield Line((f"{counted(answer.open, 'operation')} undecided",), depth=1)
