"""Options that follow from a record or from the table of fields, and their values."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from typing import TypeAlias, TypeVar, cast

from memwiki.cli.app import Argument, argument_of, arguments_of, with_arguments
from memwiki.cli.door import Door
from memwiki.entry_fields import FIELDS, EntryField, FieldKind, given_fields
from memwiki.errors import UsageError
from memwiki.options import OptionKind, Options, rows
from memwiki.options import argument_of as name_of

F = TypeVar("F", bound=Callable[..., None])
Code = TypeVar("Code", bound=int | None)  # with which the process exits
_LIST: TypeAlias = list[str] | None
_SHAPES: Mapping[FieldKind, tuple[object, object]] = {
    FieldKind.SHARE: (float | None, None),
    FieldKind.FLAG: (bool, False),
    FieldKind.TEXTS: (_LIST, None),
    FieldKind.PAIRS: (_LIST, None),
}
_TYPES = {
    OptionKind.COUNT: int | None,
    OptionKind.TOKENS: int | None,
    OptionKind.SHARE: float | None,
    OptionKind.TEXT: str,
    OptionKind.TEXTS: list[str] | None,
    OptionKind.FLAG: bool,
}


def add_options() -> list[Argument]:
    """An option for each field that somebody may give."""
    return [_option(row, row.name, row.help, row.kind) for row in given_fields()]


def filter_options() -> list[Argument]:
    """An option for each field that entries are listed by."""
    return [_option(row, row.stored, row.filter, FieldKind.TEXT) for row in FIELDS if row.filter]


def _option(row: EntryField, name: str, about: str, kind: FieldKind) -> Argument:
    shape, usual = _SHAPES.get(kind, (str, ""))
    called = f"--{row.option or row.name}"
    return argument_of(name, usual, shape, called, about, row.metavar or None)


def with_fields(options: Iterable[Argument], **after: str) -> Callable[[F], F]:
    """A command that takes these options as well, as its `**fields`.

    `new="key"`: its own option `new` follows the field `key`; "" puts it after all that are left.
    """

    def taking(command: F) -> F:
        left, ordered = list(options), list[Argument]()
        for own in arguments_of(command):
            while left and own.name in after:
                ordered.append(left.pop(0))
                if ordered[-1].name == after[own.name]:
                    break
            ordered.append(own)
        return with_arguments(command, ordered)

    return taking


def given_values(fields: Mapping[str, object]) -> dict[str, object]:
    """The values of the options that were given."""
    found = {row.name: _value(row, fields[row.name]) for row in given_fields()}
    return {name: value for name, value in found.items() if value not in (None, "")}


def _value(row: EntryField, value: object) -> object:
    option = row.option or row.name
    if row.kind is FieldKind.PAIRS:
        return pairs_of(option, cast("_LIST", value))
    return json_of(f"--{option}", str(value)) if row.kind is FieldKind.NESTED else value


def json_of(what: str, text: str) -> object:
    """What a text of JSON says, None for no text; UsageError for any other one."""
    if not text:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"add: {what} is not JSON: {error}", "nothing was added") from error


def pairs_of(option: str, given: Sequence[str] | None) -> dict[str, str]:
    """Names with values of `name=value`; UsageError where one has no value."""
    pairs = [each.partition("=") for each in given or []]
    for name, sign, _ in pairs:
        if not (name and sign):
            raise UsageError(f"--{option}: {name} has no value", f"--{option} name=value")
    return {name: value for name, _, value in pairs}


def takes(
    record: type[Options], *only: str
) -> Callable[[Callable[..., Code]], Callable[..., Code]]:
    """Give a command the options of a record, or `only` some, in the place of its parameter
    `options`, which is such a record."""
    made = [each for each in _parameters(record) if not only or each.name in only]

    def decorate(command: Callable[..., Code]) -> Callable[..., Code]:
        @wraps(command)
        def run(door: Door, **given: object) -> Code:
            values = dict(record._field_defaults)
            for each in made:
                value = given.pop(each.name)
                values |= {} if value is None else {each.name: value}
            return command(door, **given, options=record._make(values.values()))

        return with_arguments(run, arguments_of(command, made))

    return decorate


def _parameters(record: type[Options]) -> Iterator[Argument]:
    """The options of a record as typer reads them."""
    for name, row in rows(record).items():
        if row.help:
            usual = record._field_defaults[name]
            is_unset = row.kind in (OptionKind.CHOICE, OptionKind.TEXTS) and not usual
            choices = row.choices | None if is_unset else row.choices
            kind = _TYPES.get(row.kind, choices)
            least = row.least if row.kind in (OptionKind.COUNT, OptionKind.TOKENS) else None
            option = f"--{name_of(name, row).replace('_', '-')}"
            if is_unset:
                usual = None
            yield argument_of(name, usual, kind, option, row.help, row.metavar, least)
