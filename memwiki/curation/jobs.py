"""A job: its prompt with its version and limits, and how it is asked or handed over."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple, cast

from memwiki.digest import text_hash
from memwiki.markdown.frontmatter import load
from memwiki.models.port import Ask, ChatMessage

_MARK_BYTES = 4
_UNTOLD = frozenset({"title", "default", "description", "$defs"})  # which tell a model nothing
_FORM = "Answer with one JSON object of this schema, and nothing else:\n"


class Prompt(NamedTuple):
    """What a job says to a model, and its limits."""

    job: str  # its name and version: extract/1
    text: str
    max_tokens: int
    temperature: float


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


def ask_of(prompt: Prompt, schema: Mapping[str, Any], parts: Sequence[str], shown: str) -> Ask:
    """What a model is asked: the prompt, then the `parts` that are known and, between marks that
    nothing in it can close, what is `shown`."""
    mark = f"lines-{text_hash(shown, _MARK_BYTES).hex()}"
    asked = "\n\n".join([*filter(None, parts), f"<{mark}>\n{shown}\n</{mark}>"])
    messages = (ChatMessage("system", prompt.text), ChatMessage("user", asked))
    return Ask(prompt.job, messages, schema, prompt.max_tokens, prompt.temperature)


def brief_text(ask: Ask) -> str:
    """The same as one text, for whoever answers it by hand or with another model."""
    form = json.dumps(ask.schema, ensure_ascii=False, separators=(",", ":"))
    return "\n\n".join([*(each.text for each in ask.messages), f"{_FORM}{form}"])


def compact_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON schema with its definitions in their places, and without what tells nothing."""
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
