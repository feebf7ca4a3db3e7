"""The built-in types of entries, and the headings that say them, in English and Chinese."""

from __future__ import annotations

import re

from memwiki.names import fold

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
_NAME = re.compile(r"[^\W_](?:.*[^\W_])?")


def type_of_heading(title: str) -> str:
    """The type of the entries below a heading; "" when it tells none."""
    name = _NAME.search(title)
    return _TYPES.get(fold(name[0]), "") if name else ""


def heading_of_type(type_: str, *, is_chinese: bool) -> str:
    """The heading that we write for a built-in type; for any other its own word."""
    if names := _HEADINGS.get(type_):
        return names.split()[is_chinese]
    return type_[:1].upper() + type_[1:]
