"""The pages that a text names by title, file name or alias without a link: exact names alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from memwiki.facts.identity import HAN
from memwiki.index.cards.lookup import Lookup
from memwiki.index.names import NameKind, name_number
from memwiki.markdown.entry_links import name_link
from memwiki.markdown.mask import mask_inline
from memwiki.memory.view import entities_of
from memwiki.names import fold

_TYPES = frozenset(("entity", "person", "project", "concept"))  # of pages that a text may name
_KINDS = (NameKind.STEM, NameKind.ALIAS, NameKind.TITLE)
_MOST_WORDS = 6
_LONGEST_HAN = 8
_LINK = re.compile(r"\[\[[^\[\]\n]*\]\]|\[[^\[\]\n]*\]\([^()\n]*\)")
_HAN = re.compile(f"[{HAN}]{{2,}}")
_GENITIVE = re.compile(r"['’]s\b")
_WORD = re.compile(rf"[^\W_{HAN}](?:[^\s{HAN}]*[^\W_{HAN}])?")


class PageNames:
    """The names of the pages that an entry can be about."""

    def __init__(self, lookup: Lookup) -> None:
        about = {card.path for card in lookup.cards() if fold(card.type) in _TYPES}
        named = defaultdict[int, set[str]](set)
        for number, _, path in lookup.all_names(*_KINDS):
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
        linked |= {self._page(fields.get("subject", ""))}
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
        for length in range(min(_LONGEST_HAN, len(run)), 1, -1):
            yield from (run[at : at + length] for at in range(len(run) - length + 1))
    for line in _GENITIVE.sub(" ; ", text).split("\n"):
        words = list(_WORD.finditer(line))
        for length in range(min(_MOST_WORDS, len(words)), 0, -1):
            for at in range(len(words) - length + 1):
                yield line[words[at].start() : words[at + length - 1].end()]
