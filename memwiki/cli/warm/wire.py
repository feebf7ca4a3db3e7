"""What a command and the process that answers it say to each other.

`HELLO` comes first: a request that nobody takes would keep the streams in it open for ever. The
command sends one request, with its standard streams and its folder as descriptors; `READY` comes
back where it is taken, it says `GO`, and the exit code comes, one byte. Nothing is done before
`GO`, so that the command may turn away until then. Loaded by each command: it imports nothing.
"""

from __future__ import annotations

import os
import sys

import memwiki

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HELLO, READY, GO, INTERRUPT = b"h", b"r", b"g", b"i"
HEAD_BYTES = 16
_MAGIC = b"memwiki1"
_MAX_PATH_BYTES = 100  # of the name of a socket, in all systems
COMMANDS = frozenset(
    ("search", "recall", "get", "links", "list", "tags", "browse", "suggest", "status", "context")
)
# Options before a command that take a value, and those that do not.
_VALUED = ("-C", "--directory", "-w", "--workspace", "-n", "--namespace", "--actor")
_FLAGS = ("--here", "--json", "--no-sync", "-q", "--quiet")


def verb_of(arguments: Sequence[str]) -> str:
    """The command among arguments; "" where they begin with anything unusual."""
    waiting = iter(arguments)
    for argument in waiting:
        if argument in _VALUED:
            next(waiting, None)
        elif argument not in _FLAGS:
            return argument
    return ""


def socket_of(environ: Mapping[bytes, bytes]) -> bytes:
    """Where the socket of this user is, as `cache_root` finds the cache folder at first; b"" where
    that takes more than a look at the environment."""
    home, named = environ.get(b"HOME", b""), environ.get(b"MEMWIKI_CACHE_DIR", b"")
    cache = environ.get(b"XDG_CACHE_HOME", b"") if sys.platform.startswith("linux") else b""
    if not named and cache.startswith(b"/"):
        named = os.path.join(cache, b"memwiki")
    elif not named and home:
        below = b"Library/Caches" if sys.platform == "darwin" else b".cache"
        named = os.path.join(home, below, b"memwiki")
    if not named.startswith(b"/"):
        return b""
    path = os.path.join(os.path.realpath(named), b"warm", b"socket")
    return path if len(path) <= _MAX_PATH_BYTES else b""


def identity(environ: Mapping[bytes, bytes]) -> bytes:
    """All that has to be the same for an answer to be: this program, its Python, and how that was
    started."""
    found = os.stat(memwiki.__file__)
    python = sorted(each for each in environ.items() if each[0].startswith(b"PYTHON"))
    program = (memwiki.__version__, memwiki.__file__, found.st_ino, found.st_mtime_ns)
    options = (sys.flags, sys.warnoptions, sys.getfilesystemencoding(), python)
    return repr((*program, sys.executable, sys.version, *options)).replace("\0", " ").encode()


def packed(parts: Sequence[bytes]) -> bytes:
    """A request as it is sent."""
    body = b"\0".join(parts)
    return _MAGIC + len(body).to_bytes(HEAD_BYTES - len(_MAGIC), "big") + body


def size_of(head: bytes) -> int:
    """How long the body of a request is; ValueError where it is none of ours."""
    if head[: len(_MAGIC)] != _MAGIC:
        raise ValueError("not a request")
    return int.from_bytes(head[len(_MAGIC) : HEAD_BYTES], "big")
