"""How well recall answers our own questions: first hit, first five, by group, and misses.

    python benchmarks/questions.py [VAULT...] [--mode MODE...] [--strategy NAME...] [--misses]

A vault is asked the questions of the file in `data/questions/` that is named like its folder, on a
copy; without one, the household vault that comes with them. Beside it stands what counting the
question's words in each page and entry finds. The targets are for the plain questions of all
vaults together. Every question is asked as on the day below, so that
`last week` means the same whenever this runs. Exits 1 when plain questions miss their target.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import measure
import retrieval
from measure import HERE

from memwiki.workspace import Workspace

_QUESTIONS = HERE / "data" / "questions"
HOUSEHOLD = HERE / "data" / "household"
TODAY = datetime(2026, 9, 20, 18, tzinfo=UTC)
_LIMIT = 20
_TARGETS = {"plain": {"hit@1": 0.6, "hit@5": 0.8}}
_SHOWN = ("hit@1", "hit@5", "MRR")


@dataclass(frozen=True, slots=True)
class Known:
    """A question with all that answers it: pages, or entries as `path#^id`."""

    id: str
    group: str
    question: str
    pages: Sequence[str]


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a page."""

    path: str
    first: int
    last: int


Ranked = Mapping[str, Sequence[Sequence[str]]]  # by question: what each hit answers to


def main() -> int:
    """Ask, print the table, and tell whether a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("vaults", nargs="*", type=Path, metavar="VAULT")
    parser.add_argument("--mode", nargs="+", default=["auto"], help="fast, deep, auto")
    parser.add_argument("--strategy", nargs="+", default=["hybrid"])
    parser.add_argument("--misses", action="store_true", help="what was not among the first five")
    args = parser.parse_args()
    rows: list[tuple[str, ...]] = []
    plain: dict[str, list[Sequence[Sequence[str]]]] = {}
    with tempfile.TemporaryDirectory(prefix="memwiki-questions-") as scratch:
        os.environ["MEMWIKI_CACHE_DIR"] = str(Path(scratch, "cache"))
        for vault in args.vaults or [HOUSEHOLD]:
            asked = read_questions(vault)
            workspace = opened(vault, Path(scratch, vault.name))
            baseline = found_by_grep(workspace.root, asked)
            for mode in args.mode:
                for strategy in args.strategy:
                    name = f"{vault.name} {mode} {strategy}"
                    found, ms = recalled(workspace, asked, mode, strategy)
                    rows += _rows(name, asked, found, baseline, ms)
                    hits = (found[each.id] for each in asked if each.group in _TARGETS)
                    plain.setdefault(f"all {mode} {strategy}", []).extend(hits)
                    if args.misses:
                        _show_misses(name, asked, found)
            workspace.close()
    rows += (_total(name, found) for name, found in plain.items() if found)
    heads = ["asked", "group", "n", *_SHOWN, *(f"grep {key}" for key in _SHOWN), "ms", ""]
    print(measure.table(heads, rows))
    return int(any("MISS" in row[-1] for row in rows))


def read_questions(vault: Path) -> list[Known]:
    """The questions of the file that is named like the folder."""
    lines = (_QUESTIONS / f"{vault.name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [Known(**json.loads(line)) for line in lines]


def opened(vault: Path, copy: Path) -> Workspace:
    """A copy of the vault, indexed, on the day of the questions."""
    measure.copied(vault, copy)
    now = int(TODAY.timestamp() * 1e9)
    workspace = Workspace.open(copy, find=False, clock=lambda: now)
    workspace.sync()
    workspace.is_synced = False
    return workspace


def recalled(
    workspace: Workspace, asked: Iterable[Known], mode: str, strategy: str
) -> tuple[Ranked, float]:
    """What the hits of each question answer to, and the CPU ms of one in the middle."""
    found, times = {}, []
    for each in asked:
        places = dict(entry_places(workspace.root, each.pages))
        started = time.process_time()
        answer = workspace.recall(
            each.question, limit=_LIMIT, mode=mode, strategy=strategy, record=False
        )
        times.append((time.process_time() - started) * 1000)
        hits = (Place(h.path, h.line_start, h.line_end) for h in answer.hits)
        found[each.id] = [list(answered(hit, places)) for hit in hits]
    return found, sorted(times)[len(times) // 2]


def entry_places(root: Path, labels: Iterable[str]) -> Iterator[tuple[str, Place]]:
    """Where each of the labels stands; a page has all its lines."""
    for label in labels:
        path, _, mark = label.partition("#")
        if mark:
            lines = (root / path).read_text(encoding="utf-8").splitlines()
            number = next(i for i, line in enumerate(lines, 1) if line.endswith(f" {mark}"))
            yield label, Place(path, number, number)
        else:
            yield label, Place(path, 1, sys.maxsize)


def answered(hit: Place, places: Mapping[str, Place]) -> Iterator[str]:
    """The labels that a hit answers to."""
    for label, place in places.items():
        is_inside = place.first <= hit.last and hit.first <= place.last
        if hit.path == place.path and is_inside:
            yield label


def found_by_grep(root: Path, asked: Sequence[Known]) -> Ranked:
    """The pages and entries that hold most of a question's words."""
    documents = [each for path in measure.pages(root) for each in _documents(root, path)]
    questions = [retrieval.Question(k.id, k.question, 0, k.pages, k.group) for k in asked]
    run = retrieval.grep(documents, questions)
    wanted = {each.id: set(each.pages) for each in asked}
    return {id_: [[d] if d in wanted[id_] else [] for d in run.get(id_, [])] for id_ in wanted}


