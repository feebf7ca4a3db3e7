"""Phrases and excluded words, looked for where they stand: in the text of the files."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence

from memwiki.index.cards.lookup import Card, Lookup
from memwiki.index.keyword.backend import Snapshot
from memwiki.index.keyword.tokens import query_terms, searchable
from memwiki.index.sql import AT_ONCE, batched
from memwiki.index.units import UnitKey, hits_of
from memwiki.recall.bm25 import holding_all
from memwiki.recall.channels import PageTexts, RankedUnit, located
from memwiki.recall.filters import R
from memwiki.recall.query import Query, Term, TermKind, prefix_terms
from memwiki.records import NamedTuple
from memwiki.text import MARKS, is_cjk, pattern

_SIGNS = str.maketrans("", "", "*`~")  # emphasis and code do not part words
_GAP = rf"[^\w{MARKS}]+"
_GAPS = pattern(_GAP)


def words_of(text: str) -> str:
    """The words of a text, folded, one blank between and around them."""
    return f" {_GAPS.sub(' ', _folded(text)).strip()} "


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
        """Whether a text, folded by `_folded`, holds it."""
        match = self._pattern.search(text) if self._pattern else None
        while match:
            start = match.start()
            if self._may_begin_within or not start or _GAPS.match(text, start - 1, start):
                return True
            match = match.re.search(text, start + 1)
        return False


def _folded(text: str) -> str:
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
        folded = _folded(f"{text}\n\n{card.title}\n\n{card.description}")
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


def unquoted(query: Query) -> Query:
    """The same question with its phrases as words."""
    parts = (word for phrase in query.phrases for word in phrase.split())
    words = tuple(dict.fromkeys((*query.words, *parts)))
    return query._replace(text=" ".join(words), words=words, phrases=())


def _holding(snapshot: Snapshot, word: str, *, is_phrase: bool) -> set[int]:
    if is_phrase or not word.endswith("*"):
        return holding_all(snapshot, query_terms(word))
    terms = prefix_terms(Query(word, prefixes=(word[:-1],)), snapshot)
    return {d for term in terms for run, _ in snapshot.postings(term) for d in run}
