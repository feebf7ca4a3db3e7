"""Tools that propose operations for review, and show what waits for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from memwiki.errors import InvalidArgumentsError, ProtectedError
from memwiki.nouns import Json
from memwiki.present.rows import Place, Quote
from memwiki.tools.changes import require_writable
from memwiki.tools.jobs import job

if TYPE_CHECKING:
    from memwiki.answers.proposals import ProposalView
    from memwiki.tools.table import Call, ToolAnswer

_MAX_DIGITS = 9  # of a number of an operation
_NAMES = {
    "summarise": "summarise_session",
    "skill": "record_skill",
    "page": "add_page",
    "claim": "add_claims",
    "contradiction": "note_contradiction",
}


def propose(call: Call) -> ToolAnswer:
    """Keep operations for review, or give the lines that they can cite; give what is to be answered
    of a job, or take its reply."""
    source = call.text("source")
    if name := call.text("job"):
        return job(call, name, source)
    if not source:
        raise InvalidArgumentsError("propose: source is missing", "a session, a page, or a job")
    if reply := call.text("reply"):
        view = call.ws.curation.reply(source, reply, model=call.ws.actor)
        return call.answer(view, total=len(view.operations))
    given = cast("list[Mapping[str, Json]] | None", call.arguments.get("operations"))
    if given:
        operations = list(_joined(_operation(each, source) for each in given))
        view = call.ws.proposals.propose(operations, source=source)
        return call.answer(view, total=len(view.operations))
    found = call.ws.proposals.lines(source)
    rows = [Quote("\n".join(found.lines), Place(found.source))]
    return call.answer(found, rows, total=len(found.lines))


def _operation(given: Mapping[str, Json], source: str) -> dict[str, Json]:
    """An operation under the names that it has in a proposal."""
    do = str(given["do"])
    values: dict[str, Json] = {}
    values |= {name: value for name, value in given.items() if value is not None and name != "do"}
    if do == "summarise":
        text, steps = values.pop("text", None), values.pop("steps", [])
        sentences = steps if isinstance(steps, list) else [steps]
        values |= {"session": source, "sentences": [each for each in (text, *sentences) if each]}
    if do == "skill":
        values["name"] = values.pop("text", "")
    if do in ("page", "claim"):
        values["claims"] = [{"text": values.pop("text", ""), "lines": values.pop("lines", [])}]
    if do == "page":
        values["title"] = values.pop("page", "")
    return {"do": _NAMES.get(do, f"{do}_entry"), **values}


def _joined(operations: Iterable[dict[str, Json]]) -> Iterator[dict[str, Json]]:
    """The operations, where claims that follow one another on one page are one."""
    last: dict[str, Json] = {}
    for each in operations:
        claims, known = each.get("claims"), last.get("claims")
        is_more = _page_of(each) == _page_of(last) and each["do"] in ("add_claims", last.get("do"))
        if isinstance(claims, list) and isinstance(known, list) and is_more:
            known += claims
            continue
        if last:
            yield last
        last = each
    if last:
        yield last


def _page_of(operation: Mapping[str, Json]) -> Json:
    return operation.get("title") or operation.get("page")


def review(call: Call) -> ToolAnswer:
    """Show what waits, or one proposal; decide where the door was opened for that."""
    id_, proposals = call.text("id"), call.ws.proposals
    accept, reject = (list(_numbers(call.texts(name))) for name in ("accept", "reject"))
    if not id_:
        found = proposals.list(limit=call.count("limit"))
        return call.answer(found, total=found.total)
    view = proposals.get(id_)
    if not (accept or reject):
        return call.answer(view, total=len(view.operations))
    _require_allowed(call, view, accept)
    if accept:
        shown = proposals.decide(id_, accept=accept, dry_run=True)
        require_writable(shown.edited.paths, call.settings, call.ws.config)
    return call.answer(proposals.decide(id_, accept=accept, reject=reject))


def _numbers(texts: Iterable[str]) -> Iterator[int]:
    for each in texts:
        if not each.strip().isdecimal() or len(each) > _MAX_DIGITS:
            raise InvalidArgumentsError(f"{each[:20]}: is no number", "such as 1")
        yield int(each)


def _require_allowed(call: Call, view: ProposalView, accept: list[int]) -> None:
    """Refuse to decide for the person where the door was not opened for that, or where a person has
    to look."""
    if not call.settings.may_accept:
        raise ProtectedError(
            "review: the person decides what is accepted",
            "memwiki review",
        )
    for each in view.operations:
        if each.n in accept and (each.flags or each.state != "open"):
            why = ", ".join(each.flags) or each.state
            raise ProtectedError(f"review: operation {each.n}: {why}", "memwiki review")
