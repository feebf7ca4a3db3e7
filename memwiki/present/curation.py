"""Jobs of models, as rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memwiki.answers.curation import (
    AskAnswer,
    Brief,
    Citation,
    CurateReport,
    IngestReport,
    JobPreview,
    JobReport,
    KeptSource,
    OutgoingRequest,
)
from memwiki.numbers import counted
from memwiki.present.edits import diff_row
from memwiki.present.proposals import proposal_line
from memwiki.present.recall import recall_remarks
from memwiki.present.rows import (
    AsideCell,
    Line,
    NameCell,
    PathCell,
    PlaceCell,
    Quote,
    Rows,
    TextCell,
    TitleRow,
    rows_of,
)
from memwiki.present.search import hit_rows


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
    yield from _spent(answer)


def _spent(answer: JobReport | AskAnswer) -> Rows:
    if answer.calls:
        tokens = f"{answer.tokens_in:,} tokens sent, {answer.tokens_out:,} answered"
        yield Line((AsideCell(f"{counted(answer.calls, 'request')}: {tokens}"),))


@rows_of.register
def _(answer: AskAnswer) -> Rows:
    for each in answer.sentences:
        flags = (f"! {', '.join(each.flags)}",) if each.flags else ()
        places = tuple(PlaceCell(_place(at)) for at in each.citations)
        yield Line((TextCell(each.text), *places), notes=flags, is_item=True)
    if answer.dropped:
        yield TitleRow("Left out")
    for row in answer.dropped:
        yield Line((TextCell(row.text),), notes=(row.why,))
    if not answer.sentences:
        yield from hit_rows(answer.hits)
    if answer.brief:
        yield TitleRow("The job for any model")
        yield Quote(answer.brief)
    yield from _spent(answer)


def _place(at: Citation) -> str:
    last = f"-{at.line_end}" if at.line_end > at.line_start else ""
    return f"{at.path}:{at.line_start}{last}"


def answer_remarks(answer: AskAnswer) -> Iterator[str]:
    """What is to be said beside an answer."""
    if not answer.sentences:
        yield from recall_remarks(answer.found)
        yield from ["None of these passages was found to answer it."] * answer.is_answered
    yield from (f"Kept back: {each}." for each in answer.kept_back)
    if answer.error or answer.hint:
        yield ": ".join(filter(None, ("The passages alone", answer.error, answer.hint)))


@rows_of.register
def _(answer: KeptSource) -> Rows:
    if answer.edited.dry_run:
        yield diff_row(answer.edited)
        return
    yield Line((PathCell(answer.source), NameCell(answer.title)), is_item=True)
    for path in dict.fromkeys((answer.text, answer.page)):
        if path != answer.source:
            yield Line((PathCell(path),), depth=1)
    yield from map(proposal_line, answer.proposals)


@rows_of.register
def _(answer: IngestReport) -> Rows:
    for each in answer.sources:
        yield from rows_of(each)
