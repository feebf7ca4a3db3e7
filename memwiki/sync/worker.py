"""A process that reads pages and makes them ready for the stores; `sync/workers.py` starts it.

It is started by its path, so that no program that uses memwiki is imported a second time. It is
told everything through its input, and ends when that ends: then the parent is gone.
"""

from __future__ import annotations

import gc
import json
import os
import pickle
import signal
import sys
import threading
from collections import deque
from pathlib import Path
from typing import BinaryIO

_WAITING_BYTES = 8_000_000  # made and not taken yet, while the parent writes what it has
LENGTH_BYTES = 8


class _Outbox:
    """What is made, on its way out: the next pages are made while the parent is busy."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._changed = threading.Condition()
        # A daemon, so that a worker that fails ends, and its parent learns of it.
        self._sender = threading.Thread(target=self._send, daemon=True)
        self._sender.start()

    def put(self, data: bytes) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._bytes < _WAITING_BYTES)
            self._waiting.append(data)
            self._bytes += len(data)
            self._changed.notify_all()

    def end(self) -> None:
        self.put(b"")
        self._sender.join()

    def _send(self) -> None:
        while data := self._next():
            self._out.write(len(data).to_bytes(LENGTH_BYTES, "big") + data)
            self._out.flush()

    def _next(self) -> bytes:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting)
            data = self._waiting.popleft()
            self._bytes -= len(data)
            self._changed.notify_all()
            return data


def main() -> None:
    """Make what standard input asks for, in that order."""
    gc.disable()  # pages hold no cycles, and it takes a tenth of the time to look for some
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's, which ends its workers
    path, folder, (layers, *others), parts = json.loads(sys.stdin.buffer.readline())
    sys.path[:] = [*path, str(Path(__file__).parents[2])]
    from memwiki.nouns import Dialect, Layers, Nested
    from memwiki.sync.context import IndexSettings, public_root
    from memwiki.sync.request import prepared

    *folders, dialect, nested = layers
    below = tuple(Nested(daily, Dialect(*form)) for daily, form in nested)
    own = Layers(*folders)._replace(dialect=Dialect(*dialect), nested=below)
    settings = IndexSettings(own, *others)
    root = public_root(Path(folder), settings.layers) if settings.is_public else Path(folder)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    outbox = _Outbox(sys.stdout.buffer)
    for paths in parts:
        made = [prepared(root, each, settings) for each in paths]
        outbox.put(pickle.dumps(made, pickle.HIGHEST_PROTOCOL))
    outbox.end()


def _end_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)  # nothing more is sent: it is the end that comes
    os._exit(1)


if __name__ == "__main__":
    main()
