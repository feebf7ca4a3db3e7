"""Tools that propose operations, show what waits, and hand jobs to an agent's own model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from memwiki.answers.curation import Brief, ProposalView
from memwiki.digest import text_hash
from memwiki.errors import ConflictError, InvalidArgumentsError, ProtectedError, UsageError
from memwiki.nouns import Json
from memwiki.present import as_rows
from memwiki.present.rows import Line, Place, Quote, Row, TextCell, Words
from memwiki.text import tokens
from memwiki.tools.reading import plans_of
from memwiki.tools.table import Call, ToolAnswer
from memwiki.tools.writing import require_writable

_INGEST, _SKILL, _VERIFY = "ingest", "skill", "verify"  # jobs of a source, or of a proposal
_CURATED = ("doubles", "conflicts", "entities", "weak", "relations", "compress", "summaries")
_FRAME = 160  # tokens of what an answer says around a job
_ETAG_BYTES = 8


def job(call: Call, name: str, source: str) -> ToolAnswer:
    """A job whose answer is proposed."""
    brief = _brief(call, name, source)
    last = [f"{brief.portions - 1} more of it wait."] * (brief.portions > 1)
    return _brief_answer(
        call, brief, f"Answer with propose: source {brief.id}, reply the JSON.", *last
    )


def _brief(call: Call, name: str, source: str) -> Brief:
    curation, room = call.ws.curation, call.settings.max_tokens
    if name in _CURATED:
        return curation.curate_brief(name, room=room)
    if name == _SKILL:
        return curation.extract_brief(source, skill=True, room=room)
    if name == _VERIFY:
        if not source:
            raise InvalidArgumentsError("propose: source is missing", "the id of a proposal")
        return curation.verify_brief(source, room=room)
    if name != _INGEST:
        known = ", ".join((_INGEST, _SKILL, _VERIFY, *_CURATED))
        raise InvalidArgumentsError(f"{name[:20]!r}: no such job", f"known: {known}")
    path = call.ws.pages.get(source).path
    keep = partial(curation.keep, call.ws.pages.bytes(path), path)
    require_writable(keep(dry_run=True).edited.paths, call.settings, call.ws.config)
    # The page about it is made where there is none.
    return curation.ingest_brief(keep().text, room=room)


def ask(call: Call) -> ToolAnswer:
    """The passages that recall finds, to be answered from; of an answer, what they say."""
    question, reply, room = call.text("question"), call.text("reply"), call.settings.max_tokens
    # Nothing is counted as recalled until it is answered: what is counted ranks otherwise.
    limit, plans = call.count("limit"), plans_of(call)
    found = call.ws.recall(question, limit=limit, plans=plans, record=False)
    brief = call.ws.curation.ask_brief(found, room=room)
    etag = text_hash(brief.text, _ETAG_BYTES).hex()
    if not reply:
        how = f"Answer with ask: question, plan and limit as now, etag {etag}, reply the JSON."
        return _brief_answer(call, brief, how)
    if call.text("etag") not in ("", etag):
        raise ConflictError("ask: other passages are found now", "ask again without reply")
    answer = call.ws.curation.ask_reply(found, reply, model=call.ws.actor, room=room)
    if not call.settings.is_read_only:
        call.ws.note_recall(question, found)
    from memwiki.present.curation import answer_remarks

    remarks = (Line((TextCell(each),)) for each in answer_remarks(answer))
    return call.answer(answer, [*as_rows(answer), *remarks])


def _brief_answer(call: Call, brief: Brief, *how: str) -> ToolAnswer:
    """Our words, with what is stored between marks. Raises UsageError where one answer does not
    hold it."""
    most, size = call.settings.max_tokens, tokens(brief.text) + _FRAME
    if size > most:
        raise UsageError(
            f"{brief.job}: takes {size:,} tokens", f"raise doors.max_tokens ({most:,})"
        )
    said, rest = brief.text[: brief.prompt_chars], brief.text[brief.prompt_chars :]
    shown, _, form = rest.strip("\n").rpartition("\n\n")
    rows: list[Row] = [*map(Words, said.split("\n")), Quote(shown), *map(Words, form.split("\n"))]
    whole = call._replace(arguments={**call.arguments, "budget": most})
    return whole.answer(brief, [*rows, *map(Words, how)])


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
    if given := call.rows("operations"):
        operations = list(_join_claims(_operation(each, source) for each in given))
        view = call.ws.proposals.propose(operations, source=source)
        return call.answer(view, total=len(view.operations))
    found = call.ws.proposals.lines(source)
    rows = [Quote("\n".join(found.lines), Place(found.source))]
    return call.answer(found, rows, total=len(found.lines))


def _operation(given: Mapping[str, Json], source: str) -> dict[str, Json]:
    """An operation under the names that it has in a proposal."""
    values = dict(given)
    do = str(values.pop("do"))
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


def _join_claims(operations: Iterable[dict[str, Json]]) -> Iterator[dict[str, Json]]:
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
