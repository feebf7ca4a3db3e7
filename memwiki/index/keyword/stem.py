"""The English Snowball stemmer that ships with Whoosh, behind a small cache."""

from __future__ import annotations

from functools import lru_cache

from whoosh.lang.snowball.english import EnglishStemmer

_stemmer = EnglishStemmer()


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The stem of a casefolded word; numbers and very short words stay as they are.

    Source: Porter2, https://snowballstem.org/algorithms/english/stemmer.html
    """
    if len(word) < 3 or not word.isalpha():
        return word
    return str(_stemmer.stem(word))
