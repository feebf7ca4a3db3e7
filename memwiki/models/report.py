"""What is told of models: which are set and may be asked, what they were asked, and how one
answers, for which it gets one tiny request, and one as long as it is to read."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.answers.curation import (
    ModelCheck,
    ModelRow,
    ModelsReport,
    OutgoingRequest,
    SpentList,
    SpentRow,
)
from memwiki.answers.index import NextStep
from memwiki.answers.workspaces import Setting
from memwiki.config.locations import user_file_name
from memwiki.config.models import OPENAI, USER, ServerConfig, UserModels
from memwiki.config.values import plain
from memwiki.errors import ModelError
from memwiki.models.chat import MESSAGE_TOKENS, ChatServer, first_object
from memwiki.models.faults import ModelTooLongError
from memwiki.models.ledger import LedgerLine, sum_lines, tokens_of_month
from memwiki.models.opening import ModelRun
from memwiki.models.outgoing import allowed_hosts, price_of
from memwiki.models.port import Ask, ChatMessage, Spent
from memwiki.text import tokens

_JOB = "check/1"
_TEXT = 'Answer with the object {"word": "tea"}.'
_SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}
# Thoughts count, too: models that think before they answer end within some hundred.
_TINY = Ask(_JOB, (ChatMessage("user", _TEXT),), _SCHEMA, max_tokens=200, temperature=0)
_FILLER = "The kettle sings, and tea is poured into seven small cups by the window. "
_NO_FORM = "nothing: it gave no JSON"


def show_request(run: ModelRun) -> ModelCheck:
    """The tiny request as it would be sent."""
    if _has_vectors_alone(run):
        embedder = run.embedder()
        return _model_check(embedder.outgoing([_TEXT]), is_shown=True)
    chat = run.chat()
    chat.close()
    return _model_check(chat.outgoing(_TINY), is_shown=True)


def check_model(run: ModelRun, *, is_measured: bool) -> ModelCheck:
    """What a model answers, and how fast: the one that answers in words, or, where only that is
    set, the one that makes vectors. Raises ModelError."""
    return _vectors(run) if _has_vectors_alone(run) else _words(run, is_measured)


def _has_vectors_alone(run: ModelRun) -> bool:
    return run.models.embed.provider == OPENAI and not run.models.chat.is_set


def _words(run: ModelRun, is_measured: bool) -> ModelCheck:
    chat = run.chat()
    try:
        form, ms = _form(chat, run)
        read = _read_tokens(chat) if is_measured else 0
    finally:
        chat.close()
    spent = run.budget.spent
    return _model_check(chat.outgoing(_TINY))._replace(
        ms=ms,
        format=form,
        context_tokens=chat.context_tokens,
        read_tokens=read,
        tokens_in=spent.tokens_in,
        tokens_out=spent.tokens_out,
        price=price_of(spent, run.models.chat),
    )


def _vectors(run: ModelRun) -> ModelCheck:
    embedder = run.embedder()
    began = run.timing.monotonic()
    embedder.embed([_TEXT])
    ms = round((run.timing.monotonic() - began) * 1000)
    embedder.close()
    spent = run.budget.spent
    return _model_check(embedder.outgoing([_TEXT]))._replace(
        ms=ms,
        width=embedder.width,
        tokens_in=spent.tokens_in,
        price=price_of(spent, run.models.embed),
    )


def _model_check(outgoing: OutgoingRequest, *, is_shown: bool = False) -> ModelCheck:
    return ModelCheck(
        host=outgoing.host,
        model=outgoing.model,
        url=outgoing.url,
        tokens_in=outgoing.tokens_in,
        tokens_out=outgoing.tokens_out,
        price=outgoing.price,
        request=outgoing.body if is_shown else "",
    )


def _form(chat: ChatServer, run: ModelRun) -> tuple[str, int]:
    """The first form that gives an object, and the milliseconds of that answer."""
    while True:
        began = run.timing.monotonic()
        reply = chat.ask(_TINY)
        ms = round((run.timing.monotonic() - began) * 1000)
        if first_object(reply.text):
            return chat.capabilities.format, ms
        if not chat.step_down():
            return _NO_FORM, ms


def _read_tokens(chat: ChatServer) -> int:
    """How much the model read of a request as long as its context is to be."""
    room = chat.context_tokens - MESSAGE_TOKENS - 8
    text = _FILLER * (room // tokens(_FILLER))
    try:
        return chat.ask(Ask(_JOB, (ChatMessage("user", text),), max_tokens=4)).spent.tokens_in
    except ModelTooLongError as error:
        if not error.read_tokens:
            raise
        return error.read_tokens


# --- what is set and what was asked ---

_FIRST_SETTING = '[models.chat] base_url = "http://127.0.0.1:11434/v1", or file = "model.gguf"'
_CHECK = "then one tiny request tells whether it answers"


def models_report(run: ModelRun) -> ModelsReport:
    """What is set, where each setting comes from, what is allowed, and the next step."""
    models, narrowed = run.models, run.narrowed
    file = user_file_name(run.environ)
    rows = tuple(_rows(run))
    steps = NextStep(f"edit {file}", _FIRST_SETTING), NextStep("memwiki models check", _CHECK)
    return ModelsReport(
        config=file,
        models=rows,
        settings=tuple(_settings(models)),
        is_enabled=narrowed.enabled,
        withhold=narrowed.withhold,
        allowed=allowed_hosts(models, run.root),
        notes=models.notes,
        next=() if rows else steps,
    )


def spent_list(run: ModelRun) -> SpentList:
    """What all models were asked, by month."""
    ledger = run.budget.ledger
    lines, month = ledger.lines(), ledger.now()[:7]
    rows = (_spent(each, run.models) for each in sum_lines(lines) if each.calls)
    return SpentList(
        tuple(sorted(rows, key=lambda row: (row.month, row.host, row.model), reverse=True)),
        month,
        tokens_of_month(lines, month),
        run.models.budget.tokens_per_month,
        str(ledger.location),
    )


def _rows(run: ModelRun) -> Iterator[ModelRow]:
    """The models that are set, each with what would keep it from being asked."""
    chat, embed = run.models.chat, run.models.embed
    if chat.is_set:
        yield _row(run, "chat", chat, chat.file)
    if embed.is_set:
        yield _row(run, "embed", embed, "" if embed.base_url else embed.provider)


def _row(run: ModelRun, use: str, server: ServerConfig, here: str) -> ModelRow:
    """A model at a server, or `here` on this machine without one."""
    host, problem = "", ""
    if not here:
        try:
            host = run.address(server).host
            if server.key_env and not run.environ.get(server.key_env):
                problem = f"{server.key_env} is not set"
        except ModelError as error:
            problem = error.message
    return ModelRow(use, server.model, here or server.base_url, host, server.key_env, problem)


def _settings(models: UserModels) -> Iterator[Setting]:
    """What is not as by default."""
    for key in USER.keys().values():
        if origin := models.origins.get(str(key)):
            value = getattr(getattr(models, key.table.partition(".")[2]), key.name)
            yield Setting(str(key), plain(value), origin, key.help)


def _spent(line: LedgerLine, models: UserModels) -> SpentRow:
    """A sum of the ledger, with what it cost where the price of that model is set."""
    chat, embed = models.chat, models.embed
    spent = Spent(line.calls, line.tokens_in, line.tokens_out)
    server = embed if not line.tokens_out and line.model == embed.model else chat
    price = price_of(spent, server) if line.model == server.model else None
    return SpentRow(line.month, line.host, line.model, line.job, *spent, price)
