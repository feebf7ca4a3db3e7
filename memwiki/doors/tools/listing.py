"""Tools that list: links, status, history, entities, sessions."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from memwiki.answers.graph import GraphAnswer
from memwiki.doors.tools.packing import Freshness, Listing, Part
from memwiki.doors.tools.reading import hidden_from, names_hidden, require_open
from memwiki.doors.tools.units import message_part, row, title, words
from memwiki.errors import private_error
from memwiki.fence import inside, opening

if TYPE_CHECKING:
    from memwiki.answers.graph import GraphNode
    from memwiki.doors.tools.table import Answer, Call
    from memwiki.model import LinkRow

_SAYS_PRIVATE = re.compile(r"private\s*::|^private\s*:", re.IGNORECASE | re.MULTILINE)


def links(call: Call) -> Answer:
    """Links of a page, what is around it, or the way from it to another."""
    name, relation = call.text("name"), call.text("relation")
    if to := call.text("to"):
        return _graph(call, call.ws.graph.path(name, to, relation=relation).nodes)
    depth = call.count("depth")
    if depth > 1:
        return _graph(call, call.ws.graph.around(name, depth, relation=relation).nodes)
    graph, hidden = call.ws.graph, hidden_from(call)
    require_open(call.ws.pages.get(name, lines=(1, 1)).path, hidden)
    is_unresolved = call.text("direction") == "unresolved"
    found = graph.unresolved(name) if is_unresolved else graph.links(name, call.text("direction"))
    seen = [
        each
        for each in found.links
        if not (hidden.hides(each.source, each.line, each.line) or each.target in hidden.pages)
        and relation in ("", each.relation)
    ]
    shown = tuple(seen[: call.count("limit")])
    listing = Listing(list(map(_link_row, shown)), Freshness(found.fresh), len(seen))
    return call.answer(listing, replace(found, links=shown))


def _link_row(link: LinkRow) -> Part:
    anchor = f"#^{link.target_id}" if link.target_id else ""
    arrow = f"-{title(link.relation) or 'links'}->"
    target = f"{link.target}{anchor}" if link.target else link.written
    return row(link.source, arrow, target, f"({link.line}, {link.status})")


def _graph(call: Call, nodes: tuple[GraphNode, ...]) -> Answer:
    hidden = hidden_from(call)
    seen = [each for each in nodes if not hidden.hides(each.path, each.line, each.line)]
    shown = tuple(seen[: call.count("limit")])
    rows = [row(str(each.distance), each.end, each.name, f"({each.kind})") for each in shown]
    return call.answer(Listing(rows, total=len(seen)), GraphAnswer(shown, ()))


# --- status ---


def status(call: Call) -> Answer:
    """Counts and freshness, problems, or the journal."""
    return {"overview": _overview, "check": _check, "log": _log}[call.text("what")](call)


def _overview(call: Call) -> Answer:
    hidden = hidden_from(call)  # which syncs: counts are those of now
    if path := call.text("path"):
        why = call.ws.index.why(path)
        require_open(why.path, hidden)
        parts = [row("found" if why.found else "not found", why.reason)]
        parts += [row(f"{each.line}: {each.message} [{each.code}]") for each in why.problems]
        return call.answer(Listing(parts), why)
    found = call.ws.index.status()
    counts = ("pages", "entries", "sections", "links", "tags", "problems", "ignored")
    parts = [words(", ".join(f"{getattr(found, name):,} {name}" for name in counts))]
    due = found.upkeep.due
    parts += [words(f"upkeep is due: {due}")] if due else []
    parts += [words(f"last upkeep: {found.upkeep.last.at}")] if found.upkeep.last else []
    state = Freshness(found.fresh, found.pending, found.reason)
    return call.answer(Listing(parts, state), found)


def _check(call: Call) -> Answer:
    hidden = hidden_from(call)
    found = call.ws.check.run(tuple(filter(None, [call.text("path")])))
    seen = (
        each
        for each in found.problems
        if not (hidden.hides(each.path, each.line, each.line) or names_hidden(each.message, hidden))
    )
    shown = tuple(islice(seen, call.count("limit")))
    rows = [row(f"{each.path}:{each.line}: {each.message} [{each.code}]") for each in shown]
    listing = Listing(rows, Freshness(found.fresh, None, found.reason), len(found.problems))
    return call.answer(listing, replace(found, problems=shown))


def _log(call: Call) -> Answer:
    hidden = hidden_from(call)
    found = call.ws.journal.list(since=call.text("since"))
    seen = [
        each
        for each in found.entries
        if not any(names_hidden(said, hidden) for said in (each.title, *each.notes))
    ]
    shown = tuple(seen[: call.count("limit")])
    rows = [row(each.day, each.op, each.title, *each.notes) for each in shown]
    return call.answer(Listing(rows, total=len(seen)), replace(found, entries=shown))


# --- history, entities, sessions ---


def history(call: Call) -> Answer:
    """The commits of a page, or the page as it was."""
    name, at = call.text("name"), call.text("at")
    require_open(call.ws.pages.get(name, lines=(1, 1)).path, hidden_from(call))
    if at:
        then = call.ws.pages.show(name, at=at)
        if not call.settings.has_private and _SAYS_PRIVATE.search(then.text):
            raise private_error(then.path)
        fence = opening(path=then.path, date=then.date, rev=then.rev[:12])
        return call.answer(Listing([Part(inside(then.text), fence)]), then)
    found = call.ws.pages.history(name, limit=call.count("limit"))
    rows = [row(each.rev[:12], each.date[:10], each.author, each.subject) for each in found]
    return call.answer(Listing(rows, total=len(rows), is_exact=found.complete), found)


def entities(call: Call) -> Answer:
    """What entries are about, or pairs that may be one."""
    hidden, limit = hidden_from(call), call.count("limit")
    if call.text("action") == "list":
        found = call.ws.entries.entities(call.text("a"), limit=limit + len(hidden.pages))
        known = tuple(each for each in found.entities if each.path not in hidden.pages)[:limit]
        rows = [row(each.name, each.path, each.type, f"{each.entries} entries") for each in known]
        total = max(found.total, len(known))
        return call.answer(
            Listing(rows, Freshness(found.fresh), total), replace(found, entities=known)
        )
    pairs = call.ws.entries.entity_candidates(call.text("a"), limit=limit)
    shown = tuple(
        each for each in pairs.pairs if not {each.entity.path, each.other.path} & hidden.pages
    )
    rows = [row(e.entity.name, e.other.name, f"{e.similarity:.2f}", e.verdict) for e in shown]
    return call.answer(
        Listing(rows, Freshness(pairs.fresh), pairs.total), replace(pairs, pairs=shown)
    )


def session(call: Call) -> Answer:
    """The messages of a session, the last ones."""
    limit = call.count("limit")
    if not call.text("id"):
        found = call.ws.sessions.list(limit=limit)
        hidden = hidden_from(call)
        seen = tuple(each for each in found.sessions if each.path not in hidden.pages)
        rows = [row(each.id, each.path, each.started) for each in seen]
        return call.answer(
            Listing(rows, Freshness(found.fresh), len(rows)), replace(found, sessions=seen)
        )
    view, hidden = call.ws.sessions.get(call.text("id")), hidden_from(call)
    require_open(view.path, hidden)
    seen_messages = [
        each
        for each in view.messages
        if not hidden.hides(each.path, each.line_start, each.line_end)
    ]
    messages = tuple(seen_messages[-limit:])
    listing = Listing([message_part(each) for each in messages], total=len(seen_messages))
    return call.answer(listing, replace(view, messages=messages))
