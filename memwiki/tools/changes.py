"""What the tools that write share: what they may reach, and what is on disk afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from memwiki.config import Config
from memwiki.errors import (
    AmbiguousError,
    ConflictError,
    EtagRequiredError,
    MemwikiError,
    NotFoundError,
    ProtectedError,
    shell_word,
)
from memwiki.names import MKDOCS_CONFIGS, is_page_name
from memwiki.present import as_rows
from memwiki.present.rows import Quote, Row
from memwiki.protected import why_left_alone
from memwiki.text import tokens
from memwiki.tools.failures import failure
from memwiki.tools.packing import pack, parts_of
from memwiki.tools.settings import DoorSettings

if TYPE_CHECKING:
    from memwiki.answers.edits import Edited
    from memwiki.answers.pages import PageView
    from memwiki.tools.table import Call, ToolAnswer


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
    do: Callable[[bool], Edited],
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
    return shown if call.flag("dry_run") else do(False)


def is_archived(call: Call) -> Callable[[str], bool]:
    """Whether a file is one that memwiki put into the archive."""
    layers = call.ws.config.layers
    return lambda path: bool(layers.archive) and f"/{path}".find(f"/{layers.archive}/") >= 0


def page_now(call: Call, path: str, section: str = "") -> list[Row]:
    """The etag of a page, and the section that was changed, as both are on disk now; of a long page
    that around the text that was written."""
    (quote,) = as_rows(_page_or_section(call, path, section))
    return [quote._replace(head=quote.head[:1])] if isinstance(quote, Quote) else []


def _page_or_section(call: Call, path: str, section: str) -> PageView:
    pages = call.ws.pages
    if section:
        with suppress(NotFoundError, AmbiguousError):  # the change may have renamed it
            return pages.get(path, section=section)
    page, written = pages.get(path), call.text("text").strip().partition("\n")[0]
    if not written or written not in page.text or tokens(page.text) < call.budget // 2:
        return page
    return pages.get(path, around=page.text.count("\n", 0, page.text.rindex(written)) + 1)


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
    parts = [part for row in page_now(call, page.path, section) for part in parts_of(row)]
    now = pack(parts, call.budget - tokens(told.text))
    return told._replace(text=f"{told.text}\n{now.text}")
