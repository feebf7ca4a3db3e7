"""Tools that change pages, what they may reach, and what is on disk afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from posixpath import basename
from typing import Literal, TypeAlias, cast

from memwiki.answers.entries import UpkeepReport
from memwiki.answers.pages import Edited, PageView
from memwiki.config import Config
from memwiki.errors import (
    AmbiguousError,
    ConflictError,
    EtagRequiredError,
    InvalidArgumentsError,
    MemwikiError,
    NotFoundError,
    ProtectedError,
    shell_word,
)
from memwiki.names import MKDOCS_CONFIGS, fold, is_page_name
from memwiki.present import as_rows
from memwiki.present.entries import message_row, step_rows
from memwiki.present.pages import title_row
from memwiki.present.rows import Line, Quote, Row
from memwiki.protected import why_left_alone
from memwiki.scope import base_of
from memwiki.text import tokens
from memwiki.tools import reading
from memwiki.tools.call import failure
from memwiki.tools.packing import beginning, pack, parts_of
from memwiki.tools.table import Call, DoorSettings, ToolAnswer

PlannedChange: TypeAlias = "Callable[[bool], Edited]"  # a change; True makes it a dry run
_LINES_BEFORE, _LINES_SHOWN = 2, 8  # of what was written
_MAX_EXCERPT_TOKENS = 150


def require_writable(
    paths: Iterable[str], settings: DoorSettings, config: Config, *, is_new: bool = False
) -> None:
    """Refuse a change that reaches a file which agents leave alone."""
    for path in paths:
        if reason := why_protected(path, settings, config, is_new=is_new):
            way = f"to open this door with --write {shell_word(path)}"
            raise ProtectedError.at(path, reason, f"ask the person to change it, or {way}")


def why_protected(
    path: str, settings: DoorSettings, config: Config, *, is_new: bool = False
) -> str:
    """Why an agent may not change a file; "" when it may."""
    if not _is_among(path, settings):
        return "is not among the files that this door may change"
    if any(_matches(glob, path) for glob in settings.named):
        return ""
    has_catalogs = config.catalog.enabled
    reason = why_left_alone(path, config.layers, has_catalogs=has_catalogs, is_new=is_new)
    return reason or ("" if is_page_name(path) else "is not a markdown page")


def is_followed(path: str, settings: DoorSettings) -> bool:
    """Whether a file is the navigation, in which a move names the page that moved."""
    return path in MKDOCS_CONFIGS and _is_among(path, settings)


def _is_among(path: str, settings: DoorSettings) -> bool:
    return all(any(_matches(glob, path) for glob in globs) for globs in settings.write)


def _matches(glob: str, path: str) -> bool:
    return bool(_pattern(glob).fullmatch(path))


@cache
def _pattern(glob: str) -> re.Pattern[str]:
    """`*` within a folder, `**` through folders; a pattern with no wildcard is a file or folder."""
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", glob.strip("/"))
    said = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(said.get(part, re.escape(part)) for part in parts), re.DOTALL)


def carried_out(
    call: Call,
    do: PlannedChange,
    *,
    is_new: bool = False,
    is_free: Callable[[str], bool] = lambda _path: False,
) -> Edited:
    """Make a change where every file that it reaches may be written; with dry_run show it.

    `is_new` allows new sources, `is_free` says which files memwiki itself fills here.
    """
    shown = do(True)
    reached = [path for path in shown.paths if not is_free(path)]
    require_writable(reached, call.settings, call.ws.config, is_new=is_new)
    for path in shown.paths[:1]:  # what it is about; links to it may be anywhere
        _require_of_door(call, path)
    return shown if call.flag("dry_run") else do(False)


def _require_of_door(call: Call, path: str) -> None:
    """Refuse what belongs to a namespace where the door is open to none, or not named."""
    is_named = any(_matches(glob, path) for glob in call.settings.named)
    if base_of(path, call.ws.config.layers) and not is_named:
        call.ws.folder(".").why_read_only(path)


def is_archived(call: Call) -> Callable[[str], bool]:
    """Whether a file is one that memwiki put into the archive."""
    layers = call.ws.config.layers
    return lambda path: bool(layers.archive) and f"/{path}".find(f"/{layers.archive}/") >= 0


def written_back(call: Call, path: str, section: str = "", line: int | None = None) -> list[Row]:
    """The etag of a page, and the first lines of the text that was written, with what is around
    them, as both are on disk now; `line`, from 0, says where that is, else where it stands last."""
    page, text = _page_or_section(call, path, section), call.text("text").strip()
    at = page.text.rfind(text.partition("\n")[0]) if text else -1
    line = page.text.count("\n", 0, max(at, 0)) if line is None else line
    first = max(line - _LINES_BEFORE, 0)
    lines = page.text.split("\n")[first : first + _LINES_SHOWN] if at >= 0 else []
    excerpt = beginning("\n".join(lines).rstrip("\n"), _MAX_EXCERPT_TOKENS)
    start = page.line_start + first
    last = start + excerpt.count("\n")
    return _rows_of(page._replace(text=excerpt, line_start=start, line_end=last))


def _rows_of(page: PageView) -> list[Row]:
    """The etag, and the text where there is one."""
    return [
        quote._replace(head=quote.head[:1]) if page.text else quote.head[0]
        for quote in as_rows(page)
        if isinstance(quote, Quote)
    ]


def _page_or_section(call: Call, path: str, section: str) -> PageView:
    if section:
        with suppress(NotFoundError, AmbiguousError):  # the change may have renamed it
            return call.ws.pages.get(path, section=section)
    return call.ws.pages.get(path)


def require_etag(call: Call, what: str) -> str:
    """The etag that was given; EtagRequiredError without one."""
    if etag := call.text("etag"):
        return etag
    raise EtagRequiredError(
        f"{what}: needs the etag of the page", "read gives it on its second line"
    )


def conflict(call: Call, error: ConflictError, name: str, section: str) -> ToolAnswer:
    """What is said where the page is another now: its etag, and that section as it is."""
    told = failure(error)
    try:
        page = _page_or_section(call, name, section)
    except MemwikiError:
        return told
    parts = [part for row in _rows_of(page) for part in parts_of(row)]
    now = pack(parts, call.budget - tokens(told.text))
    return told._replace(text=f"{told.text}\n{now.text}")


def write(call: Call) -> ToolAnswer:
    """Create a page, add to it, replace a part of it, or set its fields."""
    action, name, section = call.text("action"), call.text("name"), call.text("section")
    if action == "create":
        return _create(call)
    path = call.ws.pages.own_path(name)
    line = _line_of_old(call, path) if action == "replace_text" else None
    try:
        edited = carried_out(call, _ACTIONS[action](call, path))
    except ConflictError as error:
        return conflict(call, error, path, section)
    shown = section if line is None else ""
    back = [] if edited.dry_run else written_back(call, path, shown, line)
    return call.answer(edited, back=back)


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
    return call.answer(edited, back=[] if edited.dry_run else written_back(call, edited.paths[0]))


def _append(call: Call, path: str) -> PlannedChange:
    text, section, etag = _required_text(call, "text"), call.text("section"), call.text("etag")
    pages = call.ws.pages
    return lambda dry: pages.append(path, text, section=section, expect=etag, dry_run=dry)


def _replace_section(call: Call, path: str) -> PlannedChange:
    text, section = _required_text(call, "text"), call.text("section")
    etag, pages = require_etag(call, "replace_section"), call.ws.pages
    return lambda dry: pages.replace(path, text, section=section, expect=etag, dry_run=dry)


def _replace_text(call: Call, path: str) -> PlannedChange:
    old, new, etag = _required_text(call, "old"), call.text("text"), call.text("etag")
    return lambda dry: call.ws.pages.edit(path, old, new, expect=etag, dry_run=dry)


def _line_of_old(call: Call, path: str) -> int:
    """The line, from 0, on which the text begins that is to be replaced."""
    both = call.ws.pages.get(path).text, call.text("old")
    text, old = (each.replace("\r\n", "\n") for each in both)
    return text.count("\n", 0, max(text.find(old), 0))


def _set_fields(call: Call, path: str) -> PlannedChange:
    given = dict(cast("dict[str, str | list[str] | None]", call.arguments.get("fields") or {}))
    given |= {name: call.text(name) for name in ("type", "description") if call.text(name)}
    if "tags" in call.arguments:
        given["tags"] = list(call.texts("tags"))
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


def _required_text(call: Call, name: str) -> str:
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
    own: Literal["process", True] = "process" if call.settings.is_server else True
    edited = call.ws.undo(steps, own=own, dry_run=is_dry_run, guard=_undo_guard(call))
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
        old, new = _required_text(call, "old"), _required_text(call, "new")
        verb = pages.tag_rename if action == "rename" else pages.tag_merge
        edited = carried_out(call, lambda dry: verb(old, new, dry_run=dry))
        return call.answer(edited)
    name, tags = _required_text(call, "name"), call.texts("tags")
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
    added = call.ws.session(_required_text(call, "id")).add_message(
        _required_text(call, "role"), _required_text(call, "text")
    )
    return call.answer(added, back=[message_row(added.message)])


def _end(call: Call) -> ToolAnswer:
    facet = call.ws.session(_required_text(call, "id"))
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
    report = reports[-1]._replace(edited=edited._replace(diff=""))
    return call.answer(report, [title_row(edited), *step_rows(report)])
