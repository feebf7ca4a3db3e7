"""What an importer makes of a source: files, entries and usage, all of it data and none written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from memwiki.model import Layers


class IncomingFile(NamedTuple):
    """One file as it is to be in the workspace."""

    path: str  # workspace-relative
    data: bytes
    origin: str  # `file` or `file:line` of the source, for messages
    is_united: bool = False  # made from the page as it is now: nothing is lost, needs no replace


class Incoming(NamedTuple):
    """All that a source becomes."""

    kind: str
    files: tuple[IncomingFile, ...] = ()
    entries: tuple[Mapping[str, object], ...] = ()  # as `ws.entries.add_all` takes them
    usage: tuple[bytes, ...] = ()  # lines of a usage file
    notes: tuple[str, ...] = ()  # what could not be said, and why
    is_whole: bool = False  # all of a workspace: of an untouched template, no other page stays


class Target(NamedTuple):
    """What an importer may know of the workspace."""

    read: Callable[[str], bytes | None]  # the bytes of a file now, None when there is none
    layers: Layers
    day: str  # today, as YYYY-MM-DD
    pages: Callable[[str], Iterable[str]]  # the pages in a folder and below it
