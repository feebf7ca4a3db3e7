"""What several frameworks need: exact values in readable texts, threads, metadata of hits."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from memwiki import Hit, Workspace


_OPENS = "```json exact\n"
_CLOSES = "\n```"
T = TypeVar("T")


def with_block(text: str, rest: object) -> str:
    """A text with a block behind it; without one where nothing is left to say and none is read."""
    if not rest and parted(text) == (text, None):
        return text
    block = f"{_OPENS}{json_text(rest)}{_CLOSES}"
    return f"{text}\n\n{block}" if text else block


def parted(text: str) -> tuple[str, object]:
    """A text and what the block at its end says; None where there is none that can be read."""
    start = text.rfind(f"\n{_OPENS}") + 1
    if not text.startswith(_OPENS, start) or not text.endswith(_CLOSES):
        return text, None
    try:
        value = json.loads(text[start + len(_OPENS) : -len(_CLOSES)])
    except (ValueError, RecursionError):
        return text, None
    return text[:start].removesuffix("\n").removesuffix("\n"), value


def json_text(value: object) -> str:
    """JSON of several lines that any file holds, with what is not seen escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=1).replace("<!--", "\\u003c!--")
    if text.replace("\n", "").isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def encodable(text: str) -> str:
    """A text as it can be written: `?` for what is no character."""
    return text.encode("utf-8", "replace").decode()


async def in_thread(workspace: Workspace, do: Callable[[], T]) -> T:
    """Do something in a thread, and close the index files that it opened there."""
    import asyncio

    def done() -> T:
        try:
            return do()
        finally:
            workspace.close()

    return await asyncio.to_thread(done)


def metadata_of(hit: Hit) -> dict[str, str | float | int]:
    """Where a passage stands and what is known of it, as plain values."""
    return {
        "path": hit.path,
        "line_start": hit.line_start,
        "line_end": hit.line_end,
        "score": hit.score,
        "date": hit.updated,
        "id": hit.id,
        "title": hit.title,
        "section": hit.section,
        "type": hit.type,
    }
