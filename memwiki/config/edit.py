"""Settings by their keys: listed, and one changed in the text of memwiki.toml."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from memwiki.config.load import check_settings, settings
from memwiki.config.schema import SCHEMA, Config, Key, Value
from memwiki.config.values import (
    OWN_PATH,
    as_header,
    as_toml,
    end_of,
    is_content,
    line_of,
    lines_of,
    refuse,
    refuse_name,
    refuse_users_own,
    tables_of,
    typed_value,
    whole_lines,
    why_not_together,
    with_new,
)
from memwiki.errors import ConfigError

if TYPE_CHECKING:
    from memwiki.answers.workspaces import Setting

_TEXT = r"""(?:"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_LITERAL = rf"""(?:{_TEXT}|\[(?:[^\]"'\n]|{_TEXT})*+\]|[^\s#"'\[{{][^\s#]*)"""


def set_value(text: str, key: str, value: str) -> str:
    """Give the text of memwiki.toml with one setting changed and every other byte as it was."""
    known = SCHEMA.find(key) or refuse_key(key)
    mark, body = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
    before = check_settings(body)
    wanted = typed_value(known, value)
    if before.get(known) == wanted:
        return text
    ways = (_with_changed_line, _with_commented_line, _with_commented_table, _with_new_line)
    texts = ("".join(way(lines_of(body), known, as_toml(wanted))) for way in ways)
    after = before | {known: wanted}
    if wrong := why_not_together(after)[0]:
        raise ConfigError(wrong, OWN_PATH)
    changed = next((each for each in texts if _is_as(each, after)), None)
    if changed is None:
        refuse(
            f"{key} is written in a form that memwiki does not change",
            "edit memwiki.toml by hand",
            line_of(body, key),
        )
    return mark + changed


def refuse_key(key: str) -> NoReturn:
    """Say that there is no such setting, and which one comes near; raises ConfigError."""
    if why := SCHEMA.why_gone(key):
        refuse(why, "leave it out")
    refuse_users_own(key)
    refuse_name(key, SCHEMA.near(key))


def settings_of(config: Config, names: Sequence[str]) -> tuple[Setting, ...]:
    """Those of these keys and tables, or all; ConfigError for a name that is neither."""
    known = settings(config)
    for name in names:
        if not any(_is_of(each, name) for each in known):
            refuse_key(name)
    return tuple(e for e in known if not names or any(_is_of(e, name) for name in names))


def _is_of(setting: Setting, name: str) -> bool:
    return setting.key == name or setting.key.startswith(f"{name}.")


def _is_as(text: str, wanted: dict[Key, Value]) -> bool:
    """Whether a text holds exactly these settings."""
    try:
        return check_settings(text) == wanted
    except ConfigError:
        return False


def _with_changed_line(lines: list[str], key: Key, value: str) -> list[str]:
    """Change the line of a setting."""
    for number, table in tables_of(lines):
        name = key.name if table == key.home else str(key)
        if line := _as_setting(lines[number], name, value):
            return [*lines[:number], line, *lines[number + 1 :]]
    return lines


def _with_commented_line(lines: list[str], key: Key, value: str) -> list[str]:
    """Make a setting of the comment that shows it in its table."""
    for number, table in tables_of(lines):
        line = _as_setting(_uncommented(lines[number]), key.name, value)
        if line and table == key.home:
            return [*lines[:number], line, *lines[number + 1 :]]
    return lines


def _with_commented_table(lines: list[str], key: Key, value: str) -> list[str]:
    """Make a table and a setting of comments that show both."""
    shown = [_uncommented(line) for line in lines]
    heads = [number for number, table in tables_of(shown) if table == key.home][:1]
    with_head = [shown[n] if n in heads else line for n, line in enumerate(lines)]
    return _with_commented_line(with_head, key, value)


def _as_setting(line: str, name: str, value: str) -> str:
    """Give a line that sets `name` with another value; "" for any other line."""
    pattern = rf"(\s*{re.escape(name)}\s*=\s*){_LITERAL}(\s*(?:#.*)?)"
    found = re.fullmatch(pattern, line, re.DOTALL)
    return f"{found[1]}{value}{found[2]}" if found else ""


def _uncommented(line: str) -> str:
    return re.sub(r"^(\s*)#\s?", r"\1", line)


def _with_new_line(lines: list[str], key: Key, value: str) -> list[str]:
    """Add a setting after the last one of its table, or with its table at the end."""
    lines = whole_lines("".join(lines))
    in_table = [number for number, table in tables_of(lines) if table == key.home]
    dotted = [number for number, line in enumerate(lines) if line.startswith(f"{key.home}.")]
    own = [number for number in in_table if is_content(lines[number])] or dotted
    name = key.name if in_table or not own else str(key)
    new = f"{name} = {value}{end_of(lines)}"
    return with_new(lines, own, as_header(key.home), new)
