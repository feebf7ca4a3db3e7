"""The jobs over a conversation, a task or a text: facts, a skill, or what it was about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pydantic import BaseModel, Field, model_validator

from memwiki.curation.jobs import Job, ReasonedReply, Shown
from memwiki.nouns import Json
from memwiki.proposals.numbering import SourceLine
from memwiki.proposals.operations import Do
from memwiki.proposals.proposing import SuggestedOperation

MAX_SENTENCES = 5


class CitedSentence(BaseModel):
    """A sentence, and the lines that say it."""

    lines: list[int]
    text: str


class SummariseReply(BaseModel):
    """The reply: one to five sentences."""

    sentences: list[CitedSentence] = Field(min_length=1, max_length=MAX_SENTENCES)


def suggested_summarise(reply: SummariseReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """One operation, that rests on all the lines that its sentences cite."""
    numbers = (number for sentence in reply.sentences for number in sentence.lines)
    cited = tuple(number for number in dict.fromkeys(numbers) if shown.portion.line(number))
    sentences: Json = [each.text for each in reply.sentences]
    values = {"session": shown.session, "sentences": sentences}
    yield SuggestedOperation(Do.SUMMARISE, values, cited)


SUMMARISE = Job("summarise", SummariseReply, suggested_summarise, is_whole=True)


MAX_FACTS = 16


class ExtractedFact(BaseModel):
    """One fact, as a model gives it."""

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

    facts: list[ExtractedFact] = Field(max_length=MAX_FACTS)


def suggested_extract(reply: ExtractReply, shown: Shown) -> Iterator[SuggestedOperation]:
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


EXTRACT = Job("extract", ExtractReply, suggested_extract, shows_known=True)


class WorthwhileReply(ReasonedReply):
    """The reply: whether, why, and the facts."""

    should_store: bool
    facts: list[ExtractedFact] = Field([], max_length=MAX_FACTS)


def suggested_worthwhile(reply: WorthwhileReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """The facts, where anything is to be stored: some models list what they advise against."""
    if reply.should_store:
        yield from suggested_facts(reply.facts, shown)


WORTHWHILE = Job("worthwhile", WorthwhileReply, suggested_worthwhile, shows_known=True)


MAX_STEPS = 12
MAX_NAME = 80


class SkillReply(ReasonedReply):
    """The reply: the name and the steps, or neither, and why."""

    name: str = Field("", max_length=MAX_NAME)
    steps: list[CitedSentence] = Field([], max_length=MAX_STEPS)

    @model_validator(mode="after")
    def _is_whole(self) -> SkillReply:
        if bool(self.name.strip()) != bool(self.steps):
            raise ValueError("give a name and steps, or neither")
        return self


def suggested_skill(reply: SkillReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """One operation, each step with its lines."""
    if reply.steps:
        steps: Json = [each.text for each in reply.steps]
        by_step = tuple(tuple(filter(shown.portion.line, each.lines)) for each in reply.steps)
        cited = tuple(dict.fromkeys(n for lines in by_step for n in lines))
        values = {"name": reply.name, "steps": steps}
        yield SuggestedOperation(Do.SKILL, values, cited, by_step)


SKILL = Job("skill", SkillReply, suggested_skill, is_whole=True)
