"""Secrets in a text: of well-known shapes, or given to a name that says so."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from memwiki.patterns import pattern
from memwiki.records import NamedTuple
from memwiki.secrets.assigned import assigned, is_key
from memwiki.secrets.shapes import shaped

_KEY_BLOCK = pattern(r"-----BEGIN [^\n]*?-----.*?(?:-----END [^\n]*?-----|\Z)", re.DOTALL)
_STAND_IN = "[secret removed]"
_WORD = pattern(r"[A-Za-z0-9_-]{24,}")
_TAGGED_HEX = pattern(
    r"(?!sha|md5|commit|rev)[a-z][a-z0-9]{1,9}(?:[-_][a-z0-9]{1,8}){0,2}[-_][0-9a-f]{32,}"
)
_MIN_OF_A_KIND = 3
_SAID = ("sk-", "sk_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_")  # how secret keys begin
_MAX_WORD_CHARACTERS = 200


class Secret(NamedTuple):
    """What a line holds, with no more than how it begins: `a GitHub token: ghp_1a2b…`."""

    line: int
    what: str


def secrets_in(text: str) -> Iterator[Secret]:
    """Tokens, keys and passwords in order, one a line."""
    clues = [*shaped(text), *assigned(text)]
    ends = [match.start() for match in re.finditer("\n", text)] if clues else []
    found: dict[int, str] = {}
    for clue in clues:
        found.setdefault(bisect_left(ends, clue.start) + 1, clue.what)
    yield from map(Secret._make, sorted(found.items()))


def without_secrets(text: str) -> str:
    """A text with what looks like a secret replaced, to the end of its line; it has the lines that
    it had.

    More than `secrets_in` tells of: what is replaced wrongly costs a line, what is kept a secret.
    """
    text = _KEY_BLOCK.sub(lambda found: _STAND_IN + "\n" * found[0].count("\n"), text)
    parts, at = [], 0
    clues = (*shaped(text), *assigned(text))
    for start in sorted({*(clue.start for clue in clues), *_drawn(text)}):
        if start >= at:
            parts += [text[at:start], _STAND_IN]
            end = text.find("\n", start)
            at = len(text) if end < 0 else end
    return "".join([*parts, text[at:]])


def _drawn(text: str) -> Iterator[int]:
    """Where words stand that were drawn by lot, whoever issued them."""
    for match in _WORD.finditer(text):
        word = match[0][:_MAX_WORD_CHARACTERS]
        if word.startswith("eyJ") or _TAGGED_HEX.match(word) or _is_drawn(word):
            yield match.start()


def _is_drawn(word: str) -> bool:
    kinds = (str.islower, str.isupper, str.isdigit)
    counts = [sum(map(kind, word)) for kind in kinds]
    if word.startswith(_SAID):  # by lot, few digits are drawn now and then
        return min(counts[:2]) >= _MIN_OF_A_KIND
    return min(counts) >= _MIN_OF_A_KIND and is_key(word)
