"""Text -> terms: what is written into the keyword index and what a question is cut into.

One analysis for every backend: words casefolded, accents folded, English-stemmed; CJK runs as
single characters and overlapping pairs; names with inner capitals or underscores also in parts;
versions also whole. A path is its words here; asked for exactly, it is found as a name.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from memwiki.index.keyword.stem import stem
from memwiki.names import normalised

_WORD = re.compile(r"\w+")
# 8.5.1 is a word of its own besides its parts.
_VERSION = re.compile(r"(?:v|(?<!\d))\d++(?:\.\d++)++\w*+", re.ASCII)
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# From here on lie the scripts that are written without blanks between words.
_CJK_FROM = "\u2e80"
_MAX_WORD = 64  # base64 blobs and hashes are cut, so that no term is unbounded
_CACHE_SIZE = 200_000
_cache: dict[str, tuple[str, ...]] = {}


def is_cjk(text: str) -> bool:
    """Whether the text holds a Chinese, Japanese or Korean character."""
    return not text.isascii() and max(text) >= _CJK_FROM


@cache
def _marks() -> re.Pattern[str]:
    return re.compile("[\x80-\u058f\u1e00-\u1fff]")


@cache
def _runs() -> re.Pattern[str]:
    # Compiling it takes 3 ms, which only text that needs it has to pay.
    return re.compile(f"([{_CJK_FROM}-\U0010ffff]+)|([^{_CJK_FROM}-\U0010ffff]+)")


def normalise(text: str) -> str:
    """The text with compatibility forms and accents folded; case is kept for splitting names."""
    if text.isascii():
        return text
    text = normalised("NFKC", text)
    if text.isascii() or not _has_marks(text):
        return text
    return _marks().sub(lambda match: _base(match[0]), text)


def _has_marks(text: str) -> bool:
    # Latin, Greek and Cyrillic with accents lie below U+0590 and from U+1E00 to U+1FFF.
    return _marks().search(text) is not None


@cache
def _base(character: str) -> str:
    decomposed = unicodedata.normalize("NFD", character)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def count_terms(text: str) -> Counter[str]:
    """How often each term stands in the text."""
    text = normalise(text)
    counts: Counter[str] = Counter()
    for word, times in Counter(_WORD.findall(text)).items():
        for term in _terms_of_word(word):
            counts[term] += times
    for version in _VERSION.findall(text):
        counts[version.casefold()] += 1
    return counts


def query_terms(text: str) -> list[str]:
    """The terms of a question in order, without duplicates; longer CJK runs as pairs only."""
    text = normalise(text)
    found: dict[str, None] = {}
    for match in _WORD.finditer(text):
        for term in _terms_of_question_word(match[0]):
            found[term] = None
    for version in _VERSION.findall(text):
        found[version.casefold()] = None
    return list(found)


def _terms_of_word(word: str) -> tuple[str, ...]:
    terms = _cache.get(word)
    if terms is None:
        if word.isascii():
            terms = _ascii_terms(word)
        elif not is_cjk(word):
            terms = (stem(word.casefold()[:_MAX_WORD]),)
        else:
            return tuple(_mixed_terms(word))  # CJK runs hardly repeat: not cached
        if len(_cache) < _CACHE_SIZE:
            _cache[word] = terms
    return terms


def _ascii_terms(word: str) -> tuple[str, ...]:
    whole = stem(word[:_MAX_WORD].lower())
    if word.islower() or word.isdigit():
        if "_" not in word:
            return (whole,)
    elif word.isupper() and "_" not in word:
        return (whole,)
    parts = _PARTS.findall(word[:_MAX_WORD])
    if len(parts) < 2:
        return (whole,) if "_" not in word or not parts else (whole, stem(parts[0].lower()))
    return (whole, *dict.fromkeys(stem(part.lower()) for part in parts if len(part) > 1))


def _mixed_terms(word: str) -> Iterator[str]:
    for run, other in _runs().findall(word):
        if run:
            yield from run
            yield from map("".join, pairwise(run))
        else:
            yield from _terms_of_word(other)


def _terms_of_question_word(word: str) -> Iterator[str]:
    if not is_cjk(word):
        yield from _terms_of_word(word)
        return
    for run, other in _runs().findall(word):
        if len(run) == 1:
            yield run
        elif run:
            yield from map("".join, pairwise(run))
        else:
            yield from _terms_of_word(other)
