"""Where the derived index of a workspace lies: a folder of ours in the user's cache, never the
workspace, because index files are pickles and opening a planted one would run code."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from memwiki.digest import blake2b
from memwiki.files import regular

_ORIGIN, _CURRENT, _SWEPT, _STAMP = "origin.json", "current", "swept.json", "stamp.json"


class Swept(NamedTuple):
    """The last walk that found index and files in step; `fingerprint` is the walk's."""

    fingerprint: str
    build: str  # the folder of the index that was in step
    pages: int
    ignored: int
    problems: int


class Place:
    """The folder of one workspace in the cache; each build of the index is a folder below it."""

    def __init__(self, cache: Path, root: Path) -> None:
        real = os.path.realpath(root)
        self.folder = cache / _folder_name(real)
        self.root = real

    @property
    def lock(self) -> Path:
        """The file whose lock makes one process the writer of the index."""
        return self.folder / "lock"

    def make(self) -> None:
        """Create the folder and say whose it is."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not (self.folder / _ORIGIN).exists():
            _write(self.folder / _ORIGIN, json.dumps({"workspace": self.root}))

    def current(self, recipe: str) -> Path | None:
        """The live build, if it was made by this recipe on this machine."""
        try:
            build = self.folder / _text(self.folder / _CURRENT).strip()
            stamp = json.loads(_text(build / _STAMP))
        except (OSError, ValueError):
            return None
        if not isinstance(stamp, dict) or stamp != {**_stamp(recipe), "build": build.name}:
            return None
        return build if build.parent == self.folder else None

    def last(self) -> Path | None:
        """The build that was live last, whatever made it: good for comparing, not for opening."""
        try:
            build = self.folder / _text(self.folder / _CURRENT).strip()
        except (OSError, ValueError):
            return None
        return build if build.parent == self.folder and build.is_dir() else None

    def new_build(self, recipe: str) -> Path:
        """An empty folder for a build, stamped; not live until `adopt`."""
        build = self.folder / f"build-{os.urandom(6).hex()}"
        build.mkdir(mode=0o700)
        _write(build / _STAMP, json.dumps({**_stamp(recipe), "build": build.name}))
        return build

    def adopt(self, build: Path) -> None:
        """Make a build the live one and remove all others; call it under the lock."""
        _write(self.folder / _CURRENT, build.name)
        self.sweep()

    def sweep(self) -> None:
        """Remove builds that are not live: what a killed reindex left; call it under the lock."""
        try:
            live = _text(self.folder / _CURRENT).strip()
        except OSError:
            live = ""
        import shutil

        for build in self.folder.glob("build-*"):
            if build.name != live:
                shutil.rmtree(build, ignore_errors=True)

    def swept(self) -> Swept | None:
        """The last walk that found everything in step."""
        try:
            row = json.loads(_text(self.folder / _SWEPT))
            swept = Swept(**row)
        except (OSError, ValueError, TypeError):
            return None
        return swept

    def remember(self, swept: Swept | None) -> None:
        """Note the last walk that found everything in step, or forget it."""
        if swept is None:
            (self.folder / _SWEPT).unlink(missing_ok=True)
        else:
            _write(self.folder / _SWEPT, json.dumps(swept._asdict()))

    def bytes(self) -> int:
        """How much disk the folder takes."""
        return bytes_of(self.folder)


def bytes_of(folder: Path) -> int:
    """How much disk a folder takes; files that vanish meanwhile take none."""
    total = 0
    for place, _, names in os.walk(folder):  # which passes over folders that vanish, too
        for name in names:
            with suppress(OSError):
                total += Path(place, name).stat().st_size
    return total


def all_places(cache: Path) -> Iterator[tuple[Path, str]]:
    """Every folder in the cache that is one of ours, with the workspace it belongs to.

    Ours is only what bears the name that its workspace gives it; anything else is not even listed.
    """
    for origin in sorted(cache.glob(f"*/{_ORIGIN}")):
        try:
            workspace = str(json.loads(_text(origin))["workspace"])
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if origin.parent.name == _folder_name(workspace):
            yield origin.parent, workspace


def _folder_name(real: str) -> str:
    name = "".join(c if c.isalnum() else "-" for c in Path(real).name)[:40] or "root"
    return f"{name}-{blake2b(os.fsencode(real), digest_size=8).hexdigest()}"


def _stamp(recipe: str) -> dict[str, str]:
    # The machine counts because postings are written in its byte order.
    name = os.uname().nodename if hasattr(os, "uname") else ""
    return {"recipe": recipe, "machine": f"{name} {sys.platform} {sys.byteorder}"}


def _text(path: Path) -> str:
    return regular.bytes_of(path).decode("utf-8")


def _write(path: Path, text: str) -> None:
    temporary = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(3).hex()}")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)
