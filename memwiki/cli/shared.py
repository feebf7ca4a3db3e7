"""Options that several commands take, each declared once."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

Limit = Annotated[int | None, "Show at most N.", "N", 1]
MaxShown = Annotated[int, "Show at most N.", "N", 1]
MaxCount = Annotated[int, "At most so many.", "N", 1]
OfType = Annotated[str, "Only pages of this type.", "TYPE"]
WithTag = Annotated[str, "Only pages with this tag or one nested in it.", "TAG"]
AtPath = Annotated[str, "Only pages at these paths.", "GLOB"]
Orphans = Annotated[bool, "Only pages that no other page links to."]
DryRun = Annotated[bool, "Show what would change, and change nothing."]
OnlyShow = Annotated[bool, "Only show what would change."]
Expect = Annotated[
    str, "Only if the page still has this digest or etag (see get --json).", "DIGEST"
]
PageName = Annotated[str, "Path, file name, title, alias or id.", "NAME"]
Template = Annotated[
    str, "Print each as this text, with its fields in braces: '{path}\\t{title}'.", "TEMPLATE"
]
Jsonl = Annotated[bool, "Print one JSON object a line, one for each."]


class Profile(StrEnum):
    SMALL = "small"
    DEFAULT = "default"
    FULL = "full"
    GRAPH_MEMORY = "graph-memory"
