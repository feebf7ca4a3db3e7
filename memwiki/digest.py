"""The one digest of the project: what a file's bytes are known by."""

from __future__ import annotations

try:  # the accelerator itself: hashlib would load OpenSSL for 3 ms that a cold command does not have
    from _blake2 import blake2b
except ImportError:  # pragma: no cover - a Python without the accelerator
    from hashlib import blake2b

__all__ = ["blake2b", "digest_of"]


def digest_of(data: bytes) -> str:
    """Name these bytes: BLAKE2b, 32 hex digits."""
    return blake2b(data, digest_size=16).hexdigest()
