"""The only place that reads what is handed over: piped in, or in a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from memwiki.cli import output
from memwiki.errors import UnreadableError, UsageError, reason_of

_NO_WAIT = getattr(os, "O_NONBLOCK", 0)


def read_text(name: str, max_bytes: int) -> str:
    """The text of a file, or what is piped in for `-`, with its line ends; UsageError for more than
    that."""
    said = "standard input" if name == "-" else name
    data = read_bytes(name, max_bytes)
    if len(data) > max_bytes:
        raise UsageError(
            f"{said}: is longer than the {max_bytes} bytes that are indexed of a page",
            "split it into pages, or raise files.max_bytes",
        )
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"{said}: line {line} is not valid UTF-8", "convert it to UTF-8 first"
        ) from error


def read_bytes(name: str, max_bytes: int) -> bytes:
    """The bytes of a file, or what is piped in for `-`; of more than that one more than that."""
    try:
        if name == "-":
            return sys.stdin.buffer.read(max_bytes + 1)
        with open(name, "rb", opener=_open) as file:
            return file.read(max_bytes + 1)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        said = "standard input" if name == "-" else name
        raise UnreadableError(
            f"{said}: cannot be read ({reason_of(error)})",
            "give the path of a text file, or - for standard input",
            path=name,
        ) from error


def _open(name: str, flags: int) -> int:
    """Of a FIFO that nobody writes into nothing is read, instead of waiting for ever."""
    descriptor = os.open(name, flags | _NO_WAIT)
    if _NO_WAIT:
        os.set_blocking(descriptor, True)
    return descriptor


def piped_lines(max_bytes: int) -> Iterator[bytes]:
    """The lines that are piped in, as they come; of one that is longer, its first bytes."""
    while line := sys.stdin.buffer.readline(max_bytes + 1):
        rest = line
        while len(rest) > max_bytes and not rest.endswith(b"\n"):
            rest = sys.stdin.buffer.readline(max_bytes + 1)
        yield line


def has_person() -> bool:
    """Whether somebody sits there who can be shown an editor."""
    return sys.stdin.isatty() and output.width() is not None


def is_yes(question: str) -> bool:
    """Whether the person who sits there says yes."""
    return answered(question).lower() in ("y", "yes")


def answered(question: str, *, at_end: str = "") -> str:
    """What the person who sits there answers in one line; `at_end` where the input ended."""
    output.ask(question)
    line = sys.stdin.readline()
    return line.strip() if line else at_end
