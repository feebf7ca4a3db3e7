"""Entries that name the same, or were written within an hour: how one stands to the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from memwiki.curation.entry_lines import entry_at
from memwiki.curation.jobs import Job, Shown
from memwiki.proposals.operations import MAX_OPERATIONS, Do
from memwiki.proposals.proposing import SuggestedOperation


class RelatedLines(BaseModel):
    """A line, and the one to which it stands so."""

    model_config = ConfigDict(extra="ignore")

    line: int
    relation: Literal["because", "supports", "contradicts", "refines"]
    other: int


class RelationsReply(BaseModel):
    """The reply: the relations that are plain."""

    model_config = ConfigDict(extra="ignore")

    relations: list[RelatedLines] = Field(max_length=MAX_OPERATIONS)


def suggested(reply: RelationsReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """An operation a pair."""
    pairs = set[frozenset[str]]()
    for each in reply.relations:
        one, other = entry_at(shown, each.line), entry_at(shown, each.other)
        pair = frozenset(entry.id for entry in (one, other) if entry)
        if one and other and len(pair) > 1 and pair not in pairs:
            pairs.add(pair)
            values = {"entry": one.id, "other": other.id, "relation": each.relation}
            yield SuggestedOperation(Do.RELATE, {**values}, (each.line, each.other))


RELATIONS = Job("relations", RelationsReply, suggested)
