"""What a search found, as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

from memwiki.answers.search import SearchAnswer
from memwiki.model import Hit
from memwiki.present.rows import Passage, Place, Row, rows_of
from memwiki.present.screen import Look, as_path, columns, cut, fold, line, name
from memwiki.present.text import text_of
from memwiki.scripts import CJK_FROM, RUN

_LEAST_COLUMNS, _MOST_COLUMNS = 20, 120
# Of an image the end may be cut off.
_UNREAD = r"!\[([^\[\]]*)\]\([^()\s]*(?:\)|…\Z)|(?<!\S)id:: [0-9a-f-]{36}(?!\S)"


@text_of.register(SearchAnswer)
def _(answer: SearchAnswer, look: Look) -> str:
    mark = _Marker(answer.words, look, is_part=answer.fallback) if look.has_colour else None
    return hits_text(answer.hits, look, mark)


def hits_text(hits: Iterable[Hit], look: Look, mark: Callable[[str], str] | None = None) -> str:
    """Each hit: where it is, what is there, and why it was found if that was asked."""
    return "\n".join(_hit(hit, look, mark) for hit in hits)


class _Marker:
    """Shows in a line the words that were looked for."""

    def __init__(self, words: Iterable[str], look: Look, *, is_part: bool) -> None:
        self._words = frozenset(word.casefold() for word in words)
        parts = [w for w in sorted(self._words) if is_part or w[:1] >= CJK_FROM]
        self._parts = "|".join(map(re.escape, filter(None, parts)))
        self._look = look

    def __call__(self, text: str) -> str:
        """The line with the words in it marked."""
        return RUN.sub(lambda found: self._marked(found[0]), text)

    def _marked(self, word: str) -> str:
        if word.casefold() in self._words:
            return self._look.marked(word)
        if not self._parts:
            return word
        # Pairs of CJK characters overlap: what they cover together is one mark.
        covered = set[int]()
        for found in re.finditer(f"(?=({self._parts}))", word, re.IGNORECASE):
            covered.update(range(*found.span(1)))
        runs = groupby(enumerate(word), key=lambda each: each[0] in covered)
        texts = ((is_in, "".join(letter for _, letter in run)) for is_in, run in runs)
        return "".join(self._look.marked(text) if is_in else text for is_in, text in texts)


def _hit(hit: Hit, look: Look, mark: Callable[[str], str] | None) -> str:
    lines = [_head(hit, look)]
    excerpt = _indented(_read(line(hit.excerpt), look), look)
    lines += map(mark, excerpt) if mark else excerpt
    if hit.reasons:
        lines += _indented(f"{hit.score:.3f}: {line('; '.join(hit.reasons))}", look)
    if hit.scores:
        lines += _indented(", ".join(f"{name} {s:.3f}" for name, s in hit.scores.items()), look)
    return "\n".join(lines)


def _head(hit: Hit, look: Look) -> str:
    """Where a hit is, which is copied and never cut, and its title, which fits the screen."""
    place, title, gap = f"{as_path(hit.path)}:{hit.line_start}", heading(hit), "  "
    title = cut(title, max(_MOST_COLUMNS - columns(place) - len(gap), _LEAST_COLUMNS))
    if look.width is not None:
        room = look.width - columns(place) - len(gap)
        if room < min(columns(title), _LEAST_COLUMNS):
            gap, room = "\n    ", max(look.width - 4, _LEAST_COLUMNS)
        title = cut(title, room)
    return f"{look.faint(place)}{gap}{look.strong(title)}"


def _read(text: str, look: Look) -> str:
    """For a person, an image is its label, and the number of a block of Logseq's is nothing."""
    if look.width is None:
        return text
    return line(re.sub(_UNREAD, r"\1", text)) or text


def heading(hit: Hit) -> str:
    """Title and section; most pages repeat their title as the first heading."""
    title, section = name(hit.title), name(hit.section)
    if section == title or section.startswith(f"{title} > "):
        return section
    return " > ".join(filter(None, (title, section)))


def _indented(text: str, look: Look) -> list[str]:
    parts = [text] if look.width is None else fold(text, max(look.width - 4, 20))
    return [f"    {part}" for part in parts if part]


@rows_of.register(SearchAnswer)
def _(answer: SearchAnswer) -> Iterator[Row]:
    return map(hit_row, answer.hits)


def hit_row(hit: Hit) -> Row:
    """A hit with its excerpt."""
    place = Place(hit.path, hit.line_start, hit.line_end)
    facts = {"date": hit.updated[:10], "id": hit.id, "score": f"{hit.score:.2f}"}
    return Passage(hit.kind, place, hit.excerpt, heading(hit), facts)
