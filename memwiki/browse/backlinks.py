"""What links to a page, page by page, with the lines that do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memwiki.answers.graph import BacklinkLine, BacklinkList, BacklinkPage
from memwiki.markdown.syntax import plain
from memwiki.nouns import LinkRow
from memwiki.pages.page import text_now
from memwiki.sync.context import Context
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import linked_reading

_MAX_LINE_CHARS = 240
_MAX_LINES = 5  # of one page


def backlinks(live: LiveIndex, name: str, limit: int | None) -> BacklinkList:
    """The pages that link to this one; a page's own links to itself do not count."""
    with linked_reading(live) as view:
        path = view.find(name, or_file=True)
        by_page: dict[str, list[LinkRow]] = {}
        for row in view.graph.incoming(path):
            if row.source != path and view.scope.meets(row.source, path):
                by_page.setdefault(row.source, []).append(row)
        order = sorted(by_page, key=lambda each: (-len(by_page[each]), each))
        shown = order[:limit] if limit else order
        titles = {each: card.title for each in shown if (card := view.lookup.card(each))}
        fresh = view.freshness.fresh
    pages = (
        BacklinkPage(each, titles.get(each, each), tuple(_lines(live.context, by_page[each])))
        for each in shown
    )
    return BacklinkList(tuple(pages), len(order), fresh)


def _lines(context: Context, rows: Sequence[LinkRow]) -> Iterator[BacklinkLine]:
    lines = text_now(context, rows[0].source).split("\n")
    relations = {row.line: row.relation for row in rows}
    for number in sorted(relations)[:_MAX_LINES]:
        written = lines[number - 1] if number <= len(lines) else ""
        text = plain(written.strip()).lstrip("-*+#> ")[:_MAX_LINE_CHARS]
        yield BacklinkLine(number, text, relations[number])
