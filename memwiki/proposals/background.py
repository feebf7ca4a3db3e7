"""What waits, begun in a process of its own, which outlives the command that began it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress

from memwiki.sync.context import Context


def begin_waiting(context: Context, environ: Mapping[str, str]) -> bool:
    """Let another process extract what is due; whether it could be begun."""
    import subprocess

    scope = context.scope()
    named = ["-n", scope.name] if scope.base else []
    command = [sys.executable, "-m", "memwiki", "-C", str(context.root), *named]
    with suppress(OSError):
        subprocess.Popen(
            [*command, "extract", "--waiting", "--due"],
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        return True
    return False
