"""Record what every command answers on real folders, and compare two records byte for byte.

    python benchmarks/answers.py record OUT VAULT...      before a change that must change no answer
    python benchmarks/answers.py tools OUT VAULT...       the same of every tool of agents
    python benchmarks/answers.py compare BEFORE AFTER     after it: exits 1 and shows what differs

Each folder is copied first. Commands run one after the other on the copy, so that the writing ones
are part of the record: with their JSON, their text for people and, at the end, the bytes of all
files. Tools are called under two budgets, and write what `tools.py` writes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import measure
from tools import asks

from memwiki.tools import PROFILES, DoorFlags, call, door_settings
from memwiki.workspace import Workspace

_VOLATILE = re.compile(r'"(?:seconds|bytes|ms)": ?[0-9.]+')
_TIMES = re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?")
_LASTS = re.compile(r"\b(?:in )?[0-9.]+ ?(?:ms|s)\b")
_INODES = re.compile(r"\b[0-9a-f]{16,}\b")
_IDS = re.compile(r"\b[mt]-[0-9a-z]{6,}\b")
_LAYERS = {"log": "log.md", "sessions": "sessions", "inbox": "inbox"}
_BUDGETS = (500, 4_000)
_READ_ONLY = frozenset(
    "recall search read browse links status history memory_search search_memories".split()
)
_PROBES = ("{title}", "{words}", '"{words}"', "is:orphan", "tag:{tag}", "type:concept since:1y")


def main() -> int:
    """Record or compare; 1 when two records differ."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb, about in (("record", "run every command"), ("tools", "call every tool")):
        recording = verbs.add_parser(verb, help=f"{about} and write down the answers")
        recording.add_argument("out", type=Path)
        recording.add_argument("vaults", nargs="+", type=Path)
    comparing = verbs.add_parser("compare", help="show what differs between two records")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    args = parser.parse_args()
    if args.verb == "compare":
        return _compare(_load(args.before), _load(args.after))
    record = _record if args.verb == "record" else _tools
    rows = [row for vault in args.vaults for row in record(vault)]
    args.out.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    print(f"{len(rows)} answers of {len(args.vaults)} folders in {args.out}")
    return 0


def _record(vault: Path) -> Iterator[dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="answers-") as scratch:
        root, cache = Path(scratch, "vault"), Path(scratch, "cache")
        shutil.copytree(vault, root, symlinks=True)
        env = {**measure.environment(cache), "HOME": scratch, "COLUMNS": "100"}
        for arguments in _script(root, env):
            yield _row(vault.name, root, scratch, arguments, env)
        yield {"vault": vault.name, "argv": "all files", "out": _bytes_of(root)}


def _tools(vault: Path) -> Iterator[dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="answers-") as scratch:
        root, ids = Path(scratch, "vault"), dict[str, str]()
        shutil.copytree(vault, root, symlinks=True)
        Workspace.adopt(root).close()
        environ = {"MEMWIKI_CACHE_DIR": str(Path(scratch, "cache"))}
        _commit_all(root)
        with Workspace.open(root, find=False, environ=environ) as ws:
            for layer, path in _LAYERS.items():
                ws.settings.set(f"layers.{layer}", path)
            pages = [page.path for page in ws.pages.list().pages]
            some = pages[:: max(len(pages) // 5, 1)][:5]
            for tool, arguments in asks(some):
                yield from _called(ws.by("benchmark"), vault.name, tool, arguments, scratch, ids)


def _commit_all(root: Path) -> None:
    """One commit, the same in each run."""
    shutil.rmtree(root / ".git", ignore_errors=True)
    day = "2026-01-01T00:00:00Z"
    git = ("git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-C", str(root))
    env = {**os.environ, "GIT_AUTHOR_DATE": day, "GIT_COMMITTER_DATE": day}
    for verb in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "All of it")):
        subprocess.run([*git, *verb], env=env, check=True)


def _called(
    ws: Workspace,
    vault: str,
    tool: str,
    arguments: Mapping[str, Any],
    scratch: str,
    ids: dict[str, str],
) -> Iterator[dict[str, Any]]:
    """What one call is answered; of a call that reads, under each budget."""
    profile = "full" if tool in {each.name for each in PROFILES["full"]} else "graph-memory"
    for budget in _BUDGETS:
        settings = door_settings(ws.config, DoorFlags(profile=profile, max_tokens=budget))
        answer = call(ws, tool, arguments, settings=settings, is_structured=True)
        told = f"{answer.text}\n{json.dumps(answer.structured, ensure_ascii=False)}"
        told = _IDS.sub(lambda id_: ids.setdefault(id_[0], f"ID{len(ids)}"), told)
        told = re.sub(r"\b\d{4}-\d\d-\d\d\b", "DAY", _steady(told, scratch))
        argv = f"{tool} {budget} {json.dumps(arguments)[:200]}"
        yield {"vault": vault, "argv": argv, "exit": answer.is_error, "out": told}
        if tool not in _READ_ONLY:
            return


