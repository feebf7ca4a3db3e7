"""Two entries that say the same, as one: the fuller text with all that both know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from memwiki.entry_fields import FIELDS, Merge
from memwiki.markdown.fields import unit_interval
from memwiki.memory.judgement.fact import identity
from memwiki.model import Entry
from memwiki.names import fold


class Merged(NamedTuple):
    """What an entry becomes when another one is merged into it."""

    text: str
    changes: Mapping[str, str | None]  # of its fields


def merged(
    known: Entry, text: str, tags: tuple[str, ...], fields: Mapping[str, str], *, max_tags: int
) -> Merged:
    """The fuller text, at most `max_tags` tags, the earliest `created`, the higher importance,
    the mean confidence (both from 0 to 1), and every field that only one of them has."""
    is_fuller = len(identity(text)) > len(identity(known.text))
    words, others = (text, known.tags) if is_fuller else (known.text, tags)
    own = tags if is_fuller else known.tags
    own_tags = {fold(tag) for tag in own}
    more = [tag for tag in others if fold(tag) not in own_tags][: max(0, max_tags - len(own_tags))]
    first, *rest = words.split("\n")
    joined = "\n".join([" ".join([first, *(f"#{tag}" for tag in more)]), *rest])
    return Merged(joined, _changes(known.fields, fields))


def _changes(known: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str | None]:
    changes: dict[str, str | None] = {
        name: value for name, value in new.items() if name not in known and "\n" not in value
    }
    for name, choose in _CHOICES.items():
        if known.get(name) and new.get(name) and (value := choose(known[name], new[name])):
            changes[name] = value
    return {name: value for name, value in changes.items() if known.get(name) != value}


def _number(choose: Callable[[list[float]], float], one: str, other: str) -> str:
    numbers = [unit_interval(each) for each in (one, other)]
    return f"{choose(list(map(float, numbers))):g}" if all(numbers) else one


_RULES: Mapping[Merge, Callable[[list[float]], float]] = {
    Merge.HIGHER: max,
    Merge.MEAN: lambda numbers: round(sum(numbers) / len(numbers), 3),
}
_CHOICES: Mapping[str, Callable[[str, str], str]] = {
    "created": min,
    **{row.stored: partial(_number, _RULES[row.merge]) for row in FIELDS if row.merge in _RULES},
}
