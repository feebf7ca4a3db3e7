"""What a plain BM25 finds on the sets of `retrieval.py`: recall should not be below it.

    python benchmarks/plain_bm25.py SETS_DIR [--set NAME...]

Each document with its title, each term of the question once, any of them enough; terms are those of
memwiki, and there is nothing else: no stop words, no structure, no dates, k1 0.9 and b 0.4.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from math import log
from pathlib import Path

import measure
import retrieval

from memwiki.index.keyword.tokens import count_terms, query_terms

_K1, _B = 0.9, 0.4
_LIMIT = 20
_SETS = ("madial-en", "madial-zh")
_SHOWN = ("R@5", "R@10", "MRR")


def ranked(
    documents: Sequence[retrieval.Document], questions: Sequence[retrieval.Question]
) -> retrieval.Run:
    """The best documents of one store for each question."""
    counts = [count_terms(f"{each.title}\n{each.text}") for each in documents]
    lengths = [count.total() for count in counts]
    average = sum(lengths) / len(lengths)
    holding = Counter(term for count in counts for term in count)
    norms = [_K1 * (1 - _B + _B * length / average) for length in lengths]

    def idf(term: str) -> float:
        return log(1 + (len(documents) - holding[term] + 0.5) / (holding[term] + 0.5))

    def score(terms: Sequence[str], number: int) -> float:
        count, norm = counts[number], norms[number]
        return sum(idf(t) * count[t] * (_K1 + 1) / (count[t] + norm) for t in terms if t in count)

    run = {}
    for question in questions:
        terms = query_terms(question.text)
        rows = sorted((-score(terms, i), each.id) for i, each in enumerate(documents))
        run[question.id] = [id_ for total, id_ in rows[:_LIMIT] if total]
    return run


def main() -> int:
    """Rank the documents of each set, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("sets", type=Path, metavar="SETS_DIR")
    parser.add_argument("--set", nargs="+", metavar="NAME", default=_SETS)
    args = parser.parse_args()
    score, rows = retrieval.load_score(args.sets / "score.py"), []
    for name in args.set:
        documents, questions = retrieval.read_set(args.sets / name)
        run: retrieval.Run = {}
        for store in sorted({each.store for each in documents}):
            mine = [each for each in documents if each.store == store]
            run |= ranked(mine, [each for each in questions if each.store == store])
        figures = score(name, run)["all"]
        rows.append((name, *(f"{figures[key]:.3f}" for key in _SHOWN)))
    print(measure.table(("set", *_SHOWN), rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
