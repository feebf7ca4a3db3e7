"""Phrases and excluded words, looked for where they stand: in the text of the files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from memwiki.index.cards.lookup import Lookup
from memwiki.index.keyword.backend import Snapshot
from memwiki.index.keyword.tokens import is_cjk, normalise, query_terms
from memwiki.index.unit_key import UnitKey, hits_of
from memwiki.recall.keywords import prefix_terms
from memwiki.recall.query import Query
from memwiki.recall.score import holding_all
from memwiki.recall.texts import PageTexts

_MARKS = str.maketrans("", "", "*`~")  # emphasis and code do not part words


@cache
def _gaps() -> re.Pattern[str]:
    return re.compile(r"\W+")


def words_of(text: str) -> str:
    """The words of a text, folded, one blank between and around them."""
    return f" {_gaps().sub(' ', normalise(text).casefold().translate(_MARKS)).strip()} "


def _pattern(phrase: str) -> str:
    """A phrase as it stands in `words_of`: whole words, but any part of a CJK run."""
    words = words_of(phrase)
    start = 1 if is_cjk(words[1:2]) else 0
    stop = -1 if is_cjk(words[-2:-1]) else None
    return words[start:stop]


class Phrases:
    """Looks for phrases in the text of units."""

    def __init__(self, lookup: Lookup, texts: PageTexts) -> None:
        self._lookup, self._texts = lookup, texts

    def all_in(self, key: UnitKey, phrases: Sequence[str]) -> bool:
        """Whether a unit's text, or its page's title and description, hold all of the phrases."""
        location = self._lookup.locations([key]).get(key)
        card = self._lookup.by_number([location.page]).get(location.page) if location else None
        if location is None or card is None:
            return False
        # The first unit answers for the front matter, too: names, tags and fields stand there.
        is_first = location.line_start == self._lookup.first_line(card)
        start = 1 if is_first else location.line_start
        text = "\n".join(self._texts[card].part(start, location.line_end))
        words = words_of(f"{text}\n\n{card.title}\n\n{card.description}")
        return all(_pattern(phrase) in words for phrase in phrases)

    def excluded_hits(self, snapshot: Snapshot, excluded: Sequence[str]) -> set[bytes]:
        """The hits that hold an excluded word, prefix or phrase anywhere."""
        found: set[bytes] = set()
        for each in excluded:
            keys = snapshot.keys(_holding(snapshot, each))
            if " " in each:
                keys = [key for key in keys if self.all_in(UnitKey(key), [each])]
            found |= hits_of(keys)
        return found


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


def _holding(snapshot: Snapshot, word: str) -> set[int]:
    if not word.endswith("*"):
        return holding_all(snapshot, query_terms(word))
    terms = prefix_terms(Query(word, prefixes=(word[:-1],)), snapshot)
    return {d for term in terms for run, _ in snapshot.postings(term) for d in run}
