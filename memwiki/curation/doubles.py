"""Entries that say the same: one of them stays, or one sentence says what all of them do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from memwiki.curation.entry_lines import entry_at
from memwiki.curation.jobs import Job, Shown
from memwiki.nouns import Json
from memwiki.proposals.operations import MAX_OPERATIONS, Do
from memwiki.proposals.proposing import KnownEntry, SuggestedOperation

SHORT_CHARACTERS = 50


class JoinedLines(BaseModel):
    """Lines that say the same, with the one that stays, or the words for all of them."""

    model_config = ConfigDict(extra="ignore")

    lines: list[int]
    keep: int | None = None
    text: str = ""

    @model_validator(mode="after")
    def _has_words(self) -> JoinedLines:
        if self.keep is None and not self.text.strip():
            raise ValueError("give the line to keep, or a text")
        return self


class ShortJoinedLines(JoinedLines):
    """The same in few words."""

    text: Annotated[str, Field(max_length=SHORT_CHARACTERS)] = ""


class DoublesReply(BaseModel):
    """The reply: what is to be joined."""

    model_config = ConfigDict(extra="ignore")

    joins: Sequence[JoinedLines] = Field(max_length=MAX_OPERATIONS)


class ShortDoublesReply(DoublesReply):
    """The reply: the same in few words."""

    joins: Sequence[ShortJoinedLines] = Field(max_length=MAX_OPERATIONS)


def suggested(reply: DoublesReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """What is joined, each entry once."""
    met = set[str]()
    for join in reply.joins:
        found = {n: entry for n in join.lines if (entry := entry_at(shown, n))}
        entries = {n: each for n, each in found.items() if each.id not in met}
        if len(entries) > 1 and (join.keep is None or join.keep in entries):
            met |= {each.id for each in entries.values()}
            yield from _joined(join, entries)


def _joined(join: JoinedLines, entries: dict[int, KnownEntry]) -> Iterator[SuggestedOperation]:
    if join.keep is None:
        names: Json = [each.id for each in entries.values()]
        yield SuggestedOperation(Do.JOIN, {"entries": names, "text": join.text}, tuple(entries))
        return
    kept = entries.pop(join.keep)
    for each in entries.values():
        values = {"entry": each.id, "successor": kept.id, "text": kept.text}
        yield SuggestedOperation(Do.SUPERSEDE, {**values}, (join.keep,))


DOUBLES = Job("doubles", DoublesReply, suggested)
SHORT_DOUBLES = Job("short_doubles", ShortDoublesReply, suggested)
