"""A plan: edits to files with their reasons, pure and showable before anything is touched.

With it, what a page must still be for a change: whoever read it names the digest of what was read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath

from memwiki.digest import digest_if_any
from memwiki.errors import ArgumentError, OutdatedError
from memwiki.files.read import current_bytes
from memwiki.files.temporary import Attributes
from memwiki.names import fold
from memwiki.nouns import Signature
from memwiki.records import NamedTuple
from memwiki.text import pattern

ETAG_DIGITS = 16
_DIGEST = pattern(rf"[0-9a-f]{{{ETAG_DIGITS},32}}")
MAX_ACTOR_CHARS = 100
NAMELESS = "unknown"
# The journal is read in editors: what would be a link, code or a tag there is not.
_PLAIN = str.maketrans("[]<>`#", "()()'-")


class Expected(NamedTuple):
    """A file, and what its digest begins with."""

    path: str
    digest: str


def expected_of(path: str, digest: str) -> Expected | None:
    """What is expected of a file, None for nothing; UsageError for what no digest begins with."""
    if not digest:
        return None
    if not _DIGEST.fullmatch(digest.lower()):
        raise ArgumentError(
            "expect",
            digest[:40],
            f"not a digest, which has {ETAG_DIGITS} to 32 hex digits",
            "memwiki get NAME --json gives it as digest, and its beginning as etag",
        )
    return Expected(path, digest.lower())


def require_expected(
    root: Path, expected: Expected | None, known: Mapping[str, str] | None = None
) -> None:
    """Raise OutdatedError when the file is another now; `known` has digests just taken."""
    if not expected:
        return
    path, digest = expected
    now = (known or {}).get(path)
    if now is None:
        now = digest_if_any(current_bytes(root, path))
    if not now.startswith(digest):
        raise OutdatedError(path, is_there=bool(now))


class Edit(NamedTuple):
    """What one file is to become, and what it must be for that."""

    path: str
    expect: str  # digest of the bytes the edit is based on, "" for a new file
    data: bytes | None  # None deletes the file
    reason: str = ""
    base: bytes | None = None  # the bytes behind `expect`: with them, what changed since is merged
    was: str = ""  # a new file: the path from which another edit takes it away; its attributes stay
    attributes: Attributes | None = None  # what the file gets, and the most a new one takes over
    is_addition: bool = False  # it adds at the end of its base, with one write
    seen: Signature | None = None  # of the file with these bytes, which no change leaves as it is


def edit_of(path: str, before: bytes | None, after: bytes | None, reason: str) -> Edit:
    """What turns these bytes of a file into those; None is no file."""
    return Edit(path, digest_if_any(before), after, reason, before)


class Plan(NamedTuple):
    """Edits that belong together: all of them are possible, or none is made.

    `op` says what it does (create, update, move, delete ...) and is the journal's word for it; a
    plan without one, such as a catalog's, is neither noted nor can it be undone.
    """

    edits: tuple[Edit, ...]
    title: str = ""
    op: str = ""
    details: tuple[str, ...] = ()  # further lines of its journal entry, such as `created: [[a]]`
    is_noted: bool = True  # whether the journal has an entry of it
    is_final: bool = False  # nothing of it is kept to undo it, nor anything older of its files
    undoes: tuple[int, ...] = ()  # the records it takes off the stack, as offsets, newest first
    leaves: str = ""  # a folder that goes too, when nothing is left in it
    empties: tuple[str, ...] = ()  # further such folders, without those in them
    unkept: tuple[str, ...] = ()  # files that undoing leaves as they are: others add to them
    by: str = ""  # who makes the change, as `actor_of` gives it
    expected: Expected | None = None  # what the page it is about must be, merging aside

    @property
    def paths(self) -> tuple[str, ...]:
        """The files the plan is about, in its order."""
        return tuple(edit.path for edit in self.edits)

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to do, or to refuse."""
        return bool(self.edits or self.undoes or self.leaves or self.expected)


def respelled_paths(plan: Plan) -> dict[str, str]:
    """New paths that differ from one the plan deletes in case or Unicode form only, with that path:
    on many disks they are one file."""
    gone = {fold(edit.path): edit.path for edit in plan.edits if edit.data is None}
    pairs = ((e.path, gone.get(fold(e.path), "")) for e in plan.edits if e.data is not None)
    return {new: old for new, old in pairs if old and old != new}


def folders_above(paths: Iterable[str]) -> set[str]:
    """All folders that files are in, with the workspace as "."."""
    one_of_each = {path.rpartition("/")[0]: path for path in paths}
    return {str(each) for path in one_of_each.values() for each in PurePosixPath(path).parents}


def diff(plan: Plan, read: Callable[[str], bytes]) -> str:
    """Show a plan as a unified diff; `read` gives the bytes of a file, which may be read anew."""
    moved = {edit.was for edit in plan.edits}
    return "".join(
        _move_diff(edit, read(edit.was))
        if edit.was
        else _diff_of(edit, read(edit.path) if edit.expect else b"")
        for edit in plan.edits
        if edit.data is not None or edit.path not in moved
    )


def _diff_of(edit: Edit, before: bytes) -> str:
    old = f"a/{edit.path}" if edit.expect else "/dev/null"
    new = f"b/{edit.path}" if edit.data is not None else "/dev/null"
    after = edit.data or b""
    is_empty = not (before or after)
    return f"--- {old}\n+++ {new}\n" if is_empty else _unified(before, after, old, new)


def _move_diff(edit: Edit, before: bytes) -> str:
    old, new = f"a/{edit.was}", f"b/{edit.path}"
    head = f"rename from {edit.was}\nrename to {edit.path}\n"
    return head + _unified(before, edit.data or b"", old, new)


def _unified(before: bytes, after: bytes, old: str, new: str) -> str:
    import difflib

    if b"\0" in before + after:
        return "" if before == after else f"Binary files {old} and {new} differ\n"
    return "".join(map(_ended, difflib.unified_diff(_lines(before), _lines(after), old, new)))


def _lines(data: bytes) -> list[str]:
    """Cut into lines that keep their ends; only `\\n` ends one."""
    parts = data.decode("utf-8", "replace").split("\n")
    return [f"{part}\n" for part in parts[:-1]] + [part for part in parts[-1:] if part]


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def actor_of(text: str) -> str:
    """The name as it is noted: one line of at most 100 printable characters.

    "" is nobody in particular; a name of which nothing can be printed is `unknown`.
    """
    if not text:
        return ""
    shown = "".join(each if each.isprintable() else " " for each in text.translate(_PLAIN))
    return " ".join(shown.split())[:MAX_ACTOR_CHARS].strip() or NAMELESS


def is_called(by: str, wanted: str) -> bool:
    """Whether somebody is called so, or his name begins so: `claude-code` in any version."""
    return bool(by) and fold(by).startswith(fold(actor_of(wanted)))
