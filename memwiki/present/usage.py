"""How memories are used, as text."""

from __future__ import annotations

from memwiki.answers.usage import Metrics, TrailList, UsageList, UsageRow
from memwiki.numbers import counted
from memwiki.present.screen import Look
from memwiki.present.text import table, text_of


@text_of.register(UsageList)
def _(answer: UsageList, look: Look) -> str:
    return table(map(_cells, answer.usage), look, whole=[0, 1])


def _cells(row: UsageRow) -> tuple[str, ...]:
    recalls = counted(row.recalls, "recall")
    return (
        row.name,
        row.kind,
        recalls,
        f"mean score {row.mean_score:.2f}",
        row.last_recalled or "never",
    )


@text_of.register(TrailList)
def _(answer: TrailList, look: Look) -> str:
    rows = ((row.at, row.query, ", ".join(row.recalled)) for row in answer)
    return table(rows, look, whole=[0])


@text_of.register(Metrics)
def _(answer: Metrics, look: Look) -> str:
    total = sum(answer.memories.values())
    by_type = ", ".join(f"{count} {name}" for name, count in answer.memories.items())
    rows = (
        ("memories", f"{total}: {by_type}" if by_type else "0"),
        ("average importance", _number(answer.average_importance)),
        ("never recalled", _percent(answer.never_recalled)),
        ("recalls timed", str(answer.recalls)),
        ("recall p50", _milliseconds(answer.p50_ms)),
        ("recall p99", _milliseconds(answer.p99_ms)),
        ("from the cache", _percent(answer.cache_hit_rate)),
    )
    return table(rows, look, whole=[0])


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.2f}"


def _percent(value: float | None) -> str:
    return "none" if value is None else f"{value:.0%}"


def _milliseconds(value: float | None) -> str:
    return "none" if value is None else f"{value:.1f} ms"
