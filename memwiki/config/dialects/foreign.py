"""What a program's own settings say, in the names of ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias


class ForeignSetting(NamedTuple):
    """One setting of ours with the value that a file gives it; `note` says what was passed over."""

    source: str
    key: str
    value: object = ""
    note: str = ""

    @property
    def text(self) -> str:
        """All text of the value."""
        values = self.value if isinstance(self.value, list) else [self.value]
        return "".join(map(str, values))


ForeignSettings: TypeAlias = Iterator[ForeignSetting]
_WILD = re.compile(r"([\\*?\[\]! ])")
# A regular expression that begins, ends or consists of plain characters, and nothing else.
_PLAIN = r"(?:[^\\^$.|?*+()\[\]{}]|\\[^\w\s])"
_EXPRESSION = re.compile(rf"(?:(\^|\(\^\|\\?/\))|\.\*)?({_PLAIN}++)(\.\*\$?|\$)?")
_SUFFIX = re.compile(r"[^/]*\.\w+")


def unusable(source: str, what: str) -> ForeignSetting:
    """What is told of a setting that says nothing here."""
    return ForeignSetting(source, "", note=f"{source}: {what}; it is passed over")


def below(folder: str, pattern: str) -> str:
    """A pattern for the paths in a folder, for those in the workspace."""
    at = _WILD.sub(r"\\\1", folder)
    if pattern.startswith("/"):
        return f"/{at}{pattern}"
    return f"/{at}/**/{pattern.removeprefix('**/')}"


def patterns_of(starts: Iterable[str]) -> list[str]:
    """What paths begin with, as patterns in gitignore's syntax."""
    found = (start.strip().strip("/") + "/" * start.strip().endswith("/") for start in starts)
    escaped = (_WILD.sub(r"\\\1", start) for start in found if start.strip("/"))
    return [f"/{start}" if start.endswith("/") else f"/{start}*" for start in escaped]


def pattern_of_expression(expression: str) -> str:
    """A regular expression for paths as a pattern in gitignore's syntax, "" for one that says more
    than how a path begins, what a name in it holds, or how a file's name ends. None is run."""
    found = _EXPRESSION.fullmatch(expression)
    if found is None:
        return ""
    at, end = found[1] or "", found[3] or ""
    text = re.sub(r"\\(.)", r"\1", found[2])
    name = _WILD.sub(r"\\\1", text)
    if at == "^":
        return f"/{name}" if end == "$" or name.endswith("/") else f"/{name}*"
    if "/" in text.removesuffix("/"):
        return ""
    if at:
        return f"**/{name}" + "*" * (end != "$" and not name.endswith("/"))
    if end == "$":
        return f"*{name}" if _SUFFIX.fullmatch(text) else ""
    return f"*{name}" if name.endswith("/") else f"*{name}*"
