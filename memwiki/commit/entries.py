"""Entries added as one change, judged again where what they were judged by changed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from memwiki.answers.additions import AddReport
from memwiki.change.plan import Plan
from memwiki.commit.carry_out import carry_out
from memwiki.config.schema import REVIEW
from memwiki.errors import ConflictError
from memwiki.files.read import current_bytes
from memwiki.memory import addition
from memwiki.memory.draft import AddOptions, AddRequest
from memwiki.memory.usage import record
from memwiki.sync.live import LiveIndex

_MAX_JUDGEMENTS = 5


def add_entries(
    live: LiveIndex, requests: Sequence[AddRequest], options: AddOptions, *, dry_run: bool
) -> AddReport:
    """Add entries, and count those that repeat one as a use of that. What an agent's would end is
    told as due where the settings say that it is reviewed, as that of a model always is.

    Raises ConflictError when the entries they were judged by change time and again.
    """
    options = options._replace(
        is_reviewed=live.context.config.doors.supersede == REVIEW,
        by_agent=bool(live.context.actor),
    )
    planned = []
    read = partial(current_bytes, live.context.root)

    def make() -> Plan:
        planned.append(ready.plan(read))
        return planned[-1].plan

    for attempt in range(_MAX_JUDGEMENTS):
        ready = addition.prepare(live, requests, options)
        try:
            edited = carry_out(live, make, dry_run=dry_run)
        except ConflictError:  # an entry by which it was judged is gone by now
            if attempt == _MAX_JUDGEMENTS - 1:
                raise
        else:
            break
    report = addition.report(live, ready, planned[-1], edited, options)
    if report.repeated and not dry_run:
        record(live.context, "", [(each, 1.0) for each in report.repeated])
    return report
