"""How memories are used, as rows."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.answers.usage import Metrics, TrailList, Trend, UsageList
from memwiki.numbers import counted, plural
from memwiki.present.rows import BarChart, CellTable, Rows, Words, rows_of


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


@rows_of.register
def _(answer: Trend) -> Rows:
    starts, *made = zip(*answer.periods, strict=True)
    for what, counts in zip(("Pages", "Memories", "Recalls"), made, strict=True):
        yield BarChart(f"{what} a {answer.unit}", starts, counts, answer.unit)
    yield from map(Words, _notes(answer))
    named = {
        "Pages by type": answer.page_types,
        "Memories by type": answer.memory_types,
        "Pages by tag": answer.tags,
    }
    for title, by_name in named.items():
        yield BarChart(title, tuple(by_name), tuple(by_name.values()))


def _notes(answer: Trend) -> Iterator[str]:
    """What the bars over time leave out, and where they do not rest on what files say."""
    pages, memories = answer.earlier_pages, answer.earlier_memories
    before = (counted(pages, "page"), counted(memories, "memory", "memories"))
    if pages or memories:
        yield f"Before that {' and '.join(before)} were made."
    if answer.pages_by_file_time:
        said = plural(answer.pages_by_file_time, "page says", "pages say")
        yield f"{answer.pages_by_file_time:,} {said} no date: the time of the file counts."
    if answer.undated_memories:
        said = plural(answer.undated_memories, "memory says", "memories say")
        yield f"{answer.undated_memories:,} {said} no date, and are in no period."
    if answer.recalls_since:
        yield f"Recalls are known from {answer.recalls_since} on."


def _figure(value: float | None, form: str, unit: str = "") -> str:
    return "none" if value is None else f"{value:{form}}{unit}"
