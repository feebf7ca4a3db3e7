"""The one digest of the project: what a file's bytes are known by."""

from __future__ import annotations

from collections.abc import Iterable

try:  # the accelerator itself: hashlib would load OpenSSL for 3 ms that a cold command does not have
    from _blake2 import blake2b
except ImportError:  # pragma: no cover - a Python without the accelerator
    from hashlib import blake2b

__all__ = ["blake2b", "digest_of", "digest_of_parts"]


def digest_of(data: bytes) -> str:
    """Name these bytes: BLAKE2b, 32 hex digits."""
    return blake2b(data, digest_size=16).hexdigest()


def digest_of_parts(parts: Iterable[bytes]) -> str:
    """Name the bytes that these parts make, one after the other."""
    whole = blake2b(digest_size=16)
    for part in parts:
        whole.update(part)
    return whole.hexdigest()
