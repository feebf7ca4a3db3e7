"""Blanks what holds no links or tags: code, HTML comments and math; positions stay the same."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from memwiki.markdown.source import lazy
from memwiki.markdown.syntax import DOC_ROLE, LIST_MARKER
from memwiki.nouns import Span
from memwiki.records import NamedTuple
from memwiki.text import holds, line_starts, pattern

# Each begins with one character, which is searched for; of "`+" every place would be tried.
_RUN = pattern("``*")
_CODE = pattern(r"`[^`\n]*+`")
# What says that not all code of a text is one pair of backticks on a line, or that more than code
# is to be blanked.
_INVOLVED = "$", "<!--", "``", "\\`", "{doc}`"
# Nearly all code is one pair of backticks with no others between, on one line: the last is the
# group. One around all of it would be no character to search for.
_TOKEN = pattern(r"\\[`$\\]|`(?:(?!`)[^`\n]*+(`)(?!`)|`*)|<!--|\$\$|\$")
# Code spans and math end with their paragraph, list item, heading or table row.
BOUNDARY = pattern(rf"\n(?=[ \t>]*+(?:\n|\Z|{LIST_MARKER}[ \t]|#{{1,6}}[ \t]|\|))")
_HEADING = pattern(r"\n[ \t]{0,3}#{1,6}[ \t][^\n]*")
_MATH = pattern(r"\$(?=[^\s$])(?:[^$\\\n]|\\[^\n])*+(?<!\s)\$(?![\d$])")
_NOT_NEWLINE = pattern(r"[^\n]")
_NO_NAME, _NAME_CHARACTERS = pattern(r"[\[\]\n]"), 300
_FENCE = pattern(r"[ \t]*+(`{3,}+|~{3,}+)")


class Masked(NamedTuple):
    """The text of a page with its front matter and all code, comments and math blanked.

    It has the lines and columns of the page; `starts` are the offsets at which its lines begin.
    """

    text: str
    starts: list[int]

    @classmethod
    def of(cls, text: str) -> Masked:
        """A text of which nothing but code, comments and math is blanked."""
        return cls(mask_inline(text), line_starts(text.split("\n")))

    def line(self, offset: int) -> int:
        """The line, from 1, on which an offset lies."""
        return bisect_right(self.starts, offset)

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column of an offset, both from 0."""
        line = self.line(offset) - 1
        return line, offset - self.starts[line]


def blank_lines(lines: list[str], start: int, ranges: tuple[Span, ...]) -> list[str]:
    """The lines with everything before `start` and all ranges emptied."""
    masked = [""] * start + lines[start:]
    for first, end in ranges:
        masked[first:end] = [""] * (end - first)
    return masked


def mask_inline(text: str) -> str:
    """The text with code spans, comments and math blanked, newlines kept."""
    if not ("`" in text or "$" in text or "<" in text):  # as most entries
        return text
    if not holds(text, *_INVOLVED):  # a third of the time (2026-11-30)
        masked = _CODE.sub(lambda match: " " * len(match[0]), text) if "`" in text else text
        if "`" not in masked:
            return masked
    return _blanked(text, _spans(text))


def mask_leaf(text: str) -> str:
    """The same of the text of one paragraph, heading or cell, in which spans end nowhere else."""
    return _blanked(text, _spans(text, is_leaf=True))


def mask_comments(text: str) -> str:
    """The text with comments blanked, as a browser sees them, newlines kept."""
    return _blanked(text, _comments(text))


def _comments(text: str) -> Iterator[Span]:
    done = 0
    while (start := text.find("<!--", done)) >= 0:
        end = text.find("-->", start + 2)  # `<!-->` is a whole one
        if end < 0:
            return
        done = end + 3
        yield start, done


def _blanked(text: str, spans: Iterable[Span]) -> str:
    parts, done = [], 0
    for start, end in spans:
        span = text[start:end]
        blank = _NOT_NEWLINE.sub(" ", span) if "\n" in span else " " * len(span)
        parts += [text[done:start], blank]
        done = end
    return "".join([*parts, text[done:]])


