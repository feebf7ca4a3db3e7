"""What the least scores of recall cost, and how many questions of another store they stop.

    python benchmarks/thresholds.py SETS_DIR [VAULT...] [--sample N] [--half 0 1]

Questions are asked of their own store, and of the next store of the same set (a vault: of the next
vault), where nothing answers but by chance. For each least score: how many points of R@10 (of a
vault, of questions answered by the first five) are lost in the own store, and what share of the
questions of another store gets no hit at all, or is told that nothing relevant was found.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import ablation
import measure
import questions

from memwiki.recall.parse import read_question
from memwiki.recall.query import text_terms

_TODAY = questions.TODAY.date()
_MIN_SCORES = (
    0.003,
    0.004,
    0.005,
    0.006,
    0.008,
    0.01,
    0.02,
    0.03,
    0.04,
    0.05,
    0.06,
    0.08,
    0.1,
    0.12,
    0.15,
    0.2,
)
_RELEVANT = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0, 1.2)  # words


class Told(NamedTuple):
    """What a question was told: the hits, the total of the best, its best of text and graph
    in words of the question."""

    hits: Sequence[Any]
    total: float
    relevance: float


def main() -> int:
    """Ask everything twice, and print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("sets", type=Path, metavar="SETS_DIR")
    parser.add_argument("vaults", nargs="*", type=Path, metavar="VAULT")
    parser.add_argument("--sample", type=int, default=150, help="questions of a set at most")
    parser.add_argument("--half", type=int, nargs="+", default=[0])
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memwiki-thresholds-") as scratch:
        os.environ["MEMWIKI_CACHE_DIR"] = str(Path(scratch, "cache"))
        places = [*ablation.sets_in(args.sets, args.half, args.sample, Path(scratch))]
        for vault in (*args.vaults, questions.HOUSEHOLD):
            places += ablation.vault_groups(vault, args.half, Path(scratch))
        _show(dict(_by_set(places)))
    return 0


def _by_set(
    places: Sequence[ablation.Asked],
) -> Iterator[tuple[str, tuple[list[tuple[Any, str, Told]], list[Told]]]]:
    """For each set its own questions, told with their place and id, and strangers' questions."""
    for name in dict.fromkeys(each.set for each in places):
        own = [each for each in places if each.set == name]
        told = [(each, id_, asked(each, text)) for each in own for id_, text in each.asked]
        others = [*own[1:], own[0]] if len(own) > 1 else [_next(places, own[0])] * len(own)
        pairs = zip(own, others, strict=True)
        yield name, (told, [asked(to, text) for of, to in pairs for _, text in of.asked])


def _next(places: Sequence[ablation.Asked], own: ablation.Asked) -> ablation.Asked:
    """The next place with another workspace, round the list."""
    start = next(i for i, each in enumerate(places) if each is own)
    rest = [*places[start + 1 :], *places[:start]]
    return next(each for each in rest if each.workspace is not own.workspace)


def asked(place: ablation.Asked, text: str) -> Told:
    """Ask, with nothing left out by its score."""
    answer = place.workspace.recall(text, limit=20, min_score=0, explain=True, record=False)
    best = (max(hit.scores["text"], hit.scores["graph"]) for hit in answer.hits if hit.scores)
    total = max((hit.score for hit in answer.hits), default=0.0)
    words = len(text_terms(read_question(text, _TODAY, lambda _: False).query))
    return Told(answer.hits, total, max(best, default=0.0) * words * (not answer.fallback))


def _show(sets: dict[str, tuple[list[tuple[Any, str, Told]], list[Told]]]) -> None:
    heads = ["min_score", *(f"{name}: lost, stopped" for name in sets)]
    rows = (_row(least, sets.values()) for least in _MIN_SCORES)
    print(measure.table(heads, rows))
    heads = ["has_relevant", *(f"{name}: missed, stopped" for name in sets)]
    print(measure.table(heads, (_relevant_row(least, sets.values()) for least in _RELEVANT)))


def _row(least: float, sets: Iterable[tuple[list[tuple[Any, str, Told]], list[Told]]]) -> list[str]:
    cells = [f"{least}"]
    for own, strangers in sets:
        lost = 0.0
        for place, id_, told in own:
            kept = [hit for hit in told.hits if hit.score >= least]
            lost += place.share(id_, told.hits) - place.share(id_, kept)
        cells.append(f"{100 * lost / len(own):.1f}, {_stopped(strangers, 'total', least)}")
    return cells


def _relevant_row(
    least: float, sets: Iterable[tuple[list[tuple[Any, str, Told]], list[Told]]]
) -> list[str]:
    cells = [f"{least}"]
    for own, strangers in sets:
        answered = [told for place, id_, told in own if place.share(id_, told.hits)]
        missed = sum(told.relevance < least for told in answered) / max(len(answered), 1)
        cells.append(f"{100 * missed:.1f}, {_stopped(strangers, 'relevance', least)}")
    return cells


def _stopped(strangers: Sequence[Told], what: str, least: float) -> str:
    count = sum(getattr(each, what) < least for each in strangers)
    return f"{100 * count / max(len(strangers), 1):.0f} %"


if __name__ == "__main__":
    sys.exit(main())
