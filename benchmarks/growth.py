"""How the time of every parser grows with its input: hostile text of n, 2n and 4n bytes, made of
all starters that mean something to it, alone, in pairs and in triples.

Each text is read in a process that the system ends after some seconds of processor time. One run of
4n shows most texts to be harmless; of those above the floor, the ones whose time grows faster than
their input are printed. Exits 1 when there are any.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from typing import NamedTuple

from parsers import PARSERS

FLOOR_S = 0.05  # below it, nothing is told from noise
GROWTH = 8.0  # of four times the input: 4 is linear, 16 quadratic
LIMIT_S = 5.0  # of processor time for one case; one that takes longer counts as growing
SIZE = 32_000  # bytes of the longest text
_TRIPLES = 3_000
_RUNS = 10  # of one text at most


class Case(NamedTuple):
    """A text as a pattern: what comes once, what is repeated, what comes last."""

    head: str
    body: str
    tail: str = ""
    after: str = ""  # repeated as often, behind the body

    def text(self, size: int) -> str:
        """The text in about this many bytes."""
        count = max(1, size // len((self.body + self.after).encode("utf-8", "replace")))
        return self.head + self.body * count + self.after * count + self.tail


def cases(starters: Sequence[str], seed: int) -> Iterator[Case]:
    """Every starter repeated, every pair in each of five ways, and some of the triples."""
    for each in starters:
        yield Case("", each)
    for one, two in itertools.product(starters, repeat=2):
        yield Case(one, two)
        yield Case("", one, two)
        yield Case("", one + two)
        yield Case("", f"{one}{two}\n")
        yield Case("", one, after=two)
    chance = random.Random(seed)
    for _ in range(_TRIPLES):
        one, two, three = chance.choices(starters, k=3)
        yield Case(one, two, three)
        yield Case("", one + two + three)


def seconds(read: Callable[[str], object], text: str) -> float:
    """The processor time of one reading."""
    begun = time.process_time()
    read(text)
    return time.process_time() - begun


def growth(read: Callable[[str], object], case: Case, size: int) -> float:
    """How much longer four times the input takes; 0 for a case under the floor."""
    if seconds(read, case.text(size)) < FLOOR_S:
        return 0.0
    # The best of a few runs each, and of more where it looks bad: other programs only slow it.
    factor, quarters, wholes = float("inf"), list[float](), list[float]()
    while factor > GROWTH and len(wholes) < _RUNS:
        quarters += [seconds(read, case.text(size // 4)) for _ in range(3)]
        wholes += [seconds(read, case.text(size)) for _ in range(2)]
        factor = min(wholes) / max(min(quarters), FLOOR_S / 32)
    return factor if min(wholes) >= FLOOR_S else 0.0


def _serve(channel: Connection, name: str, size: int) -> None:
    """Answer cases until there are none; the system ends this process when one takes too long."""
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    gc.disable()  # its pauses are of the heap, not of the text
    parser = PARSERS[name]
    size = min(size, parser.size)
    while (case := channel.recv()) is not None:
        signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_S)
        try:
            channel.send((growth(parser.read, case, size), ""))
        except Exception as error:  # noqa: BLE001 - what no parser may raise is what is looked for
            channel.send((0.0, f"{type(error).__name__}: {error}"[:120]))
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


class Worker:
    """A process that reads texts with one parser, begun anew after each that it does not
    survive."""

    def __init__(self, name: str, size: int) -> None:
        self._name, self._size = name, size
        self._begin()

    def _begin(self) -> None:
        self._channel, theirs = Pipe()
        self._process = Process(target=_serve, args=(theirs, self._name, self._size), daemon=True)
        self._process.start()
        theirs.close()

    def measure(self, case: Case) -> tuple[float, str]:
        """The growth of a case, infinite when it takes too long, and what it raised."""
        self._channel.send(case)
        try:
            return self._channel.recv()
        except (EOFError, ConnectionError):
            self._process.join()
            self._begin()
            return float("inf"), ""

    def end(self) -> None:
        """Let the process go."""
        self._channel.send(None)
        self._process.join()


def examine(name: str, *, size: int, seed: int, only: int, seconds_each: float) -> int:
    """Print the cases of a parser that grow too fast, or raise; give their number."""
    worker, found, tried = Worker(name, size), 0, 0
    begun = time.monotonic()
    chosen = list(cases(PARSERS[name].starters, seed))
    random.Random(seed).shuffle(chosen)
    for case in chosen[: only or None]:
        if seconds_each and time.monotonic() - begun > seconds_each:
            break
        factor, raised = worker.measure(case)
        tried += 1
        if factor > GROWTH or raised:
            found += 1
            print(f"  {name}: {raised or f'x {factor:.1f}'} for {tuple(case)!r}", flush=True)
    worker.end()
    print(f"{name}: {tried} of {len(chosen)} texts, {found} found", flush=True)
    return found


def main() -> int:
    """Examine the parsers that were asked for, or all."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("parsers", nargs="*", help="names, all when none is given")
    asked.add_argument("--size", type=int, default=SIZE, help="bytes of the longest text")
    asked.add_argument(
        "--only", type=int, default=0, help="so many texts a parser, chosen at random"
    )
    asked.add_argument("--seconds", type=float, default=0, help="stop a parser after so long")
    asked.add_argument("--seed", type=int, default=0)
    given = asked.parse_args()
    found = 0
    for name in given.parsers or PARSERS:
        found += examine(
            name, size=given.size, seed=given.seed, only=given.only, seconds_each=given.seconds
        )
    return 1 if found else 0


if __name__ == "__main__":
    os.nice(10)
    sys.exit(main())
