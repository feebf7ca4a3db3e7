"""How a page of each type begins: where it goes, and its headings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Template(NamedTuple):
    """The folder below the wiki's that pages of a type go to, and their sections."""

    folder: str = ""
    sections: tuple[str, ...] = ()
    chinese: tuple[str, ...] = ()


PLAIN = Template()
TEMPLATES: Mapping[str, Template] = {
    "concept": Template(
        "concepts", ("What it is", "Why it matters", "See also"), ("是什么", "为什么重要", "另见")
    ),
    "entity": Template("entities", ("What it is", "Facts", "See also"), ("是什么", "事实", "另见")),
    "person": Template("people", ("Who it is", "Works on", "Facts"), ("是谁", "在做什么", "事实")),
    "project": Template(
        "projects", ("Goal", "State", "Next steps", "Decisions"), ("目标", "现状", "下一步", "决定")
    ),
    "source": Template("sources", ("Summary", "Key points", "Quotes"), ("摘要", "要点", "引文")),
    "question": Template(
        "questions", ("Answer", "Reasons", "Still open"), ("回答", "理由", "未解决")
    ),
    "comparison": Template(
        "comparisons", ("Options", "Differences", "Conclusion"), ("选项", "区别", "结论")
    ),
    "synthesis": Template("syntheses", ("Claim", "Evidence", "Doubts"), ("主张", "证据", "疑问")),
    "decision": Template(
        "decisions", ("Context", "Decision", "Consequences"), ("背景", "决定", "后果")
    ),
    "memory": Template("memories", ("Facts",), ("事实",)),
    "learning": Template("learnings", ("Lessons",), ("经验",)),
}
