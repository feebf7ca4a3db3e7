"""The text of memwiki.toml, line by line: where a setting stands and how a value is written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memwiki.config.schema import Value

_HEADER = re.compile(r"\s*+\[\s*+([\w.-]+)\s*+\]\s*+(?:#.*)?\s*")


def plain(value: Value) -> str:
    """Write a value as people read it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def as_toml(value: Value) -> str:
    """Write a value as memwiki.toml holds it."""
    if not isinstance(value, str):
        return plain(value)
    import json

    return json.dumps(value, ensure_ascii=False)


def lines_of(text: str) -> list[str]:
    """Cut a text into lines that keep their ends."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def tables_of(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Number the lines from 0, each with the table it stands in; "" above the first."""
    table = ""
    for number, line in enumerate(lines):
        if found := _HEADER.fullmatch(line):
            table = found[1]
        yield number, table


def line_of(text: str, table: str, name: str = "") -> int:
    """Find the 1-based line of a setting, or else of its table; 0 when there is none."""
    lines = lines_of(text)
    for number, inside in tables_of(lines):
        own = name if inside == table else f"{table}.{name}"
        if name and re.match(rf'\s*"?{re.escape(own)}"?\s*=', lines[number]):
            return number + 1
    for number, inside in tables_of(lines):
        if inside == table or re.match(rf"\s*{re.escape(table)}\s*[.=]", lines[number]):
            return number + 1
    return 0
