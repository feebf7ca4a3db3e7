"""The options by which other programs take the rows of an answer."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from memwiki.errors import UsageError

if TYPE_CHECKING:
    from memwiki.cli.door import Door
    from memwiki.present.templates import RowForm

Kind = TypeVar("Kind", bound=StrEnum)


def row_form(door: Door, row: type, template: str, *, jsonl: bool) -> RowForm | None:
    """How each row is printed; None where the answer is printed as a whole."""
    asked = {"--json": door.options.is_json, "--jsonl": jsonl, "--format": template}
    given = [name for name, value in asked.items() if value]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} together", hint="choose one")
    if not (template or jsonl):
        return None
    from memwiki.present import as_json
    from memwiki.present.templates import template_form

    fields: tuple[str, ...] = getattr(row, "_fields", ())
    return template_form(template, fields) if template else as_json


def kind_or_form(
    door: Door, usual: Kind, row: type, given: str, command: str, *, jsonl: bool
) -> tuple[Kind, RowForm | None]:
    """What `--format` asks for where it names kinds, too: a value with a brace is a template."""
    if "{" in given:
        return usual, row_form(door, row, given, jsonl=jsonl)
    if jsonl:
        return usual, row_form(door, row, "" if given == usual else given, jsonl=True)
    kinds = {str(each): each for each in type(usual)}
    if given not in kinds:
        raise UsageError(
            f"{command}: --format {given} is no kind",
            hint=f"choose from {', '.join(kinds)}, or write a template such as '{{path}}'",
        )
    return kinds[given], None
