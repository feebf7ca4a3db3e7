"""Tools that change pages: write, move, undo, tag, session, upkeep."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from posixpath import basename
from typing import TYPE_CHECKING, cast

from memwiki.errors import (
    ConflictError,
    InvalidArgumentsError,
)
from memwiki.names import MKDOCS_CONFIGS, fold
from memwiki.present.edits import title_row
from memwiki.present.rows import Line
from memwiki.present.sessions import message_row
from memwiki.present.upkeep import step_rows
from memwiki.tools import reading
from memwiki.tools.changes import (
    carried_out,
    conflict,
    is_archived,
    is_followed,
    page_now,
    require_etag,
    require_writable,
    why_protected,
)

if TYPE_CHECKING:
    from memwiki.answers.edits import Edited
    from memwiki.answers.upkeep import UpkeepReport
    from memwiki.tools.table import Call, ToolAnswer


def write(call: Call) -> ToolAnswer:
    """Create a page, add to it, replace a part of it, or set its fields."""
    action, name, section = call.text("action"), call.text("name"), call.text("section")
    if action == "create":
        return _create(call)
    path = call.ws.pages.own_path(name)
    try:
        edited = carried_out(call, _ACTIONS[action](call, path))
    except ConflictError as error:
        return conflict(call, error, path, section)
    return call.answer(edited, back=[] if edited.dry_run else page_now(call, path, section))


def _create(call: Call) -> ToolAnswer:
    edited = carried_out(
        call,
        lambda dry: call.ws.pages.new(
            call.text("name"),
            type=call.text("type"),
            tags=call.texts("tags"),
            description=call.text("description"),
            content=call.maybe("text"),
            dry_run=dry,
        ),
        is_new=True,
    )
    return call.answer(edited, back=[] if edited.dry_run else page_now(call, edited.paths[0]))


def _append(call: Call, path: str) -> Callable[[bool], Edited]:
    text, section, etag = _needed(call, "text"), call.text("section"), call.text("etag")
    pages = call.ws.pages
    return lambda dry: pages.append(path, text, section=section, expect=etag, dry_run=dry)


def _replace_section(call: Call, path: str) -> Callable[[bool], Edited]:
    text, section = _needed(call, "text"), call.text("section")
    etag, pages = require_etag(call, "replace_section"), call.ws.pages
    return lambda dry: pages.replace(path, text, section=section, expect=etag, dry_run=dry)


def _replace_text(call: Call, path: str) -> Callable[[bool], Edited]:
    old, new, etag = _needed(call, "old"), call.text("text"), call.text("etag")
    return lambda dry: call.ws.pages.edit(path, old, new, expect=etag, dry_run=dry)


def _set_fields(call: Call, path: str) -> Callable[[bool], Edited]:
    given = dict(cast("dict[str, str | list[str] | None]", call.arguments.get("fields") or {}))
    given |= {name: call.text(name) for name in ("type", "description") if call.text(name)}
    given |= {"tags": list(call.texts("tags"))} if "tags" in call.arguments else {}
    if not given:
        raise InvalidArgumentsError("fields: missing (an object)", '{"status": "stable"}')
    gone = [name for name, value in given.items() if value in (None, "")]
    kept = {
        name: list(map(str, value)) if isinstance(value, list) else str(value)
        for name, value in given.items()
        if name not in gone
    }
    etag, pages = call.text("etag"), call.ws.pages
    return lambda dry: pages.set(path, kept, unset=gone, expect=etag, dry_run=dry)


_ACTIONS = {
    "append": _append,
    "replace_section": _replace_section,
    "replace_text": _replace_text,
    "set_fields": _set_fields,
}


def _needed(call: Call, name: str) -> str:
    if text := call.text(name):
        return text
    action = call.text("action")
    raise InvalidArgumentsError(f"{name}: missing (text)", f"{action} takes {name}")


def move(call: Call) -> ToolAnswer:
    """Move or rename a page; links go on meaning what they mean."""
    name, to, etag = call.text("name"), call.text("to"), call.text("etag")
    pages, is_navigation = call.ws.pages, fold(basename(name)) in MKDOCS_CONFIGS
    try:
        edited = carried_out(
            call,
            lambda dry: pages.move(name, to, expect=etag, dry_run=dry),
            is_free=lambda path: is_followed(path, call.settings) and not is_navigation,
        )
    except ConflictError as error:
        return conflict(call, error, name, "")
    return call.answer(edited)


def undo(call: Call) -> ToolAnswer:
    """Take back the last changes of this actor."""
    steps, is_dry_run = call.count("steps"), call.flag("dry_run")
    edited = call.ws.undo(steps, own=True, dry_run=is_dry_run, guard=_undo_guard(call))
    return call.answer(edited)


def _undo_guard(call: Call) -> Callable[[str, bool], None]:
    """Refuse what this door may not change; a source goes again that was added."""
    is_free = is_archived(call)

    def guard(path: str, is_gone: bool) -> None:
        if not (is_free(path) or is_followed(path, call.settings)):
            require_writable([path], call.settings, call.ws.config, is_new=is_gone)

    return guard


def tag(call: Call) -> ToolAnswer:
    """Add or remove tags of a page, or rename and merge tags everywhere."""
    pages, action = call.ws.pages, call.text("action")
    if action in ("rename", "merge"):
        old, new = _needed(call, "old"), _needed(call, "new")
        verb = pages.tag_rename if action == "rename" else pages.tag_merge
        edited = carried_out(call, lambda dry: verb(old, new, dry_run=dry))
        return call.answer(edited)
    name, tags = _needed(call, "name"), call.texts("tags")
    if not tags:
        raise InvalidArgumentsError("tags: missing (a list)", f"{action} takes tags")
    change = pages.tag_add if action == "add" else pages.tag_remove
    return call.answer(carried_out(call, lambda dry: change(name, tags, dry_run=dry)))


# --- sessions and upkeep ---


def session(call: Call) -> ToolAnswer:
    """Begin a conversation, add to it, show it or end it."""
    action = call.text("action")
    if action == "show":
        return reading.session(call)
    _require_session_writable(call)
    return {"start": _start, "add": _add_message, "end": _end}[action](call)


def _require_session_writable(call: Call) -> None:
    id_ = call.text("id") or "session"
    path = call.ws.session(id_).paths.path
    require_writable([path], call.settings, call.ws.config)


def _start(call: Call) -> ToolAnswer:
    view = call.ws.sessions.start(call.text("id"))
    return call.answer(view, [Line((f"started {view.id}", view.path))])


def _add_message(call: Call) -> ToolAnswer:
    added = call.ws.session(_needed(call, "id")).add_message(
        _needed(call, "role"), _needed(call, "text")
    )
    return call.answer(added, back=[message_row(added.message)])


def _end(call: Call) -> ToolAnswer:
    facet = call.ws.session(_needed(call, "id"))
    return call.answer(facet.end(call.maybe("summary")))


def upkeep(call: Call) -> ToolAnswer:
    """Join, promote and retire memories, or show what would be; what agents leave alone stays."""
    reports: list[UpkeepReport] = []
    is_free = is_archived(call)

    def why_left(path: str) -> str:
        return "" if is_free(path) else why_protected(path, call.settings, call.ws.config)

    def run(is_dry: bool) -> Edited:
        reports.append(call.ws.upkeep.run(dry_run=is_dry, why_left=why_left))
        return reports[-1].edited

    edited = carried_out(call, run, is_free=is_free)
    report = replace(reports[-1], edited=edited._replace(diff=""))
    return call.answer(report, [title_row(edited), *step_rows(report)])
