"""The one function that changes files: it applies plans."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import NamedTuple

from memwiki.change.plan import Edit, Plan
from memwiki.digest import digest_of
from memwiki.errors import ConflictError, MemwikiError, UnsafePathError, UsageError, WriteError
from memwiki.files.ignore import why_not_folder
from memwiki.files.lock import Lock
from memwiki.files.paths import name_key
from memwiki.files.state import LOCK_NAME, state_folder
from memwiki.files.write import current_digest, delete, sweep_temporaries, write


class Applied(NamedTuple):
    """What a plan changed, and which of these files had changed since it was made."""

    paths: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()


def apply(root: Path, plan: Plan, *, lock_timeout_ms: int = 10_000) -> Applied:
    """Make the edits of a plan if every file is as expected."""
    _check_paths(plan)
    if not plan.edits:
        return Applied()
    with Lock(state_folder(root) / LOCK_NAME, timeout_ms=lock_timeout_ms):
        _check_unchanged(root, plan)
        sweep_temporaries(root, {str(PurePosixPath(path).parent) for path in plan.paths})
        return Applied(_make_all(root, [edit for edit in plan.edits if not _is_idle(edit)]))


def _check_paths(plan: Plan) -> None:
    """Refuse what no plan may touch; that a path stays in the workspace is seen to at each file."""
    seen: set[str] = set()
    for path in plan.paths:
        if any(map(why_not_folder, PurePosixPath(path).parts[:-1])):
            hint = "plans change pages, not what other programs keep in hidden folders"
            raise UnsafePathError(f"{path}: lies in a hidden folder", hint=hint, path=path)
        if name_key(path) in seen:
            hint = "put all changes to one file into one edit"
            raise UsageError(f"{path}: is changed twice by one plan", hint=hint, path=path)
        seen.add(name_key(path))


def _check_unchanged(root: Path, plan: Plan) -> None:
    """Refuse the whole plan, naming each file that is not as expected."""
    changed = tuple(e.path for e in plan.edits if current_digest(root, e.path) != e.expect)
    if changed:
        raise ConflictError(
            f"{', '.join(changed)}: changed since the plan was made; nothing was written",
            hint="read again and repeat the change",
            path=changed[0],
            candidates=changed,
        )


def _make_all(root: Path, edits: list[Edit]) -> tuple[str, ...]:
    for done, edit in enumerate(edits):
        try:
            _make(root, edit)
        except MemwikiError as error:
            raise _halfway(root, edits, done, error) from error
    return tuple(edit.path for edit in edits)


def _make(root: Path, edit: Edit) -> None:
    if edit.data is None:
        delete(root, edit.path, expect=edit.expect)
    else:
        write(root, edit.path, edit.data, expect=edit.expect)


def _halfway(root: Path, edits: list[Edit], done: int, error: MemwikiError) -> MemwikiError:
    """Say exactly what a plan that failed has changed and what not."""
    # A rename that the disk did not confirm has happened all the same.
    done += _is_made(root, edits[done])
    if not done:
        return error
    written = ", ".join(edit.path for edit in edits[:done])
    missing = ", ".join(edit.path for edit in edits[done:]) or "none"
    return WriteError(
        f"{error.message}; written: {written}; not written: {missing}",
        hint=error.hint,
        path=error.path,
        candidates=tuple(edit.path for edit in edits[done:]),
    )


def _is_idle(edit: Edit) -> bool:
    """Whether an edit leaves the bytes as they are."""
    return (digest_of(edit.data) if edit.data is not None else "") == edit.expect


def _is_made(root: Path, edit: Edit) -> bool:
    try:
        found = current_digest(root, edit.path)
    except MemwikiError:
        return False
    return found == (digest_of(edit.data) if edit.data is not None else "")
