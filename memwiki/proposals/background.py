"""What waits, begun in a process of its own, which outlives the command that began it."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

from memwiki.sync.context import Context


def begin_waiting(context: Context, environ: Mapping[str, str]) -> bool:
    """Let another process extract what is due; whether it could be begun."""
    return begin(context, environ, ["extract", "--waiting", "--due"])


def begin(context: Context, environ: Mapping[str, str], words: Sequence[str]) -> bool:
    """Let another process do what a command does; whether it could be begun."""
    scope = context.scope()
    named = ["-n", scope.name] if scope.base else []
    # -P: not a package of this name in the current folder, which may be from elsewhere.
    command = [sys.executable, "-P", "-m", "memwiki", "-C", str(context.root), *named]
    with suppress(OSError):
        start([*command, *words], environ)
        return True
    return False


def start(command: Sequence[str], environ: Mapping[str, str]) -> None:
    """Begin a program that nobody waits for."""
    import subprocess
    import threading

    process = subprocess.Popen(
        command,
        env=dict(environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    # Its end is taken note of, where the one who began it lives on, as a server does.
    threading.Thread(target=process.wait, name="extract", daemon=True).start()
