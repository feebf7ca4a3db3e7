"""What a search found, as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import groupby

from memwiki.answers.search import SearchAnswer
from memwiki.model import Hit
from memwiki.present.screen import Look, as_path, fold, line, name
from memwiki.present.text import text_of
from memwiki.scripts import CJK_FROM, RUN


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
    lines = [f"{look.faint(f'{as_path(hit.path)}:{hit.line_start}')}  {look.strong(heading(hit))}"]
    excerpt = _indented(line(hit.excerpt), look)
    lines += map(mark, excerpt) if mark else excerpt
    if hit.reasons:
        lines += _indented(f"{hit.score:.3f}: {line('; '.join(hit.reasons))}", look)
    if hit.scores:
        lines += _indented(", ".join(f"{name} {s:.3f}" for name, s in hit.scores.items()), look)
    return "\n".join(lines)


def heading(hit: Hit) -> str:
    """Title and section; most pages repeat their title as the first heading."""
    title, section = name(hit.title), name(hit.section)
    if section == title or section.startswith(f"{title} > "):
        return section
    return " > ".join(filter(None, (title, section)))


def _indented(text: str, look: Look) -> list[str]:
    parts = [text] if look.width is None else fold(text, max(look.width - 4, 20))
    return [f"    {part}" for part in parts if part]
