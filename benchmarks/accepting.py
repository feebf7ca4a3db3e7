"""Accepts random proposals over a copy of a vault and takes them back, with an editor between.

    python benchmarks/accepting.py ~/notes --proposals 500 --seed 1

Each round proposes one to four operations, of every kind that changes entries, sessions and pages;
an editor may write into pages before they are accepted and once more before the undo. Where nobody
edits, each byte has to come back; where somebody did, the file has to be what it was with his words
in it; a refused undo must have changed nothing; an operation on an entry that says something else
by then has to be stale. The exit code says whether anything failed.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import proposing

from memwiki.errors import MemwikiError
from memwiki.workspace import Workspace

TOLD = 25  # rounds between two lines of progress
EDITED_SHARE = 0.4  # of the rounds have an editor, before and once more after accepting
PAGES = ("memwiki.toml", "memory.md", "learnings.md", "sessions/talk.md")
_BEN = {"m-bbbbbb": b"- Ben has x", "m-cccccc": b"- Ben owns x"}
IDS = ("m-aaaaaa", "m-bbbbbb", "m-cccccc")
_OF_BEN = [re.compile(rb"(?m)^(- Ben %b )[^\[]*" % verb) for verb in (b"has", b"owns")]
Bytes = Mapping[str, bytes]
Edits = Mapping[str, Callable[[bytes], bytes]]


class VaultFiles:
    """The bytes of a vault, of which only those are read again that were written meanwhile."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[str, tuple[tuple[int, ...], bytes]] = {}

    def now(self) -> dict[str, bytes]:
        """All files but those that are memwiki's own."""
        self._known = {path: self._read(path, file) for path, file in self._listed()}
        return {path: data for path, (_, data) in self._known.items()}

    def _listed(self) -> Iterator[tuple[str, os.DirEntry[str]]]:
        folders = [(str(self._root), "")]
        for folder, inside in folders:
            for each in os.scandir(folder):
                path = inside + each.name
                if each.is_file(follow_symlinks=False):
                    yield path, each
                elif each.is_dir(follow_symlinks=False) and path != ".memwiki":
                    folders.append((each.path, f"{path}/"))

    def _read(self, path: str, file: os.DirEntry[str]) -> tuple[tuple[int, ...], bytes]:
        found = file.stat(follow_symlinks=False)
        mark = (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
        known = self._known.get(path)
        return known if known and known[0] == mark else (mark, Path(file.path).read_bytes())


class Edited:
    """Random proposals over a vault, accepted and undone, with an editor between."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self._random = root, random.Random(seed)
        proposing.write_pages(root, PAGES)
        self.space, self._files = Workspace.open(root), VaultFiles(root)
        # Pages that are no page of an entry, as an editor and a description meet them.
        found = self._files.now()
        self._pages = sorted(p for p in found if p.endswith(".md") and p not in proposing.REACHED)
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []

    def round(self, n: int) -> None:
        """Propose, edit, accept, edit, undo."""
        operations = [self._operation(n) for _ in range(self._random.randint(1, 4))]
        try:
            view = self.space.proposals.propose(operations, source="talk")
        except MemwikiError as error:
            self.counts[f"propose: {error.code}"] += 1
            return
        edits = self._edit(f"<<{n} before>>")
        before = self._files.now()
        done = self.space.proposals.decide(view.id, accept=[e.n for e in view.operations])
        self.counts["accepted"] += len(done.accepted)
        self.counts["stale"] += len(done.stale)
        self._told(n, "a change was not met", self._taken_though_changed(view, done, edits))
        accepted = self._files.now()
        lost = (p for p in edits if f"<<{n} before>>".encode() not in accepted[p])
        self._told(n, "accepting lost what an editor wrote", lost)
        if done.accepted:
            self._undo(n, before)

    def _undo(self, n: int, before: Bytes) -> None:
        edits = self._edit(f"<<{n} after>>")
        edited = self._files.now()
        try:
            self.space.undo()
        except MemwikiError as error:
            self.counts[f"undo: {error.code}"] += 1
            self._told(n, "a refused undo changed it", _other(edited, self._files.now()))
            self._put_back(before)
            return
        self.counts["undone"] += 1
        wanted = {**before, **{path: edit(before[path]) for path, edit in edits.items()}}
        self.counts["undone beside an edit"] += bool(edits)
        self._told(n, "is another one after undo", _other(wanted, self._files.now()))

    def _put_back(self, before: Bytes) -> None:
        now = self._files.now()
        for path in _other(before, now):
            if path in before:
                (self.root / path).write_bytes(before[path])
            else:
                (self.root / path).unlink()

    def _taken_though_changed(self, view: Any, done: Any, edits: Edits) -> Iterator[str]:
        """Operations on an entry that an editor had changed."""
        edit = edits.get("memory.md", bytes)
        changed = {id_ for id_, line in _BEN.items() if not edit(line).startswith(line)}
        for each in view.operations:
            if changed & {each.values.get("entry"), *each.values.get("entries", ())}:
                self.counts["stale by an edit"] += each.n not in done.accepted
                if each.n in done.accepted:
                    yield f"operation {each.n}: {each.do}"

    def _told(self, n: int, what: str, places: Iterator[str]) -> None:
        self.faults += (f"{n}: {place}: {what}" for place in places)

    def _operation(self, n: int) -> dict[str, Any]:
        entry, (page, other) = self._random.choice(IDS), self._random.sample(self._pages, 2)
        claim = [{"text": f"Anna moved to Kiel, {n}.", "lines": [1]}]
        return self._random.choice(
            [
                {"do": "add_entry", "text": f"Anna moved to Kiel {n}.", "lines": [1]},
                {"do": "supersede_entry", "entry": entry, "text": f"Number {n}.", "lines": [1]},
                {"do": "update_entry", "entry": entry, "text": f"Instead {n}.", "lines": [1]},
                {"do": "retire_entry", "entry": entry, "lines": [3]},
                {
                    "do": "relate_entries",
                    "entry": entry,
                    "other": self._random.choice(IDS),
                    "relation": "refines",
                },
                {"do": "join_entries", "entries": ["m-bbbbbb", "m-cccccc"], "text": f"Both {n}."},
                {"do": "summarise_session", "session": "talk", "sentences": [f"Of {n} teas."]},
                {"do": "describe_page", "page": page, "text": f"A page, number {n}."},
                {"do": "record_skill", "name": f"Brew tea {n}", "steps": ["Boil", "Wait"]},
                {"do": "add_page", "title": f"Kiel {n}", "claims": claim},
                {"do": "add_claims", "page": page, "claims": claim},
                {"do": "note_contradiction", "page": page, "against": other, "text": f"No {n}."},
            ]
        )

    def _edit(self, words: str) -> Edits:
        """What an editor does now, by file; nothing in most rounds."""
        if self._random.random() >= EDITED_SHARE:
            return {}
        some = self._random.sample(self._pages, 2)
        path = self._random.choice(["memory.md", "learnings.md", *some])
        file, written = self.root / path, words.encode()
        before, of_entries = file.read_bytes(), self._random.random() < 0.5
        # Entries that say something else, too, where they are not struck out.
        said = [each for each in _OF_BEN if of_entries and each.search(before)]

        def edit(data: bytes) -> bytes:
            for each in said:
                data = each.sub(rb"\g<1>" + written + b". ", data)
            return data + b"\n" + written + b"\n"

        file.write_bytes(edit(before))
        return {path: edit}


def _other(one: Bytes, two: Bytes) -> Iterator[str]:
    """The files in which two states of a vault differ, but for the journal."""
    for path in sorted((one.keys() | two.keys()) - {"log.md"}):
        if one.get(path) != two.get(path):
            yield path


def edited(root: Path, seed: int, rounds: int, tell: Callable[[str], object] = str) -> Edited:
    """Run some rounds over a vault that is there."""
    began = time.monotonic()
    made = Edited(root, seed)
    made.space.sync()
    for n in range(rounds):
        if not n % TOLD:
            seconds = time.monotonic() - began
            tell(f"{n} of {rounds}, {seconds:.0f} s, {len(made.faults)} faults")
        made.round(n)
    return made


def main() -> int:
    """Run what is asked for, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("vault", type=Path, help="of which a copy is made")
    parser.add_argument("--proposals", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MEMWIKI_CACHE_DIR"] = f"{folder}/cache"
        root = Path(folder) / "vault"
        shutil.copytree(asked.vault, root, symlinks=True)
        made = edited(
            root,
            asked.seed,
            asked.proposals,
            lambda line: print(line, file=sys.stderr, flush=True),
        )
        made.space.close()
    for name, count in sorted(made.counts.items()):
        print(f"{count:8,} {name}")
    print(*made.faults[:50], f"{len(made.faults)} faults", sep="\n")
    return 1 if made.faults else 0


if __name__ == "__main__":
    sys.exit(main())
