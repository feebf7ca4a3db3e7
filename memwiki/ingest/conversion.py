"""What the process does that converts one document; `ingest/apart.py` starts it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import suppress

from memwiki.errors import TooLargeError, UnreadableError
from memwiki.ingest.apart import MAX_MEMORY, SMALLER, require_page_size
from memwiki.ingest.converters import ConvertedText, converter_of


def answer(task: Mapping[str, str]) -> None:
    """Convert the rest of the input, and say as JSON what became of it: text and title, or the
    code, the message and the hint of an error."""
    _bound(int(task["max_memory"]), int(task["max_seconds"]))
    try:
        data = sys.stdin.buffer.read()
        found = converted(task["kind"], task["said"], data, int(task["max_bytes"]))
        said = {"text": found.text, "title": found.title}
    except (UnreadableError, TooLargeError) as error:
        said = {"code": error.code, "message": error.message, "hint": error.hint}
    sys.stdout.write(json.dumps(said))


def _bound(memory: int, seconds: int) -> None:
    with suppress(ImportError, ValueError, OSError):  # where no such bound can be set
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        # Its parent ends it before; but if that is killed itself, nobody does.
        resource.setrlimit(resource.RLIMIT_CPU, (2 * seconds, 2 * seconds))


def converted(kind: str, said: str, data: bytes, max_bytes: int) -> ConvertedText:
    """The text of a document, or one of both errors for whatever is odd about it."""
    try:
        found = converter_of(kind)(said, data)
        require_page_size(said, len(found.text.encode("utf-8", "replace")), max_bytes)
    except (UnreadableError, TooLargeError):
        raise
    except RecursionError as error:
        raise UnreadableError(f"{said}: is nested too deeply", "save it as text") from error
    except MemoryError as error:
        memory = f"{MAX_MEMORY >> 30} GB of memory"
        raise UnreadableError(f"{said}: takes over {memory} to read", SMALLER) from error
    except Exception as error:
        raise UnreadableError(
            f"{said}: is damaged ({type(error).__name__})", "fetch it again, or save it as text"
        ) from error
    return found
