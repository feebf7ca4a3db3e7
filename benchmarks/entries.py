"""What a long page of entries costs in a warm process: adding one, and the bytes by which the file
and the index grow; listing the newest, asking for one, and a check after one more; and what a sync
and `links` cost after an edit of a page whose entries name entities.

The page has some thousand entries below two headings; entries are added at its end and below its
first heading, with catalogs and without. Each figure is the median of some runs. Exits 1 when one
is over what it may be.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from measure import settle, table, timed_ms

from memwiki import Workspace

_MAX_MS, _MAX_BYTES = 100, 10_000
_WORDS = (
    "amber birch cedar delta ember fjord grove heron islet jetty kelp larch maple north olive pine"
    " quartz river stone tundra umber valley willow xenon yarrow zinc"
).split()


class Cost(NamedTuple):
    """What one addition took."""

    cpu_ms: float
    file_bytes: int
    index_bytes: int


def facts(count: int, seed: int) -> Iterator[str]:
    """Texts that differ in their words."""
    pick = random.Random(seed)
    for number in range(count):
        yield f"{' '.join(pick.choices(_WORDS, k=9))} item{seed}x{number}."


def page_of(entries: int) -> str:
    """A page of which the first heading has one part of the entries and the second the rest."""
    lines = [
        f"- {text} [created:: 2026-01-09] ^m-{number:06}"
        for number, text in enumerate(facts(entries, 1))
    ]
    half = entries // 2
    return "\n".join(
        ["# Memory", "", "## Preferences", "", *lines[:half], "", "## Facts", "", *lines[half:], ""]
    )


def size_of(folder: Path) -> int:
    """The bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def cost(space: Workspace, cache: Path, text: str, type_: str) -> Cost:
    """Add one entry."""
    page = space.root / "memory.md"
    before = page.stat().st_size, size_of(cache)
    started = time.process_time()
    report = space.entries.add(text, type=type_)
    cpu_ms = (time.process_time() - started) * 1000
    if not (report.added and report.edited.fresh):
        raise SystemExit(f"not added: {text}")
    return Cost(cpu_ms, page.stat().st_size - before[0], size_of(cache) - before[1])


def medians(costs: Sequence[Cost]) -> Cost:
    """The median of each figure."""
    return Cost(*(statistics.median(each) for each in zip(*costs, strict=True)))  # type: ignore[arg-type]


def examine(scratch: Path, entries: int, runs: int) -> Iterator[tuple[str, Cost]]:
    """The figures with catalogs and without, at both places."""
    for has_catalog in (False, True):
        root = scratch / f"catalog-{has_catalog}"
        (root / ".memwiki").mkdir(parents=True)
        (root / "memwiki.toml").write_text(f"[catalog]\nenabled = {str(has_catalog).lower()}\n")
        (root / "memory.md").write_text(page_of(entries))
        cache = scratch / f"cache-{has_catalog}"
        with Workspace.open(root, find=False, environ={"MEMWIKI_CACHE_DIR": str(cache)}) as space:
            space.sync()
            new = facts(2 * runs + 2, 2)
            for where, type_ in (("its end", "fact"), ("the first heading", "preference")):
                cost(space, cache, next(new), type_)
                costs = [cost(space, cache, next(new), type_) for _ in range(runs)]
                yield f"{where}, catalogs {'on' if has_catalog else 'off'}", medians(costs)


def asked(scratch: Path, entries: int, runs: int) -> Iterator[tuple[str, float]]:
    """The CPU milliseconds of questions about the page."""
    root = scratch / "asked"
    (root / ".memwiki").mkdir(parents=True)
    (root / "memory.md").write_text(page_of(entries))
    environ = {"MEMWIKI_CACHE_DIR": str(scratch / "cache-asked")}
    with Workspace.open(root, find=False, environ=environ) as space:
        settle()
        yield "first index", timed_ms(space.sync)
        for what, ask in (
            ("the newest 50 listed", lambda: space.entries.list(limit=50)),
            ("one by its id", lambda: space.entries.get("m-000777")),
        ):
            ask()
            yield what, statistics.median(timed_ms(ask) for _ in range(runs))
        yield "first check", timed_ms(space.check.run)
        settle()
        yield "check, nothing changed", timed_ms(space.check.run)
        space.entries.add(next(facts(1, 3)), type="fact")
        yield "check after one more", timed_ms(space.check.run)


def edited(scratch: Path, entries: int, runs: int) -> Iterator[tuple[str, float]]:
    """The CPU milliseconds after one of many entries that name entities was edited by hand."""
    root, names = scratch / "edited", [f"Person {number}" for number in range(300)]
    (root / ".memwiki").mkdir(parents=True)
    (root / "entities").mkdir()
    for name in names:
        (root / f"entities/{name}.md").write_text(f"# {name}\n\nSomebody.\n")
    pick = random.Random(4)
    lines = [
        f"- [[{pick.choice(names)}]] {text} [entities:: {pick.choice(names)}] ^m-{number:06}"
        for number, text in enumerate(facts(entries, 1))
    ]
    environ = {"MEMWIKI_CACHE_DIR": str(scratch / "cache-edited")}
    costs = []
    with Workspace.open(root, find=False, environ=environ) as space:
        for run in range(runs + 2):
            lines[entries // 2 : entries // 2] = [f"- One more [[{names[run]}]] ^n-{run}"]
            (root / "memory.md").write_text("\n".join(["# Memory", "", "## Facts", "", *lines, ""]))
            synced = timed_ms(space.sync)
            costs.append((synced, timed_ms(lambda: space.graph.links("Person 7"))))
    for what, times in zip(
        ("sync after an edit", "links after it"), zip(*costs[2:], strict=True), strict=True
    ):
        yield f"{what}, each entry names entities", statistics.median(times)


def main() -> int:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=10_000, help="of the page")
    parser.add_argument("--runs", type=int, default=9)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        rows = list(examine(Path(scratch), given.entries, given.runs))
        times = list(asked(Path(scratch), given.entries, given.runs))
        times += edited(Path(scratch), given.entries, given.runs)
    head = ("added at", "CPU ms", "file grows by", "index grows by")
    cells = [(w, f"{c.cpu_ms:.0f}", f"{c.file_bytes} B", f"{c.index_bytes} B") for w, c in rows]
    print(table(head, cells))
    print(table(("asked", "CPU ms"), [(what, f"{ms:.0f}") for what, ms in times]))
    return int(any(c.cpu_ms > _MAX_MS or c.index_bytes > _MAX_BYTES for _, c in rows))


if __name__ == "__main__":
    raise SystemExit(main())
