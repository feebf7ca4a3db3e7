"""Models, consent and what was spent, as rows."""

from __future__ import annotations

from memwiki.answers.models import (
    AllowedHosts,
    ForgottenReplies,
    ModelCheck,
    ModelRow,
    ModelsReport,
    SpentList,
    SpentRow,
)
from memwiki.numbers import counted
from memwiki.present.index import GAP, steps_row
from memwiki.present.rows import (
    CellTable,
    Line,
    NamedPathCell,
    PathCell,
    Quote,
    Rows,
    Words,
    listed,
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
    yield from listed(answer.notes)
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
