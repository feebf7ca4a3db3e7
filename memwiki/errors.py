"""Every error memwiki raises on purpose: one tree, each with a stable code and the next step."""

from __future__ import annotations

# Importing typing for the real one would be half the CPU time of `memwiki --version`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Self


class MemwikiError(Exception):
    """Something the person asked for cannot be done; `hint` says what to do next.

    Each `{}` of a hint with `words` is one of them, as a shell has to be given it.

    A text that speaks of `arguments` of the call names them `{name}`, or `{name:example}` with a
    value of its own, and each door spells them as whoever called has to.
    """

    code = "error"
    is_recoverable = True

    def __init__(
        self,
        message: str,
        hint: str = "",
        *words: object,
        path: str = "",
        line: int = 0,
        candidates: tuple[str, ...] = (),
        arguments: Mapping[str, str | None] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint.format(*(shell_word(str(each)) for each in words)) if words else hint
        self.path = path
        self.line = line
        self.candidates = candidates
        self._arguments = arguments or {}
        self._said = message, self.hint
        self.spell(_in_python)

    @property
    def with_hint(self) -> str:
        """What is wrong and what to do next, for a note."""
        return f"{self.message}; {self.hint}" if self.hint else self.message

    @classmethod
    def at(
        cls,
        path: object,
        what: str,
        hint: str = "",
        *words: object,
        line: int = 0,
        cause: Exception | None = None,
        candidates: tuple[str, ...] = (),
    ) -> Self:
        """The error about a file, or about one `line` of it, which is its subject; a `cause` in the
        system says why."""
        subject = f"{path}:{line}" if line else path
        if cause:
            what = f"{what} ({reason_of(cause)})"
        return cls(
            f"{subject}: {what}", hint, *words, path=str(path), line=line, candidates=candidates
        )

    def spell(self, spelled: Callable[[str, str | None], str]) -> None:
        """Name the arguments as a door does, which is given a name and a value or None."""
        if self._arguments:
            self.message, self.hint = (self._fill_in(text, spelled) for text in self._said)
            self.args = (self.message,)

    def put_within(self, place: str) -> None:
        """Say which of many things it is about."""
        self._said = f"{place}: {self._said[0]}", self._said[1]
        self.message = f"{place}: {self.message}"
        self.args = (self.message,)

    def _fill_in(self, text: str, spelled: Callable[[str, str | None], str]) -> str:
        import re

        names = "|".join(self._arguments)
        return re.sub(
            rf"{{({names})(?::([^{{}}]*))?}}",
            lambda found: spelled(found[1], found[2] or self._arguments[found[1]]),
            text,
        )


def _in_python(name: str, value: str | None) -> str:
    if value is None:
        return name
    return f"{name}={value}" if value.replace(".", "", 1).isdigit() else f'{name}="{value}"'


class UsageError(MemwikiError):
    """The call itself is malformed (exit code 2)."""

    code = "usage"


class NoWorkspaceError(MemwikiError):
    """No workspace was found from here upwards."""

    code = "no_workspace"


class NotFoundError(MemwikiError):
    """No page or file matches the given name."""

    code = "not_found"


class AmbiguousError(MemwikiError):
    """Several pages match the given name; `candidates` lists them."""

    code = "ambiguous"


class AlreadyExistsError(MemwikiError):
    """The thing to create already exists."""

    code = "already_exists"


class UnsafePathError(MemwikiError):
    """A path points outside the workspace or at something memwiki never touches."""

    code = "unsafe_path"


class ConflictError(MemwikiError):
    """A file changed since it was read, so the edit was refused."""

    code = "conflict"


class NotEditableError(MemwikiError):
    """The text has a form that memwiki does not change; nothing was touched."""

    code = "not_editable"


class UnconfirmedError(MemwikiError):
    """The change needs a confirmation, and there was none; nothing was touched."""

    code = "unconfirmed"


class NotYoursError(MemwikiError):
    """The change was made by somebody else; nothing was undone. `later` changes are one's own."""

    code = "not_yours"
    later = 0


class LockedError(MemwikiError):
    """Another process holds the lock."""

    code = "locked"

    @classmethod
    def by_feeder(cls) -> Self:
        """Another process feeds the workspace."""
        return cls("shared index: another feeder holds the lease", "memwiki share status names it")


class UnreadableError(MemwikiError):
    """A file or folder cannot be read."""

    code = "unreadable"


class WriteError(MemwikiError):
    """A file could not be written; the old one is intact."""

    code = "write_failed"

    @classmethod
    def no_cache(cls) -> WriteError:
        """The error where nothing can be kept outside of the workspace."""
        return cls("no cache folder can be written", "set MEMWIKI_CACHE_DIR")


class ConfigError(MemwikiError):
    """memwiki.toml or an environment variable holds something unusable."""

    code = "config"


class GitError(MemwikiError):
    """Git is missing, failed, or knows no repository here."""

    code = "git"


class MissingExtraError(MemwikiError):
    """A library is not installed that this part of memwiki needs."""

    code = "missing_extra"

    def __init__(self, extra: str, library: str) -> None:
        super().__init__(
            f"{library}: is not installed", hint=f"pip install {shell_word(f'memwiki[{extra}]')}"
        )


class IndexingError(MemwikiError):
    """The first index is still being built."""

    code = "indexing"


class MemoryToolError(MemwikiError):
    """A command of the memory tool cannot be done; its text is all that the agent is told."""

    code = "memory_tool"


class IndexDamagedError(MemwikiError):
    """A derived store cannot be read; it is rebuilt from the files."""

    code = "index_damaged"


# --- at the doors of agents ---


class ArgumentError(UsageError):
    """The value of an argument cannot be taken; each door names both as whoever called has to."""

    def __init__(self, name: str, value: str | None, what: str, hint: str) -> None:
        super().__init__(f"{{{name}}}: {what}", hint, arguments={name: value})


class InvalidArgumentsError(UsageError):
    """The arguments of a tool do not fit; every wrong one is named, with what is accepted."""

    code = "invalid_arguments"


class UnknownToolError(UsageError):
    """No tool of the profile has this name."""

    code = "unknown_tool"


class ReadOnlyError(MemwikiError):
    """This door changes nothing."""

    code = "read_only"

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}: this door changes nothing", "tell the person what to change")


