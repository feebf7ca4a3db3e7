"""Facts out of a conversation or a text: what a model is asked, and what its reply proposes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from memwiki.curation.jobs import Prompt, ask_of, compact_schema, prompt
from memwiki.curation.portions import Portion
from memwiki.models.port import Ask
from memwiki.nouns import Json
from memwiki.proposals.operations import Do
from memwiki.proposals.proposing import KnownEntry, SuggestedOperation
from memwiki.proposals.source import NumberedSource, SourceLine

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


@cache
def schema() -> Mapping[str, Any]:
    """The form of the reply as a JSON schema."""
    return compact_schema(ExtractReply.model_json_schema())


def extract_prompt() -> Prompt:
    """What the job says."""
    return prompt("extract")


def extract_ask(
    source: NumberedSource, portion: Portion, known: Sequence[KnownEntry], goal: str
) -> Ask:
    """What a model is asked about one portion."""
    listed = "\n".join(f"{number} {each.text}" for number, each in enumerate(known))
    parts = (
        f"Date of the conversation: {source.date}" if source.date else "",
        goal,
        f"Known already:\n{listed}" if listed else "",
    )
    return ask_of(extract_prompt(), schema(), parts, portion.text)


def suggestions(
    reply: ExtractReply,
    portion: Portion,
    known: Sequence[KnownEntry | None],
    *,
    session: str,
    min_importance: float,
) -> Iterator[SuggestedOperation]:
    """What the reply proposes, of the lines that were shown; what matters less is left out.

    Of the `known` entries those that are gone by now are None.
    """
    for fact in reply.facts:
        if fact.importance >= min_importance:
            cited = tuple(number for number in fact.lines if portion.line(number))
            old = fact.replaces
            ended = known[old] if old is not None and 0 <= old < len(known) else None
            if ended:
                ending: dict[str, Json] = {"entry": ended.id, "text": fact.text}
                yield SuggestedOperation(Do.SUPERSEDE, ending, cited)
            else:
                lines = [line for number in cited if (line := portion.line(number))]
                yield SuggestedOperation(Do.ADD, _values(fact, lines, session), cited)


def _values(fact: ExtractedFact, lines: Sequence[SourceLine], session: str) -> dict[str, Json]:
    """The values of the entry, dated by when it was said."""
    said = next((line.time for line in lines if line.time), "")
    values = {**fact.model_dump(exclude={"lines", "replaces"}), "session": session, "at": said}
    return {name: value for name, value in values.items() if value not in ("", [], {})}
