"""Reading the settings: memwiki.toml, then the environment, each value checked."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from memwiki.config.programs import (
    PROGRAMS,
    SETTINGS_OF_OTHERS,
    folders_read,
    parts_there,
    program_of,
)
from memwiki.config.schema import SCHEMA, Config, Key, Schema, Value, attribute, variable_of
from memwiki.config.tables import NestedForms
from memwiki.config.values import (
    OWN_PATH,
    as_header,
    as_table,
    line_of,
    plain,
    refuse,
    refuse_name,
    refuse_users_own,
    typed_value,
    valid_at,
    where,
    why_not_together,
)
from memwiki.names import CONFIG_FILE, GIT_IGNORE_FILE, IGNORE_FILE
from memwiki.nouns import Environ
from memwiki.text import pattern

if TYPE_CHECKING:
    from memwiki.answers.workspaces import Setting

Values: TypeAlias = dict[Key, Value]
MAX_BYTES = 64 * 1024
# tomllib takes a second for a key of 10,000 parts, and four for one of 20,000.
_LONG_KEY = pattern(r"(?<![\w-])(?:(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+\.[ \t]*+){100}")
SettingsSeen: TypeAlias = tuple[object, ...]


def environment() -> Environ:
    """The environment of this process."""
    return os.environ


def is_debugging() -> bool:
    """Whether mistakes of memwiki are to be seen as they are."""
    return bool(environment().get("MEMWIKI_DEBUG"))


def load(root: Path, environ: Environ, folders: Sequence[str] = ()) -> Config:
    """Give the settings of a workspace: defaults, under its memwiki.toml, under the environment.

    Other programs keep `folders` in it, whose settings hold for what is below them.
    """
    text = _text_of(root)
    given, origins = read(text, environ)
    foreign, sources, passed_over = dict[Key, Value](), dict[str, str](), list[str]()
    if program_of(root):
        from memwiki.config.others import said_by_others  # few folders are kept by another one

        foreign, sources, passed_over = said_by_others(root, given)
    for name in _in_capitals(root):
        key = SCHEMA.keys()[f"layers.{name.removesuffix('.md').lower()}"]
        foreign[key], sources[str(key)] = name, name
    tables = fill_tables({**foreign, **given})
    layers = tables["layers"]._replace(dialect=tables["pages"].form)
    nested = NestedForms()
    if folders:
        from memwiki.config.others import nested_forms

        nested = nested_forms(root, folders, given, layers)
    tables["layers"] = layers._replace(nested=nested.layers)
    files = tables["files"]
    tables["files"] = files._replace(ignore=(*files.ignore, *nested.ignore))
    return Config(
        **tables,
        folders=tuple(folders),
        nested=nested.pages,
        cache_dir=environ.get("MEMWIKI_CACHE_DIR", ""),
        workspace=environ.get("MEMWIKI_WORKSPACE", ""),
        origins={**sources, **origins},
        notes=(*notes_on(text), *_notes_on_variables(environ)),
        foreign_notes=(*passed_over, *nested.notes),
    )


def read(text: str, environ: Environ) -> tuple[Values, dict[str, str]]:
    """Give the settings that do not have their default, and where each comes from."""
    given = check_settings(text)
    overrides = from_environment(environ, SCHEMA)
    origins = {str(key): "file" for key in given} | {str(key): "environment" for key in overrides}
    wrong, key = why_not_together(given | overrides)
    if key in overrides:
        refuse(wrong, OWN_PATH, source=variable_of(str(key)))
    if key:
        refuse(wrong, OWN_PATH, line_of(text, str(key)))
    return given | overrides, origins


def fill_tables(given: Mapping[Key, Value], schema: Schema = SCHEMA) -> dict[str, Any]:
    """Give the tables with these settings, as the attributes of Config hold them."""

    def record(kind: Any, home: str) -> Any:  # noqa: ANN401 - a NamedTuple of the schema
        return kind(**{key.name: value for key, value in given.items() if key.home == home})

    found = {attribute(table): record(kind, table) for table, kind in schema.tables.items()}
    for table, kind in schema.collections.items():
        names = dict.fromkeys(key.collection for key in given if key.table == table)
        found[table] = {name: record(kind, f"{table}.{name}") for name in names}
    return found


def settings(config: Config) -> list[Setting]:
    """List every setting with its value, where that comes from and what it is for."""
    from memwiki.answers.workspaces import Setting  # not for reading a page

    return [
        Setting(
            key=str(key),
            value=plain(getattr(record, key.name)),
            origin=config.origins.get(str(key), "default"),
            help=key.help,
        )
        for key, record in _records(config)
    ]


def _records(config: Config) -> Iterator[tuple[Key, object]]:
    """Each setting with the table that holds its value."""
    for key in SCHEMA.keys().values():
        yield key, getattr(config, attribute(key.table))
    for table in SCHEMA.collections:
        for collection, record in getattr(config, table).items():
            yield from ((key, record) for key in SCHEMA.keys_in(table, collection))


def _text_of(root: Path) -> str:
    location = root / CONFIG_FILE
    try:
        return _bytes_of(location).decode("utf-8-sig") if location.is_file() else ""
    except (OSError, UnicodeDecodeError) as error:
        refuse(f"cannot be read ({error})", "make it a readable text file in UTF-8")


def _bytes_of(location: Path) -> bytes:
    """The file, refused when it is longer than settings ever are."""
    with location.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    return data if len(data) <= MAX_BYTES else _refuse_size()


def _refuse_size() -> NoReturn:
    refuse(f"is over {MAX_BYTES // 1024} KB", "keep nothing but settings in it")


def check_settings(text: str) -> Values:
    """Give the settings in the text of a memwiki.toml."""
    found: Values = {}
    for name, value in _settings_in(text):
        if name in SCHEMA.gone:
            continue
        refuse_users_own(name, line_of(text, name))
        key = SCHEMA.find(name)
        if key is None:
            refuse_name(name, SCHEMA.near(name), line_of(text, name))
        found[key] = valid_at(key, value, line_of(text, name))
    return found


def notes_on(text: str) -> list[str]:
    """What to tell about settings of earlier versions in the text of a memwiki.toml."""
    if not any(name.rpartition(".")[2] in text for name in SCHEMA.gone):
        return []
    found = [name for name, _ in _settings_in(text) if name in SCHEMA.gone]
    return [f"{where(CONFIG_FILE, line_of(text, name))}: {SCHEMA.why_gone(name)}" for name in found]


def _settings_in(text: str) -> Iterator[tuple[str, object]]:
    """The settings as written, by dotted names."""
    for table, content in _parse(text).items():
        refuse_users_own(table, line_of(text, table))
        if not (table in SCHEMA.tables or table in SCHEMA.collections):
            refuse_name(table, [*SCHEMA.tables, *SCHEMA.collections], line_of(text, table))
        if table not in SCHEMA.collections:
            yield from _in_table(text, table, content)
            continue
        for name, part in _as_table(text, table, content).items():
            yield from _in_table(text, f"{table}.{name}", part)


def _in_table(text: str, home: str, content: object) -> Iterator[tuple[str, object]]:
    for name, value in _as_table(text, home, content).items():
        yield f"{home}.{name}", value


def _as_table(text: str, home: str, content: object) -> dict[str, object]:
    return as_table(content, home, f"write [{as_header(home)}] on a line of its own", text)


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


def from_environment(environ: Environ, schema: Schema) -> Values:
    """The settings of a schema that the environment overrides."""
    prefixes = tuple(f"{variable_of(table)}_" for table in (*schema.tables, *schema.collections))
    others = tuple(f"{variable_of(table)}_" for table in schema.users_own)
    skipped = {*map(variable_of, (*schema.gone, *schema.users_own))}
    found: Values = {}
    for variable in environ:
        if not variable.startswith(prefixes) or variable in skipped or variable.startswith(others):
            continue
        key, text = schema.of_variable(variable), environ[variable]
        if not text and not (key and key.is_emptied):
            continue
        if key is None:
            known = [each.variable for each in schema.keys().values()]
            refuse_name(variable, known, source="environment")
        found[key] = typed_value(key, text, variable)
    return found


def _notes_on_variables(environ: Environ) -> Iterator[str]:
    for name in SCHEMA.gone:
        if environ.get(variable_of(name)):
            yield f"{variable_of(name)}: {SCHEMA.why_gone(name)}"


def settings_seen(root: Path, folders: Iterable[str] = ()) -> SettingsSeen:
    """Another value as soon as any file with settings of a workspace, or of the `folders` in it
    that other programs keep, is another one."""
    # What is ignored is no folder of another program, either.
    there = parts_there(root)
    others = (file for file in SETTINGS_OF_OTHERS if file.partition("/")[0] in there)
    files = (CONFIG_FILE, IGNORE_FILE, GIT_IGNORE_FILE, *others)
    below = (part for folder in folders_read(folders) for part in _of_program(root / folder))
    program = program_of(root) if there else ""
    return (program, *_in_capitals(root), *_states(root, files), *below)


def _in_capitals(root: Path) -> tuple[str, ...]:
    """The files of memories that agents call otherwise than memwiki: a second one beside them would
    be the same file elsewhere."""
    base = f"{root}/"
    return tuple(
        name
        for name in ("MEMORY.md", "LEARNINGS.md")
        if os.access(base + name, os.F_OK) and not os.access(base + name.lower(), os.F_OK)
    )


def _of_program(folder: Path) -> Iterator[object]:
    """The program that keeps a folder, and its settings."""
    name = program_of(folder)
    yield name
    yield from _states(folder, PROGRAMS[name].files if name else ())


def _states(folder: Path, names: Iterable[str]) -> Iterator[tuple[int, ...]]:
    base = f"{folder}/"
    return (_state_of(base + name) for name in names)


def _state_of(file: str) -> tuple[int, ...]:
    # Every access to a workspace asks: making a `Path` of each file takes most of the time, and
    # a stat of what is not there twice that of `access`.
    if os.access(file, os.F_OK):
        with suppress(OSError):
            found = os.stat(file)  # noqa: PTH116
            return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino
    return ()
