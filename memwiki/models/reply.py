"""A reply as a value: the first whole object in it that is as the job's class says; the one home of
pydantic."""

from __future__ import annotations

from itertools import chain
from typing import TypeVar

from memwiki.errors import MissingExtraError
from memwiki.models.chat import objects_in, without_last_commas
from memwiki.models.faults import ModelReplyError
from memwiki.models.port import Ask, Chat, ChatMessage
from memwiki.models.replies import Replies

try:
    from pydantic import BaseModel, ValidationError
except ImportError as missing:
    raise MissingExtraError("models", "pydantic") from missing

_MAX_REASONS = 5
_AGAIN = "That is not as asked: {}. Answer again, with the JSON object alone."
Shape = TypeVar("Shape", bound=BaseModel)


def ask_for(chat: Chat, ask: Ask, shape: type[Shape], replies: Replies | None = None) -> Shape:
    """Ask for an object, once more with the reasons when the first one is not as it should be.

    A reply that is valid is kept, and answers the same request from then on. Raises ModelError.
    """
    ask = ask if ask.schema else ask._replace(schema=shape.model_json_schema())
    if replies and (known := replies.get(chat.key, ask)) is not None:
        value, _ = parse_reply(known, shape)
        if value is not None:
            return value
    text = chat.ask(ask).text
    value, reasons = parse_reply(text, shape)
    if value is None:
        again = (ChatMessage("assistant", text), ChatMessage("user", _AGAIN.format(reasons)))
        text = chat.ask(ask._replace(messages=(*ask.messages, *again))).text
        value, reasons = parse_reply(text, shape)
    if value is None:
        raise ModelReplyError(chat.key.split()[0], f"the reply is not as asked: {reasons}")
    if replies:
        replies.put(chat.key, ask, text)
    return value


def reply_given(text: str, shape: type[Shape]) -> Shape:
    """What somebody else's model answered. Raises ModelReplyError."""
    value, reasons = parse_reply(text, shape)
    if value is None:
        raise ModelReplyError("the reply", f"is not as asked: {reasons}")
    return value


def parse_reply(text: str, shape: type[Shape]) -> tuple[Shape | None, str]:
    """The first object that fits, or None and what is wrong with the first that there is."""
    reasons = ""
    for found in chain(objects_in(text), objects_in(without_last_commas(text[text.find("{") :]))):
        try:
            return shape.model_validate(found), ""
        except ValidationError as error:
            reasons = reasons or _reasons_of(error)
    return None, reasons or "it holds no whole JSON object"


def _reasons_of(error: ValidationError) -> str:
    """What is wrong with which field; no value is named, which may be anything."""
    found = error.errors(include_url=False, include_input=False, include_context=False)
    lines = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in found]
    return "; ".join(lines[:_MAX_REASONS])
