"""The channels of names: pages whose name is the question, and those that the best hits name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import compress
from urllib.parse import unquote

from memwiki.index.cards.lookup import Lookup
from memwiki.index.names import NameKind, name_number
from memwiki.index.units import UnitKey, are_of, page_of
from memwiki.names import bare_letters, fold, parts_of, slug, stem_of
from memwiki.recall.channels import (
    AnswerIndex,
    Candidates,
    RankedUnit,
    Scores,
    first_block,
    passages_of,
)
from memwiki.recall.filters import Conditions
from memwiki.recall.query import Query, is_asking
from memwiki.text import is_cjk, pattern

_MAX_TWINS = 200  # pages of one name of which it is counted how many others link to them
_MAX_PAGES = 5  # pages that share a heading or tag and still come before mere words
_REASONS = {
    NameKind.PATH: "exact path",
    NameKind.TITLE: "exact title",
    NameKind.ALIAS: "exact alias",
    NameKind.STEM: "exact file name",
    NameKind.SLUG: "same name",
}
# A question of nothing but what, or who, a thing is.
_DEFINED = pattern(
    r"(?:what|who)(?:'s| is| are| was| were) (?:an? |the )?(.+)|tell me about (.+)"
    r"|(?:was|wer) (?:ist|sind) (?:(?:ein|eine|der|die|das) )?(.+)|wat is (?:(?:een|de|het) )?(.+)"
    r"|qu['’]est[- ]ce qu(?:e (?:c['’]est qu)?|['’])['’]?(?:(?:une?|les?|la) |l['’])?(.+)"
    r"|¿?qué es (?:(?:una?|el|la) )?(.+)|(?:che )?cos['’]è (?:(?:una?|il|la) |un['’]|l['’])?(.+)"
    r"|o que é (?:(?:uma?|o|a) )?(.+)|(?:что такое|кто так(?:ой|ая)|що таке) (.+)"
    r"|(?:什么是|谁是|何谓)(.+)|(.+?)(?:是什么|是谁|什么意思|是什么意思)|(.+?)(?:とは|って何)(?:何|なに)?(?:ですか)?",
    re.IGNORECASE,
)
_ENDS = " \t?？.。!！"
NAMING = frozenset(_REASONS.values())  # reasons for which a page is what was asked for
_ORDER = (*_REASONS.values(), "exact heading", "exact tag")  # the first come first


class NamesChannel:
    """The pages whose title, alias or file name is the question, then a few with such a heading or
    tag; `reasons` has the best one of each page."""

    def __init__(self, query: Query, lookup: Lookup, conditions: Conditions) -> None:
        self._lookup, self._conditions = lookup, conditions
        self.reasons: dict[int, str] = {}
        name = query.text.strip() if query.is_plain else " ".join(query.words)
        if name and not query.prefixes:
            self._name(name)
            if not self.reasons and (asked := asked_about(name)):
                self._name(asked)

    def _name(self, name: str) -> None:
        for number, reason in _pages_called(name, self._lookup):
            if self._conditions.passes_page(number):
                self.reasons.setdefault(number, reason)

    def find(self, found: Scores) -> Scores:
        """Each page by its best block with that one's score: by reason, then those that others name
        in more links, then by score."""
        best: dict[int, tuple[float, bytes]] = {}
        for key in compress(found, are_of(found, self.reasons)) if self.reasons else ():
            if not key[-1]:  # a block
                page = page_of(key)
                best[page] = max(best.get(page, (0.0, key)), (found[key], key))
        rows = {page: best.get(page) or self._unscored(page) for page in self.reasons}
        units = {page: row for page, row in rows.items() if row}
        twins = units if 1 < len(units) <= _MAX_TWINS else ()
        linked = {
            number: self._lookup.mentions(card.path)
            for number, card in self._lookup.by_number(twins).items()
        }

        def order(page: int) -> tuple[int, int, float]:
            return _ORDER.index(self.reasons[page]), -linked.get(page, 0), -units[page][0]

        return {units[page][1]: units[page][0] for page in sorted(units, key=order)}

    def ranked(self, found: Candidates) -> list[RankedUnit]:
        """The same as units with their reasons, and scores as shares of the highest."""
        return [
            RankedUnit(UnitKey(key), score / found.highest, self.reasons[page_of(key)])
            for key, score in self.find(found).items()
        ]

    def _unscored(self, number: int) -> tuple[float, bytes] | None:
        """The first unit of a page that holds none of the words."""
        units = self._lookup.unit_keys(number)
        found = next(filter(self._conditions.passes, units), None)
        return (0.0, found) if found else None


def asked_about(question: str) -> str:
    """The name in a question of nothing but what, or who, something is; "" where it is none."""
    found = _DEFINED.fullmatch(question.strip(_ENDS))
    return next(filter(None, found.groups()), "").strip() if found else ""


def _pages_called(name: str, lookup: Lookup) -> Iterator[tuple[int, str]]:
    """The pages that answer to it by any of their names, and by which."""
    named = lookup.named(name_number(name))
    for kind, reason in _REASONS.items():
        for path in _paths(kind, name, named, lookup):
            card = lookup.card(path)
            if card:
                yield card.number, reason
    for reason, numbers in (
        ("exact heading", lookup.headed(name, _MAX_PAGES + 1)),
        ("exact tag", lookup.tagged(name.lstrip("#"), _MAX_PAGES + 1)),
    ):
        if len(numbers) <= _MAX_PAGES:
            yield from ((number, reason) for number in sorted(numbers))  # whatever came first


def _paths(
    kind: NameKind, name: str, named: Mapping[NameKind, Sequence[str]], lookup: Lookup
) -> Sequence[str]:
    if kind is NameKind.SLUG:
        return [*lookup.slugs(slug(name)), *lookup.pages(NameKind.SEARCH, slug(bare_letters(name)))]
    found = named.get(kind, ())
    if kind is not NameKind.TITLE:
        return found
    return [*found, *_titled(name, named.get(NameKind.SEARCH, ()), lookup)]


def _titled(name: str, paths: Iterable[str], lookup: Lookup) -> Iterator[str]:
    """Those of the pages that have this title where links do not go by titles."""
    for path in paths:
        card = lookup.card(path)
        if card and fold(card.title) == fold(name):
            yield path


_BEST = 3  # hits whose names are followed
_MAX_CHARACTERS = 1_500  # of a hit
_SPAN = range(2, 5)  # words of a name that is no link
_CJK_SPAN = range(3, 9)  # characters of one in a run without blanks
_MAX_CJK = 300  # characters of such runs
_FEW_WORDS = 5  # pages: a name of more says nothing
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
            unit = first_block(path, lookup)
            if unit and self._conditions.passes(unit):
                units[unit] = score
        return units

    def _named_in(self, text: str) -> Iterator[str]:
        forms = dict.fromkeys(names_in(text[:_MAX_CHARACTERS]))
        forms.pop("", None)
        known = self._index.lookup.slugs_of_all(forms)
        for form in filter(known.get, forms):
            seen = sorted(filter(self._index.view.scope.sees, known[form]))
            yield from seen if len(seen) <= _FEW_WORDS else ()


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
        yield from parts_of(part, reversed(_CJK_SPAN))
    for word in _PROPER.findall(text):
        if not is_asking(word.casefold()):
            yield slug(word)
