"""Readers beside builds that take each other's place: no error, and no empty answer called fresh.

The vault is copied. Four processes ask every reading verb in turn, in a workspace that stays open
and in one that is opened for each round, while others build the index anew, change a page and
sync, and copy the cache folder and the workspace to ask the copies.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shutil
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from measure import copied, machine

from memwiki.errors import LockedError
from memwiki.workspace import Workspace

READERS = 4
_WORD = "zzqxheron"
_PAGE = f"# The {_WORD}\n\n[[nowhere]] #{_WORD}\n\n"
_MEMORY = f"# Memory\n\n- [fact] A {_WORD} eats fish (id: m-7k2f9z)\n"

# Each verb, and whether its answer says fresh and empty at once.
VERBS: dict[str, Callable[[Workspace], bool]] = {
    "search": lambda ws: (found := ws.search(_WORD)).fresh and not found.total,
    "recall": lambda ws: (found := ws.recall(_WORD, record=False)).fresh and not found.hits,
    "status": lambda ws: (found := ws.index.status()).fresh and not found.pages,
    "doctor": lambda ws: not ws.index.doctor().healthy,
    "why": lambda ws: not ws.index.why(f"{_WORD}.md").found,
    "get": lambda ws: _WORD not in repr(ws.pages.get(_WORD)),
    "list": lambda ws: (found := ws.pages.list()).fresh and not found.total,
    "links": lambda ws: (found := ws.graph.links(_WORD)).fresh and not found.links,
    "tags": lambda ws: (found := ws.graph.tags(_WORD)).fresh and not found.tags,
    "ranked": lambda ws: (found := ws.graph.ranked()).fresh and not found.nodes,
    "entries": lambda ws: (found := ws.entries.list()).fresh and not found.total,
    "usage": lambda ws: not ws.entries.usage().fresh and False,
    "metrics": lambda ws: (found := ws.index.metrics()).fresh and not found.memories,
    "complete": lambda ws: not ws.pages.complete("page", _WORD).completions,
    "browse": lambda ws: (found := ws.browse()).fresh and not found.total,
    "check": lambda ws: (found := ws.check.run()).fresh and not found.pages,
}


def ask_all(ws: Workspace, told: dict[str, list[str]], names: Iterator[str]) -> int:
    """Ask every verb once; errors, warnings and empty answers are added to what is told."""
    count = 0
    for name in names:
        count += 1
        try:
            if VERBS[name](ws):
                told["empty"].append(name)
        except Exception:  # noqa: BLE001 - whatever is raised is counted
            told["errors"].append(f"{name}: {traceback.format_exc()[-1500:]}")
        told["warnings"] += [f"{name}: {each}" for each in ws.take_warnings()]
    return count


def read(root: Path, cache: Path, until: float, out: Path) -> None:
    """One reader, until a moment of the clock."""
    told: dict[str, list[str]] = {"errors": [], "empty": [], "warnings": []}
    environ, count = {**os.environ, "MEMWIKI_CACHE_DIR": str(cache)}, 0
    with Workspace.open(root, find=False, environ=environ) as kept:
        while time.time() < until:
            count += ask_all(kept, told, iter(VERBS))
            with Workspace.open(root, find=False, environ=environ) as anew:
                count += ask_all(anew, told, iter(VERBS))
    out.write_text(json.dumps({"answers": count, **told}))


def build(root: Path, cache: Path, until: float, out: Path) -> None:
    """Build the index anew, again and again."""
    environ, count = {**os.environ, "MEMWIKI_CACHE_DIR": str(cache)}, 0
    while time.time() < until:
        with Workspace.open(root, find=False, environ=environ) as ws:
            ws.index.reindex()
        count += 1
    out.write_text(json.dumps({"builds": count}))


def change(root: Path, cache: Path, until: float, out: Path) -> None:
    """Change a page and sync."""
    environ, count = {**os.environ, "MEMWIKI_CACHE_DIR": str(cache)}, 0
    while time.time() < until:
        (root / "changing.md").write_text(f"# Changing\n\n{count} [[{_WORD}]]\n")
        with suppress(LockedError), Workspace.open(root, find=False, environ=environ) as ws:
            ws.sync()  # waits for a build, as long as it says
            count += 1
        time.sleep(0.2)
    out.write_text(json.dumps({"syncs": count}))


def copy(root: Path, cache: Path, until: float, out: Path) -> None:
    """Copy the cache folder as it is at any moment, put it where the copied workspace looks, and
    ask that."""
    told: dict[str, list[str]] = {"errors": [], "empty": [], "warnings": []}
    count, place = 0, out.parent / "copies"
    while time.time() < until:
        shutil.rmtree(place, ignore_errors=True)
        with suppress(shutil.Error, OSError):  # files vanish while they are copied
            shutil.copytree(cache, place / "cache")
        with suppress(shutil.Error, OSError):
            shutil.copytree(root, place / "ws")
        for where, told_of in ((root, {**told, "warnings": []}), (place / "ws", told)):
            environ = {**os.environ, "MEMWIKI_CACHE_DIR": str(place / "cache")}
            with Workspace.open(where, find=False, environ=environ) as ws:
                count += ask_all(ws, told_of, iter(VERBS))
    out.write_text(json.dumps({"answers of copies": count, **told}))


def main() -> None:
    """Run, and print what was met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vault", type=Path)
    parser.add_argument("--seconds", type=float, default=300)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memwiki-readers-") as name:
        scratch = Path(name)
        root, cache = scratch / "vault", scratch / "cache"
        copied(args.vault, root)
        (root / ".memwiki").mkdir(exist_ok=True)
        (root / f"{_WORD}.md").write_text(_PAGE)
        (root / "memory.md").write_text(_MEMORY)
        (root / "other.md").write_text(f"# Other\n\n[[{_WORD}]]\n")
        with Workspace.open(root, find=False, environ={"MEMWIKI_CACHE_DIR": str(cache)}) as ws:
            ws.sync()
        found = together(root, cache, time.time() + args.seconds, scratch)
    print(json.dumps({**machine(), "seconds": args.seconds, **found}, indent=1))


def together(root: Path, cache: Path, until: float, scratch: Path) -> dict[str, object]:
    """What all processes told, added up."""
    tasks = [*[read] * READERS, build, change, copy]
    outs = [scratch / f"told-{number}.json" for number in range(len(tasks))]
    started = [
        multiprocessing.Process(target=task, args=(root, cache, until, out))
        for task, out in zip(tasks, outs, strict=True)
    ]
    for each in started:
        each.start()
    for each in started:
        each.join()
    found: dict[str, object] = {"died": [each.exitcode for each in started if each.exitcode]}
    for told in (json.loads(out.read_text()) for out in outs if out.exists()):
        for key, value in told.items():
            found[key] = found.get(key, type(value)()) + value  # type: ignore[operator]
    return found


if __name__ == "__main__":
    main()
