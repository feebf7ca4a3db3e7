"""Finding: names while they are typed, pages by words, passages that answer a question, tags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from starlette.responses import Response

from memwiki.nouns import Hit
from memwiki.web.pages import data, page
from memwiki.web.site import WebCall

_SUGGESTED = 8
_HITS = 25
_REST = "more"


class Bar(NamedTuple):
    """One channel's part of a hit's score, and where its piece of the bar begins and how wide it
    is, in hundredths of the highest score there is."""

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
    weights = found.weights if found else {}
    hits = [(hit, list(bars(hit, weights))) for hit in found.hits] if found else []
    names = [*weights, _REST] if hits else []
    title = query or "Recall"
    return page("recall.html", call, title=title, query=query, found=found, hits=hits, names=names)


def bars(hit: Hit, weights: Mapping[str, float]) -> Iterator[Bar]:
    """What each weighed channel gave of a hit's score, and what came on top of them: names, days,
    meaning."""
    whole = sum(weights.values()) or 1
    parts = {name: hit.scores.get(name, 0.0) * share / whole for name, share in weights.items()}
    weighed = sum(parts.values())
    shrunk = min(hit.score / weighed, 1) if weighed else 1  # of what is trusted less
    parts[_REST] = max(hit.score - weighed, 0.0)
    start = 0.0
    for name, part in parts.items():
        width = round(100 * (part if name == _REST else part * shrunk), 2)
        yield Bar(name, part, start, width)
        start = round(start + width, 2)


def tags(call: WebCall) -> Response:
    """All tags with how many pages have each."""
    found = call.workspace.graph.tags()
    most = max((row.count for row in found), default=1)
    rows = [(row, 1 + round(4 * row.count / most)) for row in found]
    return page("tags.html", call, title="Tags", rows=rows)
