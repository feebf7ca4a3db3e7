"""The versions of a page: which commits touched it, what it was at one of them, and what those see
of them who may not see what is private.

What is private now was often written before it was marked. So of an old version those lines are
empty that its own marks hide, that today's private lines repeat or took the place of, and that
marks on these would hide, too. Where that cannot be told apart, more is hidden.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from memwiki.answers.entries import EntryHistory, EntryVersion
from memwiki.answers.pages import History, PageAt, Version
from memwiki.change.merge import hunks
from memwiki.clock import local_day
from memwiki.dates import iso_date
from memwiki.errors import GitError, MemwikiError, NotFoundError
from memwiki.files.paths import contain, real_path
from memwiki.files.read import current_bytes, is_hidden
from memwiki.history.git import Git
from memwiki.markdown.describe import is_journal
from memwiki.markdown.outline import Outline, outline_of
from memwiki.markdown.parse import parse
from memwiki.markdown.private import hidden_lines, public_bytes
from memwiki.markdown.source import decode
from memwiki.markdown.structure import part_of
from memwiki.markdown.syntax import CATALOG_BEGIN
from memwiki.memory.addresses import find_entry, with_id
from memwiki.memory.view import LocatedEntry, views_of
from memwiki.names import is_page_name
from memwiki.nouns import Environ, Layers
from memwiki.records import NamedTuple
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import Reading, reading, used_reading
from memwiki.text import pattern
from memwiki.times.asked import asked_day

_FORMAT = "--format=%H%x00%cI%x00%<(200,trunc)%an%x00%<(500,trunc)%s%x00"
_QUIET = ("--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-color", "--no-mailmap")
_COUNTS = pattern(rb"\n?([0-9]+|-)\t([0-9]+|-)\t(.*)", re.DOTALL)
_TREE_ROW = pattern(rb"(100644|100755) blob ([0-9a-f]+) +([0-9]+)\t(.*)", re.DOTALL)
_MAX_BYTES = 100_000_000  # of a page at a commit
Shown: TypeAlias = Callable[[str, bytes], bytes | None]  # of what a page was called, and its bytes

_MARK = b" [private:: true]"
# Of the line itself, and not of one that it names.
_ID = pattern(rb"(?:^|\s)\^(m-[0-9a-z]+)(?:\s+[\[(^].*)?\s*$")
_FENCE = pattern(rb"\s*(?:```|~~~|---\s*$)")
# What a line says does not depend on these: the mark itself, ids, and signs at its margin.
_NOISE = pattern(
    rb"[\[(]?[ \t]*private[ \t]*::[^\])]*[\])]?|\^[\w-]+|^[\s>#*+-]+|^\s*\d+[.)]\s|[`|]",
    re.IGNORECASE,
)
_CUT_OFF = "this shallow clone has"
_UNCUT = "git fetch --unshallow"
_MIN_CHARACTERS = 8  # characters of a line that is known again on another page


class PastPage(NamedTuple):
    """The bytes of a page at a commit, and what it was called there."""

    rev: str
    date: str
    path: str
    data: bytes


class Past:
    """What git knows about one page, asked in the page's own folder: it may lie in a submodule."""

    def __init__(self, root: Path, path: str, environ: Environ, shown: Shown | None = None) -> None:
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
        raise NotFoundError.at(
            self.path,
            f"no such page at {when} (commit {rev[:10]})",
            "memwiki history {}",
            self.path,
        )

    def _commit_at(self, when: str, now_ns: int) -> str:
        if rev := self._git.commit(when):
            return rev
        moment = moment_of(when, now_ns)
        if moment is None:
            raise NotFoundError(
                "{at}: neither a revision nor a date",
                "for example {at:HEAD~3}, {at:2026-09-01} or {at:2w}",
                arguments={"at": when},
            )
        if not self._git.commit("HEAD"):
            raise GitError(f"{self._git.root}: has no commit yet", "git add -A && git commit")
        found = self._git.ask("rev-list", "--max-count=1", f"--min-age={moment}", "HEAD", "--")
        if not found:
            if self._git.is_cut():
                raise NotFoundError(
                    f"{{at}}: before the commits that {_CUT_OFF}", _UNCUT, arguments={"at": when}
                )
            raise NotFoundError(
                "{at}: before the first commit",
                "memwiki history {}",
                self.path,
                arguments={"at": when},
            )
        return found.decode().strip()

    def notes(self, versions: Sequence[Version]) -> tuple[str, ...]:
        """What is said of all of its versions where older ones may be missing."""
        is_cut = self._git.is_cut(versions[-1].rev)
        oldest = versions[-1].rev[:10]
        return (f"{oldest} is the first commit that {_CUT_OFF}; {_UNCUT}",) if is_cut else ()

    def _names(self) -> Iterator[str]:
        """What the page is called, and was called before in this workspace, newest first."""
        yield self.path
        older = dict.fromkeys(each.path for each in self._logged())
        yield from (path for path in older if path != self.path and not path.startswith("../"))

    def _blob(self, rev: str, path: str) -> bytes | None:
        """The bytes of a file in a commit, without filters; None when no such file."""
        relative = posixpath.relpath(f"/{path}", f"/{self._folder}")
        full = posixpath.normpath(posixpath.join(self._prefix, relative)).lstrip("/")
        listed = self._git.ask("ls-tree", "-lz", "--full-tree", rev, "--", full)
        row = _TREE_ROW.fullmatch(listed.removesuffix(b"\0"))
        if not row or os.fsdecode(row[4]) != full:
            return None
        if int(row[3]) > _MAX_BYTES:
            raise GitError(f"{path}: had {int(row[3])} bytes", "git show {}", f"{rev[:10]}:{full}")
        return self._git.ask("cat-file", "blob", row[2].decode())

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
            day = asked_day(written or text, local_day(now_ns), is_end=True)
            written = f"{day}T23:59:59" if day else ""
        return max(int(datetime.fromisoformat(written).timestamp()), 0) if written else None
    except (ValueError, OverflowError, OSError):  # outside of what the system's calendar knows
        return None


