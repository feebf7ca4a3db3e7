"""The versions of a page: which commits touched it, and what it was at one of them."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from memwiki.answers.history import Version
from memwiki.change.merge import hunks
from memwiki.clock import local_day
from memwiki.dates import iso_date, named_day
from memwiki.errors import GitError, NotFoundError, shell_word
from memwiki.history.git import Git
from memwiki.history.shown import Shown

_FORMAT = "--format=%H%x00%cI%x00%<(200,trunc)%an%x00%<(500,trunc)%s%x00"
_QUIET = ("--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-color", "--no-mailmap")
_COUNTS = re.compile(rb"\n?([0-9]+|-)\t([0-9]+|-)\t(.*)", re.DOTALL)
_TREE_ROW = re.compile(rb"(100644|100755) blob ([0-9a-f]+) +([0-9]+)\t(.*)", re.DOTALL)
_MAX_BYTES = 100_000_000  # of a page at a commit


class PastPage(NamedTuple):
    """The bytes of a page at a commit, and what it was called there."""

    rev: str
    date: str
    path: str
    data: bytes


class Past:
    """What git knows about one page, asked in the page's own folder: it may lie in a submodule."""

    def __init__(
        self, root: Path, path: str, environ: Mapping[str, str], shown: Shown | None = None
    ) -> None:
        """`shown` gives what is shown of the bytes of a version, None for none."""
        self.path = path
        self._shown = shown
        self._folder = posixpath.dirname(path)
        while self._folder and not (root / self._folder).is_dir():  # of a page that is gone
            self._folder = posixpath.dirname(self._folder)
        self._git = Git(root / self._folder, environ, root)
        prefix = self._git.ask("rev-parse", "--show-prefix")
        self._prefix = "/" + os.fsdecode(prefix.removesuffix(b"\n"))

    def versions(self, limit: int | None = None) -> Iterator[Version]:
        """The commits of the current branch that touched what is shown of the page, newest first,
        through renames."""
        if not self._shown:
            return self._logged(limit)
        return islice(self._touching_what_is_shown(self._shown), limit)

    def _logged(self, limit: int | None = None) -> Iterator[Version]:
        if not self._git.commit("HEAD"):
            return
        most = () if limit is None else (f"--max-count={limit}",)
        options = ("--follow", "-z", "--numstat", "--encoding=UTF-8", *_QUIET, *most)
        name = posixpath.relpath(f"/{self.path}", f"/{self._folder}")
        printed = self._git.ask("log", _FORMAT, *options, "--", name)
        yield from (each._replace(path=self._inside(each.path)) for each in read_log(printed))

    def _touching_what_is_shown(self, shown: Shown) -> Iterator[Version]:
        """The commits with the numbers of shown lines, without those that changed no such line."""
        newer: tuple[Version, bytes | None, bytes | None] | None = None
        for version in self._logged():
            whole = self._blob(version.rev, version.path)
            left = None if whole is None else shown(version.path, whole)
            if newer:
                yield from _as_shown(*newer, version.path, whole, left)
            newer = version, whole, left
        if newer:
            yield from _as_shown(*newer, "", None, None)

    def last_shown(self) -> bytes | None:
        """What is shown of the last version that had the page."""
        for version in self._logged():
            whole = self._blob(version.rev, self.path)
            if whole is not None:
                return self._shown(self.path, whole) if self._shown else whole
        return None

    def at(self, when: str, now_ns: int) -> PastPage:
        """The page as it was at a revision, or after the last commit up to a date or time."""
        rev = self._commit_at(when, now_ns)
        for path in self._names():
            data = self._blob(rev, path)
            if data is not None and self._shown:
                data = self._shown(path, data)
            if data is not None:
                date_then = self._git.ask("log", "-1", "--format=%cI", *_QUIET, rev, "--")
                return PastPage(rev, date_then.decode().strip(), path, data)
        raise NotFoundError(
            f"{self.path}: no such page at {when} (commit {rev[:10]})",
            hint=f"memwiki history {shell_word(self.path)}",
            path=self.path,
        )

    def _commit_at(self, when: str, now_ns: int) -> str:
        if rev := self._git.commit(when):
            return rev
        moment = moment_of(when, now_ns)
        if moment is None:
            raise NotFoundError(
                "{at}: neither a revision nor a date",
                hint="for example {at:HEAD~3}, {at:2026-09-01} or {at:2w}",
                arguments={"at": when},
            )
        if not self._git.commit("HEAD"):
            raise GitError(f"{self._git.root}: has no commit yet", hint="git add -A && git commit")
        found = self._git.ask("rev-list", "--max-count=1", f"--min-age={moment}", "HEAD", "--")
        if not found:
            raise NotFoundError(
                "{at}: before the first commit",
                hint=f"memwiki history {shell_word(self.path)}",
                arguments={"at": when},
            )
        return found.decode().strip()

    def _names(self) -> Iterator[str]:
        """What the page is called, and was called before in this workspace, newest first."""
        yield self.path
        older = dict.fromkeys(each.path for each in self._logged())
        yield from (path for path in older if path != self.path and not path.startswith("../"))

    def _blob(self, rev: str, path: str) -> bytes | None:
        """The bytes of a file in a commit, without filters; None when no such file."""
        full = posixpath.normpath(posixpath.join(self._prefix, self._relative(path))).lstrip("/")
        listed = self._git.ask("ls-tree", "-lz", "--full-tree", rev, "--", full)
        row = _TREE_ROW.fullmatch(listed.removesuffix(b"\0"))
        if not row or os.fsdecode(row[4]) != full:
            return None
        if int(row[3]) > _MAX_BYTES:
            raise GitError(
                f"{path}: had {int(row[3])} bytes",
                hint=f"git show {shell_word(f'{rev[:10]}:{full}')}",
            )
        return self._git.ask("cat-file", "blob", row[2].decode())

    def _relative(self, path: str) -> str:
        return posixpath.relpath(f"/{path}", f"/{self._folder}")

    def _inside(self, full: str) -> str:
        """The path as the workspace has it, for one as the repository has it."""
        relative = posixpath.relpath(f"/{full}", self._prefix)
        return posixpath.normpath(posixpath.join(self._folder, relative))


