"""Phrases, excluded words and, where no word is found, parts of words, looked for where they stand:
in the text of the files."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from operator import itemgetter

from memwiki.index.cards.lookup import Card, Lookup
from memwiki.index.keyword.backend import Snapshot
from memwiki.index.keyword.tokens import other_forms, query_terms, searchable
from memwiki.index.sql import AT_ONCE, batched
from memwiki.index.units import UnitKey, hits_of
from memwiki.recall.bm25 import holding_all
from memwiki.recall.channels import PageText, PageTexts, RankedUnit, date_of, located
from memwiki.recall.filters import Conditions, R
from memwiki.recall.query import Query, Term, TermKind, is_asking, prefix_terms, spellings
from memwiki.records import NamedTuple
from memwiki.text import MARKS, is_cjk, pattern

_SIGNS = str.maketrans("", "", "*`~")  # emphasis and code do not part words
_GAP = rf"[^\w{MARKS}]+"
_GAPS = pattern(_GAP)


def words_of(text: str) -> str:
    """The words of a text, folded, one blank between and around them."""
    return f" {_GAPS.sub(' ', _fold(text)).strip()} "


class _Phrase:
    """A phrase as it may stand in a folded text: whole words, but any part of a CJK run."""

    def __init__(self, phrase: str) -> None:
        words = words_of(phrase).split()
        self._may_begin_within = bool(words) and is_cjk(words[0][0])
        end = "" if words and is_cjk(words[-1][-1]) else rf"(?![\w{MARKS}])"
        # What stands before it is looked at afterwards: a pattern that begins with plain letters
        # is searched for much faster.
        self._pattern = re.compile(_GAP.join(map(re.escape, words)) + end) if words else None

    def stands_in(self, text: str) -> bool:
        """Whether a text, folded by `_fold`, holds it."""
        match = self._pattern.search(text) if self._pattern else None
        while match:
            start = match.start()
            if self._may_begin_within or not start or _GAPS.match(text, start - 1, start):
                return True
            match = match.re.search(text, start + 1)
        return False


def _fold(text: str) -> str:
    return searchable(text).casefold().translate(_SIGNS)


class _UnitText(NamedTuple):
    """Where the text of a unit stands; the first one answers for the front matter, too: names, tags
    and fields stand there."""

    card: Card
    start: int
    stop: int


class Phrases:
    """Looks for phrases in the text of units."""

    def __init__(self, lookup: Lookup, texts: PageTexts) -> None:
        self._lookup, self._texts = lookup, texts

    def holding(
        self, rows: Iterable[R], phrases: Sequence[str], known: Container[bytes] = ()
    ) -> Iterator[tuple[R, bool]]:
        """Each row, and whether its unit's text, or its page's title and description, hold all of
        the phrases; units of hits that are `known` are not read again."""
        wanted = list(map(_Phrase, phrases))
        for part in batched(rows, AT_ONCE):
            stretches = self._stretches([row.key for row in part])
            for row in part:
                stretch = None if row.key.hit in known else stretches.get(row.key)
                yield row, stretch is not None and self._has_all(stretch, wanted)

    def _stretches(self, keys: Sequence[UnitKey]) -> dict[UnitKey, _UnitText]:
        found = located(keys, self._lookup)
        cards = {card.id: card for _, card in found.values()}
        firsts = self._lookup.first_lines(cards.values())
        return {
            key: _UnitText(
                card, 1 if at.line_start == firsts.get(card.id) else at.line_start, at.line_end
            )
            for key, (at, card) in found.items()
        }

    def _has_all(self, stretch: _UnitText, phrases: Sequence[_Phrase]) -> bool:
        """Where no text can be looked at, the words of the phrases, which are there, will do."""
        if not self._texts.are_there:
            return True
        card, start, stop = stretch
        text = "\n".join(self._texts[card].part(start, stop))
        folded = _fold(f"{text}\n\n{card.title}\n\n{card.description}")
        return all(each.stands_in(folded) for each in phrases)

    def excluded_hits(self, snapshot: Snapshot, excluded: Sequence[str]) -> set[bytes]:
        """The hits that hold an excluded word, prefix or phrase anywhere."""
        found: set[bytes] = set()
        for each in excluded:
            found |= self._hits_with(snapshot, each, is_phrase=" " in each)
        return found

    def hits_with(self, snapshot: Snapshot, term: Term) -> set[bytes]:
        """The hits that hold a word, prefix or phrase anywhere."""
        text = f"{term.text}*" if term.kind is TermKind.PREFIX else term.text
        return self._hits_with(snapshot, text, is_phrase=term.kind is TermKind.PHRASE)

    def _hits_with(self, snapshot: Snapshot, text: str, *, is_phrase: bool) -> set[bytes]:
        keys: Iterable[bytes] = snapshot.keys(_holding(snapshot, text, is_phrase=is_phrase))
        if is_phrase:
            units = (RankedUnit(UnitKey(key), 0.0) for key in keys)
            keys = [unit.key for unit, has_all in self.holding(units, [text]) if has_all]
        return hits_of(keys)


def holding_phrases(snapshot: Snapshot, phrases: Iterable[str]) -> set[int] | None:
    """The units that hold all words of every phrase; None when there is no phrase."""
    found: set[int] | None = None
    for phrase in phrases:
        documents = holding_all(snapshot, query_terms(phrase))
        found = documents if found is None else found & documents
    return found


def without_phrases(query: Query) -> Query:
    """The same question with its phrases as words."""
    parts = (word for phrase in query.phrases for word in phrase.split())
    words = tuple(dict.fromkeys((*query.words, *parts)))
    return query._replace(text=" ".join(words), words=words, phrases=())


def _holding(snapshot: Snapshot, word: str, *, is_phrase: bool) -> set[int]:
    if is_phrase:
        return holding_all(snapshot, query_terms(word))
    if not word.endswith("*"):
        spelled = [query_terms(each) for each in spellings([word])]
        forms = [[other] for terms in spelled if len(terms) == 1 for other in other_forms(terms[0])]
        return {doc for terms in (*spelled, *forms) for doc in holding_all(snapshot, terms)}
    terms = prefix_terms(Query(word, prefixes=(word[:-1],)), snapshot)
    return {d for term in terms for run, _ in snapshot.postings(term) for d in run}


_MAX_WORDS = 8


class PartialMatch(NamedTuple):
    """A page that holds a share of the words as parts of others."""

    share: float
    card: Card
    words: tuple[str, ...]
    text: PageText

    @property
    def key(self) -> UnitKey:
        """The page as a whole."""
        return UnitKey.of_page(self.card.number)

    def units(self, lookup: Lookup) -> list[UnitKey]:
        """The units whose lines hold words, those with most first: memories and messages, of equal
        ones the newest first, then the first of the rest; if there is none, the page's first."""
        keys = lookup.unit_keys(self.card.number)
        found = {
            key: (count, date_of(self.card, location))
            for key, location in lookup.locations(keys).items()
            if (count := self._count(self.text.part(location.line_start, location.line_end)))
        }
        said = sorted((key for key in found if not key.is_block), key=found.__getitem__)
        return [*said[::-1], *[key for key in found if key.is_block][:1]] or list(keys[:1])

    def _count(self, lines: Iterable[str]) -> int:
        text = fold_part("\n".join(lines))
        return sum(word in text for word in self.words)