class _Now(NamedTuple):
    """What is private today, and the page of which old versions are asked for."""

    ids: frozenset[bytes]
    texts: frozenset[bytes]  # of lines of any page
    own: frozenset[bytes]  # of lines of this page
    shown: frozenset[bytes]  # of lines of this page that are not private
    lines: Sequence[bytes] = ()
    private: frozenset[int] = frozenset()


def shown_by(live: LiveIndex, path: str) -> Shown | None:
    """What is shown of old versions of a page; None where everything is."""
    if not live.context.is_public:
        return None
    layers, root = live.context.layers, Path(live.context.root)
    now = _now(live, root, path)

    def shown(then: str, data: bytes) -> bytes | None:
        is_marked = CATALOG_BEGIN.encode() in data
        if is_journal(then, layers) or (is_marked and outline_of(then, data, layers).is_catalog):
            return None
        left = public_bytes(then, data, layers)
        return left and _without(then, left, _repeating(left.split(b"\n"), now), layers)

    return shown


def _now(live: LiveIndex, root: Path, path: str) -> _Now:
    private = [line for name in live.private_pages() for line in _private_lines(live, root, name)]
    ids = frozenset(found[1] for line in private if (found := _ID.search(line)))
    texts = frozenset(text for line in private if len(text := _text(line)) >= _MIN_CHARACTERS)
    data = current_bytes(root, path) or b""
    lines = data.split(b"\n")
    hidden = frozenset(_line_numbers(hidden_lines(path, data, live.context.layers)))
    own = {_text(line) for number, line in enumerate(lines) if number in hidden}
    shown = {_text(line) for number, line in enumerate(lines) if number not in hidden}
    return _Now(ids, texts, frozenset(own - {b""}), frozenset(shown), lines, hidden)


def _private_lines(live: LiveIndex, root: Path, path: str) -> Iterator[bytes]:
    data = b""
    with suppress(MemwikiError):  # it cannot be read
        data = current_bytes(root, path) or b""
    lines = data.split(b"\n")
    yield from (lines[at] for at in _line_numbers(hidden_lines(path, data, live.context.layers)))


def _line_numbers(runs: Iterable[range]) -> Iterator[int]:
    """The lines of runs, from 0."""
    return (number - 1 for run in runs for number in run)


def _repeating(lines: list[bytes], now: _Now) -> set[int]:
    """The lines that say what is private now, or that it took the place of."""
    same = {at for at, line in enumerate(lines) if _is_private_now(line, now)}
    return same | {at for at in _replaced_lines(lines, now) if _text(lines[at]) not in now.shown}


def _is_private_now(line: bytes, now: _Now) -> bool:
    if (found := _ID.search(line)) and found[1] in now.ids:
        return True
    text = _text(line)
    return text not in now.shown and (text in now.own or text in now.texts)


def _replaced_lines(lines: list[bytes], now: _Now) -> Iterator[int]:
    """The lines in whose place private ones are today."""
    moved = 0  # by how many lines what follows is further down today
    for hunk in hunks(lines, list(now.lines)) if now.private else ():
        begin = hunk.start + moved
        if not now.private.isdisjoint(range(begin, begin + len(hunk.lines))):
            yield from range(hunk.start, hunk.stop)
        moved += len(hunk.lines) - (hunk.stop - hunk.start)


def _text(line: bytes) -> bytes:
    return b" ".join(_NOISE.sub(b" ", line).split()).lower()


