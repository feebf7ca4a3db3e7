"""What a verb changed, as an answer."""

from __future__ import annotations

from memwiki.records import NamedTuple


class Edited(NamedTuple):
    """The files that a verb changed, or with `dry_run` would change."""

    op: str  # create, update, move, delete ...
    title: str
    paths: tuple[str, ...]
    dry_run: bool = False
    merged: tuple[str, ...] = ()  # files that had changed meanwhile; both changes are in them now
    notes: tuple[str, ...] = ()  # what the person should know: a twin, links left dangling
    details: tuple[str, ...] = ()  # what the journal says of it, such as how many links changed
    diff: str = ""  # with `dry_run`: what would change
    fresh: bool = True
