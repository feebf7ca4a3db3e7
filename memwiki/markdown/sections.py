"""Finding a section or block of a page by the name a person gives it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from memwiki.errors import AmbiguousError, NotFoundError, shell_word
from memwiki.names import fold
from memwiki.nouns import Page, Section


def find_lines(page: Page, wanted: str) -> tuple[int, int]:
    """First and last line of a section, or of a block when `^id` is wanted."""
    if wanted.startswith("^"):
        return _block(page, wanted[1:])
    section = find_section(page.path, page.sections, wanted)
    return section.line_start, section.line_end


def find_section(path: str, sections: Sequence[Section], wanted: str) -> Section:
    """The section under a heading, named alone or as `Above#Below`.

    Raises NotFoundError, or AmbiguousError with the candidates.
    """
    whole = fold(wanted.strip().lstrip("#").strip())  # `C#` is a name, `Above#Below` a way there
    parts = [fold(part.strip()) for part in wanted.split("#") if part.strip()]
    found = [s for s in sections if fold(s.title) == whole] or [
        s for s in sections if _ends_with([fold(t) for t in s.trail], parts)
    ]
    if not found:
        raise NotFoundError(
            f"{path}: no section {wanted!r}", hint=_nearest(path, sections, whole), path=path
        )
    if len(found) > 1:
        raise AmbiguousError(
            f"{path}: {len(found)} sections have the title {wanted!r}",
            hint="name the heading above too, as Above#Below",
            path=path,
            candidates=tuple(f"{'#'.join(s.trail)} (line {s.line_start})" for s in found),
        )
    return found[0]


def _nearest(path: str, sections: Sequence[Section], wanted: str) -> str:
    from difflib import get_close_matches

    titles = {fold(section.title): section.title for section in sections}
    name = wanted.rpartition("#")[2].strip()
    begun = [title for title in titles if name and title.startswith(name)]
    near = begun or get_close_matches(name, titles, n=1)
    if near:
        return f"did you mean {titles[near[0]]}?"
    return f"memwiki get {shell_word(path)} shows all of it"


def _block(page: Page, block: str) -> tuple[int, int]:
    for entry in page.entries:
        if entry.id == block:
            return entry.line_start, entry.line_end
    if block not in page.block_ids:
        hint = f"memwiki get {shell_word(page.path)}"
        raise NotFoundError(f"{page.path}: no block ^{block}", hint=hint, path=page.path)
    return page.block_ids[block], page.block_ids[block]


def _ends_with(trail: list[str], parts: list[str]) -> bool:
    """Whether the parts stand in the trail in order, the last one at its end."""
    if not parts or trail[-1:] != parts[-1:]:
        return False
    rest = iter(trail[:-1])
    return all(part in rest for part in parts[:-1])


def lines_around(page: Page, line: int) -> tuple[int, int]:
    """From the heading above a line to the next one; NotFoundError where there is no such line."""
    if not 1 <= line <= max(page.line_count, 1):
        raise _no_lines(page, f"line {line}")
    starts = [section.line_start for section in page.sections]
    after = bisect_right(starts, line)
    stop = starts[after] - 1 if after < len(starts) else max(page.line_count, 1)
    return (starts[after - 1] if after else 1), stop


def _no_lines(page: Page, lines: str) -> NotFoundError:
    hint = f"it has {page.line_count} lines"
    return NotFoundError(f"{page.path}: it has no {lines}", hint=hint, path=page.path)


def part_of(page: Page, section: str, lines: tuple[int, int] | None) -> tuple[str, int, int]:
    """The text of a page, of one section or of some lines, with its first and last line."""
    start, stop = 1, max(page.line_count, 1)
    if section:
        start, stop = find_lines(page, section)
    if lines:
        start, stop = max(start, lines[0]), min(stop, lines[1])
        if start > stop:
            raise _no_lines(page, f"lines {lines[0]}-{lines[1]}")
    if not (section or lines):
        return page.text, start, stop
    return "\n".join(page.text.split("\n")[start - 1 : stop]), start, stop
