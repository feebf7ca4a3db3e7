"""Every error memwiki raises on purpose: one tree, each with a stable code and the next step."""

from __future__ import annotations


class MemwikiError(Exception):
    """Something the person asked for cannot be done; `hint` says what to do next."""

    code = "error"
    is_recoverable = True

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        path: str = "",
        line: int = 0,
        candidates: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.path = path
        self.line = line
        self.candidates = candidates


class UsageError(MemwikiError):
    """The call itself is malformed (exit code 2)."""

    code = "usage"


class NoWorkspaceError(MemwikiError):
    """No workspace was found from here upwards."""

    code = "no_workspace"


class NotFoundError(MemwikiError):
    """Nothing answers to the given name."""

    code = "not_found"


class AmbiguousError(MemwikiError):
    """Several pages answer to the given name; `candidates` lists them."""

    code = "ambiguous"


class AlreadyExistsError(MemwikiError):
    """The thing to create is there already."""

    code = "already_exists"


class UnsafePathError(MemwikiError):
    """A path points outside the workspace or at something memwiki never touches."""

    code = "unsafe_path"


class ConflictError(MemwikiError):
    """A file changed since it was read, so the edit was refused."""

    code = "conflict"


class NotEditableError(MemwikiError):
    """What is written there can only be changed by a person; nothing was touched."""

    code = "not_editable"


class UnconfirmedError(MemwikiError):
    """Only a person can say whether this is meant, and nobody did; nothing was touched."""

    code = "unconfirmed"


class LockedError(MemwikiError):
    """Another process holds the lock."""

    code = "locked"


class UnreadableError(MemwikiError):
    """A file or folder cannot be read."""

    code = "unreadable"


class WriteError(MemwikiError):
    """A file could not be written; the old one is whole."""

    code = "write_failed"


class ConfigError(MemwikiError):
    """memwiki.toml or an environment variable holds something unusable."""

    code = "config"


class GitError(MemwikiError):
    """Git is missing, failed, or knows no repository here."""

    code = "git"


class IndexDamagedError(MemwikiError):
    """A derived store cannot be read; it is rebuilt from the files."""

    code = "index_damaged"
