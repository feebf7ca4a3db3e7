"""Pieces of markdown's syntax that several patterns are made of, the words a reader sees, and a
count of steps that a loop over a page may take: counted, never timed, so that a page means the same
on every machine and at every sync."""

from __future__ import annotations

import re
from functools import partial

from memwiki.text import pattern

LIST_MARKER = r"(?:[-+*]|\d{1,9}[.)])"
ESCAPED = pattern(r"\\([!-/:-@\[-`{-~])")  # punctuation, and the backslash that makes it plain
ENTRY_ID = pattern(r"(?:^|[ \t])\^m-[A-Za-z0-9]+[ \t]*$", re.MULTILINE)
# A line that says where the link `tea` leads, `[tea]: drinks/tea.md "Tea"`, and no footnote.
DEFINITION = (
    r"[ \t>]{0,8}\[[^\[\]\n^][^\[\]\n]*\]:[ \t]*+(?:<[^<>\n]+>|[^\s<]\S*+)"
    r"(?:[ \t]++(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*"
)
_DEFINITIONS = pattern(rf"(?:{DEFINITION}(?:\s*\n|\Z))++")
CATALOG_BEGIN = "<!-- memwiki:catalog:begin -->"
# What MyST calls the place below by: `(name)=`.
PLACE_NAME = pattern(r"^ {0,3}\(([^\s()=]{1,200})\)=[ \t]*$", re.MULTILINE)
# The same as an option of a directive, whose lines are code to others.
_OPTION_NAME = pattern(r"^[ \t]*:(?:name|label):[ \t]+(\S{1,200})[ \t]*$", re.MULTILINE)
# A page as MyST names it: a path in code, perhaps behind a title.
DOC_ROLE = pattern(r"\{doc\}`(?:[^`<>\[\]\n]*<(?=[\w./-]*\w>`))?([\w./-]*\w)>?`")
_MARKED = pattern(r"[\[<*_~=`\\&]")
_ENTITY = pattern(r"&(?:#\d|#[xX][\da-fA-F]|[A-Za-z][A-Za-z\d]+;)")
# As `(https://a.example/tea_(drink))`, and Logseq's `(((63a1f0a0-...)))`.
_ADDRESSED = r"\((?:[^()\n]++|\((?:[^()\n]++|\([^()\n]*+\))*+\))*+\)"
_EMBED = pattern(rf"!\[\[[^\[\]\n]*\]\]|!\[[^\[\]\n]*\]{_ADDRESSED}")
_WIKILINK = pattern(r"\[\[([^\[\]|\n]*)(?:\|([^\[\]\n]*))?\]\]")
# The group before is `grid[i][j]`, which is no reference to a definition.
_LINK = pattern(
    rf"(\b[A-Za-z_]\w*+(?:\[[^\[\]\n]*+\])++(?!\())"
    rf"|\[(?!\^)([^\[\]\n]*)\](?:{_ADDRESSED}|\[[^\[\]\n]*\])",
    re.ASCII,
)
# `<https://a.example>` and `<me@a.example>`, which a reader sees without the brackets.
_ADDRESS = pattern(r"<([A-Za-z][\w+.-]{1,31}+(?::|@)[^\s<>]{1,500})>")
_HTML = pattern(r"</?[A-Za-z][^<>\n]{0,500}>|<!--[^>]{0,500}-->")
# MyST has a role before it: `{ref}` and in the code a label, then in `<>` what it names.
_CODE = pattern(r"(?<![\\`])(\{[a-z][\w:+-]{0,40}\})?(`{1,16}+)([^\n]{1,300}?)(?<!`)\2(?!`)")
_ROLE_TARGET = pattern(r"(?<=\S)[ ]*<[^<>]*>\Z")
_KEPT = "\0"  # in the place of code, in no text that is read
_NUMBERED = pattern(rf"{_KEPT}(\d+){_KEPT}")
# Within a word of Latin letters they are an operator more often: x**2 + y**2, a==b or c==d.
_EMPHASIS = pattern(r"(?<![\\A-Za-z0-9])(\*\*|__|~~|==)(?=\S)(.{1,300}?)(?<=\S)\1")
_LIGHT = pattern(r"(?<![\w*\\])[*_](?=\S)([^*_\n]{1,300})(?<=[^\s\\])[*_](?![\w*])")


def place_names(shown: str, text: str) -> list[str]:
    """What MyST calls places of a page by; `shown` is the text without its code."""
    above = PLACE_NAME.findall(shown) if ")=" in shown else []
    return above + (_OPTION_NAME.findall(text) if ":name:" in text or ":label:" in text else [])


def is_definitions(text: str) -> bool:
    """Whether nothing but where links lead stands in a text."""
    return text.startswith("[") and _DEFINITIONS.fullmatch(text) is not None


def plain(text: str) -> str:
    """The text on one line without links, HTML, emphasis and code marks; code stays as it is."""
    if not _MARKED.search(text):
        return " ".join(text.split())
    if "`" not in text:
        return _without_marks(text)
    code: list[str] = []
    rest = _without_marks(_CODE.sub(partial(_set_aside, code), text.replace(_KEPT, " ")))
    return " ".join(_NUMBERED.sub(lambda match: code[int(match[1])], rest).split())


def _set_aside(code: list[str], match: re.Match[str]) -> str:
    shown = match[3].strip()
    code.append(_ROLE_TARGET.sub("", shown) if match[1] else shown)
    return f"{_KEPT}{len(code) - 1}{_KEPT}"


def _without_marks(text: str) -> str:
    if "[" in text:
        text = _EMBED.sub("", text)
        text = _WIKILINK.sub(lambda m: m[2] or m[1], text)
        text = _LINK.sub(r"\1\2", text)
    if "<" in text:
        text = _HTML.sub("", _ADDRESS.sub(r"\1", text))
    if any(mark in text for mark in "*_~="):
        text = _LIGHT.sub(r"\1", _EMPHASIS.sub(r"\2", text))
    if "&" in text and _ENTITY.search(text):
        from html import unescape  # few texts have some

        text = unescape(text)
    return " ".join(ESCAPED.sub(r"\1", text).split())


_FREE = 1_000


class StuckError(RuntimeError):
    """A loop that does not move on, or takes more steps than the size of the page can explain."""


class StepBudget:
    """What may be spent on so many lines or bytes; `each` is the most that one of them can cost."""

    __slots__ = ("left",)

    def __init__(self, size: int, each: int) -> None:
        self.left = _FREE + size * each

    def spend(self, count: int) -> None:
        """Take steps; StuckError when there are none left."""
        self.left -= count
        if self.left < 0:
            raise StuckError("more steps than the page can need")