def _row(
    vault: str, root: Path, scratch: str, arguments: Sequence[str], env: Mapping[str, str]
) -> dict[str, Any]:
    command = (sys.executable, "-m", "memwiki", *arguments)
    done = subprocess.run(command, env=env, cwd=root, capture_output=True, text=True)
    row = {"vault": vault, "argv": " ".join(arguments), "exit": done.returncode}
    return row | {"out": _steady(done.stdout, scratch), "err": _steady(done.stderr, scratch)}


def _steady(text: str, scratch: str) -> str:
    """A text without what differs from run to run."""
    text = _VOLATILE.sub('"": 0', text.replace(scratch, "SCRATCH"))
    return _INODES.sub("HEX", _LASTS.sub("SOON", _TIMES.sub("TIME", text)))


def _script(root: Path, env: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    yield ("init", ".", "--adopt", "--json")
    yield ("sync", "--json")
    pages = _pages(root, env)
    yield from _both(*_reading(pages))
    for arguments in _writing(pages):
        yield (*arguments, "--json")
        yield ("undo", "--dry-run")
    yield from _both(
        ("undo", "3"), ("status",), ("check",), ("log", "show"), ("doctor", "--verify")
    )


def _pages(root: Path, env: Mapping[str, str]) -> Sequence[Mapping[str, Any]]:
    """Every so many of the pages, so that each part of the folder is asked about."""
    command = (sys.executable, "-m", "memwiki", "list", "--json")
    done = subprocess.run(command, env=env, cwd=root, capture_output=True, text=True, check=True)
    pages = json.loads(done.stdout)["pages"]
    return pages[:: max(len(pages) // 6, 1)][:6]


def _both(*commands: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Each command for programs and for people."""
    for command in commands:
        yield (*command, "--json")
        yield tuple(command)


def _reading(pages: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    yield from (("status",), ("tags",), ("list", "--sort", "links"), ("list", "--sort", "updated"))
    yield from (("links", "--unresolved"), ("check",), ("catalog", "--check"), ("doctor",), ())
    yield from (("config", "show"), ("log", "show"), ("get", "no such page"), ("search", "qqqqqq"))
    for page in pages:
        path, title = page["path"], page["title"]
        tag = next(iter(page.get("tags") or ["design"]))
        words = " ".join(re.findall(r"\w+", title)[:2]) or "page"
        for probe in _PROBES:
            yield ("search", "--", probe.format(title=title, words=words, tag=tag))
        yield from (("get", path), ("get", title), ("get", path, "--lines", "1-5"))
        yield from (("links", path), ("graph", path, "--depth", "2"), ("status", path))
        yield from (("list", "--path", f"{Path(path).parent}/*"), ("list", "--tag", tag))
        yield ("history", path)


def _writing(pages: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    first, second, *_ = [page["path"] for page in pages]
    for setting in (
        ("catalog.enabled", "true"),
        ("layers.log", "log.md"),
        ("layers.daily", "daily"),
    ):
        yield ("config", "set", *setting)
    yield ("new", "wiki/recorded.md", "--type", "concept", "--tag", "recorded")
    yield ("append", first, "One more line with [[recorded]].")
    yield ("set", first, "status=stable")
    yield ("link", second, first, "--relation", "part_of")
    yield ("tag", "add", second, "recorded", "other")
    yield ("tag", "rename", "recorded", "noted")
    yield ("move", first, "moved/recorded-page.md")
    yield ("move", "moved", "moved-again")
    yield ("delete", second)
    yield ("today", "An item.")
    yield ("check", "--fix", "--dry-run")
    yield ("catalog",)
    yield ("reindex",)


def _bytes_of(root: Path) -> str:
    """One hash over the paths and bytes of all files but our own state."""
    total = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.is_file() and ".memwiki" not in path.parts:
            total.update(f"{path.relative_to(root)}\0".encode("utf-8", "surrogatepass"))
            total.update(path.read_bytes())
    return total.hexdigest()


def _load(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _compare(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> int:
    differing = 0
    for old, new in zip(before, after, strict=False):
        if old != new:
            differing += 1
            print(f"{old['vault']}: memwiki {old['argv']}")
            for key in ("exit", "out", "err"):
                if old.get(key) != new.get(key):
                    print(f"  {key}: {_around(str(old.get(key)), str(new.get(key)))}")
    if len(before) != len(after):
        print(f"{len(before)} answers before, {len(after)} after")
    print(f"{differing} of {len(before)} answers differ")
    return int(differing > 0 or len(before) != len(after))


def _around(old: str, new: str) -> str:
    """Both texts from a little before the first difference on."""
    same = next((i for i, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), 0)
    start = max(same - 60, 0)
    return f"{old[start : same + 120]!r}\n   -> {new[start : same + 120]!r}"


if __name__ == "__main__":
    sys.exit(main())
