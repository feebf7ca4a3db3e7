"""Purging a namespace: all of its files into the archive, or away for good."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from memwiki.change.plan import Edit, Plan, edit_of
from memwiki.errors import ConfigError, NotEditableError, UsageError
from memwiki.files.namespaces import namespaces_in
from memwiki.files.read import exists, read
from memwiki.names import is_in_folder
from memwiki.numbers import counted
from memwiki.pages.moving.aim import require_bearable
from memwiki.pages.moving.delete import archive_folder
from memwiki.scope import EVERY, scope_of
from memwiki.sync.context import Context
from memwiki.sync.reading import no_namespace

KEPT_BY_GIT = "nothing was kept to undo it; git may still have it"


class Purge(NamedTuple):
    """The plan, and what it is about."""

    plan: Plan
    name: str
    base: str
    archived_as: str  # "" where nothing is kept
    size_bytes: int
    notes: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that go."""
        return tuple(edit.path for edit in self.plan.edits if edit.data is None)


def purge(name: str, workspace: Context, *, is_final: bool) -> Purge:
    """A plan that puts a namespace into the archive as it is, or deletes it.

    Raises ConfigError when there is no archive, NotFoundError when there is no such namespace.
    """
    base = _base(name, workspace)
    known = base.rpartition("/")[2]
    target = "" if is_final else _target(base, workspace)
    paths, left = _files(base, workspace)
    if not is_final:
        require_bearable(workspace.root, base, paths)
    files = [(path, read(workspace.root, path)[0]) for path in paths]
    size = sum(len(data) for _, data in files)
    edits = tuple(_edits(files, base, target))
    title = f"deleted namespace {known}" if is_final else f"archived namespace {known} as {target}"
    details = (f"files: {len(paths)}",)
    plan = Plan(edits, title, "purge", details, is_final=is_final, leaves=base)
    notes = [KEPT_BY_GIT] if is_final else []
    if left:
        notes.append(f"{counted(left, 'file')} that memwiki leaves out stayed in {base}/")
    return Purge(plan, known, base, target, size, tuple(notes))


def _base(name: str, workspace: Context) -> str:
    """The folder of a namespace that is there."""
    layers = workspace.layers
    if name == EVERY or not name:
        raise UsageError("namespace purge: one at a time", hint="memwiki namespace list")
    known = workspace._replace(namespace=name).scope()
    if known.name not in namespaces_in(workspace.root, layers.namespaces):
        raise no_namespace(workspace, known.name)
    if (workspace.root / known.base).is_symlink():
        hint = "remove the symlink itself, for example with rm; its target is kept"
        raise NotEditableError(f"{known.base}: is a symlink", hint=hint, path=known.base)
    return scope_of(layers, known.name).base


def _target(base: str, workspace: Context) -> str:
    archive = workspace.layers.archive
    if not archive:
        raise ConfigError(
            "namespace purge: this workspace has no archive",
            hint="memwiki config set layers.archive archive, or --hard, which keeps nothing",
        )
    return archive_folder(base, archive, lambda place: exists(workspace.root, place))


def _files(base: str, workspace: Context) -> tuple[list[str], int]:
    """The files of a namespace, and how many more are left out as if they were not there."""
    seen = workspace.walk()
    every = [path for path in (*seen.files, *seen.attachments) if is_in_folder(path, base)]
    if links := [path for path in every if (workspace.root / path).is_symlink()]:
        hint = "remove the symlink itself, for example with rm; its target is kept"
        raise NotEditableError(f"{links[0]}: is a symlink", hint=hint, path=links[0])
    there = sum(1 for each in (workspace.root / base).rglob("*") if not each.is_dir())
    return sorted(every), max(there - len(every), 0)


def _edits(files: list[tuple[str, bytes]], base: str, target: str) -> Iterator[Edit]:
    """New files first and old ones last, so that whatever interrupts it, nothing is missing."""
    for path, data in files if target else ():
        new = f"{target}/{path[len(base) + 1 :]}"
        yield Edit(new, "", data, f"moved from {path}", was=path)
    for path, data in files:
        reason = f"archived as {target}" if target else "deleted"
        yield edit_of(path, data, None, reason)
