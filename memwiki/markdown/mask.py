"""Blanks what holds no links or tags: code, HTML comments and math; positions stay the same."""

from __future__ import annotations

import re
from bisect import bisect_right

from memwiki.markdown.syntax import LIST_MARKER

_TOKEN = re.compile(r"\\[`$\\]|`+|<!--|\$\$|\$")
# Code spans and math end with their paragraph, list item, heading or table row.
_BOUNDARY = re.compile(rf"\n(?=[ \t>]*+(?:\n|\Z|{LIST_MARKER}[ \t]|#{{1,6}}[ \t]|\|))")
_HEADING_END = re.compile(r"^[ \t]{0,3}#{1,6}[ \t][^\n]*$", re.MULTILINE)
_MATH = re.compile(r"\$(?=[^\s$])(?:[^$\\\n]|\\[^\n])*+(?<!\s)\$(?![\d$])")
_NOT_NEWLINE = re.compile(r"[^\n]")
_FENCE = re.compile(r"[ \t]*+(`{3,}+|~{3,}+)")


def blank_lines(lines: list[str], start: int, ranges: tuple[tuple[int, int], ...]) -> list[str]:
    """The lines with everything before `start` and all ranges emptied."""
    masked = [""] * start + lines[start:]
    for first, end in ranges:
        masked[first:end] = [""] * (end - first)
    return masked


def mask_inline(text: str) -> str:
    """The text with code spans, comments and math blanked, newlines kept."""
    if "`" not in text and "$" not in text and "<!--" not in text:
        return text
    parts, done = [], 0
    for start, end in _spans(text):
        parts += [text[done:start], _blank(text[start:end])]
        done = end
    parts.append(text[done:])
    return "".join(parts)


def _blank(span: str) -> str:
    return _NOT_NEWLINE.sub(" ", span) if "\n" in span else " " * len(span)


def _spans(text: str) -> list[tuple[int, int]]:
    spans, done = [], 0
    closers = _closing_runs(text)
    last_comment_end = text.rfind("-->")
    for match in _TOKEN.finditer(text):
        start, mark = match.start(), match[0]
        if start < done or mark[0] == "\\":
            continue
        if mark[0] == "`":
            end = closers.get(start, 0)
        elif mark == "<!--":
            end = text.index("-->", start + 4) + 3 if start + 4 <= last_comment_end else 0
        else:
            end = _math_end(text, start, mark)
        if end:
            spans.append((start, end))
            done = end
    return spans


def _closing_runs(text: str) -> dict[int, int]:
    """For each run of backticks the end of the next run of its length in the same paragraph."""
    if "`" not in text:
        return {}
    boundaries = _boundaries(text)
    closers: dict[int, int] = {}
    last: dict[int, tuple[int, int]] = {}
    runs = [match.span() for match in re.finditer("`+", text)]
    for start, end in reversed(runs):
        paragraph = bisect_right(boundaries, start)
        for opening in (start, start + 1) if text[start - 1 : start] == "\\" else (start,):
            held = last.get(end - opening)
            if opening < end and held and held[1] == paragraph:
                closers[opening] = held[0]
        last[end - start] = end, paragraph
    return closers


def _boundaries(text: str) -> list[int]:
    ends = [match.start() for match in _BOUNDARY.finditer(text)]
    ends += [match.end() for match in _HEADING_END.finditer(text)]
    return sorted(ends)


def _math_end(text: str, start: int, mark: str) -> int:
    if mark == "$$":
        end = text.find("$$", start + 2)
        return end + 2 if end >= 0 and text.find("\n\n", start, end) < 0 else 0
    match = _MATH.match(text, start)
    return match.end() if match else 0


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
