"""The pages of the hits that each terminal was shown last: a small file in the cache folder."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from memwiki.digest import blake2b
from memwiki.index.cache_files import read_object, write_private

_KEPT_NS = 3600 * 10**9


class ShownHits(NamedTuple):
    """What one terminal was shown of the workspace that this folder in the cache is of."""

    folder: Path
    terminal: str

    @property
    def _file(self) -> Path:
        name = self.terminal.encode("utf-8", "surrogateescape")
        return self.folder / f"shown-{blake2b(name, digest_size=8).hexdigest()}.json"

    def paths(self, now_ns: int) -> list[str] | None:
        """The paths, best hit first; None when nothing was shown within the last hour."""
        stored = read_object(self._file) or {}
        at, paths = stored.get("at"), stored.get("paths")
        if not isinstance(at, int) or not isinstance(paths, list):
            return None
        return [str(path) for path in paths] if 0 <= now_ns - at <= _KEPT_NS else None

    def note(self, paths: Sequence[str], now_ns: int) -> None:
        """Note what was shown, and forget what is over; where nothing can be written, nothing
        is."""
        with suppress(OSError):
            if self.folder.is_dir():
                self._forget(now_ns)
                write_private(self._file, {"at": now_ns, "paths": list(paths)})

    def _forget(self, now_ns: int) -> None:
        for file in self.folder.glob("shown-*"):
            with suppress(FileNotFoundError):
                if now_ns - file.lstat().st_mtime_ns > _KEPT_NS:
                    file.unlink()
