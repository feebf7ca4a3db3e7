"""A secret of this user on this machine, by which what memwiki wrote is told from what others
wrote."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from memwiki.errors import LockedError, UnsafePathError, WriteError
from memwiki.files.lock import Lock
from memwiki.files.regular_files import NO_FOLLOW, READING

_KEY_NAME = "undo.key"
_LOCK_NAME = "undo.key.lock"
_KEY_BYTES = 32


def key_in(cache: Path | None) -> bytes:
    """The key that is kept in the user's cache folder; b"" where there is none."""
    if cache is None:
        return b""
    with suppress(OSError):
        descriptor = os.open(cache / _KEY_NAME, READING | NO_FOLLOW)
        try:
            key = os.read(descriptor, _KEY_BYTES + 1) if _is_own(descriptor) else b""
        finally:
            os.close(descriptor)
        return key if len(key) == _KEY_BYTES else b""
    return b""


def _is_own(descriptor: int) -> bool:
    return not hasattr(os, "geteuid") or os.fstat(descriptor).st_uid == os.geteuid()


def made_key_in(cache: Path | None) -> bytes:
    """The same, made if need be; b"" where nothing can be written."""
    if cache is None or (key := key_in(cache)):
        return key if cache else b""
    with suppress(OSError):
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(OSError, WriteError, LockedError, UnsafePathError), Lock(cache / _LOCK_NAME):
        if not key_in(
            cache
        ):  # whoever was first decides: what it sealed would be taken for foreign
            _write_key(cache)
    return key_in(cache)


def _write_key(cache: Path) -> None:
    """Give the key its name when it is whole; what is no key gives way."""
    temporary = cache / f"{_KEY_NAME}.{os.getpid()}.{os.urandom(3).hex()}"
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW, 0o600)
        try:
            os.write(descriptor, os.urandom(_KEY_BYTES))
        finally:
            os.close(descriptor)
        temporary.replace(cache / _KEY_NAME)
    finally:
        temporary.unlink(missing_ok=True)
