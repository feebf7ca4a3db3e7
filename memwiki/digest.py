"""The one digest of the project: what a file's bytes are known by."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import takewhile

# the accelerators themselves: hashlib would load OpenSSL for 3 ms a command
try:
    from _blake2 import blake2b
    from _md5 import md5  # type: ignore[import-not-found]
except ImportError:  # a Python without them
    from hashlib import blake2b, md5

__all__ = [
    "MAX_KNOWN_BYTES",
    "MIN_KNOWN_BYTES",
    "WHOLE_BYTES",
    "blake2b",
    "digest_if_any",
    "digest_of",
    "digest_of_parts",
    "known_of",
    "md5",
    "part_digest",
    "text_hash",
    "unit_digest",
]

_UNIT_BYTES = 9
WHOLE_BYTES = 5  # of these, the first of a unit that is a part say of what
MIN_KNOWN_BYTES = 1_000_000
MAX_KNOWN_BYTES = 10_000_000
_STEP = 1_000_000  # bytes after which the state of a digest is kept
# A verb meets a page as it was, and as it becomes, five times each: of 5 MB, to compare takes
# 0.5 ms and to hash 8 (2026-11-29).
_known: deque[tuple[bytes, str, list[blake2b]]] = deque(maxlen=2)


def digest_of(data: bytes) -> str:
    """Name these bytes: BLAKE2b, 32 hex digits. The last large ones are known again, and of others
    what they begin with alike is not hashed again."""
    if not MIN_KNOWN_BYTES <= len(data) <= MAX_KNOWN_BYTES:
        return blake2b(data, digest_size=16).hexdigest()
    for known, digest, _ in tuple(_known):
        if known == data:
            return digest
    states = max(
        (_alike(data, known, each) for known, _, each in tuple(_known)), key=len, default=[]
    )
    whole = states[-1].copy() if states else blake2b(digest_size=16)
    for at in range(len(states) * _STEP, len(data), _STEP):
        whole.update(data[at : at + _STEP])
        states.append(whole.copy())
    _known.append((data, whole.hexdigest(), states[: len(data) // _STEP]))
    return whole.hexdigest()


def _alike(data: bytes, known: bytes, states: Sequence[blake2b]) -> list[blake2b]:
    """The states of a digest that are those of these bytes, too."""
    steps = range(0, len(states) * _STEP, _STEP)
    same = takewhile(lambda at: data.startswith(known[at : at + _STEP], at), steps)
    return list(states[: sum(1 for _ in same)])


def known_of(size: int) -> list[bytes]:
    """Those of the last large bytes that are so many."""
    return [data for data, *_ in tuple(_known) if len(data) == size]


def digest_if_any(data: bytes | None) -> str:
    """Name the bytes of a file that may not be there: "" for none."""
    return "" if data is None else digest_of(data)


def text_hash(text: str, size: int) -> bytes:
    """What stands for a text in a store: BLAKE2b in so many bytes, also of half a character."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).digest()


def unit_digest(searched: str) -> str:
    """What stands for all that is searched of a unit, and said of it: as long as its name in a
    key."""
    return text_hash(searched, _UNIT_BYTES).hex()


def part_digest(whole: str, searched: str) -> str:
    """The same of a part: it begins like the digest of the whole."""
    rest = text_hash(searched, _UNIT_BYTES - WHOLE_BYTES)
    return whole[: 2 * WHOLE_BYTES] + rest.hex()


def digest_of_parts(parts: Iterable[bytes]) -> str:
    """Name the bytes that these parts make, one after the other."""
    whole = blake2b(digest_size=16)
    for part in parts:
        whole.update(part)
    return whole.hexdigest()
