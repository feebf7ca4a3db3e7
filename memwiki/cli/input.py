"""The only place that reads what is piped in."""

from __future__ import annotations

import sys

from memwiki.errors import UsageError


def read_text(max_bytes: int) -> str:
    """What is piped in, with its line ends; UsageError for more than that."""
    said, data = "standard input", _stdin(max_bytes + 1)
    if len(data) > max_bytes:
        raise UsageError(
            f"{said}: is longer than the {max_bytes} bytes that are indexed of a page",
            hint="cut it into pages, or raise files.max_bytes",
        )
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"{said}: line {line} is not valid UTF-8", hint="convert it to UTF-8 first"
        ) from error


def _stdin(max_bytes: int) -> bytes:
    return sys.stdin.buffer.read(max_bytes)