def _as_shown(
    version: Version,
    whole: bytes | None,
    left: bytes | None,
    path_before: str,
    whole_before: bytes | None,
    left_before: bytes | None,
) -> Iterator[Version]:
    """A commit as far as it changed what is shown."""
    if whole == left and whole_before == left_before:
        yield version
        return
    old, new = ([] if each is None else each.splitlines() for each in (left_before, left))
    changed = hunks(old, new)
    if changed or (version.path != path_before and left is not None):
        added = sum(len(hunk.lines) for hunk in changed)
        yield version._replace(added=added, removed=sum(h.stop - h.start for h in changed))


def read_log(printed: bytes) -> Iterator[Version]:
    """Read what `git log -z --numstat` prints in our format."""
    # Author and subject are padded by the format, so that only separators are empty.
    tokens = iter(filter(None, printed.split(b"\0")))
    token = next(tokens, b"")
    while len(head := [token, *islice(tokens, 3)]) == 4:
        rev, when, author, subject = (each.decode("utf-8", "replace").strip() for each in head)
        token = next(tokens, b"")
        if counts := _COUNTS.fullmatch(token):
            yield Version(rev, when, author, subject, _name(counts, tokens), *_numbers(counts))
            token = next(tokens, b"")


def _name(counts: re.Match[bytes], tokens: Iterator[bytes]) -> str:
    """The name after the counts; of a rename the old and the new one follow by themselves."""
    if counts[3]:
        return os.fsdecode(counts[3])
    next(tokens, b"")
    return os.fsdecode(next(tokens, b""))


def _numbers(counts: re.Match[bytes]) -> tuple[int | None, int | None]:
    added, removed = (None if each == b"-" else int(each) for each in counts.groups()[:2])
    return added, removed


def moment_of(text: str, now_ns: int) -> int | None:
    """Seconds since 1970 for a date or time as people write it; a day means its end.

    Without an offset it is local time, as in what git prints.
    """
    written = iso_date(text)
    try:
        if "T" not in written:
            day = named_day(written or text, local_day(now_ns), is_end=True)
            written = f"{day}T23:59:59" if day else ""
        return max(int(datetime.fromisoformat(written).timestamp()), 0) if written else None
    except (ValueError, OverflowError, OSError):  # outside of what the system's calendar knows
        return None
