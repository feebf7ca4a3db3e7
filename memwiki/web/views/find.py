"""What is found, and memories: all of them with their state, and one with its life."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from starlette.responses import Response

from memwiki.answers.entries import EntryView, NearEntry
from memwiki.digest import digest_of
from memwiki.errors import MemwikiError
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


_MAX_SHOWN = 100
_NEAR = 5
_SHOWN_FIELDS = frozenset(  # in words, above the others
    "created updated importance confidence origin source status supersedes superseded_by".split()
)


def memories(call: WebCall) -> Response:
    """Memories, newest first, by type, category and status."""
    wanted = {name: call.query.get(name, "") for name in ("type", "category", "status", "tag")}
    found = call.workspace.entries.list(
        types=[wanted["type"]] if wanted["type"] else (),
        category=wanted["category"],
        status=wanted["status"],
        tags=[wanted["tag"]] if wanted["tag"] else (),
        limit=call.number("limit", _MAX_SHOWN, 2_000),
    )
    metrics = call.workspace.index.metrics()
    return page(
        "memories.html", call, title="Memories", found=found, wanted=wanted, metrics=metrics
    )


def memory(call: WebCall) -> Response:
    """One memory: what it says, how it was made and used, what took its place, what is near."""
    entry = call.workspace.entries.get(call.params["id"])
    past = call.workspace.entries.history(entry.name)
    conflicts = call.workspace.entries.conflicts(entry.name)
    return page(
        "memory.html",
        call,
        title=entry.text.partition("\n")[0][:80],
        entry=entry,
        past=past,
        conflicts=conflicts,
        near=_near(call, entry, {each.entry.name for each in conflicts}),
        etag=etag_of_entry(entry),
        shown=_SHOWN_FIELDS,
    )


def etag_of_entry(entry: EntryView) -> str:
    """What names a memory as it was shown."""
    return digest_of(f"{entry.status}\n{entry.text}".encode())


def _near(call: WebCall, entry: EntryView, shown: Collection[str]) -> list[NearEntry]:
    """Other memories that are like it, but for those that are shown anyway."""
    with suppress(MemwikiError):
        found = call.workspace.entries.similar(entry.text, limit=_NEAR + 1 + len(shown))
        return [each for each in found if each.entry.name not in {entry.name, *shown}][:_NEAR]
    return []
