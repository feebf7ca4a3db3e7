"""Staging the edits of a plan so that one flush brings many to the disk, writing them in their
order, and putting back what was written when one fails.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from memwiki.change.merge import merge
from memwiki.change.order import Order, in_order
from memwiki.change.plan import Edit, Plan, edit_of, folders_above, respelled_paths
from memwiki.digest import digest_if_any, digest_of
from memwiki.errors import ConflictError, MemwikiError, WriteError, changed_meanwhile
from memwiki.files.read import current_bytes, current_file, resolver, signature_at
from memwiki.files.temporary import attributes_of
from memwiki.files.write import (
    FileSystem,
    StagedFile,
    append,
    delete,
    discard,
    file_system_of,
    flush_folders,
    place,
    remove_if_empty,
    rename,
    stage,
    write,
)
from memwiki.records import NamedTuple

_FEW = 16  # files that are rather flushed one by one: other programs may have much to write
_MAX_FILES, _MAX_BYTES = 2_000, 64_000_000  # that are twice on the disk at a time


def portions(steps: Sequence[Edit]) -> Iterator[list[Edit]]:
    """The steps in their order, as many at a time as may be staged."""
    portion, size = list[Edit](), 0
    for step in steps:
        if portion and (len(portion) == _MAX_FILES or size > _MAX_BYTES):
            yield portion
            portion, size = [], 0
        portion.append(step)
        size += len(step.data or b"")
    if portion:
        yield portion


class Staging:
    """The files of one portion that are on the disk and have no name yet."""

    def __init__(self, root: Path, unflushed: set[Path]) -> None:
        self._root, self._unflushed = root, unflushed
        self._files: dict[str, StagedFile] = {}

    def fill(self, steps: Sequence[Edit]) -> None:
        """Stage these files, if they are many and one flush can do; what fails is left to be
        written, and to fail, on its own."""
        if len(steps) <= _FEW:
            return
        try:
            with file_system_of(self._root) as system:
                if system:
                    self._stage(steps, system)
                    system.flush()
        except (MemwikiError, OSError):
            self.clear()
        except BaseException:
            self.clear()
            raise

    def _stage(self, steps: Sequence[Edit], system: FileSystem) -> None:
        resolve = resolver(self._root)
        for step in steps:
            with suppress(ConflictError):
                staged = stage(
                    self._root,
                    step.path,
                    step.data or b"",
                    expect=step.expect,
                    flush=system.defer,
                    like=step.was,
                    attributes=step.attributes,
                    resolve=resolve,
                    seen=step.seen,
                )
                self._files[step.path] = staged
                self._unflushed.update(folder.parent for folder in staged.made)

    def take(self, path: str) -> StagedFile | None:
        """The staged file of a path, if there is one; who takes it places it."""
        return self._files.pop(path, None)

    def clear(self) -> None:
        """Leave nothing of what was not placed; folders were made for the first in them."""
        for staged in reversed(self._files.values()):
            discard(staged)
        self._files.clear()


Progress = Callable[[int, int], None]  # how many files of how many are done
_MAX_ATTEMPTS = 5  # with a file that is saved again and again


class MadePlan(NamedTuple):
    """What became of a plan: all of it was made, or an error and the files it left changed."""

    edits: tuple[Edit, ...]  # as they were made: some were merged once more
    error: MemwikiError | None = None
    remaining: tuple[str, ...] = ()  # what could not be put back


# --- against what the files are now --------------------------------------------------------------


def settle(root: Path, edits: Sequence[Edit]) -> list[Edit]:
    """The edits on top of the files as they are now; refuse all of them, naming each that meets a
    change made meanwhile."""
    one = one_file(root, edits)
    settled = [
        settled_on(edit, None) if edit.path in one else _settled_now(root, edit) for edit in edits
    ]
    pairs = zip(settled, edits, strict=True)
    changed = tuple(edit.path for new, edit in pairs if new is None)
    if changed:
        raise changed_meanwhile(changed)
    return [edit for edit in settled if edit is not None]


def one_file(root: Path, edits: Sequence[Edit]) -> dict[str, str]:
    """New paths that mean, on this disk, the very file that the plan deletes, with its path."""
    return {
        new: old
        for new, old in respelled_paths(Plan(tuple(edits))).items()
        if (root / new).exists() and (root / old).exists() and (root / new).samefile(root / old)
    }


def _settled_now(root: Path, edit: Edit) -> Edit | None:
    """An edit on top of its file, which is not read again where it shows no change."""
    if edit.seen and edit.seen == signature_at(f"{root}/{edit.path}"):
        return edit
    now, seen = current_file(root, edit.path)
    settled = settled_on(edit, now)
    return settled and settled._replace(seen=seen)


def settled_on(edit: Edit, now: bytes | None) -> Edit | None:
    """An edit on top of these bytes; None when they cannot be merged."""
    found = digest_if_any(now)
    if found == edit.expect:
        return edit._replace(base=now)
    if now is None or edit.data is None or edit.base is None:
        return None
    if digest_of(edit.base) != edit.expect:  # merged from another start, a change would be lost
        return None
    merged = merge(edit.base, now, edit.data)
    return None if merged is None else edit._replace(expect=found, data=merged, base=now)


# --- writing -------------------------------------------------------------------------------------


def make_all(
    root: Path,
    edits: Sequence[Edit],
    order: Order | None = None,
    progress: Progress | None = None,
) -> MadePlan:
    """Write all edits, or none: what was written when one fails is put back. They are compared with
    the files once more before; `order` is that of the edits as they are given."""
    try:
        now = settle(root, edits)
    except MemwikiError as error:
        return MadePlan((), error)
    making = _Making(root, now, order if order and now == list(edits) else in_order(now), progress)
    try:
        return MadePlan(making.all())
    except MemwikiError as error:
        is_first = not making.done
        remaining = making.put_back()
        return MadePlan(
            (), error if is_first or remaining else _with_nothing_left(error), remaining
        )


def _with_nothing_left(error: MemwikiError) -> MemwikiError:
    kind = ConflictError if isinstance(error, ConflictError) else WriteError
    return kind(
        f"{error.message}; what was written before it is put back",
        hint=error.hint,
        path=error.path,
    )


class _Making:
    """The steps of one plan, and what is done of them."""

    def __init__(
        self, root: Path, edits: Sequence[Edit], order: Order, progress: Progress | None
    ) -> None:
        self._root, self._progress = root, progress
        self._edits = edits
        self._one = one_file(root, edits)
        gone = set(self._one.values())
        self._order = Order(
            order.receiving, [edit for edit in order.giving if edit.path not in gone]
        )
        self.done: list[Edit] = []
        self._unflushed: set[Path] = set()
        self._staging = Staging(root, self._unflushed)
        above = folders_above(edit.path for edit in edits)
        self._new_folders = [each for each in above if not os.path.lexists(root / each)]

    def all(self) -> tuple[Edit, ...]:
        for steps in self._order:
            self._make_round(steps)
        made = {step.path: step for step in self.done}
        return tuple(made.get(edit.path, edit) for edit in self._edits)

    def _make_round(self, steps: Sequence[Edit]) -> None:
        try:
            for portion in portions(steps):
                others = (each for each in portion if each.path not in self._one)
                self._staging.fill(
                    [each for each in others if each.data is not None and not _is_appended(each)]
                )
                for step in portion:
                    self._make(step)
        finally:
            self._staging.clear()
        self._flush()

    def _make(self, step: Edit) -> None:
        if self._progress:
            self._progress(len(self.done), len(self._edits))
        if step.attributes is None and step.data is None:
            step = step._replace(attributes=attributes_of(self._root / step.path))
        for _ in range(_MAX_ATTEMPTS):
            try:
                self._write(step)
                break
            except ConflictError:
                settled = settled_on(step, current_bytes(self._root, step.path))
                if settled is None:
                    raise
                step = settled
        else:
            self._write(step)
        self.done.append(step)

    def _write(self, step: Edit) -> None:
        """Write one file; what a disk did not confirm and did all the same is noted as done."""
        try:
            if step.path in self._one:
                _respell(self._root, step, self._one[step.path])
            else:
                _write(self._root, step, self._unflushed, self._staging.take(step.path))
        except MemwikiError:
            if _is_made(self._root, step):
                self.done.append(step)
            raise

    def _flush(self) -> None:
        flush_folders(self._root, self._unflushed)
        self._unflushed.clear()

    # --- putting back ----------------------------------------------------------------------------

    def put_back(self) -> tuple[str, ...]:
        """Put back what was written, the last first; give the files where that is not possible.

        When a file that gave a text cannot have it again, those that received any keep it.
        """
        received = len(self._order.receiving)
        receiving, giving = self.done[:received], self.done[received:]
        lacking = [step.path for step in reversed(giving) if not self._is_put_back(step)]
        remaining = lacking + [
            step.path for step in reversed(receiving) if lacking or not self._is_put_back(step)
        ]
        remove_if_empty(self._root, self._new_folders)
        return tuple(dict.fromkeys(reversed(remaining)))

    def _is_put_back(self, step: Edit) -> bool:
        try:
            if step.path in self._one:
                self._respell_back(step, self._one[step.path])
            else:
                self._take_back(step)
            self._flush()
        except MemwikiError:
            return _is_made(self._root, step._replace(data=step.base))
        return True

    def _respell_back(self, step: Edit, old: str) -> None:
        base = next(edit.base for edit in self._edits if edit.path == old) or b""
        back = edit_of(step.path, step.data, base, "")
        if base != step.data:
            _write(self._root, back, self._unflushed)
        rename(self._root, step.path, old)

    def _take_back(self, step: Edit) -> None:
        """Make the contrary of a step, on top of what others changed since."""
        now = current_bytes(self._root, step.path)
        if now == step.base:
            return
        back = step._replace(expect=digest_if_any(step.data), data=step.base, base=step.data)
        settled = settled_on(back, now)
        if settled is None:
            raise ConflictError(f"{step.path}: changed since it was written", path=step.path)
        attributes = step.attributes if step.data is None else None
        plain = settled._replace(was="", is_addition=False, attributes=attributes)
        _write(self._root, plain, self._unflushed)


def _is_appended(edit: Edit) -> bool:
    return bool(edit.is_addition and edit.base and edit.data and edit.data.startswith(edit.base))


def _write(root: Path, edit: Edit, unflushed: set[Path], staged: StagedFile | None = None) -> None:
    if staged:
        place(staged, unflushed)
    elif edit.data is None:
        delete(root, edit.path, expect=edit.expect, unflushed=unflushed)
    elif _is_appended(edit):
        append(root, edit.path, edit.data[len(edit.base or b"") :])
    else:
        write(
            root,
            edit.path,
            edit.data,
            expect=edit.expect,
            like=edit.was,
            attributes=edit.attributes,
            unflushed=unflushed,
        )


def _respell(root: Path, edit: Edit, old: str) -> None:
    """Rename a file where both names are one to the disk, so that it is never gone."""
    before = current_bytes(root, old) or b""
    rename(root, old, edit.path)
    try:
        if edit.data is not None and edit.data != before:
            write(root, edit.path, edit.data, expect=digest_of(before))
    except MemwikiError:
        rename(root, edit.path, old)
        raise


def _is_made(root: Path, edit: Edit) -> bool:
    try:
        return current_bytes(root, edit.path) == edit.data
    except MemwikiError:
        return False
