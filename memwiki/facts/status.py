"""Whether an entry still holds."""

from __future__ import annotations

from collections.abc import Mapping

PROMOTED_TO = "promoted_to"  # names the core entry that says what a line of a day said


def status_of(fields: Mapping[str, str], *, is_struck: bool) -> str:
    """What an entry says of its state; struck out it is superseded, else active."""
    if is_struck or "superseded_by" in fields:
        return "superseded"
    return fields.get("status", "") or "active"


def is_current(fields: Mapping[str, str], *, is_struck: bool) -> bool:
    """Whether an entry is what is known: not superseded, and not kept in core since."""
    return status_of(fields, is_struck=is_struck) != "superseded" and PROMOTED_TO not in fields
