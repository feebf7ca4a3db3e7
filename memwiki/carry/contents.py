"""What an export holds, file by file, without what stays private, and what it says of itself; the
journal and the usage when they travel."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, TypeAlias

from memwiki.catalog.block import hand_written
from memwiki.change.journal import JournalCut, cut_journal, rotated_folder
from memwiki.digest import digest_of
from memwiki.errors import NotFoundError, UnreadableError, UsageError
from memwiki.files.ignore import DOT_FILES
from memwiki.files.paths import colliding, why_unsafe
from memwiki.files.read import read
from memwiki.files.usage_log import Subject, Sum, Tally, UsageLog, bytes_from, tally_of, usage_files
from memwiki.index.projection import Progress
from memwiki.markdown.describe import SNAPSHOT, SNAPSHOT_MARK
from memwiki.markdown.source import UTF16_CODECS
from memwiki.memory.privacy import public_part, subjects_of, without_names
from memwiki.names import is_in_folder, is_page_name
from memwiki.numbers import counted
from memwiki.records import grouped
from memwiki.sync.context import Context

JsonObject: TypeAlias = Mapping[str, object]


def usage_now(root: Path) -> Tally:
    """What was recalled in a workspace, on all machines."""
    whole = Tally()
    for file in usage_files(root):
        part = tally_of(bytes_from(file, 0))
        for subject, each in part.sums.items():
            whole.add(subject, each)
        whole.trails += part.trails
    return whole


def told_lines(usage: Tally, may_tell: Callable[[Subject], bool]) -> Iterator[bytes]:
    """Usage as lines, without what may not be told and the queries that found it."""
    public = Tally()
    public.sums = {subject: each for subject, each in usage.sums.items() if may_tell(subject)}
    public.trails = [each for each in usage.trails if all(map(may_tell, each.subjects))]
    yield from public.lines()


def take_in(root: Path, lines: Iterable[bytes]) -> int | None:
    """Add what is lacking of the usage of another workspace; give the number of subjects and
    queries, None where nothing can be written."""
    theirs = tally_of(b"".join(lines))
    added: list[bytes] = []

    def lacking() -> bytes:
        added[:] = _lacking(usage_now(root), theirs)
        return b"".join(added)

    return len(added) if UsageLog(root).append_made(lacking) else None


def _lacking(ours: Tally, theirs: Tally) -> Iterator[bytes]:
    """The larger of both counts a subject: what was imported once adds nothing again."""
    lacking = Tally()
    for subject, other in theirs.sums.items():
        own = ours.sums.get(subject, Sum())
        more = Sum(max(other.recalls - own.recalls, 0), max(other.score - own.score, 0), other.at)
        if more.recalls or more.score or other.at > own.at:
            lacking.sums[subject] = more
    known = set(ours.trails)
    lacking.trails = [each for each in dict.fromkeys(theirs.trails) if each not in known]
    yield from lacking.lines()


def unite_journals(ours: bytes, theirs: bytes) -> bytes | None:
    """One journal with the entries of both, by day and none twice; None where that cannot be
    said."""
    if ours == theirs or not theirs:
        return ours
    if {ours[:2], theirs[:2]} & set(UTF16_CODECS):
        return None
    mine, other = cut_journal(ours), cut_journal(theirs)
    new = _missing(other, mine)
    if not new:
        return ours
    if not _missing(mine, other) and mine.head.strip() in ("", other.head.strip()):
        return theirs
    return _join(mine, new, "\r\n" if b"\r\n" in ours else "\n")


def holds_journal(data: bytes) -> bool:
    """Whether a file has entries, or nothing but headings."""
    found = cut_journal(data)
    return bool(found.texts) or all(line[0] in "#\r\n" for line in found.head.splitlines(True))


def _missing(those: JournalCut, here: JournalCut) -> list[tuple[str, str]]:
    """What of those entries is not here, each as often as it is missing."""
    counts = Counter(map(_plain, here.texts))
    missing = []
    for day, text in zip(those.days, map(_plain, those.texts), strict=True):
        counts[text] -= 1
        if counts[text] < 0:
            missing.append((day, text))
    return missing


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def _join(mine: JournalCut, new: Iterable[tuple[str, str]], end: str) -> bytes:
    """Our entries as they stand, and new ones behind all that are not later."""
    days = list(accumulate(mine.days, max))
    later = sorted(new, key=itemgetter(0))
    behind = grouped((bisect_right(days, day), text.replace("\n", end)) for day, text in later)
    parts = [mine.head]
    for at in range(len(mine.texts) + 1):
        for text in behind.get(at, ()):
            parts.append(_gap(parts[-1], end) + text + end * (1 + (at < len(mine.texts))))
        parts += mine.texts[at : at + 1]
    return "".join(parts).encode("utf-8", "surrogateescape")


def _gap(before: str, end: str) -> str:
    """What is missing between a text and an entry below it: a blank line."""
    plain = before.replace("\r\n", "\n")
    return end * max(0, 2 - (len(plain) - len(plain.rstrip("\n")))) if plain.strip() else ""


MANIFEST_NAME = "memwiki-export.json"
USAGE_NAME = "memwiki-usage.jsonl"
MARK = "memwiki-export"  # the key, in JSON, that an export is known by
DOCUMENT_MARK = "<!-- memwiki:export -->"  # the first line of what is only to be read
VERSION = 1


class ExportFile(NamedTuple):
    """One file as it is exported."""

    path: str
    data: bytes

    @property
    def is_page(self) -> bool:
        """Whether it is a page by its name."""
        return is_page_name(self.path)


class Contents:
    """The files of an export; what is said of them is known when all have been gone through."""

    def __init__(
        self,
        context: Context,
        scope: ExportScope,
        pages: Sequence[str] | None,
    ) -> None:
        self.scope = scope
        self._context = context
        self._pages = pages  # those that filters found; None for everything
        self._hidden_subjects: set[Subject] = set()
        self._marks: set[str] = set()  # what the journal and catalogs must not name
        self._told: set[Subject] = set()
        self.members: list[Member] = []
        self.private_pages = 0
        self.private_entries = 0
        self.notes: list[str] = []

    @property
    def left_out(self) -> dict[str, object]:
        """What a manifest says of what is not in it."""
        pages, entries = self.private_pages, self.private_entries
        fields = {"private_pages": pages, "private_entries": entries}
        return {"reduced": bool(pages or entries), "left_out": fields}

    def files(self, progress: Progress | None = None) -> Iterator[ExportFile]:
        """Each file; journal, catalogs and the snapshot come last, as they tell of others."""
        paths = self._paths()
        late: list[tuple[str, bytes]] = []
        for done, path in enumerate(paths):
            if progress:
                progress(done, len(paths))
            data = self._read(path)
            if data is None:
                continue
            if self._is_derived(path, data):
                late.append((path, data))
            elif (kept := self._public(path, data)) is not None:
                yield self._noted(path, kept)
        for path, data in late:
            if (kept := self._silenced(path, data)) is not None:
                yield self._noted(path, kept)
        self._note_counts()

    def usage(self) -> Iterator[bytes]:
        """Usage of what is exported, as lines; call it after all files."""
        usage = usage_now(self._context.root)
        if self._pages is None:
            yield from told_lines(usage, lambda subject: subject not in self._hidden_subjects)
        else:
            yield from told_lines(usage, lambda subject: subject in self._told)

    def _paths(self) -> Sequence[str]:
        found = self._context.walk()
        if found.unreadable:
            raise UnreadableError(
                f"{found.unreadable[0] or '.'}: cannot be read; nothing was exported",
                "check the permissions, or leave it out in .memwikiignore",
                path=found.unreadable[0],
            )
        self.notes += found.misnamed(self._context.scope().reaches)
        paths = list(found.files) + list(found.attachments)
        if self._pages is not None:
            paths = [*set(paths).intersection(self._pages)]
        kept = sorted(path for path in paths if _belongs(path))
        if hidden := len(paths) - len(kept):
            self.notes.append(f"{counted(hidden, 'hidden file')} left out")
        return kept

    def _read(self, path: str) -> bytes | None:
        try:
            return read(self._context.root, path)
        except NotFoundError:  # removed since the folder was listed
            return None

    def _is_derived(self, path: str, data: bytes) -> bool:
        is_catalog = is_page_name(path) and hand_written(data) is not None
        return is_catalog or self._is_journal(path) or _is_snapshot(path, data)

    def _is_journal(self, path: str) -> bool:
        """Whether a file is the journal, or what it was before it grew too long."""
        log = self._context.layers.log
        return bool(log) and (path == log or is_in_folder(path, rotated_folder(log)))

    def _public(self, path: str, data: bytes) -> bytes | None:
        """A file without what is private, None when nothing of it is left."""
        if is_page_name(path) and not self.scope.has_private:
            part = public_part(path, data, self._context.layers)
            self._hidden_subjects |= part.hidden.subjects
            self._marks |= part.hidden.marks
            self.private_entries += part.entries
            self.private_pages += part.data is None
            if part.data is None:
                return None
            data = part.data
        if self._pages is not None and is_page_name(path):
            self._told.update(subjects_of(path, data, self._context.layers))
        return data

    def _silenced(self, path: str, data: bytes) -> bytes | None:
        """The journal or a catalog without what names something private; no snapshot beside
        anything private, since it may be older than that mark."""
        is_journal = self._is_journal(path)
        if _is_snapshot(path, data) and self.left_out["reduced"]:
            return None
        if self._marks and not (is_journal or hand_written(data)):
            return None  # made anew by whoever imports it
        return without_names(
            data, self._marks, is_journal=is_journal and not self.scope.has_private
        )

    def _noted(self, path: str, data: bytes) -> ExportFile:
        self.members.append(Member(path, digest_of(data), len(data)))
        return ExportFile(path, data)

    def _note_counts(self) -> None:
        pages = counted(self.private_pages, "private page")
        entries = counted(self.private_entries, "private entry", "private entries")
        hidden = [pages] * bool(self.private_pages) + [entries] * bool(self.private_entries)
        if hidden:
            self.notes.append(f"{' and '.join(hidden)} left out")
        paths = [member.path for member in self.members]
        odd = [path for path in paths if why_unsafe(path)]
        odd += [path for group in colliding(paths) for path in group]
        if odd:
            more = f" and {len(odd) - 1} more" if len(odd) > 1 else ""
            self.notes.append(
                f"an import will refuse this export for its file names: {odd[0]}{more}; "
                "memwiki check names them"
            )


def _is_snapshot(path: str, data: bytes) -> bool:
    return path == SNAPSHOT and data.startswith(SNAPSHOT_MARK.encode())


def _belongs(path: str) -> bool:
    """Whether a file is part of a workspace: no hidden one, none of an export that was unpacked."""
    name = path.rpartition("/")[2]
    is_hidden = name.startswith(".") and not is_page_name(name) and name not in DOT_FILES
    return not is_hidden and path not in (MANIFEST_NAME, USAGE_NAME)


class Member(NamedTuple):
    """One file of an export."""

    path: str
    digest: str
    size: int


class ExportScope(NamedTuple):
    """What an export is meant to hold."""

    filters: Mapping[str, str]  # those that were given, as `list` takes them
    has_private: bool

    def fields(self) -> dict[str, object]:
        """As JSON."""
        return {MARK: VERSION, "filters": dict(self.filters), "private": self.has_private}


def line(fields: JsonObject) -> bytes:
    """Fields as one line of JSON, always with the same bytes."""
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def manifest(scope: ExportScope, members: Sequence[Member], rest: JsonObject) -> bytes:
    """The manifest of an archive."""
    files = [{"path": e.path, "digest": e.digest, "bytes": e.size} for e in members]
    fields = {**scope.fields(), **rest, "files": files}
    return json.dumps(fields, ensure_ascii=False, indent=1).encode() + b"\n"


def read_manifest(name: str, data: bytes) -> JsonObject:
    """The fields of a manifest, or of the first line of an export in lines."""
    fields = fields_of(name, data)
    version = fields.get(MARK)
    if not isinstance(version, int) or version > VERSION:
        raise UsageError(
            f"{name}: is an export of version {version}, which is not known here",
            "import it with a newer memwiki",
        )
    return fields


def is_whole(fields: JsonObject) -> bool:
    """Whether what a manifest speaks of is all of a workspace."""
    return fields.get("filters") == {}


def fields_of(name: str, data: bytes) -> JsonObject:
    """A JSON object; UnreadableError when it is none."""
    try:
        fields = json.loads(data.decode())
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise UnreadableError(
            f"{name}: is not what an export says there; nothing was imported", "get the export anew"
        )
    return fields
