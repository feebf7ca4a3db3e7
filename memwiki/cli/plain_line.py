"""A command line as nearly all are written, read without typer, which takes a sixth of a search.

Whatever is odd here, an option that nobody knows, a missing word, `--limit ten`, is left to typer:
that one has the errors, the help and all other ways to write a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import NoReturn

from memwiki.cli.app import App, Argument, Verb

_MAX_DIGITS = 9


class _OddError(Exception):
    """The line is not a plain one."""


def read(app: App, words: Sequence[str]) -> Callable[..., int | None] | None:
    """What these words run, to be handed a door; None where they are for typer to read."""
    try:
        verb, rest = _verb(app, words)
        arguments = verb.arguments
        given = _given(arguments, rest)
        return partial(verb.run, **{each.name: _value(each, given) for each in arguments})
    except _OddError:
        return None


def _verb(app: App, words: Sequence[str]) -> tuple[Verb, Sequence[str]]:
    name, rest = words[0], words[1:]
    if name in app.verbs:
        return app.verbs[name], rest
    group = app.groups.get(name) or _refuse()
    if rest and (rest[0] in group.verbs or rest[0] in group.groups):
        return _verb(group, rest)
    return group.usual or _refuse(), rest


def _given(arguments: Sequence[Argument], words: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The texts that are given of each argument, by its name."""
    options = {each.option: each for each in arguments if each.option}
    given: dict[str, list[str]] = {}
    by_place: list[str] = []
    left = iter(words)
    for word in left:
        if word == "--":
            by_place += left
        elif word.startswith("-") and word != "-":
            option = options.get(word.partition("=")[0]) or _refuse()
            given.setdefault(option.name, []).append(_option_text(option, word, left))
        else:
            by_place.append(word)
    return given | _by_place([each for each in arguments if not each.option], by_place)


def _option_text(option: Argument, word: str, after: Iterator[str]) -> str:
    """What stands behind `=` or in the next word; "" for a flag."""
    _, sign, value = word.partition("=")
    if option.kind is bool:
        return _refuse() if sign else ""
    if sign:
        return value
    value = next(after, "--")
    return value if value == "-" or not value.startswith("-") else _refuse()


def _by_place(arguments: Sequence[Argument], words: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    left = [*words]
    for each in arguments:
        many = len(left) if each.is_list else 1
        found[each.name], left = left[:many], left[many:]
    if left or any(each.is_list for each in arguments[:-1]):
        _refuse()
    return {name: texts for name, texts in found.items() if texts}


def _value(argument: Argument, given: Mapping[str, Sequence[str]]) -> object:
    if argument.name not in given:
        return _refuse() if argument.default is ... else argument.default
    values = [_read(argument, text) for text in given[argument.name]]
    if argument.is_list:
        return values
    return values[0] if len(values) == 1 else _refuse()


def _read(argument: Argument, text: str) -> object:
    """The value that a word is, where it is written in the usual way."""
    kind = argument.kind
    if kind is bool:
        return True
    if kind is str:
        return text
    if issubclass(kind, StrEnum):
        return kind(text) if text in {*map(str, kind)} else _refuse()
    digits = text.replace(".", "", 1) if kind is float else text
    if not (digits.isascii() and digits.isdigit()) or len(text) > _MAX_DIGITS:
        _refuse()
    number = float(text) if kind is float else int(text)
    return _refuse() if argument.least is not None and number < argument.least else number


def _refuse() -> NoReturn:
    raise _OddError
