"""What the tools that write share: what they may reach, and what is on disk afterwards."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from memwiki.doors.tools.failures import failure
from memwiki.doors.tools.packing import pack, parts_of
from memwiki.doors.tools.protection import require_writable
from memwiki.errors import (
    AmbiguousError,
    ConflictError,
    EtagRequiredError,
    MemwikiError,
    NotFoundError,
)
from memwiki.present import as_rows
from memwiki.present.rows import Quote, Row
from memwiki.tokens import tokens

if TYPE_CHECKING:
    from memwiki.answers.edits import Edited
    from memwiki.answers.pages import PageView
    from memwiki.doors.tools.table import Answer, Call


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
        f"{what}: needs the etag of the page", hint="read gives it on its second line"
    )


def conflict(call: Call, error: ConflictError, name: str, section: str) -> Answer:
    """What is said where the page is another now: its etag, and that section as it is."""
    told = failure(error)
    try:
        page = _page_or_section(call, name, section)
    except MemwikiError:
        return told
    parts = [part for row in page_now(call, page.path, section) for part in parts_of(row)]
    now = pack(parts, call.budget - tokens(told.text))
    return told._replace(text=f"{told.text}\n{now.text}")
