"""A model behind OpenAI's chat dialect: what its server takes of the dialect, learned from what it
refused and kept in the cache; one request, streamed, and what its answer means."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from memwiki.answers.curation import OutgoingRequest
from memwiki.config.models import ChatConfig
from memwiki.digest import text_hash
from memwiki.errors import ModelError
from memwiki.files.read import bytes_of
from memwiki.files.temporary import write_whole
from memwiki.models.faults import (
    MAX_RETRIES,
    ModelCutError,
    ModelNameError,
    ModelRefusedError,
    ModelReplyError,
    ModelTooLongError,
    ParameterError,
    retry_passing,
)
from memwiki.models.ledger import Budget
from memwiki.models.outgoing import request_to
from memwiki.models.port import Ask, ChatMessage, ModelReply, Spent
from memwiki.text import pattern, tokens

if TYPE_CHECKING:
    from memwiki.models.endpoint import Endpoint


JSON_SCHEMA, JSON_OBJECT, TEXT = FORMATS = ("json_schema", "json_object", "text")
_MAX_BYTES = 10_000
_FORMAT_WORDS = pattern(r"response_format|json_schema|json_object|grammar|schema", re.IGNORECASE)


class Capabilities(NamedTuple):
    """What one model at one server takes."""

    format: str = JSON_SCHEMA
    tokens_name: str = "max_tokens"
    has_temperature: bool = True
    has_usage: bool = True  # stream_options
    has_width: bool = True  # dimensions
    width: int = 0  # of its vectors, 0 where nobody asked yet

    def without(self, words: str) -> Capabilities | None:
        """What to try next after a refusal in these words; None when there is nothing left."""
        lower = FORMATS[min(FORMATS.index(self.format) + 1, len(FORMATS) - 1)]
        changes = (
            ("max_completion_tokens" in words, self._replace(tokens_name="max_completion_tokens")),
            ("max_tokens" in words, self._replace(tokens_name="max_tokens")),
            ("temperature" in words, self._replace(has_temperature=False)),
            ("stream_options" in words, self._replace(has_usage=False)),
            ("dimension" in words, self._replace(has_width=False)),
            (_FORMAT_WORDS.search(words), self._replace(format=lower)),
        )
        return next((new for is_said, new in changes if is_said and new != self), None)


class KnownServers:
    """What is known of each server; where nothing can be kept, it is learned again."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def of(self, key: str) -> Capabilities:
        """What a model at a server takes."""
        location = self._location(key)
        if location:
            with suppress(OSError, ValueError, TypeError, RecursionError):
                found = Capabilities(**json.loads(bytes_of(location, _MAX_BYTES)))
                if _is_right(found):
                    return found
        return Capabilities()

    def keep(self, key: str, found: Capabilities) -> None:
        """Remember it for the next command."""
        location = self._location(key)
        if location:
            with suppress(OSError):
                location.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                write_whole(location, json.dumps(found._asdict()).encode())

    def _location(self, key: str) -> Path | None:
        name = f"{text_hash(key, 16).hex()}.json"
        return self._folder / "servers" / name if self._folder else None


def _is_right(found: Capabilities) -> bool:
    kinds = zip(found, Capabilities(), strict=True)
    return found.format in FORMATS and all(type(each) is type(usual) for each, usual in kinds)


_MAX_STARTS = 50  # each may be read to the end of the text
_THOUGHTS = pattern(r"<(think|thinking|thought|reasoning)>.*?</\1>", re.DOTALL)
_END_OF_THOUGHTS = pattern(r"</(?:think|thinking|thought|reasoning)>")


def without_thoughts(text: str) -> str:
    """A reply without the thoughts before it, whose first mark a server may have taken away."""
    text = _THOUGHTS.sub("", text)
    ends = [match.end() for match in _END_OF_THOUGHTS.finditer(text)]
    return text[ends[-1] :] if ends else text


def objects_in(text: str) -> Iterator[dict[str, Any]]:
    """The whole objects in a reply, the first one first; none is within another one. What is null
    is not there."""
    decoder = json.JSONDecoder(object_hook=_without_none, parse_constant=_refuse)
    rest = without_thoughts(text)
    at = rest.find("{")
    for _ in range(_MAX_STARTS):
        if at < 0:
            return
        try:
            found, end = decoder.raw_decode(rest, at)
            json.dumps(found, ensure_ascii=False).encode()  # half a character cannot be written
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield found
        at = rest.find("{", end)


# A string, of which every sign is kept, or a comma behind the last item.
_LAST_COMMA = pattern(r'("(?:[^"\\]|\\.)*+(?:"|\Z))|,(?=\s*+[}\]])', re.DOTALL)


