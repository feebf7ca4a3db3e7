"""What a server takes of the dialect, learned from what it refused and kept in the cache."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from memwiki.digest import text_hash
from memwiki.files.read import bytes_of
from memwiki.files.temporary import write_whole
from memwiki.text import pattern

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
