"""Jobs of models, as rows."""

from __future__ import annotations

from collections.abc import Iterable

from memwiki.answers.curation import Brief, CurateReport, JobPreview, JobReport, OutgoingRequest
from memwiki.numbers import counted
from memwiki.present.proposals import proposal_line
from memwiki.present.rows import AsideCell, Line, NameCell, Quote, Rows, rows_of


@rows_of.register
def _(answer: Brief) -> Rows:
    yield Quote(answer.text)


@rows_of.register
def _(answer: JobPreview) -> Rows:
    yield from request_rows(answer.requests)


def request_rows(requests: Iterable[OutgoingRequest]) -> Rows:
    """Requests as they would be sent."""
    for each in requests:
        price = "" if each.price is None else f"at most {each.price:.4f}"
        size = f"about {each.tokens_in:,} tokens, answered by at most {each.tokens_out:,}"
        cells = (NameCell(f"{each.model} at {each.host}"), counted(each.bytes, "byte"), size, price)
        yield Line(cells, is_item=True)
        yield Quote(each.body)


@rows_of.register
def _(answer: JobReport) -> Rows:
    yield from _report_rows(answer)


@rows_of.register
def _(answer: CurateReport) -> Rows:
    yield from _report_rows(answer)
    change = f"{answer.merged:,} merged, {answer.deleted:,} deleted"
    total = f"{answer.total_before:,} entries, {answer.total_after:,} once all is accepted"
    yield Line((AsideCell(f"{change}: {total}"),))


def _report_rows(answer: JobReport) -> Rows:
    yield from map(proposal_line, answer.proposals)
    if answer.reasoning:
        yield Line((AsideCell(answer.reasoning),), depth=1)
    if answer.calls:
        tokens = f"{answer.tokens_in:,} tokens sent, {answer.tokens_out:,} answered"
        yield Line((AsideCell(f"{counted(answer.calls, 'request')}: {tokens}"),))
