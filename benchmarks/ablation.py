"""What each score and each rule of recall adds, on sets of questions with known answers.

    python benchmarks/ablation.py SETS_DIR [VAULT...] [--sample N] [--half 0 1] [--only NAME...]

SETS_DIR is what `retrieval.py` takes; a VAULT is asked its questions of `data/questions/`, and the
household vault always is. Each row of the tables asks everything once more with one thing changed,
and shows by how many points that differs from the defaults: first R@10 of the sets and the share of
questions answered by one of the first five hits of the vaults, then MRR. A star is where a paired
bootstrap of the questions is sure at 95 %. A question's half follows from its id: what is tuned is
tuned on half 0, and the tables show half 1 unless told otherwise.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple, TypeAlias
from unittest import mock

import measure
import questions
import retrieval

from memwiki.health.bench import interval
from memwiki.options import Strategy
from memwiki.recall import bm25, conversation, fusion, names, query
from memwiki.recall import recall as recalling
from memwiki.recall.names import AlongNames
from memwiki.workspace import Workspace

_DEFAULT = dict(fusion.WEIGHTS[Strategy.HYBRID])
_ADDED = 0.1  # weight of a score that has none by default


class Patch(NamedTuple):
    """A name of a module, and what it is instead."""

    module: Any
    name: str
    value: Any


class Variant(NamedTuple):
    """One thing that is otherwise than by default."""

    name: str
    weights: Mapping[str, float] = _DEFAULT
    mode: str = "auto"
    patches: tuple[Patch, ...] = ()


class Figures(NamedTuple):
    """How much of the answer of one question the hits hold, and 1 / rank of the first that does."""

    found: float
    rank: float


class Asked(NamedTuple):
    """A workspace with questions, and what hits say of one of them."""

    set: str
    workspace: Workspace
    asked: Sequence[tuple[str, str]]  # id and text
    figures: Callable[[str, Sequence[Any]], Figures]


Measured: TypeAlias = Mapping[str, Sequence[Figures]]  # by set


def variants() -> Iterator[Variant]:
    """The defaults first, then each change."""
    yield Variant("as it is")
    for name in _DEFAULT:
        yield Variant(f"without {name}", {k: v for k, v in _DEFAULT.items() if k != name})
    for name in ("time", "reference", "importance", "usage"):
        yield Variant(f"with {name} {_ADDED}", {**_DEFAULT, name: _ADDED})
    yield Variant("mode fast", mode="fast")
    yield Variant("mode deep", mode="deep")
    yield _patched("no more graph for why", fusion, "with_links", lambda weights: weights)
    yield _patched("weak text asks no graph", recalling, "_WEAK", 0.0)
    yield _patched("no exact names first", names, "_pages_called", lambda *_: ())
    yield _patched("long talk by its words once", query, "_LONG", 10**9)
    yield _patched("kana counts whole", query, "_KANA", frozenset())
    yield _patched("want, get, something count whole", query, "_LIGHT", frozenset())
    yield _patched("Chinese grammar counts whole", query, "_GRAMMAR", frozenset())
    yield _patched("what other languages ask with counts", query, "foreign_asking", _no_terms)
    yield _patched("no name in what is", names, "asked_about", lambda _: "")
    yield _patched("a name is a score like others", fusion, "_CALLED", 0.0)
    yield _patched("no title within a question", fusion, "_TITLED", 0.0)
    yield _patched("a title within one counts 0.3", fusion, "_TITLED", 0.3)
    yield _patched("nothing along names", AlongNames, "find", lambda *_: {})
    yield _patched("no factor of named days", fusion, "_ON_THE_DAY", 1.0)
    yield _patched("no share of named days", fusion, "_DAY_WORDS", 1e-9)
    yield _patched("no replies", conversation, "_REPLY", 0.0)
    yield _patched("no speakers", conversation, "_NAMED", 1.0)
    yield _patched("a time says no when", fusion, "_WHEN", 1.0)
    yield _patched("a question answers as well", fusion, "_ASKING", 1.0)
    yield _patched("no standing instructions", fusion, "_STANDING", 0.0)
    yield _patched("standing instructions count 0.2", fusion, "_STANDING", 0.2)
    yield _patched("no newer value first", recalling, "newer_first", lambda rows, _: list(rows))
    yield _patched("question words count", query, "ASKING", frozenset())
    yield _patched("no point for a word being there", bm25, "_COORDINATION", 0)
    yield _patched("no lift by the session", conversation, "_SESSION", 0.0)
    yield _patched("no lift by neighbours", conversation, "_NEIGHBOUR", 0.0)
    yield _patched("an assistant counts whole", conversation, "_ASSISTANT", 1.0)
    yield _patched("nothing left out as the same", recalling, "distinct", _all_of)


def _patched(name: str, module: Any, attribute: str, value: Any) -> Variant:
    return Variant(name, patches=(Patch(module, attribute, value),))


def _no_terms(_question: str) -> frozenset[str]:
    return frozenset()


def _all_of(rows: Sequence[Any], _text: Callable[[Any], str]) -> list[tuple[Any, int]]:
    return [(row, 0) for row in rows]


def main() -> int:
    """Ask with each variant, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("sets", type=Path, metavar="SETS_DIR")
    parser.add_argument("vaults", nargs="*", type=Path, metavar="VAULT")
    parser.add_argument("--sample", type=int, default=300, help="questions of a set at most")
    parser.add_argument("--half", type=int, nargs="+", default=[1])
    parser.add_argument("--only", nargs="+", help="these variants, beside the defaults")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memwiki-ablation-") as scratch:
        os.environ["MEMWIKI_CACHE_DIR"] = str(Path(scratch, "cache"))
        os.environ["MEMWIKI_RECALL_CACHE_SECONDS"] = "0"  # else an answer of before is given again
        places = [*sets_in(args.sets, args.half, args.sample, Path(scratch))]
        for vault in (*args.vaults, questions.HOUSEHOLD):
            places += vault_groups(vault, args.half, Path(scratch))
        runs = list(_runs(places, args.only))
    counts = {each.set: 0 for each in places}
    for each in places:
        counts[each.set] += len(each.asked)
    heads = ["", *(f"{name} ({count})" for name, count in counts.items() if count)]
    for number, name in enumerate(Figures._fields):
        print(f"\n{name}:", measure.table(heads, _rows(runs, number)), sep="\n")
    return 0


