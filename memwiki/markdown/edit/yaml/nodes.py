"""The YAML of a front matter as nodes with their offsets, and how a text is written as a value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from typing import Any

from memwiki.markdown.simple_yaml import NULLS
from memwiki.nouns import FieldValue
from memwiki.patterns import pattern
from memwiki.records import NamedTuple

_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`~=<")
_FLOW_MARKS = pattern(r"[,\[\]{}:]")
_BREAKS_PLAIN = pattern(r":(?:\s|\Z)|\s#")
# What other readers take for a number, though PyYAML does not.
_NUMBER_LIKE = pattern(
    r"[-+]?(?:\.?\d[\d_]*)(?:\.[\d_]*)?(?:[eE][-+]?\d+)?\Z|[-+]?0[xob][\da-fA-F_]+\Z|[-+]?\d+(?::\d+)+(?:\.\d*)?\Z"
)
_TRUTH = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
# Typed values that every reader writes back as they were.
_SAME_TYPED = pattern(
    r"true\Z|false\Z|-?(?:0|[1-9]\d{0,14})\Z|-?(?:0|[1-9]\d{0,14})\.\d{0,14}[1-9]\Z"
    r"|\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)?)?\Z"
)
_ESCAPED = pattern(
    r"[\"\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]|[^\x00-\ufffd\U00010000-\U0010ffff]"
)
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0"}


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


def written(text: str, *, quote: str = "", is_flow: bool = False, is_text: bool = True) -> str:
    """A text as a YAML scalar; `quote` is how the value before it was quoted, which is kept.

    `is_text` says that other readers, too, have to take it for text and not for a number or a date.
    """
    if not quote and is_plain(text, is_flow=is_flow, is_text=is_text):
        return text
    is_single = quote == "'" or (not quote and ('"' in text or "\\" in text))
    if is_single and not _ESCAPED.search(text.replace('"', "").replace("\\", "")):
        return "'" + text.replace("'", "''") + "'"
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def is_plain(text: str, *, is_flow: bool, is_text: bool) -> bool:
    """Whether a text may stand without quotes."""
    if not text or text != text.strip() or not text.isprintable():
        return False
    if text.lower() in _TRUTH or _NUMBER_LIKE.match(text) or is_typed(text):
        return not is_text and _SAME_TYPED.match(text) is not None
    if text[0] in _INDICATORS or _BREAKS_PLAIN.search(text):
        return False
    return not (is_flow and _FLOW_MARKS.search(text))


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    short = _SHORT_ESCAPES.get(match[0])
    return short or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")


def inside_quotes(raw: str, quote: str) -> str:
    """What stands between quotes, or plain, without the escapes that a link can hold."""
    if quote == "'":
        return raw.replace("''", "'")
    return re.sub(r"\\([\"\\/])", r"\1", raw) if quote else raw
