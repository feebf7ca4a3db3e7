"""A job: its prompt with its version and limits, the form of its replies, and what they propose."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Generic, NamedTuple, TypeVar, cast

from pydantic import BaseModel

from memwiki.curation.portions import Portion
from memwiki.digest import text_hash
from memwiki.fence import visible
from memwiki.markdown.frontmatter import load
from memwiki.models.port import Ask, ChatMessage
from memwiki.proposals.proposing import KnownEntry, SuggestedOperation
from memwiki.text import tokens

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
        stored = _marked("list", listed) if listed else "", _marked("lines", shown)
        asked = "\n\n".join(filter(None, (*parts, *stored)))
        said = self.prompt
        messages = (ChatMessage("system", said.text), ChatMessage("user", asked))
        return Ask(said.job, messages, schema_of(self.form), said.max_tokens, said.temperature)


def _marked(name: str, text: str) -> str:
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
