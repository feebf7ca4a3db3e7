"""What answers are made of as parts of a text: hits, entries, messages, lines of a list."""

from __future__ import annotations

from collections.abc import Iterable

from memwiki.answers.entries import EntryView
from memwiki.answers.sessions import MessageView
from memwiki.doors.tools.packing import PLAIN, Part
from memwiki.fence import inside, one_line, opening
from memwiki.model import Hit
from memwiki.present.search import heading

_LONGEST_TITLE = 200


def place_of(path: str, first: int, last: int) -> str:
    """Where lines are, as a link says it."""
    return f"{path}#L{first}-L{last}"


def lines_of(first: int, last: int) -> str:
    """Lines as a tool takes them; "" of no line."""
    return f"{first}-{last}" if first else ""


def words(text: str) -> Part:
    """Our own words about an answer."""
    return Part(one_line(text))


def title(text: str) -> str:
    """A title or name on one line, not longer than anybody reads."""
    return one_line(text[: 2 * _LONGEST_TITLE])[:_LONGEST_TITLE]


def row(*cells: str, is_item: bool = True) -> Part:
    """One line of a list of stored things."""
    return Part("  ".join(title(cell) for cell in cells if cell), PLAIN, is_item)


def hit_part(hit: Hit) -> Part:
    """A hit with its excerpt."""
    fence = opening(
        path=hit.path,
        lines=lines_of(hit.line_start, hit.line_end),
        date=hit.updated[:10],
        id=hit.id,
        score=f"{hit.score:.2f}",
    )
    return Part(f"{title(heading(hit))}\n{inside(hit.excerpt)}", fence, is_item=True)


def entry_part(entry: EntryView, **about: str) -> Part:
    """An entry with what is known of it."""
    fence = opening(
        path=entry.path,
        lines=lines_of(entry.line_start, entry.line_end),
        date=(entry.updated or entry.created)[:10],
        origin=entry.origin,
        id=entry.id,
        key=entry.key,
        type=entry.type,
        status="" if entry.status == "active" else entry.status,
        **about,
    )
    tags = " ".join(f"#{tag}" for tag in entry.tags)
    return Part("\n".join(filter(None, (inside(entry.text), title(tags)))), fence, is_item=True)


def message_part(message: MessageView) -> Part:
    """A message of a conversation."""
    fence = opening(
        path=message.path,
        lines=lines_of(message.line_start, message.line_end),
        date=message.time,
        role=message.role,
        id=message.id,
    )
    return Part(inside(message.text), fence, is_item=True)


def notes_of(notes: Iterable[str]) -> list[Part]:
    """What should be known beside an answer; notes name pages, so they are fenced."""
    return [row(f"note: {note}", is_item=False) for note in notes]