def _without(path: str, data: bytes, private: set[int], layers: Layers) -> bytes | None:
    """The bytes without lines, and without what a mark on each of them would hide."""
    if not private:
        return data
    lines = data.split(b"\n")
    marked = [
        line.rstrip(b"\r") + _MARK if at in private and line.strip() and not _FENCE.match(line)
        else line
        for at, line in enumerate(lines)
    ]  # fmt: skip
    hidden = private.union(_line_numbers(hidden_lines(path, b"\n".join(marked), layers)))
    left = (
        (b"\r" if line.endswith(b"\r") else b"") if at in hidden else line
        for at, line in enumerate(lines)
    )
    return public_bytes(path, b"\n".join(left), layers)


def history(live: LiveIndex, environ: Environ, name: str, limit: int | None) -> History:
    """The commits that touched a page."""
    past = _past(live, environ, name)
    versions = tuple(past.versions(limit + 1 if limit else None))
    if not versions:
        raise NotFoundError.at(
            past.path,
            "no commit of the current branch has it",
            "git add {} && git commit",
            past.path,
        )
    shown = versions[:limit] if limit else versions
    is_whole = len(shown) == len(versions)
    return History(past.path, shown, is_whole, past.notes(shown) if is_whole else ())


def show(
    live: LiveIndex,
    environ: Environ,
    name: str,
    at: str,
    section: str,
    lines: tuple[int, int] | None,
) -> PageAt:
    """A page, or a part of it, as it was."""
    found = _past(live, environ, name).at(at, live.context.clock())
    max_bytes = live.context.max_bytes
    page = parse(found.path, found.data, live.context.layers, max_bytes=max_bytes)
    text, start, stop = part_of(page, section, lines)
    return PageAt(found.path, found.rev, found.date, page.title, text, start, stop)


def bytes_at(live: LiveIndex, environ: Environ, name: str, at: str) -> bytes:
    """The bytes of a page as it was."""
    return _past(live, environ, name).at(at, live.context.clock()).data


def _past(live: LiveIndex, environ: Environ, name: str) -> Past:
    """What git knows about the page of this name; a path may be that of a page which is gone."""
    with reading(live) as view:
        try:
            path = view.find(name)
        except NotFoundError as missing:
            path = _path_of_a_gone_page(live.context.root, view.scope.own_path(name))
            if not path or view.scope.is_outside(path):
                raise
            past = past_of(live, environ, path)
            if is_hidden(live.context.root, path) or past.last_shown() is None:
                raise missing from None
            return past
    return past_of(live, environ, path)


def past_of(live: LiveIndex, environ: Environ, path: str) -> Past:
    """What git knows about a page, as far as it is shown."""
    live.context.require_files()
    return Past(live.context.root, path, environ, shown_by(live, path))


def _path_of_a_gone_page(root: Path, name: str) -> str:
    try:
        return real_path(root, contain(root, name)) if is_page_name(name) else ""
    except MemwikiError:
        return ""


def entry_history(live: LiveIndex, environ: Environ, known: LocatedEntry) -> EntryHistory:
    """The past of an entry, and what took its place."""
    context = live.context
    with used_reading(live) as view:
        views = views_of(context, view.stores)
        now = views.of(known)
        before = tuple(map(views.of, _chain(known, "supersedes", view)))
        after = tuple(map(views.of, _chain(known, "superseded_by", view)))
    notes: tuple[str, ...] = ()
    versions: tuple[EntryVersion, ...] = ()
    if not known.entry.id:
        notes = ("an entry without an id has no versions: nothing tells it from others",)
    else:
        try:
            past = past_of(live, environ, known.path)
            versions = tuple(_changes(_versions(past, known, context.layers, context.clock())))
        except GitError as error:
            notes = (f"no versions: {error.message}",)
    return EntryHistory(now, before, after, versions, notes)


def _chain(known: LocatedEntry, field: str, view: Reading) -> Iterator[LocatedEntry]:
    """The entries that one leads to by a field, each of which leads to the next."""
    seen, names = {known.entry.id}, _ids_in(known, field)
    while names:
        name = names.pop(0)
        if name in seen:
            continue
        seen.add(name)
        with suppress(MemwikiError):  # archived, or deleted since
            found = find_entry(name, view)
            yield found
            names += _ids_in(found, field)


def _ids_in(known: LocatedEntry, field: str) -> list[str]:
    return [each for part in known.entry.fields.get(field, "").split(",") if (each := part.strip())]


def _versions(past: Past, known: LocatedEntry, layers: Layers, now: int) -> Iterator[EntryVersion]:
    """The entry at each commit of its page, newest first."""
    for version in past.versions():
        with suppress(MemwikiError):  # a commit that took the page away has none
            found = past.at(version.rev, now)
            page = Outline(layers, found.path, decode(found.path, found.data).text)
            if entry := with_id(page, known.entry.id):
                yield EntryVersion(version.rev, version.date, entry.text, entry.fields)


def _changes(versions: Iterator[EntryVersion]) -> Iterator[EntryVersion]:
    """Of versions that say the same the oldest: the commit that brought it."""
    last: EntryVersion | None = None
    for version in versions:
        if last and (last.text, last.fields) != (version.text, version.fields):
            yield last
        last = version
    if last:
        yield last