class ProtectedError(MemwikiError):
    """Agents may not change this file, unless the user names it when opening the door."""

    code = "protected"


class PrivateError(MemwikiError):
    """The change would reach what is private, and this door was not opened for that; what is only
    read is answered as if it were not there."""

    code = "private"


class EtagRequiredError(UsageError):
    """The change has to name the version of the page that it is based on."""

    code = "etag_required"


class RateLimitedError(MemwikiError):
    """There were too many changes in the last minute; the hint says how long to wait."""

    code = "rate_limited"

    def __init__(self, most: int, wait_seconds: int) -> None:
        super().__init__(
            f"{most} changes a minute are made already", f"wait {wait_seconds} seconds"
        )


class TooLargeError(UsageError):
    """A text is longer than this door takes."""

    code = "too_large"


# --- models ---


class SharedIndexError(MemwikiError):
    """The shared index cannot be reached, holds nothing of the kind, or may not be used so."""

    code = "shared_index"

    @classmethod
    def empty(cls) -> Self:
        """Nobody has made its tables."""
        return cls("shared index: there is none of this version", "memwiki share feed")

    @classmethod
    def not_yet(cls) -> Self:
        """Its first feed has begun."""
        return cls("shared index: it is being fed for the first time", "ask again soon")

    @classmethod
    def only_read(cls) -> Self:
        """Nothing is changed through it."""
        return cls(
            "shared index: it is only read",
            "do it where the files are; memwiki share feed takes in what changes",
        )

    @classmethod
    def other_version(cls) -> Self:
        """What it holds was made by other rules, or under settings that are no longer those."""
        return cls(
            "shared index: it was fed by another version or under other settings",
            "use the version of memwiki that feeds it, and start this one again",
        )

    @classmethod
    def forbidden(cls, reason: str) -> Self:
        """The role of the address may not do this."""
        return cls(f"shared index: {reason}", "memwiki share sql prints what grants it")


class UnreachableError(SharedIndexError):
    """The server of the shared index does not answer, or not what it should."""

    @classmethod
    def of(cls, reason: str) -> Self:
        """What the server, or the way to it, says."""
        return cls(
            f"shared index: {reason}", "check [index] shared in your config.toml, and the server"
        )


