"""One sync: what it is asked, and what it finds and does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from memwiki.answers.index import Changes, Rename
from memwiki.clock import now_ns
from memwiki.errors import MemwikiError, NotFoundError, UnreadableError, UnsafePathError
from memwiki.files.read import HiddenError, contents, digest_in, is_proof
from memwiki.index.projection import Progress, Put
from memwiki.index.units import NOTHING, ExistingUnits
from memwiki.markdown.stretches import HeldPage
from memwiki.nouns import Signature
from memwiki.records import NamedTuple, grouped
from memwiki.sync.context import IndexSettings

if TYPE_CHECKING:
    from memwiki.markdown.outline import Outlines

UNREAD = ""  # the digest of a new file before it is read


class Unread(NamedTuple):
    """Why a file could not be read."""

    is_missing: bool
    message: str
    withheld: tuple[Signature, bool] | None = None  # of a private page that is not seen here


Prepared: TypeAlias = "Put | Unread"


class SyncRequest(NamedTuple):
    """What one sync was asked to do: `only` these paths, reading all of them (`full`), taking
    removals as meant (`force`)."""

    only: frozenset[str] = frozenset()
    full: bool = False
    force: bool = False
    git_head: str = ""
    progress: Progress | None = None
    outlines: Outlines | None = None  # of pages that are known to be as they are there
    workers: int = 1  # processes that read pages, where there are many; 0 for one a core

    def covers(self, path: str) -> bool:
        """Whether a path is among those asked about."""
        if not self.only or path in self.only or "" in self.only:
            return True
        return any(path[:at] in self.only for at, sign in enumerate(path) if sign == "/")


class SyncRun:
    """One sync as it goes: what the files are, and what became of them."""

    def __init__(self, wanted: Mapping[str, str] | None = None, why_kept: str = "") -> None:
        self.wanted = dict(wanted or {})  # path -> digest the index shall hold
        self.signatures: dict[str, tuple[Signature, bool]] = {}
        self.withheld: dict[str, tuple[Signature, bool]] = {}
        self.failed: dict[str, str] = {}  # path -> why it could not be read
        self.added: list[str] = []
        self.modified: list[str] = []
        self.removed: list[str] = []
        self.gone: dict[str, str] = {}  # path -> digest it had
        self.why_kept = why_kept  # why pages that are missing on disk were kept
        self.beside = 0  # pages in folders that are as they were, which are in no list here

    @property
    def count(self) -> int:
        """How many pages the index shall hold."""
        return len(self.wanted) + self.beside

    @property
    def is_change(self) -> bool:
        """Whether any page came, changed or went."""
        return bool(self.added or self.modified or self.removed)

    def read_digest(self, root: Path, path: str) -> None:
        """Find the digest of a file as it is now."""
        checked_ns = now_ns()
        try:
            digest, signature = digest_in(root, path)
        except HiddenError as error:
            self.wanted.pop(path, None)
            self.withheld[path] = (error.signature, is_proof(error.signature, checked_ns))
        except NotFoundError:
            self.wanted.pop(path, None)  # gone since the walk
        except (UnreadableError, UnsafePathError) as error:
            self.failed[path] = error.message  # what was indexed stays: unreadable is not deleted
        else:
            self.wanted[path] = digest
            self.signatures[path] = (signature, is_proof(signature, checked_ns))

    def take(self, path: str, found: Prepared) -> Put | None:
        """Note what became of a file that was to be taken in; gives what the stores take in."""
        if isinstance(found, Put):
            self.signatures.pop(path, None)
            self.wanted[path] = found.page.digest
            return found
        if found.withheld:
            self.withheld[path] = found.withheld
        is_new = self.wanted.get(path) == UNREAD
        if is_new:
            del self.wanted[path]
        if not (is_new and found.is_missing):  # else it is gone since the walk
            self.failed.setdefault(path, found.message)
        return None

    def compare(self, before: Mapping[str, str]) -> None:
        """Find what is to be done, where the index held these digests."""
        self.added = sorted(path for path in self.wanted if path not in before)
        self.removed = sorted(path for path in before if path not in self.wanted)
        self.gone = {path: before[path] for path in self.removed}
        self.modified = sorted(p for p, d in self.wanted.items() if before.get(p, d) != d)

    def changes(self) -> Changes:
        """What became of the files, as it is answered."""
        reasons = [f"{path}: {why}" for path, why in list(self.failed.items())[:3]]
        return Changes(
            added=tuple(self.added),
            modified=tuple(self.modified),
            removed=tuple(self.removed),
            failed=tuple(sorted(self.failed)),
            fresh=not (self.why_kept or self.failed),
            reason="; ".join(filter(None, [self.why_kept, *reasons])),
            renamed=tuple(self._renamed()) if self.removed else (),
        )

    def _renamed(self) -> Iterator[Rename]:
        """What went and came with the same bytes; of equal ones each once."""
        removed = reversed(self.removed)
        by_digest = grouped((self.gone.get(path, UNREAD), path) for path in removed)
        for path in self.added:
            olds = by_digest.get(self.wanted.get(path, UNREAD) or UNREAD)
            if olds and self.wanted[path]:
                yield Rename(olds.pop(), path)


def prepared(
    root: Path,
    path: str,
    settings: IndexSettings,
    known: ExistingUnits = NOTHING,
    outlines: Outlines | None = None,
) -> Prepared:
    """A file as it is now, as the stores take it in, or why it cannot be read."""
    checked_ns = now_ns()
    try:
        found, signature = contents(root, path, settings.max_bytes)
    except HiddenError as error:
        origin = (error.signature, is_proof(error.signature, checked_ns))
        return Unread(is_missing=True, message=error.message, withheld=origin)
    except MemwikiError as error:
        return Unread(isinstance(error, NotFoundError), error.message)
    from memwiki.index.prepare import take_in  # 40 ms that a sync with nothing to do does not have
    from memwiki.markdown.outline import last_of_digest

    origin = (signature, is_proof(signature, checked_ns))
    once = outlines.once if outlines else None
    was = last_of_digest(path, known.digest) if known.rows else None
    before = HeldPage(was, [*known.one_line_runs()]) if was else None
    setting = settings.layers, settings.max_bytes
    return take_in(path, found, *setting, origin, known, once, before).release()