def _documents(root: Path, path: str) -> Iterator[retrieval.Document]:
    """A page, or its entries where they have ids."""
    text = (root / path).read_text(encoding="utf-8", errors="replace")
    entries = [line for line in text.splitlines() if line.startswith("- ") and " ^m-" in line]
    for line in entries:
        yield retrieval.Document(f"{path}#{line.rpartition(' ')[2]}", line)
    if not entries:
        yield retrieval.Document(path, text)


def figures(found: Iterable[Sequence[Sequence[str]]]) -> dict[str, float]:
    """The share of questions answered by the first hit, by one of five, and the mean 1 / rank."""
    firsts = [next((i for i, hit in enumerate(hits, 1) if hit), 0) for hits in found]
    count = len(firsts)
    return {
        "n": count,
        "hit@1": sum(first == 1 for first in firsts) / count,
        "hit@5": sum(0 < first <= 5 for first in firsts) / count,
        "MRR": sum(1 / first for first in firsts if first) / count,
    }


def _rows(
    name: str, asked: Sequence[Known], found: Ranked, baseline: Ranked, ms: float
) -> Iterator[tuple[str, ...]]:
    for group in dict.fromkeys(each.group for each in asked):
        ids = [each.id for each in asked if each.group == group]
        ours = figures(found[id_] for id_ in ids)
        theirs = figures(baseline[id_] for id_ in ids)
        shown = (f"{each[key]:.3f}" for each in (ours, theirs) for key in _SHOWN)
        yield name, group, str(len(ids)), *shown, f"{ms:.1f}", ""


def _total(name: str, found: Sequence[Sequence[Sequence[str]]]) -> tuple[str, ...]:
    """The plain questions of all vaults, against their targets."""
    ours = figures(found)
    missed = [key for key, least in _TARGETS["plain"].items() if ours[key] < least]
    shown = (f"{ours[key]:.3f}" for key in _SHOWN)
    told = "MISS " + " ".join(missed) if missed else "ok"
    return name, "plain", str(len(found)), *shown, "", "", "", "", told


def _show_misses(name: str, asked: Iterable[Known], found: Ranked) -> None:
    for each in asked:
        rank = next((i for i, hit in enumerate(found[each.id], 1) if hit), 0)
        if not 0 < rank <= 5:
            where = f"at {rank}" if rank else "not found"
            print(f"{name}: {each.question} [{where}] {', '.join(each.pages[:3])}")


if __name__ == "__main__":
    sys.exit(main())
