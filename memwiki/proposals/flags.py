"""What a person should look at before an operation becomes true, whatever supports it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from memwiki.proposals.instructions import is_address, is_instruction
from memwiki.proposals.source import SourceLine

MAX_IMPORTANCE = 0.8  # above it is flagged
_PERSONS = ("", "user")  # the roles of a file's lines and of what a person says


class Flag(StrEnum):
    """Why an operation is never taken together with others."""

    INSTRUCTION = "instruction"  # to an agent
    ADDRESS = "address"  # of the web or of a person, or a command line
    IMPORTANT = "important"
    ASSISTANT = "assistant or tool"  # said by one
    WEB = "web"
    FOREIGN = "foreign"
    SUPERSEDES = "supersedes"
    RETIRES = "retires"
    MERGES = "merges"
    PERSON = "changes a person's words"


def flags_of(
    text: str, cited: Sequence[SourceLine], *, importance: float | None = None, origin: str = ""
) -> tuple[str, ...]:
    """What stands out in a text, in the lines it rests on and in what is said of it."""
    return tuple(_flags(text, cited, importance, origin))


def _flags(
    text: str, cited: Sequence[SourceLine], importance: float | None, origin: str
) -> Iterator[Flag]:
    if is_instruction(text):
        yield Flag.INSTRUCTION
    if is_address(text):
        yield Flag.ADDRESS
    if importance is not None and not importance <= MAX_IMPORTANCE:  # what is no number, too
        yield Flag.IMPORTANT
    if any(line.role not in _PERSONS for line in cited):
        yield Flag.ASSISTANT
    if origin == "web":
        yield Flag.WEB
