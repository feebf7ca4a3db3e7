"""Blocks that markdown has from its extensions: display math, and the indented bodies of
admonitions, details and tabs. CommonMark has none of them; each is shown to it as what it is like.

Source: remark-math (a `$$` opens a fence), the block patterns of Python-Markdown's admonition and
of pymdownx's details and tabbed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

BODY_INDENT = 4
STARTERS = frozenset("!?=$")
_WORDS = r"[\w-]++(?:[ ]++[\w-]++)*+"
_TITLE = r"[ ]++\"[^\n]*\""
_CONTAINER = re.compile(
    rf"(?:!!![ ]?{_WORDS}(?:{_TITLE})?+|\?\?\?\+?[ ]?(?:{_WORDS}(?:{_TITLE})?+|{_TITLE})"
    rf"|===(?:\+!?|!\+?)?{_TITLE})[ ]*\Z"
)
_MATH = "$$"
MARKER = "-   ***"  # an item whose text begins in the column of the body, and is no paragraph


class ExtensionLines(NamedTuple):
    """The lines that CommonMark is to read otherwise: `markers` of admonitions and the like, and
    those of `math`, by their number."""

    markers: Mapping[int, str]
    math: Mapping[int, str]


def is_container(text: str) -> bool:
    """Whether a line without its indentation begins an admonition, details or a tab, if an indented
    body follows."""
    return _CONTAINER.match(text) is not None


def opens_math(text: str) -> bool:
    """Whether a line without its indentation begins a formula that ends on another line."""
    return text.startswith(_MATH) and _MATH not in text[2:]


def ends_math(line: str, *, is_lone: bool) -> bool | None:
    """Whether a line ends a formula: None where there cannot be one. Only one whose `$$` stands
    alone may hold empty lines: `$$` in a sentence is slang."""
    text = line.strip(" \t")
    if _MATH in text:
        return text.endswith(_MATH) or None
    return False if text or is_lone else None


def is_item(line: str) -> bool:
    """Whether what begins with this line is an item of a list, and no admonition."""
    return line.lstrip(" \t")[:1] not in STARTERS


def math_lines(first: int, end: int, opener: str) -> dict[int, str]:
    """What stands for the lines of a formula: a fence behind what stands before its `$$`, in which
    nothing means anything."""
    indent = " " * len(opener)
    inner = dict.fromkeys(range(first + 1, end - 1), f"{indent}x")
    return {first: f"{opener}```", **inner, end - 1: f"{indent}```"}


def shown(lines: list[str], start: int, replaced: Mapping[int, str]) -> list[str]:
    """The lines from `start` on, those replaced that CommonMark is to read otherwise."""
    if not replaced:
        return lines[start:]
    return [replaced.get(number, lines[number]) for number in range(start, len(lines))]
