"""Values of settings: as memwiki.toml writes them, line by line, which may stand, and what is said
about one that cannot be used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NoReturn

from memwiki.config.schema import SCHEMA, Key, Value
from memwiki.dates import ISO
from memwiki.errors import ConfigError
from memwiki.names import CONFIG_FILE, is_page_name
from memwiki.numbers import named_number, number, whole_number
from memwiki.text import pattern

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
    for at, line in enumerate(lines):
        if found := _HEADER.fullmatch(line):
            table = _unquoted(found[1])
        yield at, table


def line_of(text: str, name: str) -> int:
    """Find the 1-based line of a dotted name, or else of the table around it; 0 when there is
    none."""
    names = list(names_of(lines_of(text)))
    while name:
        for at, full in enumerate(names, 1):
            if full == name or full.startswith(f"{name}."):
                return at
        name = name.rpartition(".")[0]
    return 0


def names_of(lines: list[str]) -> Iterator[str]:
    """What each line names, as a dotted name: a table or a setting; "" for any other."""
    for at, table in tables_of(lines):
        found = _SETTING.match(lines[at])
        if found:
            yield f"{table}.{_unquoted(found[1])}".lstrip(".")
        else:
            yield table if _HEADER.fullmatch(lines[at]) else ""


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


_WORDS = {"true": True, "1": True, "yes": True, "on": True} | {
    "false": False,
    "0": False,
    "no": False,
    "off": False,
}
_KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text in quotes",
    tuple: "a list of texts in quotes",
}
_EXAMPLES: dict[type, Value] = {
    bool: True,
    int: 30,
    float: 0.5,
    str: "archive",
    tuple: ("word", "other word"),
}
_MAX_SHOWN = 60
_MAX_NUMBER = 1e18  # of numbers that a computation can go on with


def where(source: str, line: int) -> str:
    """A source and the line in it, where that is known."""
    return f"{source} line {line}" if line else source


def refuse(message: str, hint: str, line: int = 0, source: str = CONFIG_FILE) -> NoReturn:
    """Say what is wrong where, and what to do."""
    raise ConfigError(f"{where(source, line)}: {message}", hint, path=source, line=line)


def as_table(
    content: object, name: str, hint: str, text: str, source: str = CONFIG_FILE
) -> dict[str, Any]:
    """What a table of a text holds; ConfigError where it is none."""
    if not isinstance(content, dict):
        refuse(f"{name} is not a table", hint, line_of(text, name), source)
    return content


def refuse_name(
    name: str, known: Iterable[str], line: int = 0, source: str = CONFIG_FILE
) -> NoReturn:
    """Answer an unknown name with the nearest one."""
    import difflib

    near = difflib.get_close_matches(name, list(known), n=1)
    hint = f"did you mean {near[0]}?" if near else "memwiki config show lists the settings"
    refuse(f"there is no setting {name}", hint, line, source)


def refuse_users_own(name: str, line: int = 0) -> None:
    """Refuse a setting, or a table of them, that only the user's own file may hold."""
    if not f"{name}.".startswith(tuple(f"{table}." for table in SCHEMA.users_own)):
        return
    wrong = f"{name} is not read here: a workspace names no model, address, key or script"
    refuse(wrong, "set it in your own config.toml (see memwiki models)", line)


class UnusableError(ValueError):
    """What is wrong with a value, and what to write."""

    def __init__(self, wrong: str, hint: str) -> None:
        super().__init__(wrong)
        self.wrong, self.hint = wrong, hint


def valid(key: Key, value: object) -> Value:
    """Give the value; UnusableError when the setting may not have it."""
    hint = f"write for example {key.name} = {as_toml(_example(key))}"
    if value == "" and key.default is None:
        return None
    if key.about.numbers:
        return _valid_numbers(key, value, hint)
    if not _is_of(key.kind, value):
        raise UnusableError(f"{key} is not {_KINDS[key.kind]}", hint)
    if isinstance(value, list | tuple):
        if key.about.is_named and not all(map(named_number, value)):
            raise UnusableError(
                f"{key} is not a list of words with a number each",
                f'write for example {key.name} = ["event 0.05", "fact 0.01"]',
            )
        return _valid_words(key, [each.strip() for each in value])
    if isinstance(value, str):
        return _valid_text(key, value, hint)
    if isinstance(value, int | float) and not key.about.least <= value <= key.about.most:
        bounds = key.about.allowed
        wrong = f"not a number from {bounds}" if bounds else f"less than {key.about.least:g}"
        raise UnusableError(f"{key} is {wrong}", hint)
    return key.kind(value)  # type: ignore[no-any-return]  # 1 is 1.0 where numbers have fractions


def valid_at(key: Key, value: object, line: int, source: str = CONFIG_FILE) -> Value:
    """The same of a line of a file, about which the ConfigError is."""
    try:
        return valid(key, value)
    except UnusableError as error:
        refuse(f"{error.wrong}{shown_value(value)}", error.hint, line, source)


def _valid_numbers(key: Key, value: object, hint: str) -> Value:
    """A list of so many numbers."""
    given = value if isinstance(value, list | tuple) else ()
    is_right = len(given) == key.about.numbers and all(_is_of(float, each) for each in given)
    if not is_right or min(given) < key.about.least:
        wrong = f"{key} is not a list of {key.about.numbers} numbers from {key.about.least:g} on"
        raise UnusableError(wrong, hint)
    return tuple(map(float, given))


