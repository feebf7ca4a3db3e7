"""How memories are used, as text."""

from __future__ import annotations

from memwiki.answers.usage import UsageList, UsageRow
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
