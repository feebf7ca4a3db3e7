"""Tools that find, read and list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, islice
from urllib.parse import unquote

from memwiki.answers.graph import GraphAnswer, GraphNode
from memwiki.answers.pages import Browse, PageView
from memwiki.errors import MemwikiError, NotFoundError, UsageError
from memwiki.options import RecallOptions, SearchOptions, SearchPlan
from memwiki.present import as_rows
from memwiki.present.rows import Line, Row, TitleRow, Words
from memwiki.text import pattern, tokens
from memwiki.tools.packing import AnswerPart, beginning, parts_of
from memwiki.tools.table import Call, ToolAnswer

PAGE_ADDRESS = "memory://page/"  # of a resource
_LINES = pattern(r"\s*L?([0-9]{1,9})(?:\s?[-–,:]\s?L?([0-9]{0,9}))?\s*", re.IGNORECASE)
_LAST = 10**9 - 1
_WAY_IN = "{:,} pages; browse path=FOLDER lists one, what=recent all; read name=NAME gives a page"
_FRAME = 120  # tokens of what stands around the text of a page


def recall(call: Call) -> ToolAnswer:
    """What answers a question, each memory with its id, date and place."""
    from memwiki.present.recall import prompt_rows

    found = call.ws.recall(
        call.text("question"),
        **call.options(RecallOptions),
        plans=plans_of(call),
        record=not call.settings.is_read_only,
    )
    return call.answer(found, prompt_rows(found), total=len(found.hits))


def plans_of(call: Call) -> tuple[SearchPlan, ...]:
    """What an agent wants to be looked for beside its question."""
    return tuple(SearchPlan(**each) for each in call.rows("plan"))


def search(call: Call) -> ToolAnswer:
    """Hits, each with its place and excerpt."""
    from memwiki.present.recall import remarks

    limit, offset = call.count("limit"), call.count("offset")
    asked = {**call.options(SearchOptions), "limit": limit + offset}
    found = call.ws.search(call.text("query"), **asked)
    shown = found._replace(hits=tuple(found.hits[offset : offset + limit]))
    rows = [*map(Words, remarks(found)), *as_rows(shown)]
    return call.answer(shown, rows, total=found.total, offset=offset, is_exact=found.total_exact)


def browse(call: Call) -> ToolAnswer:
    """The way in, or a list of pages, memories or tags, with the lines of a catalog."""
    offset = call.count("offset")
    found = call.ws.browse(
        call.text("path"),
        call.text("type"),
        call.text("tag"),
        call.text("what"),
        call.text("since"),
        limit=call.count("limit"),
        offset=offset,
    )
    is_chosen = found.path or any(call.text(each) for each in ("type", "tag", "since"))
    if found.what == "pages" and not is_chosen:
        return call.answer(found, [Words(_WAY_IN.format(found.total)), *_section_rows(found, "")])
    rows = _section_rows(found, found.what.capitalize())
    return call.answer(found, rows, total=found.total, offset=offset)


def _section_rows(found: Browse, counted: str) -> Iterator[Row]:
    """The sections, of which one is counted: beside the pages of a folder are folders."""
    title = ""
    for row in as_rows(found):
        title = row.text if isinstance(row, TitleRow) else title
        yield row._replace(is_item=title == counted) if isinstance(row, Line) else row


# --- read ---


def read(call: Call) -> ToolAnswer:
    """A page, a section, some lines, or an entry; a page by its address, too."""
    name, section, lines = call.text("name"), call.text("section"), _lines(call.text("lines"))
    if name.startswith(PAGE_ADDRESS):
        name = unquote(name.removeprefix(PAGE_ADDRESS))
    try:
        page = call.ws.pages.get(name, section=section, lines=lines)
    except NotFoundError as error:
        if section or lines:
            raise
        return _entry(call, name, error)
    return _page(call, page)


def _page(call: Call, page: PageView) -> ToolAnswer:
    *about, body = (part for row in as_rows(page) for part in parts_of(row))
    heads = [body.fence]
    for fence, group in groupby(about, lambda part: part.fence):
        heads.append("\n".join(part.text for part in group) + fence)
    room = call.budget - _FRAME - tokens(call.note) - sum(map(tokens, heads))
    offset = min(call.count("offset"), len(body.text))
    shown = beginning(body.text[offset:], max(room, _FRAME // 4))
    parts: list[Row | AnswerPart] = [*about, body._replace(text=shown)]
    if left := len(body.text) - offset - len(shown):
        on = offset + len(shown)
        parts.append(Words(f"cut at {call.budget:,} tokens: {left:,} more characters; offset={on}"))
    if not shown and offset:
        parts.append(Words(f"the text ends before: it has {offset:,} characters"))
    return call.answer(page._replace(text=shown), parts)


def _entry(call: Call, name: str, missing: MemwikiError) -> ToolAnswer:
    try:
        return call.answer(call.ws.entries.get(name))
    except NotFoundError:
        raise missing from None


def _lines(text: str) -> tuple[int, int] | None:
    if not text:
        return None
    match = _LINES.fullmatch(text)
    said = match.groups(match[1]) if match else (0, 0)
    first, last = int(said[0]), int(said[1] or _LAST)  # "5-" goes to the end
    if not 1 <= first <= last:
        raise UsageError(f"lines: {text[:40]} are no lines", 'for example "10-40"')
    return first, last


# --- links ---


def links(call: Call) -> ToolAnswer:
    """Links of a page, what is around it, or the way from it to another."""
    name, relation = call.text("name"), call.text("relation")
    graph, depth = call.ws.graph, call.count("depth")
    if to := call.text("to"):
        return _nodes(call, graph.path(name, to, relation=relation).nodes, "to")
    if depth > 1:
        return _nodes(call, graph.around(name, depth, relation=relation).nodes, "depth")
    is_unresolved = call.text("direction") == "unresolved"
    found = graph.unresolved(name) if is_unresolved else graph.links(name, call.text("direction"))
    seen = [each for each in found.links if relation in ("", each.relation)]
    return call.answer(found._replace(links=tuple(seen[: call.count("limit")])), total=len(seen))


def _nodes(call: Call, nodes: tuple[GraphNode, ...], chosen_by: str) -> ToolAnswer:
    found = GraphAnswer(nodes[: call.count("limit")], ())
    is_one_way = call.text("direction") != "both"
    passed_over = [Words(f"with {chosen_by} links of both directions count")] * is_one_way
    return call.answer(found, [*passed_over, *as_rows(found)], total=len(nodes))


# --- status, history ---


def status(call: Call) -> ToolAnswer:
    """Counts and freshness, problems, or the journal."""
    return {"overview": _overview, "check": _check, "log": _log}[call.text("what")](call)


def _overview(call: Call) -> ToolAnswer:
    path = call.text("path")
    return call.answer(call.ws.index.why(path) if path else call.ws.index.status())


def _check(call: Call) -> ToolAnswer:
    paths = tuple(filter(None, [call.text("path")]))
    found = call.ws.check.run(paths, progress=call.progress)
    shown = tuple(islice(found.problems, call.count("limit")))
    return call.answer(found._replace(problems=shown), total=len(found.problems))


def _log(call: Call) -> ToolAnswer:
    found = call.ws.journal.list(since=call.text("since"), limit=call.count("limit"))
    return call.answer(found, total=found.total)


def history(call: Call) -> ToolAnswer:
    """The commits of a page, or the page as it was."""
    name, at = call.text("name"), call.text("at")
    if at:
        return call.answer(call.ws.pages.show(name, at=at))
    found = call.ws.pages.history(name, limit=call.count("limit"))
    return call.answer(found, total=len(found.versions), is_exact=found.complete)


# --- what the tools of entities and sessions read ---


def entities(call: Call) -> ToolAnswer:
    """What entries are about, or pairs that may be one."""
    entries, is_list = call.ws.entries, call.text("action") == "list"
    verb = entries.entities if is_list else entries.entity_candidates
    found = verb(call.text("a"), limit=call.count("limit"))
    return call.answer(found, total=found.total)


def session(call: Call) -> ToolAnswer:
    """The messages of a session, the last ones, or all sessions."""
    limit, id_ = call.count("limit"), call.text("id")
    if not id_:
        found = call.ws.sessions.list(limit=limit)
        return call.answer(found, total=found.total)
    view = call.ws.sessions.get(id_)
    shown = view._replace(messages=view.messages[-limit:])
    return call.answer(shown, total=len(view.messages))
