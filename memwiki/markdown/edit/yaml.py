"""The front matter of a page, opened for editing: its nodes, its fields with their places, and its
lists.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Any, NoReturn

from memwiki.entry_fields import canonical
from memwiki.errors import LineNotEditableError
from memwiki.markdown.frontmatter import NULLS
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch
from memwiki.names import fold
from memwiki.nouns import FieldValue, FieldValues, FrontMatterStatus, Span
from memwiki.records import NamedTuple
from memwiki.text import line_starts, pattern

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
_JSON = pattern(r"\{\s*+\"[^\"\n]++\"\s*+:")  # how a head of Hugo may begin
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
    next_event = loader(text).get_event  # `yaml.parse` asks twice for each
    next_event()  # the stream starts
    if type(next_event()).__name__ != "DocumentStartEvent":
        return None
    return _node(next_event(), next_event)


def compose_any(text: str) -> YamlNode | None:
    """The node of any text, None where it holds nothing; ValueError when it is not YAML."""
    import yaml

    try:
        return compose(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError("not YAML") from error


def _node(event: Any, next_event: Callable[[], Any]) -> YamlNode:  # noqa: ANN401 - depends on its kind
    start, end = event.start_mark.index, event.end_mark.index
    name = type(event).__name__
    if name == "AliasEvent":
        return YamlNode(YamlKind.ALIAS, start, end)
    is_marked = bool(event.anchor or event.tag)
    if name == "ScalarEvent":
        style = event.style or ""
        if style in ("|", ">"):
            end = start
        return YamlNode(YamlKind.SCALAR, start, end, event.value, style, is_marked=is_marked)
    kind = YamlKind.LIST if name == "SequenceStartEvent" else YamlKind.MAP
    items = []
    while not type(last := next_event()).__name__.endswith("EndEvent"):
        items.append(_node(last, next_event))
    is_flow = bool(event.flow_style)
    # A block collection is closed where the next thing begins, far below comments and blank lines.
    end = last.end_mark.index if is_flow else items[-1].end if items else start
    return YamlNode(kind, start, end, "", "", is_flow, tuple(items), is_marked)


@cache
def _resolvers() -> Mapping[str | None, Sequence[tuple[str, re.Pattern[str]]]]:
    """The patterns of what is no text, by its first character."""
    import yaml

    return yaml.SafeLoader.yaml_implicit_resolvers


def is_typed(text: str) -> bool:
    """Whether plain YAML takes an unquoted text for a number, date, truth value or null."""
    table = _resolvers()
    rules = [*table.get(text[:1], ()), *table.get(None, ())]
    return any(pattern.match(text) for _, pattern in rules)


def scalar_text(text: str, *, quote: str = "", is_flow: bool = False, is_text: bool = True) -> str:
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


# Each spelling of these is a name or a list of its own, so another spelling is another field.
_SEPARATE = frozenset({"id", "sources", "related", "relations"})


class YamlField(NamedTuple):
    """A top-level key with its value, and its 0-based lines in the file, comments below left
    out."""

    key: YamlNode
    value: YamlNode
    first: int
    last: int

    @property
    def name(self) -> str:
        """The key as it is written."""
        return self.key.value


class YamlHead:
    """The front matter of one page."""

    def __init__(self, page: Outline) -> None:
        self.page, self.front = page, page.front
        self.problems = page.loaded.problems
        self.fields: Sequence[YamlField] = ()
        lines = page.lines[self.front.line_start : self.front.line_end - 1]
        self._text = "\n".join(lines)
        self._starts = line_starts(lines[:-1])
        if self.exists:
            self._require_whole()
            self.fields = self._read_fields()

    @property
    def exists(self) -> bool:
        """Whether the page has a block at all."""
        return self.front.status is not FrontMatterStatus.NONE

    @property
    def values(self) -> FieldValues:
        """What the reader makes of the fields."""
        return self.front.fields

    def field(self, name: str) -> YamlField | None:
        """The one field of this name: as written, in another case, or by a synonym."""
        for is_named in (str.__eq__, _is_alike, _is_synonym):
            found = [field for field in self.fields if is_named(field.name, name)]
            if len(found) > 1:
                lines = " and ".join(str(field.first + 1) for field in found)
                self.refuse(f"{found[0].name} is in lines {lines}", found[0].first)
            if found:
                return found[0]
        return None

    def other_spelling(self, name: str) -> YamlField | None:
        """The field that already says what a new key of this name would say."""
        known = canonical(name)
        if known in _SEPARATE:
            return None
        return next((field for field in self.fields if canonical(field.name) == known), None)

    def at(self, offset: int) -> int:
        """The offset in the file of an offset in the block."""
        # Every carriage return above makes a place in the file one further than in the block.
        return self.page.starts[self.line_of(offset)] + self.column_of(offset)

    def node_patch(self, start: int, end: int, text: str) -> Patch:
        """A patch for offsets of nodes."""
        return Patch(self.at(start), self.at(end), text)

    def value_patch(self, node: YamlNode, text: str) -> Patch:
        """A patch that writes a value where one stands, or where one is missing."""
        if not node.is_missing:
            return self.node_patch(node.start, node.end, text)
        line, column = self.line_of(node.start), self.column_of(node.start)
        rest = self.page.lines[line][column:]
        end = node.start if rest.strip() else node.start + len(rest)
        return self.node_patch(node.start, end, f" {text}")

    def text_of(self, start: int, end: int) -> str:
        """The YAML between two offsets of nodes."""
        return self._text[start:end]

    def without_lines(self, first: int, last: int) -> Patch:
        """A patch that removes whole lines; both count from 0."""
        return Patch(self.page.starts[first], self.page.starts[last + 1], "")

    def line_of(self, offset: int) -> int:
        """The line of the file, from 0, of an offset in the block."""
        return self.front.line_start + bisect_right(self._starts, offset) - 1

    def column_of(self, offset: int) -> int:
        """The column, from 0, of an offset in the block."""
        return offset - self._starts[bisect_right(self._starts, offset) - 1]

    def refuse(self, what: str, line: int) -> NoReturn:
        """Say which line a person has to look at."""
        raise LineNotEditableError(self.page.path, line + 1, what)

    def rewritten(self, patches: Sequence[Patch], expected: FieldValues, line: int) -> Outline:
        """The patched page, when it reads as expected and its text below is as it was."""
        after = self.page.edited(patches)
        is_same_text = after.lines[after.start :] == self.page.lines[self.page.start :]
        is_valid = after.front.status is FrontMatterStatus.OK
        if not (is_valid and is_same_text and _ended(after.front.fields) == _ended(expected)):
            self.refuse("is written in a form that memwiki does not change", line)
        return after

    def with_value(self, field: YamlField, patches: Sequence[Patch], value: FieldValue) -> Outline:
        """The page with a field changed, which reads as this value then."""
        return self.rewritten(patches, {**self.values, field.name: value}, field.first)

    def with_new_lines(self, text: str, name: str, value: FieldValue) -> Outline:
        """The page with a new field at the end of the block, which is made when there is none."""
        unclosed = next((p for p in self.problems if p.code.endswith("unclosed")), None)
        if unclosed:
            self.refuse("the front matter is not closed", unclosed.line - 1)
        after = {**self.values, name: value}
        if not self.exists:
            if _JSON.match(self.page.text):
                self.refuse("the front matter is JSON, which memwiki does not change", 0)
            return self.rewritten([Patch(0, 0, f"---\n{text}\n---\n")], after, 0)
        indent = " " * self.column_of(self.fields[0].key.start) if self.fields else ""
        text = "".join(f"{indent}{line}\n" for line in text.split("\n"))
        location = self.page.starts[self.front.line_end - 1]
        return self.rewritten([Patch(location, location, text)], after, self.front.line_end - 1)

    # --- reading ---

    def _require_whole(self) -> None:
        if self.front.is_toml:
            what = "the front matter is TOML, which memwiki reads and does not change"
            self.refuse(what, self.front.line_start - 1)
        conflict = next((p for p in self.problems if p.code == "conflict-marker"), None)
        if conflict:
            self.refuse("the front matter holds a merge conflict", conflict.line - 1)
        if self.front.status is not FrontMatterStatus.OK:
            line = self.problems[0].line if self.problems else self.front.line_start + 1
            self.refuse("the front matter is not valid YAML", line - 1)

    def _read_fields(self) -> Sequence[YamlField]:
        root = compose(self._text)
        if root is None:
            return ()
        if root.kind is not YamlKind.MAP or root.is_flow:
            self.refuse("the front matter is one value in braces", self.front.line_start)
        pairs = list(root.pairs())
        ends = [self.line_of(key.start) for key, _ in pairs[1:]] + [self.front.line_end - 1]
        return [self._field(key, value, end) for (key, value), end in zip(pairs, ends, strict=True)]

    def _field(self, key: YamlNode, value: YamlNode, end: int) -> YamlField:
        """A field that ends before line `end`, and before the comments that lead to what
        follows."""
        first, last = self.line_of(key.start), self.line_of(value.end)
        column = self.column_of(key.start)
        for line in range(last + 1, end):
            text = self.page.lines[line]
            rest = text.lstrip(" ")
            is_outside = rest.lstrip()[:1] == "#" and len(text) - len(rest) <= column
            if text.strip() and not is_outside:
                last = line
        return YamlField(key, value, first, last)


def _ended(value: FieldValue | FieldValues) -> object:
    """A value without last line feeds: those of a block text depend on whether anything follows
    it."""
    if isinstance(value, str):
        return value.rstrip("\n")
    if isinstance(value, list):
        return [_ended(item) for item in value]
    return {key: _ended(item) for key, item in value.items()}


def _is_alike(written: str, name: str) -> bool:
    return fold(written) == fold(name)


def _is_synonym(written: str, name: str) -> bool:
    """Whether the page writes a known field by another name than its canonical one."""
    known = canonical(name)
    is_canonical = known == fold(name) and known not in _SEPARATE
    return is_canonical and canonical(written) == known


def item_text(text: str, node: YamlNode) -> str:
    """A text as an item of a list, quoted as its last item is."""
    quote = node.items[-1].quote if node.items else ""
    return scalar_text(text, quote=quote, is_flow=node.is_flow)


def flow_list(items: Sequence[str]) -> str:
    """A new list in brackets."""
    return f"[{', '.join(scalar_text(item, is_flow=True) for item in items)}]"


def append_items(head: YamlHead, node: YamlNode, texts: Sequence[str]) -> list[Patch]:
    """Patches that append items, given as YAML, to a list that is not missing."""
    if not texts:
        return []
    last = node.items[-1] if node.items else None
    if last is None or not last.is_missing or node.is_flow:
        return _appended(head, node, texts)
    # `- ` without anything after it waits for the first of them.
    return [head.value_patch(last, texts[0]), *_appended(head, node, texts[1:])]


def _appended(head: YamlHead, node: YamlNode, texts: Sequence[str]) -> list[Patch]:
    if not node.items:
        return [head.node_patch(node.start, node.end, f"[{', '.join(texts)}]")]
    last = node.items[-1]
    if node.is_flow:
        comma = _comma(head, node)
        return [head.node_patch(last.end, last.end, "".join(comma + text for text in texts))]
    before = head.page.lines[head.line_of(last.start)][: head.column_of(last.start)]
    location = head.page.starts[head.line_of(last.end) + 1]
    return [Patch(location, location, "".join(f"{before.rstrip()} {text}\n" for text in texts))]


def _comma(head: YamlHead, node: YamlNode) -> str:
    """What stands between the last two items, where that is a comma on one line."""
    if len(node.items) < 2:
        return ", "
    between = head.text_of(node.items[-2].end, node.items[-1].start)
    return between if between.strip(" ") == "," else ", "


def drop_items(head: YamlHead, node: YamlNode, numbers: Collection[int]) -> list[Patch]:
    """Patches that remove the items of these numbers; a list that becomes empty is `[]`."""
    if not numbers:
        return []
    gone = sorted(numbers)
    if node.is_flow:
        if len(gone) == len(node.items):
            return [head.node_patch(node.start, node.end, "[]")]
        return [head.node_patch(*_flow_range(node, run), "") for run in _runs(gone)]
    items = [node.items[number] for number in gone]
    patches = [head.without_lines(*map(head.line_of, (i.start, i.end))) for i in items]
    return [*patches, _emptied(head, node)] if len(gone) == len(node.items) else patches


def _runs(numbers: Sequence[int]) -> list[Span]:
    """Neighbouring numbers as (first, last)."""
    runs: list[Span] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def _flow_range(node: YamlNode, run: Span) -> Span:
    """Some items with the comma that follows them, or at the end the one before."""
    first, last = run
    if last + 1 < len(node.items):
        return node.items[first].start, node.items[last + 1].start
    return node.items[first - 1].end, node.items[last].end


def _emptied(head: YamlHead, node: YamlNode) -> Patch:
    """`[]` after the colon above the first item."""
    key = next(field.key for field in head.fields if field.value.start == node.start)
    colon = head.page.text.index(":", head.at(key.end)) + 1
    return Patch(colon, colon, " []")


def replace_items(head: YamlHead, node: YamlNode, wanted: Sequence[str]) -> list[Patch]:
    """Patches that make a list of scalars hold these texts, item by item."""
    patches = [
        head.value_patch(item, scalar_text(text, quote=item.quote, is_flow=node.is_flow))
        for item, text in zip(node.items, wanted, strict=False)
        if item.plain() != text
    ]
    if more := [item_text(text, node) for text in wanted[len(node.items) :]]:
        patches += _appended(head, node, more)
    return patches + drop_items(head, node, range(len(wanted), len(node.items)))
