"""The `#tags` in the text of a page: where they stand, renaming them and taking them out."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from memwiki.errors import LineNotEditableError
from memwiki.markdown.outline import Outline
from memwiki.markdown.source import Patch
from memwiki.markdown.syntax import LIST_MARKER
from memwiki.names import fold

# What may stand around the tags of a line or item without making a sentence of them.
_LEAD = re.compile(rf"[ \t>]*(?:{LIST_MARKER}[ \t]+)?(?:#{{1,6}}[ \t]+)?\Z")
_TAIL = re.compile(r"(?:[ \t]*+\[(?=[^\[\]\n]*?::)[^\[\]\n]*+\])*+(?:[ \t]++\^[\w-]++)?[ \t]*+\Z")


class InlineTag(NamedTuple):
    """A tag with its half-open offsets in the text, `#` included, and its line from 0."""

    name: str
    start: int
    end: int
    line: int

    @property
    def name_start(self) -> int:
        """Where the name begins."""
        return self.end - len(self.name)


def inline_tags(page: Outline) -> list[InlineTag]:
    """The tags in the text below the front matter, as the reader finds them."""
    if "#" not in page.text:
        return []
    return [_placed(page, name, at) for name, at in page.tags]


def _placed(page: Outline, name: str, at: int) -> InlineTag:
    """Masked lines may be shorter than those of the file, but have the same columns."""
    masked, starts = page.masked
    line = bisect_right(starts, at) - 1
    start = page.offset(line, at - starts[line])
    end = start + masked.index(name, at + 1) - at + len(name)
    return InlineTag(name, start, end, line)


def renamed_inline(page: Outline, rename: Callable[[str], str]) -> Outline:
    """The page with other tags in its text; one that would stand twice side by side goes."""
    return _checked(page, *_renaming(page, rename))


def rename_patches(page: Outline, rename: Callable[[str], str]) -> list[Patch]:
    """What gives a text other tags, once that is known to do it."""
    patches, expected = _renaming(page, rename)
    _checked(page, patches, expected)
    return patches


def _renaming(page: Outline, rename: Callable[[str], str]) -> tuple[list[Patch], list[str]]:
    """The patches, and the tags that there will be."""
    tags = inline_tags(page)
    patches, expected = [], []
    for run in _runs(page, tags):
        kept: list[str] = []
        unchanged = {fold(tag.name) for tag in run if rename(tag.name) == tag.name}
        for number, tag in enumerate(run):
            new = rename(tag.name)
            if new != tag.name and fold(new) in unchanged:
                patches.append(_dropped(run, number, has_left=bool(kept)))
                continue
            kept.append(new)
            if new != tag.name:
                patches.append(Patch(tag.name_start, tag.end, new))
        expected += kept
    return patches, expected


def removed_inline(page: Outline, is_gone: Callable[[str], bool]) -> Outline:
    """The page without some tags: beside other tags they go, inside a sentence they become
    words."""
    tags = inline_tags(page)
    patches = []
    for run in _runs(page, tags):
        gone = [number for number, tag in enumerate(run) if is_gone(tag.name)]
        if gone:
            patches += _removal(page, run, gone)
    expected = [tag.name for tag in tags if not is_gone(tag.name)]
    return _checked(page, patches, expected)


def _runs(page: Outline, tags: Sequence[InlineTag]) -> list[list[InlineTag]]:
    """Tags that stand side by side on a line."""
    runs: list[list[InlineTag]] = []
    for tag in tags:
        last = runs[-1][-1] if runs else None
        if last and last.line == tag.line and not page.text[last.end : tag.start].strip():
            runs[-1].append(tag)
        else:
            runs.append([tag])
    return runs


def _dropped(run: Sequence[InlineTag], number: int, *, has_left: bool) -> Patch:
    """A tag with the blank that parts it from the neighbour that stays."""
    if has_left:
        return Patch(run[number - 1].end, run[number].end, "")
    return Patch(run[number].start, run[number + 1].start, "")


def _removal(page: Outline, run: Sequence[InlineTag], gone: Sequence[int]) -> list[Patch]:
    line = run[0].line
    before = page.text[page.starts[line] : run[0].start]
    is_alone = _LEAD.match(before) is not None
    is_last = _TAIL.match(page.text, run[-1].end, page.end_of(line)) is not None
    if not is_last or (is_alone and len(gone) == len(run)):
        return _as_words(page, run, gone, is_whole_line=is_last and not before.strip())
    if not is_alone and gone[0] == 0:
        start = run[0].start - len(before) + len(before.rstrip())
        first = Patch(start, run[0].end, "")
        return [first, *(_dropped(run, number, has_left=True) for number in gone[1:])]
    kept = min(set(range(len(run))).difference(gone))
    return [_dropped(run, number, has_left=number > kept) for number in gone]


def _as_words(
    page: Outline, run: Sequence[InlineTag], gone: Sequence[int], *, is_whole_line: bool
) -> list[Patch]:
    """Without the `#`, so that no sentence, item or heading loses a word; a line of tags goes."""
    line = run[0].line
    if is_whole_line and not page.text[run[-1].end : page.end_of(line)].strip():
        return [Patch(page.starts[line], page.starts[line + 1], "")]
    return [Patch(run[number].start, run[number].name_start, "") for number in gone]


def _checked(page: Outline, patches: Sequence[Patch], expected: Sequence[str]) -> Outline:
    """The patched page, when its tags are read as expected."""
    if not patches:
        return page
    after = page.edited(patches)
    # A line that goes must not make a heading of the one above it.
    is_whole = len(after.sections) == len(page.sections)
    if not is_whole or [tag.name for tag in inline_tags(after)] != list(expected):
        line = page.line_at(patches[0].start) + 1
        what = "a tag in the text cannot be changed safely"
        raise LineNotEditableError(page.path, line, what)
    return after
