"""Tags for a text: those in use that it speaks of first, then few new ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from memwiki.answers.graph import TagSuggestions
from memwiki.index.graph import tag_counts
from memwiki.index.keyword.tokens import count_terms, query_terms
from memwiki.markdown.entries import FIELD
from memwiki.markdown.mask import mask_inline, without_fences
from memwiki.markdown.syntax import plain
from memwiki.markdown.tags import MAX_TAGS, find_tags
from memwiki.names import fold, require_text
from memwiki.pages.tags import as_tag, tag_stem
from memwiki.recall.query import ASKING, is_asking
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading
from memwiki.text import is_cjk, pattern

_MIN_PREFIX_CHARS, _MAX_PREFIX_CHARS = 4, 20
_MAX_NEW = 3  # of the words of one sentence, most are no topics
_WORD = pattern(r"[A-Za-z\u00c0-\u024f][\w-]{2,40}(?![\w-])")
_NAME = pattern(r"(?<=[a-z,;:] )[A-Z][a-z]{1,30}(?: [A-Z][a-z]{1,30}){1,2}(?!\w)")
_NO_PROSE = pattern(
    r"\A[\s*-]*\[[^\W\d][\w-]*\](?=\s)|(?<![A-Za-z])[A-Za-z]{1,12}://\S*|(?<!\S)\^m-[A-Za-z0-9]+"
)
_WITHIN_SENTENCE = pattern(r"[a-z0-9,;:] \Z")
_NO_TOPICS = ASKING | frozenset(
    """
    actually again against ago almost already also although always another anything around away
    back became because become began begin begins best better between big both bring came cannot
    change come comes common day days different done down during each early easy either else end
    enough even every everything example far few find finds first found full further gave get gets
    give gives goes going gone good got great happen hard help helps here high however instead keep
    keeps kind know known knows last late later least less let like likes little live lives long
    look looks made make makes many mean means met might month more most move much must need needs
    never new next nothing now often old once one only open other own part people perhaps place
    point prefer prefers put quite rather ready really right run runs said same saw say says see
    seem seen set shall show shows since small something soon start still sure take takes than
    thing things think though three through thus time times today together tomorrow took toward
    try turn two use uses using usual want wants way week well went whether within without word
    work works would year yes yesterday yet
    """.split()
)
_SINGULAR_S = frozenset("news series species kubernetes postgres redis aws https lens".split())


class _TextTerms(NamedTuple):
    """What a text says, as tags are compared with it."""

    folded: str
    terms: Mapping[str, int]
    words: frozenset[str]  # without hyphens and plural
    prefixes: frozenset[str]


def rank_tags(text: str, in_use: Mapping[str, int], *, limit: int = MAX_TAGS) -> tuple[str, ...]:
    """Tags that a text does not carry yet, the most relevant first; `in_use` counts the known."""
    prose, carried = _prose(text)
    terms = count_terms(prose)
    long_terms = [term for term in terms if not is_asking(term)]
    ends = range(_MIN_PREFIX_CHARS, _MAX_PREFIX_CHARS)
    prefixes = frozenset(term[:end] for term in long_terms for end in ends if end < len(term))
    words = frozenset(map(tag_stem, re.findall(r"[\w-]+", prose)))
    text_terms, present = _TextTerms(fold(prose), terms, words, prefixes), set(map(fold, carried))
    ranked = sorted(
        (*rank, -count, tag)
        for tag, count in in_use.items()
        if fold(tag) not in present and (rank := _rank(tag, text_terms))
    )
    reused = [tag for *_, tag in ranked[:limit]]
    taken = [*reused, *carried]
    new = [tag for tag in _new(prose) if not _is_covered(tag, taken)]
    return tuple([*reused, *new[:_MAX_NEW]][:limit])


def _is_covered(tag: str, taken: Sequence[str]) -> bool:
    """Whether a new tag would nearly repeat one that is taken."""
    if tag_stem(tag) in {tag_stem(each.rpartition("/")[2]) for each in taken}:
        return True
    known = {term for each in taken for term in _terms_of_tag(each)}
    ends = range(_MIN_PREFIX_CHARS, _MAX_PREFIX_CHARS)
    return any(known.intersection((t, *(t[:end] for end in ends))) for t in _terms_of_tag(tag))


def _prose(text: str) -> tuple[str, list[str]]:
    """What the text says without marks, fields and tags, and the tags."""
    text = FIELD.sub("", without_fences(text))
    parts, carried, done = list[str](), list[str](), 0
    for tag, at in find_tags(mask_inline(text)):
        parts.append(text[done:at])
        carried.append(tag)
        done = at + 1 + len(tag)
    return plain(_NO_PROSE.sub(" ", " ".join([*parts, text[done:]]))), carried


def _rank(tag: str, text_terms: _TextTerms) -> tuple[int, int] | None:
    """How near a text is to a tag in use, and minus how often it says it; None for not at all."""
    name, terms = fold(tag.rpartition("/")[2]), _terms_of_tag(tag)
    if is_cjk(name):
        return (0, -text_terms.folded.count(name)) if name in text_terms.folded else None
    if not terms or ASKING.issuperset(terms):
        return None
    counts = [text_terms.terms.get(term, 0) for term in terms]
    if all(counts) or tag_stem(name) in text_terms.words:
        return 0, -min(counts)
    if len(terms) == 1:
        return (1, 0) if _is_prefix(terms[0], text_terms) else None
    present = [term for term in terms if text_terms.terms.get(term) and term not in _NO_TOPICS]
    return (2, -len(present)) if 2 * len(present) >= len(terms) else None


def _is_prefix(term: str, text_terms: _TextTerms) -> bool:
    """Whether the term begins a word of the text, or such a word begins the term."""
    starts = (term[:end] for end in range(_MIN_PREFIX_CHARS, min(len(term), _MAX_PREFIX_CHARS)))
    return term in text_terms.prefixes or any(start in text_terms.terms for start in starts)


@lru_cache(maxsize=50_000)
def _terms_of_tag(tag: str) -> tuple[str, ...]:
    return tuple(query_terms(tag.rpartition("/")[2].replace("-", " ").replace("_", " "))[:8])


def _new(prose: str) -> Iterator[str]:
    """Tags made of the words of a text, names first, then by how often they are said."""
    found: Counter[str] = Counter()
    for match in _NAME.finditer(prose):
        found[as_tag(match[0])] += 3
    in_names = {part for tag in found for part in tag.split("-")}
    for match in _WORD.finditer(prose):
        word = fold(match[0])
        is_topic = word not in _NO_TOPICS and not word.endswith(("ly", "ed")) and word.isascii()
        if is_topic and word not in in_names:
            before = prose[max(0, match.start() - 2) : match.start()]
            is_name = not match[0][0].islower() and _WITHIN_SENTENCE.search(before) is not None
            found[as_tag(_singular(word))] += 1 + 2 * is_name
    yield from (tag for tag, _ in found.most_common() if tag)


def _singular(word: str) -> str:
    if word in _SINGULAR_S or len(word) < 4 or word.endswith(("ss", "us", "is", "as", "os")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word.removesuffix("s")


def suggest_tags(live: LiveIndex, text: str) -> TagSuggestions:
    """The tags that suit a text, at most `memory.max_tags`."""
    require_text("tag suggest", text)
    most = live.context.config.memory.max_tags
    with reading(live) as view:
        shown = (row for row in view.lookup.all_tags() if view.scope.reaches(row[0]))
        in_use = {each.tag: each.count for each in tag_counts(shown)}
        return TagSuggestions(rank_tags(text, in_use, limit=most), view.freshness.fresh)