def without_last_commas(text: str) -> str:
    """A reply in which no item is followed by a comma alone, as many models write it."""
    return _LAST_COMMA.sub(r"\1", text)


def _without_none(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if value is not None}


def first_object(text: str) -> dict[str, Any] | None:
    """The first whole object in a reply."""
    return next(objects_in(text), None)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)  # NaN and Infinity are no JSON


_PATH = "/chat/completions"
MESSAGE_TOKENS = 4  # what a message takes beside its text
_MIN_READ = 0.6  # share of our estimate; a server that counts less dropped the rest
_MIN_JUDGED_TOKENS = 1000
_MAX_COUNT = 10**9  # of tokens, whatever a server says
_MAX_CHANGES = 7  # of the request, until a server takes it
_SHAPE = "Answer with one JSON object of this schema, and nothing else:\n"


class ChatServer:
    """A Chat at a server."""

    def __init__(
        self, settings: ChatConfig, endpoint: Endpoint, budget: Budget, servers: KnownServers
    ) -> None:
        self._settings, self._endpoint = settings, endpoint
        self._budget, self._servers = budget, servers
        self._capabilities = servers.of(self.key)
        if settings.format in FORMATS:
            self._capabilities = self._capabilities._replace(format=settings.format)

    @property
    def key(self) -> str:
        """Host and model in one word."""
        return f"{self._endpoint.address.url} {self._settings.model}"

    @property
    def context_tokens(self) -> int:
        """How many tokens request and reply may have together."""
        return self._settings.context_tokens

    @property
    def capabilities(self) -> Capabilities:
        """What the server takes, as far as it is known."""
        return self._capabilities

    def outgoing(self, ask: Ask) -> OutgoingRequest:
        """The request as it is sent."""
        messages = _with_shape(ask, self._capabilities.format)
        tokens_in = sum(tokens(each.text) + MESSAGE_TOKENS for each in messages)
        if tokens_in + ask.max_tokens > self.context_tokens:
            what = f"about {tokens_in:,} tokens and a reply of {ask.max_tokens:,} are more than"
            why = f"{what} the {self.context_tokens:,} of models.chat.context_tokens"
            raise ModelTooLongError(self._endpoint.host, why)
        body, spent = self._body(ask, messages), Spent(1, tokens_in, ask.max_tokens)
        return request_to(self._endpoint.address, _PATH, self._settings, body, spent)

    def ask(self, ask: Ask) -> ModelReply:
        """The whole reply. Raises ModelError."""
        for _ in range(_MAX_CHANGES):
            try:
                return self._ask(ask)
            except ParameterError as error:
                self._adapt(error)
        return self._ask(ask)

    def step_down(self) -> bool:
        """Hold replies to their form by a simpler means from now on; False where there is none."""
        form = self._capabilities.format
        if self._settings.format in FORMATS or form == FORMATS[-1]:
            return False
        self._keep(self._capabilities._replace(format=FORMATS[FORMATS.index(form) + 1]))
        return True

    def close(self) -> None:
        """Let go of the connection."""
        self._endpoint.close()

    def _keep(self, found: Capabilities) -> None:
        self._capabilities = found
        self._servers.keep(self.key, found)

    def _ask(self, ask: Ask) -> ModelReply:
        outgoing = self.outgoing(ask)

        def attempt() -> ModelReply:
            with self._budget.request(ask.job, outgoing) as request:
                answer = _Answer(self._endpoint)
                try:
                    self._endpoint.post(_PATH, outgoing.body, answer.take)
                finally:
                    request.settle(*(answer.usage or (outgoing.tokens_in, tokens(answer.text))))
                return self._judge(answer, ask, outgoing)._replace(spent=request.spent)

        total = self._settings.total_seconds
        try:
            return retry_passing(attempt, self._endpoint.timing, total)
        except ModelNameError as error:
            raise self._name_error() from error

    def _adapt(self, error: ParameterError) -> None:
        """Leave out or rename what the server refused, and remember it."""
        changed = self._capabilities.without(error.words)
        is_fixed = self._settings.format in FORMATS
        if changed is None or (is_fixed and changed.format != self._capabilities.format):
            raise error
        self._keep(changed)

    def _body(self, ask: Ask, messages: tuple[ChatMessage, ...]) -> dict[str, Any]:
        can = self._capabilities
        body: dict[str, Any] = {
            "model": self._settings.model,
            "messages": [{"role": role, "content": text} for role, text in messages],
            "stream": True,
            can.tokens_name: ask.max_tokens,
        }
        if can.has_usage:
            body["stream_options"] = {"include_usage": True}
        if can.has_temperature:
            given = ask.temperature
            body["temperature"] = self._settings.temperature if given is None else given
        if ask.schema is not None and can.format == JSON_SCHEMA:
            shape = {"name": "reply", "strict": True, "schema": ask.schema}
            body["response_format"] = {"type": JSON_SCHEMA, "json_schema": shape}
        elif ask.schema is not None and can.format == JSON_OBJECT:
            body["response_format"] = {"type": JSON_OBJECT}
        return body

    def _judge(self, answer: _Answer, ask: Ask, outgoing: OutgoingRequest) -> ModelReply:
        """The reply, if it is whole: valid JSON is, whatever the server says of its end."""
        host, text = self._endpoint.host, self._endpoint.masked(answer.text)
        sent, _ = answer.usage or (outgoing.tokens_in, 0)
        is_judged = outgoing.tokens_in >= _MIN_JUDGED_TOKENS
        if is_judged and 0 < sent < _MIN_READ * outgoing.tokens_in:
            what = f"it read {sent:,} of about {outgoing.tokens_in:,} tokens"
            raise ModelTooLongError(host, what, sent)
        if not (ask.schema is not None and first_object(text)):
            self._require_end(answer, ask, text)
        return ModelReply(text)

    def _require_end(self, answer: _Answer, ask: Ask, text: str) -> None:
        host = self._endpoint.host
        if answer.refusal or answer.end == "content_filter":
            raise ModelRefusedError(host, self._endpoint.shown(answer.refusal) or "a filter")
        if answer.end == "length" and (ask.schema is not None or not text.strip()):
            raise ModelCutError(host, ask.max_tokens)
        if not answer.is_ended:
            raise ModelReplyError(host, "the reply ended before it was whole", retries=MAX_RETRIES)
        if not text.strip():
            raise ModelReplyError(host, "the reply is empty")

    def _name_error(self) -> ModelNameError:
        """What to say of a name that the server does not know: those that it has."""
        name = self._settings.model
        known = tuple(map(self._endpoint.shown, self.names()))
        near = get_close_matches(name, known, n=5, cutoff=0.3) or list(known[:5])
        return ModelNameError(self._endpoint.host, name, tuple(near))

    def names(self) -> list[str]:
        """The models that the server has; none where it does not say."""
        try:
            found = json.loads(self._endpoint.get("/models"))["data"]
            return [str(each["id"]) for each in found if isinstance(each, dict)]
        except (ModelError, ValueError, KeyError, TypeError, RecursionError):
            return []


