"""How well duplicates, contradictions and equal entities are judged, on pairs labelled by hand.

The pairs are in `data/`. Each belongs to the half `dev` or `test` by the hash of its id; the
policies are tuned on `dev` alone. Then a series of 200 numbered facts and, where a page is named,
all pairs of its list items are judged: none of these may retire another. With `--growth` all facts
are compared at once, a thousand to fifty thousand of them. With `--conflicts` only the pairs of a
file are judged, and those that are wrong are listed. With `--items` all list items of the pages of
a folder are compared, and the pairs are counted that are reported as conflicts; with `--together`
the lines of each paragraph of a file, which are true at once.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import measure

sys.path.insert(0, str(measure.PROJECT))

from memwiki.judgement.conflicts import judge_conflict
from memwiki.judgement.entities import JudgedEntity, entity_pairs, judge_entities
from memwiki.judgement.near_pairs import conflicts, near_duplicates
from memwiki.judgement.similarity import Fact, Verdict, judge_readings, read

_DATA = Path(__file__).parent / "data"
_SAME = {"duplicate", "paraphrase"}
_ALIKE = {*_SAME, "refinement"}
_TARGETS = {"superseded": 0.95, "superseded by the older": 0.95, "merged": 0.90}
_PRECISION, _RECALL = 0.85, 0.7  # of the conflicts of a file
_SERIES = 200
_SIZES = (1_000, 10_000, 50_000)
_ITEM = re.compile(r"[ \t]*[-*+] (.+)")


class Case(NamedTuple):
    """One labelled pair and what is said of it."""

    id: str
    label: str
    said: frozenset[str]


class Row(NamedTuple):
    """How often something was said, how often of pairs of a label that deserves it, and for how
    many of the pairs that should be found."""

    name: str
    said: int
    right: int
    found: int
    wanted: int

    @property
    def precision(self) -> float:
        return self.right / self.said if self.said else 1.0

    @property
    def recall(self) -> float:
        return self.found / self.wanted if self.wanted else 1.0


def half_of(name: str) -> str:
    return "dev" if hashlib.sha256(name.encode()).digest()[0] % 2 else "test"


def judged_facts() -> list[Case]:
    return [
        Case(each["id"], each["label"], frozenset(said_of(fact(each["old"]), fact(each["new"]))))
        for each in labelled("judging-pairs.jsonl")
    ]


def labelled(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (_DATA / name).read_text("utf-8").splitlines()]


def fact(said: dict[str, Any]) -> Fact:
    return Fact(**said)


def said_of(old: Fact, new: Fact) -> Iterable[str]:
    verdict = judge_readings(read(old), read(new), near=0.9, same=0.95).verdict
    if verdict is Verdict.SAME:
        yield "same"
    if verdict is not Verdict.DIFFERENT:
        yield "same or near"
    conflict = judge_conflict(old, new)
    if conflict:
        yield "conflict"
    if conflict and conflict.supersedes:
        yield "superseded"
    back = judge_conflict(new, old)
    if back and back.supersedes:
        yield "superseded by the older"


def judged_entities() -> list[Case]:
    cases = []
    for each in labelled("judging-entities.jsonl"):
        verdict = judge_entities(entity(each["a"]), entity(each["b"])).verdict
        said = {"same": {"merged", "merged or listed"}, "near": {"merged or listed"}}.get(
            verdict.value, set()
        )
        cases.append(Case(each["id"], each["label"], frozenset(said)))
    return cases


def entity(said: dict[str, Any]) -> JudgedEntity:
    return JudgedEntity(**{**said, "neighbours": frozenset(said.get("neighbours", ()))})


def fact_rows(cases: Sequence[Case]) -> list[Row]:
    return [
        row(cases, "same", _SAME, {"duplicate"}),
        row(cases, "same or near", _ALIKE, {"duplicate"}),
        row(cases, "same or near", _ALIKE, {"paraphrase"}),
        row(cases, "conflict", {"contradiction"}, {"contradiction"}),
        row(cases, "superseded", {"contradiction"}, {"contradiction"}),
        row(cases, "superseded by the older", {"contradiction"}, {"contradiction"}),
    ]


def entity_rows(cases: Sequence[Case]) -> list[Row]:
    return [
        row(cases, "merged", {"same"}, {"same"}),
        row(cases, "merged or listed", {"same", "ambiguous"}, {"same", "ambiguous"}),
    ]


def row(cases: Sequence[Case], name: str, right: set[str], wanted: set[str]) -> Row:
    said = [case for case in cases if name in case.said]
    due = [case for case in cases if case.label in wanted]
    return Row(
        name if wanted == right else f"{name}: {', '.join(wanted)}",
        len(said),
        sum(case.label in right for case in said),
        sum(name in case.said for case in due),
        len(due),
    )


def show_halves(cases: Sequence[Case], rows: Callable[[Sequence[Case]], list[Row]]) -> bool:
    """Print the figures of both halves; whether all targets are met."""
    is_met = True
    for half in ("dev", "test"):
        own = [case for case in cases if half_of(case.id) == half]
        print(f"\n{half}, {len(own)} pairs")
        for each in rows(own):
            is_missed = each.precision < _TARGETS.get(each.name, 0)
            is_met = is_met and not is_missed
            print(
                f"  {each.name:28} precision {each.precision:.3f} ({each.right} of {each.said})"
                f"   recall {each.recall:.3f} ({each.found} of {each.wanted})"
                f"{'   MISS' if is_missed else ''}"
            )
    return is_met


def retired(facts: Sequence[Fact]) -> tuple[int, int]:
    """How many pairs there are, and how many of which one retires the other."""
    pairs = list(combinations(facts, 2))
    found = [pair for pair in pairs if (said := judge_conflict(*pair)) and said.supersedes]
    for old, new in found:
        print(f"  {old.text!r} is retired by {new.text!r}")
    return len(pairs), len(found)


def series() -> list[Fact]:
    return [
        Fact(f"fact number {number} {number % 7} about service {number // 3}")
        for number in range(_SERIES)
    ]


def items(page: Path) -> list[Fact]:
    return [
        Fact(match[1])
        for match in map(_ITEM.match, page.read_text("utf-8", "replace").splitlines())
        if match
    ]


def show_conflicts(path: Path) -> bool:
    """Print how well the conflicts of a file are reported, by language; whether well enough."""
    pairs = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    cases = [
        Case(each["lang"], each["label"], frozenset(said_of(fact(each["old"]), fact(each["new"]))))
        for each in pairs
    ]
    for each, case in zip(pairs, cases, strict=True):
        if ("conflict" in case.said) != (case.label == "contradiction"):
            kind = "missed" if case.label == "contradiction" else "false"
            print(f"{kind:8} {each['old']['text']}   |   {each['new']['text']}")
    is_met = True
    for lang in (*sorted({case.id for case in cases}), "all"):
        own = [case for case in cases if lang in (case.id, "all")]
        for name in ("conflict", "superseded"):
            each = row(own, name, {"contradiction"}, {"contradiction"})
            print(
                f"{lang:4} {len(own):4} pairs  {name:12} precision {each.precision:.3f} "
                f"({each.right} of {each.said})   recall {each.recall:.3f} "
                f"({each.found} of {each.wanted})"
            )
            if name == "conflict":
                is_met = is_met and each.precision >= _PRECISION and each.recall >= _RECALL
    return is_met


def show_growth(texts: Sequence[str]) -> None:
    for size in _SIZES:
        facts = [Fact(text) for text in texts[:size]]
        print(f"\n{len(facts)} facts")
        for name, pairs in (("near", near_duplicates), ("conflicts", conflicts)):
            start = time.process_time()
            found = sum(1 for _ in pairs(facts))
            print(f"  {name:10} {time.process_time() - start:7.2f} s CPU   {found} pairs")
        names = [JudgedEntity(" ".join(text.split()[1:3])) for text in texts[:size]]
        start = time.process_time()
        found = sum(1 for _ in entity_pairs(list(dict.fromkeys(names))))
        print(f"  entities   {time.process_time() - start:7.2f} s CPU   {found} pairs")


def show_together(path: Path) -> None:
    """Print each pair of what is true at once that is reported, and how many pairs there are."""
    said = [part.splitlines() for part in path.read_text(encoding="utf-8").strip().split("\n\n")]
    pairs = [pair for facts in said for pair in combinations(map(Fact, facts), 2)]
    found = [pair for pair in pairs if judge_conflict(*pair)]
    for old, new in found:
        print(f"  {old.text} | {new.text}")
    print(f"{path.name}: {len(pairs):,} pairs that are both true, {len(found)} reported")


def show_items(folder: Path) -> None:
    """Print how many pairs of the different list items of a folder are reported."""
    texts = dict.fromkeys(
        item.text for page in sorted(folder.rglob("*.md")) for item in items(page)
    )
    found = sum(1 for _ in conflicts([Fact(text) for text in texts]))
    print(
        f"{folder.name}: {len(texts)} items, {found} pairs, {1000 * found / len(texts):.1f} a 1,000"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("dev", "test"), help="list the wrong pairs of a half")
    parser.add_argument("--page", type=Path, action="append", default=[], help="a page with a list")
    parser.add_argument("--growth", type=Path, help="a file with a fact on each line")
    parser.add_argument("--conflicts", type=Path, help="a file with pairs, such as conflicts-dev")
    parser.add_argument("--together", type=Path, help="a file of what is true at once")
    parser.add_argument("--items", type=Path, action="append", default=[], help="a folder of pages")
    given = parser.parse_args()
    for folder in given.items:
        show_items(folder)
    if given.items:
        return 0
    if given.together:
        show_together(given.together)
        return 0
    if given.conflicts:
        return 0 if show_conflicts(given.conflicts) else 1
    facts, entities = judged_facts(), judged_entities()
    is_met = show_halves(facts, fact_rows)
    is_met = show_halves(entities, entity_rows) and is_met
    if given.half:
        show_wrong([case for case in (*facts, *entities) if half_of(case.id) == given.half])
    for name, own in (("series", series()), *((page.name, items(page)) for page in given.page)):
        count, lost = retired(own)
        is_met = is_met and not lost
        print(f"\n{name}: {count} pairs, {lost} retired")
    if given.growth:
        show_growth(given.growth.read_text("utf-8").splitlines())
    return 0 if is_met else 1


def show_wrong(cases: Sequence[Case]) -> None:
    for case in cases:
        print(f"{case.id:28} {case.label:14} {', '.join(sorted(case.said))}")


if __name__ == "__main__":
    sys.exit(main())
