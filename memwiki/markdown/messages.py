"""Messages of session pages, read and written: a level-3 heading and the text below it.

A line of the text that could be a heading, or make one of the line above it, gets one backslash
more, wherever it is; reading takes exactly one away. What that does not hold together is in a
fence, so that any text comes back as it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from memwiki.errors import UsageError
from memwiki.markdown.scanner import Structure, scan
from memwiki.markdown.syntax import CATALOG_BEGIN, without_blank_edges
from memwiki.nouns import Message
from memwiki.text import pattern

_FIELD = pattern(r"(?<![ \t])[ \t]*+\[([^\W\d][\w -]{0,40})::[ \t]*+([^\[\]\n]*+)\]")
_ID = pattern(r"(?<![ \t])[ \t]++\^(s-[A-Za-z0-9-]+)\Z")
_TIME = pattern(r"(\d{4}-\d\d-\d\d(?:(?:T| )\d\d:\d\d\S*)?)(?:[ \t]+|\Z)")
_WRITTEN = pattern(r"### \d{4}-\d\d-\d\dT\d\d:\d\d\S* \S(?:.*[ \t])?\^s-[A-Za-z0-9-]+[ \t]*\Z")
_ROLES = frozenset({"user", "assistant", "system", "tool"})
EXACT = "exact"  # the value of the field `form` of a message whose text stands in a fence
_MARKED = r"(?=\\*(?:#|(?:=+|-+)[ \t]*$))"
_BARE = pattern(rf"^( {{0,3}}){_MARKED}", re.MULTILINE)
_ESCAPED = pattern(rf"^( {{0,3}})\\{_MARKED}", re.MULTILINE)
# What an editor, git or the reading of lines would change, and what makes a catalog of a page.
_UNFIT = pattern(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]|<(?={re.escape(CATALOG_BEGIN[1:])})")
_NUMBER = "u(?![dD][89a-fA-F])[0-9a-fA-F]{4}"  # halves of characters are none
_CODED = pattern(rf"\\({_NUMBER})")
_LIKE_CODED = pattern(rf"\\(?={_NUMBER})")
_FENCE = pattern(r"^[ \t]*(`{3,})", re.MULTILINE)
_MAY_OPEN = pattern(r"^ {0,3}(?:```|~~~|<)", re.MULTILINE)
_UNFIT_IN_HEAD = pattern("[\x00-\x1f\x7f-\x9f\u2028\u2029\\[\\]]")
_BLANK_END = pattern(rb"\n\r?\n\Z")
_MAX_WORD = 200  # characters of a role or a name


class _Head(NamedTuple):
    role: str
    time: str
    id: str
    fields: dict[str, str]

    @property
    def is_sure(self) -> bool:
        """Whether this heading is a message's beyond doubt."""
        return bool(self.id or (self.time and self.role) or self.role.lower() in _ROLES)


def session_structure(lines: list[str], start: int) -> Structure:
    """The structure of a session: what a message leaves open ends with it.

    The heading that memwiki writes begins a message wherever it stands, since no text that
    memwiki writes has such a line.
    """
    heads = [i for i in range(start, len(lines)) if is_written_head(lines[i])]
    if not heads:
        return scan(lines, start)
    bounds = [start, *heads, len(lines)]
    parts = [(scan(lines[at:end]), at) for at, end in pairwise(bounds) if at < end]
    return Structure(
        tuple(
            each._replace(line=each.line + at, line_end=each.line_end + at)
            for part, at in parts
            for each in part.headings
        ),
        tuple((a + at, b + at) for part, at in parts for a, b in part.code),
        tuple((a + at, b + at) for part, at in parts for a, b in part.html),
        tuple((a + at, b + at) for part, at in parts for a, b in part.items),
        all(part.is_certain for part, _ in parts),
    )


def is_written_head(line: str) -> bool:
    """Whether a line is the heading of a message as memwiki writes it."""
    return line.startswith("### ") and _WRITTEN.match(line) is not None


def read_messages(lines: list[str], structure: Structure) -> tuple[Message, ...]:
    """The messages of a session; none when its headings look like ordinary prose."""
    heads = [
        (heading, _read_head(heading.title) if heading.level == 3 else None)
        for heading in structure.headings
        if heading.level <= 3
    ]
    if not any(head and head.is_sure for _, head in heads):
        return ()
    ends = [heading.line for heading, _ in heads[1:]] + [len(lines)]
    return tuple(
        _message(lines, heading.line, heading.line_end, end, head)
        for (heading, head), end in zip(heads, ends, strict=True)
        if head
    )


