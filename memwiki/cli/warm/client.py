"""A command asks the process that has everything loaded, before it loads anything itself;
and what they say to each other.

`HELLO` comes first: a request that nobody takes would keep the streams in it open for ever. The
command sends one request, with its standard streams and its folder as descriptors; `READY` comes
back where it is taken, it says `GO`, and the exit code comes, one byte. Nothing is done before
`GO`, so that the command may turn away until then. Loaded by each command: it imports nothing.
"""

from __future__ import annotations

import _socket  # `socket` takes 4 ms to import
import os
import stat
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
    python = sorted(each for each in environ.items() if each[0].startswith((b"PYTHON", b"TZ")))
    program = (memwiki.__version__, memwiki.__file__, found.st_ino, found.st_mtime_ns)
    options = (sys.flags, sys.warnoptions, sys.getfilesystemencoding(), python)
    return repr((*program, sys.executable, sys.version, *options)).replace("\0", " ").encode()


def pack_request(parts: Sequence[bytes]) -> bytes:
    """A request as it is sent."""
    body = b"\0".join(parts)
    return _MAGIC + len(body).to_bytes(HEAD_BYTES - len(_MAGIC), "big") + body


def size_of(head: bytes) -> int:
    """How long the body of a request is; ValueError where it is none of ours."""
    if head[: len(_MAGIC)] != _MAGIC:
        raise ValueError("not a request")
    return int.from_bytes(head[len(_MAGIC) : HEAD_BYTES], "big")


_PATIENCE_S = 0.5  # until a request is taken; loading everything here takes about as long
_ENDED = 1
_INTERRUPTED = 130
_CREDENTIALS_BYTES = 12


def ask_server() -> int | None:
    """The exit code of this command, answered by another process; None where it is to be run
    here: there is no such process, or anything is odd."""
    if verb_of(sys.argv[1:]) not in COMMANDS or not hasattr(_socket, "AF_UNIX"):
        return None
    if None in map(vars(sys).get, ("stdin", "stdout", "stderr")):
        return None  # closed; their numbers may be those of other files
    try:
        link = _hand_over(socket_of(os.environb))
    except (OSError, ValueError):
        return None
    except KeyboardInterrupt:
        return _INTERRUPTED
    return _outcome(link) if link else None


def _hand_over(path: bytes) -> _socket.socket | None:
    """A link to the process that has taken the request."""
    if not (path and _is_private(path)):
        return None
    link = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    link.settimeout(_PATIENCE_S)
    link.connect(path)
    if not is_own(link) or link.recv(1) != HELLO:
        return None
    _send(link)
    if link.recv(1) != READY:
        return None
    link.settimeout(None)
    link.send(GO)
    return link


def _is_private(path: bytes) -> bool:
    """Whether a socket of ours is there, in a folder that is closed to all others."""
    folder, found = os.lstat(os.path.dirname(path)), os.lstat(path)
    is_closed = stat.S_ISDIR(folder.st_mode) and not folder.st_mode & 0o077
    owners = {folder.st_uid, found.st_uid}
    return is_closed and stat.S_ISSOCK(found.st_mode) and owners == {os.geteuid()}


def is_own(link: _socket.socket) -> bool:
    """Whether a process of this user is at the other end, where the system says it."""
    if not hasattr(_socket, "SO_PEERCRED"):
        return True
    found = link.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, _CREDENTIALS_BYTES)
    _, user, group = (int.from_bytes(found[at : at + 4], sys.byteorder) for at in (0, 4, 8))
    return (user, group) == (os.geteuid(), os.getegid())


def _send(link: _socket.socket) -> None:
    folder = os.open(b".", os.O_RDONLY)
    umask = os.umask(0o077)
    os.umask(umask)
    arguments = [os.fsencode(each) for each in sys.argv]
    environ = [b"%s=%s" % each for each in os.environb.items()]
    about = (identity(os.environb), os.getcwdb(), b"%d" % umask, b"%d" % len(arguments))
    request = pack_request([*about, *arguments, *environ])
    numbers = b"".join(each.to_bytes(4, sys.byteorder) for each in (0, 1, 2, folder))
    sent = link.sendmsg([request], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, numbers)])
    link.sendall(request[sent:])
    os.close(folder)


def _interrupt(link: _socket.socket) -> None:
    try:  # noqa: SIM105 - `contextlib` is not loaded yet
        link.send(INTERRUPT)
    except OSError:
        pass  # it has ended


def _outcome(link: _socket.socket) -> int:
    """Wait for the exit code. What is answered goes to our own streams, without us."""
    while True:
        try:
            code = link.recv(1)
            break
        except KeyboardInterrupt:
            _interrupt(link)
        except OSError:
            code = b""
            break
    if not code:
        os.write(2, b"memwiki: the process that answered was ended\nrun the command again\n")
    return code[0] if code else _ENDED
