"""Models, their jobs, what they propose, and entries that were added, as rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memwiki.answers.curation import (
    AddReport,
    AllowedHosts,
    AskAnswer,
    Brief,
    Citation,
    CurateReport,
    ForgottenReplies,
    IngestReport,
    JobPreview,
    JobReport,
    KeptSource,
    ModelCheck,
    ModelRow,
    ModelsReport,
    OperationView,
    OutgoingRequest,
    ProposalList,
    ProposalRow,
    ProposalView,
    Reviewed,
    SourceLines,
    SpentList,
    SpentRow,
)
from memwiki.numbers import counted
from memwiki.present.entries import entry_row
from memwiki.present.index import GAP, steps_row
from memwiki.present.pages import diff_row, title_row
from memwiki.present.recall import hit_rows, recall_remarks
from memwiki.present.rows import (
    AsideCell,
    CellTable,
    Line,
    NameCell,
    NamedPathCell,
    PathCell,
    Place,
    PlaceCell,
    Quote,
    Row,
    Rows,
    TextCell,
    TitleRow,
    Words,
    one_a_line,
    rows_of,
    size,
)


@rows_of.register
def _(answer: ModelsReport) -> Rows:
    yield CellTable([_model_cells(each) for each in answer.models], whole=(1, 2), paths=(2,))
    if not answer.models:
        yield Words("No model is set: nothing is asked, and nothing leaves this machine.")
    if not answer.is_enabled:
        yield Words("This workspace says no: models.enabled is false in its memwiki.toml.")
    if answer.withhold:
        yield Line((f"never sent from here: {', '.join(answer.withhold)}",))
    if answer.allowed:
        yield Line((f"may be sent to: {', '.join(answer.allowed)}",))
    cells = [(each.key, each.value or '""', each.origin) for each in answer.settings]
    yield CellTable(cells, whole=(0, 1, 2), paths=(1, 2))
    yield Line(("settings:", NamedPathCell(answer.config)))
    yield from one_a_line(answer.notes)
    if answer.next:
        yield GAP
        yield steps_row(answer.next)


def _model_cells(each: ModelRow) -> tuple[str, ...]:
    key = f"key in {each.key_env}" if each.key_env else "no key"
    return each.use, each.model, each.where, each.problem or key


@rows_of.register
def _(answer: ModelCheck) -> Rows:
    if answer.request:
        yield Line((NamedPathCell(f"POST {answer.url}"),))
        yield Quote(answer.request)
        yield Words(_cost(answer.tokens_in, answer.tokens_out, answer.price, "about "))
        return
    yield Line((NamedPathCell(answer.model), "at", PathCell(answer.url)))
    if answer.width:
        vectors = f"gives vectors of {answer.width:,} numbers in {answer.ms:,} ms"
        yield Line((vectors,), depth=1)
    else:
        form = f"answers in {answer.ms:,} ms; its replies are held to {answer.format}"
        yield Line((form,), depth=1)
        yield Line((_context(answer),), depth=1)
    yield Line((_cost(answer.tokens_in, answer.tokens_out, answer.price),), depth=1)


def _context(answer: ModelCheck) -> str:
    if answer.read_tokens:
        return f"context: read {answer.read_tokens:,} of {answer.context_tokens:,} tokens"
    return f"context: {answer.context_tokens:,} tokens are set (--measure tells how many it reads)"


def _cost(tokens_in: int, tokens_out: int, price: float | None, about: str = "") -> str:
    money = f", {price:.4f}" if price is not None else ""
    return f"{about}{tokens_in:,} tokens sent, {tokens_out:,} answered{money}"


@rows_of.register
def _(answer: SpentList) -> Rows:
    yield CellTable([_spent_cells(each) for each in answer.spent], whole=(1, 2))
    limit = f"{answer.tokens:,} of {answer.tokens_per_month:,} tokens"
    yield Words(f"{answer.month}: {limit} of all workspaces")


def _spent_cells(each: SpentRow) -> tuple[str, ...]:
    calls = counted(each.calls, "request")
    cost = _cost(each.tokens_in, each.tokens_out, each.price)
    return each.month, each.host, each.model, each.job, calls, cost


@rows_of.register
def _(answer: AllowedHosts) -> Rows:
    hosts = ", ".join(answer.hosts) or "no host but this machine"
    yield Line((NamedPathCell(answer.workspace), "may be sent to", hosts))


@rows_of.register
def _(answer: ForgottenReplies) -> Rows:
    what = counted(answer.replies, "reply", "replies")
    yield Words(f"forgot {what} of models ({size(answer.bytes)})")


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
        return "dropped: its source is gone" if row.is_dropped else "waits for a reply"
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


_ENDING = "add/1"  # the job that puts up what an added entry ends


@rows_of.register
def _(answer: AddReport) -> Rows:
    if answer.edited.dry_run:
        yield diff_row(answer.edited)
        yield from request_rows(answer.requests)
        return
    over = tuple(each for each in answer.added if each.status == "superseded")
    for outcome, label, entries in (
        ("added", "added", tuple(each for each in answer.added if each not in over)),
        ("added as superseded", "added as superseded", over),
        ("replaced", "replaced", answer.replaced),
        ("repeated: known already", "known already", answer.repeated),
        ("superseded", "superseded", answer.superseded),
    ):
        yield from (entry_row(each, outcome, label) for each in entries)
    is_one = len(answer.added) == 1
    for near in answer.near:
        outcome = f"near ({near.similarity:.2f})"
        by = "" if is_one else f"{near.added} is "
        yield entry_row(near.entry, outcome, f"{by}{outcome}:", depth=1)
    for proposal in answer.proposals:
        yield _ending(answer, proposal) if proposal.job == _ENDING else proposal_line(proposal)
    for brief in answer.briefs:
        yield from rows_of(brief)
    for conflict in answer.conflicts:
        reasons = ", ".join(conflict.reasons)
        outcome = f"conflict with {conflict.added} ({reasons})"
        by = "" if is_one else f"{conflict.added} "
        yield entry_row(conflict.entry, outcome, f"{by}may contradict ({reasons}):", depth=1)


def _ending(answer: AddReport, proposal: ProposalRow) -> Line:
    due = counted(sum(each.is_due for each in answer.conflicts), "memory", "memories")
    return Line((f"ends {due} once that is accepted: memwiki review {proposal.id}",), depth=1)
