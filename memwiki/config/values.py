"""What is said about a setting that cannot be used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NoReturn

from memwiki.config.schema import SCHEMA, Key, Value
from memwiki.config.toml_text import as_toml, plain
from memwiki.dates import ISO
from memwiki.errors import ConfigError
from memwiki.names import CONFIG_FILE, is_page_name
from memwiki.numbers import named_number, number, whole_number
from memwiki.patterns import pattern

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
_SHOWN = 60
_MAX_NUMBER = 1e18  # of numbers that a computation can go on with


def where(source: str, line: int) -> str:
    """A source and the line in it, where that is known."""
    return f"{source} line {line}" if line else source


def refuse(message: str, hint: str, line: int = 0, source: str = CONFIG_FILE) -> NoReturn:
    """Say what is wrong where, and what to do."""
    raise ConfigError(f"{where(source, line)}: {message}", hint, path=source, line=line)


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
    if value and key.name == "log" and not is_page_name(value):
        # A workspace from elsewhere must not have entries added to a script or to these settings.
        raise UnusableError(f"{key} is not a markdown file", 'write for example log = "log.md"')
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


def typed(key: Key, text: str, source: str = "") -> Value:
    """Read a value that was given as text, a list with commas between its parts."""
    try:
        return valid(key, _converted(key, text))
    except UnusableError as error:
        where = f"{source}: " if source else ""
        hint = f"give for example {plain(_example(key))}"
        message = f"{where}{error.wrong}{shown(text)}"
        raise ConfigError(message, hint, path=source) from None


def shown(value: object) -> str:
    """A value that is text as an error ends with it; "" for others."""
    if not isinstance(value, str):
        return ""
    return f": {value!r}" if len(value) <= _SHOWN else f": {value[:_SHOWN]!r}…"


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
