"""The block at the head of a page: the only home of yaml and python-frontmatter; what is plainly
written is read without them, and what is TOML by `toml_head`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Protocol, TypeAlias, cast

from memwiki.nouns import FieldValue, FieldValues, FrontMatter, FrontMatterStatus, Problem, Severity
from memwiki.records import NamedTuple
from memwiki.text import pattern

Duplicates: TypeAlias = list[tuple[str, int]]  # keys, each with its line
HeadFields: TypeAlias = dict[str, FieldValue]
NULLS = frozenset({"~", "null", "Null", "NULL"})
_MAX_CHARACTERS = 16_000  # the bounds of YAML's size lie far above
_CJK_MARKS = r"\u3001-\u303f\uff01-\uff5e"
# A colon before a blank and a `#` mean something; other signs do so at the beginning alone.
_PLAIN = rf"[^\W_](?:[\w ,.()/'+*&;!?={_CJK_MARKS}-]|:(?=[\w/]))*+"
# No escapes, no line ends of YAML, nothing that it refuses to read; asked of a whole block, since
# in each pattern of what is quoted it takes .2 ms to compile.
_UNREAD = pattern(r"[\\\x00-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_QUOTED = r"\"[^\"]*+\"|'[^']*+'"
_IN_LIST = rf"(?:{_QUOTED}|[^\W_][\w./+]*+)"
_LIST = rf"\[ *+(?:{_IN_LIST} *+(?:, *+(?!\])|(?=\])))*+\]"  # an item is said once: 1 ms
_VALUE = rf"(?: ++(?:({_PLAIN})|({_QUOTED})|({_LIST})))?+ *+\Z"
_FIELD = pattern(rf"([A-Za-z][\w.-]{{0,60}}+):{_VALUE}")
_ITEM = pattern(rf"( *+-){_VALUE}")
_ITEMS = pattern(_IN_LIST)


def simple_fields(lines: Sequence[str]) -> HeadFields | None:
    """The fields that these lines mean; None when they are more than this module reads."""
    text = "".join(lines)
    if len(text) + len(lines) > _MAX_CHARACTERS or _UNREAD.search(text):
        return None
    fields: HeadFields = {}
    key, mark = "", ""  # of the list whose items these are
    for line in filter(None, lines):
        if match := _FIELD.match(line):
            if match[1] in fields or match[1] in NULLS:
                return None
            key, mark = "" if match.lastindex != 1 else match[1], ""
            fields[match[1]] = _value(match)
            continue
        match = _ITEM.match(line) if key else None
        if match is None or match[1] != (mark or match[1]):
            return None
        mark = match[1]
        items = fields[key]
        if not isinstance(items, list):
            items = fields[key] = []
        items.append(_value(match))
    return fields


def _value(match: re.Match[str]) -> FieldValue:
    _, plain, quoted, items = match.groups()
    if items:
        return [_scalar(item) for item in _ITEMS.findall(items)]
    return _scalar(plain or quoted or "")


def _scalar(written: str) -> str:
    if written[:1] in ('"', "'"):
        return written[1:-1]
    written = written.rstrip(" ")
    return "" if written in NULLS else written


MAX_BYTES = 64 * 1024  # read as YAML; longer blocks are salvaged line by line
MAX_BLOCK_BYTES = 1_000_000
MAX_DEPTH = 20
MAX_NODES = 20_000
_MAX_REPAIRS = 20
_DELIMITER = pattern(r"(---|\+\+\+)[ \t]*\Z")
_CLOSING = {"---": pattern(r"(?:---|\.\.\.)[ \t]*\Z"), "+++": pattern(r"\+\+\+[ \t]*\Z")}
_CLOSERS = {"---": ("---", "..."), "+++": ("+++",)}  # the pattern is asked of few lines
_TOML_KEY = pattern(r"[ \t]*+[\w-]++[ \t]*+=")
_KEY = pattern(r"[^\W\d][\w .-]{0,60}:(?:\s|\Z)|[\"'][^\"'\n]{1,60}[\"']:(?:\s|\Z)")
_QUOTABLE = pattern(r"(\s*+(?:- ++)*(?:[^\s:#\"'\[\]{},][^:\"]{0,80}?\s*+:(?=\s))?)[ \t]*+(\S.*)\Z")
_PLAIN_LIST = pattern(r"\[([^\[\]{}\"']*)\]([ \t]+#.*)?")
_ODD_FIRST = "#@`%&*!|>"  # as which no plain text of YAML may begin
_SALVAGE_KEY = pattern(r"([^\s:#\-][^:]{0,80}?)\s*:(?:\s+(.*))?\Z")
_SALVAGE_ITEM = pattern(r"\s*-\s+(.*)\Z")
_CONFLICT = pattern(r"(<{7}|={7}|>{7}|\|{7})(?: |\Z)")


class FrontMatterBlock(NamedTuple):
    """Where a block stands: its lines without the delimiters, and both delimiters' lines."""

    lines: tuple[str, ...]
    line_start: int
    line_end: int
    is_toml: bool = False


