"""What a verb hands over: its plan, with what the person should know."""

from __future__ import annotations

from typing import NamedTuple

from memwiki.change.plan import Plan
from memwiki.markdown.outline import Outlines


class Planned(NamedTuple):
    """A plan, and what the person should know about it."""

    plan: Plan
    notes: tuple[str, ...] = ()
    path: str = ""  # the one file that was meant, "" for a folder
    outlines: Outlines | None = None  # the texts that were looked over for it
