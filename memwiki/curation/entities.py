"""Entities that may be one under two names: which of them are."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict, Field

from memwiki.curation.entry_lines import entry_at
from memwiki.curation.jobs import Job, Shown
from memwiki.proposals.operations import MAX_OPERATIONS, Do
from memwiki.proposals.proposing import SuggestedOperation


class MergedNames(BaseModel):
    """A line, and the one whose name stays."""

    model_config = ConfigDict(extra="ignore")

    line: int
    into: int


class EntitiesReply(BaseModel):
    """The reply: the pairs that are one."""

    model_config = ConfigDict(extra="ignore")

    merges: list[MergedNames] = Field(max_length=MAX_OPERATIONS)


def suggested(reply: EntitiesReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """An operation a pair; what is merged is merged once, and nothing into it."""
    merged, kept = set[str](), set[str]()
    for each in reply.merges:
        one, other = entry_at(shown, each.line), entry_at(shown, each.into)
        if one and other and one.id not in merged | kept | {other.id} and other.id not in merged:
            merged.add(one.id)
            kept.add(other.id)
            values = {"entity": one.id, "into": other.id}
            yield SuggestedOperation(Do.MERGE, {**values}, (each.line, each.into))


ENTITIES = Job("entities", EntitiesReply, suggested)
