"""What `check` costs in processor time and memory: the first one, one after nothing changed, one
after an edit.

The vault is copied and synced before; commands run as a shell runs them. An edit changes the text
of a page in the middle, and the check after it brings the index in step as well. Exits 1 when a
vault of up to 32,000 pages takes more than the target.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from measure import (
    CommandFailedError,
    Run,
    copied,
    environment,
    memwiki,
    must,
    pages,
    run,
    settle,
    table,
)

_TARGET_S = 3.0
_MAX_PAGES = 32_000  # pages to which the target applies
_RUNS = 5


def checked(root: Path, env: Mapping[str, str]) -> Run:
    """One check, with problems or without."""
    done = run(memwiki(root, "check", "--quiet"), env)
    if done.code not in (0, 3):
        raise CommandFailedError(done.err[-2000:])
    return done


def edited(root: Path, env: Mapping[str, str], page: Path) -> Run:
    """A check after the text of a page changed."""
    page.write_bytes(page.read_bytes() + b"\nOne more line.\n")
    done = checked(root, env)
    settle()
    checked(root, env)
    return done


def figures(runs: Sequence[Run]) -> tuple[float, float]:
    """Processor seconds and megabytes, the medians."""
    cpu = statistics.median(each.cpu_s for each in runs)
    return cpu, statistics.median(each.peak_mb for each in runs)


def examine(vault: Path, scratch: Path) -> list[tuple[str, int, str, float, float]]:
    """The figures of one vault."""
    root, env = scratch / vault.name, environment(scratch / "cache")
    copied(vault, root)
    settle()
    must(memwiki(root, "sync", "--quiet"), env)
    names = pages(root)
    page = root / names[len(names) // 2]
    runs = {
        "first": [checked(root, env)],
        "nothing changed": [checked(root, env) for _ in range(_RUNS)],
        "one page edited": [edited(root, env, page) for _ in range(_RUNS)],
    }
    shutil.rmtree(root)
    return [(vault.name, len(names), what, *figures(done)) for what, done in runs.items()]


def main() -> int:
    """Measure each vault and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vaults", metavar="VAULT", nargs="+", type=Path)
    with tempfile.TemporaryDirectory() as scratch:
        vaults = parser.parse_args().vaults
        rows = [row for vault in vaults for row in examine(vault.resolve(), Path(scratch))]
    shown = [(v, f"{n:,}", what, f"{cpu:.2f} s", f"{mb:.0f} MB") for v, n, what, cpu, mb in rows]
    print(table(("vault", "pages", "check", "CPU", "peak memory"), shown))
    warm = [(n, cpu) for _, n, what, cpu, _ in rows if what != "first"]
    return int(any(n <= _MAX_PAGES and cpu > _TARGET_S for n, cpu in warm))


if __name__ == "__main__":
    raise SystemExit(main())
