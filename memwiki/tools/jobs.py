"""Jobs that an agent answers with its own model: what is asked, as an answer that is never cut."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memwiki.digest import text_hash
from memwiki.errors import ConflictError, InvalidArgumentsError, UsageError
from memwiki.present.rows import Line, Quote, Row, TextCell, Words
from memwiki.text import tokens
from memwiki.tools.changes import require_writable
from memwiki.tools.reading import plans_of

if TYPE_CHECKING:
    from memwiki.answers.curation import Brief
    from memwiki.tools.table import Call, ToolAnswer

_INGEST, _SKILL = "ingest", "skill"  # jobs of a source
_CURATED = ("doubles", "conflicts", "entities", "weak", "relations", "compress", "summaries")
_FRAME = 160  # tokens of what an answer says around a job
_ETAG_BYTES = 8


def job(call: Call, name: str, source: str) -> ToolAnswer:
    """A job whose answer is proposed."""
    brief = _brief(call, name, source)
    last = [f"{brief.portions - 1} more of it wait."] * (brief.portions > 1)
    return _asked(call, brief, f"Answer with propose: source {brief.id}, reply the JSON.", *last)


def _brief(call: Call, name: str, source: str) -> Brief:
    curation, room = call.ws.curation, call.settings.max_tokens
    if name in _CURATED:
        return curation.curate_brief(name, room=room)
    if name == _SKILL:
        return curation.extract_brief(source, skill=True, room=room)
    if name != _INGEST:
        known = ", ".join((_INGEST, _SKILL, *_CURATED))
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
        return _asked(call, brief, how)
    if call.text("etag") not in ("", etag):
        raise ConflictError("ask: other passages are found now", "ask again without reply")
    answer = call.ws.curation.ask_reply(found, reply, model=call.ws.actor, room=room)
    if not call.settings.is_read_only:
        call.ws.note_recall(question, found)
    from memwiki.present import as_rows
    from memwiki.present.curation import answer_remarks

    remarks = (Line((TextCell(each),)) for each in answer_remarks(answer))
    return call.answer(answer, [*as_rows(answer), *remarks])


def _asked(call: Call, brief: Brief, *how: str) -> ToolAnswer:
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
