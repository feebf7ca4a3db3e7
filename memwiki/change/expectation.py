"""What a page must still be for a change: whoever read it names the digest of what was read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from memwiki.digest import digest_if_any
from memwiki.errors import OutdatedError, UsageError
from memwiki.files.read import current_bytes

ETAG_DIGITS = 16
_DIGEST = re.compile(rf"[0-9a-f]{{{ETAG_DIGITS},32}}")


class Expected(NamedTuple):
    """A file, and what its digest begins with."""

    path: str
    digest: str


def expected_of(path: str, digest: str) -> Expected | None:
    """What is expected of a file, None for nothing; UsageError for what no digest begins with."""
    if not digest:
        return None
    if not _DIGEST.fullmatch(digest.lower()):
        raise UsageError(
            f"expect: {digest[:40]!r} is not a digest: {ETAG_DIGITS} to 32 hex digits",
            hint="memwiki get NAME --json gives it as digest, and its beginning as etag",
        )
    return Expected(path, digest.lower())


def require_expected(
    root: Path, expected: Expected | None, known: Mapping[str, str] | None = None
) -> None:
    """Raise OutdatedError when the file is another now; `known` has digests just taken."""
    if not expected:
        return
    path, digest = expected
    now = (known or {}).get(path)
    if now is None:
        now = digest_if_any(current_bytes(root, path))
    if not now.startswith(digest):
        raise OutdatedError(path, is_there=bool(now))
