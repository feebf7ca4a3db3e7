"""A seal on what undoes a change, so that a folder from elsewhere cannot bring changes along."""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from memwiki.digest import blake2b

_KEY_NAME = "undo.key"
_KEY_BYTES = 32
_SEAL = "seal"
_OPEN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


def key_in(cache: Path | None) -> bytes:
    """The key that is kept in the user's cache folder; b"" where there is none."""
    if cache is None:
        return b""
    with suppress(OSError):
        descriptor = os.open(cache / _KEY_NAME, os.O_RDONLY | _OPEN)
        try:
            key = os.read(descriptor, _KEY_BYTES + 1)
        finally:
            os.close(descriptor)
        return key if len(key) == _KEY_BYTES else b""
    return b""


def made_key_in(cache: Path | None) -> bytes:
    """The same, made if need be; b"" where nothing can be written."""
    if cache is None or (key := key_in(cache)):
        return key if cache else b""
    temporary = cache / f"{_KEY_NAME}.{os.getpid()}.{os.urandom(3).hex()}"
    with suppress(OSError):
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _OPEN, 0o600)
        try:
            os.write(descriptor, os.urandom(_KEY_BYTES))
        finally:
            os.close(descriptor)
        temporary.replace(cache / _KEY_NAME)
    with suppress(OSError):
        temporary.unlink(missing_ok=True)
    return key_in(cache)


def sealed(fields: Mapping[str, Any], key: bytes) -> dict[str, Any]:
    """The fields with the seal of this key; without one where there is no key."""
    plain = {name: value for name, value in fields.items() if name != _SEAL}
    return plain | {_SEAL: _seal(plain, key)} if key else plain


def is_sealed(fields: Mapping[str, Any], key: bytes) -> bool:
    """Whether fields are as they were when they were sealed with this key."""
    seal = fields.get(_SEAL)
    if not (key and isinstance(seal, str)):
        return False
    plain = {name: value for name, value in fields.items() if name != _SEAL}
    try:
        return hmac.compare_digest(_seal(plain, key).encode(), seal.encode("utf-8", "replace"))
    except RecursionError:
        return False


def _seal(fields: Mapping[str, Any], key: bytes) -> str:
    text = json.dumps(fields, sort_keys=True)  # in ASCII: half a character cannot be encoded
    return blake2b(text.encode(), digest_size=16, key=key).hexdigest()
