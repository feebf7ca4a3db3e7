"""How a task that ended was done, as a skill: its name and its steps."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field, model_validator

from memwiki.curation.jobs import Job, ReasonedReply, Shown
from memwiki.curation.summarise import CitedSentence
from memwiki.nouns import Json
from memwiki.proposals.operations import Do
from memwiki.proposals.proposing import SuggestedOperation

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


def suggested(reply: SkillReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """One operation, each step with its lines."""
    if reply.steps:
        steps: Json = [each.text for each in reply.steps]
        by_step = tuple(tuple(filter(shown.portion.line, each.lines)) for each in reply.steps)
        cited = tuple(dict.fromkeys(n for lines in by_step for n in lines))
        values = {"name": reply.name, "steps": steps}
        yield SuggestedOperation(Do.SKILL, values, cited, by_step)


SKILL = Job("skill", SkillReply, suggested, is_whole=True)