def fold_part(text: str) -> str:
    """The form in which parts of words are compared."""
    return searchable(text).casefold()


class BoundedCards:
    """Pages as long as what was read of them stays below a bound."""

    def __init__(self, cards: Iterable[Card], texts: PageTexts, max_bytes: int) -> None:
        self._cards, self._texts, self._most = cards, texts, max_bytes
        self.is_whole = True

    def __iter__(self) -> Iterator[Card]:
        before = self._texts.bytes_read
        for card in self._cards:
            if self._texts.bytes_read - before >= self._most:
                self.is_whole = False
                return
            yield card


def likely_first(words: Sequence[str], begun: Iterable[int], lookup: Lookup) -> Iterator[Card]:
    """All cards, each once: pages with words that begin so, pages whose path or title has a part,
    then those that came last. As few are looked up as are taken: a part of the name of a folder
    may be in all paths."""
    named = (number for word in words[:_MAX_WORDS] for number in lookup.named_partly(word))
    likely = dict.fromkeys((*begun, *named))
    for part in batched(likely, AT_ONCE):
        cards = lookup.by_number(part)
        yield from filter(None, map(cards.get, part))
    yield from (card for card in lookup.newest_cards() if card.number not in likely)


def pages_with_parts(
    words: Sequence[str],
    lookup: Lookup,
    conditions: Conditions,
    texts: PageTexts,
    cards: Iterable[Card] | None = None,
) -> list[PartialMatch]:
    """The pages that hold any of the words, those with most of them first; of all, or of these."""
    parts = list(dict.fromkeys(filter(None, map(fold_part, words))))
    parts = ([part for part in parts if not is_asking(part)] or parts)[:_MAX_WORDS]
    found = []
    for card in (lookup.cards() if cards is None else cards) if parts else ():
        if not conditions.passes_page(card.number):
            continue
        page = texts.passing(card)
        text = f"{fold_part(card.path)}\n{fold_part(page.text)}"
        count = sum(part in text for part in parts)
        if count:
            found.append(PartialMatch(count / len(parts), card, tuple(parts), page))
    return sorted(found, key=lambda row: (-row.share, row.card.path))


def units_with_parts(
    matches: Iterable[PartialMatch], lookup: Lookup, each: int
) -> list[RankedUnit]:
    """At most so many units of each page; of all pages the first, then the second ..."""
    shown = [
        (place, RankedUnit(key, match.share, "substring"))
        for match in matches
        for place, key in enumerate(match.units(lookup)[:each])
    ]
    return [unit for _, unit in sorted(shown, key=itemgetter(0))]
