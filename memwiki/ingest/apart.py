"""Converting in a process of its own: a document that fills the memory, never ends or brings a
library down does so there, and is one error here."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence

from memwiki.errors import TooLargeError, UnreadableError

MAX_SECONDS = 60
MAX_MEMORY = 2 << 30  # bytes of address space
SMALLER = "split it, or save it as text"
_CHILD = (
    "import json, sys; task = json.loads(sys.stdin.buffer.readline()); sys.path[:] = task['path']; "
    "from memwiki.ingest.converters import answer; answer(task)"
)


def require_page_size(said: str, size: int, max_bytes: int) -> None:
    """TooLargeError for more bytes of text than a page may have."""
    if size > max_bytes:
        raise TooLargeError(
            f"{said}: has {size} bytes of text, over {max_bytes}",
            "split it, or raise files.max_bytes",
        )


def convert_apart(
    python: Sequence[str], kind: str, said: str, data: bytes, max_bytes: int
) -> tuple[str, str]:
    """The text of a document of that kind and its title, by a process that `python` starts.

    Raises UnreadableError for what cannot be converted, or not within MAX_SECONDS and MAX_MEMORY,
    and TooLargeError for more text than `max_bytes`.
    """
    task = {
        "path": list(map(str, sys.path)),
        "kind": kind,
        "said": said,
        "max_bytes": max_bytes,
        "max_memory": MAX_MEMORY,
        "max_seconds": MAX_SECONDS,
    }
    try:
        done = subprocess.run(
            [*python, "-c", _CHILD],
            input=json.dumps(task).encode() + b"\n" + data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=MAX_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise UnreadableError(f"{said}: takes over {MAX_SECONDS} s to read", SMALLER) from error
    if done.returncode:  # it was ended, or fell
        raise UnreadableError(f"{said}: is damaged, or too large to be read", SMALLER)
    found = json.loads(done.stdout)
    if "code" not in found:
        return found["text"], found["title"]
    is_large = found["code"] == TooLargeError.code
    raise (TooLargeError if is_large else UnreadableError)(found["message"], found["hint"])
