"""Relations that entries suggest by what they name and when they were made; pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from heapq import nlargest
from typing import NamedTuple

from memwiki.facts.identity import HAN
from memwiki.index.cards.lookup import Lookup
from memwiki.index.names import NameKind, name_number
from memwiki.judgement.similarity import words_of
from memwiki.markdown.entry_links import name_link
from memwiki.markdown.mask import mask_inline
from memwiki.memory.view import entities_of
from memwiki.names import fold, parts_of
from memwiki.scope import Scope
from memwiki.text import pattern

WEIGHT = 0.4
SOURCES = "sources"  # of a summary: the ids of what it sums up

_MAX_RELATIONS = 3  # that one entry is given
_MAX_HOLDERS = 50  # of a name that are looked at, the newest
_MIN_WORDS = 2
_HOUR = timedelta(hours=1)
_CLOCK = pattern(r"\d{4}-\d\d-\d\dT\d\d:\d\d")
_ID = pattern(r"(?<![\w-])m-[A-Za-z0-9]+")
_USER = frozenset(("user", "i", "me", "我", "用户"))
_TYPES = frozenset(("entity", "person", "project", "concept"))  # of pages that a text may name
_KINDS = (NameKind.STEM, NameKind.ALIAS, NameKind.TITLE)
_MAX_WORDS = 6
_MAX_HAN_CHARACTERS = 8
_LINK = pattern(r"\[\[[^\[\]\n]*\]\]|\[[^\[\]\n]*\]\([^()\n]*\)")
_HAN = pattern(f"[{HAN}]{{2,}}")
_GENITIVE = pattern(r"['’]s\b")
_WORD = pattern(rf"[^\W_{HAN}](?:[^\s{HAN}]*[^\W_{HAN}])?")


class Related(NamedTuple):
    """An entry as far as relations are concerned; `names` are folded."""

    id: str  # "" when it has none yet
    names: frozenset[str]
    fields: Mapping[str, str]
    home: str  # the namespace: relations never lead out of it


class RelationProposal(NamedTuple):
    """Two entries that name the same; places in the known entries followed by the new ones."""

    new: int
    other: int
    names: tuple[str, ...]


class TimeCandidate(NamedTuple):
    """Two entries made within an hour that share words, by their places."""

    new: int
    other: int
    minutes: int
    words: tuple[str, ...]
    confidence: float


def proposals(known: Sequence[Related], new: Sequence[Related]) -> Iterator[RelationProposal]:
    """At most three for each new entry, to what shares most and rarest names with it; the later of
    two new ones is related to the earlier."""
    both = [*known, *new]
    holders = defaultdict[str, list[int]](list)
    for at, each in enumerate(known):
        for name in each.names - _USER:
            holders[name].append(at)
    for at in range(len(known), len(both)):
        strengths = _strengths(both, at, holders)
        best = nlargest(_MAX_RELATIONS, strengths, key=lambda other: (strengths[other], other))
        for other in best:
            names = both[at].names & both[other].names - _USER
            yield RelationProposal(at - len(known), other, tuple(sorted(names)))
        for name in both[at].names - _USER:
            holders[name].append(at)


def _strengths(
    both: Sequence[Related], at: int, holders: Mapping[str, Sequence[int]]
) -> dict[int, float]:
    found = defaultdict[int, float](float)
    for name in sorted(both[at].names - _USER):
        having = holders.get(name, ())
        for other in having[-_MAX_HOLDERS:]:
            if not _is_known_to(both[at], both[other]):
                found[other] += 1 / len(having)
    return found


def _is_known_to(one: Related, other: Related) -> bool:
    """Whether one of them names the other already, as relation or as successor."""
    return one.home != other.home or other.id in _ids(one) or one.id in _ids(other)


def _ids(each: Related) -> set[str]:
    return {id_ for value in each.fields.values() for id_ in ids_in(value)}


def ids_in(value: str) -> list[str]:
    """The ids that a value names."""
    return _ID.findall(value) if "m-" in value else []


def is_summary(fields: Mapping[str, str]) -> bool:
    """Whether an entry names others as its sources."""
    return bool(ids_in(fields.get(SOURCES, "")))


def within_an_hour(created: Sequence[str], texts: Sequence[str]) -> Iterator[TimeCandidate]:
    """Pairs made within one hour that share at least two content words, the likest three of each;
    the confidence is the share of the shorter one's words that both have."""
    words = [words_of(text) for text in texts]
    times = sorted((moment, at) for at, text in enumerate(created) if (moment := _moment(text)))
    for place, (moment, at) in enumerate(times):
        near = []
        for before, other in reversed(times[max(0, place - _MAX_HOLDERS) : place]):
            shared = words[at] & words[other]
            if moment - before <= _HOUR and len(shared) >= _MIN_WORDS:
                share = len(shared) / min(len(words[at]), len(words[other]))
                minutes = int((moment - before).total_seconds()) // 60
                names = tuple(sorted(shared)[:_MAX_RELATIONS])
                near.append(TimeCandidate(at, other, minutes, names, round(share, 2)))
        yield from nlargest(_MAX_RELATIONS, near, key=lambda each: (each.confidence, each.other))


def _moment(created: str) -> datetime | None:
    if not _CLOCK.match(created):
        return None
    try:
        return datetime.fromisoformat(created[:19]).replace(tzinfo=None)
    except ValueError:
        return None


class SubjectPages:
    """The names of the pages that an entry can be about, none of which is in another namespace."""

    def __init__(self, lookup: Lookup, scope: Scope) -> None:
        about = {card.path for card in lookup.cards() if fold(card.type) in _TYPES}
        named = defaultdict[int, set[str]](set)
        for number, _, path in lookup.all_names(*_KINDS):
            if scope.reaches(path):
                named[number].add(path)
        self._pages: Mapping[int, str] = {
            number: next(iter(paths))
            for number, paths in named.items()
            if len(paths) == 1 and paths <= about
        }

    def missing(self, text: str, fields: Mapping[str, str]) -> tuple[str, ...]:
        """The names in a text of pages that the entry does not name yet, as the text has them."""
        if not self._pages:
            return ()
        linked = {self._page(name.partition("|")[0]) for name in entities_of(text, fields)}
        linked.add(self._page(fields.get("subject", "")))
        found = dict[str, str]()
        for name in _names(_LINK.sub("\n", mask_inline(text))):
            path = self._page(name)
            if path and path not in linked and name_link(name, 0, "entities"):
                found.setdefault(path, name)
        return tuple(found.values())

    def one_of(self, name: str) -> str:
        """One form of all names of a page: its path; of any other name itself, folded."""
        return self._page(name) or fold(name)

    def _page(self, name: str) -> str:
        return self._pages.get(name_number(name.strip().strip("[]")), "") if name else ""


def _names(text: str) -> Iterator[str]:
    """What may be a name: runs of words, the longest first, and runs of Chinese characters."""
    for run in _HAN.findall(text):
        yield from parts_of(run, range(min(_MAX_HAN_CHARACTERS, len(run)), 1, -1))
    for line in _GENITIVE.sub(" ; ", text).split("\n"):
        words = list(_WORD.finditer(line))
        for length in range(min(_MAX_WORDS, len(words)), 0, -1):
            for at in range(len(words) - length + 1):
                yield line[words[at].start() : words[at + length - 1].end()]
