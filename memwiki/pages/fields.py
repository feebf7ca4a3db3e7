"""Setting and removing fields of a page's front matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memwiki.change.plan import Edit, Plan
from memwiki.digest import digest_of
from memwiki.errors import UsageError
from memwiki.markdown.edit.fields import Wanted, set_field, unset_field
from memwiki.markdown.edit.source import read_source
from memwiki.pages.planned import Planned


def set_fields(
    path: str, data: bytes, changes: Mapping[str, Wanted], unset: Sequence[str]
) -> Planned:
    """A plan that gives fields other values and removes some."""
    if not (changes or unset):
        raise UsageError("set: nothing to set", hint="memwiki set NAME key=value")
    new = data
    for name in unset:
        new = unset_field(read_source(path, new), name)
    for name, value in changes.items():
        new = set_field(read_source(path, new), name, value)
    return Planned(page_plan(path, data, new, _said(changes, unset)))


def _said(changes: Mapping[str, Wanted], unset: Sequence[str]) -> str:
    parts = [f"set {', '.join(changes)}"] if changes else []
    parts += [f"removed {', '.join(unset)}"] if unset else []
    return " and ".join(parts)


def page_plan(path: str, data: bytes, new: bytes, what: str, op: str = "update") -> Plan:
    """A plan for one page; without edits when its bytes stay as they are."""
    if new == data:
        return Plan((), f"{path}: nothing to change", op)
    title = f"{what} in {path}"
    return Plan((Edit(path, digest_of(data), new, what, base=data),), title, op)
