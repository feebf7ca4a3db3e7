"""The options that follow from the table of fields, and their values as `add` takes them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import Parameter, signature
from typing import TypeAlias, TypeVar, cast

import typer

from memwiki.cli.app import with_parameters
from memwiki.entry_fields import FIELDS, EntryField, FieldKind, given_fields
from memwiki.errors import UsageError

F = TypeVar("F", bound=Callable[..., None])
_LIST: TypeAlias = list[str] | None
_SHAPES: Mapping[FieldKind, tuple[object, object]] = {
    FieldKind.SHARE: (float | None, None),
    FieldKind.FLAG: (bool, False),
    FieldKind.TEXTS: (_LIST, None),
    FieldKind.PAIRS: (_LIST, None),
}


def add_options() -> list[Parameter]:
    """An option for each field that somebody may give."""
    return [_option(row, row.name, row.help, row.kind) for row in given_fields()]


def filter_options() -> list[Parameter]:
    """An option for each field that entries are listed by."""
    return [_option(row, row.stored, row.filter, FieldKind.TEXT) for row in FIELDS if row.filter]


def _option(row: EntryField, name: str, about: str, kind: FieldKind) -> Parameter:
    shape, usual = _SHAPES.get(kind, (str, ""))
    option = typer.Option(
        usual, f"--{row.option or row.name}", metavar=row.metavar or None, help=about
    )
    return Parameter(name, Parameter.KEYWORD_ONLY, default=option, annotation=shape)


def with_fields(options: Iterable[Parameter], **after: str) -> Callable[[F], F]:
    """A command that takes these options as well, as its `**fields`.

    `new="key"`: its own option `new` follows the field `key`; "" puts it after all that are left.
    """

    def taking(command: F) -> F:
        known = signature(command, eval_str=True)
        *own, _ = known.parameters.values()
        left, ordered = list(options), list[Parameter]()
        for parameter in own:
            while left and parameter.name in after:
                ordered.append(left.pop(0))
                if ordered[-1].name == after[parameter.name]:
                    break
            ordered.append(parameter)
        return with_parameters(command, ordered)

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
        raise UsageError(f"add: {what} is not JSON: {error}", hint="nothing was added") from error


def pairs_of(option: str, given: Sequence[str] | None) -> dict[str, str]:
    """Names with values of `name=value`; UsageError where one has no value."""
    pairs = [each.partition("=") for each in given or []]
    for name, sign, _ in pairs:
        if not (name and sign):
            raise UsageError(f"--{option}: {name} has no value", hint=f"--{option} name=value")
    return {name: value for name, _, value in pairs}
