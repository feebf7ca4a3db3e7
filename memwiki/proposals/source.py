"""What an operation rests on: the numbered lines of a conversation or a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class SourceLine(NamedTuple):
    """A line that can be cited: what was said, by whom, and where it is."""

    text: str
    speaker: str = ""  # the name of whoever said it, else the role; "" in a file
    role: str = ""  # user, assistant, tool ...; "" in a file
    line: int = 0  # of the file
    id: str = ""  # of the message
    time: str = ""  # when it was said, ISO 8601


class NumberedSource(NamedTuple):
    """A conversation or a file, cut into the lines that a model is shown from 1 on."""

    lines: Sequence[SourceLine]
    date: str = ""  # of the conversation, as it is shown
    path: str = ""
    digest: str = ""  # of the file
    title: str = ""  # of a page that is no conversation
