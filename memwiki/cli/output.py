"""The only place that prints: data goes to stdout, talk to stderr."""

from __future__ import annotations

import io
import os
import sys

from memwiki.errors import WriteError


def prepare() -> None:
    """Let any file name and any character through, as UTF-8 and with line ends as they are."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A lone surrogate (an undecodable file name) becomes `\\udcff`, valid in JSON too.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def show(text: str) -> None:
    """Print data; nothing at all when there is none."""
    if text:
        sys.stdout.write(f"{text}\n")


def show_as_is(text: str) -> None:
    """Print data without adding a byte."""
    sys.stdout.write(text)


def show_bytes(data: bytes) -> None:
    """Print data that may be in any encoding, byte by byte."""
    sys.stdout.flush()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.buffer.write(data)
    else:  # a stand-in without bytes below it
        sys.stdout.write(data.decode("utf-8", "backslashreplace"))


def talk(text: str) -> None:
    """Print what is meant for people: notes, hints, errors."""
    sys.stderr.write(f"{text}\n")


def ask(question: str) -> None:
    """Print a question, to be answered on the same line."""
    sys.stderr.write(question)
    sys.stderr.flush()


def flush() -> None:
    """Hand everything over now, while a failure can still be met."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        abandon()
        reason = error.strerror or error
        raise WriteError(f"standard output: {reason}", hint="look after where it goes") from error


def abandon() -> None:
    """Stop writing to a reader that went away; the interpreter would complain at its end."""
    from contextlib import suppress

    with suppress(OSError, ValueError):
        shown = sys.stdout.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, shown)
        os.close(nowhere)


def width() -> int | None:
    """Columns of the terminal that shows stdout, None when it is a pipe or a file."""
    if not sys.stdout.isatty():
        return None
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def has_watcher() -> bool:
    """Whether a person is looking at stderr."""
    return sys.stderr.isatty()
