"""The YAML of a front matter as nodes that know where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

from memwiki.markdown.simple_yaml import NULLS
from memwiki.nouns import FieldValue


class YamlKind(StrEnum):
    SCALAR = "scalar"
    LIST = "list"
    MAP = "map"
    ALIAS = "alias"


class YamlNode(NamedTuple):
    """One value with its half-open offsets; a block scalar ends where its header begins."""

    kind: YamlKind
    start: int
    end: int
    value: str = ""
    style: str = ""  # scalars: "" plain, or ' " | >
    is_flow: bool = False  # lists and maps in brackets
    items: tuple[YamlNode, ...] = ()  # of a list; of a map its keys and values in turn
    is_marked: bool = False  # has an anchor or a tag

    @property
    def is_block_text(self) -> bool:
        """Whether it is a text of several lines after `|` or `>`."""
        return self.style in ("|", ">")

    @property
    def quote(self) -> str:
        """The quote around a text, "" for none."""
        return self.style if self.style in ("'", '"') else ""

    @property
    def is_missing(self) -> bool:
        """Whether nothing is written where the value would stand."""
        return self.kind is YamlKind.SCALAR and self.start == self.end and not self.style

    def pairs(self) -> Iterator[tuple[YamlNode, YamlNode]]:
        """The keys and values of a map."""
        return zip(self.items[::2], self.items[1::2], strict=True)

    def plain(self) -> FieldValue:
        """The value as the reader gives it; an alias is left out."""
        if self.kind is YamlKind.LIST:
            return [item.plain() for item in self.items]
        if self.kind is YamlKind.MAP:
            return {key.value: value.plain() for key, value in self.pairs()}
        return "" if not self.style and self.value in NULLS else self.value


def compose(text: str) -> YamlNode | None:
    """The node of a block that the reader found to be valid; None when it holds only comments."""
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    events = yaml.parse(text, Loader=loader)
    next(events)  # the stream starts
    if type(next(events)).__name__ != "DocumentStartEvent":
        return None
    return _node(next(events), events)


def compose_any(text: str) -> YamlNode | None:
    """The node of any text, None where it holds nothing; ValueError when it is not YAML."""
    import yaml

    try:
        return compose(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError("not YAML") from error


def _node(event: Any, events: Iterator[Any]) -> YamlNode:  # noqa: ANN401 - depends on its kind
    start, end = event.start_mark.index, event.end_mark.index
    name = type(event).__name__
    if name == "AliasEvent":
        return YamlNode(YamlKind.ALIAS, start, end)
    is_marked = bool(event.anchor or event.tag)
    if name == "ScalarEvent":
        style = event.style or ""
        end = start if style in ("|", ">") else end
        return YamlNode(YamlKind.SCALAR, start, end, event.value, style, is_marked=is_marked)
    kind = YamlKind.LIST if name == "SequenceStartEvent" else YamlKind.MAP
    items = []
    while not type(last := next(events)).__name__.endswith("EndEvent"):
        items.append(_node(last, events))
    is_flow = bool(event.flow_style)
    # A block collection is closed where the next thing begins, far below comments and blank lines.
    end = last.end_mark.index if is_flow else items[-1].end if items else start
    return YamlNode(kind, start, end, "", "", is_flow, tuple(items), is_marked)


@cache
def _resolvers() -> Any:  # noqa: ANN401 - the library has no types for it
    import yaml

    return yaml.SafeLoader.yaml_implicit_resolvers


def is_typed(text: str) -> bool:
    """Whether plain YAML takes an unquoted text for a number, date, truth value or null."""
    table = _resolvers()
    rules = [*table.get(text[:1], ()), *table.get(None, ())]
    return any(pattern.match(text) for _, pattern in rules)
