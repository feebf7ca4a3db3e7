"""The only place that prints, data to stdout and talk to stderr, and the only one that reads what
is handed over: piped in, or in a file."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memwiki.errors import UnreadableError, UsageError, WriteError, reason_of

_STREAMS = ("stdin", "stdout", "stderr")
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


def prepare() -> None:
    """Let any file name and any character through, as UTF-8 and with line ends as they are."""
    _reopen_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A lone surrogate (an undecodable file name) becomes `\\udcff`, valid in JSON too.
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def _reopen_closed() -> None:
    """Put /dev/null in the place of what was closed by `>&-`: else the next file that is opened,
    such as a store of the index, would get its number and whatever is printed."""
    for number, name in enumerate(_STREAMS):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            _reopen(number, name)


def _reopen(number: int, name: str) -> None:
    opened = open(number, "w" if number else "r", encoding="utf-8", closefd=False)  # noqa: SIM115
    setattr(sys, name, opened)


def leave_streams() -> None:
    """Let go of what is read and printed: others wait for its end."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nowhere, number)
    os.close(nowhere)


_MAX_LOG_BYTES = 1_000_000
_log: list[Path] = []  # what is printed into, where it is one of ours


def log_to(file: Path) -> None:
    """Print into a file from here on, which begins anew."""
    leave_streams()
    log = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | _NO_FOLLOW, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    take_streams()
    _log.append(file)


def keep_log_short() -> None:
    """Begin it anew when it has become long; what else is printed into is left alone."""
    if _log and os.fstat(1).st_size > _MAX_LOG_BYTES:
        os.ftruncate(1, 0)


def take_streams() -> None:
    """Read and print what the three numbers are now, as a program that has just begun."""
    for number, name in enumerate(_STREAMS):
        _reopen(number, name)


def show(text: str) -> None:
    """Print data; nothing at all when there is none."""
    if text:
        show_as_is(f"{text}\n")


def show_as_is(text: str) -> None:
    """Print data without adding a byte."""
    with _named_failure():
        sys.stdout.write(text)


def show_bytes(data: bytes) -> None:
    """Print data that may be in any encoding, byte by byte."""
    flush()
    if isinstance(sys.stdout, io.TextIOWrapper):
        with _named_failure():
            sys.stdout.buffer.write(data)
    else:  # a stand-in without bytes below it
        sys.stdout.write(data.decode("utf-8", "backslashreplace"))


def talk(text: str) -> None:
    """Print what is meant for people: notes, hints, errors. That nobody can hear it changes
    nothing."""
    try:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
    except OSError:
        _abandon("stderr")


def ask(question: str) -> None:
    """Print a question, to be answered on the same line."""
    sys.stderr.write(question)
    sys.stderr.flush()


def flush() -> None:
    """Hand everything over now, while a failure can still be met."""
    with _named_failure():
        sys.stdout.flush()


@contextmanager
def _named_failure() -> Iterator[None]:
    """What cannot be printed is a failure of its own, unless the reader has had enough."""
    try:
        yield
    except BrokenPipeError:
        abandon()
        raise
    except OSError as error:
        abandon()
        what = f"standard output: {reason_of(error)}"
        raise WriteError(what, "check the file or program it goes to") from error


def abandon() -> None:
    """Stop writing to a reader that went away; the interpreter would complain at its end."""
    _abandon("stdout")


def _abandon(name: str) -> None:
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, getattr(sys, name).fileno())
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


def terminal_name() -> str:
    """What one terminal keeps from command to command: its device, else the session's number."""
    for number in (1, 0, 2):
        with suppress(OSError, AttributeError):  # Windows knows no names of terminals
            return os.ttyname(number)
    return f"session {os.getsid(0) if hasattr(os, 'getsid') else os.getppid()}"


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
    return sys.stdin.isatty() and width() is not None


def is_yes(question: str) -> bool:
    """Whether the person who sits there says yes."""
    return ask_person(question).lower() in ("y", "yes")


def ask_person(question: str, *, at_end: str = "") -> str:
    """What the person who sits there answers in one line; `at_end` where the input ended."""
    ask(question)
    line = sys.stdin.readline()
    return line.strip() if line else at_end