def _read_head(title: str) -> _Head:
    id_, time = "", ""
    if match := _ID.search(title):
        id_, title = match[1], title[: match.start()]
    fields = {m[1].strip().lower(): m[2].strip() for m in _FIELD.finditer(title)}
    title = _FIELD.sub("", title)
    if match := _TIME.match(title):
        time, title = match[1], title[match.end() :]
    return _Head(title.strip(), time, id_, fields)


def _message(lines: list[str], first: int, start: int, end: int, head: _Head) -> Message:
    start, end = without_blank_edges(lines, start, end)
    fields, inner = head.fields, lines[start:end]
    if fields.get("form") == EXACT and is_fenced(inner):
        fields = {name: value for name, value in fields.items() if name != "form"}
        start, text = start + 1, exact_text(inner[1:-1])
    else:
        text = plain_text(inner)
    last = max(end, first + 1)
    return Message(head.role, text, first + 1, last, head.time, head.id, fields, start + 1)


def is_plain(text: str) -> bool:
    """Whether a text can stand below its heading without a fence."""
    if not text:
        return True
    lines = text.split("\n")
    is_bounded = bool(lines[0].strip() and lines[-1].strip())
    return is_bounded and not _UNFIT.search(text) and not _leaves_open(lines, text)


def plain_body(text: str) -> str:
    """A text as it stands below its heading."""
    return _BARE.sub(r"\1\\", text)


def exact_body(text: str) -> str:
    """A text as it stands in a fence, which is longer than any in it."""
    coded = _LIKE_CODED.sub(r"\\u005c", text)
    coded = _UNFIT.sub(lambda found: f"\\u{ord(found[0]):04x}", coded)
    fence = "`" * (max(map(len, _FENCE.findall(coded)), default=2) + 1)
    return f"{fence}\n{plain_body(coded)}\n{fence}"


def plain_text(lines: Sequence[str]) -> str:
    """The text that such lines hold."""
    return _ESCAPED.sub(r"\1", "\n".join(lines))


def exact_text(lines: Sequence[str]) -> str:
    """The text that lines in a fence hold."""
    return _CODED.sub(lambda found: chr(int(found[1][1:], 16)), plain_text(lines))


def is_fenced(lines: Sequence[str]) -> bool:
    """Whether lines begin with a fence of which the last one is the end."""
    first = lines[0].rstrip() if len(lines) > 1 else ""
    return first.startswith("```") and not first.strip("`") and lines[-1].rstrip() == first


def _leaves_open(lines: Sequence[str], text: str) -> bool:
    """Whether what follows such a text would become part of its code or HTML."""
    if text.rfind("<!--") > text.rfind("-->"):
        return True
    if not _MAY_OPEN.search(text):
        return False
    probed = scan([*lines, "", "# what follows"])
    return any(end > len(lines) + 1 for _, end in (*probed.code, *probed.html))


class WrittenMessage(NamedTuple):
    """What is to be written of a message; `extra` are further fields of its heading."""

    role: str
    text: str
    time: str
    id: str
    name: str = ""
    extra: tuple[tuple[str, str], ...] = ()

    @property
    def block(self) -> str:
        """Its heading and the text below it."""
        is_exact = not is_plain(self.text)
        form = [("form", EXACT)] if is_exact else []
        fields = [("name", self.name)] if self.name else []
        marks = "".join(f" [{key}:: {value}]" for key, value in (*fields, *self.extra, *form))
        body = exact_body(self.text) if is_exact else plain_body(self.text)
        return f"### {self.time} {self.role}{marks} ^{self.id}\n" + (f"{body}\n" if body else "")


def with_gap(before: bytes, block: str) -> str:
    """What is added to a page so that a block stands apart from what is above it."""
    if not before or _BLANK_END.search(before[-4:]):
        return block
    return f"\n{block}" if before.endswith(b"\n") else f"\n\n{block}"


def checked_word(what: str, text: str) -> str:
    """A role or a name as the heading of a message can hold it; UsageError when it cannot."""
    text = text.strip()
    if found := _UNFIT_IN_HEAD.search(text):
        raise UsageError(
            f"{what}: holds U+{ord(found[0]):04X}, which the heading of a message cannot hold",
            "leave out brackets, line breaks and control characters",
        )
    return text


def fitting_word(text: str) -> str:
    """A role or name from elsewhere, as the heading of a message can hold it."""
    return " ".join(_UNFIT_IN_HEAD.sub(" ", text).split())[:_MAX_WORD].strip()
