"""A job: its prompt with its version and limits, the form of its replies, and what they propose;
the jobs over an entry or a conversation; and a long source in portions that a model can be shown,
each with a little of the one before."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, Generic, NamedTuple, TypeVar, cast

from pydantic import BaseModel, Field, model_validator

from memwiki.digest import text_hash
from memwiki.fence import visible
from memwiki.markdown.frontmatter import load
from memwiki.models.port import Ask, ChatMessage
from memwiki.names import fold
from memwiki.nouns import Json
from memwiki.proposals.numbering import NumberedSource, SourceLine, number_lines
from memwiki.proposals.operations import Do
from memwiki.proposals.proposing import KnownEntry, SuggestedOperation
from memwiki.text import tokens

_OVERLAP = 2  # lines of the portion before
_KEY_BYTES = 16
_KEYED = 200  # characters of a line, of which a long one may be cut to fit


class CitedSentence(BaseModel):
    """A sentence, and the lines that say it."""

    lines: list[int]
    text: str


class Portion(NamedTuple):
    """Neighbouring lines of a source; they keep their numbers."""

    first: int  # number of the first line, from 1
    lines: Sequence[SourceLine]

    def line(self, number: int) -> SourceLine | None:
        """The line of this number, None where it is in another portion."""
        at = number - self.first
        return self.lines[at] if 0 <= at < len(self.lines) else None

    def cited(self, said: CitedSentence) -> tuple[int, ...]:
        """The lines that say a sentence, of those that are in it."""
        return tuple(filter(self.line, said.lines))

    @property
    def text(self) -> str:
        """The lines as they are shown."""
        return number_lines(self.lines, self.first)

    @property
    def halves(self) -> tuple[Portion, ...]:
        """The same lines in two portions; none of a line alone."""
        middle = len(self.lines) // 2
        if not middle:
            return ()
        start = max(middle - _OVERLAP, 1)
        return (
            Portion(self.first, self.lines[:middle]),
            Portion(self.first + start, self.lines[start:]),
        )

    def unanswered(self, answered: Container[str]) -> tuple[Portion, ...]:
        """What of it is left to ask: all, nothing, or a half where the other was answered."""
        if self.key in answered:
            return ()
        left = tuple(each for each in self.halves if each.key not in answered)
        return left if len(left) < len(self.halves) else (self,)

    @property
    def key(self) -> str:
        """What tells whether the same lines were shown before."""
        begun = [line._replace(text=line.text[:_KEYED]) for line in self.lines]
        return text_hash(number_lines(begun, self.first), _KEY_BYTES).hex()


def portions(source: NumberedSource, max_tokens: int) -> Iterator[Portion]:
    """All lines in portions of at most so many tokens; a line that is longer alone is cut."""
    at, lines = 0, [fitting(each, max_tokens) for each in source.lines]
    while at < len(lines):
        start, size = max(at - _OVERLAP, 0) if at else 0, 0
        stop = start
        while stop < len(lines):
            size += tokens(number_lines([lines[stop]], stop + 1)) + 1
            if size > max_tokens and stop > at:
                break
            stop += 1
        yield Portion(start + 1, lines[start:stop])
        at = stop


def fitting(line: SourceLine, max_tokens: int) -> SourceLine:
    """A line that fits into a portion together with two others."""
    room = max_tokens // (_OVERLAP + 1)
    text = line.text
    while text and tokens(text) > room:
        text = text[: int(len(text) * room / tokens(text))]
    return line if text == line.text else line._replace(text=text)


Reply = TypeVar("Reply", bound=BaseModel)
SHARE = 2  # of the context that a portion may take
LISTED = 6  # a share as well, of what is listed beside it
_BESIDE = 160  # tokens of marks, headings and the day
_MIN_PORTION = 200  # tokens that are a portion
_MARK_BYTES = 4
_UNTOLD = frozenset({"title", "default", "description", "$defs"})  # which tell a model nothing
_FORM = "Answer with one JSON object of this schema, and nothing else:\n"


class ReasonedReply(BaseModel):
    """A reply that says why, which is kept beside what it proposes."""

    reasoning: str


class Prompt(NamedTuple):
    """What a job says to a model, and its limits."""

    job: str  # its name and version: extract/1
    text: str
    max_tokens: int
    temperature: float


class Shown(NamedTuple):
    """What a reply is about: the lines that were shown, and the known entries, None for those that
    are gone by now."""

    portion: Portion
    known: Sequence[KnownEntry | None]
    session: str  # its id, "" where the source is none
    min_importance: float
    path: str = ""  # of the source, "" where it is no page


def _nothing(_reply: BaseModel, _shown: Shown) -> Iterator[SuggestedOperation]:
    """What a job suggests that only asks."""
    return iter(())


class Job(NamedTuple, Generic[Reply]):
    """One kind of work for a model."""

    name: str
    form: type[Reply]
    suggest: Callable[[Reply, Shown], Iterator[SuggestedOperation]] = _nothing
    shows_known: bool = False  # what is remembered already
    shows_pages: bool = False  # that are there and may be added to, and their tags
    is_whole: bool = False  # it takes all of a source at once

    @property
    def prompt(self) -> Prompt:
        """What it says."""
        return prompt(self.name)

    @property
    def lists(self) -> bool:
        """Whether it shows something of the workspace beside its source."""
        return self.shows_known or self.shows_pages

    def room(self, context_tokens: int) -> int:
        """How many tokens a portion may have: at most half of the context, and no more than the
        prompt, the reply and what is listed leave; where nothing is left, whoever sends it says
        so."""
        said, form = self.prompt, json.dumps(schema_of(self.form), ensure_ascii=False)
        taken = said.max_tokens + tokens(said.text) + tokens(form) + _BESIDE
        left = context_tokens - taken - self.lists * context_tokens // LISTED
        half = context_tokens // SHARE
        return min(half, left) if left >= _MIN_PORTION else half

    def ask(self, parts: Sequence[str], shown: str, listed: str = "") -> Ask:
        """What a model is asked: the prompt, then the `parts` that are known and, between marks
        that nothing in it can close, what of the workspace is `listed` and what is `shown`."""
        stored = _between_marks("list", listed) if listed else "", _between_marks("lines", shown)
        asked = "\n\n".join(filter(None, (*parts, *stored)))
        said = self.prompt
        messages = (ChatMessage("system", said.text), ChatMessage("user", asked))
        return Ask(said.job, messages, schema_of(self.form), said.max_tokens, said.temperature)


def _between_marks(name: str, text: str) -> str:
    mark = f"{name}-{text_hash(text, _MARK_BYTES).hex()}"
    return f"<{mark}>\n{visible(text)}\n</{mark}>"


@cache
def prompt(name: str, version: int = 1) -> Prompt:
    """The prompt of a job, from the file of its name and version."""
    file = files(__package__) / "prompts" / f"{name}.{version}.md"
    lines = file.read_text("utf-8").split("\n")
    head = load(file.name, lines).front_matter
    text = "\n".join(lines[head.line_end :]).strip()
    max_tokens, temperature = (
        cast("str", head.fields[each]) for each in ("max_tokens", "temperature")
    )
    return Prompt(f"{name}/{version}", text, int(max_tokens), float(temperature))


def prompt_of(job: str) -> Prompt:
    """The prompt of a job with its version, as `extract/1`."""
    name, _, version = job.partition("/")
    return prompt(name, int(version))


def brief_text(ask: Ask) -> str:
    """A job as one text, for whoever answers it by hand or with another model."""
    form = json.dumps(ask.schema, ensure_ascii=False, separators=(",", ":"))
    return "\n\n".join([*(each.text for each in ask.messages), f"{_FORM}{form}"])


@cache
def schema_of(form: type[BaseModel]) -> Mapping[str, Any]:
    """The form of a reply as a JSON schema, with its definitions in their places, and without what
    tells a model nothing."""
    schema = form.model_json_schema()
    return cast("dict[str, Any]", _inlined(schema, schema.get("$defs", {})))


def _inlined(value: object, known: Mapping[str, object]) -> object:
    if isinstance(value, list):
        return [_inlined(each, known) for each in value]
    if not isinstance(value, dict):
        return value
    if name := value.get("$ref"):
        return _inlined(known[str(name).rpartition("/")[2]], known)
    found = {key: _inlined(each, known) for key, each in value.items() if key not in _UNTOLD}
    if isinstance(fields := value.get("properties"), dict):  # a field may be called `title`
        found["properties"] = {key: _inlined(each, known) for key, each in fields.items()}
    return found


# --- over an entry ---


class InstructReply(BaseModel):
    """The reply: the new words."""

    text: str


def suggested_instruct(reply: InstructReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """The new words of the one entry that is known, if it is there still."""
    numbers = range(shown.portion.first, shown.portion.first + len(shown.portion.lines))
    for entry in filter(None, shown.known):
        values = {"entry": entry.id, "text": reply.text}
        yield SuggestedOperation(Do.UPDATE, values, tuple(numbers))


INSTRUCT = Job("instruct", InstructReply, suggested_instruct, is_whole=True)


class NearAction(StrEnum):
    """What is to become of both."""

    REPLACE = "replace"
    MERGE = "merge"
    KEEP_BOTH = "keep_both"


class NearReply(ReasonedReply):
    """The reply: what, why, and with `merge` the words."""

    action: NearAction
    text: str = ""

    @model_validator(mode="after")
    def _has_words(self) -> NearReply:
        if self.action is NearAction.MERGE and not self.text.strip():
            raise ValueError("merge needs a text")
        return self


def suggested_near(reply: NearReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """One operation on both, if both are there still; none where both stay."""
    known, new = shown.known
    if not (known and new):
        return
    if reply.action is NearAction.REPLACE:
        ending = {"entry": known.id, "successor": new.id, "text": new.text}
        yield SuggestedOperation(Do.SUPERSEDE, ending, (2,))
    elif reply.action is NearAction.MERGE:
        joining: dict[str, Json] = {"entries": [known.id, new.id], "text": reply.text}
        yield SuggestedOperation(Do.JOIN, joining, (1, 2))


NEAR = Job("near", NearReply, suggested_near, is_whole=True)


# --- over a conversation ---


MAX_SENTENCES = 5


class SummariseReply(BaseModel):
    """The reply: one to five sentences."""

    sentences: list[CitedSentence] = Field(min_length=1, max_length=MAX_SENTENCES)


def suggested_summarise(reply: SummariseReply, shown: Shown) -> Iterator[SuggestedOperation]:
    """One operation, that rests on all the lines that its sentences cite."""
    numbers = (number for each in reply.sentences for number in shown.portion.cited(each))
    cited = tuple(dict.fromkeys(numbers))
    sentences: Json = [each.text for each in reply.sentences]
    values = {"session": shown.session, "sentences": sentences}
    yield SuggestedOperation(Do.SUMMARISE, values, cited)


SUMMARISE = Job("summarise", SummariseReply, suggested_summarise, is_whole=True)


MAX_FACTS = 16
FACT_TYPES = frozenset({"fact", "preference", "decision", "event", "skill", "relation", "lesson"})


class ExtractedFact(CitedSentence):
    """One fact, as a model gives it."""

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
            cited = shown.portion.cited(fact)
            old, known = fact.replaces, shown.known
            ended = known[old] if old is not None and 0 <= old < len(known) else None
            if ended:
                ending = {"entry": ended.id, "text": fact.text}
                yield SuggestedOperation(Do.SUPERSEDE, ending, cited)
            else:
                lines = [line for number in cited if (line := shown.portion.line(number))]
                yield SuggestedOperation(Do.ADD, _values(fact, lines, shown.session), cited)


def _values(fact: ExtractedFact, lines: Sequence[SourceLine], session: str) -> dict[str, Json]:
    """The values of the entry, dated by when it was said."""
    said = next((line.time for line in lines if line.time), "")
    values = {**fact.model_dump(exclude={"lines", "replaces"}), "session": session, "at": said}
    if fold(fact.type) not in FACT_TYPES:
        values["type"] = "fact"  # a heading of its own words
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
        by_step = tuple(map(shown.portion.cited, reply.steps))
        cited = tuple(dict.fromkeys(n for lines in by_step for n in lines))
        values = {"name": reply.name, "steps": steps}
        yield SuggestedOperation(Do.SKILL, values, cited, by_step)


SKILL = Job("skill", SkillReply, suggested_skill, is_whole=True)
