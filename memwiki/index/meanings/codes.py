"""How a link was resolved, as a small number."""

from __future__ import annotations

from collections.abc import Iterable

from memwiki.index.resolve import STEPS
from memwiki.model import LinkStatus

_STATUSES = tuple(LinkStatus)
_OF_STEPS = 32  # more than there are steps
RESPELLED = 1024
OF_ENTRY = 2048


def code_of(
    status: LinkStatus, by: str, *, is_respelled: bool = False, is_of_entry: bool = False
) -> int:
    """The number of a status and the step that decided; `is_respelled` says that the path is
    written otherwise than the file is, `is_of_entry` that no page says this, but an entry."""
    code = _STATUSES.index(status) * _OF_STEPS + STEPS.index(by)
    return code + RESPELLED * is_respelled + OF_ENTRY * is_of_entry


MEANT = {code_of(status, by): (status, by) for status in _STATUSES for by in STEPS}


def codes_of(statuses: Iterable[LinkStatus] = _STATUSES, steps: Iterable[str] = STEPS) -> list[int]:
    """All numbers with one of these statuses and steps, of links that are spelled as their
    files."""
    return [code_of(status, by) for status in statuses for by in steps]
