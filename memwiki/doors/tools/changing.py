"""What the tools that write share: what they may reach, and what is on disk afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from memwiki.doors.tools.failures import failure
from memwiki.doors.tools.packing import Freshness, Listing, Part, pack
from memwiki.doors.tools.protection import require_writable
from memwiki.doors.tools.reading import page_part
from memwiki.doors.tools.table import Answer
from memwiki.doors.tools.units import notes_of, row, words
from memwiki.errors import (
    AmbiguousError,
    ConflictError,
    EtagRequiredError,
    MemwikiError,
    NotFoundError,
)
from memwiki.fence import inside, opening
from memwiki.tokens import tokens

if TYPE_CHECKING:
    from memwiki.answers.edits import Edited
    from memwiki.answers.pages import PageView
    from memwiki.doors.tools.table import Call

_LONGEST_DIFF = 40_000


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


def edited_answer(call: Call, edited: Edited, read_back: Iterable[Part] = ()) -> Answer:
    """What was changed, then what is on disk now, or what would change."""
    if edited.dry_run:
        diff = Part(inside(edited.diff[:_LONGEST_DIFF]), opening(diff="nothing was changed"))
        parts = [row(edited.title, is_item=False), diff, *notes_of(edited.notes)]
        return call.answer(Listing(parts, Freshness(edited.fresh)), edited)
    told = [row(edited.title or edited.op, is_item=False), row(*edited.paths, is_item=False)]
    merged = [row("merged with changes made meanwhile:", *edited.merged)] if edited.merged else []
    parts = [*told, *merged, *notes_of(edited.notes), *read_back]
    state = Freshness(edited.fresh, None, "" if edited.fresh else "not indexed yet")
    return call.answer(Listing(parts, state), edited)


def page_now(call: Call, path: str, section: str = "") -> list[Part]:
    """The etag of a page, and the section that was changed, as both are on disk now; of a long page
    that around the text that was written."""
    page = _page_or_section(call, path, section)
    return [words(f"etag {page.etag}"), page_part(page)]


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
    now = pack(page_now(call, page.path, section), call.budget - tokens(told.text))
    return told._replace(text=f"{told.text}\n{now.text}")
