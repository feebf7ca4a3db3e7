"""What an entry has besides its text: type, fields, id, strike-through; and where each is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memwiki.markdown.syntax import LIST_MARKER
from memwiki.names import fold
from memwiki.patterns import pattern

TASK = pattern(r"\[[ xX]\](?:\s|\Z)")
TASK_LINE = pattern(rf"[ \t]*{LIST_MARKER}[ \t]*{TASK.pattern}")
TYPE = pattern(r"\[([^\W\d][\w-]*)\][ \t]+(?=\S)")
FIELD = pattern(
    r"(?<![ \t])[ \t]*+\[([^\W\d][\w -]{0,40})::[ \t]*+((?:\[\[[^\[\]\n]*\]\]|[^\[\]\n])*+)\]"
)
FIELD_LINE = pattern(r"[ \t]*[-*+][ \t]+([^\W\d][\w -]{0,40})::[ \t]*(.*)\Z")
ID = pattern(r"(?:^|[ \t])\^(m-[A-Za-z0-9]+)[ \t]*$", re.MULTILINE)
ID_NAME = pattern(r"m-[A-Za-z0-9]+")
STRUCK = pattern(r"~~(.*?)~~(.*)\Z", re.DOTALL)
_HEADINGS = {
    "preference": "Preferences 偏好 preference 喜好",
    "fact": "Facts 事实 fact",
    "pattern": "Patterns 模式 pattern 规律",
    "skill": "Skills 技能 skill",
    "context": "Context 背景 contexts 上下文",
    "lesson": "Lessons 经验 lesson 教训 经验教训",
    "decision": "Decisions 决定 decision 决策",
    "event": "Events 事件 event",
    "opinion": "Opinions 观点 opinion 意见",
    "relation": "Relations 关系 relation",
}  # the first two are the ones we write
BUILT_IN = frozenset(_HEADINGS)
_TYPES = {fold(name): type_ for type_, names in _HEADINGS.items() for name in names.split()}
_NAME = pattern(r"[^\W_](?:.*[^\W_])?")


def field_key(written: str) -> str:
    """A field by the name that it is known by, however it is spelled."""
    return fold(written.strip()).replace(" ", "_")


def field_start(text: str, field: re.Match[str]) -> int:
    """Where a field that was found behind a mask begins in the text: with the blanks before it, but
    not with the code that looks like blanks there."""
    bracket = field.start(1) - 1
    return field.start() + len(text[field.start() : bracket].rstrip(" \t"))


def end_of_list(lines: Sequence[str], at: int) -> int:
    """The line after the lines that are indented more than line `at`."""
    indent = indent_of(lines[at])
    end = at + 1
    while end < len(lines) and lines[end].strip() and indent_of(lines[end]) > indent:
        end += 1
    return end


def indent_of(line: str) -> int:
    """How many blanks begin a line."""
    return len(line) - len(line.lstrip(" \t"))


def type_of_heading(title: str) -> str:
    """The type of the entries below a heading; "" when it tells none."""
    name = _NAME.search(title)
    return _TYPES.get(fold(name[0]), "") if name else ""


def heading_of_type(type_: str, *, is_chinese: bool) -> str:
    """The heading that we write for a built-in type; for any other its own word."""
    if names := _HEADINGS.get(type_):
        return names.split()[is_chinese]
    return type_[:1].upper() + type_[1:]
