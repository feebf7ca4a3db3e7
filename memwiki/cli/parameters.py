"""Options that commands share, each declared once, and those that follow from a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from inspect import Parameter, signature

import typer

from memwiki.cli.app import with_parameters
from memwiki.cli.door import Door
from memwiki.options import OptionKind, Options, argument_of, rows

_TYPES = {
    OptionKind.COUNT: int | None,
    OptionKind.TOKENS: int | None,
    OptionKind.SHARE: float | None,
    OptionKind.TEXT: str,
    OptionKind.TEXTS: list[str] | None,
    OptionKind.FLAG: bool,
}


def takes(
    record: type[Options], *only: str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of a record, or `only` some, in the place of its parameter
    `options`, which is such a record."""
    made = [each for each in _parameters(record) if not only or each.name in only]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        others = list(signature(command, eval_str=True).parameters.values())
        at = [each.name for each in others].index("options")
        others[at : at + 1] = made

        @wraps(command)
        def run(door: Door, **given: object) -> None:
            values = dict(record._field_defaults)
            for each in made:
                value = given.pop(each.name)
                values |= {} if value is None else {each.name: value}
            command(door, **given, options=record._make(values.values()))

        return with_parameters(run, others)

    return decorate


def _parameters(record: type[Options]) -> Iterator[Parameter]:
    """The options of a record as typer reads them."""
    for name, row in rows(record).items():
        if row.help:
            usual = record._field_defaults[name]
            is_unset = row.kind in (OptionKind.CHOICE, OptionKind.TEXTS) and not usual
            option = typer.Option(
                None if is_unset else usual,
                f"--{argument_of(name, row).replace('_', '-')}",
                metavar=row.metavar,
                min=row.least if row.kind in (OptionKind.COUNT, OptionKind.TOKENS) else None,
                help=row.help,
            )
            choices = row.choices | None if is_unset else row.choices
            kind = _TYPES.get(row.kind, choices)
            yield Parameter(name, Parameter.KEYWORD_ONLY, default=option, annotation=kind)
