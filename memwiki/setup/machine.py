"""What this machine keeps and runs of workspaces: indexes, the hits that a terminal was shown last;
the page server, noted for its user, and who answers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from memwiki.answers.workspaces import CacheEntry, CacheList
from memwiki.clock import now_ns
from memwiki.config import cache_root, environment
from memwiki.digest import blake2b
from memwiki.errors import MemwikiError, NotFoundError
from memwiki.files.lock import Lock
from memwiki.files.private_socket import PrivateSocket
from memwiki.files.read import bytes_of
from memwiki.files.temporary import machine, write_whole
from memwiki.index.cache_files import ShownHits
from memwiki.index.cache_folder import CacheFolder, cache_folders
from memwiki.index.cache_folder import bytes_of as bytes_in
from memwiki.nouns import Environ


def caches(environ: Environ, *, prune: bool) -> CacheList:
    """Every index in the cache folder; with `prune` those go whose workspace is gone."""
    cache = cache_root(environ)
    if cache is None:
        return CacheList(())
    entries = [
        CacheEntry(workspace, str(folder), bytes_in(folder), is_orphan=not Path(workspace).is_dir())
        for folder, workspace in cache_folders(cache)
    ]
    if not prune:
        return CacheList(tuple(entries))
    orphans = [entry for entry in entries if entry.is_orphan]
    for entry in orphans:
        shutil.rmtree(entry.place, ignore_errors=True)
    kept = tuple(entry for entry in entries if not entry.is_orphan)
    return CacheList(kept, tuple(entry.place for entry in orphans))


def note_shown(root: Path, terminal: str, paths: Sequence[str]) -> None:
    """Note what was shown; where nothing can be written, nothing is."""
    hits = _hits(root, terminal)
    if hits:
        hits.note(paths, now_ns())


def path_of_hit(root: Path, terminal: str, number: int) -> str:
    """The path of the hit of this number; NotFoundError, with the next step, where none is."""
    hits = _hits(root, terminal)
    paths = hits.paths(now_ns()) if hits else None
    if paths is None:
        raise NotFoundError(
            f"{number}: no page has this name, and no search was shown in this terminal within"
            " the last hour",
            f"memwiki search WORDS, then memwiki open {max(number, 1)}",
        )
    if not 1 <= number <= len(paths):
        count = "1 hit" if len(paths) == 1 else f"{len(paths)} hits"
        raise NotFoundError(
            f"{number}: no page has this name, and the last search here showed {count}",
            f"memwiki open 1 to {len(paths)}" if paths else "memwiki search other words",
        )
    return paths[number - 1]


def _hits(root: Path, terminal: str) -> ShownHits | None:
    cache = cache_root(environment(), root)
    return ShownHits(CacheFolder(cache, root).path, terminal) if cache else None


_NAME = "web.json"
# Below the ports that systems give away by themselves; browsers refuse none of these.
_FIRST_PORT, _PORTS = 20_000, 10_000


class RunningServer(NamedTuple):
    """Where a server is, what opens it, and what it shows."""

    base: str  # its address up to the path
    token: str
    port: int
    namespace: str
    has_private: bool
    is_read_only: bool


@contextmanager
def announce_server(folder: Path, server: RunningServer) -> Iterator[None]:
    """Let others find a server while it runs; of several the first is the one that is found."""
    lock = _lock(folder)
    is_first = False
    with suppress(MemwikiError, OSError):  # one that nobody finds serves all the same
        is_first = lock.acquire(0)
        if is_first:
            write_whole(folder / _NAME, json.dumps([_holder(lock), *server]).encode())
    try:
        yield
    finally:
        if is_first:
            with suppress(OSError):
                write_whole(folder / _NAME, b"")
            lock.release()


def running(folder: Path) -> RunningServer | None:
    """The server that runs now, on this machine. One that was killed holds no lock; and what it
    noted is not taken for what the next one does, which may have had no time or no room for it."""
    with suppress(OSError, ValueError, TypeError, RecursionError):
        lock = _lock(folder)
        if lock.is_taken():
            holder, *server = json.loads(bytes_of(folder / _NAME))
            return RunningServer(*server) if holder == _holder(lock) else None
    return None


def own_port(root: Path) -> int:
    """The port that a workspace asks for first. What a browser keeps, such as drafts, it keeps by
    host and port: so it is found again by the next server."""
    digest = blake2b(str(root).encode("utf-8", "surrogateescape"), digest_size=8).digest()
    return _FIRST_PORT + int.from_bytes(digest, "big") % _PORTS


def _holder(lock: Lock) -> str:
    """Who holds it, and where: a cache folder may be shared by machines, a port is not."""
    return f"{lock.owner()} on {machine()}"


def _lock(folder: Path) -> Lock:
    return Lock(folder / "web.lock")


__all__ = ["PrivateSocket", "private_socket"]


def private_socket() -> PrivateSocket | None:
    """The socket of this user; None where no folder can be closed to others."""
    cache = cache_root(environment())
    place = PrivateSocket(cache) if cache else None
    return place if place and place.is_closed() else None