class _Answer:
    """What the events of an answer add up to."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._parts: list[str] = []
        self.usage: tuple[int, int] | None = None
        self.end = ""
        self.refusal = ""
        self.is_ended = False

    @property
    def text(self) -> str:
        """All that was answered; thoughts that come apart are no part of it."""
        return "".join(self._parts)

    def take(self, events: Iterator[str]) -> None:
        """Add up the events until the last one."""
        for event in events:
            if event.strip() == "[DONE]":
                self.is_ended = True
                return
            self._add(self._parsed(event))

    def _parsed(self, event: str) -> Mapping[str, Any]:
        host = self._endpoint.host
        try:
            found = json.loads(event)
        except (ValueError, RecursionError):
            raise ModelReplyError(host, "the reply is no JSON", retries=1) from None
        if not isinstance(found, dict):
            raise ModelReplyError(host, "the reply is no object")
        if found.get("error"):
            raise self._endpoint.fault(event)
        return found

    def _add(self, event: Mapping[str, Any]) -> None:
        self.usage = _usage_of(event.get("usage")) or self.usage
        choices = event.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return
        for name in ("delta", "message"):
            part = choice.get(name)
            if isinstance(part, dict):
                if isinstance(each := part.get("content"), str):
                    self._parts.append(each)
                if isinstance(each := part.get("refusal"), str):
                    self.refusal += each
        if isinstance(end := choice.get("finish_reason"), str) and end:
            self.end, self.is_ended = end, True


def _usage_of(given: object) -> tuple[int, int] | None:
    """Tokens sent and answered, as the server counted them."""
    if not isinstance(given, dict):
        return None
    sent, answered = given.get("prompt_tokens"), given.get("completion_tokens", 0)
    if isinstance(sent, int) and isinstance(answered, int) and min(sent, answered) >= 0:
        return min(sent, _MAX_COUNT), min(answered, _MAX_COUNT)
    return None


def _with_shape(ask: Ask, form: str) -> tuple[ChatMessage, ...]:
    """The messages, with the schema before them where the server is not given it otherwise."""
    if ask.schema is None or form == JSON_SCHEMA:
        return ask.messages
    shape = _SHAPE + json.dumps(ask.schema, ensure_ascii=False)
    first, *rest = ask.messages
    if first.role != "system":
        return ChatMessage("system", shape), *ask.messages
    return ChatMessage("system", f"{first.text}\n\n{shape}"), *rest
