"""The archives that a large export of Notion is packed in, as one source."""

from __future__ import annotations

import io
from collections.abc import Sequence

from memwiki.carry.importers.safe_names import is_hidden
from memwiki.carry.source import MOST_BYTES, MOST_FILES, Source, ZipSource, refused

_MOST_ARCHIVES = 100


def unpacked(source: Source) -> Source:
    """What is in the archives of a source of nothing but these; any other source as it is."""
    names = [name for name in source.names() if not is_hidden(name)]
    is_packed = names and all(name.lower().endswith((".zip", "index.html")) for name in names)
    if not is_packed or source.names() == (source.name,):
        return source
    return _Parts(source, [name for name in names if name.lower().endswith(".zip")])


class _Parts:
    """The files of several archives; of two with one name that of the first is read."""

    def __init__(self, source: Source, archives: Sequence[str]) -> None:
        self.name = source.name
        if len(archives) > _MOST_ARCHIVES:
            raise refused(self.name, f"holds more than {_MOST_ARCHIVES} archives")
        self._parts: dict[str, ZipSource] = {}
        for archive in archives:
            part = _opened(archive, source.read(archive))
            self._parts = {**dict.fromkeys(part.names(), part), **self._parts}
        if len(self._parts) > MOST_FILES:
            raise refused(self.name, f"holds more than {MOST_FILES} files")
        self._left = MOST_BYTES

    def names(self) -> Sequence[str]:
        """The files in them."""
        return sorted(self._parts)

    def read(self, name: str) -> bytes:
        """All of one file."""
        data = self._parts[name].read(name)
        self._left -= len(data)
        if self._left < 0:
            raise refused(self.name, f"holds more than {MOST_BYTES // 10**9} GB")
        return data

    def head(self, name: str) -> bytes:
        """Its first 4 KB."""
        return self._parts[name].head(name)


def _opened(name: str, data: bytes) -> ZipSource:
    from zipfile import BadZipFile, ZipFile

    from memwiki.errors import UnreadableError

    try:
        return ZipSource(name, ZipFile(io.BytesIO(data)), len(data))
    except BadZipFile as error:
        hint = "unpack it and import the folder"
        raise UnreadableError(f"{name}: {error}; nothing was imported", hint=hint) from error
