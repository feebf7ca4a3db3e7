"""Where a session is, and where what leaves it goes, by its id."""

from __future__ import annotations

import re
from typing import NamedTuple

from memwiki.config import Config
from memwiki.errors import ConfigError, NotFoundError, OutsideError, UsageError
from memwiki.files.paths import clash, contain, real_path
from memwiki.names import is_in_folder, require_text
from memwiki.nouns import Layers
from memwiki.pages.page import require_findable
from memwiki.pages.text.names import file_name
from memwiki.sync.context import Context
from memwiki.text import pattern

_ID = pattern(r"[^\W_][\w.-]*")
_MAX_ID_CHARS = 120  # of a new id
_MAX_MADE_CHARS = 100  # of one that is made here; a number may follow
_TAKEN = pattern(r"index(?:\..*)?|log", re.IGNORECASE)  # catalogs, which are no sessions


class SessionPaths(NamedTuple):
    """The page of a session, and that in the archive; "" where there is no archive."""

    id: str
    path: str
    archived: str


def paths_of(context: Context, id_: str) -> SessionPaths:
    """The paths of a session, which may not be there yet."""
    require_text("session", id_)
    layers = context.own_layers()
    given = id_.strip().removeprefix(f"{layers.sessions}/").removesuffix(".md")
    folder = sessions_folder(layers)
    if not given:
        raise UsageError("session: the id is empty", "memwiki session list names them")
    path = contain(context.root, f"{folder}/{given}.md")
    if not is_in_folder(path, folder):
        raise OutsideError(given, f"is not in {folder}/")
    inner = path.removeprefix(f"{folder}/")
    archived = f"{layers.archive}/sessions/{inner}" if layers.archive else ""
    return SessionPaths(inner.removesuffix(".md"), real_path(context.root, path), archived)


def sessions_folder(layers: Layers) -> str:
    """The folder of sessions; ConfigError when the workspace has none."""
    if not layers.sessions:
        raise ConfigError(
            "session: this workspace has no folder of sessions",
            "memwiki config set layers.sessions sessions",
        )
    return layers.sessions


def require_archive(paths: SessionPaths, what: str) -> None:
    """Refuse to let something leave where there is no archive."""
    if not paths.archived:
        raise ConfigError(
            f"{what}: this workspace has no archive, so nothing leaves a session",
            "memwiki config set layers.archive archive",
        )


def require_new(context: Context, paths: SessionPaths) -> None:
    """Refuse an id that no new session may have."""
    if not _is_id(paths.id):
        raise UsageError(
            f"{paths.id!r}: not an id for a session",
            "use letters, digits, - . and _, such as 2026-11-21-design",
        )
    require_findable(paths.path, context.ignore())
    if (found := clash(context.root, paths.path)) and found != paths.path:
        raise UsageError(f"{paths.path}: {found} exists, which some systems take for the same file")


def not_found(paths: SessionPaths) -> NotFoundError:
    """The error of a session that is not there."""
    return NotFoundError(
        f"{paths.id}: no session has this id",
        "memwiki session list; memwiki session start {} begins it",
        paths.id,
        path=paths.path,
    )


def fitting_id(*parts: str) -> str:
    """An id made of what another program calls a conversation."""
    name = "-".join(filter(None, parts))
    return name if _is_id(name) and len(name) <= _MAX_MADE_CHARS else file_name(name)


def _is_id(text: str) -> bool:
    """Whether a new session may have this id."""
    is_name = len(text) <= _MAX_ID_CHARS and _ID.fullmatch(text) is not None
    return is_name and not _TAKEN.fullmatch(text)


def is_windowed(config: Config) -> bool:
    """Whether messages leave sessions by themselves."""
    return config.session.is_sliding and bool(config.layers.archive)
