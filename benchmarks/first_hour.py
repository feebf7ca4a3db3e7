"""The first hour of a person with each VAULT: adopt, look, search, change, undo, watch.

The vault is copied, and the commands are those that a shell runs. Each has to end with its exit
code, say something and show no traceback. Before the first change nothing may be written but
`.memwiki/`; `undo` has to give back every byte. Prints a table; exits 1 when something fails.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import NamedTuple

from measure import environment, memwiki, settle, table

_NAME, _MOVED, _TAG = "First Hour", "Second Hour", "first-hour"
_COMMAND_S, _WATCH_S = 600, 60
_SHOWN = 72
_MAX_CHANGES = 20


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str
    seconds: float = 0


class Step(NamedTuple):
    """One thing that was tried: what it said first, how long it took, and why it failed."""

    what: str
    told: str
    seconds: float = 0
    failure: str = ""


Run = Callable[..., Ran]


class Visit:
    """A folder, and commands in it."""

    def __init__(self, root: Path, run: Run) -> None:
        self.root = root
        self.run = run

    def step(self, what: str, *arguments: str, codes: tuple[int, ...] = (0,)) -> Step:
        """A command, judged."""
        return judged(what, self.run(*arguments), codes)

    def asked(self, *arguments: str) -> Mapping[str, list[dict[str, str]]]:
        """The JSON of a command."""
        return json.loads(self.run("--json", *arguments).out)

    def best_page(self) -> dict[str, str]:
        """The page that most links lead to."""
        return self.asked("graph")["nodes"][0]

    def kept(self, what: str, before: Mapping[str, str]) -> Step:
        """Whether every byte is as it was."""
        after = digests(self.root)
        wrong = sorted(p for p in before.keys() | after.keys() if before.get(p) != after.get(p))
        return Step(what, f"{len(before)} files", 0, ", ".join(wrong))


def judged(what: str, ran: Ran, codes: tuple[int, ...] = (0,)) -> Step:
    """What a command did as a row of the table."""
    said = (ran.out + ran.err).strip()
    failure = "" if said else "says nothing"
    if ran.code not in codes:
        failure = f"exit {ran.code}: {ran.err.strip()}"
    if "Traceback (most recent call last)" in said:
        failure = "traceback"
    return Step(what, said.partition("\n")[0], ran.seconds, failure)


def digests(root: Path) -> dict[str, str]:
    """The digest of each file outside `.memwiki/`."""
    found = {}
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name != ".memwiki"]
        for path in (os.path.join(folder, name) for name in files):
            data = os.readlink(path).encode() if os.path.islink(path) else Path(path).read_bytes()
            found[os.path.relpath(path, root)] = hashlib.sha256(data).hexdigest()
    return found


def looks(visit: Visit) -> Iterator[Step]:
    """What only reads."""
    yield visit.step("init --adopt", "init", "--adopt")
    yield visit.step("status", "status")
    yield visit.step("list", "list", "--limit", "20")
    yield visit.step("check", "check", codes=(0, 3))
    best = visit.best_page()
    yield visit.step("search NAME", "search", "--", best["name"])
    hits = visit.asked("search", "--", best["name"])["hits"]
    is_found = any(best["name"] in (hit["title"], hit["path"]) for hit in hits)
    yield Step("search finds the page", best["path"], 0, "" if is_found else "not among the hits")
    yield visit.step("search is:orphan", "search", "is:orphan", codes=(0, 1))
    for verb in ("get", "links", "outline", "graph"):
        yield visit.step(verb, verb, best["path"])
    yield visit.step("links --unresolved", "links", "--unresolved")
    yield visit.step("tags", "tags")


def changes(visit: Visit) -> Iterator[Step]:
    """What writes, in the form of the vault."""
    best = Path(visit.best_page()["path"])
    made = visit.run("new", _NAME)
    yield judged("new", made)
    page = made.out.strip()
    yield visit.step("append", "append", page, "One line.")
    yield visit.step("link", "link", page, str(best))
    yield visit.step("tag add", "tag", "add", page, _TAG)
    yield visit.step("tag rename", "tag", "rename", _TAG, f"{_TAG}s")
    yield visit.step("set", "set", page, "rating=7")
    yield visit.step("move", "move", page, str(Path(page).with_stem(_MOVED)))
    yield visit.step("move the best page", "move", str(best), str(best.with_stem(f"{best.stem} 2")))
    yield _today(visit)


def _today(visit: Visit) -> Step:
    """A note of the day; where the vault has no folder of days, the way to name one."""
    ran = visit.run("today", "One line.")
    has_hint = ran.code == 1 and "memwiki config set layers.daily" in ran.err
    return judged("today", ran, (0, 1) if has_hint else (0,))


def undone(visit: Visit) -> Iterator[Step]:
    """All changes taken back, one by one."""
    started, count = time.perf_counter(), 0
    while (ran := visit.run("undo")).code == 0 and count < _MAX_CHANGES:
        count += 1
    failure = "" if "nothing to undo" in ran.err else ran.err.strip()
    yield Step("undo", f"{count} changes", time.perf_counter() - started, failure)


def first_hour(visit: Visit) -> Iterator[Step]:
    """All of it but the watcher."""
    before = digests(visit.root)
    yield from looks(visit)
    yield visit.kept("nothing written but .memwiki/", before)
    yield from changes(visit)
    yield from undone(visit)
    yield visit.kept("undo gives back every byte", before)


def watched(root: Path, env: Mapping[str, str]) -> Step:
    """A watcher that starts, sees a save and ends."""
    started = time.perf_counter()
    process = subprocess.Popen(
        memwiki(root, "watch", "--json"), env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    guard = threading.Timer(_WATCH_S, process.kill)
    guard.start()
    assert process.stdout
    first = process.stdout.readline().decode()
    page = root / f"{_NAME}.md"
    page.write_text("# First hour\n", "utf-8")
    seen = process.stdout.readline().decode() if first else ""
    page.unlink()
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate()
    guard.cancel()
    took = time.perf_counter() - started
    step = judged("watch", Ran(process.returncode, first + seen, err.decode(), took))
    return step if page.name in seen else step._replace(failure=f"saw {seen.strip()!r}")


def shell(root: Path, env: Mapping[str, str]) -> Run:
    """How a shell runs a command in a folder."""

    def run(*arguments: str) -> Ran:
        started = time.perf_counter()
        done = subprocess.run(
            memwiki(root, *arguments),
            env=dict(env),
            cwd=root,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_COMMAND_S,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr, time.perf_counter() - started)

    return run


def visited(vault: Path, scratch: Path) -> Iterator[Step]:
    """The first hour with a copy of one vault."""
    root, home = scratch / "vaults" / vault.name, scratch / "home"
    home.mkdir(exist_ok=True)
    copytree(vault, root, ignore=ignore_patterns(".git", ".memwiki"), symlinks=True)
    settle()
    places = {"HOME": str(home), "MEMWIKI_CONFIG_DIR": str(scratch / "config")}
    env = environment(scratch / "cache") | places
    yield from first_hour(Visit(root, shell(root, env)))
    yield watched(root, env)
    left = ", ".join(str(path.relative_to(home)) for path in home.rglob("*"))
    yield Step("nothing left at home", "", 0, left)


def main() -> int:
    """Visit each vault, print what it was like, and exit with 1 when something failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vaults", type=Path, nargs="+", metavar="VAULT")
    vaults, failed, rows = parser.parse_args().vaults, [], []
    for vault in map(Path.resolve, vaults):
        with tempfile.TemporaryDirectory(prefix="memwiki-first-hour-") as scratch:
            for step in visited(vault, Path(scratch)):
                told = step.told[:_SHOWN].replace("\t", " ").replace("|", "/")
                failed += [f"{vault.name}: {step.what}: {step.failure}"] if step.failure else []
                verdict = "MISS" if step.failure else "ok"
                rows.append((vault.name, step.what, told, f"{step.seconds:.1f}", verdict))
    print(table(("vault", "step", "what it says first", "s", ""), rows))
    print(*(f"\n{each}" for each in failed), sep="")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
