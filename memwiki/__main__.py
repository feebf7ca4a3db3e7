"""The command `memwiki`."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from memwiki.cli.warm.client import ask_server


def main() -> int:
    """Have the command answered by a process that has everything loaded, or run it here, and end
    the process at once.

    What was answered is flushed and what was opened is closed; to take all objects apart as well,
    as the interpreter does, would be a seventh of a search (2026-11-25).
    """
    code = ask_server()
    if code is None:
        from memwiki.cli.main import main as run

        code = run()
    threads = sys.modules.get("threading")  # where nobody loaded it, there is one
    if threads and threads.active_count() > 1:  # somebody is still at work
        return code
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    sys.exit(main())
