"""A tool as agents are offered it, what a door allows, and one call of a tool with its answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from memwiki.config import Config, DoorsConfig
from memwiki.nouns import Json
from memwiki.options import OptionKind, argument_of, rows
from memwiki.present import as_rows
from memwiki.present.plain import as_json
from memwiki.present.rows import Line, Row
from memwiki.tools.schema import Schema

if TYPE_CHECKING:
    from memwiki.tools.packing import AnswerPart
    from memwiki.workspace import Workspace


USUAL_TOKENS = 4_000  # of an answer that is asked for without a budget


class Hints(NamedTuple):
    """What a call does to the files, for whoever asks a person before it is made."""

    is_read_only: bool = False
    is_idempotent: bool = False
    is_destructive: bool = False


READS = Hints(is_read_only=True, is_idempotent=True)
WRITES, AGAIN = Hints(), Hints(is_idempotent=True)
REMOVES, REPLACES = Hints(is_destructive=True), Hints(is_idempotent=True, is_destructive=True)


class ToolAnswer(NamedTuple):
    """What a model is told; `structured` is the JSON of the command line, if asked for."""

    text: str
    structured: dict[str, Json] | None = None
    is_error: bool = False
    notes: tuple[str, ...] = ()  # further blocks of text


class Call(NamedTuple):
    """A call whose arguments fit the schema, those that were not given filled in with defaults."""

    ws: Workspace
    arguments: Mapping[str, Json]
    settings: DoorSettings
    is_structured: bool = False
    progress: Callable[[int, int], None] | None = None  # told how far a long answer is
    note: str = ""  # which arguments were read in another way than they were sent

    def text(self, name: str) -> str:
        """A text, "" where it was not given."""
        return cast("str", self.arguments.get(name, ""))

    def maybe(self, name: str) -> str | None:
        """A text, None where it was not given."""
        return cast("str | None", self.arguments.get(name))

    def count(self, name: str) -> int:
        """A whole number that has a default."""
        return cast("int", self.arguments[name])

    def number(self, name: str) -> float | None:
        """A number, None where it was not given."""
        return cast("float | None", self.arguments.get(name))

    def flag(self, name: str) -> bool:
        """True or false."""
        return bool(self.arguments.get(name))

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts."""
        return tuple(cast("list[str]", self.arguments.get(name) or ()))

    def rows(self, name: str) -> list[dict[str, Any]]:
        """A list of objects; none where it was not given."""
        return cast("list[dict[str, Any]]", self.arguments.get(name) or [])

    def options(self, record: type) -> dict[str, Any]:
        """The options of a record that were given, by the names that it has for them."""
        found: dict[str, Any] = {}
        for name, row in rows(record).items():
            given = self.arguments.get(argument_of(name, row)) if row.tool else None
            if given and row.kind is OptionKind.TEXTS:
                found[name] = (given,)
            elif given is not None and row.kind is not OptionKind.TEXTS:
                found[name] = self.budget if row.kind is OptionKind.TOKENS else given
        return found

    @property
    def budget(self) -> int:
        """The most tokens of the answer."""
        asked = cast("int", self.arguments.get("budget", USUAL_TOKENS))
        return min(asked, self.settings.max_tokens)

    def answer(
        self,
        answer: object,
        rows: Iterable[Row | AnswerPart] | None = None,
        *,
        back: Iterable[Row] = (),
        total: int | None = None,
        offset: int | None = None,
        is_exact: bool = True,
    ) -> ToolAnswer:
        """The rows of an answer as text, and the answer as JSON where that is asked for.

        After them come its notes, and `back`, what was read again after a change. `total` is how
        many there are, None where nothing is counted; `offset` of a tool that takes one is how many
        were skipped.
        """
        from memwiki.tools.packing import AnswerParts, compose_answer, freshness_of, parts_of

        structured = json.loads(as_json(answer)) if self.is_structured else None
        shown = as_rows(answer) if rows is None else rows
        notes = getattr(getattr(answer, "edited", answer), "notes", ())
        notes = (Line((f"note: {note}",)) for note in notes)
        parts = [part for row in (*shown, *notes, *back) for part in parts_of(row)]
        listing = AnswerParts(
            parts,
            freshness_of(answer),
            total,
            offset or 0,
            has_offset=offset is not None,
            is_exact=is_exact,
            note=self.note,
        )
        return ToolAnswer(compose_answer(listing, self.budget), structured=structured)


class Tool(NamedTuple):
    """A tool of a profile; `schema` is one plain object, without unions and references."""

    name: str
    title: str
    description: str
    schema: Schema
    hints: Hints
    function: str  # that answers: `module.name`, in this room

    def run(self, call: Call) -> ToolAnswer:
        """Answer a call; the module of the function is loaded when it is first called."""
        module, _, name = self.function.partition(".")
        answer: ToolAnswer = getattr(import_module(f"{__package__}.{module}"), name)(call)
        return answer


SMALL = "small"


class DoorFlags(NamedTuple):
    """What the user asks for when a door is opened, beside what the settings say."""

    is_read_only: bool = False
    profile: str | None = None
    max_tokens: int | None = None
    is_staged: bool = False
    write: tuple[str, ...] = ()
    has_private: bool = False
    may_accept: bool = False


_NOTHING_SAID = DoorFlags()


class DoorSettings(NamedTuple):
    """What holds for all calls of one connection; `write` lists globs, all of which must match."""

    is_read_only: bool = False
    profile: str = "default"
    max_tokens: int = 8_000
    writes_per_minute: int = 120
    max_text_kb: int = 256
    is_staged: bool = False
    write: tuple[tuple[str, ...], ...] = ()
    named: tuple[str, ...] = ()  # globs of the user, which may name what is protected, too
    has_private: bool = False
    may_accept: bool = False  # proposals, where nothing of them is flagged
    is_server: bool = False  # one process of perhaps several for a program: undo keeps them apart


def door_settings(config: Config, flags: DoorFlags = _NOTHING_SAID) -> DoorSettings:
    """What a door allows: flags before the environment, and memwiki.toml where it narrows."""
    doors, usual = config.doors, DoorsConfig()

    def is_of_file(name: str) -> bool:
        return config.origins.get(f"doors.{name}") == "file"

    def least(name: str) -> int:
        value, default = getattr(doors, name), getattr(usual, name)
        found: int = min(value, default) if is_of_file(name) else value
        return found

    is_widened = is_of_file("profile") and doors.profile != SMALL
    own = flags.write or (() if is_of_file("write") else doors.write)
    files = doors.write if is_of_file("write") else ()
    return DoorSettings(
        is_read_only=doors.read_only or flags.is_read_only,
        profile=flags.profile or (usual.profile if is_widened else doors.profile),
        max_tokens=least("max_tokens") if flags.max_tokens is None else flags.max_tokens,
        writes_per_minute=least("writes_per_minute"),
        max_text_kb=least("max_text_kb"),
        is_staged=doors.staged or flags.is_staged,
        write=tuple(filter(None, (own, files))),
        named=own,
        has_private=flags.has_private,
        may_accept=flags.may_accept,
    )
