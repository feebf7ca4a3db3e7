"""The channel along names: from the best of what was found to the pages that it names."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nlargest
from urllib.parse import unquote

from memwiki.index.keyword.tokens import is_cjk
from memwiki.index.units import UnitKey
from memwiki.names import slug, stem_of
from memwiki.patterns import pattern
from memwiki.recall.answer_index import AnswerIndex
from memwiki.recall.candidates import Scores
from memwiki.recall.conditions import Conditions
from memwiki.recall.keywords import is_asking
from memwiki.recall.texts import passages_of

_BEST = 3  # hits whose names are followed
_MAX_CHARACTERS = 1_500  # of a hit
_SPAN = range(2, 5)  # words of a name that is no link
_CJK_SPAN = range(3, 9)  # characters of one in a run without blanks
_MAX_CJK = 300  # characters of such runs
_FEW = 5  # pages: a name of more says nothing
_MAX_NAMED = 8  # pages: a hit that names more is a list
_LINK = pattern(r"\[\[([^\]|#\n]+)|\]\(<?([^)>#?\s][^)>#?\n]*)")
_PROPER = pattern(r"(?<![.!?:]\s)(?<=\s)[A-Z]\w{2,}")


class AlongNames:
    """The pages whose titles, other names or addresses stand in the best hits."""

    def __init__(self, index: AnswerIndex, conditions: Conditions) -> None:
        self._index, self._conditions = index, conditions

    def find(self, found: Scores) -> Scores:
        """The first unit of each such page, with the score of the best hit that names it."""
        lookup = self._index.lookup
        best = nlargest(_BEST, found, key=lambda key: (found[key], key))
        passages = passages_of(map(UnitKey, best), lookup, self._index.texts)
        named: dict[str, float] = {}
        for key, passage in passages.items():
            pages = {*self._named_in(passage.body)} - {passage.card.path}
            for path in sorted(pages) if len(pages) <= _MAX_NAMED else ():
                named[path] = max(named.get(path, 0.0), found[key])
        units: dict[bytes, float] = {}
        for path, score in named.items():
            unit = self._unit_of(path)
            if unit and self._conditions.passes(unit):
                units[unit] = score
        return units

    def _named_in(self, text: str) -> Iterator[str]:
        forms = dict.fromkeys(names_in(text[:_MAX_CHARACTERS]))
        forms.pop("", None)
        known = self._index.lookup.slugs_of_all(forms)
        for form in filter(known.get, forms):
            seen = sorted(filter(self._index.view.scope.sees, known[form]))
            yield from seen if len(seen) <= _FEW else ()

    def _unit_of(self, path: str) -> UnitKey | None:
        card = self._index.lookup.card(path)
        keys = self._index.lookup.unit_keys(card.number) if card else ()
        return next((key for key in keys if key.is_block), None)


def names_in(text: str) -> Iterator[str]:
    """What may be names in a text, as slugs: links, words that follow one another, longer ones
    first, and single words with a capital."""
    for wikilink, address in _LINK.findall(text):
        yield slug(stem_of(wikilink or unquote(address)))
    words = slug(text).split("-")
    for length in reversed(_SPAN):
        yield from ("-".join(words[i : i + length]) for i in range(len(words) - length + 1))
    left = _MAX_CJK
    for run in filter(is_cjk, words):
        part = run[:left]
        left -= len(part)
        for length in reversed(_CJK_SPAN):
            yield from (part[i : i + length] for i in range(len(part) - length + 1))
    for word in _PROPER.findall(text):
        if not is_asking(word.casefold()):
            yield slug(word)
