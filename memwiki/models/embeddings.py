"""Vectors from a server of OpenAI's dialect: in batches, by index, of one width and length 1."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Sequence
from math import fsum, isfinite, sqrt
from typing import TYPE_CHECKING, NoReturn

from memwiki.answers.curation import OutgoingRequest
from memwiki.config.models import OPENAI, EmbedConfig
from memwiki.models.chat import KnownServers
from memwiki.models.faults import ModelReplyError, ParameterError, retry_passing
from memwiki.models.ledger import Budget, Request
from memwiki.models.outgoing import request_to
from memwiki.models.port import Spent, Vector
from memwiki.text import tokens

if TYPE_CHECKING:
    from memwiki.models.endpoint import Endpoint

_JOB, _PATH = "embed/1", "/embeddings"
_PROBE = "width"


class HttpEmbedder:
    """An Embedder at a server."""

    def __init__(
        self, settings: EmbedConfig, endpoint: Endpoint, budget: Budget, servers: KnownServers
    ) -> None:
        self._settings, self._endpoint = settings, endpoint
        self._budget, self._servers = budget, servers
        self._capabilities = servers.of(self._server_key)

    @property
    def _server_key(self) -> str:
        return f"{self._endpoint.address.url} {self._settings.model} {self._settings.width}"

    @property
    def key(self) -> str:
        """Provider, host, model and width in one word."""
        address, model = self._endpoint.address.url.partition("://")[2], self._settings.model
        return f"{OPENAI}:{address}:{model}:{self.width}".replace(" ", "_")

    @property
    def width(self) -> int:
        """How many numbers a vector has; where nobody says, the server is asked once."""
        if not self.known_width:
            self.embed([_PROBE])
        return self.known_width

    @property
    def known_width(self) -> int:
        """The same without asking: 0 where nobody said so far."""
        return self._settings.width or self._capabilities.width

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, in their order. Raises ModelError."""
        found: list[Vector] = []
        for start in range(0, len(texts), self._settings.batch):
            found += self._batch(texts[start : start + self._settings.batch])
        return found

    def outgoing(self, texts: Sequence[str]) -> OutgoingRequest:
        """The request for one batch as it is sent."""
        settings = self._settings
        body: dict[str, object] = {
            "model": settings.model,
            "input": [each or " " for each in texts],
        }
        if settings.width and self._capabilities.has_width:
            body["dimensions"] = settings.width
        spent = Spent(1, sum(map(tokens, texts)), 0)
        return request_to(self._endpoint.address, _PATH, settings, body, spent)

    def close(self) -> None:
        """Let go of the connection."""
        self._endpoint.close()

    def _batch(self, texts: Sequence[str]) -> list[Vector]:
        try:
            return self._ask(texts)
        except ParameterError as error:
            changed = self._capabilities.without(error.words)
            if changed is None or changed.has_width == self._capabilities.has_width:
                raise
            self._capabilities = changed
            found = self._ask(texts)
            self._servers.keep(self._server_key, self._capabilities)
            return found

    def _ask(self, texts: Sequence[str]) -> list[Vector]:
        outgoing = self.outgoing(texts)

        def attempt() -> list[Vector]:
            with self._budget.request(_JOB, outgoing) as request:
                text = self._endpoint.post(_PATH, outgoing.body, "".join)
                return self._vectors(text, len(texts), request)

        return retry_passing(attempt, self._endpoint.timing, self._settings.total_seconds)

    def _vectors(self, text: str, count: int, request: Request) -> list[Vector]:
        try:
            answer = json.loads(text, parse_constant=self._refuse)
        except (ValueError, RecursionError):
            raise ModelReplyError(self._endpoint.host, "the reply is no JSON", retries=1) from None
        if not isinstance(answer, dict) or answer.get("error"):
            raise self._endpoint.fault(text)
        usage = answer.get("usage")
        sent = usage.get("prompt_tokens") if isinstance(usage, dict) else None
        if isinstance(sent, int) and 0 <= sent < 10**9:
            request.settle(sent, 0)
        by_index = dict(self._rows(answer.get("data")))
        if sorted(by_index) != list(range(count)):
            self._refuse(f"{len(by_index)} vectors for {count} texts")
        return [self._vector(by_index[index]) for index in range(count)]

    def _rows(self, data: object) -> Iterator[tuple[int, list[object]]]:
        for place, row in enumerate(data if isinstance(data, list) else ()):
            if isinstance(row, dict) and isinstance(numbers := row.get("embedding"), list):
                index = row.get("index", place)
                yield index if isinstance(index, int) else place, numbers

    def _vector(self, numbers: list[object]) -> Vector:
        """The numbers as a vector of length 1 and of the width of all others."""
        given = [each for each in numbers if isinstance(each, int | float)]
        if len(given) < len(numbers):
            self._refuse("a vector that is no list of numbers")
        try:
            found = array("d", given)
            length = sqrt(fsum(each * each for each in found))
        except OverflowError:
            length = 0.0
        if not isfinite(length) or not length:
            self._refuse("a vector without a length")
        width = len(found)
        wanted = self._settings.width or self._capabilities.width
        if not wanted:
            self._capabilities = self._capabilities._replace(width=width)
            self._servers.keep(self._server_key, self._capabilities)
        elif width != wanted:
            self._refuse(f"vectors of {width} numbers, not of {wanted}")
        return array("f", [each / length for each in found])

    def _refuse(self, what: str) -> NoReturn:
        raise ModelReplyError(self._endpoint.host, f"gave {what}")
