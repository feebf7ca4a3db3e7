"""Proposals: those that wait, and one with its operations, their diffs and the lines they cite."""

from __future__ import annotations

from starlette.responses import Response

from memwiki.answers.proposals import ProposalView
from memwiki.digest import digest_of
from memwiki.web.pages import page
from memwiki.web.site import WebCall
from memwiki.web.views.upkeep import ETAG_DIGITS


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
