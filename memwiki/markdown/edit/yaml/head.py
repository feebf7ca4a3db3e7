"""The front matter of a page, opened for editing: its fields with their places, and its lists."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate
from typing import NoReturn

from memwiki.errors import LineNotEditableError
from memwiki.markdown.edit.yaml.nodes import YamlKind, YamlNode, compose, written
from memwiki.markdown.fields import canonical
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch
from memwiki.names import fold
from memwiki.nouns import FieldValue, FrontMatterStatus
from memwiki.records import NamedTuple

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
        self._starts = list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
        if self.exists:
            self._require_whole()
            self.fields = self._read_fields()

    @property
    def exists(self) -> bool:
        """Whether the page has a block at all."""
        return self.front.status is not FrontMatterStatus.NONE

    @property
    def values(self) -> Mapping[str, FieldValue]:
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
        return self.page.starts[self.front.line_start] + self._to_source(offset)

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

    def rewritten(
        self, patches: Sequence[Patch], expected: Mapping[str, FieldValue], line: int
    ) -> Outline:
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
            return self.rewritten([Patch(0, 0, f"---\n{text}\n---\n")], after, 0)
        indent = " " * self.column_of(self.fields[0].key.start) if self.fields else ""
        text = "".join(f"{indent}{line}\n" for line in text.split("\n"))
        location = self.page.starts[self.front.line_end - 1]
        return self.rewritten([Patch(location, location, text)], after, self.front.line_end - 1)

    # --- reading ---

    def _to_source(self, offset: int) -> int:
        """Every carriage return above makes a place in the file one further than in the block."""
        line = self.line_of(offset)
        first = self.page.starts[self.front.line_start]
        return self.page.starts[line] - first + self.column_of(offset)

    def _require_whole(self) -> None:
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


def _ended(value: FieldValue | Mapping[str, FieldValue]) -> object:
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
    return written(text, quote=quote, is_flow=node.is_flow)


def flow_list(items: Sequence[str]) -> str:
    """A new list in brackets."""
    return f"[{', '.join(written(item, is_flow=True) for item in items)}]"


def added(head: YamlHead, node: YamlNode, texts: Sequence[str]) -> list[Patch]:
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


def dropped(head: YamlHead, node: YamlNode, numbers: Collection[int]) -> list[Patch]:
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


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Neighbouring numbers as (first, last)."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def _flow_range(node: YamlNode, run: tuple[int, int]) -> tuple[int, int]:
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


def replaced(head: YamlHead, node: YamlNode, wanted: Sequence[str]) -> list[Patch]:
    """Patches that make a list of scalars hold these texts, item by item."""
    patches = [
        head.value_patch(item, written(text, quote=item.quote, is_flow=node.is_flow))
        for item, text in zip(node.items, wanted, strict=False)
        if item.plain() != text
    ]
    if more := [item_text(text, node) for text in wanted[len(node.items) :]]:
        patches += _appended(head, node, more)
    return patches + dropped(head, node, range(len(wanted), len(node.items)))
