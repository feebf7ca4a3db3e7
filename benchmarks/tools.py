"""Every tool of agents on copies of real vaults: budgets are kept, and how long answers take.

For each VAULT a copy is made, adopted and asked: each reading tool many times, about its own pages,
under several budgets; then each writing tool. Exits 1 when an answer is over its budget, a reading
tool changes a byte, or anything is answered `unexpected`.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import measure

sys.path.insert(0, str(measure.PROJECT))

from memwiki.text import tokens
from memwiki.tools import PROFILES, DoorFlags, call, door_settings
from memwiki.workspace import Workspace

_BUDGETS = (500, 2_000, 4_000, 8_000)
_USUAL = 4_000
Ask = tuple[str, dict[str, Any]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vaults", nargs="+", metavar="VAULT")
    parser.add_argument("--pages", type=int, default=12, help="pages to ask about")
    arguments = parser.parse_args()
    return max(_vault(Path(vault), arguments.pages) for vault in arguments.vaults)


def _vault(vault: Path, count: int) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "vault"
        shutil.copytree(vault, root, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        environ = {"MEMWIKI_CACHE_DIR": str(Path(scratch) / "cache")}
        Workspace.adopt(root).close()
        with Workspace.open(root, find=False, environ=environ) as ws:
            ws.sync()
            return _asked(ws.by("benchmark"), vault.name, count)


def _asked(ws: Workspace, name: str, count: int) -> int:
    pages = ws.pages.list().pages
    some = [page.path for page in random.Random(7).sample(pages, min(count, len(pages)))]
    largest = sorted((path.stat().st_size, path) for path in ws.root.rglob("*.md"))[-3:]
    some += [path.relative_to(ws.root).as_posix() for _, path in largest]
    before = _bytes_of(ws.root)
    wrong, took = [], dict[str, list[float]]()
    for tool, arguments in _reading(some):
        wrong += _check(ws, tool, arguments, took)
    wrong += ["a reading tool changed a byte"] if _bytes_of(ws.root) != before else []
    for tool, arguments in _writing(some):
        wrong += _check(ws, tool, arguments, took)
    print(f"{name}: {len(pages)} pages, {sum(map(len, took.values()))} answers")
    for tool, times in took.items():
        times.sort()
        median, most = times[len(times) // 2] * 1000, times[-1] * 1000
        print(f"  {tool:26} median {median:7.1f} ms, most {most:7.1f}")
    print("\n".join(f"  WRONG: {each}" for each in wrong) or "  all within their budgets")
    return int(bool(wrong))


def _check(
    ws: Workspace, tool: str, arguments: Mapping[str, Any], took: dict[str, list[float]]
) -> Iterator[str]:
    profile = "full" if tool in {each.name for each in PROFILES["full"]} else "graph-memory"
    for budget in _BUDGETS:
        settings = door_settings(ws.config, DoorFlags(profile=profile, max_tokens=budget))
        start = time.perf_counter()
        answer = call(ws, tool, arguments, settings=settings, tell=print)
        took.setdefault(tool, []).append(time.perf_counter() - start)
        used, most = tokens(answer.text), min(budget, arguments.get("budget", _USUAL))
        if used > most:
            yield f"{tool} {arguments}: {used} tokens of {most}"
        if "error unexpected" in answer.text:
            yield f"{tool} {arguments}: {answer.text}"


def _reading(some: list[str]) -> Iterator[Ask]:
    for path in some:
        word = Path(path).stem
        yield "recall", {"question": f"what is {word}?", "limit": 50, "budget": 8_000}
        yield "search", {"query": word, "limit": 50}
        yield "read", {"name": path, "budget": 8_000}
        yield "read", {"name": path, "offset": 5_000}
        yield "links", {"name": path, "limit": 200}
        yield "links", {"name": path, "depth": 3, "limit": 200}
        yield "links", {"name": path, "direction": "unresolved", "limit": 200}
        yield "links", {"name": path, "to": some[0]}
        yield "status", {"path": path}
        yield "history", {"name": path}
        yield "memory_search", {"query": word, "limit": 50}
        yield "search_memories", {"query": word, "max_results": 50, "expand_depth": 3}
    for what in ("pages", "memories", "tags", "recent"):
        yield "browse", {"what": what, "limit": 200}
        yield "browse", {"what": what, "limit": 200, "offset": 100}
    yield "browse", {}
    for what in ("overview", "check", "log"):
        yield "status", {"what": what, "limit": 200}
    yield "entities", {"action": "list", "limit": 200}
    yield "entities", {"action": "candidates", "limit": 200}


def _writing(some: list[str]) -> Iterator[Ask]:
    long = "word " * 20_000
    yield (
        "add",
        {
            "memories": [
                {"text": f"{name} {n} was seen on day {n}."} for n, name in enumerate(_names(50))
            ]
        },
    )
    yield "write", {"action": "create", "name": "A new page", "text": long}
    for path in some[:4]:
        yield "write", {"action": "append", "name": path, "text": long, "dry_run": True}
        yield "write", {"action": "append", "name": path, "text": "One line."}
        yield "write", {"action": "set_fields", "name": path, "fields": {"status": "seen"}}
        yield "tag", {"action": "add", "name": path, "tags": ["seen"]}
        yield "move", {"name": path, "to": f"elsewhere/{Path(path).name}"}
        yield "undo", {}
    yield "upkeep", {}
    yield "forget", {"name": some[0]}
    yield "undo", {"steps": 3}


def asks(some: list[str]) -> Iterator[Ask]:
    """Every tool, first those that read; all of it about a few pages."""
    yield from _reading(some)
    yield from _writing(some)
    yield from _sessions_and_memories(some)


def _sessions_and_memories(some: list[str]) -> Iterator[Ask]:
    yield "session", {"action": "start", "id": "talk"}
    yield "session", {"action": "add", "id": "talk", "role": "user", "text": "Tea, please."}
    yield "session", {"action": "show", "id": "talk"}
    yield "session", {"action": "end", "id": "talk", "summary": "About tea."}
    yield "session", {"action": "show"}
    said = {"type": "fact", "subject": "standup", "key": "standup"}
    yield "add", {"memories": [{**said, "text": "The standup is on Monday."}]}
    yield "add", {"memories": [{**said, "text": "The standup is on Monday."}]}
    yield "add", {"memories": [{"text": "The standup is on Tuesday.", "subject": "standup"}]}
    yield "read", {"name": "standup"}
    yield "update", {"id": "standup", "text": "It is on Friday.", "supersede": True}
    yield "update", {"id": "standup", "importance": 0.9, "tags": ["work"]}
    yield "add", {"memories": [{"text": f"[[{some[0]}]] was read.", "key": "read"}]}
    yield "relate", {"a": "standup", "b": "read", "as": "because"}
    yield "relate", {"a": "standup", "b": "nobody", "as": "because"}
    yield "link_memories", {"source": "standup", "target": "Ann", "relation_type": "because"}
    yield "create_memory", {"subject": "Ann", "memory_type": "fact", "topic": "likes tea"}
    yield "entities", {"action": "list"}
    yield "entities", {"action": "merge", "a": "Ann"}
    yield "read", {"name": some[1], "lines": "1-5", "budget": 300}
    yield "read", {"name": "no such page"}
    yield "write", {"action": "replace_section", "name": some[1], "section": "x", "text": "y"}
    yield "status", {}
    yield "status", {"what": "log"}
    yield "history", {"name": some[1], "at": "HEAD"}
    yield "upkeep", {"dry_run": False}


def _names(count: int) -> list[str]:
    draw = random.Random(7)
    return ["".join(draw.choices("abcdefgh", k=9)) for _ in range(count)]


def _bytes_of(root: Path) -> dict[str, str]:
    files = (path for path in root.rglob("*") if path.is_file() and ".memwiki" not in path.parts)
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


if __name__ == "__main__":
    sys.exit(main())
