"""Ending the watcher of a workspace that runs in another process."""

from __future__ import annotations

import os
import signal
from time import monotonic, sleep

from memwiki.answers.index import WatcherProcess
from memwiki.errors import LockedError, NotFoundError
from memwiki.index.cache_files import Heartbeat
from memwiki.sync.live import LiveIndex

_PATIENCE_S, _LOOK_S = 10.0, 0.02


def stop_watcher(live: LiveIndex) -> WatcherProcess:
    """Ask it to end, and wait until it has. NotFoundError where there is none, LockedError where it
    is part of a program that does other things, or does not end."""
    root, folder = live.context.root, live.cache_folder
    heartbeat = Heartbeat(folder.whole) if folder else None
    beat = heartbeat.last() if heartbeat else None
    if heartbeat is None or beat is None or not heartbeat.has_watcher():
        raise NotFoundError(f"{root}: no watcher is running", "memwiki watch --background")
    if not beat.is_alone:
        what = f"is watched by a part of process {beat.pid}, which does other things too"
        raise LockedError(f"{root}: {what}", "end that program")
    os.kill(beat.pid, signal.SIGTERM)
    until = monotonic() + _PATIENCE_S
    while heartbeat.has_watcher():
        if monotonic() > until:
            what = f"process {beat.pid} does not end"
            raise LockedError(f"{root}: {what}", "memwiki status reports the running watcher")
        sleep(_LOOK_S)
    return WatcherProcess(str(root), beat.pid, running=False)
