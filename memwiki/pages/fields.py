"""Setting and removing fields of a page's front matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memwiki.change.plan import Plan, edit_of
from memwiki.errors import UsageError
from memwiki.markdown.edit.fields import Wanted, set_field, unset_field
from memwiki.markdown.outline import Outline
from memwiki.pages.page import Planned


def set_fields(page: Outline, changes: Mapping[str, Wanted], unset: Sequence[str]) -> Planned:
    """A plan that gives fields other values and removes some."""
    if not (changes or unset):
        raise UsageError("set: nothing to set", hint="memwiki set NAME key=value")
    after = page
    for name in unset:
        after = unset_field(after, name)
    for name, value in changes.items():
        after = set_field(after, name, value)
    return Planned(page_plan(page, after, _said(changes, unset)))


def _said(changes: Mapping[str, Wanted], unset: Sequence[str]) -> str:
    parts = [f"set {', '.join(changes)}"] if changes else []
    parts += [f"removed {', '.join(unset)}"] if unset else []
    return " and ".join(parts)


def page_plan(page: Outline, after: Outline, what: str, op: str = "update") -> Plan:
    """A plan for one page; without edits when it stays as it is."""
    if after.text == page.text:
        return Plan((), f"{page.path}: nothing to change", op)
    edit = edit_of(page.path, page.data, after.data, what)
    joint = "of" if " section " in what else "in"
    return Plan((edit,), f"{what} {joint} {page.path}", op)
