"""Harms every file of the cache in every way, and asks: is the answer that of a healthy index?

    python benchmarks/damage.py --cases 5000 --seed 1

Each case takes a workspace with a healthy index, does one harm, runs one command as a new process
would (or in one that was open before) and compares the answer with that of the healthy index. Then
the index has to equal one built anew. An answer that differs, an error that the healthy index does
not give, or anything but one of memwiki's own errors is a failure; the exit code says whether there
was one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from memwiki.errors import IndexDamagedError, MemwikiError
from memwiki.index.stores import Stores, dump
from memwiki.present.plain import as_json
from memwiki.sync import request as syncing
from memwiki.sync.feed import sync_stores
from memwiki.sync.request import SyncRequest
from memwiki.workspace import Workspace

PAGES = {
    "fox.md": "---\ntags: [animal]\ntype: note\n---\n# Fox\n\nThe quick brown fox links to "
    "[[Dog]].\n",
    "dog.md": "# Dog\n\nA lazy brown dog sleeps, see [[Nowhere]] and [[fox]].\n\n## "
    "Food\n\nBones.\n",
    "memory.md": "# Memory\n\n- Likes tea. #drink\n- Keeps bees. ^m-aaaaaa\n",
    "wiki/tea.md": "---\naliases: [Chai]\n---\n# Tea\n\nBrown and hot. #drink/hot [[memory]]\n",
    "wiki/bad.md": "---\ntags: [a\n---\n# Bad\n\nunclosed\n",
    "picture.png": "png",
}
LATER = {"otter.md": "# Otter\n\nA brown otter that an older copy does not know. [[Fox]]\n"}
SETTINGS = "[catalog]\nenabled = true\n"
_VOLATILE = ("seconds", "index", "watcher", "explain", "age", "line_count", "workspace")
_NO_ANSWER = (("IndexDamagedError", "index_damaged"), None)
_NEVER_BUILT = ({"completions": []}, None)
_LOOKS = ("status", "overview", "why")
_AHEAD_NS = 3600 * 10**9


class Case(NamedTuple):
    """One harm and the command that meets it."""

    where: str
    harm: str
    command: str
    is_open: bool


READS: dict[str, Callable[[Workspace], object]] = {
    "search": lambda ws: ws.search("brown"),
    "search phrase": lambda ws: ws.search('"lazy brown"'),
    "search part": lambda ws: ws.search("ott* tag:drink"),
    "get": lambda ws: ws.pages.get("Chai"),
    "list": lambda ws: ws.pages.list(sort="title"),
    "links": lambda ws: ws.graph.links("fox"),
    "unresolved": lambda ws: ws.graph.unresolved(),
    "tags": lambda ws: ws.graph.tags(),
    "graph": lambda ws: ws.graph.ranked(),
    "status": lambda ws: ws.index.status(),
    "overview": lambda ws: ws.index.overview(),
    "why": lambda ws: ws.index.why("otter.md"),
    "check": lambda ws: ws.check.run(),
    "doctor": lambda ws: ws.index.doctor()._replace(notes=(), healthy=True),
    "verify": lambda ws: ws.index.doctor(verify=True)._replace(notes=(), healthy=True),
    "catalog": lambda ws: ws.catalog.check(),
    "complete": lambda ws: ws.pages.complete("page", "o"),
    "history": lambda ws: ws.pages.history("fox"),
    "log": lambda ws: ws.journal.list(),
}
WRITES: dict[str, Callable[[Workspace], object]] = {
    "append": lambda ws: ws.pages.append("memory", "- A new line."),
    "new": lambda ws: ws.pages.new("Heron", content="grey"),
    "move": lambda ws: ws.pages.move("fox", "wiki/fox.md"),
    "set": lambda ws: ws.pages.set("dog", {"type": "note"}),
    "sync": lambda ws: ws.sync().fresh,
    "reindex": lambda ws: ws.index.reindex().fresh,
}
COMMANDS = {**READS, **WRITES}


def _cut(path: Path, size: int) -> None:
    path.write_bytes(path.read_bytes()[:size])


def _zero(path: Path, at: float) -> None:
    data = bytearray(path.read_bytes())
    start = int(max(len(data) - 512, 0) * at)
    data[start : start + 512] = bytes(len(data[start : start + 512]))
    path.write_bytes(data)


def _flip(path: Path, dice: random.Random) -> None:
    data = bytearray(path.read_bytes() or b"\0")
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    path.write_bytes(data)


def _instead(path: Path, make: Callable[[Path], object]) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    make(path)


def _copy(path: Path, other: Path) -> None:
    if other.is_file():
        shutil.copyfile(other, path)


class Field:
    """A workspace with a healthy index, and copies of both to go back to."""

    def __init__(self, base: Path) -> None:
        self.base, self.root, self.cache = base, base / "ws", base / "cache"
        self._real = syncing.now_ns
        syncing.now_ns = self.clock
        (self.root / ".memwiki").mkdir(parents=True)
        (self.root / "memwiki.toml").write_text(SETTINGS)
        self._write(PAGES)
        self._settle()
        shutil.copytree(self.cache, base / "older")
        self._write(LATER)
        self._settle()
        shutil.copytree(self.cache, base / "healthy", symlinks=True)
        shutil.copytree(self.root, base / "files", symlinks=True)
        self._other()
        self.expected: dict[str, object] = {}
        for name in COMMANDS:
            self.expected[name] = self._outcome(name, self.open())
            self.restore()
        self.rows = self._rebuilt()

    def clock(self) -> int:
        return self._real() + _AHEAD_NS

    def close(self) -> None:
        syncing.now_ns = self._real

    def open(self, *, sync: bool = True) -> Workspace:
        environ = {"MEMWIKI_CACHE_DIR": str(self.cache), "PATH": os.environ["PATH"]}
        return Workspace(self.root, sync=sync, environ=environ, clock=self.clock)

    def _write(self, pages: dict[str, str]) -> None:
        for path, text in pages.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)

    def _settle(self) -> None:
        with closing(self.open()) as ws:
            ws.sync()
            ws.check.run()
            ws.catalog.update()
            ws.sync()
            ws.check.run()

    def _other(self) -> None:
        """The cache of another workspace."""
        root = self.base / "other" / "ws"
        (root / ".memwiki").mkdir(parents=True)
        (root / "strange.md").write_text("# Strange\n\nbrown stranger\n")
        environ = {"MEMWIKI_CACHE_DIR": str(self.base / "strange")}
        with closing(Workspace(root, environ=environ, clock=self.clock)) as ws:
            ws.sync()
            ws.check.run()

    def restore(self) -> None:
        """Everything as it was, known to memwiki."""
        for copy, place in (("files", self.root), ("healthy", self.cache)):
            shutil.rmtree(place)
            shutil.copytree(self.base / copy, place, symlinks=True)
        with closing(self.open()) as ws:
            ws.sync()
            ws.check.run()
            ws.take_warnings()

    def files(self) -> list[str]:
        """Every file of the cache, and some that may be planted."""
        found = [str(p.relative_to(self.cache)) for p in self.cache.rglob("*") if p.is_file()]
        build = next(path.parent for path in map(Path, found) if path.name == "cards.sqlite")
        planted = [
            build / "cards.sqlite-wal",
            build / "cards.sqlite-shm",
            build / "cards.sqlite-journal",
            build / "keyword/held.sqlite-wal",
            build / "keyword/_MAIN_99.toc",
            build / "keyword",
            build,
            build.parent,
            build.parent / "next",
            build.parent / "watch.json",
            build.parent / "watch.lock",
            build.parent / "findings.sqlite-wal",
        ]
        return sorted({*found, *map(str, planted)})

    def twin(self, kept: str, where: str) -> Path:
        """The file of another cache that has this part."""
        folder = self.base / kept
        pattern = "_MAIN_*.toc" if where.endswith(".toc") else Path(where).name
        pattern = "MAIN_*.seg" if where.endswith(".seg") else pattern
        return next(iter(sorted(folder.rglob(pattern))), folder / "nothing")

    def columns(self) -> Iterator[str]:
        """Every column of every table, as `file:table.column`."""
        for file in self.files():
            if file.endswith(".sqlite"):
                with closing(sqlite3.connect(self.cache / file)) as db:
                    tables = [
                        n
                        for (n,) in db.execute("select name from sqlite_master where type='table'")
                    ]
                    for table in tables:
                        for row in db.execute(f"pragma table_info({table})"):
                            yield f"{file}:{table}.{row[1]}"

    def _rebuilt(self) -> object:
        with closing(self.open()) as ws:
            stores = Stores(None)
            sync_stores(ws.root, ws.live.context.walk(), stores, ws.live.settings, SyncRequest())
            with closing(stores):
                return dump(stores)

    def _outcome(self, command: str, ws: Workspace) -> object:
        """What a person would see, and what is in the files afterwards."""
        with closing(ws):
            try:
                shown: object = _stable(json.loads(as_json(COMMANDS[command](ws))))
            except MemwikiError as error:
                shown = (type(error).__name__, error.code)
            return shown, self._bytes() if command in WRITES else None

    def _bytes(self) -> dict[str, bytes]:
        files = (p for p in self.root.rglob("*") if p.is_file() and ".memwiki/" not in str(p))
        return {str(p.relative_to(self.root)): p.read_bytes() for p in files}

    def harm(self, case: Case, dice: random.Random) -> None:
        if ":" in case.where:
            self._set(case.where, case.harm, is_all=dice.random() < 0.5)
        else:
            path = self.cache / case.where
            is_content = case.harm in _CONTENT
            if is_content and (path.is_dir() or not path.exists()):
                if path.is_dir():
                    return
                path.write_bytes(dice.randbytes(700))
            HARMS[case.harm](self, path, dice)

    def _set(self, where: str, value: str, *, is_all: bool) -> None:
        file, _, column = where.rpartition(":")
        table, _, name = column.partition(".")
        some = "" if is_all else f" where {name} in (select {name} from {table} limit 1)"
        with closing(sqlite3.connect(self.cache / file)) as db, suppress(sqlite3.Error), db:
            db.execute(f"update {table} set {name}={VALUES[value]}{some}")

    def run(self, case: Case, dice: random.Random) -> str:
        """What went wrong in a case, "" for nothing."""
        early = self.open() if case.is_open else None
        if early:
            early.search("brown")
            early.check.run()
        self.harm(case, dice)
        try:
            found = self._outcome(case.command, early or self.open())
        except Exception as error:  # noqa: BLE001 - counted, and shown
            return f"{type(error).__name__}: {error}"
        is_gone = ":" not in case.where and "/" not in case.where  # the whole folder in the cache
        if case.command == "complete" and (
            found == _NO_ANSWER or (is_gone and found == _NEVER_BUILT)
        ):
            return self._afterwards(case)  # it never syncs, and a shell is not told
        is_under_it = (
            case.is_open and ":" in case.where
        )  # rows, below one who has read that all is well
        if case.command in _LOOKS and (is_gone or is_under_it):
            return self._afterwards(case)  # they say what is there, and leave it to others to heal
        if found != self.expected[case.command]:
            return f"differs: {_difference(self.expected[case.command], found)}"
        return self._afterwards(case)

    def _afterwards(self, case: Case) -> str:
        try:
            with closing(self.open()) as ws:
                if not ws.sync().fresh:
                    return "not fresh afterwards"
                live = dump(ws.live.stores())
                if ws.live.cache_folder is None or ws.live.stores().build is None:
                    return "still in memory afterwards"
        except Exception as error:  # noqa: BLE001 - counted, and shown
            return f"afterwards {type(error).__name__}: {error}"
        rows = self._rebuilt() if case.command in WRITES else self.rows
        return "" if live == rows else "the index is not what a rebuild is"

    def run_unsynced(self, case: Case, dice: random.Random) -> str:
        """As `run`, without a sync: the right answer, or an error that says what is wrong."""
        self.harm(case, dice)
        try:
            with closing(self.open(sync=False)) as ws:
                shown = json.loads(as_json(COMMANDS[case.command](ws)))
        except IndexDamagedError:
            return ""
        except Exception as error:  # noqa: BLE001 - counted, and shown
            return f"{type(error).__name__}: {error}"
        healthy = self.expected[case.command][0]
        same = {**_stable(shown), "fresh": True, "pending": 0, "reason": ""}
        wanted = {**healthy, "fresh": True, "pending": 0, "reason": ""}
        return "" if same == wanted else f"differs: {_difference(wanted, same)}"


HARMS: dict[str, Callable[[Field, Path, random.Random], object]] = {
    "missing": lambda _, path, __: _instead(path, lambda _: None),
    "empty": lambda _, path, __: path.write_bytes(b""),
    "half": lambda _, path, __: _cut(path, path.stat().st_size // 2),
    "zeroes at the start": lambda _, path, __: _zero(path, 0),
    "zeroes in the middle": lambda _, path, __: _zero(path, 0.5),
    "zeroes at the end": lambda _, path, __: _zero(path, 1),
    "a bit flipped": lambda _, path, dice: _flip(path, dice),
    "bytes appended": lambda _, path, dice: path.write_bytes(
        path.read_bytes() + dice.randbytes(99)
    ),
    "random bytes": lambda _, path, dice: path.write_bytes(
        dice.randbytes(max(path.stat().st_size, 64))
    ),
    "an older copy": lambda field, path, _: _copy(path, field.twin("older", str(path))),
    "of another workspace": lambda field, path, _: _copy(path, field.twin("strange", str(path))),
    "a folder": lambda _, path, __: _instead(path, lambda p: (p / "in it").mkdir(parents=True)),
    "a link to itself": lambda _, path, __: _instead(path, lambda p: p.symlink_to(p.name)),
    "a link elsewhere": lambda field, path, _: _instead(
        path, lambda p: p.symlink_to(field.base / "files")
    ),
    "a link to nothing": lambda _, path, __: _instead(
        path, lambda p: p.symlink_to("/nowhere/at/all")
    ),
    "a pipe": lambda _, path, __: _instead(path, os.mkfifo),
    "not UTF-8": lambda _, path, __: path.write_bytes(b"\xff\xfe build"),
    "nested JSON": lambda _, path, __: path.write_bytes(b"[" * 100_000),
    "other JSON": lambda _, path, dice: path.write_text(
        dice.choice(["{}", "[]", "null", '{"open": 1}', "9" * 5000])
    ),
    "a long name": lambda _, path, __: path.write_text("b" * 300),
    "another path": lambda _, path, dice: path.write_text(
        dice.choice(["..", "/", "build-\0", "../x", "."])
    ),
}
_CONTENT = {
    "half",
    "zeroes at the start",
    "zeroes in the middle",
    "zeroes at the end",
    "a bit flipped",
    "bytes appended",
    "random bytes",
    "an older copy",
    "of another workspace",
    "empty",
    "not UTF-8",
    "nested JSON",
    "other JSON",
    "a long name",
    "another path",
}
VALUES = {
    "null": "null",
    "text": "'text'",
    "blob": "x'ff00fe'",
    "huge": "4611686018427387904",
    "minus": "-1",
    "broken JSON": "'{\"a\": ['",
    "empty text": "''",
    "real": "1.5",
    "bytes that are no text": "cast(x'ff41' as text)",
}


def _stable(value: object) -> object:
    if isinstance(value, dict):
        return {key: _stable(each) for key, each in value.items() if key not in _VOLATILE}
    return [_stable(each) for each in value] if isinstance(value, list) else value


def _difference(one: object, other: object) -> str:
    text, found = repr(one), repr(other)
    at = next((n for n, (a, b) in enumerate(zip(text, found, strict=False)) if a != b), 0)
    return f"{text[max(at - 40, 0) : at + 60]} <> {found[max(at - 40, 0) : at + 60]}"


def cases(field: Field, dice: random.Random) -> Iterator[Case]:
    """All there are, in an order that depends on the dice."""
    places = [(where, harm) for where in field.files() for harm in HARMS]
    places += [(where, value) for where in field.columns() for value in VALUES]
    every = [(place, command) for place in places for command in COMMANDS]
    dice.shuffle(every)
    for (where, harm), command in every:
        yield Case(where, harm, command, dice.random() < 0.3)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9)
    given = parser.parse_args()
    dice, failed, started, done = random.Random(given.seed), Counter[str](), time.monotonic(), 0
    with tempfile.TemporaryDirectory(prefix="memwiki-damage-") as base:
        field = Field(Path(base))
        for case in cases(field, dice):
            if done >= given.cases or time.monotonic() - started > given.seconds:
                break
            wrong = field.run(case, dice)
            field.restore()
            done += 1
            if wrong:
                failed[f"{case.where.rpartition('/')[2]}: {case.harm}"] += 1
                print(f"{case}: {wrong[:400]}", flush=True)
        field.close()
    print(f"{done} cases, {failed.total()} failures, {time.monotonic() - started:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
