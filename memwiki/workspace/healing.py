"""A damaged index is built anew by itself: whoever asks gets an answer, and one warning."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from memwiki.errors import IndexDamagedError
from memwiki.index.damage import DAMAGE, disk_errors_named, is_damage

if TYPE_CHECKING:
    from memwiki.workspace.workspace import Workspace

P = ParamSpec("P")
T = TypeVar("T")


def healed(
    ask: Callable[Concatenate[Workspace, P], T],
) -> Callable[Concatenate[Workspace, P], T]:
    """Ask once more after building a damaged index anew; without sync the damage is the answer."""

    @wraps(ask)
    def asked(workspace: Workspace, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with disk_errors_named():
            try:
                return ask(workspace, *args, **kwargs)
            except DAMAGE as error:
                if not is_damage(error):
                    raise
                if not workspace.is_synced:
                    raise _named(error) from error
                workspace.keeper.mend(str(error))
                return ask(workspace, *args, **kwargs)

    return asked


def _named(error: Exception) -> IndexDamagedError:
    what = f"cards: {error}" if isinstance(error, sqlite3.Error) else str(error)
    return IndexDamagedError(what, hint="memwiki sync builds it anew")
