"""Secrets in a text: of well-known shapes, or given to a name that says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from memwiki.secrets.assigned import assigned
from memwiki.secrets.shapes import shaped

_KEY_BLOCK = re.compile(r"-----BEGIN [^\n]*?-----.*?(?:-----END [^\n]*?-----|\Z)", re.DOTALL)
_STAND_IN = "[secret removed]"


class Secret(NamedTuple):
    """What a line holds, with no more than how it begins: `a GitHub token: ghp_1a2b…`."""

    line: int
    what: str


def secrets_in(text: str) -> Iterator[Secret]:
    """Tokens, keys and passwords in order, one a line."""
    clues = [*shaped(text), *assigned(text)]
    lines: dict[int, int] = {}
    line, before = 1, 0
    for start in sorted({clue.start for clue in clues}):
        line, before = line + text.count("\n", before, start), start
        lines[start] = line
    found: dict[int, str] = {}
    for clue in clues:
        found.setdefault(lines[clue.start], clue.what)
    yield from map(Secret._make, sorted(found.items()))


def without_secrets(text: str) -> str:
    """A text with what looks like a secret replaced, to the end of its line."""
    text = _KEY_BLOCK.sub(_STAND_IN, text)
    parts, at = [], 0
    for start in sorted({clue.start for clue in (*shaped(text), *assigned(text))}):
        if start >= at:
            parts += [text[at:start], _STAND_IN]
            end = text.find("\n", start)
            at = len(text) if end < 0 else end
    return "".join([*parts, text[at:]])
