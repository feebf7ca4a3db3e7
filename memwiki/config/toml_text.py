"""The text of memwiki.toml, line by line: where a setting stands and how a value is written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memwiki.config.schema import Value
from memwiki.patterns import pattern

_PART = r"""(?:[\w-]++|"[^"\\\n]*+"|'[^'\n]*+')"""
_NAME = rf"{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+"
_HEADER = pattern(rf"\s*+\[\s*+({_NAME})\s*+\]\s*+(?:#.*)?\s*")
_SETTING = pattern(rf"\s*+({_NAME})\s*+=")
_BARE = pattern(r"[A-Za-z0-9_-]+")


def plain(value: Value) -> str:
    """Write a value as people read it."""
    if isinstance(value, tuple):
        return ", ".join(map(plain, value))
    if value is None:
        return ""
    if isinstance(value, float):
        return str(value).removesuffix(".0")
    return str(value).lower() if isinstance(value, bool) else str(value)


def as_toml(value: Value) -> str:
    """Write a value as memwiki.toml holds it."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(as_toml, value))}]"
    return _quoted(value or "") if isinstance(value, str | None) else plain(value)


def _quoted(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def as_key(name: str) -> str:
    """Write a key as memwiki.toml holds it, in quotes if need be."""
    return name if _BARE.fullmatch(name) else _quoted(name)


def is_content(line: str) -> bool:
    """Whether a line is neither blank nor a comment."""
    return bool(line.strip()) and not line.lstrip().startswith("#")


def as_header(home: str) -> str:
    """Write the name of a table as memwiki.toml holds it, a collection in quotes if need be."""
    table, _, collection = home.partition(".")
    return f"{table}.{as_key(collection)}" if collection else home


def lines_of(text: str) -> list[str]:
    """Cut a text into lines that keep their ends."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def tables_of(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Number the lines from 0, each with the table it stands in; "" above the first."""
    table = ""
    for number, line in enumerate(lines):
        if found := _HEADER.fullmatch(line):
            table = _unquoted(found[1])
        yield number, table


def line_of(text: str, name: str) -> int:
    """Find the 1-based line of a dotted name, or else of the table around it; 0 when there is
    none."""
    names = list(names_of(lines_of(text)))
    while name:
        for number, full in enumerate(names, 1):
            if full == name or full.startswith(f"{name}."):
                return number
        name = name.rpartition(".")[0]
    return 0


def names_of(lines: list[str]) -> Iterator[str]:
    """What each line names, as a dotted name: a table or a setting; "" for any other."""
    for number, table in tables_of(lines):
        found = _SETTING.match(lines[number])
        if found:
            yield f"{table}.{_unquoted(found[1])}".lstrip(".")
        else:
            yield table if _HEADER.fullmatch(lines[number]) else ""


def _unquoted(name: str) -> str:
    parts = re.findall(_PART, name)
    return ".".join(part[1:-1] if part[0] in "\"'" else part for part in parts)


def with_line(text: str, table: str, name: str, value: Value) -> str:
    """The text with a key of a table set: in its line, after the others of the table, or with the
    table at the end; a value that lies over several lines is not understood."""
    lines = whole_lines(text)
    new = f"{as_key(name)} = {as_toml(value)}{end_of(lines)}"
    same = [n for n, named in enumerate(names_of(lines)) if named == f"{table}.{name}"]
    if same:
        return "".join([*lines[: same[0]], new, *lines[same[0] + 1 :]])
    inside = [n for n, each in tables_of(lines) if each == table and is_content(lines[n])]
    return "".join(with_new(lines, inside, table, new))


def whole_lines(text: str) -> list[str]:
    """Cut a text into lines that have an end, all of them."""
    lines = lines_of(text)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += end_of(lines)
    return lines


def end_of(lines: list[str]) -> str:
    """How lines end here."""
    return "\r\n" if any(line.endswith("\r\n") for line in lines) else "\n"


def with_new(lines: list[str], inside: list[int], header: str, new: str) -> list[str]:
    """Add a line after the last one of those `inside` its table, or with its table at the end."""
    if inside:
        return [*lines[: inside[-1] + 1], new, *lines[inside[-1] + 1 :]]
    end = end_of(lines)
    return [*lines, *([end] if lines else []), f"[{header}]{end}", new]
