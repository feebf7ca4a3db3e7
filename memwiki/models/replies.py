"""Replies that were valid, kept in the user's cache folder: asking the same again is free, and a
run that broke off goes on."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from memwiki.digest import digest_of
from memwiki.files.read import bytes_of
from memwiki.files.temporary import write_whole
from memwiki.models.port import Ask

MODELS_FOLDER = "models"  # of the user's cache folder
MAX_BYTES = 64_000_000
_MAX_REPLY_BYTES = 9_000_000
_FOLDER = "replies"


class Replies:
    """A file a reply, by the hash of model, host, job and request; only its user may read it."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder / _FOLDER if folder else None

    def get(self, chat_key: str, ask: Ask) -> str | None:
        """The text of a reply."""
        if self._folder:
            with suppress(OSError, UnicodeDecodeError):
                return bytes_of(self._location(chat_key, ask), _MAX_REPLY_BYTES).decode()
        return None

    def put(self, chat_key: str, ask: Ask, text: str) -> None:
        """Keep a reply; the oldest ones give way. Where nothing can be written, nothing is."""
        if self._folder:
            with suppress(OSError, UnicodeEncodeError):
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                write_whole(self._location(chat_key, ask), text.encode(), mode=0o600)
                self._shrink()

    def size(self) -> tuple[int, int]:
        """How many replies there are, and their bytes."""
        files = self._files()
        return len(files), sum(size for _, size, _ in files)

    def forget(self) -> int:
        """Delete all of them; tell how many went."""
        files = self._files()
        for _, _, location in files:
            with suppress(OSError):
                location.unlink()
        return len(files)

    def _shrink(self) -> None:
        files = sorted(self._files())
        left = sum(size for _, size, _ in files)
        for _, size, location in files:
            if left <= MAX_BYTES:
                return
            with suppress(OSError):
                location.unlink()
            left -= size

    def _files(self) -> list[tuple[int, int, Path]]:
        """When each was written, its size and the file."""
        found = []
        with suppress(OSError):
            for location in self._folder.iterdir() if self._folder else ():
                with suppress(OSError):
                    state = location.lstat()
                    found.append((state.st_mtime_ns, state.st_size, location))
        return found

    def _location(self, chat_key: str, ask: Ask) -> Path:
        messages = [list(each) for each in ask.messages]
        parts = [chat_key, ask.job, ask.schema, messages, ask.max_tokens, ask.temperature]
        text = json.dumps(parts, sort_keys=True)
        return Path(str(self._folder), f"{digest_of(text.encode())}.txt")
