"""Tools that list: links, status, history, entities, sessions."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from memwiki.answers.graph import GraphAnswer
from memwiki.doors.tools.packing import Freshness, Listing, Part
from memwiki.doors.tools.units import message_part, row, title, words
from memwiki.fence import inside, opening

if TYPE_CHECKING:
    from memwiki.answers.graph import GraphNode
    from memwiki.doors.tools.table import Answer, Call
    from memwiki.model import LinkRow


def links(call: Call) -> Answer:
    """Links of a page, what is around it, or the way from it to another."""
    name, relation = call.text("name"), call.text("relation")
    if to := call.text("to"):
        return _graph(call, call.ws.graph.path(name, to, relation=relation).nodes)
    depth = call.count("depth")
    if depth > 1:
        return _graph(call, call.ws.graph.around(name, depth, relation=relation).nodes)
    graph = call.ws.graph
    is_unresolved = call.text("direction") == "unresolved"
    found = graph.unresolved(name) if is_unresolved else graph.links(name, call.text("direction"))
    seen = [each for each in found.links if relation in ("", each.relation)]
    shown = tuple(seen[: call.count("limit")])
    listing = Listing(list(map(_link_row, shown)), Freshness(found.fresh), len(seen))
    return call.answer(listing, replace(found, links=shown))


def _link_row(link: LinkRow) -> Part:
    anchor = f"#^{link.target_id}" if link.target_id else ""
    arrow = f"-{title(link.relation) or 'links'}->"
    target = f"{link.target}{anchor}" if link.target else link.written
    return row(link.source, arrow, target, f"({link.line}, {link.status})")


def _graph(call: Call, nodes: tuple[GraphNode, ...]) -> Answer:
    shown = nodes[: call.count("limit")]
    rows = [row(str(each.distance), each.end, each.name, f"({each.kind})") for each in shown]
    return call.answer(Listing(rows, total=len(nodes)), GraphAnswer(shown, ()))


# --- status ---


def status(call: Call) -> Answer:
    """Counts and freshness, problems, or the journal."""
    return {"overview": _overview, "check": _check, "log": _log}[call.text("what")](call)


def _overview(call: Call) -> Answer:
    if path := call.text("path"):
        why = call.ws.index.why(path)
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
    paths = tuple(filter(None, [call.text("path")]))
    found = call.ws.check.run(paths, progress=call.progress)
    shown = tuple(islice(found.problems, call.count("limit")))
    rows = [row(f"{each.path}:{each.line}: {each.message} [{each.code}]") for each in shown]
    rows += [] if found.problems else [words("no problems")]
    listing = Listing(rows, Freshness(found.fresh, None, found.reason), len(found.problems))
    return call.answer(listing, replace(found, problems=shown))


def _log(call: Call) -> Answer:
    found = call.ws.journal.list(since=call.text("since"), limit=call.count("limit"))
    rows = [row(each.day, each.op, each.title, *each.notes) for each in found.entries]
    return call.answer(Listing(rows, total=found.total), found)


# --- history, entities, sessions ---


def history(call: Call) -> Answer:
    """The commits of a page, or the page as it was."""
    name, at = call.text("name"), call.text("at")
    if at:
        then = call.ws.pages.show(name, at=at)
        fence = opening(path=then.path, date=then.date, rev=then.rev[:12])
        return call.answer(Listing([Part(inside(then.text), fence)]), then)
    found = call.ws.pages.history(name, limit=call.count("limit"))
    rows = [row(each.rev[:12], each.date[:10], each.author, each.subject) for each in found]
    return call.answer(Listing(rows, total=len(rows), is_exact=found.complete), found)


def entities(call: Call) -> Answer:
    """What entries are about, or pairs that may be one."""
    named, limit = call.text("a"), call.count("limit")
    if call.text("action") == "list":
        found = call.ws.entries.entities(named, limit=limit)
        rows = [row(e.name, e.path, e.type, f"{e.entries} entries") for e in found.entities]
        return call.answer(Listing(rows, Freshness(found.fresh), found.total), found)
    pairs = call.ws.entries.entity_candidates(named, limit=limit)
    rows = [row(e.entity.name, e.other.name, f"{e.similarity:.2f}", e.verdict) for e in pairs.pairs]
    return call.answer(Listing(rows, Freshness(pairs.fresh), pairs.total), pairs)


def session(call: Call) -> Answer:
    """The messages of a session, the last ones."""
    limit = call.count("limit")
    if not call.text("id"):
        found = call.ws.sessions.list(limit=limit)
        rows = [row(each.id, each.path, each.started) for each in found.sessions]
        return call.answer(Listing(rows, Freshness(found.fresh), len(rows)), found)
    view = call.ws.sessions.get(call.text("id"))
    messages = view.messages[-limit:]
    listing = Listing([message_part(each) for each in messages], total=len(view.messages))
    return call.answer(listing, replace(view, messages=messages))
