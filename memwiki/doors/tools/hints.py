"""The next step in the words of a tool: hints are written for a terminal, as commands."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

_WORD = r"('(?:[^']|'\"'\"')*'|[^\s;,)]+)"


class _Row(NamedTuple):
    """A command, with `%` for each word that it takes, and the same as a call of a tool."""

    command: str
    call: str


# The longer form of a command goes before the shorter one.
_ROWS = tuple(
    _Row(*row)
    for row in (
        ("get NAME --json", "read name=NAME"),
        ("get %", r"read name=\1"),
        ("list", "browse"),
        ("browse", "browse"),
        ("tags", "browse what=tags"),
        ("search %", r"search query=\1"),
        ("recall %", r"recall question=\1"),
        ("links % --out", r"links name=\1 direction=out"),
        ("links %", r"links name=\1"),
        ("graph % --depth %", r"links name=\1 depth=\2"),
        ("graph %", r"links name=\1"),
        ("history %", r"history name=\1"),
        ("show % --at %", r"history name=\1 at=\2"),
        ("undo --dry-run", "undo dry_run=true"),
        ("log show", "status what=log"),
        ("status %", r"status path=\1"),
        ("new %", r"write action=create name=\1"),
        ("append % TEXT", r"write action=append name=\1 text=TEXT"),
        ("set NAME key=value", "write action=set_fields name=NAME fields={key: value}"),
        ("set", "write action=set_fields"),
        ("move OLD NEW", "move name=OLD to=NEW"),
        ("move %", r"move name=\1"),
        ("tag merge % %", r"tag action=merge old=\1 new=\2"),
        ("tag rename % %", r"tag action=rename old=\1 new=\2"),
        ("unlink % %", r"relate a=\1 b=\2 remove=true"),
        ("entity merge % %", r"entities action=merge a=\1 b=\2"),
        ("session list", "session action=show"),
        ("session start %", r"session action=start id=\1"),
        ("session add % TEXT", r"session action=add id=\1 text=TEXT"),
        ("undo", "undo"),
    )
)
_ANY = re.compile(r"\bmemwiki (?=-|[a-z]+\b)")
_BY_A_PERSON = "ask the person to run: memwiki "


def in_words_of_tools(hint: str, offered: Collection[str] | None = None) -> str:
    """A hint with each command as a call of a tool that is offered, of which None means all; what
    no tool does, the person is asked for."""
    for row in _ROWS:
        if offered is None or row.call.split()[0] in offered:
            hint = _pattern(row.command).sub(row.call, hint)
    return _ANY.sub(_BY_A_PERSON, hint, count=1)


def _pattern(command: str) -> re.Pattern[str]:
    words = (_WORD if word == "%" else re.escape(word) for word in command.split())
    return re.compile(rf"\bmemwiki {' '.join(words)}(?![\w-])(?! --)")
