"""What each tool gives as JSON, for programs that ask for structured answers."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from memwiki.answers.check import CheckReport
from memwiki.answers.edits import Edited
from memwiki.answers.entities import EntityCandidates, EntityList
from memwiki.answers.entries import AddReport, EntryView
from memwiki.answers.graph import GraphAnswer, LinkList
from memwiki.answers.history import History, LogList, PageAt
from memwiki.answers.index import PathStatus, Status
from memwiki.answers.pages import Browse, PageView
from memwiki.answers.recall import Recall, SearchAnswer
from memwiki.answers.sessions import AddedMessage, SessionList, SessionView
from memwiki.answers.upkeep import UpkeepReport
from memwiki.present.shape import Shape, shape_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_ANSWERS: Mapping[str, tuple[type, ...]] = {
    "recall": (Recall,),
    "search": (SearchAnswer,),
    "read": (PageView, EntryView),
    "browse": (Browse,),
    "links": (LinkList, GraphAnswer),
    "add": (AddReport,),
    "status": (Status, PathStatus, CheckReport, LogList),
    "history": (History, PageAt),
    "session": (SessionList, SessionView, AddedMessage, Edited),
    "entities": (EntityList, EntityCandidates, Edited),
    "upkeep": (UpkeepReport,),
    "create_memory": (AddReport,),
    "search_memories": (Recall,),
    "memory_search": (Recall,),
}


@cache
def output_schema(tool: str) -> Shape:
    """The JSON Schema of a tool's structured answer; what changes files answers what it changed."""
    return shape_of(*_ANSWERS.get(tool, (Edited,)))