def sets_in(folder: Path, halves: Sequence[int], sample: int, scratch: Path) -> Iterator[Asked]:
    """The stores of all sets, each indexed."""
    for name in sorted(path.parent.name for path in folder.glob("*/docs.jsonl.xz")):
        documents, every = retrieval.read_set(folder / name)
        mine = [each for each in every if half_of(each.id) in halves]
        chosen = set(sorted((each.id for each in mine), key=_digest)[:sample])
        for store in sorted({each.store for each in documents}):
            said = [each for each in documents if each.store == store]
            asked = [each for each in mine if each.store == store and each.id in chosen]
            workspace, pages = retrieval.opened(said, scratch / f"{name}-{store}")
            relevant = {each.id: set(each.relevant) for each in asked}

            def figures(
                id_: str,
                hits: Sequence[Any],
                pages: retrieval.Pages = pages,
                relevant: Mapping[str, set[str]] = relevant,
            ) -> Figures:
                best, wanted = retrieval.documents_of(hits, pages), relevant[id_]
                share = len(wanted.intersection(best[:10])) / len(wanted)
                return Figures(share, _reciprocal(each in wanted for each in best))

            yield Asked(name, workspace, [(each.id, each.text) for each in asked], figures)


def vault_groups(vault: Path, halves: Sequence[int], scratch: Path) -> Iterator[Asked]:
    """The questions of a vault, a group at a time."""
    workspace = questions.opened(vault, scratch / vault.name)
    known = [each for each in questions.read_questions(vault) if half_of(each.id) in halves]
    places = {each.id: dict(questions.entry_places(workspace.root, each.pages)) for each in known}

    def figures(id_: str, hits: Sequence[Any]) -> Figures:
        best = (questions.Place(h.path, h.line_start, h.line_end) for h in hits)
        right = [any(questions.answered(hit, places[id_])) for hit in best]
        return Figures(float(any(right[:5])), _reciprocal(right))

    for group in dict.fromkeys(each.group for each in known):
        asked = [(each.id, each.question) for each in known if each.group == group]
        name = vault.name if group == "paraphrased" else group
        yield Asked(name, workspace, asked, figures)


def half_of(id_: str) -> int:
    """Which half a question belongs to."""
    return int(_digest(id_), 16) % 2


def _digest(id_: str) -> str:
    return hashlib.md5(id_.encode(), usedforsecurity=False).hexdigest()


def _reciprocal(is_right: Iterable[bool]) -> float:
    return next((1 / rank for rank, each in enumerate(is_right, 1) if each), 0.0)


def _runs(places: Sequence[Asked], only: Sequence[str] | None) -> Iterator[tuple[str, Measured]]:
    is_first = True
    for variant in variants():
        if is_first or not only or variant.name in only:
            print(f"... {variant.name}", file=sys.stderr, flush=True)
            yield variant.name, measured(places, variant)
            is_first = False


def _rows(runs: Sequence[tuple[str, Measured]], number: int) -> Iterator[tuple[str, ...]]:
    """The defaults, then how much each other run differs in one of the figures."""
    name, base = runs[0]
    yield name, *(f"{fmean(each[number] for each in rows):.3f}" for rows in base.values())
    for name, found in runs[1:]:
        pairs = ((zip(base[of], rows, strict=True)) for of, rows in found.items())
        yield name, *(_difference([new[number] - old[number] for old, new in p]) for p in pairs)


def _difference(values: Sequence[float]) -> str:
    if abs(mean := fmean(values)) < 0.0005:
        return ""
    low, high = interval(values)
    return f"{100 * mean:+.1f}{'*' if low > 0 or high < 0 else ''}"


def measured(places: Sequence[Asked], variant: Variant) -> Measured:
    """What each set gives, a question at a time."""
    found: dict[str, list[Figures]] = {}
    with ExitStack() as stack:
        for patch in variant.patches:
            stack.enter_context(mock.patch.object(patch.module, patch.name, patch.value))
        weights = {**fusion.WEIGHTS, Strategy.HYBRID: variant.weights}
        stack.enter_context(mock.patch.object(fusion, "WEIGHTS", weights))
        for place in places:
            for id_, text in place.asked:
                answer = place.workspace.recall(text, limit=20, mode=variant.mode, record=False)
                found.setdefault(place.set, []).append(place.figures(id_, answer.hits))
    return found


if __name__ == "__main__":
    sys.exit(main())
