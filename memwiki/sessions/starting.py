"""A session that begins: its id and its page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, count

from memwiki.change.plan import Edit, Plan
from memwiki.errors import AlreadyExistsError, shell_word
from memwiki.files.read import exists
from memwiki.names import require_text
from memwiki.pages.text.names import checked_line
from memwiki.sessions.page import new_page
from memwiki.sessions.paths import SessionPaths, paths_of, require_new
from memwiki.sync.context import Context


def start_plan(
    context: Context, id_: str, participants: Sequence[str], now: str
) -> tuple[Plan, SessionPaths]:
    """A plan that begins a session, and where it will be."""
    require_text("session start", *participants)
    names = [checked_line("participant", each) for each in participants]
    paths = paths_of(context, id_) if id_ else _by_time(context, now)
    if exists(context.root, paths.path):
        raise AlreadyExistsError(
            f"{paths.id}: a session has this id already",
            hint=f"memwiki session add {shell_word(paths.id)} TEXT",
            path=paths.path,
        )
    require_new(context, paths)
    data = new_page(paths.path, now, names, context.layers)
    return Plan((Edit(paths.path, "", data, "session"),)), paths


def _by_time(context: Context, now: str) -> SessionPaths:
    """The first free id that the time gives: 2026-11-21-100000, then with -2 and so on."""
    name = now.replace("T", "-").replace(":", "").removesuffix("Z")
    names = chain([name], (f"{name}-{number}" for number in count(2)))
    found = (paths_of(context, each) for each in names)
    return next(each for each in found if not exists(context.root, each.path))
