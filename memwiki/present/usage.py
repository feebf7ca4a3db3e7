"""How memories are used, as rows."""

from __future__ import annotations

from memwiki.answers.usage import Metrics, TrailList, UsageList
from memwiki.numbers import counted
from memwiki.present.rows import CellTable, Rows, rows_of


@rows_of.register
def _(answer: UsageList) -> Rows:
    cells = [
        (
            row.name,
            row.kind,
            counted(row.recalls, "recall"),
            f"mean score {row.mean_score:.2f}",
            row.last_recalled or "never",
        )
        for row in answer.usage
    ]
    yield CellTable(cells, whole=(0, 1))


@rows_of.register
def _(answer: TrailList) -> Rows:
    yield CellTable([(row.at, row.query, ", ".join(row.recalled)) for row in answer], whole=(0,))


@rows_of.register
def _(answer: Metrics) -> Rows:
    total = sum(answer.memories.values())
    by_type = ", ".join(f"{count} {name}" for name, count in answer.memories.items())
    cells = (
        ("memories", f"{total}: {by_type}" if by_type else "0"),
        ("average importance", _figure(answer.average_importance, ".2f")),
        ("never recalled", _figure(answer.never_recalled, ".0%")),
        ("recalls timed", str(answer.recalls)),
        ("recall p50", _figure(answer.p50_ms, ".1f", " ms")),
        ("recall p99", _figure(answer.p99_ms, ".1f", " ms")),
        ("from the cache", _figure(answer.cache_hit_rate, ".0%")),
    )
    yield CellTable(cells, whole=(0,))


def _figure(value: float | None, form: str, unit: str = "") -> str:
    return "none" if value is None else f"{value:{form}}{unit}"
