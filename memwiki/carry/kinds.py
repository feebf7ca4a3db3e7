"""Which kind a source is of: the importers in the order in which they are asked."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Protocol, cast

from memwiki.carry.incoming import Incoming, Target
from memwiki.carry.source import Source
from memwiki.errors import UsageError

# A row a kind: its name and its module in `importers`, imported when it is asked. The most
# particular are asked first.
KINDS: tuple[tuple[str, str], ...] = (
    ("memwiki", "memwiki"),
    ("notion", "notion"),
    ("logseq", "logseq"),
    ("basic-memory", "basic_memory"),
    ("memory-server", "memory_server"),
    ("claude-code", "claude_code"),
    ("lines", "lines"),
    ("markdown", "markdown"),
)


class Importer(Protocol):
    """What a module in `importers` offers."""

    KIND: str

    def is_kind(self, source: Source) -> bool:
        """Whether a source is of this kind, from names and heads."""

    def incoming(self, source: Source, target: Target) -> Incoming:
        """What a source becomes here."""


def kind_names() -> list[str]:
    """The kinds, in the order in which they are asked."""
    return [name for name, _ in KINDS]


def importer_of(source: Source, kind: str = "") -> Importer:
    """The importer for a source; for a `kind` that is named, that of the kind."""
    names = kind_names()
    if kind and kind not in names:
        raise UsageError(f"{kind}: no such kind", hint=f"one of {', '.join(names)}")
    found = next((each for each in _importers(kind) if kind or each.is_kind(source)), None)
    if found is None:
        raise UsageError(
            f"{source.name}: not recognised as anything that can be imported",
            hint=f"name what it is: {{kind}} with one of {', '.join(names)}",
            arguments={"kind": "markdown"},
        )
    return found


def _importers(kind: str) -> Iterator[Importer]:
    for name, module in KINDS:
        if kind in ("", name):
            yield cast(Importer, import_module(f"memwiki.carry.importers.{module}"))
