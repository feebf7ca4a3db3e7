"""What feeding a shared index did, and how it stands, as answers."""

from __future__ import annotations

from memwiki.records import NamedTuple


class FeedReport(NamedTuple):
    """What one feed of a workspace did."""

    name: str
    pages: int
    added: int
    modified: int
    removed: int
    texts: bool  # the texts of the pages are shared, too
    vectors: int  # units that have one there
    seconds: float


class SharedWorkspaceRow(NamedTuple):
    """A workspace of the shared index; `fresh` while its feeder is at work."""

    name: str
    fresh: bool
    feeding: bool  # a feed that takes long is under way
    fed_at: str  # when its content changed last
    scanned_at: str  # when its files were looked at last
    fed_by: str
    generation: int
    texts: bool
    reader: str  # the role that may read it


class ShareStatus(NamedTuple):
    """The workspaces of the shared index that may be read."""

    workspaces: tuple[SharedWorkspaceRow, ...]


class Dropped(NamedTuple):
    """A workspace of which the shared index keeps nothing any more."""

    name: str


class ShareScript(NamedTuple):
    """SQL that makes the tables, and the roles that people are granted."""

    sql: str
