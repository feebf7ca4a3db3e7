"""The shared index, as rows."""

from __future__ import annotations

from memwiki.answers.share import Dropped, FeedReport, ShareScript, ShareStatus
from memwiki.clock import local_time
from memwiki.numbers import counted
from memwiki.present.rows import Rows, Words, rows_of


@rows_of.register
def feed_rows(answer: FeedReport) -> Rows:
    """What one feed did."""
    changed = f"{answer.added} added, {answer.modified} modified, {answer.removed} removed"
    texts = " with texts" if answer.texts else ""
    vectors = f" and {counted(answer.vectors, 'unit')} with vectors" if answer.vectors else ""
    pages = counted(answer.pages, "page")
    yield Words(f"{answer.name}: {pages}{texts}{vectors}; {changed} ({answer.seconds:.2f} s)")


@rows_of.register
def share_status_rows(answer: ShareStatus) -> Rows:
    """The workspaces of a shared index."""
    for each in answer.workspaces:
        state = "being fed" if each.fresh or each.feeding else "not being fed"
        seen = f", looked at {local_time(each.scanned_at)}" if each.scanned_at else ""
        texts = ", with texts" if each.texts else ""
        yield Words(f"{each.name}: {state}{seen}{texts}; read by {each.reader}")


@rows_of.register
def dropped_rows(answer: Dropped) -> Rows:
    """A workspace that is gone."""
    yield Words(f"{answer.name}: nothing of it is shared any more")


@rows_of.register
def script_rows(answer: ShareScript) -> Rows:
    """The SQL as it is."""
    yield Words(answer.sql)
