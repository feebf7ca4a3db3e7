"""Options that commands share, each declared once, and those that follow from a record."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import Annotated, Any

import typer

from memwiki.options import Option, OptionKind, Options, argument_of, rows

_TYPES = {
    OptionKind.COUNT: int | None,
    OptionKind.TOKENS: int | None,
    OptionKind.SHARE: float | None,
    OptionKind.TEXT: str,
    OptionKind.TEXTS: list[str] | None,
    OptionKind.FLAG: bool,
}


def takes(
    record: type[Options], only: Sequence[str] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of a record, or `only` some, in the place of its parameter
    `options`, which is such a record."""
    made = [each for each in _parameters(record) if not only or each.name in only]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True)
        at = list(own.parameters).index("options")
        others = list(own.parameters.values())
        others[at : at + 1] = made

        @wraps(command)
        def run(**given: Any) -> None:  # noqa: ANN401 - what typer has read
            asked = {each.name: given.pop(each.name) for each in made}
            options = record(**{name: value for name, value in asked.items() if value is not None})
            command(**given, options=options)

        run.__signature__ = own.replace(parameters=others)  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in others}
        return run

    return decorate


def _parameters(record: type[Options]) -> Iterator[inspect.Parameter]:
    """The options of a record as typer reads them."""
    for name, row in rows(record).items():
        if row.help:
            usual = record._field_defaults[name]
            is_unset = row.kind in (OptionKind.CHOICE, OptionKind.TEXTS) and not usual
            default = None if is_unset else usual
            annotation = Annotated[_type(row, default), declared(name, row)]  # type: ignore[valid-type]
            kind = inspect.Parameter.KEYWORD_ONLY
            yield inspect.Parameter(name, kind, default=default, annotation=annotation)


def _type(row: Option, default: object) -> Any:  # noqa: ANN401 - a type
    if row.kind is OptionKind.CHOICE:
        return row.choices if default else row.choices | None
    return _TYPES[row.kind]


def declared(name: str, row: Option) -> Any:  # noqa: ANN401 - as typer has it
    """The declaration of one option."""
    is_number = row.kind in (OptionKind.COUNT, OptionKind.TOKENS)
    return typer.Option(
        f"--{argument_of(name, row).replace('_', '-')}",
        metavar=row.metavar,
        min=row.least if is_number else None,
        help=row.help,
    )
