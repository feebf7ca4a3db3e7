"""Reading the settings: memwiki.toml, then the environment, each value checked."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, cast

from memwiki.config.errors import refuse, refuse_name
from memwiki.config.schema import (
    RESERVED,
    TABLES,
    Config,
    Key,
    Value,
    attribute,
    declared,
    reserved_names,
)
from memwiki.config.toml_text import as_toml, line_of, plain
from memwiki.errors import ConfigError
from memwiki.names import CONFIG_FILE, is_page_name
from memwiki.numbers import whole_number

if TYPE_CHECKING:
    from memwiki.answers.settings import Setting

_WORDS = {"true": True, "1": True, "yes": True, "on": True} | {
    "false": False,
    "0": False,
    "no": False,
    "off": False,
}
MAX_BYTES = 64 * 1024
# tomllib takes a second for a key of 10,000 parts, and four for one of 20,000.
_LONG_KEY = re.compile(r"(?<![\w-])(?:(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+\.[ \t]*+){100}")
_KINDS = {bool: "true or false", int: "a whole number", str: "text in quotes"}


def environment() -> Mapping[str, str]:
    """The environment of this process."""
    return os.environ


def is_debugging() -> bool:
    """Whether mistakes of memwiki are to be seen as they are."""
    return bool(environment().get("MEMWIKI_DEBUG"))


def load(root: Path, environ: Mapping[str, str]) -> Config:
    """Give the settings of a workspace: defaults, under its memwiki.toml, under the environment."""
    keys = declared()
    given = _from_file(root, keys)
    origins = dict.fromkeys(given, "file")
    overrides = _from_environment(environ, keys)
    given.update(overrides)
    origins.update(dict.fromkeys(overrides, "environment"))
    tables = {
        attribute(table): kind(
            **{keys[key].name: given[key] for key in given if keys[key].table == table}
        )
        for table, kind in TABLES.items()
    }
    return Config(
        **tables,
        cache_dir=environ.get("MEMWIKI_CACHE_DIR", ""),
        workspace=environ.get("MEMWIKI_WORKSPACE", ""),
        origins=origins,
    )


def settings(config: Config) -> list[Setting]:
    """List every setting with its value, where that comes from and what it is for."""
    from memwiki.answers.settings import Setting  # not for reading a page

    return [
        Setting(
            key=name,
            value=plain(getattr(getattr(config, attribute(key.table)), key.name)),
            origin=config.origins.get(name, "default"),
            help=key.help,
        )
        for name, key in declared().items()
    ]


def _from_file(root: Path, keys: Mapping[str, Key]) -> dict[str, Value]:
    location = root / CONFIG_FILE
    try:
        text = _bytes_of(location).decode("utf-8-sig") if location.is_file() else ""
    except (OSError, UnicodeDecodeError) as error:
        refuse(f"cannot be read ({error})", "make it a readable text file in UTF-8")
    return checked(text, keys)


def _bytes_of(location: Path) -> bytes:
    """The file, refused when it is longer than settings ever are."""
    with location.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    return data if len(data) <= MAX_BYTES else _refuse_size()


def _refuse_size() -> NoReturn:
    refuse(f"is over {MAX_BYTES // 1024} KB", "keep nothing but settings in it")


def checked(text: str, keys: Mapping[str, Key]) -> dict[str, Value]:
    """Give the settings in the text of a memwiki.toml by their dotted names."""
    found: dict[str, Value] = {}
    for table, content in _parse(text).items():
        if table not in TABLES and table not in RESERVED:
            refuse_name(table, [*TABLES, *RESERVED], line_of(text, table))
        if not isinstance(content, dict):
            line = line_of(text, table)
            refuse(f"{table} is not a table", f"write [{table}] on a line of its own", line)
        for name in content.keys() - RESERVED.get(table, frozenset()):
            full, line = f"{table}.{name}", line_of(text, table, name)
            key = keys.get(full) or refuse_name(full, [*keys, *reserved_names()], line)
            found[full] = _valid(key, content[name], line)
    return found


def _parse(text: str) -> dict[str, object]:
    if not text:
        return {}
    if len(text) > MAX_BYTES:
        _refuse_size()
    if long := _LONG_KEY.search(text):
        at = text.count("\n", 0, long.start()) + 1
        refuse("has a key of too many parts", "correct that line", at)
    import tomllib

    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        number = int(line[1]) if line else text.count("\n") + 1
        refuse(f"is not TOML: {error}", "correct that line", number)
    except RecursionError:
        refuse("is nested too deeply", "write settings as plain values")
    except ValueError as error:  # a number of more digits than Python reads
        refuse(f"is not TOML: {error}", "write a shorter number")


def _valid(key: Key, value: object, line: int) -> Value:
    """Give the value if the setting may have it."""
    kind = type(key.default)
    hint = f"write for example {key.name} = {as_toml(key.default)}"
    if type(value) is not kind:  # bool is an int, but `max_bytes = true` is a mistake
        refuse(f"{key} is not {_KINDS[kind]}", hint, line)
    if isinstance(value, int) and value < key.minimum:
        refuse(f"{key} is less than {key.minimum}", hint, line)
    return _valid_place(key, value, line) if isinstance(value, str) else cast("Value", value)


def _valid_place(key: Key, value: str, line: int) -> str:
    """Give the place of a layer if it lies in the workspace and is not hidden."""
    parts = value.rstrip("/").split("/")
    is_outside = value.startswith("/") or re.search(r"[\\:\x00-\x1f]", value)
    if value and (is_outside or any(not part or part.startswith(".") for part in parts)):
        hint = "name a folder or file below the workspace, such as archive"
        refuse(f"{key} is not a path in the workspace: {value!r}", hint, line)
    if value and key.name == "log" and not is_page_name(value):
        # A workspace from elsewhere must not have entries added to a script or to these settings.
        refuse(f"{key} is not a markdown file: {value!r}", 'write for example log = "log.md"', line)
    return "/".join(parts)


def _from_environment(environ: Mapping[str, str], keys: Mapping[str, Key]) -> dict[str, Value]:
    known = {key.variable: key for key in keys.values()}
    later = {f"MEMWIKI_{name.replace('.', '_')}".upper() for name in reserved_names()}
    prefixes = tuple(f"MEMWIKI_{table}_".upper() for table in TABLES)
    found: dict[str, Value] = {}
    for variable in environ:
        if not variable.startswith(prefixes) or variable in later or not environ[variable]:
            continue
        key = known.get(variable) or refuse_name(variable, known, source="environment")
        found[str(key)] = typed(key, environ[variable], variable)
    return found


def typed(key: Key, text: str, source: str = "") -> Value:
    """Read a value that was given as text."""
    value: Value | None = text
    if isinstance(key.default, bool):
        value = _WORDS.get(text.strip().lower())
    elif isinstance(key.default, int):
        value = whole_number(text)
    try:
        return _valid(key, value, 0)
    except ConfigError as error:
        given = f": {text!r}"
        message = error.message.removeprefix(f"{CONFIG_FILE}: ").removesuffix(given)
        where = f"{source}: " if source else ""
        hint = f"give for example {plain(key.default) or 'archive'}"
        raise ConfigError(f"{where}{message}{given}", hint=hint, path=source) from None
