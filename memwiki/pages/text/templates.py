"""How a page of each type begins: where it goes, and its headings. Data alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Template(NamedTuple):
    """The folder below the wiki's that pages of a type go to, and their sections."""

    folder: str = ""
    sections: tuple[str, ...] = ()


PLAIN = Template()
TEMPLATES: Mapping[str, Template] = {
    "concept": Template("concepts", ("What it is", "Why it matters", "See also")),
    "entity": Template("entities", ("What it is", "Facts", "See also")),
    "person": Template("people", ("Who it is", "Works on", "Facts")),
    "project": Template("projects", ("Goal", "State", "Next steps", "Decisions")),
    "source": Template("sources", ("Summary", "Key points", "Quotes")),
    "question": Template("questions", ("Answer", "Reasons", "Still open")),
    "comparison": Template("comparisons", ("Options", "Differences", "Conclusion")),
    "synthesis": Template("syntheses", ("Claim", "Evidence", "Doubts")),
    "decision": Template("decisions", ("Context", "Decision", "Consequences")),
    "memory": Template("memories", ("Facts",)),
    "learning": Template("learnings", ("Lessons",)),
}
