"""How a program is to start memwiki: the words of a command, and the one string of a hook."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from typing import NamedTuple

from memwiki.agents.hosts import HookMoment
from memwiki.agents.jsonc import Json

_PLAIN = re.compile(r"[\w@+=:,./-]+")  # bash, which some programs run there, takes backslashes

SERVER = "memwiki"  # our name among the servers of a program


class Launch(NamedTuple):
    """The words that start memwiki, and the folder of the workspace as they name it."""

    program: tuple[str, ...]
    folder: str

    @property
    def server(self) -> dict[str, Json]:
        """The server of a program's list."""
        return {"command": self.program[0], "args": [*self.program[1:], "-C", self.folder, "mcp"]}

    def hook(self, moment: HookMoment, host: str, *, is_recording: bool = False) -> str:
        """The command of a hook, as a shell reads it."""
        words = [*self.program, "-C", self.folder, "hook", moment, "--host", host]
        needs = is_recording and moment is HookMoment.PROMPT
        return shell_line([*words, "--capture"] if needs else words)


def shell_line(words: list[str], *, is_windows: bool = os.name == "nt") -> str:
    """Words as one line of the shell of this system; on Windows of each of those it may be."""
    if not is_windows:
        return shlex.join(words)
    return " ".join(word if _PLAIN.fullmatch(word) else f'"{word}"' for word in words)


def is_our_server(value: Json) -> bool:
    """Whether a server of a program's list is ours."""
    if not isinstance(value, Mapping):
        return False
    arguments = value.get("args")
    words = [value.get("command"), *(arguments if isinstance(arguments, list) else ())]
    text = " ".join(str(word) for word in words)
    return "memwiki" in text and text.endswith(" mcp")


def is_our_command(value: Json) -> bool:
    """Whether a hook is ours: its command is one of `memwiki hook`."""
    command = value.get("command") if isinstance(value, Mapping) else None
    if not isinstance(command, str):
        return False
    return "memwiki" in command and " hook " in command and " --host " in command
