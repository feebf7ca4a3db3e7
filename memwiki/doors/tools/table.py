"""A tool as agents are offered it, one call of it, and what the call is answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from memwiki.model import Json

if TYPE_CHECKING:
    from memwiki.doors.tools.settings import DoorSettings
    from memwiki.workspace import Workspace

Schema: TypeAlias = "Mapping[str, Json]"


class Hints(NamedTuple):
    """What a call does to the files, for whoever asks a person before it is made."""

    is_read_only: bool = False
    is_idempotent: bool = False
    is_destructive: bool = False


class Answer(NamedTuple):
    """What a model is told; `structured` is the JSON of the command line, if asked for."""

    text: str
    is_error: bool = False
    structured: dict[str, Json] | None = None


class Call(NamedTuple):
    """A call whose arguments fit the schema, those that were not given filled in with defaults."""

    ws: Workspace
    arguments: Mapping[str, Json]
    settings: DoorSettings


class Tool(NamedTuple):
    """A tool of a profile; `schema` is one plain object, without unions and references."""

    name: str
    description: str
    schema: Schema
    hints: Hints
    run: Callable[[Call], Answer]
