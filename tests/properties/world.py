"""A real folder with its index, and everything that may happen to the two of them."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import pytest
import whoosh.writing
from third import Third, enable

from memwiki.errors import IndexDamagedError
from memwiki.files.scan import scan
from memwiki.index.cache_folder import CacheFolder
from memwiki.index.cards.store import Cards
from memwiki.index.keyword.backend import Manifest
from memwiki.index.keyword.whoosh_backend import WhooshBackend
from memwiki.index.stores import Dump, Stores, dump
from memwiki.sync import request as prepared
from memwiki.sync import request as syncing
from memwiki.sync.feed import sync_stores
from memwiki.sync.request import SyncRequest
from memwiki.workspace import Workspace

# Few paths and few bodies: bugs hide in things that come back, not in things that are random.
PATHS = (
    "a.md",
    "A.md",
    "b.md",
    "memory.md",
    "index.md",
    "caf\u00e9.md",
    "cafe\u0301.md",
    "sub/a.md",
    "sub/b.markdown",
    "sub/deep/c.md",
    "sub/index.md",
    "raw/a.md",
    "picture.png",
    "notes.md",
)
FOLDERS = ("sub", "sub/deep", "raw", "moved")
BODIES = (
    b"# A\n\none [[b]] #x\n",
    b"# A\n\ntwo [[b]] #y\n",  # as long as the one before
    b"# A\n\none [[b]] #x\n\n## B\n\none [[b]] #x\n",
    b"- one\n- two\n",
    b"- one\n- one\n- two ^m-aaaaaa\n",
    b"- two\n- one\n- one ^m-aaaaaa\n",
    b"- one [subject:: b] [entities:: a, [[x]]] [because:: m-aaaaaa 0.5]\n  - topic:: z\n",
    b"---\ntitle: b\ntags: [x, z]\naliases: [a]\n---\none two\n",
    b"+++\ntitle = 'b'\naliases = ['a']\n[taxonomies]\ntags = ['x']\n+++\none two\n",
    b"",
    b"\xff\x00 one \xe5\x90\x91\xe9\x87\x8f [x](sub/a.md)\n",
    b"<!-- memwiki:catalog:begin -->\n- [A](a.md)\n<!-- memwiki:catalog:end -->\n",
    b"".join(b"# H%d\n\none two three\n\n%s\n\n" % (n, b"word " * 150) for n in range(4)),
    b"# H1\n\nfirst\n\n"
    + b"".join(b"# H%d\n\none\n\n%s\n\n" % (n, b"word " * 150) for n in range(4)),
)
SETTINGS = (
    b"",
    b'[layers]\nmemory = "notes.md"\n',
    b"[files]\nmax_bytes = 30\n",
    b'[layers]\nraw = "raw"\n',
)


class Crash(BaseException):
    """The process dies here."""


def _die(*_: object, **__: object) -> None:
    raise Crash


def _then_die(real: Callable[..., object]) -> Callable[..., None]:
    def run(*arguments: object, **named: object) -> None:
        real(*arguments, **named)
        raise Crash

    return run


# Where a sync may be cut off: what is patched, and with what.
CRASHES: dict[str, tuple[object, str, Callable[[Callable[..., object]], Callable[..., object]]]] = {
    "before the postings": (WhooshBackend, "apply", lambda _: _die),
    "in the commit, list announced": (whoosh.writing.SegmentWriter, "commit", lambda _: _die),
    "between commit and list": (whoosh.writing.SegmentWriter, "commit", _then_die),
    "between postings and cards": (WhooshBackend, "apply", _then_die),
    "in the cards": (Cards, "_insert", _then_die),
    "after the cards": (Cards, "apply", _then_die),
    "before signatures are noted": (Cards, "remember", lambda _: _die),
    "before the agreement is noted": (Cards, "note", lambda _: _die),
    "before the clean scan is noted": (CacheFolder, "note_clean_scan", lambda _: _die),
    "while the list is folded in": (Manifest, "note", lambda _: _die),
}


class World:
    """What a person, an editor, a crash and a cleaner do to a workspace."""

    def __init__(self) -> None:
        self.base = Path(tempfile.mkdtemp(prefix="memwiki-world-"))
        self.root, self.cache = self.base / "ws", self.base / "cache"
        (self.root / ".memwiki").mkdir(parents=True)
        self.ahead_ns = 0
        self.is_harmed = False
        self.third, self.has_third = Third(), False
        self._patch = pytest.MonkeyPatch()
        real = syncing.now_ns
        for room in (syncing, prepared):
            self._patch.setattr(room, "now_ns", lambda: real() + self.ahead_ns)
        self.environ = {"MEMWIKI_CACHE_DIR": str(self.cache)}
        self.ws = self.open()

    def open(self) -> Workspace:
        return Workspace(self.root, environ=self.environ, clock=lambda: syncing.now_ns())  # noqa: PLW0108 - patched later

    def close(self) -> None:
        self.ws.close()
        self._patch.undo()
        shutil.rmtree(self.base)

    def have_third(self, is_enabled: bool, number: str = "1") -> None:
        """A third store is there from now on, or not; the process is another one."""
        self.has_third = is_enabled
        enable(self._patch, *([self.third.kind(number)] if is_enabled else []))
        self.restart()

    def restart(self) -> None:
        """The process ends, another one begins."""
        self.ws.close()
        self.ws = self.open()

    # --- files ---

    def write(self, path: str, body: bytes) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(body)

    def replace(self, path: str, body: bytes) -> None:
        """Saved as careful editors do: another file, renamed over the old one."""
        self.write(f"{path}.tmp", body)
        (self.root / f"{path}.tmp").replace(self.root / path)

    def edit_in_secret(self, path: str, body: bytes) -> None:
        """Other bytes of the same length under the old mtime."""
        place = self.root / path
        with suppress(OSError):
            old = place.stat()
            new = (body + b"#" * old.st_size)[: old.st_size]
            place.write_bytes(new)
            os.utime(place, ns=(old.st_atime_ns, old.st_mtime_ns))

    def touch(self, path: str, age_days: int) -> None:
        with suppress(OSError):
            stamp = 1_700_000_000 - age_days * 86_400
            os.utime(self.root / path, (stamp, stamp))

    def delete(self, path: str) -> None:
        with suppress(OSError):
            (self.root / path).unlink()

    def rename(self, old: str, new: str) -> None:
        with suppress(OSError):
            (self.root / new).parent.mkdir(parents=True, exist_ok=True)
            (self.root / old).rename(self.root / new)

    def swap(self, one: str, other: str) -> None:
        """Two files trade places, and bring their mtimes and inodes along."""
        if (self.root / one).is_file() and (self.root / other).is_file():
            self.rename(one, "third")
            self.rename(other, one)
            self.rename("third", other)

    # --- index ---

    def sync(self, *, is_aged: bool, **named: object) -> None:
        """Sync; `is_aged` makes the signatures taken now old enough to be proof."""
        self.ahead_ns = 3600 * 10**9 if is_aged else 0
        self.ws.sync(**named)

    def follow(self, hint: Iterable[str], *, is_aged: bool) -> None:
        """Sync where somebody says that files changed, be it true or not."""
        self.ahead_ns = 3600 * 10**9 if is_aged else 0
        self.ws.live.sync_paths(list(hint))

    def crash(self, where: str, *, is_aged: bool, is_reversed: bool = False) -> None:
        """A sync is cut off."""
        owner, name, make = CRASHES[where]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(owner, name, make(getattr(owner, name)))
            if is_reversed:
                real = Stores.projections
                patch.setattr(Stores, "projections", lambda self: tuple(reversed(real(self))))
            with suppress(Crash):
                self.sync(is_aged=is_aged)

    def build(self) -> Path | None:
        place = self.ws.live.cache_folder
        with suppress(OSError):
            return place.path / (place.path / "current").read_text().strip()
        return None

    def lose(self, what: str) -> None:
        """Something of the index is gone."""
        self.is_harmed = True
        build = self.build()
        if build is None:
            return
        lost = {
            "cards": build.glob("cards.sqlite*"),
            "keyword": [build / "keyword"],
            "list": (build / "keyword").glob("held.sqlite*"),
            "sweep": [build.parent / "swept.json"],
            "pointer": [build.parent / "current"],
            "stamp": [build / "stamp.json"],
            "build": [build],
            "cache": [self.cache],
        }
        for path in list(lost[what]):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    def change_settings(self, text: bytes) -> None:
        (self.root / "memwiki.toml").write_bytes(text)
        self.ws.reload()

    # --- the law ---

    def rebuilt(self) -> Dump:
        stores = Stores(None)
        seen = scan(self.root, ignore=self.ws.live.context.ignore())
        sync_stores(self.root, seen, stores, self.ws.live.settings, SyncRequest())
        rows = dump(stores)
        stores.close()
        return rows

    def check(self) -> None:
        """The live index holds what a rebuild holds, and nothing had to be healed on the way."""
        live, anew = self.live(), self.rebuilt()
        assert {key for key in live.keys() | anew.keys() if live.get(key) != anew.get(key)} == set()
        stores = self.ws.live.stores()
        stores.require_same_units()
        seen = scan(self.root, ignore=self.ws.live.context.ignore())
        assert set(stores.cards.digests()) == set(stores.keyword.digests()) == set(seen.files)
        if self.has_third:
            assert self.third.held == dict(stores.cards.digests())
        assert self.is_harmed or self.ws.live.warnings == []

    def live(self) -> Dump:
        """The rows of the index, mended as any question would when a loss shows only now."""
        try:
            return dump(self.ws.live.stores())
        except IndexDamagedError:
            assert self.is_harmed
            self.ws.live.rebuild("lost")
            return dump(self.ws.live.stores())
