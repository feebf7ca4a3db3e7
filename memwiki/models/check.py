"""One tiny request, which tells how a model answers; and one as long as it is to read."""

from __future__ import annotations

from memwiki.answers.models import ModelCheck
from memwiki.models.chat import MESSAGE_TOKENS, ChatServer, price_of
from memwiki.models.faults import ModelTooLongError
from memwiki.models.objects import first_object
from memwiki.models.opening import ModelRun
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
    chat = run.chat()
    outgoing = chat.outgoing(_TINY)
    chat.close()
    return ModelCheck(
        host=outgoing.host,
        model=outgoing.model,
        url=outgoing.url,
        tokens_in=outgoing.tokens_in,
        tokens_out=outgoing.tokens_out,
        price=outgoing.price,
        request=outgoing.body.decode(),
    )


def checked(run: ModelRun, *, is_measured: bool) -> ModelCheck:
    """What a model answers, and how fast. Raises ModelError."""
    chat = run.chat()
    try:
        form, ms = _form(chat, run)
        read = _read_tokens(chat) if is_measured else 0
    finally:
        chat.close()
    outgoing, spent = chat.outgoing(_TINY), run.budget.spent
    prices = run.models.chat.price_in, run.models.chat.price_out
    return ModelCheck(
        host=outgoing.host,
        model=outgoing.model,
        url=outgoing.url,
        ms=ms,
        format=form,
        context_tokens=chat.context_tokens,
        read_tokens=read,
        tokens_in=spent.tokens_in,
        tokens_out=spent.tokens_out,
        price=price_of(spent, *prices),
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
