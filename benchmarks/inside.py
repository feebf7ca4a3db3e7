"""The parts of the speed table that are measured inside one process, with its imports done.

inside.py queries VAULT FILE    each line of FILE as a query, 20 hits, 5 rounds, on a warm index
inside.py entry FOLDER          one more entry in a file of 10,000; FOLDER is made and filled
inside.py many FOLDER           a tag renamed on 2,000 pages, and that undone; FOLDER as above
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Iterable
from itertools import chain, pairwise
from pathlib import Path

from measure import settle, timed_ms

from memwiki.workspace import Workspace

_ROUNDS = 5
_SUBJECTS = ("tea", "paper", "harbour", "meeting", "budget", "garden", "train", "music")
_VERBS = ("prefers", "avoids", "ordered", "described", "measured", "repaired", "postponed")


def queries(vault: Path, file: Path) -> dict[str, float]:
    """p50 and p95 of a warm query."""
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    workspace = Workspace.open(vault, find=False, sync=False)
    for line in lines:
        workspace.search(line, limit=20)
    by_query = [
        [timed_ms(lambda line=line: workspace.search(line, limit=20)) for line in lines]
        for _ in range(_ROUNDS)
    ]
    times = sorted(chain.from_iterable(by_query))
    slowest = max(zip(map(statistics.median, zip(*by_query, strict=True)), lines, strict=True))
    workspace.close()
    return {
        "queries": len(lines),
        "p50_ms": statistics.median(times),
        "p95_ms": times[int(len(times) * 0.95)],
        "slowest_ms": slowest[0],
        "slowest": slowest[1],
    }


def entry(folder: Path, count: int = 10_000, rounds: int = 7) -> dict[str, float]:
    """CPU of a sync after one more entry, and by how much the index grows each time."""
    Workspace.init(folder)
    memory = folder / "memory.md"
    lines = [_entry(i) for i in range(count)]
    memory.write_text("# Memory\n\n## Facts\n" + "".join(lines), encoding="utf-8")
    settle()
    workspace = Workspace.open(folder, find=False)
    first_ms = timed_ms(workspace.sync)
    before = workspace.index.status().entries
    times, sizes = [], [workspace.index.status().index.bytes]
    for i in range(count, count + rounds):
        with memory.open("a", encoding="utf-8") as file:
            file.write(_entry(i))
        times.append(timed_ms(workspace.sync))
        sizes.append(workspace.index.status().index.bytes)
    new = workspace.index.status().entries - before
    assert (new, before >= count) == (rounds, True), f"{before} entries, then {new} more"
    workspace.close()
    growth = [(b - a) / 1024 for a, b in pairwise(sizes)]
    return {
        "first_ms": first_ms,
        "ms": statistics.median(times),
        "slowest_ms": max(times),
        "growth_kb": statistics.mean(growth),
        "most_growth_kb": max(growth),
    }


def many(folder: Path, count: int = 2_000) -> dict[str, float]:
    """CPU of a change of so many files and of its undo, without the sync after it, and of reading
    and replacing each of them."""
    pages = [folder / f"f{n % 50}" / f"page-{n}.md" for n in range(count)]
    for number, page in enumerate(pages):
        page.parent.mkdir(parents=True, exist_ok=True)
        body = "".join(_entry(number + each) for each in range(20))
        page.write_text(f"---\ntags: [draft, other]\n---\n# Page {number}\n\n{body}")
    (folder / ".memwiki").mkdir()
    with Workspace.open(folder, find=False) as workspace:
        workspace.sync()
    with Workspace.open(folder, find=False, sync=False) as workspace:
        renamed_ms = timed_ms(lambda: workspace.pages.tag_rename("draft", "ready"))
        undone_ms = timed_ms(workspace.undo)
    floor_ms = timed_ms(lambda: _replaced(pages))
    assert all(b"[draft, other]" in page.read_bytes() for page in pages)
    return {"files": count, "renamed_ms": renamed_ms, "undone_ms": undone_ms, "floor_ms": floor_ms}


def _replaced(pages: Iterable[Path]) -> None:
    """Read each file, and write it beside its place."""
    for page in pages:
        data, beside = page.read_bytes(), page.with_suffix(".tmp")
        beside.write_bytes(data)
        beside.replace(page)


def _entry(number: int) -> str:
    subject = _SUBJECTS[number % len(_SUBJECTS)]
    verb = _VERBS[number // 7 % len(_VERBS)]
    day = f"2026-{number // 28 % 12 + 1:02}-{number % 28 + 1:02}"
    return (
        f"- Person {number} {verb} the {subject} number {number * 7919 % 10007}. [created:: "
        f"{day}]\n"
    )


def main() -> None:
    """Measure one part and print it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=("queries", "entry", "many"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("file", type=Path, nargs="?")
    args = parser.parse_args()
    made = {"entry": entry, "many": many}
    found = queries(args.folder, args.file) if args.file else made[args.part](args.folder)
    print(json.dumps(found, ensure_ascii=False))


if __name__ == "__main__":
    main()
