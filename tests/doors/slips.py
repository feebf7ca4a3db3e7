"""Correct calls, and the slips of models and hosts in them, from a seed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from memwiki.tools import PROFILES

Arguments = dict[str, Any]
Slip = Callable[[random.Random, str, Arguments], Arguments]

CALLS: list[tuple[str, Arguments]] = [
    ("recall", {"question": "what is tea?", "limit": 3, "mode": "fast", "tag": "drink"}),
    ("recall", {"question": "rice", "budget": 500, "type": "fact"}),
    ("search", {"query": "tea", "limit": 5, "offset": 1}),
    ("search", {"query": "404"}),
    ("read", {"name": "wiki/tea.md", "section": "Kinds", "budget": 300}),
    ("read", {"name": "m-000001"}),
    ("browse", {"what": "memories", "limit": 4}),
    ("browse", {"path": "wiki", "tag": "drink"}),
    ("links", {"name": "tea", "direction": "in", "limit": 10}),
    ("links", {"name": "tea", "depth": 2}),
    ("status", {"what": "check", "limit": 5}),
    ("write", {"action": "append", "name": "tea", "text": "More.", "dry_run": True}),
    (
        "write",
        {
            "action": "replace_text",
            "name": "tea",
            "old": "black",
            "text": "white",
            "dry_run": True,
        },
    ),
    (
        "write",
        {"action": "create", "name": "Milk", "text": "White.", "tags": ["a", "b"], "dry_run": True},
    ),
    (
        "write",
        {"action": "set_fields", "name": "tea", "fields": {"status": "ok"}, "dry_run": True},
    ),
    ("move", {"name": "water", "to": "wiki/sea.md", "dry_run": True}),
    ("tag", {"action": "add", "name": "tea", "tags": ["hot", "cup"], "dry_run": True}),
    ("session", {"action": "show", "id": "talk", "limit": 5}),
    ("entities", {"action": "list", "limit": 5}),
    ("memory_search", {"query": "tea", "limit": 2}),
    ("search_memories", {"query": "tea", "max_results": 2, "memory_types": ["fact"]}),
    ("add", {"memories": [{"text": "Ann likes rice.", "type": "fact", "tags": ["x", "y"]}]}),
    ("add", {"memories": [{"text": "Ann likes rice.", "importance": 0.5}, {"text": "Ben runs."}]}),
    ("update", {"id": "tea", "text": "Tea is black.", "tags": ["x"], "importance": 0.9}),
    ("update", {"id": "tea", "text": "Tea is black.", "supersede": True}),
    ("relate", {"a": "m-000001", "b": "m-000002", "as": "because", "weight": 0.5}),
    ("forget", {"name": "m-000002", "etag": "0123456789abcdef"}),
]
# The words that models took, written down apart from the table that understands them.
WORDS: Mapping[str, tuple[str, ...]] = {
    "question": ("query", "q", "text"),
    "query": ("question", "q", "search_query"),
    "name": ("path", "id", "page"),
    "text": ("content", "new_text"),
    "old": ("find", "old_str", "old_string"),
    "limit": ("max_results", "top_k"),
    "memories": ("text", "content", "entries"),
    "id": ("name",),
    "dry_run": ("dryRun", "dry-run", "preview"),
    "tags": ("tag",),
    "tag": ("tags",),
    "direction": ("Direction",),
    "as": ("relation",),
    "to": ("new_path", "destination"),
}
BACKWARDS = {"in": "backlinks", "memories": "memory", "fast": "FAST", "append": "Append"}
OPTIONAL = ("type", "tag", "since", "limit", "etag", "section", "dry_run")


def slips(seed: int, count: int) -> Iterator[tuple[str, Arguments, Arguments]]:
    """The tool, the right arguments, and those with one to three slips."""
    dice = random.Random(seed)
    for _ in range(count):
        name, meant = dice.choice(CALLS)
        sent = dict(meant)
        while sent == meant:
            for slip in dice.sample(SLIPS, dice.randint(1, 3)):
                sent = slip(dice, name, sent)
        yield name, meant, sent


def _known(tool: str) -> Mapping[str, Any]:
    all_tools = {each.name: each for profile in PROFILES.values() for each in profile}
    found: Mapping[str, Any] = all_tools[tool].schema["properties"]
    return found


def _other_word(dice: random.Random, tool: str, sent: Arguments) -> Arguments:
    name = dice.choice(list(sent))
    known = {each.lower() for each in (*_known(tool), *sent)}
    words = [word for word in WORDS.get(name, ()) if word == "Direction" or word not in known]
    if not words:
        return sent
    word = dice.choice(words)
    return {(word if each == name else each): value for each, value in sent.items()}


def _as_text(dice: random.Random, _tool: str, sent: Arguments) -> Arguments:
    """A value as a host writes it that knows texts alone."""
    names = [each for each, value in sent.items() if not isinstance(value, str | None)]
    if not names:
        return sent
    name = dice.choice(names)
    return {**sent, name: json.dumps(sent[name])}


def _as_commas(_dice: random.Random, tool: str, sent: Arguments) -> Arguments:
    lists = {
        name: ", ".join(value)
        for name, value in sent.items()
        if isinstance(value, list) and all(isinstance(each, str) for each in value)
    }
    return {**sent, **({} if "tags" in lists and "tag" in _known(tool) else lists)}


def _alone(_dice: random.Random, _tool: str, sent: Arguments) -> Arguments:
    """One thing where a list of it is wanted."""
    return {
        name: value[0] if isinstance(value, list) and len(value) == 1 else value
        for name, value in sent.items()
    }


def _other_number(_dice: random.Random, _tool: str, sent: Arguments) -> Arguments:
    """Numbers as floats, digits as numbers, flags as digits."""

    def said(value: object) -> object:
        if isinstance(value, bool):
            return int(value)
        if isinstance(value, int):
            return float(value)
        return int(value) if isinstance(value, str) and value == "404" else value

    return {name: said(value) for name, value in sent.items()}


def _other_choice(_dice: random.Random, _tool: str, sent: Arguments) -> Arguments:
    names = ("direction", "what", "mode", "action")
    return {
        name: BACKWARDS.get(str(value), value) if name in names else value
        for name, value in sent.items()
    }


def _with_nulls(dice: random.Random, tool: str, sent: Arguments) -> Arguments:
    """Every optional argument named, as some hosts do."""
    unset = [each for each in OPTIONAL if each in _known(tool) and each not in sent]
    return {**sent, **dict.fromkeys(dice.sample(unset, min(2, len(unset))))}


SLIPS: list[Slip] = [
    _other_word,
    _other_word,
    _as_text,
    _as_commas,
    _alone,
    _other_number,
    _other_choice,
    _with_nulls,
]
