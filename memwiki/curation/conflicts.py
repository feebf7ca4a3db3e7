"""Entries that contradict each other: one ends the other, or both stay and say so."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from memwiki.curation.entry_lines import entry_at
from memwiki.curation.jobs import Job, Shown
from memwiki.nouns import Json
from memwiki.proposals.operations import MAX_OPERATIONS, Do
from memwiki.proposals.proposing import SuggestedOperation


class ConflictOutcome(StrEnum):
    """What is to become of two entries."""

    ENDS = "ends"
    CONTRADICTS = "contradicts"


class SettledConflict(BaseModel):
    """A line, and the one that ends or contradicts it."""

    model_config = ConfigDict(extra="ignore")

    line: int
    by: int
    outcome: ConflictOutcome


class ConflictsReply(BaseModel):
    """The reply: the pairs that are settled; the others stay as they are."""

    model_config = ConfigDict(extra="ignore")

    settled: list[SettledConflict] = Field(max_length=MAX_OPERATIONS)


def suggested(reply: ConflictsReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """An operation a pair; an entry ends once, and what ended ends nothing."""
    ended, pairs = set[str](), set[frozenset[str]]()
    for each in reply.settled:
        old, new = entry_at(shown, each.line), entry_at(shown, each.by)
        if not (old and new) or old.id == new.id or {old.id, new.id} & ended:
            continue
        if (pair := frozenset((old.id, new.id))) in pairs:
            continue
        pairs.add(pair)
        if each.outcome is ConflictOutcome.ENDS:
            ended.add(old.id)
            values: dict[str, Json] = {"entry": old.id, "successor": new.id, "text": new.text}
            yield SuggestedOperation(Do.SUPERSEDE, values, (each.by,))
        else:
            values = {"entry": new.id, "other": old.id, "relation": each.outcome.value}
            yield SuggestedOperation(Do.RELATE, values, (each.line, each.by))


CONFLICTS = Job("conflicts", ConflictsReply, suggested)
