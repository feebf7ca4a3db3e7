"""Pages, as text."""

from __future__ import annotations

from memwiki.answers.pages import PageList, PageRow, PageView
from memwiki.present.screen import Look, clean, name
from memwiki.present.text import table, text_of


@text_of.register(PageView)
def _(answer: PageView, _look: Look) -> str:
    return clean(answer.text).removesuffix("\n")


@text_of.register(PageList)
def _(answer: PageList, look: Look) -> str:
    return table((_page_cells(row) for row in answer.pages), look, whole=[0], paths=[0])


def _page_cells(row: PageRow) -> tuple[str, ...]:
    return row.path, name(row.title), row.type, " ".join(f"#{tag}" for tag in row.tags)
