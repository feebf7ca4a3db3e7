"""Changing one setting in the text of memwiki.toml."""

from __future__ import annotations

import re

from memwiki.config.errors import refuse, refuse_name
from memwiki.config.load import checked, typed
from memwiki.config.schema import Key, Value, declared, reserved_names
from memwiki.config.text import as_toml, line_of, lines_of, tables_of
from memwiki.errors import ConfigError

_LITERAL = r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s#"'\[{][^\s#]*)"""


def set_value(text: str, key: str, value: str) -> str:
    """Give the text of memwiki.toml with one setting changed and every other byte as it was."""
    keys = declared()
    known = keys.get(key)
    if known is None:
        if key in reserved_names():
            refuse(f"{key} has no effect in this version", "leave it out for now")
        refuse_name(key, keys)
    before = checked(text.removeprefix("\ufeff"), keys)
    wanted = typed(known, value)
    if before.get(key) == wanted:
        return text
    changed = "".join(_with(lines_of(text), known, as_toml(wanted)))
    if not _is_as(changed, before | {key: wanted}):
        line = line_of(text, known.table, known.name)
        refuse(f"{key} is written in a way that only a person can change", "edit it there", line)
    return changed


def _is_as(text: str, wanted: dict[str, Value]) -> bool:
    """Whether a text holds exactly these settings."""
    try:
        return checked(text.removeprefix("\ufeff"), declared()) == wanted
    except ConfigError:
        return False


def _with(lines: list[str], key: Key, value: str) -> list[str]:
    """Change, uncomment or add the line of a setting."""
    for opening in ("", r"#\s?"):
        for number, table in tables_of(lines):
            name = key.name if table == key.table else str(key)
            pattern = rf"(\s*){opening}({re.escape(name)}\s*=\s*){_LITERAL}(\s*(?:#.*)?)"
            if found := re.fullmatch(pattern, lines[number], re.DOTALL):
                line = f"{found[1]}{found[2]}{value}{found[3]}"
                return [*lines[:number], line, *lines[number + 1 :]]
    return _with_new_line(lines, key, value)


def _with_new_line(lines: list[str], key: Key, value: str) -> list[str]:
    """Add a setting after the last one of its table, or with its table at the end."""
    end = "\r\n" if any(line.endswith("\r\n") for line in lines) else "\n"
    if lines and not lines[-1].endswith("\n"):
        lines = [*lines[:-1], lines[-1] + end]
    in_table = [number for number, table in tables_of(lines) if table == key.table]
    dotted = [number for number, line in enumerate(lines) if line.startswith(f"{key.table}.")]
    own = [number for number in in_table if _is_content(lines[number])] or dotted
    if own:
        name = key.name if in_table else str(key)
        return [*lines[: own[-1] + 1], f"{name} = {value}{end}", *lines[own[-1] + 1 :]]
    gap = [end] if lines else []
    return [*lines, *gap, f"[{key.table}]{end}", f"{key.name} = {value}{end}"]


def _is_content(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")
