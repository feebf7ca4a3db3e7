"""Tools for models: the same words as the command line, each answer within a budget."""

from memwiki.doors.tools.call import call
from memwiki.doors.tools.definitions import definitions
from memwiki.doors.tools.limiter import Limiter
from memwiki.doors.tools.profiles import PROFILES, tools
from memwiki.doors.tools.settings import DoorFlags, DoorSettings, door_settings
from memwiki.doors.tools.table import Answer, Call, Hints, Tool

__all__ = [
    "PROFILES",
    "Answer",
    "Call",
    "DoorFlags",
    "DoorSettings",
    "Hints",
    "Limiter",
    "Tool",
    "call",
    "definitions",
    "door_settings",
    "tools",
]
