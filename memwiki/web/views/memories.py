"""Memories: all of them with their state, and one with its life."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from starlette.responses import Response

from memwiki.answers.entries import EntryView, NearEntry
from memwiki.errors import MemwikiError
from memwiki.web.pages import page
from memwiki.web.site import WebCall

_SHOWN = 100
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
        limit=call.number("limit", _SHOWN, 2_000),
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
    digest = call.workspace.pages.get(entry.path).digest
    return page(
        "memory.html",
        call,
        title=entry.text.partition("\n")[0][:80],
        entry=entry,
        past=past,
        conflicts=conflicts,
        near=_near(call, entry, {each.entry.name for each in conflicts}),
        digest=digest,
        shown=_SHOWN_FIELDS,
    )


def _near(call: WebCall, entry: EntryView, shown: Collection[str]) -> list[NearEntry]:
    """Other memories that are like it, but for those that are shown anyway."""
    with suppress(MemwikiError):
        found = call.workspace.entries.similar(entry.text, limit=_NEAR + 1 + len(shown))
        return [each for each in found if each.entry.name not in {entry.name, *shown}][:_NEAR]
    return []
