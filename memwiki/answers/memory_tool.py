"""What the memory tool answers to one line."""

from __future__ import annotations

from typing import NamedTuple


class ToolReply(NamedTuple):
    """The text of a command that was done, or what is wrong with it."""

    ok: bool
    text: str = ""  # not printed where there is an error
    error: str = ""  # not printed where there is none
