"""Tools for models: the same words as the command line, each answer within a budget."""

from memwiki.tools.call import Limiter, call
from memwiki.tools.definitions import definitions
from memwiki.tools.profiles import PROFILES, tools
from memwiki.tools.table import (
    Call,
    DoorFlags,
    DoorSettings,
    Hints,
    Tool,
    ToolAnswer,
    door_settings,
)

__all__ = [
    "PROFILES",
    "Call",
    "DoorFlags",
    "DoorSettings",
    "Hints",
    "Limiter",
    "Tool",
    "ToolAnswer",
    "call",
    "definitions",
    "door_settings",
    "tools",
]
