"""What questions about many links cost in processor time, with what links mean kept or not yet.

Each folder is copied and synced before; `made` is a folder of 48,000 pages with 755,000 links, in
which every folder has a README.md that its pages link to. The page that is asked about is the one
that most links lead to. Whole commands, the medians of some runs, less what a sync takes that finds
nothing to do. Exits 1 when one takes longer than it may.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from measure import adopted, copied, environment, memwiki, must, settle, table
from vaults import make_linked

_RUNS = 3
_MAX_SECONDS = {
    "links of the hub": 0.5,
    "graph --depth 2 of the hub": 0.5,
    "graph, all pages by rank": 2.0,
}
Rows = Iterator[tuple[str, str, float]]


def seconds(root: Path, env: Mapping[str, str], *arguments: str) -> float:
    """The processor time of a command, the median of some runs."""
    return statistics.median(must(memwiki(root, *arguments), env).cpu_s for _ in range(_RUNS))


def examine(root: Path, env: Mapping[str, str]) -> Rows:
    """The figures of a folder that was not synced yet."""
    settle()
    first = must(memwiki(root, "sync", "--quiet"), env)
    yield root.name, "first sync", first.cpu_s
    idle = seconds(root, env, "sync", "--quiet")
    yield root.name, "sync with nothing to do", idle
    asked = must(memwiki(root, "list", "--sort", "links", "--limit", "1", "--json"), env)
    yield root.name, "the first question, which resolves all links", asked.cpu_s - idle
    hub = json.loads(asked.out)["pages"][0]["path"]
    for what, arguments in {
        "links of the hub": ("links", hub),
        "graph --depth 2 of the hub": ("graph", hub, "--depth", "2"),
        "search is:orphan": ("search", "is:orphan"),
        "links --unresolved": ("links", "--unresolved"),
        "graph, all pages by rank": ("graph",),
    }.items():
        yield root.name, what, seconds(root, env, *arguments) - idle
    yield root.name, "links of the hub after an edit", _after_edit(root, env, hub)


def _after_edit(root: Path, env: Mapping[str, str], hub: str) -> float:
    """The question after the hub itself changed, less the sync of that edit."""
    page = root / hub
    page.write_bytes(page.read_bytes() + b"\nOne more line.\n")
    synced = must(memwiki(root, "sync", "--quiet"), env).cpu_s
    page.write_bytes(page.read_bytes() + b"\nAnd one more.\n")
    return must(memwiki(root, "links", hub), env).cpu_s - synced


def main() -> int:
    """Measure each folder and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vaults", metavar="VAULT", nargs="*", type=Path)
    parser.add_argument("--made", action="store_true", help="the made folder as well")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        roots = [copied(vault.resolve(), Path(scratch, vault.name)) for vault in given.vaults]
        if given.made:
            make_linked(Path(scratch, "made"))
            roots.append(adopted(Path(scratch, "made")))
        env = environment(Path(scratch, "cache"))
        rows = [row for root in roots for row in examine(root, env)]
    print(table(("folder", "what", "CPU"), [(v, what, f"{cpu:.2f} s") for v, what, cpu in rows]))
    return int(any(cpu > _MAX_SECONDS.get(what, cpu) for _, what, cpu in rows))


if __name__ == "__main__":
    raise SystemExit(main())
