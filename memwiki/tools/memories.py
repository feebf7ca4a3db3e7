"""Tools that write memories: add, update, forget, relate, entities, and those of the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from memwiki.answers.entries import EntryView
from memwiki.answers.pages import Edited
from memwiki.entry_fields import MODEL, FieldUse, field_text, tool_fields
from memwiki.errors import (
    AmbiguousError,
    ConflictError,
    InvalidArgumentsError,
    NeedsModelError,
    NotFoundError,
)
from memwiki.present import as_rows
from memwiki.present.entries import entry_row
from memwiki.present.rows import Row, StoredPassage
from memwiki.tools import reading
from memwiki.tools.table import Call, ToolAnswer
from memwiki.tools.writing import (
    carried_out,
    conflict,
    is_archived,
    require_writable,
    why_protected,
)


def add(call: Call) -> ToolAnswer:
    """Add memories as one change; what resembles or contradicts them is told."""
    rows = tool_fields(FieldUse.SHARED)
    shared = {row.name: value for row in rows if (value := call.arguments.get(row.name))}
    return _add_answer(call, [{**each, **shared} for each in call.rows("memories")])


def _add_answer(call: Call, asked: list[dict[str, Any]]) -> ToolAnswer:
    usual = {"origin": "agent", "staged": True} if call.settings.is_staged else {"origin": "agent"}
    requests = [{**each, **usual} for each in asked]
    if _may_reach_protected(call):
        shown = call.ws.entries.add_all(requests, dry_run=True)
        require_writable(shown.edited.paths, call.settings, call.ws.config)
    report = call.ws.entries.add_all(requests)
    rows = list(as_rows(report))
    return call.answer(report, rows, total=sum(isinstance(row, StoredPassage) for row in rows))


def _may_reach_protected(call: Call) -> bool:
    """Whether entries are on a page that agents leave alone: planning an addition takes as long as
    making it."""
    config = call.ws.config
    pages = (page.path for page in call.ws.pages.list(type="memory").pages)
    homes = filter(None, (config.layers.memory, config.layers.learnings, *pages))
    return bool(call.settings.write) or any(
        why_protected(path, call.settings, config) for path in homes
    )


# --- update, forget ---


def update(call: Call) -> ToolAnswer:
    """Change the words, tags or importance of a memory, or let another take its place."""
    entry = call.ws.entries.get(call.text("id"))
    name = entry.name
    changes = list(_changes(call, entry, name))
    if not changes:
        names = ["tags", *(row.name for row in tool_fields(FieldUse.UPDATE))]
        raise InvalidArgumentsError("update: nothing to change", f"give text, {' or '.join(names)}")
    for change in changes:
        edited = carried_out(call, change)
    now = call.ws.entries.get(entry.id or entry.key or name)
    return call.answer(edited, back=_read_back(call, now))


def _changes(call: Call, entry: EntryView, name: str) -> Iterable[Callable[[bool], Edited]]:
    entries, text = call.ws.entries, call.maybe("text")
    if call.flag("supersede"):
        if not text:
            raise InvalidArgumentsError("text: missing (text)", "say what holds now")
        if entry.status == "superseded":
            by = entry.fields.get("superseded_by", "the memory that took its place")
            raise ConflictError(f"{name}: is superseded already", f"update {by}")
        yield lambda dry: entries.supersede(name, text, origin=_origin(entry), dry_run=dry)
        return
    given = [
        (row, value)
        for row in tool_fields(FieldUse.UPDATE)
        if (value := call.arguments.get(row.name)) is not None
    ]
    fields = {row.stored: field_text(row, value) for row, value in given}
    is_other = text is not None and text.strip() != entry.text.strip()
    # A field that the entry does not say is compared with what it is judged to be.
    known = (getattr(entry, row.name, entry.fields.get(row.stored)) for row, _ in given)
    if is_other or [value for _, value in given] != list(known):
        words_now = text if is_other else None
        if is_other:
            fields["origin"] = _origin(entry)
        yield lambda dry: entries.update(name, words_now, fields=fields, dry_run=dry)
    elif text is not None or fields:
        yield partial(_unchanged, entry)
    if "tags" in call.arguments:
        yield lambda dry: entries.set_tags(name, call.texts("tags"), dry_run=dry)


def _origin(entry: EntryView) -> str:
    """Whose words a memory has once an agent changed it; what came from outside, or of a model,
    still did."""
    return entry.origin if entry.origin in ("web", "tool", MODEL) else "agent"


def _unchanged(_entry: EntryView, is_dry_run: bool) -> Edited:
    return Edited("update", "nothing to change", (), dry_run=is_dry_run)


def _read_back(call: Call, now: EntryView) -> Iterator[Row]:
    """The memory as it is now; of one that is superseded, first what took its place."""
    if call.flag("supersede"):
        by = now.fields.get("superseded_by", "").lstrip("^")
        with suppress(NotFoundError):
            yield entry_row(call.ws.entries.get(by))
        yield entry_row(now, "struck out")
    else:
        yield entry_row(now)


def forget(call: Call) -> ToolAnswer:
    """Take a memory out of its page, or a page into the archive."""
    name, etag = call.text("name"), call.text("etag")
    entry, path = _entry_named(call, name), _page_named(call, name)
    if entry and path:
        raise AmbiguousError(
            f"{name[:80]}: names a memory and a page",
            "give the id of the memory or the path of the page",
            candidates=(entry.name, path),
        )
    ws = call.ws
    if entry:
        forgotten = partial(ws.entries.delete, entry.name, expect=etag)
        path = entry.path
    else:
        path = path or ws.pages.get(name).path
        require_writable([path], call.settings, ws.config)
        forgotten = partial(ws.pages.delete, path, expect=etag)
    try:
        edited = carried_out(call, lambda dry: forgotten(dry_run=dry), is_free=is_archived(call))
    except ConflictError as error:
        return conflict(call, error, path, "")
    return call.answer(edited)


def _entry_named(call: Call, name: str) -> EntryView | None:
    with suppress(NotFoundError):
        return call.ws.entries.get(name)
    return None


def _page_named(call: Call, name: str) -> str:
    with suppress(NotFoundError):
        return call.ws.pages.get(name, lines=(1, 1)).path
    return ""


# --- relations and entities ---


def relate(call: Call) -> ToolAnswer:
    """Note how one memory stands to another, or take that back."""
    a, b, relation = call.text("a"), call.text("b"), call.text("as")
    return _relate_answer(call, a, b, relation, call.number("weight"))


def _relate_answer(call: Call, a: str, b: str, relation: str, weight: float | None) -> ToolAnswer:
    entries = call.ws.entries
    if call.flag("by_description"):
        verb = partial(entries.relate_by_description, a, b, relation, weight=weight)
    else:
        a, b = (entries.get(name).name for name in (a, b))
        verb = partial(entries.relate, a, b, relation, weight=weight)
        if call.flag("remove"):
            verb = partial(entries.unrelate, a, b, relation)
    edited = carried_out(call, lambda dry: verb(dry_run=dry))
    return call.answer(edited)


def entities(call: Call) -> ToolAnswer:
    """List entities, find doubles, or merge two."""
    if call.text("action") != "merge":
        return reading.entities(call)
    a, b = call.text("a"), call.text("b")
    if not (a and b):
        raise InvalidArgumentsError("a, b: missing (text)", "merge a into b")
    edited = carried_out(call, lambda dry: call.ws.entries.merge_entities(a, b, dry_run=dry))
    return call.answer(edited)


# --- the profile graph-memory ---


def create_memory(call: Call) -> ToolAnswer:
    """A structured memory, judged later."""
    subject, topic, said = (call.text(name) for name in ("subject", "topic", "object"))
    given = {name: value for name, value in call.arguments.items() if name != "memory_type"}
    text = " ".join(filter(None, (subject, topic, said)))
    return _add_answer(
        call, [{**given, "text": text, "type": call.text("memory_type"), "staged": True}]
    )


def link_memories(call: Call) -> ToolAnswer:
    """A relation between two memories that are described."""
    source, target = call.text("source"), call.text("target")
    described = call._replace(arguments={**call.arguments, "by_description": True})
    return _relate_answer(described, source, target, call.text("relation_type"), None)


def search_memories(call: Call) -> ToolAnswer:
    """What answers a question, with what is around it."""
    since, _, until = call.text("time_range").partition("/")
    found = call.ws.recall(
        call.text("query"),
        limit=call.count("max_results"),
        depth=call.count("expand_depth"),
        mode="deep" if call.count("expand_depth") else "fast",
        types=call.texts("memory_types"),
        since=since.strip(),
        until=until.strip(),
        record=not call.settings.is_read_only,
    )
    return call.answer(found, total=len(found.hits))


def memory_search(call: Call) -> ToolAnswer:
    """The same in few words."""
    arguments = {**call.arguments, "max_results": call.count("limit"), "expand_depth": 1}
    return search_memories(call._replace(arguments=arguments))


def memory_update(call: Call) -> ToolAnswer:
    """Other words for a memory; as an instruction says, they are proposed by a model."""
    content, id_ = call.text("content"), call.text("memory_id")
    if content:
        return update(call._replace(arguments={"id": id_, "text": content}))
    try:
        report = call.ws.curation.instruct(id_, call.text("instruction"))
    except NeedsModelError:
        raise NeedsModelError(
            "memory_update: an instruction alone takes a language model, and none is set",
            "give the new text as content",
        ) from None
    return call.answer(report, total=len(report.proposals))


def update_importance(call: Call) -> ToolAnswer:
    """Another importance for a memory."""
    importance = call.arguments["importance"]
    arguments = {"id": call.text("memory_id"), "importance": importance}
    return update(call._replace(arguments=arguments))