class ModelError(MemwikiError):
    """A model did not answer, or not with what was asked; nothing was written."""

    code = "model"
    retries = 0  # how often the same request may be made again: it may be answered in a moment
    is_free = False  # whether it took no tokens


class NeedsModelError(ModelError):
    """What was asked for takes a language model, and none is set."""

    code = "needs_model"


# --- said in several places, and in one way ---


def changed_meanwhile(paths: Sequence[str]) -> ConflictError:
    """What is said of files that are another now, and were not written."""
    return ConflictError(
        f"{', '.join(paths)}: changed since the plan was made; nothing was written",
        hint="read again and repeat the change",
        path=paths[0],
        candidates=tuple(paths),
    )


def private_error(what: str) -> PrivateError:
    """What is said of something private."""
    return PrivateError(
        f"{what}: is private", hint="ask the person, who can open the door with --private"
    )


def shell_word(text: str) -> str:
    """A word of a command in a hint, as a shell has to be given it."""
    from shlex import quote  # not where nothing is wrong

    return quote(text)


def current_folder_gone() -> NotFoundError:
    """What is said where a process is in a folder that was removed."""
    return NotFoundError("the current folder: is gone", hint="go to another one, or give -C DIR")


def reason_of(error: Exception) -> str:
    """What the system says went wrong, without the number and the path around it."""
    return str(getattr(error, "strerror", None) or error)


class NoSuchPageError(NotFoundError):
    """No page is called so."""

    def __init__(self, shown: str, *, hint: str, candidates: tuple[str, ...] = ()) -> None:
        super().__init__(f"{shown}: no page has this name", hint=hint, candidates=candidates)


class ManyMatchesError(AmbiguousError):
    """A name that means several things, each of which has a name of its own."""

    def __init__(
        self,
        name: str,
        what: str,
        candidates: Sequence[str],
        hint: str = "give the path of one of them",
    ) -> None:
        super().__init__(f"{name}: {len(candidates)} {what}", hint, candidates=tuple(candidates))


class TwinError(AlreadyExistsError):
    """A file or folder is there that some file systems take for the one that is to be made."""

    def __init__(self, path: str, twin: str) -> None:
        super().__init__(
            f"{path}: {twin} exists, and some systems treat the two as one file",
            hint=f"use {twin}, or choose another name",
            path=twin,
        )


class OutsideError(UnsafePathError):
    """A path from outside that cannot be used, and why."""

    def __init__(self, given: str, reason: str = "leads out of the workspace") -> None:
        super().__init__(
            f"{given!r}: {reason}",
            hint="give a path inside the workspace, such as wiki/page.md",
            path=given,
        )
        self.reason = reason


class OutdatedError(ConflictError):
    """A page is not what it was when it was read; trying again changes nothing about that."""

    def __init__(self, path: str, *, is_there: bool) -> None:
        what = "changed since it was read" if is_there else "is not there any more"
        super().__init__(
            f"{path}: {what}; nothing was written",
            hint=f"read it again (memwiki get {shell_word(path)}), then repeat the change",
            path=path,
            candidates=(path,),
        )


class LinkedFolderError(UnsafePathError):
    """A folder that memwiki writes to is a link to another one."""

    def __init__(self, folder: str) -> None:
        super().__init__(f"{folder}: is a symlink", hint="replace it by a folder", path=folder)


class LineNotEditableError(NotEditableError):
    """One line is written in a form that memwiki does not change."""

    def __init__(self, path: str, line: int, what: str) -> None:
        super().__init__(
            f"{path}:{line}: {what}", hint="edit this line by hand", path=path, line=line
        )


class PageTooLongError(UsageError):
    """A page would have more bytes than are indexed of one."""

    def __init__(self, path: str, size: int, most: int, hint: str, *words: str) -> None:
        super().__init__(
            f"{path}: would have {size} bytes, more than the {most} that are indexed",
            hint,
            *words,
            path=path,
        )


class CatalogTextError(UsageError):
    """A text would make a generated catalog of a page."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"{path}: with this text it would be a generated catalog, which is not a page",
            hint="leave the memwiki:catalog markers out, or put them between backticks",
            path=path,
        )
