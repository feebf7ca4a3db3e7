"""What a watcher, of this process or of another one, knows of files and index."""

from __future__ import annotations

from memwiki.errors import MemwikiError
from memwiki.index.cache_files import Heartbeat
from memwiki.index.damage import SqlError
from memwiki.sync.builds import READER_WAIT_MS
from memwiki.sync.live import LiveIndex
from memwiki.sync.open_index import PUBLIC

MAX_SILENCE_S = 15  # of a watcher; after it nothing that it said counts


def known_until(live: LiveIndex) -> int:
    """Up to when, in nanoseconds, a watcher knows that the index holds what the files say; 0 where
    none does."""
    folder = live.cache_folder
    beat = Heartbeat(folder.whole).last() if folder else None
    if folder is None or beat is None or live.build_name not in beat.builds:
        return 0
    is_recent = 0 <= live.context.clock() - beat.known < MAX_SILENCE_S * 10**9
    is_told = is_recent and Heartbeat(folder.whole).has_watcher()
    return beat.known if is_told and _are_synced(live) else 0


def synced_public(live: LiveIndex) -> str:
    """Bring the index of what is not private up to date, where somebody has asked it and it is
    another one; gives its build."""
    folder = live.cache_folder
    if not (folder and folder.has_part(PUBLIC) and live.has_private()):
        return ""
    public = live.own_public()
    return public.build_name if public.sync(wait_ms=READER_WAIT_MS).fresh else ""


def _are_synced(live: LiveIndex) -> bool:
    """Whether nobody is between two of the stores now."""
    try:
        with live.opened() as stores:
            return stores.are_synced()
    except (MemwikiError, OSError, SqlError):
        return False  # whoever reads it meets the same