class LoadedFrontMatter(NamedTuple):
    """What was read from the head of a page; `lost` is text no field carries, still to be
    searched."""

    front_matter: FrontMatter
    problems: tuple[Problem, ...] = ()
    lost: str = ""


class _MalformedError(ValueError):
    """YAML, but not a mapping of bounded size with plain keys."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


def find_block(lines: list[str]) -> tuple[FrontMatterBlock | None, bool]:
    """The block at the head of the lines, and whether one was opened there but never closed."""
    start = next((i for i, line in enumerate(lines) if line.strip()), None)
    opening = None if start is None else _DELIMITER.match(lines[start])
    if start is None or opening is None:
        return None, False
    closers, closing, size = _CLOSERS[opening[1]], _CLOSING[opening[1]], 0
    is_toml = opening[1] == "+++"
    for i in range(start + 1, len(lines)):
        if lines[i].startswith(closers) and closing.match(lines[i]):
            inner = tuple(lines[start + 1 : i])
            return FrontMatterBlock(inner, start + 1, i + 1, is_toml), False
        size += len(lines[i]) + 1
        if size > MAX_BLOCK_BYTES:
            break
    first = lines[start + 1] if start + 1 < len(lines) else ""
    return None, bool((_TOML_KEY if is_toml else _KEY).match(first))


def load(path: str, lines: list[str]) -> LoadedFrontMatter:
    """Read the block at the head of the lines; whatever stands there, this returns."""
    block, is_unclosed = find_block(lines)
    if is_unclosed:
        mark = next(line for line in lines if line.strip())[:3]
        message = f"front matter is not closed by `{mark}`: read as text"
        problem = Problem(path, 1, "front-matter-unclosed", Severity.WARNING, message)
        return LoadedFrontMatter(FrontMatter(), (problem,))
    if block is None or not (block.lines and any(map(str.strip, block.lines))):
        return LoadedFrontMatter(_front_matter(block, FrontMatterStatus.OK, {}))
    kept, problems, lost = _without_conflicts(path, block)
    loaded = _load_block(path, block, kept)
    if loaded is None:
        return LoadedFrontMatter(FrontMatter())
    lost = "\n".join(filter(None, (lost, loaded.lost)))
    return LoadedFrontMatter(loaded.front_matter, (*problems, *loaded.problems), lost)


def _front_matter(
    block: FrontMatterBlock | None, status: FrontMatterStatus, fields: FieldValues
) -> FrontMatter:
    if block is None:
        return FrontMatter()
    return FrontMatter(status, fields, block.line_start, block.line_end, block.is_toml)


def _without_conflicts(
    path: str, block: FrontMatterBlock
) -> tuple[list[str], tuple[Problem, ...], str]:
    """Blank the markers and the other side, so that line numbers stay and our side is read."""
    kept, lost, first, is_other = [], [], 0, False
    if not any(line.startswith("<<<<<<<") for line in block.lines):
        return [*block.lines], (), ""
    for i, line in enumerate(block.lines):
        marker = _CONFLICT.match(line)
        if marker and (first or line[0] == "<"):
            first = first or block.line_start + i + 1
            is_other = line[0] in "=|"
        if (marker and first) or is_other:
            lost.append(line)
            kept.append("")
        else:
            kept.append(line)
    if not first:
        return kept, (), ""
    message = "merge conflict in the front matter: our side is read"
    problem = Problem(path, first, "conflict-marker", Severity.ERROR, message)
    return kept, (problem,), "\n".join(lost)


def _load_block(path: str, block: FrontMatterBlock, lines: list[str]) -> LoadedFrontMatter | None:
    """Parse, then repair, then salvage; None when the block is prose between two rules."""
    if block.is_toml:
        return _load_toml(path, block, lines)
    simple = simple_fields(lines)
    if simple is not None:
        return LoadedFrontMatter(_front_matter(block, FrontMatterStatus.OK, simple))
    duplicates: Duplicates = []
    try:
        fields = _parse("\n".join(lines), duplicates)
        status, line, why = FrontMatterStatus.OK, 0, ""
    except _errors() as error:
        if not _looks_like_fields(lines):
            return None
        line = _error_line(error)
        why = f"{error}" if isinstance(error, _MalformedError) else "not valid YAML"
        status, fields = _mend(lines, error, duplicates)
    twice = "front matter key `{}` is given twice: the last one counts"
    problems = [
        Problem(
            path, block.line_start + at + 1, "key-duplicate", Severity.WARNING, twice.format(key)
        )
        for key, at in duplicates
    ]
    if status is not FrontMatterStatus.OK:
        problems.append(_mended(path, block.line_start + line + 1, status, why))
    is_whole = status in (FrontMatterStatus.OK, FrontMatterStatus.REPAIRED)
    lost = "" if is_whole else "\n".join(block.lines)
    return LoadedFrontMatter(_front_matter(block, status, fields), tuple(problems), lost)


def _load_toml(path: str, block: FrontMatterBlock, lines: list[str]) -> LoadedFrontMatter | None:
    """Parse, or salvage; None when no line is a field."""
    from memwiki.markdown.toml_head import read_toml  # few pages have such a head

    fields, line = read_toml(lines)
    if line < 0:
        return LoadedFrontMatter(_front_matter(block, FrontMatterStatus.OK, fields))
    if not fields:
        return None
    status = FrontMatterStatus.SALVAGED
    message = "front matter: not valid TOML; only plain `key = value` lines were read"
    at = block.line_start + line + 1
    problem = Problem(path, at, f"front-matter-{status}", Severity.WARNING, message)
    front = _front_matter(block, status, fields)
    return LoadedFrontMatter(front, (problem,), "\n".join(block.lines))


def _looks_like_fields(lines: list[str]) -> bool:
    """Whether people meant these lines as fields, and not as prose between two rules."""
    written = [line for line in lines if line.strip()]
    fieldlike = sum(1 for line in written if _KEY.match(line) or line[0] in " \t-#\"'@`{")
    return fieldlike * 5 >= len(written) * 3 and any(
        _KEY.match(line) or line[0] == "{" for line in written
    )


def _mended(path: str, line: int, status: FrontMatterStatus, why: str) -> Problem:
    how = {
        FrontMatterStatus.REPAIRED: "read after quoting the offending value",
        FrontMatterStatus.SALVAGED: "only plain `key: value` and `- item` lines were read",
    }.get(status, "nothing could be read from it")
    severity = Severity.ERROR if status is FrontMatterStatus.BROKEN else Severity.WARNING
    message = f"front matter: {why}; {how}"
    return Problem(path, line, f"front-matter-{status}", severity, message)


def _mend(
    lines: list[str], error: BaseException, duplicates: Duplicates
) -> tuple[FrontMatterStatus, HeadFields]:
    repaired = _repair(lines, error, duplicates)
    if repaired is not None:
        return FrontMatterStatus.REPAIRED, repaired[0]
    duplicates.clear()
    salvaged = _salvage(lines)
    return (FrontMatterStatus.SALVAGED if salvaged else FrontMatterStatus.BROKEN), salvaged


def quote_values(lines: list[str]) -> list[str]:
    """The lines of a page with those values of its front matter quoted that have to be for it to be
    read as it is read now; the same lines when nothing has to be, or quoting is not enough."""
    block, _ = find_block(lines)
    if block is None or load("", lines).front_matter.status is not FrontMatterStatus.REPAIRED:
        return lines
    try:
        _parse("\n".join(block.lines), [])
    except _errors() as error:
        repaired = _repair(block.lines, error, [])
        if repaired is not None:
            return [*lines[: block.line_start], *repaired[1], *lines[block.line_end - 1 :]]
    return lines


def _repair(
    lines: Sequence[str], error: BaseException, duplicates: Duplicates
) -> tuple[HeadFields, list[str]] | None:
    """Quote the value at the error (or just before it, where scanners often stop) and try again."""
    lines, quoted = list(lines), set[int]()
    line, flow = _error_line(error), _flow_line(error)
    for _ in range(_MAX_REPAIRS):
        near = (flow, line, line - 1)
        target = next((i for i in near if i not in quoted and _quote(lines, i)), None)
        if target is None:
            return None
        quoted.add(target)
        duplicates.clear()
        try:
            return _parse("\n".join(lines), duplicates), lines
        except _errors() as again:
            line, flow = _error_line(again), _flow_line(again)
    return None


def _quote(lines: list[str], i: int) -> bool:
    match = _QUOTABLE.match(lines[i]) if 0 <= i < len(lines) else None
    if not match or not match[1].strip():
        return False
    value = match[2].strip()
    head = match[1] if match[1].endswith(" ") else match[1] + " "
    lines[i] = head + (_mended_list(value) or "'" + _unquoted(value).replace("'", "''") + "'")
    return True


def _mended_item(item: str) -> str:
    inner = item.strip(" \t")
    return item.replace(inner, f"'{inner}'") if inner.startswith(tuple(_ODD_FIRST)) else item


def _mended_list(value: str) -> str:
    """`[#a, b]` with those items quoted that begin as no plain text may, "" for anything else."""
    found = _PLAIN_LIST.fullmatch(value)
    items = found[1].split(",") if found else []
    mended = f"[{','.join(map(_mended_item, items))}]{found[2] or ''}" if found else value
    try:
        return mended if mended != value and _parse(f"x: {mended}", []) else ""
    except _errors():
        return ""


def _unquoted(value: str) -> str:
    """The inside of `"a "b" c"` and `'it's'`; `"a" and "b"` is not quoted as a whole."""
    if len(value) < 2 or value[0] != value[-1] or value[0] not in "\"'":
        return value
    inner = value[1:-1]
    first = inner.find(value[0])
    if first <= 0:
        return inner
    is_inside = inner[first - 1] == " " or inner[first + 1 : first + 2].isalpha()
    return inner if is_inside else value


def _salvage(lines: list[str]) -> HeadFields:
    """Every line that is plainly a key with a value, or an item of the list under the last key."""
    fields: HeadFields = {}
    key = ""
    for line in lines:
        if match := _SALVAGE_KEY.match(line):
            key = match[1].strip("\"'")
            fields[key] = _plain(match[2] or "")
        elif key and (match := _SALVAGE_ITEM.match(line)):
            value = fields[key]
            if isinstance(value, list):
                value.append(_plain(match[1]))
            elif not value:
                fields[key] = [_plain(match[1])]
    return fields


def _plain(value: str) -> str:
    value = value.strip()
    is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if is_quoted else value


def _error_line(error: BaseException) -> int:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    return int(getattr(mark, "line", getattr(error, "line", 0)) or 0)


def _flow_line(error: BaseException) -> int:
    """Where the list or map starts that was never closed, -1 when that is not what is wrong."""
    if "flow" not in str(getattr(error, "context", "")):
        return -1
    return int(getattr(getattr(error, "context_mark", None), "line", -1))


class _Event(Protocol):
    """What is used of a YAML parser event; which of these it has depends on its kind."""

    anchor: str
    value: str
    implicit: tuple[bool, bool]
    start_mark: _YamlMark


class _YamlMark(Protocol):
    line: int


class _Handler(Protocol):
    def load(self, fm: str) -> _Builder: ...


# --- YAML ----------------------------------------------------------------------------------------


@cache
def _errors() -> tuple[type[BaseException], ...]:
    import yaml

    return (yaml.YAMLError, ValueError, RecursionError, OverflowError, TypeError)


@cache
def _handler() -> _Handler:
    """Our handler for python-frontmatter, made on first use: both imports cost 40 ms together."""
    import yaml
    from frontmatter.default_handlers import YAMLHandler

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

    class StringHandler(YAMLHandler):  # type: ignore[misc]
        """YAML whose scalars all stay strings, bounded in size, depth and aliases."""

        def load(self, fm: str, **_: object) -> _Builder:
            if len(fm) > MAX_BYTES:
                raise _MalformedError("front matter over 64 KB")
            return _Builder(cast("Iterator[_Event]", yaml.parse(fm, Loader=loader)))

    return StringHandler()


def _parse(text: str, duplicates: Duplicates) -> HeadFields:
    builder = _handler().load(text)
    fields = builder.document()
    duplicates.extend(builder.duplicates)
    return fields


class _Builder:
    """Builds plain values from parser events, so that a bomb is met while reading, not after."""

    def __init__(self, events: Iterator[_Event]) -> None:
        self._events = events
        self._anchors: dict[str, tuple[FieldValue, int]] = {}
        self._cost = 0
        self.duplicates: Duplicates = []

    def document(self) -> HeadFields:
        """The mapping the document holds; nothing at all is an empty one."""
        next(self._events)  # the stream starts
        event = next(self._events)
        if not hasattr(event, "explicit"):  # the stream ends: only comments
            return {}
        value = self._value(next(self._events), 0)
        if not isinstance(value, dict):
            raise _MalformedError("not a mapping")
        return value

    def _value(self, event: _Event, depth: int) -> FieldValue:
        if depth > MAX_DEPTH:
            raise _MalformedError("nested too deeply", event.start_mark.line)
        before = self._cost
        name = type(event).__name__
        if name == "AliasEvent":
            return self._alias(event)
        value: FieldValue
        if name == "ScalarEvent":
            value = self._scalar(event)
        elif name == "SequenceStartEvent":
            value = self._sequence(depth)
        else:
            value = self._mapping(depth)
        if event.anchor:
            self._anchors[event.anchor] = value, self._cost - before
        return value

    def _pay(self, cost: int, event: _Event) -> None:
        self._cost += cost
        if self._cost > MAX_NODES:
            raise _MalformedError("too many values", event.start_mark.line)

    def _alias(self, event: _Event) -> FieldValue:
        if event.anchor not in self._anchors:
            raise _MalformedError(f"unknown alias {event.anchor}", event.start_mark.line)
        value, cost = self._anchors[event.anchor]
        self._pay(cost, event)
        return value

    def _scalar(self, event: _Event) -> str:
        self._pay(1 + len(event.value) // 64, event)
        is_plain = event.implicit[0]
        return "" if is_plain and event.value in NULLS else str(event.value)

    def _sequence(self, depth: int) -> list[FieldValue]:
        items: list[FieldValue] = []
        while type(event := next(self._events)).__name__ != "SequenceEndEvent":
            items.append(self._value(event, depth + 1))
        return items

    def _mapping(self, depth: int) -> HeadFields:
        fields: HeadFields = {}
        while type(event := next(self._events)).__name__ != "MappingEndEvent":
            key = self._value(event, depth + 1)
            if not isinstance(key, str):
                raise _MalformedError("a key that is not text", event.start_mark.line)
            if depth == 0 and key in fields:
                self.duplicates.append((key, event.start_mark.line))
            fields[key] = self._value(next(self._events), depth + 1)
        return fields
