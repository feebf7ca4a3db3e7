"""What upkeep leaves of a made life, and what it costs.

A person's and an agent's days: facts that repeat, change and are asked for again, events that
nobody asks for, memories that are staged. Half of them lie in the past; on each simulated day the
rest come in, questions recall some, and upkeep runs as often as the preset says. Prints what
stayed and what went, and why. With `--cost N`, what one upkeep of N entries takes.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from measure import table

from memwiki import Workspace
from memwiki.answers.entries import UpkeepReport

_START = datetime(2026, 6, 1, 8, tzinfo=UTC)
_PEOPLE = "Anna Ben Chloe Dario Emre Farah Gil Hana Ivo Jun 小明 小红".split()
_THINGS = (
    "tea coffee bread Redis Postgres Kiel Hamburg Python Rust chess piano yoga 茶 咖啡".split()
)
_VERBS = "likes uses avoids teaches orders repairs".split()
_PLACES = "kitchen office station garden harbour library market 厨房 办公室".split()
_DAY_RUNS = 4  # every six hours
_ASKED_A_DAY = 20


# Where reasons name what they are about, the kind of them.
_WHY = {
    "retired": "older than 30 days",
    "related": "both name the same",
    "candidate": "within an hour",
    "conflict": "may contradict",
    "superseded": "contradicted",
    "linked": "named in its text",
    "fixed": "check",
}


class Clock:
    """The time of the simulation."""

    def __init__(self) -> None:
        self.now = _START

    def __call__(self) -> int:
        return int(self.now.timestamp()) * 10**9


class Life:
    """What happens, drawn with a seed: the same at every run."""

    def __init__(self, seed: int) -> None:
        self._pick = random.Random(seed)
        self._told: list[dict[str, object]] = []

    def day(self, at: datetime, count: int) -> Iterator[dict[str, object]]:
        """The entries of one day, as `add_all` takes them."""
        for number in range(count):
            yield self._one(at + timedelta(minutes=10 * number))

    def _one(self, at: datetime) -> dict[str, object]:
        pick = self._pick
        person, thing, place = (pick.choice(each) for each in (_PEOPLE, _THINGS, _PLACES))
        kind = pick.random()
        moment = at.isoformat()
        if kind < 0.55:
            text = f"{person} {pick.choice(_VERBS)} {thing} in the {place} at {at:%H:%M}."
            return {"text": text, "to": "daily", "type": "event", "at": moment}
        if kind < 0.65 and self._told:
            return {**pick.choice(self._told), "at": moment}
        if kind < 0.72:
            return {"text": f"{person}'s home is {thing} {place}.", "key": f"{person}/home"}
        if kind < 0.76:
            text = f"Important: {person} must never get {thing}."
        else:
            text = f"{person} {pick.choice(_VERBS)} {thing} from the {place} {pick.randrange(50)}."
        fact: dict[str, object] = {
            "text": text,
            "type": "fact",
            "entities": [person],
            "staged": pick.random() < 0.6,
            "at": moment,
        }
        self._told.append(fact)
        return fact


class Outcome(NamedTuple):
    """What became of a life."""

    preset: str
    told: int
    runs: int
    verbs: Counter[str]
    reasons: Counter[str]
    stayed: Counter[str]
    archived: int


def live(scratch: Path, preset: str, entries: int, days: int) -> Outcome:
    """Simulate some days under a preset."""
    clock, past, pick = Clock(), Life(7), random.Random(11)
    root, environ = scratch / preset, {"MEMWIKI_CACHE_DIR": str(scratch / f"cache-{preset}")}
    Workspace.init(root, bare=True, preset=preset).close()
    verbs, reasons, told, runs = Counter[str](), Counter[str](), 0, 0
    with Workspace.open(root, find=False, environ=environ, clock=clock) as space:
        half = entries // 2
        for back in range(days, 0, -1):
            clock.now = _START - timedelta(days=back)
            told += _tell(space, past, clock.now, half // days)
        for day in range(days):
            clock.now = _START + timedelta(days=day)
            told += _tell(space, past, clock.now, half // days)
            _ask(space, pick)
            for _ in range(_DAY_RUNS if preset == "agent" else 0):
                clock.now += timedelta(hours=6)
                report = space.upkeep.run()
                runs += 1
                _count(report, verbs, reasons)
        if preset == "personal":  # nothing moves by itself; once at the end somebody asks for it
            _count(space.upkeep.run(), verbs, reasons)
            runs = 1
        stayed = Counter(each.category for each in space.entries.list())
        archived = sum(page.path.startswith("archive/memory/") for page in space.pages.list())
    return Outcome(preset, told, runs, verbs, reasons, stayed, archived)


def _tell(space: Workspace, life: Life, at: datetime, count: int) -> int:
    asked = list(life.day(at, count))
    for staged in (False, True):
        space.entries.add_all([each for each in asked if bool(each.get("staged")) is staged])
    return len(asked)


def _ask(space: Workspace, pick: random.Random) -> None:
    """Questions of a day: some names are asked for far more often than others."""
    for _ in range(_ASKED_A_DAY):
        name = _PEOPLE[min(int(pick.expovariate(0.5)), len(_PEOPLE) - 1)]
        hits = space.search(f"{name} is:entry", limit=3).hits
        found = [space.entries.get(f"{hit.path}:{hit.line_start}") for hit in hits]
        space.entries.record(name, [(entry, 0.9 - 0.2 * i) for i, entry in enumerate(found)])


def _count(report: UpkeepReport, verbs: Counter[str], reasons: Counter[str]) -> None:
    for step in report.steps:
        verbs[step.verb] += 1
        reasons[f"{step.verb} ({_WHY.get(step.verb, step.reason)})"] += 1


def cost(entries: int) -> dict[str, float]:
    """Processor time and memory of one upkeep of a workspace with so many entries."""
    with tempfile.TemporaryDirectory() as folder:
        root, clock = Path(folder) / "ws", Clock()
        environ = {"MEMWIKI_CACHE_DIR": f"{folder}/cache"}
        Workspace.init(root, bare=True, preset="agent").close()
        life = Life(3)
        made = 0
        with Workspace.open(root, find=False, environ=environ, clock=clock) as space:
            while made < entries:
                clock.now -= timedelta(days=1)
                for part in range(0, 100, 100):
                    made += _tell(space, life, clock.now, 100 - part)
            clock.now = _START
            space.sync()
        command = [sys.executable, __file__, "--once", str(root), "--at", str(clock())]
        done = subprocess.run(
            command, env={**environ, "PATH": "/usr/bin:/bin"}, capture_output=True, check=True
        )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def once(root: Path, at: int) -> None:
    """One upkeep in a process of its own, with what it took."""
    with Workspace.open(root, find=False, clock=lambda: at) as space:
        before = time.process_time()
        report = space.upkeep.run()
        seconds = time.process_time() - before
    most_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"cpu_s": seconds, "mb": most_kb / 1024, "steps": len(report.steps)}))


def main() -> None:
    """Print what upkeep leaves, or what it costs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=3000)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--cost", type=int, default=0, metavar="N")
    parser.add_argument("--once", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--at", type=int, default=0, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.once:
        once(given.once, given.at)
        return
    if given.cost:
        print(cost(given.cost))
        return
    with tempfile.TemporaryDirectory() as folder:
        for preset in ("personal", "agent"):
            found = live(Path(folder), preset, given.entries, given.days)
            print(f"\n## {preset}: {found.told} told, {found.runs} runs of upkeep\n")
            print(table(("what", "entries"), _rows(found)))


def _rows(found: Outcome) -> Iterator[tuple[str, str]]:
    yield from ((f"stayed: {name}", str(count)) for name, count in found.stayed.most_common())
    yield from ((f"{reason}", str(count)) for reason, count in found.reasons.most_common())


if __name__ == "__main__":
    main()
