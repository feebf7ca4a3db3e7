"""One tiny request, which tells how a model answers, and one as long as it is to read."""

from __future__ import annotations

from memwiki.answers.curation import ModelCheck
from memwiki.config.models import OPENAI
from memwiki.models.chat import MESSAGE_TOKENS, ChatServer, first_object, price_of
from memwiki.models.faults import ModelTooLongError
from memwiki.models.opening import ModelRun
from memwiki.models.outgoing import Outgoing
from memwiki.models.port import Ask, ChatMessage
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


def shown(run: ModelRun) -> ModelCheck:
    """The tiny request as it would be sent."""
    if _has_vectors_alone(run):
        embedder = run.embedder()
        return _told(embedder.outgoing([_TEXT]), is_shown=True)
    chat = run.chat()
    chat.close()
    return _told(chat.outgoing(_TINY), is_shown=True)


def checked(run: ModelRun, *, is_measured: bool) -> ModelCheck:
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
    models, spent = run.models.chat, run.budget.spent
    return _told(chat.outgoing(_TINY))._replace(
        ms=ms,
        format=form,
        context_tokens=chat.context_tokens,
        read_tokens=read,
        tokens_in=spent.tokens_in,
        tokens_out=spent.tokens_out,
        price=price_of(spent, models.price_in, models.price_out),
    )


def _vectors(run: ModelRun) -> ModelCheck:
    embedder = run.embedder()
    began = run.timing.monotonic()
    embedder.embed([_TEXT])
    ms = round((run.timing.monotonic() - began) * 1000)
    embedder.close()
    spent = run.budget.spent
    return _told(embedder.outgoing([_TEXT]))._replace(
        ms=ms,
        width=embedder.width,
        tokens_in=spent.tokens_in,
        price=price_of(spent, run.models.embed.price_in, 0),
    )


def _told(outgoing: Outgoing, *, is_shown: bool = False) -> ModelCheck:
    return ModelCheck(
        host=outgoing.host,
        model=outgoing.model,
        url=outgoing.url,
        tokens_in=outgoing.tokens_in,
        tokens_out=outgoing.tokens_out,
        price=outgoing.price,
        request=outgoing.body.decode() if is_shown else "",
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
