"""What a watcher costs, and how soon an edit is searchable.

The vault is copied. `memwiki watch` runs as a process of its own; the clock stops when a process
that holds the index open sees the new digest of the page in the cards, which are fed last.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from measure import copied, environment, machine, memwiki, must, pages
from soak import usage

from memwiki.digest import digest_of
from memwiki.workspace import Workspace

_DEBOUNCE_MS = 50
_TARGET_MS, _AIM_MS = _DEBOUNCE_MS + 30, _DEBOUNCE_MS + 15
_IDLE_S = 30


def in_place(page: Path, data: bytes) -> None:
    """Save as most programs do."""
    page.write_bytes(data)


def through_a_temporary(page: Path, data: bytes) -> None:
    """Save as careful editors do."""
    temporary = page.with_name(f".{page.name}.tmp")
    temporary.write_bytes(data)
    temporary.replace(page)


def latency_ms(root: Path, space: Workspace, path: str, data: bytes, save) -> float:
    """From the end of a save until the index holds it."""
    wanted, cards = digest_of(data), space.live.stores().cards
    save(root / path, data)
    started = time.perf_counter()
    while cards.known([path])[path][0] != wanted:
        if time.perf_counter() - started > 10:
            raise TimeoutError(path)
        time.sleep(0.0005)
    return (time.perf_counter() - started) * 1000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vault", type=Path)
    parser.add_argument("--edits", type=int, default=50)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memwiki-watching-") as name:
        scratch = Path(name)
        root, env = scratch / "vault", environment(scratch / "cache")
        copied(args.vault, root)
        must(memwiki(root, "-q", "sync"), env)
        watcher = subprocess.Popen(
            memwiki(root, "watch", "--json"), env=env, stdout=subprocess.DEVNULL
        )
        try:
            found = measured(root, scratch, watcher.pid, args.edits)
        finally:
            watcher.send_signal(signal.SIGTERM)
            watcher.wait()
    print(json.dumps({**machine(), **found}, indent=1))


def measured(root: Path, scratch: Path, pid: int, edits: int) -> dict[str, object]:
    """The figures of a running watcher."""
    environ = {**os.environ, "MEMWIKI_CACHE_DIR": str(scratch / "cache")}
    space = Workspace.open(root, find=False, sync=False, environ=environ)
    time.sleep(5)  # its walk at the start
    paths = pages(root)
    found: dict[str, object] = {"pages": len(paths)}
    fresh_mb, _, _ = usage(pid)
    for save in (in_place, through_a_temporary):
        times = []
        for number in range(edits):
            path = paths[len(paths) * number // edits]
            data = (root / path).read_bytes() + f"\nedited {save.__name__}{number}\n".encode()
            times.append(latency_ms(root, space, path, data, save))
            # Sometimes at once again, sometimes while it rests, sometimes after that.
            time.sleep((0.05, 0.3, 3.0)[number % 3])
        found[f"{save.__name__}_ms"] = {
            "median": statistics.median(times),
            "p90": sorted(times)[int(len(times) * 0.9)],
            "most": max(times),
        }
    time.sleep(15)  # its rest
    before = usage(pid)
    time.sleep(_IDLE_S)
    after = usage(pid)
    space.close()
    return {
        **found,
        "target_ms": _TARGET_MS,
        "aim_ms": _AIM_MS,
        "memory_at_first_mb": fresh_mb,
        "memory_idle_mb": after[0],
        "idle_cpu_percent": (after[2] - before[2]) / _IDLE_S * 100,
    }


if __name__ == "__main__":
    main()
