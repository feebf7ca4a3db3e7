"""Finding: names while they are typed, pages by words, passages that answer a question, tags."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from starlette.responses import Response

from memwiki.nouns import Hit
from memwiki.web.pages import data, page
from memwiki.web.site import WebCall

_SUGGESTED = 8
_HITS = 25


class Bar(NamedTuple):
    """One channel's part of a hit: its score, and where its piece of the bar begins and how wide
    it is, in hundredths of the best hit."""

    name: str
    score: float
    start: float
    width: float


def suggest(call: WebCall) -> Response:
    """Names for what is being typed, as JSON."""
    limit = call.number("limit", _SUGGESTED, 30)
    return data(call.workspace.suggest(call.query.get("q", ""), limit))


def search(call: WebCall) -> Response:
    """The pages, sections, memories and messages for a query."""
    query, limit = call.query.get("q", "").strip(), call.number("limit", _HITS, 500)
    found = call.workspace.search(query, limit=limit) if query else None
    name = "hits.html" if "part" in call.query else "search.html"
    return page(name, call, title=query or "Search", query=query, found=found, limit=limit)


def recall(call: WebCall) -> Response:
    """What answers a question, with what each channel gave for it; looking counts as no use."""
    query, private = call.query.get("q", "").strip(), call.site.has_private
    ask = call.workspace.recall
    found = ask(query, explain=True, record=False, private=private) if query else None
    hits = [(hit, list(bars(hit))) for hit in found.hits] if found else []
    names = list(hits[0][0].scores) if hits else []
    title = query or "Recall"
    return page("recall.html", call, title=title, query=query, found=found, hits=hits, names=names)


def bars(hit: Hit) -> Iterator[Bar]:
    """The channels of a hit beside one another, as wide together as its score."""
    whole = sum(hit.scores.values()) or 1
    start = 0.0
    for name, score in hit.scores.items():
        width = round(100 * hit.score * score / whole, 2)
        yield Bar(name, score, start, width)
        start = round(start + width, 2)


def tags(call: WebCall) -> Response:
    """All tags with how many pages have each."""
    found = call.workspace.graph.tags()
    most = max((row.count for row in found), default=1)
    rows = [(row, 1 + round(4 * row.count / most)) for row in found]
    return page("tags.html", call, title="Tags", rows=rows)
