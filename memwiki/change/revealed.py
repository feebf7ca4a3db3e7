"""Plans of those who may not see what is private, onto the files as they are.

Such a plan was made from what is shown of a page, where private lines are empty. Here it becomes
one that keeps them, or it is refused: nothing that is private changes, comes or goes by it, nor is
read as something else afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from memwiki.change.merge import Hunk, hunks, hunks_from_below, merge, rebuilt
from memwiki.change.plan import Edit, Plan, require_expected
from memwiki.digest import digest_of
from memwiki.errors import changed_meanwhile, private_error
from memwiki.files.read import Mask, PublicRoot, current_bytes, is_hidden
from memwiki.names import is_page_name


def reveal_plan(root: PublicRoot, plan: Plan) -> Plan:
    """The plan for the files as they are now; PrivateError where it would reach what is private."""
    require_expected(root, plan.expected)
    moved = {edit.was for edit in plan.edits if edit.was}
    reveal = _whole_edit if plan.undoes else _revealed
    edits = tuple(
        _removal(root, edit, is_moved=edit.path in moved)
        if edit.data is None
        else reveal(root, edit)
        for edit in plan.edits
    )
    return plan._replace(edits=edits, expected=None)


def require_untouched(root: PublicRoot, plan: Plan) -> None:
    """Refuse a plan for the files as they are that would reach what is private."""
    for edit in plan.edits:
        if edit.data is not None:
            _whole_edit(root, edit)


def shows_nothing(mask: Mask | None, edits: Sequence[Edit]) -> bool:
    """Whether those who may not see what is private see nothing of a change."""
    return mask is not None and all(_is_unseen(mask, edit) for edit in edits)


def _is_unseen(mask: Mask, edit: Edit) -> bool:
    """Whether a file shows the same words before and after, and more changed."""
    texts = (edit.base, edit.data) if is_page_name(edit.path) else ()
    shown = [each if each is None else mask(edit.path, each) for each in texts]
    if shown == [*texts]:
        return False
    before, after = (each if each is None else each.split() for each in shown)
    return before == after


def mask_plan(root: PublicRoot, plan: Plan) -> Plan:
    """A plan for the files as they are, as it is shown."""
    edits = tuple(
        edit if edit.data is None else edit._replace(data=root.mask(edit.path, edit.data) or b"")
        for edit in plan.edits
    )
    return plan._replace(edits=edits)


def _removal(root: PublicRoot, edit: Edit, *, is_moved: bool) -> Edit:
    """Removing a file in which nothing is private, or which is kept elsewhere."""
    full, shown = _now(root, edit.path)
    if full is None or full == shown:
        return edit
    if shown is None or not is_moved:
        raise private_error(edit.path)
    is_expected = digest_of(shown) == edit.expect
    return edit._replace(expect=digest_of(full), base=full) if is_expected else edit


def _whole_edit(root: PublicRoot, edit: Edit) -> Edit:
    """A change that was made from the file as it is, if it leaves alone what is private."""
    full, shown = _now(root, edit.path)
    source = full if full is not None or not edit.was else current_bytes(Path(root), edit.was)
    before = _private_lines(source, root.mask(edit.path, source)) if source is not None else []
    after = _private_lines(edit.data or b"", root.mask(edit.path, edit.data or b""))
    if before != after or (full is not None and shown is None):
        raise private_error("a line that this changes")  # of a page that was not named
    return edit


def _private_lines(full: bytes, shown: bytes | None) -> list[bytes]:
    lines = full.split(b"\n")
    if shown is None:
        return lines
    return [line for line, seen in zip(lines, shown.split(b"\n"), strict=True) if line != seen]


def _revealed(root: PublicRoot, edit: Edit) -> Edit:
    """A change of what is shown of a file, as a change of the file."""
    full, shown = _now(root, edit.path)
    if (full is not None and shown is None) or _is_below_hidden(root, edit.path):
        raise private_error(edit.path)
    if edit.was and full is None:
        full, shown = _now(root, edit.was)
    if full is None or shown is None or full == shown:
        if edit.data is not None and root.mask(edit.path, edit.data) != edit.data:
            raise private_error(edit.path)
        return edit  # there is nothing to keep, and `apply` merges
    data = _merge(edit, shown)
    for way in (hunks_from_below, hunks):
        whole = _with_private(shown, full, data, way)
        if whole is not None and _keeps(root, edit, full, whole, data):
            return edit._replace(
                data=whole,
                base=edit.base if edit.was else full,
                expect=edit.expect if edit.was else digest_of(full),
            )
    raise private_error(edit.path)


def _keeps(root: PublicRoot, edit: Edit, full: bytes, whole: bytes, data: bytes) -> bool:
    """Whether the changed file shows this, with its private lines below the headings they had."""
    if root.mask(edit.path, whole) != data:
        return False
    return root.places(edit.was or edit.path, full) == root.places(edit.path, whole)


def _now(root: PublicRoot, path: str) -> tuple[bytes | None, bytes | None]:
    """A file as it is, and what is shown of it."""
    full = current_bytes(Path(root), path)
    return full, None if full is None else root.mask(path, full)


def _is_below_hidden(root: PublicRoot, path: str) -> bool:
    """Whether a path takes a file that is not seen for a folder."""
    folders = PurePosixPath(path).parents
    return any((root / each).is_file() and is_hidden(root, str(each)) for each in folders)


def _merge(edit: Edit, shown: bytes) -> bytes:
    """What is shown of the file after the change; ConflictError where that meets another one."""
    data = edit.data or b""
    if edit.was or digest_of(shown) == edit.expect:
        return data
    is_based = edit.base is not None and digest_of(edit.base) == edit.expect
    merged = merge(edit.base or b"", shown, data) if is_based else None
    if merged is None:
        raise changed_meanwhile([edit.path])
    return merged


def _with_private(
    shown: bytes,
    full: bytes,
    data: bytes,
    compare: Callable[[list[bytes], list[bytes]], list[Hunk]],
) -> bytes | None:
    """The changed text with the private lines where they were among the others."""
    old, real, new = (each.split(b"\n") for each in (shown, full, data))
    made = list[Hunk]()
    for hunk in compare(old, new):
        private = [(old[i], real[i]) for i in range(hunk.start, hunk.stop) if old[i] != real[i]]
        lines = _fill(hunk.lines, private)
        if lines is None:
            return None
        made.append(hunk._replace(lines=lines))
    return b"\n".join(rebuilt(real, made))


def _fill(lines: Sequence[bytes], private: Sequence[tuple[bytes, bytes]]) -> list[bytes] | None:
    """The lines with each private one in the place of the next empty one like it; None where there
    are too few."""
    left = iter(private)
    wanted = next(left, None)
    made = list[bytes]()
    for line in lines:
        if wanted and line == wanted[0]:
            made.append(wanted[1])
            wanted = next(left, None)
        else:
            made.append(line)
    return None if wanted else made