def _spans(text: str, *, is_leaf: bool = False) -> list[Span]:
    spans, done, at = [], 0, 0
    code = _CodeSpans(text, is_leaf=is_leaf)
    last_comment_end = text.rfind("-->")
    while match := _TOKEN.search(text, at):
        (start, at), mark = match.span(), match[0]
        if start < done or mark[0] == "\\":
            if match.lastindex:  # it may go on behind what it begins in
                at = start + 1
            continue
        if match.lastindex:
            is_page = text.endswith("{doc}", 0, start) and DOC_ROLE.match(text, start - 5)
            end = 0 if is_page else at  # where MyST names a page
        elif mark[0] == "`":
            end = code.end(start)
        elif mark == "<!--":
            inner = start + (2 if is_leaf else 4)  # `<!-->` is a whole one
            end = text.index("-->", inner) + 3 if inner <= last_comment_end else 0
        else:
            end = _math_end(text, start, mark)
            is_named = _is_in_name(text, start) or _is_in_name(text, end - len(mark))
            is_math = code.is_one_paragraph(start, end) and not is_named
            end = end if is_math else 0
        if end:
            spans.append((start, end))
            done = end
    return spans


class _CodeSpans:
    """Where the spans of code end, and whether others may. Nearly all end on their line, so that
    ends of paragraphs are looked for when one does not."""

    def __init__(self, text: str, *, is_leaf: bool = False) -> None:
        self._text, self._is_leaf = text, is_leaf

    @lazy
    def _closers(self) -> dict[int, Span]:
        """For each run of backticks the next run of its length."""
        closers: dict[int, Span] = {}
        following: dict[int, Span] = {}
        text = self._text
        for start, end in reversed([match.span() for match in _RUN.finditer(text)]):
            for opening in (start, start + 1) if text[start - 1 : start] == "\\" else (start,):
                if opening < end and (closer := following.get(end - opening)):
                    closers[opening] = closer
            following[end - start] = start, end
        return closers

    @lazy
    def _boundaries(self) -> list[int]:
        ends = [match.start() for match in BOUNDARY.finditer(self._text)]
        if "#" in self._text:
            ends += [match.end() - 1 for match in _HEADING.finditer("\n" + self._text)]
        return sorted(ends)

    def end(self, start: int) -> int:
        """The end of the span that backticks here begin; 0 when none of its paragraph close it."""
        closer, end = self._closers.get(start, (0, 0))
        return end if self.is_one_paragraph(start, closer) else 0

    def is_one_paragraph(self, start: int, end: int) -> bool:
        """Whether no end of a paragraph lies between."""
        if self._is_leaf or self._text.find("\n", start, end) < 0:
            return True
        own, other = (bisect_right(self._boundaries, at) for at in (start, end))
        return own == other


def _math_end(text: str, start: int, mark: str) -> int:
    if mark == "$$":
        end = text.find("$$", start + 2)
        return end + 2 if end >= 0 else 0
    match = _MATH.match(text, start)
    return match.end() if match else 0


def _is_in_name(text: str, at: int) -> bool:
    """Whether a sign stands in the name of a wikilink that began before it: `[[A$AP]]`."""
    opened = text.rfind("[", max(at - _NAME_CHARACTERS, 0), at)
    if opened < 1 or text[opened - 1] != "[":
        return False
    closed = text.find("]]", at, at + _NAME_CHARACTERS)
    return closed >= 0 and _NO_NAME.search(text, opened + 1, closed) is None


def without_fences(text: str) -> str:
    """The text with each fenced block as an empty line; an open fence runs to the end."""
    if "```" not in text and "~~~" not in text:
        return text
    kept, mark = list[str](), ""
    *lines, last = text.split("\n")
    for line in lines:
        opened = None if mark else _FENCE.match(line)
        if opened:
            mark = opened[1]
            kept.append("")
        elif not mark:
            kept.append(line)
        elif line.strip(" \t") == mark:
            mark = ""
    return "\n".join(kept if mark or (last.strip(" \t") == mark != "") else [*kept, last])
