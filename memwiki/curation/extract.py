"""Facts out of a conversation or a text, as memories."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pydantic import BaseModel, ConfigDict, Field

from memwiki.curation.jobs import Job, Shown
from memwiki.nouns import Json
from memwiki.proposals.operations import Do
from memwiki.proposals.proposing import SuggestedOperation
from memwiki.proposals.source import SourceLine

MAX_FACTS = 16


class ExtractedFact(BaseModel):
    """One fact, as a model gives it."""

    model_config = ConfigDict(extra="ignore")

    lines: list[int]
    text: str
    type: str = "fact"
    subject: str = ""
    topic: str = ""
    object: str = ""
    entities: list[str] = []
    tags: list[str] = []
    attributes: dict[str, str] = {}
    importance: float = Field(0.5, ge=0, le=1)
    replaces: int | None = None


class ExtractReply(BaseModel):
    """The reply: at most 16 facts."""

    model_config = ConfigDict(extra="ignore")

    facts: list[ExtractedFact] = Field(max_length=MAX_FACTS)


def suggested(reply: ExtractReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """What the reply proposes, of the lines that were shown."""
    yield from suggested_facts(reply.facts, shown)


def suggested_facts(facts: Iterable[ExtractedFact], shown: Shown) -> Iterator[SuggestedOperation]:
    """An operation a fact; what matters less, or says nothing, is left out."""
    for fact in facts:
        if fact.text.strip() and fact.importance >= shown.min_importance:
            cited = tuple(number for number in fact.lines if shown.portion.line(number))
            old, known = fact.replaces, shown.known
            ended = known[old] if old is not None and 0 <= old < len(known) else None
            if ended:
                ending: dict[str, Json] = {"entry": ended.id, "text": fact.text}
                yield SuggestedOperation(Do.SUPERSEDE, ending, cited)
            else:
                lines = [line for number in cited if (line := shown.portion.line(number))]
                yield SuggestedOperation(Do.ADD, _values(fact, lines, shown.session), cited)


def _values(fact: ExtractedFact, lines: Sequence[SourceLine], session: str) -> dict[str, Json]:
    """The values of the entry, dated by when it was said."""
    said = next((line.time for line in lines if line.time), "")
    values = {**fact.model_dump(exclude={"lines", "replaces"}), "session": session, "at": said}
    return {name: value for name, value in values.items() if value not in ("", [], {})}


EXTRACT = Job("extract", ExtractReply, suggested, shows_known=True)
