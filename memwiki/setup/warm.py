"""Where the process is that answers commands."""

from __future__ import annotations

from memwiki.config import cache_root, environment
from memwiki.files.private_socket import PrivateSocket

__all__ = ["PrivateSocket", "private_socket"]


def private_socket() -> PrivateSocket | None:
    """The socket of this user; None where no folder can be closed to others."""
    cache = cache_root(environment())
    place = PrivateSocket(cache) if cache else None
    return place if place and place.is_closed() else None