def _is_of(kind: type, value: object) -> bool:
    if kind is tuple:
        return isinstance(value, list | tuple) and all(
            isinstance(each, str) and each.strip() for each in value
        )
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        return abs(value) <= _MAX_NUMBER  # not true of nan
    return type(value) is kind  # bool is an int, but `max_bytes = true` is a mistake


def _example(key: Key) -> Value:
    if key.default not in (None, "", ()):
        return key.default
    return "log.md" if str(key) == "layers.log" else _EXAMPLES[key.kind]


def _valid_words(key: Key, words: Sequence[str]) -> Value:
    known = key.about.choices
    if unknown := [each for each in words if known and each not in known]:
        raise UnusableError(f"{key} has {unknown[0]!r}", f"known: {', '.join(known)}")
    return tuple(words)


_TIME = pattern(r"([01][0-9]|2[0-3]):[0-5][0-9]")


_LAYER_FILES = ("memory", "learnings", "log")
# All lessons may be in the memory file, and days among the pages.
OWN_PATH = "give each layer a path of its own, such as archive"
_MAY_SHARE = ({"memory", "learnings"}, {"daily", "wiki"})


def why_not_together(given: Mapping[Key, Value]) -> tuple[str, Key | None]:
    """What is wrong with two layers of these settings that cannot both be, and the one that is to
    be changed; "" and None for nothing."""
    chosen = {key for key in given if key.table == "layers"}
    keys = SCHEMA.keys_in("layers") if chosen else ()
    paths = {key: str(given.get(key, key.default) or "") for key in keys}
    for one, other in combinations(sorted(paths, key=chosen.__contains__), 2):
        path, last = paths[one], paths[other]
        if path and path == last and {one.name, other.name} not in _MAY_SHARE:
            return f"{other} is the path of {one}{shown_value(last)}", other
        for file, below in ((one, other), (other, one)):
            if file.name in _LAYER_FILES and paths[below].startswith(f"{paths[file]}/"):
                return f"{below} is below {file}, a file{shown_value(paths[below])}", other
    return "", None


def _valid_text(key: Key, value: str, hint: str) -> str:
    if key.table == "layers" or key.about.is_location:
        return _valid_location(key, value)
    if key.about.is_day:
        return _valid_day(key, value)
    if key.about.is_time and value and not _TIME.fullmatch(value):
        raise UnusableError(f"{key} is no time of the day", 'write for example "21:00"')
    if key.about.choices and value not in key.about.choices:
        raise UnusableError(f"{key} is not {key.about.allowed}", hint)
    return value


def _valid_location(key: Key, value: str) -> str:
    """Give the place of a layer if it lies in the workspace and is not hidden."""
    parts = value.rstrip("/").split("/")
    is_outside = value.startswith("/") or re.search(r"[\\:\x00-\x1f]", value)
    if value and (is_outside or any(not part or part.startswith(".") for part in parts)):
        raise UnusableError(
            f"{key} is not a path in the workspace",
            "name a folder or file below the workspace, such as archive",
        )
    if value and key.name in _LAYER_FILES and not is_page_name(value):
        # A workspace from elsewhere must not have entries added to a script or to these settings.
        hint = f'write for example {key.name} = "{key.name}.md"'
        raise UnusableError(f"{key} is not a markdown file", hint)
    return "/".join(parts)


def _names_a_day(value: str) -> bool:
    from memwiki.times.day_names import is_day_pattern  # most settings keep the usual one

    return is_day_pattern(value)


def _valid_day(key: Key, value: str) -> str:
    """Give the pattern of a day if it says all of it, and a file can be called so."""
    parts = value.split("/")
    is_name = bool(value.isprintable() and all(parts) and not value.startswith("."))
    is_inside = not any(part.startswith(".") for part in parts) and "\\" not in value
    if value == key.default or (is_name and is_inside and _names_a_day(value)):
        return value
    wrong = f"{key} does not name a day by its year, month and day"
    raise UnusableError(wrong, f"write for example {key.name} = {as_toml(ISO)}")


def typed_value(key: Key, text: str, source: str = "") -> Value:
    """Read a value that was given as text, a list with commas between its parts."""
    try:
        return valid(key, _converted(key, text))
    except UnusableError as error:
        where = f"{source}: " if source else ""
        hint = f"give for example {plain(_example(key))}"
        message = f"{where}{error.wrong}{shown_value(text)}"
        raise ConfigError(message, hint, path=source) from None


def shown_value(value: object) -> str:
    """A value that is text as an error ends with it; "" for others."""
    if not isinstance(value, str):
        return ""
    return f": {value!r}" if len(value) <= _MAX_SHOWN else f": {value[:_MAX_SHOWN]!r}…"


def _converted(key: Key, text: str) -> object:
    """The value that a text is; the text where it is none of this kind."""
    kind = key.kind
    if kind is tuple:
        parts = [part for part in re.split("[,，]", text) if part.strip()]
        return [number(part.strip()) for part in parts] if key.about.numbers else parts
    found: object = text
    if kind is bool:
        found = _WORDS.get(text.strip().lower())
    elif kind is int:
        found = whole_number(text)
    elif kind is float:
        found = number(text)
    return text.strip() if found is None else found
