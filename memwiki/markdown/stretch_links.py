"""The links and tags of a long page, of each stretch by itself: those of a stretch that a store
holds are not looked for again."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import TypeAlias

from memwiki.digest import blake2b
from memwiki.markdown.entries import TASK_LINE
from memwiki.markdown.entry_links import may_hold_values
from memwiki.markdown.links import may_hold_html_links
from memwiki.markdown.mask import Masked
from memwiki.markdown.outline import Outline, may_import
from memwiki.markdown.stretches import KEY_BYTES, stretch_number
from memwiki.markdown.tags import may_tag
from memwiki.nouns import DENDRON, GITHUB, LOGSEQ, Link, LinkedStretch, Span, Stretch
from memwiki.records import NamedTuple
from memwiki.text import holds

_NOWHERE = (LOGSEQ, DENDRON, GITHUB)  # whose links are read once more in the whole text
_Said: TypeAlias = tuple[tuple[Link, ...], tuple[str, ...]]


class CutLinks(NamedTuple):
    """The links and tags of the text outside of the stretches, and those of each."""

    links: tuple[Link, ...]
    tags: tuple[str, ...]
    stretches: tuple[LinkedStretch, ...]


def cut_links(
    page: Outline, stretches: Sequence[Stretch], known: AbstractSet[bytes]
) -> CutLinks | None:
    """What a page says in links and tags, but for that of the stretches whose keys are `known`;
    None where it cannot be cut. Where there is no link, nothing is.

    No link leads from one stretch into another. Where a page defines links, they may be meant on
    any of its lines.
    """
    text = page.masked.text
    if page.layers.dialect.name in _NOWHERE:
        return None
    if page.lacks(_may_link, text):
        if page.lacks(may_tag, text):
            return CutLinks((), (), ())
        return CutLinks((), _names(page.tags_in(page.masked, (), page.structure.html)), ())
    if holds(text, "]:"):
        return None
    cut: dict[int, tuple[bytes, Stretch]] = {}
    for stretch in stretches:
        key = _key(page, stretch)
        cut.setdefault(stretch_number(key), (key, stretch))  # of equal ones the first
    links, tags = _outside(page, [stretch for _, stretch in cut.values()])
    return CutLinks(links, tags, tuple(_linked(page, known, *each) for each in cut.values()))


def _may_link(text: str) -> bool:
    has_links = holds(text, "](", "{{", "[[", "]:")
    return has_links or may_hold_html_links(text) or may_hold_values(text)


def _linked(
    page: Outline, known: AbstractSet[bytes], key: bytes, stretch: Stretch
) -> LinkedStretch:
    if key in known:
        return LinkedStretch(key, stretch.line_start, is_held=True)
    return LinkedStretch(key, stretch.line_start, *_inside(page, stretch))


def _key(page: Outline, stretch: Stretch) -> bytes:
    """What all links and tags of a stretch depend on: its lines, and what is no text in them."""
    said = "\n".join(page.lines[stretch.line_start - 1 : stretch.line_end])
    masked, html = _masked(page, stretch), _html_in(page, stretch)
    if masked == said and not html:
        return stretch.text_digest
    more = blake2b(stretch.text_digest, digest_size=KEY_BYTES)
    more.update(f"{html}{masked}".encode("utf-8", "surrogatepass"))
    return more.digest()


def _masked(page: Outline, stretch: Stretch) -> str:
    text, starts = page.masked
    return text[starts[stretch.line_start - 1] : starts[stretch.line_end] - 1]


def _html_in(page: Outline, stretch: Stretch) -> list[Span]:
    """The lines of a stretch that are HTML, counted from its first."""
    first, stop = stretch.line_start - 1, stretch.line_end
    return [
        (max(start, first) - first, min(end, stop) - first)
        for start, end in page.structure.html
        if start < stop and end > first
    ]


def _inside(page: Outline, stretch: Stretch) -> _Said:
    first, stop = stretch.line_start - 1, stretch.line_end
    starts = page.masked.starts
    here = [start - starts[first] for start in starts[first : stop + 1]]
    masked = Masked(_masked(page, stretch), here)
    entries = partial(_entries_in, page, first, stop)
    links, tags = _links_and_tags(
        page, masked, page.lines[first:stop], entries, _html_in(page, stretch)
    )
    return tuple(link._replace(line=link.line - 1) for link in links), tags


def _entries_in(page: Outline, first: int, stop: int) -> list[Span]:
    """The lines of the entries of a stretch, counted from its first."""
    items = page.structure.items
    here = items[bisect_left(items, (first, 0)) : bisect_left(items, (stop, 0))]
    return [(a - first, b - first) for a, b in here if not TASK_LINE.match(page.lines[a])]


def _outside(page: Outline, stretches: Sequence[Stretch]) -> _Said:
    """What stands in no stretch: each of them is blank, and all else where it was."""
    text, starts = page.masked
    parts, done = list[str](), 0
    for stretch in stretches:
        first, stop = starts[stretch.line_start - 1], starts[stretch.line_end] - 1
        parts += text[done:first], " " * (stop - first)
        done = stop
    parts.append(text[done:])
    said = "".join(parts[::2])
    has_signs = holds(said, "[[", "](", "]:", "{", "<", "::")
    if not (has_signs or may_tag(said) or may_import(page.path)):  # as where a page is all entries
        return (), ()
    masked = Masked("".join(parts), starts)
    return _links_and_tags(page, masked, page.lines, page.entry_ranges, page.structure.html)


def _links_and_tags(
    page: Outline,
    masked: Masked,
    lines: list[str],
    entries: Callable[[], list[Span]],
    html: Iterable[Span],
) -> _Said:
    found = page.found_in(masked, lines, entries)
    return found.links, _names(page.tags_in(masked, found.spans, html))


def _names(tags: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    return tuple(tag for tag, _ in tags)
