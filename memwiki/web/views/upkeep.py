"""What waits: proposals with their operations, what is wrong and how it is fixed, and what was done
and how it is taken back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import islice

from starlette.responses import Response

from memwiki.aio.workers import Steps
from memwiki.answers.check import CheckReport
from memwiki.answers.curation import ProposalView
from memwiki.answers.edits import Edited
from memwiki.answers.pages import LogEntry
from memwiki.digest import digest_of
from memwiki.errors import MemwikiError
from memwiki.web.pages import page, page_when_made
from memwiki.web.site import WebCall

_SHOWN_PROBLEMS = 200
_SHOWN_LOG = 100
ETAG_DIGITS = 16


def etag_of(diff: str) -> str:
    """What names a change that was shown, for whoever lets it be made."""
    return digest_of(diff.encode())[:ETAG_DIGITS]


async def check(call: WebCall) -> Response:
    """Findings by rule; with `fix` the diff that fixing those of a rule would make."""
    return await page_when_made("check-report.html", call, title="Check", make=_report)


def _report(call: WebCall, steps: Steps) -> Mapping[str, object]:
    only = call.query.get("only", "")
    report = call.workspace.check.run(only=[only] if only else (), progress=steps.note)
    counts = Counter((each.severity, each.code, each.fixable) for each in report.problems)
    fix = fixing(call, report) if "fix" in call.query and only else None
    return {
        "report": report,
        "only": only,
        "rules": sorted(counts.items(), key=lambda row: (row[0][0] != "error", -row[1], row[0][1])),
        "problems": list(islice(report.problems, _SHOWN_PROBLEMS)) if only else [],
        "fix": fix,
        "etag": etag_of(fix.diff) if fix else "",
    }


def fixing(call: WebCall, report: CheckReport) -> Edited:
    """What fixing would change; nothing is written."""
    return call.workspace.check.fix(report, dry_run=True)


def log(call: WebCall) -> Response:
    """The journal; with `undo` the diff that taking back the last change would make."""
    undo, why = None, ""
    if "undo" in call.query:
        try:
            undo = call.workspace.undo(dry_run=True, guard=only_own(call))
        except MemwikiError as error:
            why = error.message
    return page(
        "log.html",
        call,
        title="Log",
        entries=_journal(call),
        undo=undo,
        why=why,
        etag=etag_of(undo.diff) if undo else "",
    )


def only_own(call: WebCall) -> Callable[[str, bool], None]:
    """Refuses to take back, or to show, what was done to another namespace."""
    return lambda path, _: call.workspace.namespaces.require_own(path)


def _journal(call: WebCall) -> tuple[LogEntry, ...] | None:
    """What was noted last; None where the workspace keeps no journal."""
    with suppress(MemwikiError):
        return call.workspace.journal.list(limit=call.number("limit", _SHOWN_LOG, 2_000)).entries
    return None


def waiting(call: WebCall) -> Response:
    """The proposals that wait for somebody, and what is in the inbox."""
    shows_all = "all" in call.query
    found = call.workspace.proposals.list(all=shows_all, limit=200)
    staged = call.workspace.entries.list(status="staged", limit=100)
    return page(
        "review.html", call, title="Review", found=found, staged=staged, shows_all=shows_all
    )


def proposal(call: WebCall) -> Response:
    """One proposal."""
    found = call.workspace.proposals.get(call.params["id"])
    undecided = [each.n for each in found.operations if each.state in ("open", "aside", "stale")]
    return page(
        "proposal.html",
        call,
        title=f"Review {found.id}",
        found=found,
        undecided=undecided,
        etag=etag_of_proposal(found),
    )


def etag_of_proposal(found: ProposalView) -> str:
    """What names a proposal in the state in which it was shown."""
    states = "\n".join(f"{each.n} {each.state} {each.text}" for each in found.operations)
    return digest_of(f"{found.id}\n{states}".encode())[:ETAG_DIGITS]
