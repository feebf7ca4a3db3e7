"""What git knows about a page, as text."""

from __future__ import annotations

from collections.abc import Iterator

from memwiki.answers.history import History, PageAt, Version
from memwiki.present.rows import Line, Place, Quote, Row, rows_of
from memwiki.present.screen import Look, clean, cut, line
from memwiki.present.text import table, text_of

_SHORT_REV = 10
_AUTHOR_COLUMNS = 16  # the subject says more


@text_of.register(History)
def _(answer: History, look: Look) -> str:
    names = {version.path for version in answer.versions} | {answer.path}
    rows = (_cells(each, look, is_renamed=len(names) > 1) for each in answer.versions)
    if len(names) > 1:
        return table(rows, look, whole=[0, 1, 2, 3], paths=[3])
    return table(rows, look, whole=[0, 1, 2])


def _cells(version: Version, look: Look, *, is_renamed: bool) -> tuple[str, ...]:
    when = version.date[:16].replace("T", " ")
    counts = "binary" if version.added is None else f"+{version.added} -{version.removed}"
    name = (version.path,) if is_renamed else ()
    author = version.author if look.width is None else cut(line(version.author), _AUTHOR_COLUMNS)
    return version.rev[:_SHORT_REV], when, counts, *name, author, version.subject


@text_of.register(PageAt)
def _(answer: PageAt, _look: Look) -> str:
    return clean(answer.text).removesuffix("\n")


@rows_of.register(History)
def _(answer: History) -> Iterator[Row]:
    for each in answer.versions:
        yield Line((each.rev[:12], each.date[:10], each.author, each.subject))


@rows_of.register(PageAt)
def _(answer: PageAt) -> Iterator[Row]:
    yield Quote(answer.text, Place(answer.path), {"date": answer.date, "rev": answer.rev[:12]})
