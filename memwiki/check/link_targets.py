"""Targets of links: the nearest to one that means nothing, and others put in their place.

Two names are near when one edit leads from one to the other (a letter more, less or another), once
case, blanks and punctuation are out of the way and the digits are the same. Names are indexed by
what is left of them when each letter is taken out in turn, so that looking for thousands of broken
links in a large workspace costs the length of the names, not their product.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from posixpath import basename
from urllib.parse import quote

from memwiki.check.overview import WorkspaceOverview
from memwiki.index.meanings.lookup import ResolvedLink
from memwiki.markdown.mask import mask_inline
from memwiki.markdown.structure import structure_of
from memwiki.names import fold, letters, without_suffix
from memwiki.nouns import Span
from memwiki.records import grouped
from memwiki.sequences import shared_start
from memwiki.text import pattern

# What stands after the parenthesis, or after the colon of a definition, up to `#`, `?` or the
# title.
_TARGET = pattern(
    r"\]\([ \t]*(?:<([^<>\n#?]+)(?=[>#?])|([^\s()<>#?]+)(?=[)#?\s]))"
    r"|^[ \t>]{0,8}\[[^\[\]\n]+\]:[ \t]*(?:<([^<>\n#?]+)(?=[>#?])|([^\s<>#?]+))",
    re.MULTILINE,
)
_DIGITS = pattern(r"\d+")
_MIN_LETTERS = 5  # letters: shorter names are all near to each other
_MAX_LETTERS = 80
_MAX_PAGES = 12  # pages of one name: none of them is meant more than the others


def swapped(data: bytes, swaps: Mapping[str, str]) -> bytes:
    """A file with these targets of links swapped, in all ways to write them; none in code."""
    text = data.decode("latin-1")  # a character a byte, so that places are the same
    wanted = {
        _as_bytes(write(old)): _as_bytes(write(new))
        for old, new in swaps.items()
        for write in (quote, str)
    }
    parts, done = [], 0
    for start, end in _targets(_without_code(text)):
        if text[start:end] in wanted:
            parts += [text[done:start], wanted[text[start:end]]]
            done = end
    return "".join([*parts, text[done:]]).encode("latin-1")


def _as_bytes(text: str) -> str:
    return text.encode().decode("latin-1")


def _without_code(text: str) -> str:
    lines = text.split("\n")
    for first, end in structure_of([line.rstrip("\r") for line in lines], 0).code:
        lines[first:end] = [" " * len(line) for line in lines[first:end]]
    return mask_inline("\n".join(lines))


def _targets(masked: str) -> Iterator[Span]:
    for match in _TARGET.finditer(masked):
        yield match.span(match.lastindex or 0)


class NearestFinder:
    """Looks for the file that a broken link may have meant."""

    def __init__(self, overview: WorkspaceOverview) -> None:
        self._overview = overview

    def hint(self, meaning: ResolvedLink) -> str:
        """`; did you mean a/b.md?`, or "" when nothing is near."""
        found = self._find(meaning)
        return f"; did you mean {found}?" if found else ""

    def _find(self, meaning: ResolvedLink) -> str:
        form = _form(meaning.link.written)
        if not form:
            return ""
        same = self._reachable(meaning.source, self._by_form.get(form, ()))
        if same:
            return _closest(meaning.source, meaning.link.written, same)
        near = {path for key in _with_one_less(form) for path in self._by_part.get(key, ())}
        digits = _DIGITS.findall(form)
        near = {p for p in near if _DIGITS.findall(_form(p)) == digits}
        return _closest(meaning.source, meaning.link.written, self._reachable(meaning.source, near))

    def _reachable(self, source: str, paths: Iterable[str]) -> list[str]:
        """Those that a name on a page can mean, which are not in another namespace; of a name that
        each folder has, no more than show that there are too many."""
        at, known = self._overview.namespace_of, ("", self._overview.namespace_of(source))
        return [*islice((path for path in paths if at(path) in known), _MAX_PAGES + 1)]

    @cached_property
    def _by_form(self) -> dict[str, list[str]]:
        paths = (*self._overview.cards, *self._overview.attachments)
        return grouped((_form(path), path) for path in paths)

    @cached_property
    def _by_part(self) -> dict[str, list[str]]:
        """The files by each part of their name; only parts that are asked for are kept."""
        asked = {
            part
            for each in self._overview.unresolved
            for part in _with_one_less(_form(each.link.written))
        }
        parts: dict[str, list[str]] = {}
        for form, paths in self._by_form.items():
            for part in asked.intersection(_with_one_less(form)):
                parts.setdefault(part, []).extend(paths[: _MAX_PAGES + 1])
        return parts


def _form(path: str) -> str:
    """The name of a file without case, blanks and punctuation."""
    name = basename(without_suffix(path.replace("\\", "/").rstrip("/")))
    return letters(name)


def _with_one_less(form: str) -> Iterator[str]:
    """The form itself, and what is left of it without each of its letters."""
    if _MIN_LETTERS <= len(form) <= _MAX_LETTERS:
        yield form
        for i in range(len(form)):
            yield form[:i] + form[i + 1 :]


def _closest(source: str, written: str, paths: Iterable[str]) -> str:
    """Of files with one name, the one whose folders are most like those written, then those of the
    page itself."""
    paths = list(paths)
    if not paths or len(paths) > _MAX_PAGES:
        return ""
    folders = _folders(written)

    def likeness(path: str) -> tuple[int, int, int, str]:
        same_folders = len(folders.intersection(_folders(path)))
        same_start = shared_start(path.split("/")[:-1], source.split("/")[:-1])
        return -same_folders, -same_start, path.count("/"), path

    return min(paths, key=likeness)


def _folders(path: str) -> set[str]:
    return set(fold(path.replace("\\", "/")).split("/")[:-1]) - {"", ".", ".."}
