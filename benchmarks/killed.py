"""Kills what proposes, decides and accepts with SIGKILL from begin to end, and looks what is left.

    python benchmarks/killed.py --kills 300 --seed 1

Each case is killed so often, from its begin to its end: in turn at a call that changes the disk (of
a write, half of the bytes are written first) and after a part of the time that it takes. Then, in
turn, the same is asked again or all is taken back: every page has to be as after a run that nobody
killed, or byte for byte as before; every proposal can be read, has one answer, and what became of
its operations is among what can have become of them; no temporary file of memwiki's own stays. The
model is a server of another process, and the ledger may not have counted less than it did. The exit
code says whether anything failed.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import proposing

sys.path.insert(0, str(Path(__file__).parents[1]))

from memwiki.errors import MemwikiError, NotFoundError, UsageError
from memwiki.files.ignore import TEMPORARY_PREFIX
from memwiki.workspace import Workspace
from tests.scripted_server import ScriptedServer, says

CALLS = (
    "write", "pwrite", "fsync", "replace", "rename", "unlink", "link", "mkdir", "rmdir", "truncate",
    "ftruncate", "chmod", "fchmod", "utime", "open",
)  # fmt: skip
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_ID = re.compile(rb"\bm-(?!aaaaaa|bbbbbb|cccccc)[0-9a-z]{6}\b")
FACTS = json.dumps({"facts": [{"lines": [1], "text": "Anna moved to Kiel.", "importance": 0.7}]})
CLAIM = [{"text": "Anna moved to Kiel.", "lines": [1]}]
OPERATIONS: list[dict[str, Any]] = [
    {"do": "add_entry", "text": "Anna moved to Kiel.", "lines": [1]},
    {"do": "supersede_entry", "entry": "m-aaaaaa", "text": "Anna is in Kiel.", "lines": [1]},
    {"do": "join_entries", "entries": ["m-bbbbbb", "m-cccccc"], "text": "Ben sold his dog."},
    {"do": "record_skill", "name": "Brew tea", "steps": ["Boil", "Wait"]},
    {"do": "summarise_session", "session": "talk", "sentences": ["Of tea."], "lines": [1]},
    {"do": "describe_page", "page": "Tea", "text": "What Anna prefers.", "lines": [1]},
    {"do": "add_page", "title": "Anna", "claims": CLAIM},
    {"do": "add_claims", "page": "Tea", "claims": CLAIM},
    {"do": "note_contradiction", "page": "Tea", "against": "Kiel", "text": "Anna moved to Kiel."},
]
EVERY = list(range(1, len(OPERATIONS) + 1))


Files = dict[str, bytes]


class Case(NamedTuple):
    """Something that is killed: what is there before it, and what is done, by the id that this
    gave; what it may raise when it was done already."""

    prepare: Callable[[Workspace], str]
    run: Callable[[Workspace, str], object]
    states: frozenset[str]  # of operations afterwards
    was_done: tuple[type[MemwikiError], ...] = (UsageError,)


def _proposed(space: Workspace) -> str:
    return space.proposals.propose(OPERATIONS, source="talk").id


def _rejected(space: Workspace) -> str:
    id_ = _proposed(space)
    space.proposals.decide(id_, reject=EVERY)
    return id_


def _accept(space: Workspace, id_: str) -> None:
    view = space.proposals.get(id_)
    undecided = [each.n for each in view.operations if each.state in ("open", "aside", "stale")]
    space.proposals.decide(id_, accept=undecided)


CASES = {
    "run": Case(
        lambda _: "",
        lambda space, _: space.curation.extract("talk"),
        frozenset({"open", "aside"}),
        (NotFoundError,),
    ),
    "run --accept": Case(
        lambda _: "",
        lambda space, _: space.curation.extract("talk", accept=True),
        frozenset({"accepted", "aside"}),
        (NotFoundError,),
    ),
    "review --reply": Case(
        lambda space: space.curation.extract_brief("talk").id,
        lambda space, id_: space.curation.reply(id_, FACTS),
        frozenset({"open"}),
    ),
    "review --accept": Case(_proposed, _accept, frozenset({"accepted", "stale"})),
    "review --reject": Case(
        _proposed,
        lambda space, id_: space.proposals.decide(id_, reject="all"),
        frozenset({"rejected"}),
    ),
    "review --edit": Case(
        _proposed,
        lambda space, id_: space.proposals.edit(id_, 1, "Anna lives in Kiel now."),
        frozenset({"open", "aside"}),
    ),
    "review --reopen": Case(
        _rejected,
        lambda space, id_: space.proposals.reopen(id_, EVERY),
        frozenset({"aside"}),
    ),
}


class Model:
    """A server in a process of its own, which notes each request in a file."""

    def __init__(self, folder: Path) -> None:
        self._noted = folder / "asked"
        reading, writing = os.pipe()
        self._process = os.fork()
        if not self._process:
            server = ScriptedServer(self._answer)
            os.write(writing, server.url.encode())
            signal.pause()
        self.url = os.read(reading, 200).decode()

    def _answer(self, connection: Any, over: Any) -> None:
        with self._noted.open("a") as file:
            file.write("1\n")
        says(FACTS, sent=3_000)(connection, over)

    @property
    def asked(self) -> int:
        """How many requests came."""
        return self._noted.read_text().count("\n") if self._noted.exists() else 0

    def close(self) -> None:
        """End it."""
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)


class Killing:
    """One workspace in which cases are killed again and again."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder, self._root = folder, folder / "vault"
        self._random = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self._model = Model(folder)
        self._environ = {
            **os.environ,
            "MEMWIKI_CACHE_DIR": f"{folder}/cache",
            "MEMWIKI_STATE_DIR": f"{folder}/state",
            "MEMWIKI_CONFIG_DIR": f"{folder}/config",
            "MEMWIKI_MODELS_CHAT_BASE_URL": self._model.url,
            "MEMWIKI_MODELS_CHAT_MODEL": "m",
        }

    def close(self) -> None:
        """End the model."""
        self._model.close()

    def kill(self, name: str, kills: int) -> None:
        """Kill one case so often."""
        case, template = CASES[name], self._folder / "template"
        id_ = self._prepare(case, template)
        before = proposing.contents(self._root)
        began = time.monotonic()
        writes = self._run(case, id_, at=0)
        seconds = time.monotonic() - began
        done = self._plain(proposing.contents(self._root))
        for number in range(kills):
            self._reset(template)
            part = (number + self._random.random()) / kills  # of the whole, so that all is struck
            at = math.ceil(part * writes) if number % 2 == 0 else 0
            after = 0.0 if at else part * seconds
            asked = self._model.asked
            self._run(case, id_, at=at, after=after)
            told = f"{name}, at {at or f'{after:.3f} s'}"
            is_undone = number // 2 % 2 == 1
            left = self._undone(before) if is_undone else self._again(case, id_, done)
            try:
                faults = list(left)
                self._sum(asked)
            except Exception as error:  # noqa: BLE001 - what the whole is after
                faults = [f"{type(error).__name__}: {str(error)[:200]}"]
            told += ", undone" if is_undone else ", again"
            self.faults += (f"{told}: {each}" for each in faults)
        shutil.rmtree(template)

    def _opened(self) -> Workspace:
        return Workspace.open(self._root, environ=self._environ)

    # --- one kill ---

    def _prepare(self, case: Case, template: Path) -> str:
        shutil.rmtree(self._root, ignore_errors=True)
        self._root.mkdir()
        proposing.write_pages(self._root)
        talk = self._root / "sessions" / "talk.md"
        more = (
            f"\n### 2026-11-20T11:{n:02}:00Z user [name:: Anna] ^s-{n + 10:04}\n"
            f"{'I read of the sea and of the ships there. ' * 9}\n"
            for n in range(40)
        )
        talk.write_text(talk.read_text("utf-8") + "".join(more), "utf-8")
        with self._opened() as space:
            id_ = case.prepare(space)
        shutil.copytree(self._root, template)
        return id_

    def _reset(self, template: Path) -> None:
        shutil.rmtree(self._root)
        shutil.copytree(template, self._root)
        for made in ("cache/replies", "state"):
            shutil.rmtree(self._folder / made, ignore_errors=True)

    def _run(self, case: Case, id_: str, *, at: int, after: float = 0.0) -> int:
        """Run a case in a process that is killed at this call or after these seconds, if any; gives
        how many calls it made."""
        reading, writing = os.pipe()
        process = os.fork()
        if not process:
            self._child(case, id_, at, writing)
        os.close(writing)
        if after:
            time.sleep(after)
            os.kill(process, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        told = os.read(reading, 100)
        os.close(reading)
        self.counts["killed" if code == -signal.SIGKILL else "was done before"] += bool(at or after)
        if code not in (0, -signal.SIGKILL):
            self.faults.append(f"the child ended with {code}")
        return int(told or 0)

    def _child(self, case: Case, id_: str, at: int, writing: int) -> None:
        write = os.write
        code = 1
        try:
            calls = _struck(at)
            with self._opened() as space:
                case.run(space, id_)
            write(writing, str(calls[0]).encode())
            code = 0
        finally:
            os._exit(code)

    # --- what is left ---

    def _again(self, case: Case, id_: str, done: Files) -> Iterator[str]:
        """Ask for the same once more: it is finished."""
        with self._opened() as space:
            try:
                case.run(space, id_)
                self.counts["finished"] += 1
            except case.was_done:
                self.counts["was finished"] += 1
            yield from self._states(space, case)
        yield from _differences(done, self._plain(proposing.contents(self._root)))

    def _undone(self, before: Files) -> Iterator[str]:
        """Take back what was written: each byte is as it was, and the proposal can be decided."""
        with self._opened() as space:
            try:
                while True:
                    space.undo()
                    self.counts["taken back"] += 1
            except NotFoundError:
                pass
            found = proposing.contents(self._root)
            yield from _differences(before, found)
            for row in space.proposals.list(all=True).proposals:
                space.proposals.get(row.id)

    def _states(self, space: Workspace, case: Case) -> Iterator[str]:
        listed = space.proposals.list(all=True)
        yield from listed.notes
        for row in listed.proposals:
            view = space.proposals.get(row.id)
            if strange := {each.state for each in view.operations} - case.states:
                yield f"{row.id} has operations that are {strange}"
        folder = self._root / ".memwiki"
        kept = [json.loads(file.read_bytes()) for file in folder.glob("proposals/p-*.json")]
        parts = Counter((each["job"], each["source"]["part"]) for each in kept)
        yield from (f"{part} was answered twice" for part, count in parts.items() if count > 1)
        left = folder.rglob(f"{TEMPORARY_PREFIX}*")
        yield from (f"{each.relative_to(self._root)} stays" for each in left)

    def _sum(self, asked: int) -> None:
        counted = sum(
            json.loads(line).get("calls", 0)
            for file in (self._folder / "state").rglob("spent*.jsonl")
            for line in file.read_text().splitlines()
        )
        if counted < self._model.asked - asked:
            self.faults.append(f"the ledger has {counted} of {self._model.asked - asked} calls")

    @staticmethod
    def _plain(files: Files) -> Files:
        """Files with all new ids alike."""
        return {path: _ID.sub(b"m-new", data) for path, data in files.items()}


def _differences(wanted: Files, found: Files) -> Iterator[str]:
    """The pages in which two states differ, but for the journal; a temporary file beside a page is
    of no reader, and goes when somebody writes there."""
    for path in sorted((wanted.keys() | found.keys()) - {"log.md"}):
        is_page = TEMPORARY_PREFIX not in path
        if is_page and wanted.get(path) != found.get(path):
            yield f"{path} is another one"


def _struck(at: int) -> list[int]:
    """Count the calls that change the disk, and be killed at this one; of a write, when half of it
    is written."""
    calls = [0]

    def guard(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            calls[0] += name != "open" or bool(args[1] & _WRITING)
            if calls[0] == at:
                if name == "write":
                    real(args[0], bytes(args[1])[: len(args[1]) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **options)

        return call

    for name in CALLS:
        setattr(os, name, guard(name, getattr(os, name)))
    return calls


def killed(
    folder: Path, seed: int, kills: int, cases: Iterable[str], tell: Callable[[str], object] = str
) -> Killing:
    """Kill each of these cases so often."""
    made = Killing(folder, seed)
    try:
        for name in cases:
            began = time.monotonic()
            made.kill(name, kills)
            tell(f"{name}: {time.monotonic() - began:.0f} s, {len(made.faults)} faults")
    finally:
        made.close()
    return made


def main() -> int:
    """Run what is asked for, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=300, help="of each case")
    parser.add_argument("--case", choices=CASES, action="append", help="only this one")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = killed(
            Path(folder),
            asked.seed,
            asked.kills,
            asked.case or CASES,
            lambda line: print(line, file=sys.stderr, flush=True),
        )
    for name, count in sorted(made.counts.items()):
        print(f"{count:8,} {name}")
    print(*made.faults[:50], f"{len(made.faults)} faults", sep="\n")
    return 1 if made.faults else 0


if __name__ == "__main__":
    sys.exit(main())
