"""The MCP server as agents meet it: no write is lost, no edit missed, and what a call costs.

The vault is copied. Clients talk JSON-RPC over pipes to `memwiki mcp`, each to a server of its own.
Exits 1 when a write that succeeded is not there exactly once, the counter is not the number of
successes, or an answer misses an edit from outside.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from measure import copied, environment, machine, memwiki, must, pages, settle, table
from soak import usage

from memwiki.workspace import Workspace

_CLIENTS, _KILLED, _SHARED = 8, 3, 3
_TOGETHER, _CALLS, _STARTS = 32, 60, 5
_UNLIMITED = "\n[doors]\nwrites_per_minute = 1000000\n"
Row = tuple[str, str, bool]


class GoneError(Exception):
    """The server ended before it answered."""


class Door:
    """A client of a server of its own."""

    def __init__(self, root: Path, env: Mapping[str, str]) -> None:
        self._number = 0
        self.process = subprocess.Popen(
            memwiki(root, "mcp"),
            env=dict(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        about = {"name": "benchmark", "version": "1"}
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about}
        self.answer(self.ask("initialize", hello))
        self._put({"method": "notifications/initialized"})

    def call(self, tool: str, **arguments: object) -> tuple[str, bool]:
        """The text of an answer, and whether it succeeded."""
        result = self.answer(self.ask("tools/call", {"name": tool, "arguments": arguments}))
        return result["content"][0]["text"], not result.get("isError")

    def ask(self, method: str, params: Mapping[str, object]) -> int:
        """Send a request."""
        self._number += 1
        self._put({"id": self._number, "method": method, "params": params})
        return self._number

    def answer(self, number: int = 0) -> dict[str, Any]:
        """The answer to a request; without a number the next answer of all."""
        assert self.process.stdout
        for line in self.process.stdout:
            message = json.loads(line)
            if "id" in message and number in (0, message["id"]):
                return message["result"]
        raise GoneError

    def close(self) -> None:
        """End the server."""
        self.process.kill()
        self.process.communicate()

    def _put(self, message: Mapping[str, object]) -> None:
        assert self.process.stdin
        try:
            self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            self.process.stdin.flush()
        except OSError as error:
            raise GoneError from error


Open = Callable[[], Door]


def at_once(work: Callable[[int], list[str]]) -> list[str]:
    """What all clients did."""
    with ThreadPoolExecutor(_CLIENTS) as pool:
        return [each for found in pool.map(work, range(_CLIENTS)) for each in found]


def writes(root: Path, opened: Open, count: int, *, env: Mapping[str, str]) -> Row:
    """Clients append to the same pages, as do the command line and an editor; the servers of some
    are killed while they write."""
    names = [f"shared-{number}.md" for number in range(_SHARED)]
    for name in names:
        (root / name).write_text("# Shared\n", encoding="utf-8")
    gone, refused = [], []

    def work(client: int) -> list[str]:
        door, done = opened(), []
        for number in range(count):
            if client < _KILLED and number == count // 2:
                threading.Timer(0.003 * (client + 1), door.process.kill).start()
            line = f"- client {client} wrote {number} of them"
            try:
                name = names[number % _SHARED]
                told, is_done = door.call("write", action="append", name=name, text=line)
                done += [line] if is_done else []
                refused.extend([] if is_done else [told])
            except GoneError:
                gone.append(line)
                door.close()
                door = opened()
        door.close()
        return done

    started, is_over, others = time.perf_counter(), threading.Event(), ThreadPoolExecutor(2)
    beside = [
        others.submit(_command_line, root, names, is_over, env),
        others.submit(_editor, root, names, is_over),
    ]
    try:
        done = at_once(work)
    finally:
        is_over.set()
    by_command, by_editor = (each.result() for each in beside)
    done += by_command
    took = time.perf_counter() - started
    there = [line for name in names for line in (root / name).read_text().splitlines()]
    wrong = [line for line in done if there.count(line) != 1]
    lost = [line for line in by_editor if there.count(line) != 1]
    twice = [line for line in gone if there.count(line) > 1]
    told = f"{len(done)} succeeded, {len(wrong)} of them not there once; {len(gone)} cut off by"
    told += f" {_KILLED} kills (beside {len(by_command)} of the command line,"
    told += f" {len(by_editor)} of an editor, of which {len(lost)} fell into the moment in which a"
    told += f" file is replaced), {len(twice)} of them twice; {len(refused)} refused;"
    told += f" {took:.0f} s"
    for each in (*wrong[:3], *refused[:3]):
        print(each, file=sys.stderr)
    return f"{_CLIENTS} clients x {count} appends", told, not wrong and not twice


def _command_line(
    root: Path, names: list[str], is_over: threading.Event, env: Mapping[str, str]
) -> list[str]:
    """What the command line appended."""
    done: list[str] = []
    while not is_over.is_set():
        line = f"- the command line wrote {len(done)} of them"
        command = memwiki(root, "-q", "append", names[len(done) % len(names)], "--", line)
        if not subprocess.run(command, env=env, capture_output=True, check=False).returncode:
            done.append(line)
    return done


def _editor(root: Path, names: list[str], is_over: threading.Event) -> list[str]:
    """What a program that knows of no lock added at the end of the same files."""
    done: list[str] = []
    while not is_over.wait(1.0):
        done.append(f"- an editor wrote {len(done)} of them")
        with (root / names[len(done) % len(names)]).open("a", encoding="utf-8") as page:
            page.write(f"{done[-1]}\n")
    return done


def counter(root: Path, opened: Open, count: int) -> Row:
    """Clients read a number and write the next one, with the etag of what they read."""
    (root / "counter.md").write_text("# Counter\n\n## Now\n\nnumber 0\n", encoding="utf-8")

    def work(_client: int) -> list[str]:
        door, done = opened(), []
        for _ in range(count):
            text, _ = door.call("read", name="counter.md", section="Now")
            now = int(text.rpartition("number ")[2].split()[0])
            etag = text.partition("etag ")[2].split()[0]
            asked = {"action": "replace_section", "name": "counter.md", "section": "Now"}
            text, is_done = door.call("write", **asked, etag=etag, text=f"number {now + 1}\n")
            done.append("yes" if is_done else text.partition(":")[0])
        door.close()
        return done

    done = at_once(work)
    number = int((root / "counter.md").read_text().rpartition("number ")[2])
    others = {each: done.count(each) for each in sorted({*done} - {"yes"})}
    told = f"the number {number} after {done.count('yes')} successes; else {others}"
    return f"{_CLIENTS} clients add one, {count} times", told, number == done.count("yes")


def edits(root: Path, opened: Open, count: int) -> Row:
    """After each edit of a person the next answer has it."""
    paths, missed, door = pages(root), [], opened()
    for number in range(count):
        path = paths[len(paths) * number // count]
        with (root / path).open("a", encoding="utf-8") as page:
            page.write(f"\nThe word of this is zanzi{number}bar.\n")
        if path not in door.call("search", query=f"zanzi{number}bar")[0]:
            missed.append(path)
    door.close()
    return f"{count} edits from outside", f"{len(missed)} not in the next answer", not missed


def costs(root: Path, opened: Open, env: Mapping[str, str]) -> list[Row]:
    """From start to the first answer, what a call costs, and many at once."""
    settle()
    words = [Path(path).stem.replace("-", " ") for path in pages(root)]
    queries = [words[len(words) * number // _CALLS] for number in range(_CALLS)]
    starts = []
    for _ in range(_STARTS):
        begun = time.perf_counter()
        door = opened()
        connected = time.perf_counter() - begun
        door.call("search", query=queries[0])
        starts.append((time.perf_counter() - begun, connected))
        door.close()
    door, alone, through = opened(), [], []
    memory_before = usage(door.process.pid)[0]
    with Workspace.open(root, find=False, environ={**os.environ, **env}) as space:
        for query in (queries[0], *queries):  # in turn, so that a busy machine slows both
            alone.append(_ms(lambda query=query: space.search(query, limit=10)))
            through.append(_ms(lambda query=query: door.call("search", query=query)))
    ms, more = statistics.median(through[1:]), statistics.median(alone[1:])
    in_turn = [_ms(lambda: [door.call("search", query=q) for q in queries[:_TOGETHER]])
               for _ in range(3)]  # fmt: skip
    together = [_ms(lambda: _many(door, queries[:_TOGETHER])) for _ in range(3)]
    memory = usage(door.process.pid)[0]
    door.close()
    first, connected = map(statistics.median, zip(*starts, strict=True))
    some = f"{_TOGETHER} searches"
    return [
        ("start to connected, to first answer", f"{connected:.2f} s, {first:.2f} s", True),
        ("a search over MCP, in process", f"{ms:.1f} ms, {more:.1f} ms, +{ms - more:.1f}", True),
        (f"{some} in a row", f"{statistics.median(in_turn):.0f} ms", True),
        (f"{some} at once", f"{statistics.median(together):.0f} ms", True),
        ("memory connected, after them", f"{memory_before:.0f} MB, {memory:.0f} MB", True),
    ]


def _many(door: Door, queries: list[str]) -> None:
    for query in queries:
        door.ask("tools/call", {"name": "search", "arguments": {"query": query}})
    for _ in queries:
        door.answer()


def _ms(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vault", type=Path)
    parser.add_argument("--writes", type=int, default=200, help="of each client")
    parser.add_argument("--counts", type=int, default=25, help="of each client")
    parser.add_argument("--edits", type=int, default=200)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memwiki-doors-") as name:
        root, env = Path(name, "vault"), environment(Path(name, "cache"))
        copied(args.vault, root)
        with (root / "memwiki.toml").open("a", encoding="utf-8") as file:
            file.write(_UNLIMITED)
        must(memwiki(root, "-q", "sync"), env)
        rows = measured(root, env, args)
    print(json.dumps(machine()))
    print(table(("what", "figure", "holds"), [(a, b, "yes" if c else "NO") for a, b, c in rows]))
    return 0 if all(row[2] for row in rows) else 1


def measured(root: Path, env: Mapping[str, str], args: argparse.Namespace) -> list[Row]:
    """All rows; those that are not wanted have a count of 0."""

    def opened() -> Door:
        return Door(root, env)

    rows = costs(root, opened, env)
    for row, count in (
        (partial(writes, env=env), args.writes),
        (counter, args.counts),
        (edits, args.edits),
    ):
        rows += [row(root, opened, count)] if count else []
    return rows


if __name__ == "__main__":
    raise SystemExit(main())
