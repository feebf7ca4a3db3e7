"""What one entry says, as the policies judge it: plain values, free of where it is written."""

from __future__ import annotations

from typing import NamedTuple


class Fact(NamedTuple):
    """One memory to be compared with others; `key`, `subject`, `topic` and `object` are as
    written, "" when the entry has none."""

    text: str  # what the person reads: no marker, fields, id or strike-through
    type: str = ""
    key: str = ""
    subject: str = ""
    topic: str = ""
    object: str = ""
    entities: tuple[str, ...] = ()  # names it says it is about
    created: str = ""  # ISO 8601, "" when unknown
